"""A process that makes calls for another one: the object that controls it, and its main loop."""

from __future__ import annotations

import os
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
"""Messages before results: the process can take calls; it has unpacked a call."""
START_SECONDS = 120.0
"""Timeout for starting, and for unpacking a call; on a busy machine both may take many seconds."""
LOOK_SECONDS = 1.0
"""Between two looks at whether a process that works was stopped."""
FIRST_LOOK = 0.0 if hasattr(os, "waitid") else inf
"""Not every system tells that a process was stopped: Linux does, macOS from Python 3.13 on."""
DYING_SECONDS = 5.0
"""Timeout for the exit of a process that has closed its pipe; usually milliseconds."""


@dataclass(slots=True, eq=False)
class Worker(Generic[Task]):
    """A process, the pipe to it, and its task, which ends at the ``deadline``.

    A task has its ``seconds`` from the moment on that the process has it unpacked: libraries that are loaded
    on the way there take none of them. For starting there are ``start_seconds``, for unpacking
    ``begin_seconds``.
    """

    process: BaseProcess
    pipe: Connection
    start_seconds: float = START_SECONDS
    begin_seconds: float = START_SECONDS
    ready: bool = False
    task: Task | None = None
    begun: bool = False
    seconds: float = inf
    deadline: float = field(init=False)
    next_look: float = FIRST_LOOK
    stops_seen: int = 0

    def __post_init__(self) -> None:
        self.deadline = monotonic() + self.start_seconds

    def watched(self) -> tuple[Any, ...]:
        """Objects to wait for: they become ready when the worker sends a message, or dies."""
        return self.pipe, self.process.sentinel

    def assign(self, task: Task, payload: bytes, seconds: float) -> None:
        """Have it make a call, a pickled ``(function, args, kwargs)``.

        With a fourth item that is true, the function gets ``tell`` as well: each value it is called with
        comes as a message ``(None, value)`` before the result.
        """
        self.task, self.begun, self.seconds = task, False, seconds
        self.deadline = monotonic() + self.begin_seconds
        with suppress(OSError):  # it has died: the supervisor notices at once
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

    @property
    def due(self) -> float:
        """When to look at it: at its deadline, or to see whether it was stopped; never while it is idle."""
        return inf if self.ready and self.task is None else min(self.deadline, self.next_look)

    def is_stopped(self) -> bool:
        """Whether it was found stopped (SIGSTOP) twice, ``LOOK_SECONDS`` apart; one that is slow never is.

        Ctrl-Z stops this process as well, and when both go on this one may be the first.
        """
        if self.next_look > monotonic():
            return False
        self.next_look = monotonic() + LOOK_SECONDS
        with suppress(ChildProcessError):
            pid = self.process.pid or 0
            told = os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT)
            self.stops_seen = self.stops_seen + 1 if told else 0
        return self.stops_seen > 1

    def finish(self) -> Task | None:
        """Note that its task is done, or that it has just become ready; the task."""
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
        """The exit code or signal of a dead worker, in words; that it was stopped."""
        if self.stops_seen > 1:
            return "was stopped"
        # Its end of the pipe closes before the system tells how it ended.
        self.process.join(DYING_SECONDS)
        code = self.process.exitcode or 0
        if code < 0:
            with suppress(ValueError):
                return f"was ended by {signal.Signals(-code).name}"
        return f"ended with exit code {code}"


def start_worker(
    prepare: Prepare | None, start_seconds: float = START_SECONDS, begin_seconds: float = START_SECONDS
) -> Worker[Any]:
    """A new process; it says so when it is ready, ``start_seconds`` from now at the latest if it is well."""
    context = get_context("spawn")
    near, far = Pipe()
    process = context.Process(target=_serve, args=(far, prepare), daemon=True)
    process.start()
    far.close()
    return Worker(process, near, start_seconds, begin_seconds)


def _serve(pipe: Connection, prepare: Prepare | None) -> None:
    """Main loop of the process: make calls until the pipe is closed or the other process exits."""
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
