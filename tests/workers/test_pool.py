import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from flowvision.errors import CrashedError, GaveUpError, OddDotsError
from flowvision.workers import pool as pool_module
from flowvision.workers.pool import Worker, WorkerPool, cores
from tests.commands import PATIENCE, ROOT, posix_only, until
from tests.workers import calls as work
from tests.workers.calls import in_own_loop, nap, twice


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    pool = WorkerPool(2)
    yield pool
    pool.kill()


def _pid(_: int) -> int:
    return os.getpid()


def test_it_is_an_executor(pool: WorkerPool) -> None:
    assert list(pool.map(twice, range(20))) == list(range(0, 40, 2))
    assert os.getpid() not in set(pool.map(_pid, range(8)))
    assert len(set(pool.map(_pid, range(8)))) <= len(pool._workers) <= 2
    with pytest.raises(ZeroDivisionError):
        pool.submit(divmod, 1, 0).result()
    with pytest.raises(CrashedError, match=r"exit code 3, twice"):
        pool.submit(sys.exit, 3).result(PATIENCE)
    with pytest.raises(CrashedError, match="Odd"):
        pool.submit(work.fail_oddly).result(PATIENCE)
    with pytest.raises(Exception, match=r"pickle|local"):
        pool.submit(lambda: None)


@posix_only
def test_a_worker_that_dies_costs_its_call_at_most(pool: WorkerPool, tmp_path: Path) -> None:
    """Calls that die only beside others (out of memory) succeed in the end."""
    before = [pool.submit(twice, number) for number in range(10)]
    fatal = pool.submit(work.die_noted, str(tmp_path / "deaths"))
    once = pool.submit(work.die_once, str(tmp_path / "mark"))
    after = [pool.submit(twice, number) for number in range(10)]
    assert [one.result(PATIENCE) for one in (*before, *after)] == 2 * list(range(0, 20, 2))
    with pytest.raises(CrashedError, match=r"SIGKILL.*twice"):
        fatal.result(PATIENCE)
    assert (tmp_path / "deaths").read_text() == ".."
    assert once.result(PATIENCE) != os.getpid()
    (tmp_path / "beside").mkdir()
    calls = [pool.submit(work.die_beside, str(tmp_path / "beside"), name) for name in "abc"]
    assert [call.result(PATIENCE) for call in calls] == ["a", "b", "c"]


@posix_only
def test_the_time_limit_holds_in_native_code_and_only_for_calls() -> None:
    with WorkerPool(1, seconds=2, prepare=partial(time.sleep, 3)) as pool:
        assert pool.submit(twice, 3).result(PATIENCE) == 6
        time.sleep(2.1)
        hung = pool.submit(work.hang_in_native_code)
        quick = pool.submit(twice, 1)
        with pytest.raises(GaveUpError, match=r"done within 2 s"):
            hung.result(PATIENCE)
        assert quick.result(PATIENCE) == 2


@pytest.mark.parametrize(
    ("prepare", "seconds", "words"),
    [
        (work.never_done, 0.5, r"not ready within 0\.5 s 3 times"),
        (partial(os._exit, 3), 120, "code 3 3 times"),
    ],
)
def test_workers_that_never_start_are_given_up(prepare: Any, seconds: float, words: str) -> None:
    with WorkerPool(1, prepare=prepare, start_seconds=seconds) as pool:
        for call in [pool.submit(twice, number) for number in range(3)]:
            with pytest.raises(CrashedError, match=words):
                call.result(PATIENCE)


