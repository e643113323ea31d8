"""Not too much is done at once, and nothing that nobody waits for."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from flowvision.web.app import LOOKS
from flowvision.web.jobs import Client, Jobs, WebLimits, failure_reply
from flowvision.web.queries import RefusedError
from flowvision.workers.pool import Call
from tests.workers.calls import in_own_loop


class FakePool:
    """Does no work until it is let, and notes what was cancelled."""

    count = 2

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.ended: list[str] = []

    async def call(self, call: Call, tell: Any = None) -> str:
        """Wait."""
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.ended.append(call.args[0])
            raise
        return str(call.args[0])


def job(name: str) -> Call:
    """Some work with a name."""
    return Call(print, (name,))


async def begun(jobs: Jobs, client: Client, name: str) -> asyncio.Task[Any]:
    """A job that waits to be done."""
    task = asyncio.create_task(jobs.run(client, job(name)))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return task


def test_a_newer_job_of_a_lane_ends_the_older_one() -> None:
    """Of the same client and the same lane alone."""

    async def work() -> None:
        pool = FakePool()
        jobs = Jobs(pool, WebLimits())  # type: ignore[arg-type]
        old = await begun(jobs, Client("a", "puzzle"), "old")
        other_lane = await begun(jobs, Client("a", "picture"), "other lane")
        other_client = await begun(jobs, Client("b", "puzzle"), "other client")
        new = await begun(jobs, Client("a", "puzzle"), "new")
        with pytest.raises(RefusedError) as caught:
            await old
        assert (caught.value.status, caught.value.code) == (409, "superseded")
        pool.gate.set()
        assert await asyncio.gather(other_lane, other_client, new) == ["other lane", "other client", "new"]
        assert pool.ended == ["old"]
        assert jobs.count == 0

    in_own_loop(work)


def test_a_new_picture_ends_work_on_the_old_one() -> None:
    """A tab that shows stages and a search has room for another picture; what it saves is saved."""

    async def work() -> None:
        pool = FakePool()
        jobs = Jobs(pool, WebLimits(jobs_per_client=3))  # type: ignore[arg-type]
        stages, search, saved = [
            await begun(jobs, Client("a", lane), lane) for lane in ("stage", "search", "file")
        ]
        picture = await begun(jobs, Client("a", "picture", LOOKS), "picture")
        for old in (stages, search):
            with pytest.raises(RefusedError) as caught:
                await old
            assert caught.value.code == "superseded"
        pool.gate.set()
        assert await asyncio.gather(saved, picture) == ["file", "picture"]
        assert sorted(pool.ended) == ["search", "stage"]

    in_own_loop(work)


def test_without_a_tab_no_job_ends_another() -> None:
    """A script may ask for several at once."""

    async def work() -> None:
        pool = FakePool()
        jobs = Jobs(pool, WebLimits())  # type: ignore[arg-type]
        running = [await begun(jobs, Client("a", "", LOOKS), name) for name in "xy"]
        pool.gate.set()
        assert await asyncio.gather(*running) == ["x", "y"]

    in_own_loop(work)


def test_a_client_has_few_jobs_at_a_time() -> None:
    """The third is refused, and taken once one is done."""

    async def work() -> None:
        pool = FakePool()
        jobs = Jobs(pool, WebLimits(jobs_per_client=2))  # type: ignore[arg-type]
        running = [await begun(jobs, Client("a"), name) for name in "xy"]
        with pytest.raises(RefusedError) as caught:
            await jobs.run(Client("a"), job("z"))
        assert caught.value.status == 429
        assert failure_reply(caught.value).headers["retry-after"] == "1"
        pool.gate.set()
        await asyncio.gather(*running)
        assert await jobs.run(Client("a"), job("z")) == "z"

    in_own_loop(work)


def test_no_more_wait_than_may() -> None:
    """Whoever they are."""

    async def work() -> None:
        pool = FakePool()
        jobs = Jobs(pool, WebLimits(waiting=3))  # type: ignore[arg-type]
        running = [await begun(jobs, Client(str(n)), str(n)) for n in range(5)]
        with pytest.raises(RefusedError) as caught:
            await jobs.run(Client("late"), job("late"))
        assert caught.value.status == 429
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        assert sorted(pool.ended) == ["0", "1", "2", "3", "4"]
        assert jobs.count == 0

    in_own_loop(work)
