"""A pool of processes that outlives its workers.

A worker that dies (a fault in native code, out of memory, killed) or is stopped costs no other call anything:
its own is made once more, and fails with ``CrashedError`` if that ends its worker too. A call that takes
too long fails with ``GaveUpError``, also within native code: its worker is killed. What a worker needs to
start and to unpack a call takes none of the time of calls.

``AsyncPool`` is the same for programs that run in an event loop.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from multiprocessing.connection import Pipe, wait
from multiprocessing.reduction import ForkingPickler
from time import monotonic
from typing import Any, ParamSpec, TypeVar

from flowvision.errors import CrashedError, GaveUpError, shortage_of
from flowvision.value import value_type
from flowvision.workers.worker import READY, START_SECONDS, Prepare, Worker, start_worker

P = ParamSpec("P")
T = TypeVar("T")
Tell = Callable[[Any], object]

FALSE_STARTS = 3
"""Workers in a row that die before they are ready: then none ever will be."""
DEATHS_BEFORE = 3
"""Workers that a call may lose, dead or stopped, before one has unpacked it."""


@value_type(eq=False)
class Call:
    """``function(*args, **kwargs)``, to be made in another process.

    ``seconds``: how long it may take; those of the pool where ``None``. ``tells``: the function takes
    ``tell`` as well, and each value that it is called with is passed on before the result.
    """

    function: Callable[..., Any]
    args: tuple[Any, ...] = ()
    seconds: float | None = None
    tells: bool = False
    kwargs: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class _Job:
    """A call on its way: pickled, with the future of its result, and how many workers died of it."""

    payload: bytes
    seconds: float
    tell: Tell | None = None
    future: Future[Any] = field(default_factory=Future)
    crashes: int = 0
    deaths_before: int = 0


class WorkerPool(Executor):
    """``count`` processes, each making one call at a time, of at most ``seconds``.

    ``prepare`` is called in every new process before its first call, and takes none of its time; what it
    returns is called after every call. A process that is not ready after ``start_seconds`` is ended, and one
    that has not unpacked a call after ``begin_seconds``: where ``prepare`` loads what calls need, that takes
    milliseconds, and longer only in a process that was stopped. Its call is given to another one.
    ``spares``: ``None`` starts processes when calls need them; a number has all of them, and that many more,
    ready at any time, to step in at once for one that was ended. ``alone``: a call that killed its worker is
    tried again with no other beside it, as suits long runs; a server tries it beside the others.
    """

    def __init__(
        self,
        count: int,
        seconds: float = inf,
        prepare: Prepare | None = None,
        start_seconds: float = START_SECONDS,
        begin_seconds: float = START_SECONDS,
        *,
        spares: int | None = None,
        alone: bool = True,
    ) -> None:
        self.count = count
        self.seconds = seconds
        self.prepare = prepare
        self.start_seconds = start_seconds
        self.begin_seconds = begin_seconds
        self._ready_at_any_time = 0 if spares is None else count + spares
        self._alone = alone
        self._jobs = deque[_Job]()
        self._suspects = deque[_Job]()
        self._workers: list[Worker[_Job]] = []
        self._unwanted = deque[Future[Any]]()
        self._false_starts = 0
        self._state = "open"
        self._lock = threading.Lock()
        self._woken, self._wake = Pipe(duplex=False)
        self._thread = threading.Thread(target=self._supervise, name="workers", daemon=True)
        self._thread.start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """The future of ``fn(*args, **kwargs)`` in one of the processes."""
        return self.submit_call(Call(fn, args, kwargs=kwargs))

    def submit_call(self, call: Call, tell: Tell | None = None) -> Future[Any]:
        """The future of a call; ``tell`` is called in the pool's own thread."""
        payload = bytes(ForkingPickler.dumps((call.function, call.args, call.kwargs, call.tells)))
        job = _Job(payload, self.seconds if call.seconds is None else call.seconds, tell)
        with self._lock:
            if self._state != "open":
                raise RuntimeError("The workers have been dismissed.")
            self._jobs.append(job)
        self._wake.send_bytes(b".")
        return job.future

    def end_call(self, future: Future[Any]) -> None:
        """Do not make a call whose result is wanted no more; end its worker if it is being made."""
        if future.cancel() or future.done():
            return
        self._unwanted.append(future)
        with suppress(OSError):
            self._wake.send_bytes(b".")

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls; those begun, and without ``cancel_futures`` those waiting, are finished."""
        self._close("closed", cancel_futures)
        if wait:
            self._thread.join()

    def kill(self) -> None:
        """End every process at once, whatever it is doing; futures that are not done are cancelled."""
        self._close("killed", cancel=True)
        self._thread.join()

    def _close(self, state: str, cancel: bool) -> None:
        with self._lock:
            self._state = state
            if cancel:
                for job in list(self._jobs):
                    job.future.cancel()
        with suppress(OSError):
            self._wake.send_bytes(b".")

    def _supervise(self) -> None:
        """Assign calls, take in results, until there is nothing left to do."""
        if hasattr(signal, "pthread_sigmask"):  # inherited: Ctrl-C is never for a worker
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._work()
        finally:  # whatever happens, every future is settled
            with self._lock:
                self._state = "killed"
            begun = self._busy()
            for worker in self._workers:
                worker.end()
            lost = CrashedError("Ended before it was done.", "")
            self._fail((*begun, *self._suspects, *self._jobs), lost)

    def _work(self) -> None:
        while self._state != "killed":
            self._end_unwanted()
            self._assign()
            if self._state == "closed" and not (self._jobs or self._suspects or self._busy()):
                return
            if self._state == "open" and self._false_starts < FALSE_STARTS:
                self._start(self._ready_at_any_time)
            soonest = min((worker.due for worker in self._workers), default=inf)
            watched = [self._woken, *(part for worker in self._workers for part in worker.watched())]
            wait(watched, None if soonest == inf else max(0.0, soonest - monotonic()))
            while self._woken.poll():
                self._woken.recv_bytes()
            for worker in list(self._workers):
                self._handle(worker)

    def _busy(self) -> list[_Job]:
        return [worker.task for worker in self._workers if worker.task]

    def _end_unwanted(self) -> None:
        """End the workers whose results are wanted no more, and drop what was to be tried again."""
        while self._unwanted:
            future = self._unwanted.popleft()
            for worker in [one for one in self._workers if one.task and one.task.future is future]:
                self._remove(worker)
            for job in [one for one in self._suspects if one.future is future]:
                self._suspects.remove(job)
            if not future.done():
                future.set_exception(CrashedError("Ended before it was done.", ""))

    def _assign(self) -> None:
        """Calls for idle workers; a suspect only when no other call is being made, and none beside it."""
        while self._suspects or self._jobs:
            busy = self._busy()
            alone = self._alone and (bool(self._suspects) or any(job.crashes for job in busy))
            if busy and (alone or len(busy) >= self.count):
                return
            idle = next((worker for worker in self._workers if worker.is_idle), None)
            if idle is None:
                self._start(
                    1 if alone else min(self.count, len(busy) + len(self._suspects) + len(self._jobs))
                )
                return
            job = (self._suspects or self._jobs).popleft()
            if job.future.running() or job.future.set_running_or_notify_cancel():
                idle.assign(job, job.payload, job.seconds)

    def _start(self, wanted: int) -> None:
        """Start workers until there are ``wanted`` of them."""
        while len(self._workers) < wanted:
            try:
                self._workers.append(start_worker(self.prepare, self.start_seconds, self.begin_seconds))
            except Exception as error:  # no memory, or too many processes: fewer will do
                if not self._workers:
                    self._false_starts = FALSE_STARTS
                    self._fail_all(
                        shortage_of(error) or CrashedError(f"No process could be started: {error}.")
                    )
                return

    def _handle(self, worker: Worker[_Job]) -> None:
        """Handle a message of a worker, its death, or its timeout."""
        try:
            message = worker.receive()
        except (EOFError, OSError):
            self._on_death(worker)
            return
        if message is None:
            if worker.deadline <= monotonic():
                self._on_timeout(worker)
            elif worker.is_stopped():
                self._on_death(worker)
        elif message != READY and message[0] is None:
            if worker.task and worker.task.tell:
                worker.task.tell(message[1])
        else:
            self._false_starts = 0
            job = worker.finish()
            if job:
                worked, result = message
                (job.future.set_result if worked else job.future.set_exception)(result)

    def _on_timeout(self, worker: Worker[_Job]) -> None:
        """End a worker that takes too long: for its call, for unpacking it, or for starting."""
        job = self._remove(worker)
        if job and not worker.begun and job.deaths_before < DEATHS_BEFORE:
            job.deaths_before += 1
            self._suspects.append(job)
        elif job:
            late = f"done within {worker.seconds:g} s"
            if not worker.begun:
                late = f"begun within {worker.begin_seconds:g} s"
            job.future.set_exception(GaveUpError(f"Not {late}; its process was ended."))
        else:
            self._note_false_start(f"was not ready within {worker.start_seconds:g} s")

    def _on_death(self, worker: Worker[_Job]) -> None:
        """Try the call of a worker that died, or was stopped, again, or fail it; count those never ready."""
        job = self._remove(worker)
        died = worker.cause_of_death()
        if job:
            job.crashes += worker.begun or job.deaths_before >= DEATHS_BEFORE
            job.deaths_before += not worker.begun
            if job.crashes < 2:
                self._suspects.append(job)
            else:
                job.future.set_exception(CrashedError(f"The process that solved it {died}, twice."))
        elif not worker.ready:
            self._note_false_start(died)

    def _note_false_start(self, what: str) -> None:
        self._false_starts += 1
        if self._false_starts >= FALSE_STARTS:
            self._fail_all(CrashedError(f"No process could be started: it {what} {FALSE_STARTS} times."))

    def _remove(self, worker: Worker[_Job]) -> _Job | None:
        """End a worker; the call it was making."""
        self._workers.remove(worker)
        worker.end()
        return worker.task

    def _fail_all(self, error: CrashedError) -> None:
        """Every call that waits fails."""
        lost = [self._suspects.popleft() for _ in range(len(self._suspects))]
        lost += [self._jobs.popleft() for _ in range(len(self._jobs))]
        self._fail(lost, error)

    @staticmethod
    def _fail(jobs: Iterable[_Job], error: CrashedError) -> None:
        for job in jobs:
            if job.future.running() or job.future.set_running_or_notify_cancel():
                job.future.set_exception(error)


def cores() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


SPARES = 1
"""Processes that step in at once for one that was ended: most calls are ended by a newer one."""


class AsyncPool:
    """``count`` processes at work, and a spare; ``begin_seconds`` as for ``WorkerPool``."""

    def __init__(
        self, count: int, prepare: Prepare | None = None, begin_seconds: float = START_SECONDS
    ) -> None:
        self.count = count
        self._pool = WorkerPool(
            count, prepare=prepare, begin_seconds=begin_seconds, spares=SPARES, alone=False
        )

    async def close(self) -> None:
        """End every process, whatever it is doing."""
        import asyncio

        await asyncio.to_thread(self._pool.kill)

    async def call(self, call: Call, tell: Tell | None = None) -> Any:
        """The result of a call, or its exception; a cancelled call has its process ended.

        What it tells comes before the result, in the event loop. Raises ``GaveUpError`` when time is over and
        ``CrashedError`` when processes die.
        """
        import asyncio

        loop = asyncio.get_running_loop()

        def tell_here(value: Any) -> None:
            if tell:
                loop.call_soon_threadsafe(tell, value)

        future = self._pool.submit_call(call, tell_here)
        waited = asyncio.wrap_future(future)
        try:
            return await asyncio.shield(waited)
        except asyncio.CancelledError:
            self._pool.end_call(future)
            waited.cancel()  # its outcome is of no interest
            raise
