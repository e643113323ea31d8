import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from flowvision import workers as pool_module
from flowvision.errors import CrashedError, GaveUpError, OddDotsError
from flowvision.workers import Worker, WorkerPool, cores
from tests import calls as work
from tests.calls import in_own_loop, nap, twice
from tests.commands import PATIENCE, ROOT, posix_only, wait_until


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
    with pytest.raises(Exception, match=r"pickle|local"):
        pool.submit(lambda: None)


@pytest.mark.parametrize(
    ("call", "words"), [(partial(sys.exit, 3), "exit code 3, twice"), (work.fail_oddly, "Odd")]
)
def test_a_call_that_ends_its_worker_or_fails_oddly_is_a_crash(pool: WorkerPool, call, words: str) -> None:
    with pytest.raises(CrashedError, match=words):
        pool.submit(call).result(PATIENCE)


@posix_only
def test_a_worker_that_dies_costs_its_call_at_most(pool: WorkerPool, tmp_path: Path) -> None:
    before = [pool.submit(twice, number) for number in range(10)]
    fatal = pool.submit(work.die_noted, str(tmp_path / "deaths"))
    once = pool.submit(work.die_once, str(tmp_path / "mark"))
    after = [pool.submit(twice, number) for number in range(10)]
    assert [call.result(PATIENCE) for call in (*before, *after)] == 2 * list(range(0, 20, 2))
    with pytest.raises(CrashedError, match=r"SIGKILL.*twice"):
        fatal.result(PATIENCE)
    assert len((tmp_path / "deaths").read_text()) == 2
    assert once.result(PATIENCE) != os.getpid()


@posix_only
def test_calls_that_die_only_beside_others_succeed_in_the_end(pool: WorkerPool, tmp_path: Path) -> None:
    """They take too much memory together."""
    calls = [pool.submit(work.die_beside, str(tmp_path), name) for name in "abc"]
    assert [call.result(PATIENCE) for call in calls] == ["a", "b", "c"]


@posix_only
def test_the_time_limit_holds_in_native_code_and_only_for_calls() -> None:
    limit = 2
    with WorkerPool(1, seconds=limit, prepare=partial(time.sleep, limit + 1)) as pool:
        assert pool.submit(twice, 3).result(PATIENCE) == 6
        time.sleep(limit + 0.1)  # an idle worker is not late
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
from flowvision.workers import WorkerPool
from tests.calls import stay_in_native_code
if __name__ == "__main__":
    WorkerPool(1).submit(stay_in_native_code, sys.argv[1]).result()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process that is busy in native code")
def test_a_busy_worker_ends_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script, mark = tmp_path / "script.py", tmp_path / "mark"
    script.write_text(PARENT)
    parent = subprocess.Popen([sys.executable, script, mark], env={**os.environ, "PYTHONPATH": str(ROOT)})
    wait_until(lambda: mark.exists() and mark.read_text())
    parent.kill()
    parent.wait()
    wait_until(lambda: not Path("/proc", mark.read_text()).exists())


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
    allow_workers(monkeypatch, allowed=1)
    with WorkerPool(2) as pool:
        assert list(pool.map(twice, range(5), timeout=PATIENCE)) == [0, 2, 4, 6, 8]


