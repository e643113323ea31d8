"""Watch a folder and solve the pictures that appear in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event
from time import monotonic, time

from msgspec.structs import replace

from flowvision.batch.jobs import Job, Outcome, jobs_for, shots_in
from flowvision.batch.session import Plan, publishing, run_in
from flowvision.batch.store import Store
from flowvision.errors import ImageUnreadableError, OutputError
from flowvision.files import read_bytes
from flowvision.image.codec import is_whole
from flowvision.image.mark import is_marked

SETTLED_SECONDS = 1.0
"""A file that has not changed for this long is complete."""
STALLED_SECONDS = 10.0
"""Grace period for truncated files."""
ROOM_SECONDS = 60.0
"""Pause before retrying a solution that could not be written."""
BEAT_SECONDS, LOOKING = 0.5, 0.05
"""Shortest pause between two looks at the folder, and upper share of the time that looking takes."""

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
    reused. A removed folder may come back. Raises ``ImageUnreadableError`` without the folder,
    ``OutputError``.
    """
    if not os.path.isdir(folder):
        raise ImageUnreadableError(f"No such folder: {folder}", "Give the folder that pictures appear in.")
    stop = stop or Event()
    with Store(plan.output) as store:
        ready()
        inbox, is_there = Inbox(), True
        while not stop.is_set():
            began = monotonic()
            jobs: list[Job] | None = None
            with suppress(ImageUnreadableError):  # removed, or closed to us
                jobs = jobs_for(shots_in(folder, recursive), plan.output, plan.request)
            looked = monotonic() - began
            if (jobs is not None) != is_there:
                is_there = not is_there
                state = "there again" if is_there else "gone: waiting for it to come back"
                plan.tell(f"{folder} is {state}.")
            if jobs is not None:
                _take_in(store, plan, inbox, jobs, observe)
            stop.wait(max(BEAT_SECONDS, looked / LOOKING))


def _take_in(
    store: Store, plan: Plan, inbox: Inbox, jobs: Sequence[Job], observe: Callable[[Outcome], object]
) -> None:
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
