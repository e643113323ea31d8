"""A watched folder: what is there, what appears, what is still being written."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from flowvision.batch.jobs import Done, Failed, Outcome
from flowvision.batch.session import Plan
from flowvision.batch.watching import watch_folder
from flowvision.errors import ImageUnreadableError
from tests.batch.shots import BAD, GOOD, write_shots


class Watching:
    """A watch of a folder in a thread of its own."""

    def __init__(self, folder: Path, out: Path) -> None:
        self.outcomes: list[Outcome] = []
        self.stop = threading.Event()
        arguments = (str(folder), Plan((), str(out)), False, self.outcomes.append, self.stop)
        self.thread = threading.Thread(target=watch_folder, args=arguments)

    def __enter__(self) -> Watching:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self.thread.join(30)
        assert not self.thread.is_alive()

    def wait_for(self, count: int) -> list[str]:
        """The outcomes by name once there are so many."""
        end = time.monotonic() + 30
        while len(self.outcomes) < count and time.monotonic() < end:
            time.sleep(0.05)
        return [f"{Path(one.source).stem} {type(one).__name__}" for one in self.outcomes]


def test_what_is_there_and_what_appears_is_solved_once(tmp_path: Path) -> None:
    """Each new file once, also one that is written slowly; after a restart nothing is done again."""
    folder, out = write_shots(tmp_path / "in", a=GOOD), tmp_path / "out"
    with Watching(folder, out) as watching:
        assert watching.wait_for(1) == ["a Done"]
        write_shots(folder, b=BAD)
        assert watching.wait_for(2) == ["a Done", "b Failed"]
        with (folder / "c.png").open("wb") as slow:
            for start in range(0, len(GOOD), len(GOOD) // 4 + 1):
                slow.write(GOOD[start : start + len(GOOD) // 4 + 1])
                slow.flush()
                time.sleep(0.3)
        names = watching.wait_for(3)
    assert names[2:] == ["c Done"]
    assert sorted(path.name for path in out.glob("*.solved.png")) == ["a.solved.png", "c.solved.png"]
    assert len((out / "results.ndjson").read_text().splitlines()) == 3
    write_shots(folder, d=GOOD + b"x")
    with Watching(folder, out) as again:
        assert again.wait_for(1) == ["d Done"]
    assert isinstance(again.outcomes[0], Done | Failed)


def test_an_empty_folder_is_waited_for_and_a_missing_one_refused(tmp_path: Path) -> None:
    """Nothing to do yet is no error."""
    (tmp_path / "in").mkdir()
    with Watching(tmp_path / "in", tmp_path / "out") as watching:
        time.sleep(0.5)
        write_shots(tmp_path / "in", a=GOOD)
        assert watching.wait_for(1) == ["a Done"]
    with pytest.raises(ImageUnreadableError, match="No such folder"):
        watch_folder(str(tmp_path / "none"), Plan((), str(tmp_path / "out")), False, lambda _: None)
