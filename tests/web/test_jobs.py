import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from flowvision.errors import CrashedError, PuzzleInvalidError
from flowvision.web.app import Client, Jobs, WebLimits
from flowvision.web.queries import RefusedError, failure_reply
from tests.workers.calls import in_own_loop


class FakePool:
    """Does no work until it is let, and notes what was cancelled."""

    count = 2

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.ended: list[str] = []

    async def call(self, work: partial[Any], seconds: float) -> str:
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.ended.append(work.args[0])
            raise
        return str(work.args[0])


def with_jobs(work: Callable[[Jobs, FakePool], Awaitable[None]], **limits: int) -> None:
    async def run() -> None:
        pool = FakePool()
        await work(Jobs(pool, WebLimits(**limits)), pool)

    in_own_loop(run)


async def begun(jobs: Jobs, client: Client, name: str) -> asyncio.Task[Any]:
    task = asyncio.create_task(jobs.run(client, partial(print, name), 1.0))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return task


async def refused(task: Awaitable[Any]) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        await task
    return caught.value


def test_a_newer_job_of_a_lane_ends_the_older_one() -> None:
    async def work(jobs: Jobs, pool: FakePool) -> None:
        old = await begun(jobs, Client("a", "puzzle"), "old")
        file = await begun(jobs, Client("a", "file"), "file")
        other = await begun(jobs, Client("b", "puzzle"), "other client")
        new = await begun(jobs, Client("a", "puzzle"), "new")
        superseded = await refused(old)
        assert (superseded.status, superseded.code) == (409, "superseded")
        picture = await begun(jobs, Client("a", "solve"), "picture")
        assert (await refused(new)).code == "superseded"
        scripts = [await begun(jobs, Client("c"), name) for name in "xy"]
        pool.gate.set()
        done = await asyncio.gather(file, other, picture, *scripts)
        assert done == ["file", "other client", "picture", "x", "y"]
        assert pool.ended == ["old", "new"]
        assert jobs.count == 0

    with_jobs(work)


def test_a_client_has_few_jobs_and_few_wait() -> None:
    async def work(jobs: Jobs, pool: FakePool) -> None:
        running = [await begun(jobs, Client("a"), name) for name in "xy"]
        third = await refused(await begun(jobs, Client("a"), "z"))
        assert third.status == 429
        assert failure_reply(third).headers["retry-after"] == "1"
        running += [await begun(jobs, Client(str(n)), str(n)) for n in range(3)]
        assert (await refused(await begun(jobs, Client("late"), "late"))).status == 429
        running.pop().cancel()
        await asyncio.sleep(0)
        pool.gate.set()
        assert await asyncio.gather(*running) == ["x", "y", "0", "1"]
        assert pool.ended == ["2"]
        assert await jobs.run(Client("a"), partial(print, "z"), 1.0) == "z"
        assert jobs.count == 0

    with_jobs(work, waiting=3)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (PuzzleInvalidError("No dots.", ""), 422, "puzzle-invalid"),
        (CrashedError("A bug."), 500, "crashed"),
        (KeyError("key"), 500, "crashed"),
        (asyncio.CancelledError(), 503, "stopped"),
    ],
)
def test_a_failure_has_the_status_of_who_is_to_blame(error: BaseException, status: int, code: str) -> None:
    reply = failure_reply(error)
    assert reply.status_code == status
    assert json.loads(bytes(reply.body))["error"]["code"] == code
