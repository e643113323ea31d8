"""One process that makes calls for another: its two ends."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
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


READY, BEGUN = "ready", "begun"
"""What a process says before its results: that it can take calls, and that it has a call at hand."""
START_SECONDS = 120.0
"""No process that is well takes so long to start, or to unpack a call, on however busy a machine."""
DYING_SECONDS = 5.0
"""A process that has closed its pipe is gone in milliseconds; on a busy machine it may take longer."""


@dataclass(slots=True, eq=False)
class Worker(Generic[Task]):
    """The near end: a process, the pipe to it, and the task it has until the ``deadline``.

    A task has its ``seconds`` from the moment on that the process has it unpacked: libraries that are loaded
    on the way there take none of them. For starting and for unpacking there are ``start_seconds``.
    """

    process: BaseProcess
    pipe: Connection
    start_seconds: float = START_SECONDS
    ready: bool = False
    task: Task | None = None
    begun: bool = False
    seconds: float = inf
    deadline: float = field(init=False)

    def __post_init__(self) -> None:
        self.deadline = monotonic() + self.start_seconds

    def watched(self) -> tuple[Any, ...]:
        """What stirs when the worker has something to say, or dies."""
        return self.pipe, self.process.sentinel

    def assign(self, task: Task, payload: bytes, seconds: float) -> None:
        """Have it make a call, a pickled ``(function, args, kwargs)``.

        With a fourth item that is true, the function gets ``tell`` as well: each value it is called with
        comes as a message ``(None, value)`` before the result.
        """
        self.task, self.begun, self.seconds = task, False, seconds
        self.deadline = monotonic() + self.start_seconds
        with suppress(OSError):  # it has died: noticed at once by whoever listens
            self.pipe.send_bytes(payload)

    def receive(self) -> Any:
        """``READY`` or a result, ``None`` while there is neither.

        Raises ``EOFError`` or ``OSError`` when it is dead.
        """
        while self.pipe.poll():
            message = self.pipe.recv()
            if message != BEGUN:
                return message
            self.begun, self.deadline = True, monotonic() + self.seconds
        if not self.process.is_alive() and not self.pipe.poll():
            raise EOFError
        return None

    def finish(self) -> Task | None:
        """Its task is done, or it has just become ready."""
        task, self.task = self.task, None
        self.ready, self.deadline = True, inf
        return task

    @property
    def is_idle(self) -> bool:
        """Whether it can be assigned a task."""
        return self.ready and self.task is None and self.process.is_alive()

    def end(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.join()
        self.pipe.close()

    def cause_of_death(self) -> str:
        """How a dead worker ended, in words."""
        # Its end of the pipe closes before the system tells how it ended.
        self.process.join(DYING_SECONDS)
        code = self.process.exitcode or 0
        if code < 0:
            with suppress(ValueError):
                return f"was ended by {signal.Signals(-code).name}"
        return f"ended with exit code {code}"


def start_worker(prepare: Prepare | None, start_seconds: float = START_SECONDS) -> Worker[Any]:
    """A new process; it says so when it is ready, ``start_seconds`` from now at the latest if it is well."""
    context = get_context("spawn")
    near, far = Pipe()
    process = context.Process(target=_serve, args=(far, prepare), daemon=True)
    process.start()
    far.close()
    return Worker(process, near, start_seconds)


def _serve(pipe: Connection, prepare: Prepare | None) -> None:
    """The far end: make calls until the pipe is closed, which it is when the other process has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tidy = prepare() if prepare else None
    with suppress(EOFError, OSError):
        pipe.send(READY)
        while True:
            payload = pipe.recv_bytes()
            try:
                function, args, kwargs, *telling = ForkingPickler.loads(payload)
                if any(telling):
                    kwargs["tell"] = lambda value: pipe.send_bytes(_pickled((None, value)))
                pipe.send(BEGUN)
                message = True, function(*args, **kwargs)
            except Exception as error:
                message = False, error
            pipe.send_bytes(_pickled(message))
            if tidy:
                tidy()


def _pickled(message: tuple[bool | None, Any]) -> bytes:
    """A message as bytes; what cannot travel is replaced by an error that says so."""
    try:
        data = bytes(ForkingPickler.dumps(message))
        ForkingPickler.loads(data)  # an exception may be pickled and yet not come back
    except Exception:
        return bytes(ForkingPickler.dumps((False, CrashedError(f"Cannot be sent back: {message[1]!r}"))))
    return data
