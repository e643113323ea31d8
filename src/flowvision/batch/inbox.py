"""Watch a folder and solve the pictures that appear in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from time import monotonic, time

from msgspec.structs import replace

from flowvision.batch.jobs import Job, Outcome, Shot, jobs_for, shots_in
from flowvision.batch.session import Plan, publishing, run_in
from flowvision.batch.store import Store
from flowvision.errors import ImageUnreadableError, OutputError, missing_extra
from flowvision.files import read_bytes
from flowvision.image.codec import is_whole
from flowvision.image.mark import is_marked

SETTLED_SECONDS = 1.0
"""A file that has not changed for this long is complete."""
STALLED_SECONDS = 10.0
"""Grace period for truncated files."""
ROOM_SECONDS = 60.0
"""Pause before retrying a solution that could not be written."""
BEAT_MS = 500
"""Milliseconds between two checks for changes."""

Stamp = tuple[int, int, int, bool]
"""Size, time and inode of a file, which change when it is written; true if it is readable."""


def watch_folder(
    folder: str,
    plan: Plan,
    recursive: bool,
    observe: Callable[[Outcome], object],
    stop: Event | None = None,
    ready: Callable[[], object] = lambda: None,
) -> None:
    """Solve the pictures in a folder, and new ones as they appear, until ``stop`` is set.

    ``observe`` gets new outcomes; ``ready`` is called when watching begins. Outcomes of earlier runs are
    reused. A removed folder may come back. Raises ``MissingExtraError`` without the extra ``watch``,
    ``ImageUnreadableError`` without the folder, ``OutputError``.
    """
    try:
        import watchfiles  # noqa: F401
    except ImportError:
        raise missing_extra("Watching a folder needs watchfiles", "watch") from None
    if not os.path.isdir(folder):
        raise ImageUnreadableError(f"No such folder: {folder}", "Give the folder that pictures appear in.")
    with Store(plan.output) as store:
        ready()
        inbox = Inbox()
        for changed in _beats(folder, recursive, stop or Event(), plan.tell):
            if changed or inbox.is_awaited():
                shots: list[Shot] = []
                with suppress(ImageUnreadableError):
                    shots += shots_in(folder, recursive)
                _take_in(store, plan, inbox, shots, observe)


def _beats(folder: str, recursive: bool, stop: Event, tell: Callable[[str], object]) -> Iterator[bool]:
    """Yield at every beat, true if the folder may have changed; wait while it is missing.

    Watching starts before the first value, so that no change is missed.
    """
    from watchfiles import Change, watch

    changes_in = partial(watch, folder, stop_event=stop, recursive=recursive, rust_timeout=BEAT_MS)
    is_there = True
    while not stop.is_set():
        if os.path.isdir(folder) != is_there:
            is_there = not is_there
            tell(f"{folder} is {'there again' if is_there else 'gone: waiting for it to come back'}.")
        if not is_there:
            stop.wait(BEAT_MS / 1000)
            continue
        changed = True
        try:
            for changes in changes_in(yield_on_timeout=True, ignore_permission_denied=True):
                # A removed folder is no longer watched, even if a new one has its name.
                if not os.path.isdir(folder):
                    break
                yield changed or bool(changes)
                changed = any(kind == Change.deleted and path == folder for kind, path in changes)
                if changed:
                    break
        except FileNotFoundError:  # removed just now
            pass
        except (RuntimeError, UnicodeError):  # watchfiles cannot express a name that is not UTF-8
            yield True
            stop.wait(BEAT_MS / 1000)


def _take_in(
    store: Store, plan: Plan, inbox: Inbox, shots: Sequence[Shot], observe: Callable[[Outcome], object]
) -> None:
    jobs = jobs_for(shots, plan.output, plan.request)
    gone = inbox.forget_all_but(jobs)
    complete = inbox.complete(jobs)
    ours = [(job, stamp) for job, stamp in complete if is_marked(job.path(job.source))]
    inbox.done |= {job.name: (stamp, None) for job, stamp in ours}
    todo = [item for item in complete if item not in ours]
    fresh = [replace(job, number=number) for number, (job, _) in enumerate(todo)]

    def note(outcome: Outcome, reused: bool) -> None:
        name, stamp = fresh[outcome.number].name, todo[outcome.number][1]
        inbox.done[name] = stamp, monotonic() if outcome.code == OutputError.code else None
        if not reused:
            observe(outcome)

    if fresh or gone:
        with publishing(store, jobs):
            if fresh:
                run_in(store, replace(plan, jobs=fresh, workers=min(plan.workers, len(fresh))), note)


@dataclass(slots=True)
class Inbox:
    """Pictures of a folder that are done, and those still being written, each with its stamp.

    ``done``: with the time of a failure to be tried again. ``waiting``: with the time of the last change.
    """

    done: dict[str, tuple[Stamp, float | None]] = field(default_factory=dict)
    waiting: dict[str, tuple[Stamp, float]] = field(default_factory=dict)

    def is_awaited(self) -> bool:
        """Return true if a picture is unfinished, unreadable, or due for another try."""
        return bool(self.waiting) or any(
            _is_due(failed) or not readable for (*_, readable), failed in self.done.values()
        )

    def forget_all_but(self, jobs: Sequence[Job]) -> bool:
        """Forget pictures that are gone; return true if there were any."""
        gone = self.done.keys() - {job.name for job in jobs}
        for name in gone:
            del self.done[name]
        return bool(gone)

    def complete(self, jobs: Sequence[Job]) -> list[tuple[Job, Stamp]]:
        """Return the jobs that are not done and whose files are complete; wait for the other files."""
        found: list[tuple[Job, Stamp]] = []
        waiting: dict[str, tuple[Stamp, float]] = {}
        for job in jobs:
            stamp = _stamp(job)
            before, failed = self.done.get(job.name, (None, None))
            if stamp is None or (stamp == before and not _is_due(failed)):
                continue
            before, since = self.waiting.get(job.name, (stamp, monotonic()))
            since = since if before == stamp else monotonic()
            if _is_complete(job, stamp, monotonic() - since):
                found.append((job, stamp))
            else:
                waiting[job.name] = stamp, since
        self.waiting = waiting
        return found


def _is_due(failed: float | None) -> bool:
    return failed is not None and monotonic() - failed >= ROOM_SECONDS


def _stamp(job: Job) -> Stamp | None:
    path = job.path(job.source)
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_size, stat.st_mtime_ns, stat.st_ino, os.access(path, os.R_OK)


def _is_complete(job: Job, stamp: Stamp, unchanged_seconds: float) -> bool:
    if max(unchanged_seconds, time() - stamp[1] / 1e9) < SETTLED_SECONDS:
        return False
    if unchanged_seconds >= STALLED_SECONDS:
        return True
    try:
        return is_whole(read_bytes(job.path(job.source)))
    except ImageUnreadableError:  # its outcome will say why
        return True
