"""A bounded queue of jobs; the newest request of a client wins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse

from flowvision.contract import error_object
from flowvision.errors import CrashedError, FlowvisionError, shortage_of
from flowvision.web.queries import RefusedError
from flowvision.web.written import PAGE
from flowvision.workers.pool import WorkerPool

Work = Callable[[], Any]


class WebLimits(Struct, frozen=True):
    """Limits in bytes, seconds and numbers."""

    picture_bytes: int = 32 << 20
    text_bytes: int = 256 << 10
    """A board of 250 × 250 cells in text form has a quarter of it."""
    workers: int = 2
    waiting: int = 8
    """Jobs that may wait for a worker."""
    jobs_per_client: int = 2
    picture_seconds: float = 30.0
    puzzle_seconds: float = 10.0
    memory_bytes: int = 3 << 30
    """Data of one worker, where the system can bound it."""
    connections: int = 64
    """Open connections; beyond them, those that wait longest for a request are closed."""
    idle_seconds: float = 10.0
    """Until a new connection, or one after an answer, has sent the headers of a request."""
    body_seconds: float = 60.0
    code_seconds: float = 1.0
    """For the body of a request without a key."""


STOPPED = RefusedError(503, "stopped", "Flowvision was stopped.", "Start `flowvision web` again.")


def failure_reply(error: BaseException, name: str = "") -> JSONResponse:
    """Return the HTTP answer for an error; a bug in a worker is named only by its kind.

    422: cannot be read or solved. 500: a fault of Flowvision. 503: the server ends.
    """
    if isinstance(error, asyncio.CancelledError):
        error = STOPPED
    if isinstance(error, RefusedError):
        body = {"code": error.code, "message": error.message, "hint": error.hint}
        headers = {"Retry-After": "1"} if error.status == 429 else None
        return JSONResponse({"ok": False, "error": body}, error.status, headers)
    if not isinstance(error, FlowvisionError):
        error = shortage_of(error) or CrashedError(f"{type(error).__name__} in a worker.")
    described = error_object(name, error)
    described["error"] |= PAGE.error_object(error)
    return JSONResponse(described, 500 if isinstance(error, CrashedError) else 422)


LOOKS = frozenset({"stages", "puzzle", "hint", "search", "solutions", "generate"})
"""Work on the board that a tab shows: useless once it reads another picture."""


class Client(Struct, frozen=True):
    """The client of a job. ``lane``: a newer job in it ends the older one; without a lane, none is ended."""

    name: str
    lane: str = ""

    def replaces(self, other: Client) -> bool:
        """Tell if a job of this client ends one of another."""
        is_ended = other.lane == self.lane or (self.lane == "solve" and other.lane in LOOKS)
        return self.name == other.name and bool(self.lane) and is_ended


class Jobs:
    """The jobs that wait or are being done."""

    def __init__(self, pool: WorkerPool, limits: WebLimits) -> None:
        self.pool = pool
        self.limits = limits
        self._jobs: dict[asyncio.Task[Any], Client] = {}

    @property
    def count(self) -> int:
        """Number of jobs."""
        return len(self._jobs)

    async def answer(self, request: Request, client: Client, work: Work, seconds: float) -> Any:
        """Return the result of work; end it when the client disconnects. Raises what ``run`` raises."""

        async def until_gone() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass

        job = asyncio.ensure_future(self.run(client, work, seconds))
        gone = asyncio.ensure_future(until_gone())
        try:
            await asyncio.wait({job, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not job.done():
                raise RefusedError(400, "gone", "The client has disconnected.")
            return job.result()
        finally:
            for task in (job, gone):
                task.cancel()
                with suppress(BaseException):
                    await task

    async def run(self, client: Client, work: Work, seconds: float) -> Any:
        """Return the result of work.

        Raises what that raises, and ``RefusedError`` if too many jobs wait or a newer job has
        replaced it.
        """
        for older in [job for job, other in self._jobs.items() if client.replaces(other)]:
            del self._jobs[older]
            older.cancel()
        if sum(other.name == client.name for other in self._jobs.values()) >= self.limits.jobs_per_client:
            raise _busy("You have too many jobs running.")
        if len(self._jobs) >= self.pool.count + self.limits.waiting:
            raise _busy("Too many jobs are waiting.")
        job = asyncio.current_task()
        assert job is not None, "coroutines run in tasks"
        self._jobs[job] = client
        try:
            return await self.pool.call(work, seconds)
        except asyncio.CancelledError:
            if job not in self._jobs:
                raise RefusedError(409, "superseded", "A newer request has replaced this one.") from None
            raise
        finally:
            self._jobs.pop(job, None)


def _busy(message: str) -> RefusedError:
    return RefusedError(429, "busy", message, "Try again in a second.")
