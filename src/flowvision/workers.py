"""A pool of processes that survives its workers.

A call whose worker dies (a crash in native code, out of memory, killed) is made once more, and fails with
``CrashedError`` if that worker is lost too. A call that takes too long fails with ``GaveUpError``, also
within native code: its worker is killed.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import partial
from importlib import import_module
from math import inf
from multiprocessing import current_process, get_context, parent_process
from multiprocessing.connection import Connection, Pipe, wait
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from time import monotonic
from typing import Any, ParamSpec, TypeAlias, TypeVar

from msgspec import Struct

from flowvision.errors import CrashedError, GaveUpError, shortage_of

P = ParamSpec("P")
T = TypeVar("T")
Prepare: TypeAlias = Callable[[], Callable[[], object] | None]
"""Makes a process ready for calls; may return what to do after each of them."""


NAME = "flowvision worker"
READY = "ready"
"""The first message of a process."""
DYING_SECONDS = 5.0
"""Timeout for the exit of a process that has closed its pipe; usually milliseconds."""
PR_SET_PDEATHSIG = 1
"""Option of prctl: the signal that a process gets when its parent dies (Linux)."""

SPARE_SECONDS = 5.0
"""Time beyond a solver's limit to decode, draw and write; covering 40 × 40 cells takes as long."""
START_SECONDS = 120.0
"""Timeout for starting; it takes many seconds on a busy machine."""
UNGUARDED = 99
"""Exit code of a worker that would start workers while it imports the main script."""
GUARD = (
    "Worker processes import this script, so the call that starts them must stand below "
    '`if __name__ == "__main__":`; or do without them: `workers=1`.'
)
FALSE_STARTS = 3
"""Workers in a row that die before they are ready: after that, give up."""


class Job(Future[Any]):
    """A pickled call on its way, as the future of its result.

    ``payload``: the call; ``seconds``: that it may take. ``losses``: workers lost over it. ``unwanted``:
    nothing waits for the result.
    """

    def __init__(self, payload: bytes, seconds: float) -> None:
        super().__init__()
        self.payload = payload
        self.seconds = seconds
        self.losses = 0
        self.unwanted = False

    def begin(self) -> bool:
        """Mark it as running; false when it was cancelled."""
        return self.running() or self.set_running_or_notify_cancel()

    def fail(self, error: Exception) -> None:
        """Set the exception, unless it was cancelled."""
        if self.begin():
            self.set_exception(error)


