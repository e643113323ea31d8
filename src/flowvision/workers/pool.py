"""An executor of processes that outlives its workers.

A worker that dies (a fault in native code, out of memory, killed) costs nobody else anything: its call is
made once more with no other beside it, and fails with ``CrashedError`` if that kills its worker too. A call
that takes too long fails with ``GaveUpError``, also within native code: its worker is killed. What a worker
needs to start and to unpack a call counts for nobody.
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

from flowvision.errors import CrashedError, GaveUpError
from flowvision.workers.worker import START_SECONDS, Prepare, Worker, start_worker

P = ParamSpec("P")
T = TypeVar("T")

FALSE_STARTS = 3
"""So many workers in a row that die before they are ready mean that none ever will be."""


@dataclass(slots=True, eq=False)
class Call:
    """A call waiting to be made: pickled, with the future of its result."""

    payload: bytes
    future: Future[Any] = field(default_factory=Future)
    crashes: int = 0


class WorkerPool(Executor):
    """``count`` processes, each making one call at a time, of at most ``seconds``.

    ``prepare`` is called in every new process before its first call, and takes none of its time; what it
    returns is called after every call. A process that is not ready after ``start_seconds`` is not waited for.
    """

    def __init__(
        self,
        count: int,
        seconds: float = inf,
        prepare: Prepare | None = None,
        start_seconds: float = START_SECONDS,
    ) -> None:
        self.count = count
        self.seconds = seconds
        self.prepare = prepare
        self.start_seconds = start_seconds
        self._calls = deque[Call]()
        self._suspects = deque[Call]()
        self._workers: list[Worker[Call]] = []
        self._false_starts = 0
        self._state = "open"
        self._lock = threading.Lock()
        self._woken, self._wake = Pipe(duplex=False)
        self._thread = threading.Thread(target=self._supervise, name="workers", daemon=True)
        self._thread.start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """The future of ``fn(*args, **kwargs)`` in one of the processes."""
        call = Call(bytes(ForkingPickler.dumps((fn, args, kwargs))))
        with self._lock:
            if self._state != "open":
                raise RuntimeError("The workers have been dismissed.")
            self._calls.append(call)
        self._wake.send_bytes(b".")
        return call.future

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
                for call in list(self._calls):
                    call.future.cancel()
        with suppress(OSError):
            self._wake.send_bytes(b".")

    def _supervise(self) -> None:
        """Give out calls, take in results, until there is nothing left to do."""
        if hasattr(signal, "pthread_sigmask"):  # inherited: Ctrl-C is never for a worker
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._work()
        finally:  # whatever happens, nobody is left waiting for a result
            with self._lock:
                self._state = "killed"
            begun = self._busy()
            for worker in self._workers:
                worker.end()
            lost = CrashedError("Ended before it was done.", "")
            self._fail((*begun, *self._suspects, *self._calls), lost)

    def _work(self) -> None:
        while self._state != "killed":
            self._give_out()
            if self._state == "closed" and not (self._calls or self._suspects or self._busy()):
                return
            soonest = min((worker.deadline for worker in self._workers), default=inf)
            watched = [self._woken, *(part for worker in self._workers for part in worker.watched())]
            wait(watched, None if soonest == inf else max(0.0, soonest - monotonic()))
            while self._woken.poll():
                self._woken.recv_bytes()
            for worker in list(self._workers):
                self._attend(worker)

    def _busy(self) -> list[Call]:
        return [worker.task for worker in self._workers if worker.task]

    def _give_out(self) -> None:
        """Calls for idle workers; a suspect only when no other call is being made, and none beside it."""
        while self._suspects or self._calls:
            busy = self._busy()
            alone = bool(self._suspects) or any(call.crashes for call in busy)
            if busy and (alone or len(busy) >= self.count):
                return
            idle = next((worker for worker in self._workers if worker.ready and not worker.task), None)
            if idle is None:
                self._hire(1 if alone else len(busy) + len(self._calls))
                return
            call = (self._suspects or self._calls).popleft()
            if call.crashes or call.future.set_running_or_notify_cancel():
                idle.give(call, call.payload, self.seconds)

    def _hire(self, wanted: int) -> None:
        while len(self._workers) < min(wanted, self.count):
            try:
                self._workers.append(start_worker(self.prepare, self.start_seconds))
            except Exception as error:  # no memory, or too many processes: fewer will do
                if not self._workers:
                    self._despair(f"No process could be started: {error}.")
                return

    def _attend(self, worker: Worker[Call]) -> None:
        """See what became of a worker: a result, its death, or too long a silence."""
        try:
            message = worker.receive()
        except (EOFError, OSError):
            self._mourn(worker)
            return
        if message is not None:
            self._false_starts = 0
            call = worker.rest()
            if call:
                worked, result = message
                (call.future.set_result if worked else call.future.set_exception)(result)
        elif worker.deadline <= monotonic():
            self._give_up_on(worker)

    def _give_up_on(self, worker: Worker[Call]) -> None:
        """A worker takes too long: for its call, for unpacking it, or for starting."""
        call = self._dismiss(worker)
        if call:
            late = f"done within {worker.seconds:g} s"
            if not worker.begun:
                late = f"begun within {worker.start_seconds:g} s"
            call.future.set_exception(GaveUpError(f"Not {late}; its process was ended."))
        else:
            self._note_false_start(f"was not ready within {worker.start_seconds:g} s")

    def _mourn(self, worker: Worker[Call]) -> None:
        """A worker has died: suspect its call, or give up when workers do not even start."""
        call = self._dismiss(worker)
        died = worker.cause_of_death()
        if call:
            call.crashes += 1
            if call.crashes == 1:
                self._suspects.append(call)
            else:
                call.future.set_exception(CrashedError(f"The process that solved it {died}, twice."))
        elif not worker.ready:
            self._note_false_start(died)

    def _note_false_start(self, what: str) -> None:
        self._false_starts += 1
        if self._false_starts >= FALSE_STARTS:
            self._despair(f"No process could be started: it {what} {FALSE_STARTS} times.")

    def _dismiss(self, worker: Worker[Call]) -> Call | None:
        """End a worker; the call it was making."""
        self._workers.remove(worker)
        worker.end()
        return worker.task

    def _despair(self, message: str) -> None:
        lost = [self._suspects.popleft() for _ in range(len(self._suspects))]
        lost += [self._calls.popleft() for _ in range(len(self._calls))]
        self._fail(lost, CrashedError(message))

    @staticmethod
    def _fail(calls: Iterable[Call], error: CrashedError) -> None:
        for call in calls:
            if call.future.running() or call.future.set_running_or_notify_cancel():
                call.future.set_exception(error)


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