PARENT = """
import sys
from flowvision.workers.pool import WorkerPool
from tests.workers.calls import stay_in_native_code
if __name__ == "__main__":
    WorkerPool(1).submit(stay_in_native_code, sys.argv[1]).result()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process that is busy in native code")
def test_a_busy_worker_ends_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script, mark = tmp_path / "script.py", tmp_path / "mark"
    script.write_text(PARENT)
    parent = subprocess.Popen([sys.executable, script, mark], env={**os.environ, "PYTHONPATH": str(ROOT)})
    until(lambda: mark.exists() and mark.read_text())
    parent.kill()
    parent.wait()
    until(lambda: not Path("/proc", mark.read_text()).exists())


def allow_workers(monkeypatch: pytest.MonkeyPatch, allowed: int) -> None:
    """Let the system refuse all processes but the first ones."""
    start, started = pool_module.start_worker, list[Worker]()

    def start_some(*arguments: Any) -> Worker:
        if len(started) == allowed:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        started.append(start(*arguments))
        return started[-1]

    monkeypatch.setattr(pool_module, "start_worker", start_some)


def test_one_process_works_for_another_that_the_system_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_workers(monkeypatch, 1)
    with WorkerPool(2) as pool:
        assert list(pool.map(twice, range(5), timeout=PATIENCE)) == [0, 2, 4, 6, 8]


def test_calls_fail_if_the_system_refuses_every_process(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_workers(monkeypatch, 0)
    with WorkerPool(2) as pool:
        for call in [pool.submit(twice, number) for number in range(3)]:
            with pytest.raises(CrashedError, match="temporarily unavailable"):
                call.result(PATIENCE)


def test_a_supervisor_that_fails_leaves_no_call_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    monkeypatch.setattr(WorkerPool, "_handle", lambda *_: 1 // 0)
    pool = WorkerPool(1)
    with pytest.raises(CrashedError, match="Ended"):
        pool.submit(twice, 1).result(PATIENCE)
    with pytest.raises(RuntimeError, match="dismissed"):
        pool.submit(twice, 1)


def test_killing_ends_at_once_and_leaving_waits(pool: WorkerPool) -> None:
    pool.submit(twice, 1).result(PATIENCE)
    calls = [pool.submit(nap, 10 * PATIENCE) for _ in range(5)]
    pool.kill()
    assert all(call.done() for call in calls)
    with pytest.raises(RuntimeError, match="dismissed"):
        pool.submit(twice, 1)
    before = set(threading.enumerate())  # other tests may have pools that go on
    with WorkerPool(1) as other:
        call = other.submit(nap, 0.2)
    assert call.result(0) == 0.2
    assert not set(threading.enumerate()) - before


def test_a_call_that_is_wanted_no_more_is_ended(pool: WorkerPool, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    begun = [pool.submit(nap, 10 * PATIENCE) for _ in range(2)]
    waiting, wanted = pool.submit(mark.touch), pool.submit(twice, 3)
    until(lambda: all(call.running() for call in begun))
    pool.end_call(waiting)
    pool.end_call(begun[0])
    with pytest.raises(CrashedError, match="Ended before"):
        begun[0].result(PATIENCE)
    assert wanted.result(PATIENCE) == 6
    pool.end_call(wanted)
    assert (wanted.result(), waiting.cancelled(), mark.exists(), begun[1].running()) == (6, True, False, True)


def test_spares_are_ready_before_they_are_needed() -> None:
    pool = WorkerPool(1, spares=1)
    try:
        for _ in range(2):
            until(lambda: sum(worker.is_idle for worker in list(pool._workers)) >= 2)
            pool._workers[0].process.kill()
            pool._workers[0].process.join()
        assert pool.submit(twice, 4).result(PATIENCE) == 8
    finally:
        pool.kill()


def fail_as_usual() -> None:
    raise OddDotsError("Found 13 dots.", "Look.")


def from_to() -> tuple[float, float]:
    """Work that takes a while, and returns when it began and ended."""
    began = time.monotonic()
    nap(0.05)
    return began, time.monotonic()


def test_calls_of_coroutines() -> None:
    async def work(pool: WorkerPool) -> None:
        with pytest.raises(OddDotsError) as caught:
            await pool.call(fail_as_usual)
        assert (caught.value.message, caught.value.hint) == ("Found 13 dots.", "Look.")
        spans = await asyncio.gather(*(pool.call(from_to) for _ in range(6)))
        assert max(sum(a <= start < b for a, b in spans) for start, _ in spans) <= 2
        job = asyncio.create_task(pool.call(partial(nap, PATIENCE * 10), PATIENCE * 20))
        while not (busy := [worker.process for worker in list(pool._workers) if worker.job]):
            await asyncio.sleep(0.01)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        while busy[0].exitcode is None:  # the pool may be joining it
            await asyncio.sleep(0.01)
        assert busy[0].exitcode == -signal.SIGKILL
        assert await pool.call(partial(twice, 4)) == 8

    async def run() -> None:
        pool = WorkerPool(2, spares=1)
        try:
            async with asyncio.timeout(PATIENCE):
                await work(pool)
        finally:
            await asyncio.to_thread(pool.kill)

    in_own_loop(run)


def test_cores_are_those_that_this_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", {0: {1, 4}}.get, raising=False)
    assert cores() == 2
    monkeypatch.delattr(os, "sched_getaffinity")
    for count, expected in ((7, 7), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda count=count: count)
        assert cores() == expected


@pytest.mark.parametrize("memory_bytes", [None, 5 << 30])
def test_a_worker_has_one_thread_and_its_data_is_bounded(
    memory_bytes: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    limits, threads = list[object](), list[int]()
    monkeypatch.setattr(resource, "setrlimit", lambda *limit: limits.append(limit))
    monkeypatch.setattr("cv2.setNumThreads", threads.append)
    monkeypatch.setattr(pool_module.gc, "freeze", lambda: None)
    pool_module.prepare_worker((), memory_bytes)
    assert limits == ([(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))] if memory_bytes else [])
    assert threads == [1]
