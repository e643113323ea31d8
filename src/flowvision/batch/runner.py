"""Jobs through any executor: a bounded number at a time, outcomes as they are done."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from itertools import islice
from typing import Any, cast

from flowvision.batch.jobs import Job, Outcome, failed
from flowvision.batch.work import content_of, read_job, run_job, solve_data, write_pictures
from flowvision.errors import FlowvisionError, crash_of

Known = Callable[[Job], Outcome | None]
"""What an earlier run made of a job, if that still holds."""


def run_batch(
    jobs: Iterable[Job],
    executor: Executor | None = None,
    window: int | None = None,
    ship: bool = False,
    known: Known = lambda _: None,
) -> Iterator[Outcome]:
    """The outcome of every job, as they are done; without an executor, one after another in this process.

    At most ``window`` jobs (four per core) are in flight, so that memory does not grow with their number.
    A job whose process died, or that was cancelled, is a ``Failed`` like any other. Where workers share no
    disk, ``ship`` sends the screenshots as bytes; their pictures come back as bytes and are written here.
    Jobs that are ``known`` are not run.
    """
    if executor is None:
        yield from (known(job) or run_job(job) for job in jobs)
        return
    waiting, todo = dict[Future[Any], Job](), iter(jobs)
    most = window or 4 * (os.cpu_count() or 1)
    try:
        while True:
            for job in islice(todo, most - len(waiting)):
                waiting[_begun(executor, job, ship, known)] = job
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield _outcome(waiting.pop(future), future)
    finally:
        for future in waiting:
            future.cancel()


def _begun(executor: Executor, job: Job, ship: bool, known: Known) -> Future[Any]:
    """The job's future; one that is settled already when the job is known, or cannot be begun."""
    settled: Future[Any] = Future()
    try:
        if outcome := known(job):
            settled.set_result(outcome)
        elif ship:
            return executor.submit(solve_data, job, read_job(job))
        else:
            return executor.submit(run_job, job)
    except Exception as error:
        settled.set_exception(error)
    return settled


def _outcome(job: Job, future: Future[Any]) -> Outcome:
    try:
        result = future.result()
        return write_pictures(job, *result) if isinstance(result, tuple) else cast(Outcome, result)
    except FlowvisionError as error:
        return failed(job, error, _content(job))
    except (Exception, CancelledError) as error:
        return failed(job, crash_of(error), _content(job))


def _content(job: Job) -> str:
    try:
        return content_of(read_job(job))
    except FlowvisionError:
        return ""
