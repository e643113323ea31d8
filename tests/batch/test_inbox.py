import os
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Self

import pytest

from flowvision.batch.jobs import Outcome
from flowvision.batch.session import Plan, watch_folder
from flowvision.batch.store import Store
from flowvision.errors import ImageUnreadableError
from tests.commands import BAD, GOOD, PATIENCE, posix_only, results, until, write_shots


class Watching:
    def __init__(self, folder: Path, out: Path, recursive: bool = False) -> None:
        self.outcomes: list[Outcome] = []
        self.told: list[str] = []
        self.stop = threading.Event()
        plan = Plan((), str(out), tell=self.told.append)
        arguments = (str(folder), plan, recursive, self.outcomes.append, self.stop)
        self.thread = threading.Thread(target=watch_folder, args=arguments)

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()

    def wait_for(self, count: int) -> list[str]:
        until(lambda: len(self.outcomes) >= count)
        return [f"{Path(one.source).stem} {'Failed' if one.code else 'Done'}" for one in self.outcomes]


def test_what_is_there_and_what_appears_is_solved_once(tmp_path):
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    with Watching(folder, out) as watching:
        write_shots(folder, a=GOOD)
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
    assert len(results(out)) == 3
    write_shots(folder, d=GOOD + b"x")
    with Watching(folder, out) as again:
        assert again.wait_for(1) == ["d Done"]
        (folder / "a.png").unlink()
        until(lambda: [Path(one["file"]).stem for one in results(out)] == ["b", "c", "d"])
    assert (out / "a.solved.png").exists()


def test_a_change_costs_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """OUT lies in the watched folder, so that writing there is a change too."""
    read, published = list[str](), list[int]()
    known, publish = Store.known, Store.publish
    monkeypatch.setattr(Store, "known", lambda self, job: read.append(job.name) or known(self, job))
    monkeypatch.setattr(
        Store, "publish", lambda self, jobs: published.append(len(jobs)) or publish(self, jobs)
    )
    folder = write_shots(tmp_path / "in", a=GOOD, b=BAD)
    for path in folder.iterdir():
        os.utime(path, (1, 1))  # long complete, both
    with Watching(folder, folder / "out", recursive=True) as watching:
        watching.wait_for(2)
        write_shots(folder, c=GOOD + b"c")
        watching.wait_for(3)
        time.sleep(1.5)
    assert read == ["a", "b", "c"]
    assert published == [2, 3]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_that_are_no_text_and_links_in_circles_end_no_watch(tmp_path: Path) -> None:
    folder, out = write_shots(tmp_path / "in", a=GOOD), tmp_path / "out"
    (folder / "circle.png").symlink_to("circle.png")
    Path(folder, os.fsdecode(b"\xff.png")).write_bytes(GOOD)
    with Watching(folder, out) as watching:
        watching.wait_for(2)
        Path(folder, os.fsdecode(b"\xfe.png")).write_bytes(GOOD)
        watching.wait_for(3)
        write_shots(folder, z=GOOD)
        names = watching.wait_for(4)
    assert {os.fsencode(name) for name in names} == {b"a Done", b"\xff Done", b"\xfe Done", b"z Done"}


@posix_only
def test_a_folder_that_is_removed_is_missed_and_waited_for(tmp_path: Path) -> None:
    folder, out = write_shots(tmp_path / "in", a=GOOD), tmp_path / "out"
    with Watching(folder, out) as watching:
        watching.wait_for(1)
        shutil.rmtree(folder)
        until(lambda: watching.told == [f"{folder} is gone: waiting for it to come back."])
        write_shots(folder, b=GOOD)
        assert watching.wait_for(2) == ["a Done", "b Done"]
        write_shots(folder, c=GOOD)
        assert watching.wait_for(3) == ["a Done", "b Done", "c Done"]
    assert watching.told[1:] == [f"{folder} is there again."]


def test_a_missing_folder_is_said_first(tmp_path: Path) -> None:
    with pytest.raises(ImageUnreadableError, match="No such folder"):
        watch_folder(str(tmp_path / "none"), Plan((), str(tmp_path / "out")), False, lambda _: None)
    assert not (tmp_path / "out").exists()
