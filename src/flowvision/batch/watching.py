"""A folder that is looked at for as long as one likes: what appears in it is solved."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Event
from time import monotonic, sleep

from flowvision.batch.inputs import Shot, find_shots, jobs_for
from flowvision.batch.jobs import Outcome
from flowvision.batch.session import Plan, run_plan
from flowvision.errors import ImageUnreadableError, MissingExtraError
from flowvision.files import make_folder

SETTLED_SECONDS = 1.0
"""A file that has not grown for so long is complete."""
BEAT_MS = 500
"""Between two looks at whether anything has changed."""
PATIENCE_SECONDS = 120.0
"""A file that grows for longer is taken as it is, and again when it has changed."""


def watch_folder(
    folder: str,
    plan: Plan,
    recursive: bool,
    observe: Callable[[Outcome], object],
    stop: Event | None = None,
) -> None:
    """Solve what is in a folder and whatever appears in it, until ``stop`` is set.

    ``plan``: where solutions go and how; its jobs are those of the folder. ``observe`` is told the
    outcomes that are new. What an earlier run has done is not done again. Raises ``MissingExtraError``
    without the extra ``watch``, ``ImageUnreadableError`` when there is no such folder, ``OutputError``.
    """
    try:
        from watchfiles import watch
    except ImportError:
        raise MissingExtraError(
            "Watching a folder needs watchfiles, which is not installed.",
            "pip install 'flowvision-solver[watch]'",
        ) from None
    if not os.path.isdir(folder):
        raise ImageUnreadableError(f"No such folder: {folder}", "Give the folder that pictures appear in.")
    make_folder(plan.output)
    ended = stop or Event()
    changes = watch(
        folder, stop_event=ended, recursive=recursive, yield_on_timeout=True, rust_timeout=BEAT_MS
    )
    # The first beat comes once the folder is being watched: nothing that appears meanwhile is missed.
    for number, changed in enumerate(changes):
        if number and not changed:
            continue
        shots = _complete(list(_shots(folder, recursive)), ended)
        if ended.is_set():
            return
        if shots:
            jobs = jobs_for(shots, plan.output, plan.seconds)
            run = replace(plan, jobs=jobs, workers=min(plan.workers, len(jobs)))
            run_plan(run, lambda outcome, reused: None if reused else observe(outcome))


def _shots(folder: str, recursive: bool) -> Iterator[Shot]:
    """The pictures in the folder; none is no error here."""
    try:
        yield from find_shots([folder], recursive).shots
    except ImageUnreadableError:
        return


def _complete(shots: list[Shot], ended: Event) -> list[Shot]:
    """The pictures once none of them grows any more, without those that are gone or still empty."""
    begun, sizes, since = monotonic(), {shot.path: _size(shot.path) for shot in shots}, monotonic()
    fresh = {path for path in sizes if monotonic() - _changed(path) < 2 * SETTLED_SECONDS}
    while fresh and monotonic() - since < SETTLED_SECONDS and monotonic() - begun < PATIENCE_SECONDS:
        if ended.is_set():
            return []
        sleep(SETTLED_SECONDS / 10)
        now = {path: _size(path) for path in fresh}
        if any(now[path] != sizes[path] for path in fresh):
            sizes |= now
            since = monotonic()
    return [shot for shot in shots if sizes[shot.path] > 0]


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _changed(path: str) -> float:
    """When a file changed last, by this process's monotonic clock."""
    from time import time

    try:
        return monotonic() - (time() - os.stat(path).st_mtime)
    except OSError:
        return 0.0
