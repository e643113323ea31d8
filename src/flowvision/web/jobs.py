"""Which work is done: not too much of it, none that nobody waits for, the newest of a client first."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from flowvision.value import value_type
from flowvision.web.limits import RefusedError, WebLimits
from flowvision.workers.pool import AsyncPool, Call, Tell


@value_type
class Client:
    """Whose job it is. ``lane``: a newer job in it ends the older one; none, where each is wanted."""

    name: str
    lane: str = ""


@dataclass(slots=True, eq=False)
class _Job:
    client: Client
    task: asyncio.Task[Any]
    superseded: bool = False


class Jobs:
    """The jobs that are waiting or being done."""

    def __init__(self, pool: AsyncPool, limits: WebLimits) -> None:
        self.pool = pool
        self.limits = limits
        self._jobs: list[_Job] = []

    @property
    def count(self) -> int:
        """How many are waiting or being done."""
        return len(self._jobs)

    async def run(self, client: Client, call: Call, tell: Tell | None = None) -> Any:
        """The result of a call; cancelled with its job.

        Raises what the call raises, and ``RefusedError`` when there is too much to do or a newer job of the
        same lane has taken its place.
        """
        for older in list(self._jobs):
            if client.lane and older.client == client:
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
