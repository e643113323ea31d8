"""Processes do jobs, tell how far they are, and can be ended in the middle."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from flowvision.errors import CrashedError, GaveUpError, OddDotsError
from flowvision.workers.pool import AsyncPool, Call
from tests.web.serving import PATIENCE
from tests.workers.calls import die, die_once, nap, refuse_to_start, twice


def counted(numbers: int, tell: Callable[[int], None]) -> str:
    """Work that tells every number."""
    for number in range(numbers):
        tell(number)
    return "done"


def fail_as_usual() -> None:
    """Work that fails as the library does."""
    raise OddDotsError("Found 13 dots.", "Look.")


def with_pool(
    work: Callable[[AsyncPool], Awaitable[Any]], count: int = 1, prepare: Any = None, **how: float
) -> Any:
    """Run ``work`` with a pool that is closed in the end."""

    async def run() -> Any:
        pool = AsyncPool(count, prepare, **how)
        pool.open()
        try:
            async with asyncio.timeout(PATIENCE):
                return await work(pool)
        finally:
            await pool.close()

    return asyncio.run(run())


def test_results_and_errors_come_back() -> None:
    """As they were, with the message and the hint of an error."""

    async def work(pool: AsyncPool) -> None:
        assert await pool.call(Call(twice, (21,))) == 42
        with pytest.raises(OddDotsError) as caught:
            await pool.call(Call(fail_as_usual))
        assert (caught.value.message, caught.value.hint) == ("Found 13 dots.", "Look.")
        assert await pool.call(Call(twice, (2,))) == 4

    with_pool(work)


def test_what_is_told_arrives_in_order() -> None:
    """Before the result."""
    told: list[int] = []

    async def work(pool: AsyncPool) -> str:
        return str(await pool.call(Call(counted, (50,), tells=True), told.append))

    assert with_pool(work) == "done"
    assert told == list(range(50))


def test_a_cancelled_job_ends_its_process() -> None:
    """And the spare does the next one."""

    async def work(pool: AsyncPool) -> None:
        first = await pool.call(Call(os.getpid))
        job = asyncio.create_task(pool.call(Call(nap, (PATIENCE * 10,), PATIENCE * 20)))
        assert pool._pool is not None
        workers = pool._pool._workers
        while not any(worker.begun and worker.task for worker in workers):
            await asyncio.sleep(0.01)
        busy = next(worker.process for worker in workers if worker.task)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        busy.join(PATIENCE)
        assert busy.exitcode == -signal.SIGKILL
        assert await pool.call(Call(twice, (4,))) == 8
        assert first

    with_pool(work)


def test_a_job_beyond_its_time_is_given_up() -> None:
    """Also within native code: its process is ended."""

    async def work(pool: AsyncPool) -> None:
        with pytest.raises(GaveUpError):
            await pool.call(Call(nap, (PATIENCE * 10,), 0.05))
        assert await pool.call(Call(twice, (3,))) == 6

    with_pool(work)


def test_a_process_that_dies_costs_one_more_try(tmp_path: Path) -> None:
    """A job that was killed once is done in the end; one that kills each process is not."""
    mark = str(tmp_path / "mark")

    async def work(pool: AsyncPool) -> None:
        assert await pool.call(Call(die_once, (mark,)))
        with pytest.raises(CrashedError, match="SIGKILL, twice"):
            await pool.call(Call(die))
        assert await pool.call(Call(twice, (5,))) == 10

    with_pool(work)


def test_a_process_that_died_idle_is_replaced() -> None:
    """Nobody notices."""

    async def work(pool: AsyncPool) -> None:
        pids = {await pool.call(Call(os.getpid)) for _ in range(4)}
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        assert await pool.call(Call(twice, (6,))) == 12

    with_pool(work)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="processes are not stopped here")
def test_a_process_that_was_stopped_idle_is_replaced() -> None:
    """Its next call is made by another one, some seconds later."""

    async def work(pool: AsyncPool) -> None:
        stopped = await pool.call(Call(os.getpid))
        os.kill(stopped, signal.SIGSTOP)
        assert {await pool.call(Call(os.getpid)) for _ in range(2)}.isdisjoint({stopped})

    with_pool(work, begin_seconds=5.0)


def test_processes_that_never_start_are_reported() -> None:
    """Rather than waited for."""

    async def work(pool: AsyncPool) -> None:
        with pytest.raises(CrashedError, match="No process could be started"):
            await pool.call(Call(twice, (1,)))

    with_pool(work, prepare=refuse_to_start)


def test_no_more_at_once_than_there_are_places() -> None:
    """The spare is no third worker."""
    running: list[int] = []
    most: list[int] = []

    def told(change: int) -> None:
        running.append(change)
        most.append(sum(running))

    async def work(pool: AsyncPool) -> None:
        await asyncio.gather(*(pool.call(Call(comes_and_goes, tells=True), told) for _ in range(6)))

    with_pool(work, count=2)
    assert max(most) <= 2
    assert sum(running) == 0


def comes_and_goes(tell: Callable[[int], None]) -> None:
    """Work that tells when it begins and ends."""
    tell(1)
    nap(0.05)
    tell(-1)
