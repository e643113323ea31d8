"""The near end of a worker: which seconds count, and how it died."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest

from flowvision.workers import worker as worker_module
from flowvision.workers.worker import READY, Job, Worker


class Pipe:
    """A pipe to nobody: what comes out of it is put in by the test."""

    def __init__(self) -> None:
        self.messages = deque[Any]()

    def poll(self) -> bool:
        """Whether there is a message."""
        return bool(self.messages)

    def recv(self) -> Any:
        """The first message."""
        return self.messages.popleft()

    def send_bytes(self, data: bytes) -> None:
        """Take what is sent, and forget it."""


class Process:
    """A process that lives."""

    exitcode: int | None = None

    def is_alive(self) -> bool:
        """Always."""
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, in seconds, to be set by the test."""
    now = [1000.0]
    monkeypatch.setattr(worker_module, "monotonic", lambda: now[0])
    return now


def test_neither_start_nor_idle_time_is_charged_to_a_job(clock: list[float]) -> None:
    """Each job has its own seconds from the moment it is sent."""
    pipe = Pipe()
    worker = Worker(Process(), pipe, 1060.0)  # type: ignore[arg-type]
    clock[0] = 1050.0
    pipe.messages.append(READY)
    assert worker.receive() == READY
    assert worker.finish() is None
    assert worker.deadline == float("inf")
    job, later = Job(b"", 5.0), Job(b"", 7.0)
    worker.assign(job)
    assert worker.deadline == 1055.0
    assert worker.receive() is None
    pipe.messages.append((True, "result"))
    assert worker.receive() == (True, "result")
    assert worker.finish() is job
    assert worker.deadline == float("inf")
    clock[0] = 2000.0
    worker.assign(later)
    assert worker.deadline == 2007.0


def test_a_process_that_is_just_dying_is_waited_for() -> None:
    """Its end of the pipe closes before the system tells how it ended."""

    class Dying(Process):
        def join(self, timeout: float | None = None) -> None:
            """By then it is known."""
            assert timeout is not None
            self.exitcode = -9

    worker = Worker(Dying(), Pipe(), 60.0)  # type: ignore[arg-type]
    assert worker.cause_of_death() == "was ended by SIGKILL"
