"""One run from its jobs to a published folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from functools import partial

from flowvision.batch.cluster import cluster
from flowvision.batch.jobs import Job, Outcome
from flowvision.batch.preparation import prepare_worker
from flowvision.batch.runner import run_batch
from flowvision.batch.store import Store
from flowvision.errors import OutputError
from flowvision.render.look import PLAIN, Look
from flowvision.value import value_type
from flowvision.workers.pool import WorkerPool

LONG = 500
"""Pictures a worker: a worker for so many loads all libraries before the first, also those that one picture
in thirty needs. That takes a fiftieth of its time at most, and what it has of memory shows at once."""
GRACE_SECONDS = 5.0
"""Beyond its limit a picture has this long to be decoded, drawn and written before its process is ended."""


@value_type
class Plan:
    """What to do: the jobs, at most ``seconds`` for each, in so many ``workers``; ``force``: all anew.

    ``dask``: the address of a cluster to use instead; ``ship``: its workers share no disk with this process.
    ``tell`` is given what was odd about the output folder. ``look``: how solutions of jobs that are still to
    be found are drawn.
    """

    jobs: Sequence[Job]
    output: str
    seconds: float = 30.0
    workers: int = 1
    force: bool = False
    dask: str | None = None
    ship: bool = False
    tell: Callable[[str], object] = str
    look: Look = PLAIN


def run_plan(
    plan: Plan,
    observe: Callable[[Outcome, bool], object],
    show: Callable[[str], object] | None = None,
) -> None:
    """Do the jobs, and publish what is done also when interrupted.

    ``observe`` is told every outcome as it comes, and whether it is of an earlier run; ``show`` is given
    the objects of the contract in the order of the jobs. Raises ``OutputError``.
    """
    with Store(plan.output, plan.seconds) as store, publishing(store, plan.jobs):
        for note in store.notes:
            plan.tell(note)
        run_in(store, plan, observe, show)


@contextmanager
def publishing(store: Store, jobs: Sequence[Job]) -> Iterator[None]:
    """Publish what is done of the jobs at the end, also when something ends them early."""
    try:
        yield
    except BaseException:
        with suppress(OutputError):  # the first error says what is wrong
            store.publish(jobs)
        raise
    store.publish(jobs)


def run_in(
    store: Store,
    plan: Plan,
    observe: Callable[[Outcome, bool], object],
    show: Callable[[str], object] | None = None,
) -> None:
    """Do the jobs, numbered from 0, and note them in the store; ``run_plan`` without publishing."""
    shown = _InOrder(plan.jobs, store, show) if show else None
    with _hands(plan) as (executor, count):
        known = store.known if not plan.force else lambda _: None
        for outcome in run_batch(plan.jobs, executor, 4 * count, plan.ship, known):
            fresh = store.add(plan.jobs[outcome.number], outcome)
            observe(outcome, not fresh)
            if shown:
                shown.done(outcome.number)


class _InOrder:
    """Shows the objects of the jobs in their order, each as soon as all before it are done."""

    def __init__(self, jobs: Sequence[Job], store: Store, show: Callable[[str], object]) -> None:
        self.jobs, self.store, self.show = jobs, store, show
        self.next = 0
        self.early: set[int] = set()

    def done(self, number: int) -> None:
        self.early.add(number)
        while self.next in self.early:
            self.early.remove(self.next)
            for line in self.store.lines([self.jobs[self.next]]):
                self.show(line.decode().rstrip("\n"))
            self.next += 1


@contextmanager
def _hands(plan: Plan) -> Iterator[tuple[Executor, int]]:
    """Who does the work, and how many at once."""
    if plan.dask is None:
        with workers(plan.workers, plan.seconds, len(plan.jobs) >= LONG * plan.workers) as executor:
            yield executor, plan.workers
    else:
        with cluster(plan.dask) as (executor, count):
            yield executor, count


@contextmanager
def workers(count: int, seconds: float, for_long: bool = False) -> Iterator[Executor]:
    """Processes that solve, each with one OpenCV thread; they end with the block, whatever they are doing."""
    pool = WorkerPool(count, seconds + GRACE_SECONDS, partial(prepare_worker, for_long))
    try:
        yield pool
    finally:
        pool.kill()
