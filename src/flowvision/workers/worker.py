"""One process that makes calls for another: its two ends."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from multiprocessing import get_context
from multiprocessing.connection import Connection, Pipe
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from time import monotonic
from typing import Any, Generic, TypeVar

from flowvision.errors import CrashedError

Task = TypeVar("Task")
Prepare = Callable[[], Callable[[], object] | None]
"""Makes a process ready for calls; it may return what is to be done after each of them."""


@dataclass(slots=True, eq=False)
class Worker(Generic[Task]):
    """The near end: a process, the pipe to it, and the task it has until the ``deadline``."""

    process: BaseProcess
    pipe: Connection
    ready: bool = False
    task: Task | None = None
    deadline: float = inf

    def watched(self) -> tuple[Any, ...]:
        """What stirs when the worker has something to say, or dies."""
        return self.pipe, self.process.sentinel

    def give(self, task: Task, payload: bytes, seconds: float) -> None:
        """Have it make a call, a pickled ``(function, args, kwargs)``."""
        self.task = task
        self.deadline = monotonic() + seconds
        with suppress(OSError):  # it has died: noticed at once by whoever listens
            self.pipe.send_bytes(payload)

    def receive(self) -> Any:
        """Its message, ``None`` while there is none. Raises ``EOFError`` or ``OSError`` when it is dead."""
        if self.pipe.poll():
            return self.pipe.recv()
        if not self.process.is_alive() and not self.pipe.poll():
            raise EOFError
        return None

    def rest(self) -> Task | None:
        """Its task is done, or it has just become ready."""
        task, self.task = self.task, None
        self.ready, self.deadline = True, inf
        return task

    def end(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.join()
        self.pipe.close()

    def cause_of_death(self) -> str:
        """How a dead worker ended, in words."""
        code = self.process.exitcode or 0
        if code < 0:
            with suppress(ValueError):
                return f"was ended by {signal.Signals(-code).name}"
        return f"ended with exit code {code}"


def start_worker(prepare: Prepare | None) -> Worker[Any]:
    """A new process; it says so when it is ready."""
    context = get_context("spawn")
    near, far = Pipe()
    process = context.Process(target=_serve, args=(far, prepare), daemon=True)
    process.start()
    far.close()
    return Worker(process, near)


def _serve(pipe: Connection, prepare: Prepare | None) -> None:
    """The far end: make calls until the pipe is closed, which it is when the other process has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tidy = prepare() if prepare else None
    with suppress(EOFError, OSError):
        pipe.send("ready")
        while True:
            payload = pipe.recv_bytes()
            try:
                function, args, kwargs = ForkingPickler.loads(payload)
                message = True, function(*args, **kwargs)
            except Exception as error:
                message = False, error
            pipe.send_bytes(_pickled(message))
            if tidy:
                tidy()


def _pickled(message: tuple[bool, Any]) -> bytes:
    """A message as bytes; what cannot travel is replaced by an error that says so."""
    try:
        data = bytes(ForkingPickler.dumps(message))
        ForkingPickler.loads(data)  # an exception may be pickled and yet not come back
    except Exception:
        return bytes(ForkingPickler.dumps((False, CrashedError(f"Cannot be sent back: {message[1]!r}"))))
    return data
