"""The pool of processes for programs that run in an event loop."""

from __future__ import annotations

import asyncio
from typing import Any

from flowvision.workers.pool import Call, Tell, WorkerPool
from flowvision.workers.worker import Prepare

SPARES = 1
"""Processes that step in at once for one that was ended: most calls are ended by a newer one."""


class AsyncPool:
    """``count`` processes at work, and a spare."""

    def __init__(self, count: int, prepare: Prepare | None = None) -> None:
        self.count = count
        self._prepare = prepare
        self._pool: WorkerPool | None = None

    def open(self) -> None:
        """Begin to start the processes; calls may be made at once."""
        self._pool = WorkerPool(self.count, prepare=self._prepare, spares=SPARES, alone=False)

    async def close(self) -> None:
        """End every process, whatever it is doing."""
        if self._pool is not None:
            await asyncio.to_thread(self._pool.kill)

    async def call(self, call: Call, tell: Tell | None = None) -> Any:
        """The result of a call, or its exception; a cancelled call has its process ended.

        What it tells comes before the result, in the event loop. Raises ``GaveUpError`` when time is over and
        ``CrashedError`` when processes die.
        """
        assert self._pool is not None
        loop = asyncio.get_running_loop()

        def tell_here(value: Any) -> None:
            if tell:
                loop.call_soon_threadsafe(tell, value)

        future = self._pool.submit_call(call, tell_here)
        try:
            return await asyncio.shield(asyncio.wrap_future(future))
        except asyncio.CancelledError:
            self._pool.end_call(future)
            raise