def test_calls_fail_if_the_system_refuses_every_process(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_workers(monkeypatch, allowed=0)
    with WorkerPool(2) as pool:
        for call in [pool.submit(twice, number) for number in range(3)]:
            with pytest.raises(CrashedError, match="temporarily unavailable"):
                call.result(PATIENCE)


def test_a_supervisor_that_fails_leaves_no_call_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    monkeypatch.setattr(WorkerPool, "_handle", Mock(side_effect=ZeroDivisionError))
    pool = WorkerPool(1)
    with pytest.raises(CrashedError, match="Ended"):
        pool.submit(twice, 1).result(PATIENCE)
    with pytest.raises(RuntimeError, match="dismissed"):
        pool.submit(twice, 1)


def test_killing_a_pool_ends_its_calls_at_once(pool: WorkerPool) -> None:
    pool.submit(twice, 1).result(PATIENCE)
    calls = [pool.submit(nap, 10 * PATIENCE) for _ in range(5)]
    pool.kill()
    assert all(call.done() for call in calls)
    with pytest.raises(RuntimeError, match="dismissed"):
        pool.submit(twice, 1)


def test_leaving_a_pool_waits_for_its_calls() -> None:
    before = set(threading.enumerate())  # other tests may have pools
    with WorkerPool(1) as pool:
        call = pool.submit(nap, 0.2)
    assert call.result(0) == 0.2
    assert not set(threading.enumerate()) - before


def test_only_the_calls_that_are_ended_end(pool: WorkerPool, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    ended, undisturbed = begun = [pool.submit(nap, 10 * PATIENCE) for _ in range(2)]
    waiting, following = pool.submit(mark.touch), pool.submit(twice, 3)
    wait_until(lambda: all(call.running() for call in begun))
    pool.end_call(waiting)
    pool.end_call(ended)
    with pytest.raises(CrashedError, match="Ended before"):
        ended.result(PATIENCE)
    assert waiting.cancelled()
    assert not mark.exists()
    assert following.result(PATIENCE) == 6
    pool.end_call(following)  # it is done
    assert following.result() == 6
    assert undisturbed.running()


def test_spares_are_ready_before_they_are_needed() -> None:
    pool = WorkerPool(1, spares=1)
    try:
        for _ in range(2):
            wait_until(lambda: sum(worker.is_idle for worker in list(pool._workers)) >= 2)
            pool._workers[0].process.kill()
            pool._workers[0].process.join()
        assert pool.submit(twice, 4).result(PATIENCE) == 8
    finally:
        pool.kill()


def fail_as_usual() -> None:
    raise OddDotsError("Found 13 dots.", "Look.")


def span_of_work() -> tuple[float, float]:
    """Return when a little work began and ended."""
    began = time.monotonic()
    nap(0.05)
    return began, time.monotonic()


def with_pool(check: Callable[[WorkerPool], Coroutine[Any, Any, None]]) -> None:
    """Run a coroutine that has a pool of two workers."""
    pool = WorkerPool(2, spares=1)
    try:
        in_own_loop(lambda: asyncio.wait_for(check(pool), PATIENCE))
    finally:
        pool.kill()


def test_a_coroutine_gets_the_error_of_its_call() -> None:
    async def check(pool: WorkerPool) -> None:
        with pytest.raises(OddDotsError) as raised:
            await pool.call(fail_as_usual)
        assert (raised.value.message, raised.value.hint) == ("Found 13 dots.", "Look.")

    with_pool(check)


def test_no_more_calls_of_coroutines_run_at_once_than_there_are_workers() -> None:
    async def check(pool: WorkerPool) -> None:
        spans = await asyncio.gather(*(pool.call(span_of_work) for _ in range(6)))
        at_once = [sum(began <= start < ended for began, ended in spans) for start, _ in spans]
        assert max(at_once) <= 2

    with_pool(check)


def test_a_cancelled_coroutine_ends_its_worker() -> None:
    async def check(pool: WorkerPool) -> None:
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

    with_pool(check)


def test_cores_are_those_that_this_process_may_use_or_those_of_the_machine(monkeypatch) -> None:
    this_process, usable = 0, {1, 4}
    monkeypatch.setattr(os, "sched_getaffinity", {this_process: usable}.get, raising=False)
    assert cores() == 2
    monkeypatch.delattr(os, "sched_getaffinity")
    for counted, expected in ((7, 7), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda counted=counted: counted)
        assert cores() == expected


@pytest.mark.parametrize("memory_bytes", [None, 5 << 30])
def test_a_worker_has_one_thread_and_its_data_is_bounded(memory_bytes: int | None, monkeypatch) -> None:
    resource = pytest.importorskip("resource")
    limits, threads = list[object](), list[int]()
    monkeypatch.setattr(resource, "setrlimit", lambda *limit: limits.append(limit))
    monkeypatch.setattr("cv2.setNumThreads", threads.append)
    monkeypatch.setattr(pool_module.gc, "freeze", lambda: None)
    pool_module.prepare_worker((), memory_bytes)
    assert threads == [1]
    assert limits == ([(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))] if memory_bytes else [])
