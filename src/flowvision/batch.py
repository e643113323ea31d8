"""Many screenshots, one after another or in several processes.

A job and its outcome are strings and numbers only, so that they cross process boundaries whatever
executor runs them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from flowvision.codec import encode
from flowvision.contract import answer_object, error_object
from flowvision.errors import FlowvisionError, ImageUnreadableError
from flowvision.files import make_folder, refuse_overwriting, write_bytes
from flowvision.pipeline import Options, solve_image

SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff"})
"""Files taken for screenshots."""
SOLVED = ".solved"
"""What solved pictures have before their suffix; they are not solved again."""


@dataclass(frozen=True, slots=True)
class Job:
    """One screenshot to solve: where it is, where its solution goes, how long it may take."""

    source: str
    output: str
    seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class Done:
    """A solved screenshot: its object of the contract as JSON, and the warnings in it."""

    source: str
    described: str
    warnings: int


@dataclass(frozen=True, slots=True)
class Failed:
    """A screenshot that was not solved: its object of the contract as JSON, and the error's words."""

    source: str
    described: str
    code: str
    message: str
    hint: str


def find_screenshots(folder: str | os.PathLike[str]) -> list[Path]:
    """The pictures in a folder by name, without those that are solutions already.

    Raises ``ImageUnreadableError`` when it is no folder or holds no pictures.
    """
    path = Path(folder)
    if not path.is_dir():
        raise ImageUnreadableError(f"No such folder: {path}", "Solve single files with `flowvision SHOT…`.")
    found = sorted(
        file
        for file in path.iterdir()
        if file.suffix.lower() in SUFFIXES and not file.stem.endswith(SOLVED) and file.is_file()
    )
    if not found:
        raise ImageUnreadableError(
            f"No pictures in {path}: looked for {', '.join(sorted(SUFFIXES))}.",
            "Give the folder they are in.",
        )
    return found


def jobs_for(shots: Iterable[Path], output: str | os.PathLike[str], seconds: float = 30.0) -> list[Job]:
    """A job for every screenshot; outputs are told apart by suffix where names are alike.

    Raises ``OutputError`` when the folder ``output`` cannot be made.
    """
    folder = make_folder(output)
    shots = list(shots)
    stems = [shot.stem for shot in shots]
    return [
        Job(
            str(shot),
            str(folder / f"{shot.stem if stems.count(shot.stem) == 1 else shot.name}{SOLVED}.png"),
            seconds,
        )
        for shot in shots
    ]


def run_job(job: Job) -> Done | Failed:
    """Solve one screenshot and write its picture; every ``FlowvisionError`` becomes a ``Failed``."""
    try:
        refuse_overwriting(job.output, [job.source])
        answer = solve_image(job.source, Options(seconds=job.seconds))
        write_bytes(job.output, encode(answer.picture, Path(job.output).suffix))
    except FlowvisionError as error:
        described = json.dumps(error_object(job.source, error))
        return Failed(job.source, described, error.code, error.message, error.hint)
    described = json.dumps(answer_object(job.source, answer, job.output))
    return Done(job.source, described, len(answer.warnings))


def run_batch(jobs: Sequence[Job], executor: Executor | None = None) -> Iterator[Done | Failed]:
    """The outcomes in the order of the jobs, as they come; without an executor, one after another."""
    if executor is None:
        yield from map(run_job, jobs)
    else:
        yield from executor.map(run_job, jobs)


@contextmanager
def workers(count: int) -> Iterator[Executor | None]:
    """An executor of that many processes, each with one OpenCV thread; none for one worker.

    When it is left early, jobs not yet begun are dropped.
    """
    if count == 1:
        yield None
        return
    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_prepare_worker)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _prepare_worker() -> None:
    import signal

    import cv2

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    cv2.setNumThreads(1)
