"""Watch a folder and solve the pictures that appear in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event
from time import monotonic

from msgspec.structs import replace

from flowvision.batch.jobs import Job, Outcome, jobs_for, shots_in
from flowvision.batch.session import Plan, publishing, run_in
from flowvision.batch.store import Store
from flowvision.errors import ImageUnreadableError
from flowvision.image.mark import is_marked

SETTLED_SECONDS = 1.0
"""A file that has not changed for this long is complete; if it changes later, it is solved again."""
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
    gone = inbox.done.keys() - {job.name for job in jobs}
    for name in gone:
        del inbox.done[name]
    settled = [job for job in inbox.settled(jobs) if not is_marked(job.path(job.source))]
    fresh = [replace(job, number=number) for number, job in enumerate(settled)]

    if fresh or gone:
        with publishing(store, jobs):
            if fresh:
                todo = replace(plan, jobs=fresh, workers=min(plan.workers, len(fresh)))
                run_in(store, todo, lambda outcome, reused: reused or observe(outcome))


@dataclass(slots=True)
class Inbox:
    """Stamps of the pictures that are done, and of all files, with the time since when they are the same."""

    done: dict[str, Stamp] = field(default_factory=dict)
    seen: dict[str, tuple[Stamp, float]] = field(default_factory=dict)

    def settled(self, jobs: Sequence[Job]) -> list[Job]:
        """Return the jobs that are not done and whose files are complete; mark them as done."""
        before, now = self.seen, monotonic()
        self.seen = {}
        found = []
        for job in jobs:
            if (stamp := _stamp(job)) is None:
                continue
            known, since = before.get(job.name, (None, now))
            since = since if known == stamp else now
            self.seen[job.name] = stamp, since
            if stamp != self.done.get(job.name) and now - since >= SETTLED_SECONDS:
                self.done[job.name] = stamp
                found.append(job)
        return found


def _stamp(job: Job) -> Stamp | None:
    path = job.path(job.source)
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_size, stat.st_mtime_ns, stat.st_ino, os.access(path, os.R_OK)
