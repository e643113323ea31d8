from pathlib import Path

import numpy as np
import pytest

from flowvision.batch.jobs import Job
from flowvision.batch.work import run_job
from flowvision.image.codec import encode
from flowvision.workers import memory


def test_memory_is_given_back_when_there_is_much_to_spare(monkeypatch: pytest.MonkeyPatch) -> None:
    has, given = [100], list[int]()

    def give() -> None:
        given.append(has[0])
        has[0] = max(100, has[0] - 40)

    monkeypatch.setattr(memory, "SPARE_BYTES", 30)
    monkeypatch.setattr(memory, "resident_bytes", lambda: has[0])
    monkeypatch.setattr(memory, "trim", give)
    tidy = memory.trimmer()
    for now, times in ((130, 0), (131, 1), (129, 1), (200, 2), (190, 2), (191, 3)):
        has[0] = now
        tidy()
        assert len(given) == times
    assert given == [131, 200, 191]


def test_room_is_made_before_a_large_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = list[int]()
    monkeypatch.setattr(memory, "trim", lambda: given.append(1))
    for name, side in (("small", 40), ("large", 3000)):
        (tmp_path / f"{name}.png").write_bytes(encode(np.zeros((side, side, 3), np.uint8)))
    for number, (name, times) in enumerate((("small", 0), ("large", 1), ("small", 1))):
        run_job(Job(number, str(tmp_path / f"{name}.png"), name, str(tmp_path / "out")))
        assert len(given) == times


@pytest.mark.parametrize("memory_bytes", [None, 5 << 30])
def test_a_worker_has_one_thread_and_its_data_is_bounded(
    memory_bytes: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    limits, threads = list[object](), list[int]()
    monkeypatch.setattr(resource, "setrlimit", lambda *limit: limits.append(limit))
    monkeypatch.setattr("cv2.setNumThreads", threads.append)
    monkeypatch.setattr(memory.gc, "freeze", lambda: None)
    memory.prepare_worker((), memory_bytes)
    assert limits == ([(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))] if memory_bytes else [])
    assert threads == [1]
