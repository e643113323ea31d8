"""The near end of a worker: which of its tasks' seconds count."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest

from flowvision.workers import worker as worker_module
from flowvision.workers.worker import BEGUN, READY, Worker


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


def test_the_seconds_of_a_task_run_from_when_it_is_unpacked(clock: list[float]) -> None:
    """Neither the start of the process nor the way of the task to it counts; nor does anything after it."""
    pipe = Pipe()
    worker: Worker[str] = Worker(Process(), pipe, 60.0, begin_seconds=60.0)  # type: ignore[arg-type]
    assert worker.deadline == 1060.0
    clock[0] = 1050.0
    pipe.messages.append(READY)
    assert worker.receive() == READY
    assert worker.finish() is None
    assert worker.deadline == float("inf")
    worker.assign("task", b"", 5.0)
    assert (worker.begun, worker.deadline) == (False, 1110.0)
    assert worker.receive() is None
    clock[0] = 1100.0
    pipe.messages.append(BEGUN)
    assert worker.receive() is None
    assert (worker.begun, worker.deadline) == (True, 1105.0)
    pipe.messages.append((True, "result"))
    assert worker.receive() == (True, "result")
    assert worker.finish() == "task"
    assert worker.deadline == float("inf")
    worker.assign("next", b"", 5.0)
    assert (worker.begun, worker.deadline) == (False, 1160.0)


def test_a_result_that_is_there_is_received_at_once(clock: list[float]) -> None:
    """However late: it is not lost behind the word that its task was begun."""
    pipe = Pipe()
    worker: Worker[str] = Worker(Process(), pipe)  # type: ignore[arg-type]
    worker.assign("task", b"", 5.0)
    clock[0] += 10_000.0
    pipe.messages.extend((BEGUN, (False, "error")))
    assert worker.receive() == (False, "error")


def test_a_process_that_is_just_dying_is_waited_for() -> None:
    """Its end of the pipe closes before the system tells how it ended."""

    class Dying(Process):
        def join(self, timeout: float | None = None) -> None:
            """By then it is known."""
            assert timeout is not None
            self.exitcode = -9

    worker: Worker[str] = Worker(Dying(), Pipe(), start_seconds=60.0)  # type: ignore[arg-type]
    assert worker.cause_of_death() == "was ended by SIGKILL"
