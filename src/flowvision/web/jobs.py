"""Which work is done: within limits, none that nobody waits for, the newest of a client first."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from starlette.responses import JSONResponse

from flowvision.contract import error_object
from flowvision.errors import CrashedError, FlowvisionError
from flowvision.value import value_type
from flowvision.workers.pool import Call, WorkerPool
from flowvision.workers.worker import Tell


@value_type
class WebLimits:
    """Bytes, seconds and numbers that nobody may exceed."""

    picture_bytes: int = 32 << 20
    """Largest picture: ten times a phone's screenshot."""
    text_bytes: int = 256 << 10
    """Largest body of any other kind: a board of 250 × 250 cells in text form has a quarter of it."""
    workers: int = 2
    """Jobs done at the same time; one more process waits to step in for one that was ended."""
    waiting: int = 8
    """Jobs that may wait for a worker."""
    jobs_per_client: int = 2
    """Jobs of one client, waiting or not."""
    picture_seconds: float = 30.0
    """For a picture, unless a shorter time is asked for."""
    puzzle_seconds: float = 10.0
    """For a puzzle, likewise."""
    memory_bytes: int = 3 << 30
    """Data that one worker may have, where the system can bound it."""
    connections: int = 64
    """Open at the same time, half of them from one address."""
    header_seconds: float = 10.0
    """From the opening of a connection, or the first byte of a request, to the end of its headers."""
    body_seconds: float = 60.0
    """For the body of a request."""
    idle_seconds: int = 15
    """Between two requests on one connection."""


class RefusedError(Exception):
    """A request that is not answered: HTTP ``status``, a code of its own, a message and a hint."""

    def __init__(self, status: int, code: str, message: str, hint: str = "") -> None:
        super().__init__(status, code, message, hint)
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint

    @property
    def described(self) -> dict[str, Any]:
        """The object that is answered, in the form of the contract's errors."""
        return {"ok": False, "error": {"code": self.code, "message": self.message, "hint": self.hint}}

    def response(self) -> JSONResponse:
        """The whole answer."""
        headers = {"Retry-After": "1"} if self.status == 429 else None
        return JSONResponse(self.described, self.status, headers)


def failure(error: FlowvisionError, name: str) -> JSONResponse:
    """The answer for an error: 422 for what cannot be read or solved, 500 for a fault of Flowvision."""
    return JSONResponse(error_object(name, error), 500 if isinstance(error, CrashedError) else 422)


@value_type
class Client:
    """Whose job it is. ``lane``: a newer job in it ends the older one; none, where each is wanted.

    ``ends``: the other lanes of the same client whose jobs this one ends, for nobody waits for them any more.
    """

    name: str
    lane: str = ""
    ends: frozenset[str] = frozenset()

    def replaces(self, other: Client) -> bool:
        """Whether a job of this client ends one of another."""
        is_ended = other.lane == self.lane or other.lane in self.ends
        return self.name == other.name and bool(self.lane) and is_ended


@dataclass(slots=True, eq=False)
class _Job:
    client: Client
    task: asyncio.Task[Any]
    superseded: bool = False


class Jobs:
    """The jobs that are waiting or being done."""

    def __init__(self, pool: WorkerPool, limits: WebLimits) -> None:
        self.pool = pool
        self.limits = limits
        self._jobs: list[_Job] = []

    @property
    def count(self) -> int:
        """How many are waiting or being done."""
        return len(self._jobs)

    async def run(self, client: Client, call: Call, tell: Tell | None = None) -> Any:
        """The result of a call; cancelled with its job.

        Raises what the call raises, and ``RefusedError`` when there is too much to do or a newer job has
        taken its place.
        """
        for older in list(self._jobs):
            if client.replaces(older.client):
                older.superseded = True
                older.task.cancel()
                self._jobs.remove(older)
        if sum(job.client.name == client.name for job in self._jobs) >= self.limits.jobs_per_client:
            raise _busy("You have as many jobs here as one client may.")
        if len(self._jobs) >= self.pool.count + self.limits.waiting:
            raise _busy("There is more to do here than may wait.")
        job = _Job(client, asyncio.ensure_future(self.pool.call(call, tell)))
        self._jobs.append(job)
        try:
            return await job.task
        except asyncio.CancelledError:
            if job.superseded:
                raise RefusedError(
                    409, "superseded", "A newer request has taken the place of this one."
                ) from None
            job.task.cancel()
            raise
        finally:
            if job in self._jobs:
                self._jobs.remove(job)


def _busy(message: str) -> RefusedError:
    return RefusedError(429, "busy", message, "Try again in a second.")
