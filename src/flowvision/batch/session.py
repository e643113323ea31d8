"""Run jobs in processes or on a cluster, publish the folder, and watch a folder for new pictures."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from threading import Event
from time import monotonic
from typing import Any, cast

from msgspec import Struct, field
from msgspec.structs import replace

from flowvision.batch.jobs import USUAL, Job, Outcome, Request, failed, jobs_for, shots_in
from flowvision.batch.store import Store
from flowvision.batch.work import content_of, read_job, run_job, solve_data, write_pictures
from flowvision.contract import json_line
from flowvision.errors import ClusterError, FlowvisionError, ImageUnreadableError, OutputError, missing_extra
from flowvision.files import is_marked
from flowvision.workers import SPARE_SECONDS, WorkerPool, prepare_worker

Pending = Future[Any]
"""An outcome on its way, or pictures with it."""
Submit = Callable[..., Pending]
"""Submits a function with its arguments; the future of the result."""

AHEAD = 4
"""Jobs in flight for each worker, so that none waits."""


class Plan(Struct, frozen=True):
    """Plan of a run. ``force``: reuse no outcome. ``dask``: the address of a cluster to use instead.

    ``ship``: the cluster shares no disk with this process. For a watched folder: ``tell`` gets remarks on it,
    ``request`` is for jobs that are found later.
    """

    jobs: Sequence[Job]
    output: str
    workers: int = 1
    force: bool = False
    dask: str | None = None
    ship: bool = False
    tell: Callable[[str], object] = str
    request: Request = USUAL


def run_plan(
    plan: Plan, observe: Callable[[Outcome, bool], object], show: Callable[[str], object] | None = None
) -> None:
    """Do the jobs, and publish the results, also when interrupted.

    ``observe`` gets every outcome as it comes, and true for one of an earlier run; ``show`` gets the JSON
    objects as lines, in the order of the jobs. Raises ``OutputError``.
    """
    with Store(plan.output) as store, publishing(store, plan.jobs):
        run_in(store, plan, observe, show)


@contextmanager
def publishing(store: Store, jobs: Sequence[Job]) -> Iterator[None]:
    """Publish finished jobs at the end, also after an error, which a second one does not replace."""
    try:
        yield
    except BaseException as error:
        try:
            store.publish(jobs)
        except OutputError as second:
            error.add_note(str(second))
        raise
    store.publish(jobs)


def run_in(
    store: Store,
    plan: Plan,
    observe: Callable[[Outcome, bool], object],
    show: Callable[[str], object] | None = None,
) -> None:
    """Do the jobs, numbered from 0, and add them to the store, without publishing."""
    done_numbers, to_show = set[int](), deque(plan.jobs)
    with submitter_for(plan) as (submit, window):
        for outcome in _outcomes(plan, submit, window, store):
            fresh = store.add(plan.jobs[outcome.number], outcome)
            observe(outcome, not fresh)
            done_numbers.add(outcome.number)
            # In order, each as soon as it can be.
            while show and to_show and to_show[0].number in done_numbers:
                if answer := store.answer(to_show.popleft()):
                    show(json_line(answer))


@contextmanager
def submitter_for(plan: Plan) -> Iterator[tuple[Submit, int]]:
    """Give a function that submits calls, and the largest number of jobs to have in flight.

    Worker processes end with the block, also in the middle of a job.
    """
    if plan.dask is not None:
        with cluster(plan.dask) as (submit, count):
            yield submit, AHEAD * count
        return
    seconds = max((job.request.options.seconds for job in plan.jobs), default=0.0)
    pool = WorkerPool(
        plan.workers, seconds + SPARE_SECONDS, partial(prepare_worker, ["flowvision.batch.work"])
    )
    try:
        yield pool.submit, AHEAD * plan.workers
    finally:
        pool.kill()


def _outcomes(plan: Plan, submit: Submit, window: int, store: Store) -> Iterator[Outcome]:
    """Yield the outcome of every job, as they are done; known ones are not run.

    A job whose process died, or that was cancelled, fails like any other. Workers without this disk get
    screenshots as bytes and return pictures as bytes, which are written here.
    """
    waiting, todo = dict[Pending, Job](), iter(plan.jobs)
    try:
        while True:
            for job in islice(todo, window - len(waiting)):
                waiting[_future_of(submit, job, plan, store)] = job
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield _outcome(waiting.pop(future), future)
    finally:
        for future in waiting:
            future.cancel()


def _future_of(submit: Submit, job: Job, plan: Plan, store: Store) -> Pending:
    """Return the future outcome of a job: known already, or from a worker, with pictures if shipped."""
    settled: Pending = Future()
    try:
        if not plan.force and (outcome := store.known(job)):
            settled.set_result(outcome)
        elif plan.ship:
            return submit(solve_data, job, read_job(job))
        else:
            return submit(run_job, job)
    except Exception as error:
        settled.set_exception(error)
    return settled


def _outcome(job: Job, future: Pending) -> Outcome:
    """Return the outcome of a job whose work has ended; a picture from another machine is written here."""
    content = ""
    try:
        result = future.result()
        return write_pictures(job, *result) if isinstance(result, tuple) else cast(Outcome, result)
    except Exception as error:
        with suppress(FlowvisionError):
            content = content_of(read_job(job))
        return failed(job, error, content)


@contextmanager
def cluster(address: str) -> Iterator[tuple[Submit, int]]:
    """Give a function that submits calls to the Dask cluster at ``address``, and its number of threads.

    Flowvision must be installed on every worker. Raises ``MissingExtraError`` without the extra ``dask``,
    ``ClusterError`` when no scheduler with workers answers.
    """
    from asyncio import run_coroutine_threadsafe

    try:
        from distributed import Client
    except ImportError:
        raise missing_extra("A cluster needs Dask", "dask") from None
    try:
        connect: Any = Client
        client = connect(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"No Dask scheduler answers at {address}: {error}.") from None

    def submit(function: Callable[..., object], *args: object) -> Pending:
        # Dask's own executor may mistake a result for a traceback if the worker dies meanwhile
        # (``distributed.cfexecutor`` reads the status after the result; by then it is lost).
        result = client.submit(function, *args, pure=False, retries=2)
        gathered = client.gather(result, asynchronous=True)
        return run_coroutine_threadsafe(gathered, client.loop.asyncio_loop)

    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise ClusterError(f"The Dask scheduler at {address} has no workers.")
        yield submit, threads
    finally:
        client.close()


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
    """Solve the files that are complete, and publish; remove from the inbox what is gone."""
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


class Inbox(Struct):
    """Stamps of files by the names of their jobs.

    ``done``: of pictures that were solved. ``seen``: of all files at the last look, each with the time since
    when it is the same.
    """

    done: dict[str, Stamp] = field(default_factory=dict)
    seen: dict[str, tuple[Stamp, float]] = field(default_factory=dict)

    def settled(self, jobs: Sequence[Job]) -> list[Job]:
        """Return the jobs that are not done and whose files are complete; mark them as done."""
        seen_before, now = self.seen, monotonic()
        self.seen = {}
        settled_jobs = []
        for job in jobs:
            if (stamp := _stamp(job)) is None:
                continue
            stamp_before, since = seen_before.get(job.name, (None, now))
            if stamp != stamp_before:
                since = now
            self.seen[job.name] = stamp, since
            if stamp != self.done.get(job.name) and now - since >= SETTLED_SECONDS:
                self.done[job.name] = stamp
                settled_jobs.append(job)
        return settled_jobs


def _stamp(job: Job) -> Stamp | None:
    """Return the stamp of a job's file, ``None`` without it."""
    path = job.path(job.source)
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_size, stat.st_mtime_ns, stat.st_ino, os.access(path, os.R_OK)