class Worker(Struct, eq=False):
    """A process, the pipe to it, its job, and the time by which it has to start or finish that.

    ``deadline``: by ``monotonic``. ``ready``: it has sent ``READY``.
    """

    process: BaseProcess
    pipe: Connection
    deadline: float
    ready: bool = False
    job: Job | None = None

    @property
    def is_idle(self) -> bool:
        """Able to take a job."""
        return self.ready and self.job is None and self.process.is_alive()

    def assign(self, job: Job) -> None:
        """Send it a job, and set its deadline."""
        self.job, self.deadline = job, monotonic() + job.seconds
        with suppress(OSError):  # it has died: the supervisor notices at once
            self.pipe.send_bytes(job.payload)

    def cause_of_death(self) -> str:
        """Wait for the end of a process that closed its pipe; name its exit code or signal."""
        self.process.join(DYING_SECONDS)
        code = self.process.exitcode
        if code is None:
            return "closed its pipe"
        if code < 0:
            with suppress(ValueError):
                return f"was ended by {signal.Signals(-code).name}"
        return f"ended with exit code {code}"

    def end(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


class WorkerPool(Executor):
    """``count`` processes, each making one call at a time, of at most ``seconds``.

    ``prepare`` runs in every new process before its first call, and is not charged to it; the function that
    it returns runs after every call. ``spares``: for servers, keep all processes and that many more ready, to
    replace killed ones at once. ``None``, for long runs: start processes on demand, and repeat a call that
    lost its worker while no other call runs.
    """

    def __init__(
        self,
        count: int,
        seconds: float = inf,
        prepare: Prepare | None = None,
        start_seconds: float = START_SECONDS,
        *,
        spares: int | None = None,
    ) -> None:
        if getattr(current_process(), "_inheriting", False):
            os._exit(UNGUARDED)  # a worker that imports the script it belongs to ran into the same call
        self.count = count
        self.seconds = seconds
        self.prepare = prepare
        self.start_seconds = start_seconds
        self.spares = spares
        self._jobs = deque[Job]()
        self._suspects = deque[Job]()  # jobs that lost a worker, to be repeated
        self._workers: list[Worker] = []
        self._false_starts = 0  # workers in a row that died before they were ready
        self._state = "open"  # later "closed": no more calls; or "killed": no more results
        self._lock = threading.Lock()
        self._woken, self._wake = Pipe(duplex=False)  # ends to read from and to write to
        self._thread = threading.Thread(target=self._supervise, name="workers", daemon=True)
        self._thread.start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Return the future of ``fn(*args, **kwargs)`` in one of the processes."""
        return self._submit(partial(fn, *args, **kwargs), self.seconds)

    async def call(self, work: Callable[[], T], seconds: float = inf) -> T:
        """Return what ``work`` returns within these seconds; cancelling it kills its process.

        Raises what it raises, ``GaveUpError`` and ``CrashedError``.
        """
        import asyncio

        future = self._submit(work, seconds)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            self.end_call(future)
            raise

    def _submit(self, work: Callable[[], T], seconds: float) -> Future[T]:
        """Queue work that may take ``seconds``."""
        job = Job(bytes(ForkingPickler.dumps(work)), seconds)
        with self._lock:
            if self._state != "open":
                raise RuntimeError("The workers have been dismissed.")
            self._jobs.append(job)
        self._wake_up()
        return job

    def end_call(self, future: Future[Any]) -> None:
        """Drop a call whose result is unwanted; kill its worker if it is being made."""
        if isinstance(future, Job) and not future.cancel() and not future.done():
            future.unwanted = True
            self._wake_up()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls; finish those begun and, without ``cancel_futures``, those waiting."""
        self._close("closed", cancel_futures)
        if wait:
            self._thread.join()

    def kill(self) -> None:
        """Kill every process; futures that are not done fail or are cancelled."""
        self._close("killed", cancel=True)
        self._thread.join()

    def _close(self, state: str, cancel: bool) -> None:
        """Set the state; ``cancel``: the jobs that wait as well."""
        with self._lock:
            self._state = state
            if cancel:
                for job in list(self._jobs):
                    job.cancel()
        self._wake_up()

    def _wake_up(self) -> None:
        """Have the supervisor look at the state and the jobs again."""
        with suppress(OSError):
            self._wake.send_bytes(b".")

    def _supervise(self) -> None:
        """Assign calls and receive results until there is nothing left to do; settle every future."""
        if hasattr(signal, "pthread_sigmask"):  # inherited: Ctrl-C is never for a worker
            from multiprocessing.resource_tracker import ensure_running

            ensure_running()  # the first process started would start it, and unblock the signal
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            while self._state != "killed" and self._work():
                pass
        finally:
            with self._lock:
                self._state = "killed"
            for worker in self._workers:
                worker.end()
            for job in (*self._busy(), *self._suspects, *self._jobs):
                job.fail(CrashedError("Ended before it was done.", ""))

    def _work(self) -> bool:
        """Assign calls, then handle the next message, death or deadline; false when closed and done."""
        self._end_unwanted()
        self._assign()
        if self._state == "closed" and not (self._jobs or self._suspects or self._busy()):
            return False
        if self.spares is not None and self._state == "open" and self._false_starts < FALSE_STARTS:
            self._start(self.count + self.spares)
        soonest = min((worker.deadline for worker in self._workers), default=inf)
        ends = [end for worker in self._workers for end in (worker.pipe, worker.process.sentinel)]
        wait([self._woken, *ends], None if soonest == inf else max(0.0, soonest - monotonic()))
        while self._woken.poll():
            self._woken.recv_bytes()
        for worker in list(self._workers):
            self._handle(worker)
        return True

    def _busy(self) -> list[Job]:
        """Return the jobs that are being done."""
        return [worker.job for worker in self._workers if worker.job]

    def _end_unwanted(self) -> None:
        """Fail the jobs whose result is unwanted, and end their workers."""
        for job in [job for job in (*self._busy(), *self._suspects) if job.unwanted]:
            for worker in [worker for worker in self._workers if worker.job is job]:
                self._remove(worker)
            if job in self._suspects:
                self._suspects.remove(job)
            job.fail(CrashedError("Ended before it was done.", ""))

    def _assign(self) -> None:
        """Give waiting calls to idle workers; start workers that are missing."""
        while self._suspects or self._jobs:
            busy = self._busy()
            is_repeating = bool(self._suspects) or any(job.losses for job in busy)
            must_be_alone = self.spares is None and is_repeating
            if busy and (must_be_alone or len(busy) >= self.count):
                return
            idle = next((worker for worker in self._workers if worker.is_idle), None)
            if idle is None:
                waiting = len(self._suspects) + len(self._jobs)
                self._start(1 if must_be_alone else min(self.count, len(busy) + waiting))
                return
            job = (self._suspects or self._jobs).popleft()
            if job.begin():
                idle.assign(job)

    def _start(self, number: int) -> None:
        """Start workers until there are this many, or as many as the machine allows; give up without any."""
        while len(self._workers) < number:
            try:
                self._workers.append(start_worker(self.prepare, self.start_seconds))
            except Exception as error:  # no memory, or too many processes: fewer will do
                if not self._workers:
                    self._give_up(shortage_of(error) or CrashedError(f"No process was started: {error}."))
                return

    def _handle(self, worker: Worker) -> None:
        """Settle what a worker has sent, its death, or its deadline; else do nothing.

        It sends ``READY``, then for each call a pair: true and the result, or false and the error.
        """
        is_dead = not worker.process.is_alive()  # before the poll: what it sent last is still received
        try:
            message = worker.pipe.recv() if worker.pipe.poll() else None
        except (EOFError, OSError):
            is_dead, message = True, None
        job = worker.job
        if message is None and is_dead:
            self._on_loss(worker, worker.cause_of_death())
        elif message is None:
            if worker.deadline > monotonic():
                return
            if job is None:
                self._on_loss(worker, f"was not ready within {self.start_seconds:g} s")
            else:
                self._remove(worker)
                job.fail(GaveUpError(f"Not done within {job.seconds:g} s; its process was ended."))
        else:
            worker.job, worker.ready, worker.deadline = None, True, inf
            if message == READY:
                self._false_starts = 0
            elif job:
                is_result, value = message
                (job.set_result if is_result else job.set_exception)(value)

    def _on_loss(self, worker: Worker, cause: str) -> None:
        """Remove a lost worker; repeat its call, or fail it; count workers that were never ready."""
        self._remove(worker)
        if job := worker.job:
            job.losses += 1
            if job.losses < 2:
                self._suspects.append(job)
            else:
                job.fail(CrashedError(f"The process that solved it {cause}, twice."))
        elif not worker.ready and worker.process.exitcode == UNGUARDED:
            self._give_up(RuntimeError(GUARD))
        elif not worker.ready:
            self._false_starts += 1
            if self._false_starts >= FALSE_STARTS:
                hint = "The error that it printed says why."
                self._give_up(CrashedError(f"No process was started: it {cause} {FALSE_STARTS} times.", hint))

    def _remove(self, worker: Worker) -> None:
        """Kill a worker, and forget it."""
        self._workers.remove(worker)
        worker.end()

    def _give_up(self, error: Exception) -> None:
        """Fail all jobs that wait, and start no more spare workers."""
        self._false_starts = FALSE_STARTS
        for queue in (self._suspects, self._jobs):
            while queue:
                queue.popleft().fail(error)


def start_worker(prepare: Prepare | None, seconds: float) -> Worker:
    """Start a process; it sends ``READY``, within these seconds if all is well."""
    ours, theirs = Pipe()
    process = get_context("spawn").Process(target=_serve, args=(theirs, prepare), name=NAME, daemon=True)
    process.start()
    theirs.close()
    return Worker(process, ours, monotonic() + seconds)


def _serve(pipe: Connection, prepare: Prepare | None) -> None:
    """Do the work that arrives through a pipe, in the worker's process, until its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with_parent()
    tidy = prepare() if prepare else None
    with suppress(EOFError, OSError):
        pipe.send(READY)
        while True:
            payload = pipe.recv_bytes()
            try:
                message = True, ForkingPickler.loads(payload)()
            except Exception as error:
                message = False, error
            pipe.send_bytes(_pickled(message))
            if tidy:
                tidy()


def _die_with_parent() -> None:
    """Have this process killed when the thread that started it ends (Linux).

    Elsewhere it ends after its call, when it finds the pipe closed.
    """
    parent = parent_process()
    if sys.platform == "linux" and parent:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent.pid:  # it died before
            os._exit(1)


def _pickled(message: tuple[bool, object]) -> bytes:
    """Return a message as bytes; an error replaces what cannot be pickled or unpickled."""
    try:
        data = bytes(ForkingPickler.dumps(message))
        ForkingPickler.loads(data)  # some exceptions can be pickled but not unpickled
    except Exception:
        return bytes(ForkingPickler.dumps((False, CrashedError(f"Cannot be sent back: {message[1]!r}"))))
    return data


def prepare_worker(modules: Iterable[str], memory_bytes: int | None = None) -> Callable[[], object]:
    """Load what calls need, bound the data of the process (Linux), and leave one thread to OpenCV.

    Returns a function to run after each call: it frees pictures that errors hold.
    """
    import cv2

    for name in modules:
        import_module(name)
    cv2.setNumThreads(1)  # the processes are the threads
    if memory_bytes is not None:
        with suppress(ImportError, OSError, ValueError):
            import resource

            resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    gc.collect()
    gc.freeze()  # what is loaded now stays: the collector need not look through it again
    return gc.collect


def cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
