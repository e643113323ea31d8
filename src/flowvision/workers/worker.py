"""One worker: the object that controls the process, and the main loop in it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, Pipe
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from time import monotonic
from typing import Any, TypeAlias

from flowvision.errors import CrashedError

Prepare: TypeAlias = Callable[[], Callable[[], object] | None]
"""Makes a process ready for calls; may return what to do after each of them."""

NAME = "flowvision worker"
READY = "ready"
"""The first message of a process."""
DYING_SECONDS = 5.0
"""Timeout for the exit of a process that has closed its pipe; usually milliseconds."""
PR_SET_PDEATHSIG = 1
"""Option of prctl: the signal that a process gets when its parent dies (Linux)."""


class Job(Future[Any]):
    """A pickled call on its way, as the future of its result.

    ``losses``: workers lost over it. ``unwanted``: nothing waits for the result.
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


@dataclass(slots=True, eq=False)
class Worker:
    """A process, the pipe to it, its job, and the time by which it has to start or finish that."""

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
        """Send it a job."""
        self.job, self.deadline = job, monotonic() + job.seconds
        with suppress(OSError):  # it has died: the supervisor notices at once
            self.pipe.send_bytes(job.payload)

    def receive(self) -> Any:
        """Return the next message, or ``None``.

        Raises ``EOFError`` or ``OSError`` when the process is dead.
        """
        if self.pipe.poll():
            return self.pipe.recv()
        if not self.process.is_alive() and not self.pipe.poll():
            raise EOFError
        return None

    def finish(self) -> Job | None:
        """Note that it is ready for the next job; return the one it has done."""
        job, self.job = self.job, None
        self.ready, self.deadline = True, inf
        return job

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


def start_worker(prepare: Prepare | None, seconds: float) -> Worker:
    """Start a process; it sends ``READY``, within these seconds if all is well."""
    near, far = Pipe()
    process = get_context("spawn").Process(target=_serve, args=(far, prepare), name=NAME, daemon=True)
    process.start()
    far.close()
    return Worker(process, near, monotonic() + seconds)


def _serve(pipe: Connection, prepare: Prepare | None) -> None:
    """Make calls until the pipe is closed or the parent exits."""
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
    """Have this process killed when its parent dies (Linux).

    Elsewhere it ends after its call, when it finds the pipe closed. Linux counts the end of the thread that
    started the process: the supervisor of the pool, which lives as long as its workers.
    """
    parent = parent_process()
    if sys.platform == "linux" and parent:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent.pid:  # it died before
            os._exit(1)


def _pickled(message: tuple[bool, Any]) -> bytes:
    """Return a message as bytes; an error replaces what cannot be pickled or unpickled."""
    try:
        data = bytes(ForkingPickler.dumps(message))
        ForkingPickler.loads(data)  # some exceptions can be pickled but not unpickled
    except Exception:
        return bytes(ForkingPickler.dumps((False, CrashedError(f"Cannot be sent back: {message[1]!r}"))))
    return data
