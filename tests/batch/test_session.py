import csv
import os
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Self
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.batch import session
from flowvision.batch.jobs import Debug, Job, Outcome, Request
from flowvision.batch.session import Plan, watch_folder
from flowvision.batch.store import Store
from flowvision.errors import ImageUnreadableError, OutputError
from flowvision.files import is_marked
from flowvision.image.codec import decode
from flowvision.reading.options import Options
from flowvision.render.look import Look
from flowvision.workers.pool import SPARE_SECONDS
from tests.commands import BAD, GOOD, PATIENCE, posix_only, results, run, until, work_here, write_shots


@pytest.fixture
def folder(tmp_path, monkeypatch):
    work_here(monkeypatch)
    return write_shots(tmp_path / "in", a=GOOD, b=BAD, c=b"not a picture", d=GOOD + b".")


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def files_in(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("debug", ["failed", "all"])
def test_debug_pages_are_no_reason_to_solve_again(folder: Path, out: Path, debug: Debug) -> None:
    """A picture that cannot be decoded has no page, and is tried again."""
    first, second = (run(folder, out, Request(debug=debug)) for _ in range(2))
    pages = {path.name[0] for path in (out / "debug").iterdir()}
    assert pages == set("b" if debug == "failed" else "abd")
    assert first.messages + second.messages == []
    assert (first.fresh, second.fresh) == (list("abcd"), ["c"])


def test_everything_is_published_and_nothing_done_twice(folder: Path, out: Path) -> None:
    outcomes = run(folder, out).outcomes
    assert [outcome.code for outcome in outcomes] == ["", "no-solution", "image-unreadable", ""]
    solved = {str(folder / f"{name}.png"): name in "ad" for name in "abcd"}
    assert {one["file"]: one["ok"] for one in results(out)} == solved
    assert sorted(path.name for path in out.glob("*.png")) == ["a.solved.png", "d.solved.png"]
    rows = list(csv.DictReader((out / "summary.csv").read_text().splitlines()))
    assert [row["outcome"] for row in rows] == ["solved", "unsolvable", "image-unreadable", "solved"]
    assert rows[0]["size"] == "5x5"
    assert rows[0]["puzzle"] == rows[3]["puzzle"] != rows[1]["puzzle"]
    assert rows[1]["hint"]
    before, again = files_in(out), run(folder, out)
    assert not again.fresh
    assert [one.code for one in again.outcomes] == [one.code for one in outcomes]
    assert files_in(out) == before


def test_small_pictures_show_before_and_after(folder: Path, out: Path) -> None:
    run(folder, out)
    reading = solve_image(folder / "a.png").reading
    corners = reading.frame.to_px([(0, 0), (5, 5)])
    low, high = corners.min(axis=0), corners.max(axis=0)
    space = 0.05 * (high - low).max()
    x0, y0, x1, y1 = (*(low - space).clip(0).round().astype(int), *(high + space).round().astype(int))
    pictures = [
        decode(file.read_bytes()).bgr[y0:y1, x0:x1] for file in (folder / "a.png", out / "a.solved.png")
    ]
    for name, parts in (("before", pictures), ("after", pictures[::-1])):
        shown = decode((out / "thumbs" / f"a.{name}.jpg").read_bytes()).bgr
        wanted, drawn = (cv2.resize(part, shown.shape[1::-1], interpolation=cv2.INTER_AREA) for part in parts)
        away, apart = (np.abs(one.astype(int) - wanted).mean() for one in (shown, drawn))
        assert away < apart / 2


@pytest.mark.parametrize(
    ("change", "redone"),
    [
        (lambda folder, out: (folder / "a.png").write_bytes(GOOD + b"!"), "a"),
        (lambda folder, out: os.utime(folder / "a.png", (1, 1)), ""),
        (lambda folder, out: (out / "d.solved.png").unlink(), "d"),
        (lambda folder, out: (out / "d.solved.png").write_bytes(b""), "d"),
        (lambda folder, out: (out / "thumbs" / "b.stage.jpg").unlink(), "b"),
        (lambda folder, out: (folder / "e.png").write_bytes(GOOD), "e"),
        (lambda folder, out: (folder / "a.png").unlink(), ""),
    ],
)
def test_only_what_changed_is_done_again(folder, out, change, redone) -> None:
    run(folder, out)
    change(folder, out)
    assert run(folder, out).fresh == list(redone)
    assert [Path(one["file"]) for one in results(out)] == sorted(folder.iterdir())


def test_other_options_or_another_version_do_everything_again(folder, out, monkeypatch) -> None:
    run(folder, out)
    for wanted in (
        Request(Options(crop=(0, 0, 90, 140))),
        Request(hint="flow"),
        Request(animate=True),
        Request(look=Look(letters=True)),
    ):
        assert run(folder, out, wanted).fresh == list("abcd"), wanted
        assert run(folder, out, wanted).fresh == []
    assert run(folder, out, wanted, force=True).fresh == list("abcd")
    monkeypatch.setattr("flowvision.batch.store.VERSION", "99")
    assert run(folder, out, wanted).fresh == list("abcd")


def test_a_solution_that_still_holds_stays(folder: Path, out: Path) -> None:
    other = Request(Options(grid="8x8"))
    run(folder, out)
    before = (out / "a.solved.png").read_bytes()
    run(folder, out, other)
    assert (out / "a.solved.png").read_bytes() == before
    assert [one["ok"] for one in results(out)] == [False] * 4
    run(folder, out)
    assert (out / "a.solved.png").read_bytes() == before
    assert [one["ok"] for one in results(out)] == [True, False, False, True]
    run(folder, out, other)
    (folder / "a.png").write_bytes(BAD)
    run(folder, out)
    assert not (out / "a.solved.png").exists()


def test_a_foreign_picture_is_not_replaced(folder: Path, out: Path) -> None:
    out.mkdir()
    (out / "a.solved.png").write_bytes(GOOD)
    assert [one.code for one in run(folder, out).outcomes][::3] == ["output-not-written", ""]
    assert (out / "a.solved.png").read_bytes() == GOOD
    (out / "a.solved.png").unlink()
    run(folder, out)
    run(folder, out, force=True)
    assert is_marked(out / "a.solved.png")


def test_the_folder_may_have_a_relative_name(folder: Path, tmp_path: Path, monkeypatch) -> None:
    run(folder, tmp_path / "out")
    monkeypatch.chdir(tmp_path)
    assert not run(Path("in"), Path("out")).fresh
    first = results(Path("out"))[0]
    assert (first["file"], first["output"]) == (str(Path("in/a.png")), str(Path("out/a.solved.png")))


def test_an_interruption_leaves_what_is_done(folder: Path, out: Path, tmp_path: Path) -> None:
    def interrupt(outcome, _) -> None:
        if outcome.number == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(folder, out, observe=interrupt)
    assert [Path(one["file"]).stem for one in results(out)] == ["a", "b"]
    assert run(folder, out).fresh == ["c", "d"]
    run(folder, tmp_path / "undisturbed")
    ours, others = (
        [one | {"output": None} for one in results(place)] for place in (out, tmp_path / "undisturbed")
    )
    assert ours == others


def test_two_runs_do_not_share_a_folder(folder: Path, out: Path) -> None:
    def begin_another(outcome, _) -> None:
        if outcome.number == 0:
            with pytest.raises(OutputError, match="Another run"):
                run(folder, out)

    run(folder, out, observe=begin_another)
    assert len(results(out)) == 4


def test_a_worker_has_more_time_than_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = list[float]()
    monkeypatch.setattr(session, "WorkerPool", lambda *given: seconds.append(given[1]) or Mock())
    jobs = [
        Job(n, "a.png", "a", "out", request=Request(Options(limit))) for n, limit in enumerate((3.0, 7.0))
    ]
    with session.submitter_for(session.Plan(jobs, "out")):
        assert seconds == [7 + SPARE_SECONDS]


def test_a_look_that_takes_long_is_followed_by_a_long_pause(folder, out, monkeypatch) -> None:
    stop = Mock(is_set=Mock(side_effect=[False, True]))
    monkeypatch.setattr(session, "monotonic", iter(range(0, 900, 9)).__next__)
    session.watch_folder(str(folder), session.Plan([], str(out)), False, Mock(), stop)
    assert stop.wait.call_args.args[0] >= 9 / session.LOOKING


def test_an_error_of_publishing_does_not_hide_the_first_one(
    folder: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session.Store, "add", Mock(side_effect=KeyboardInterrupt))
    monkeypatch.setattr(session.Store, "publish", Mock(side_effect=OutputError("The disk is full.")))
    with pytest.raises(KeyboardInterrupt) as raised:
        run(folder, out)
    assert "The disk is full." in raised.value.__notes__[0]


class Watching:
    def __init__(self, folder: Path, out: Path, recursive: bool = False) -> None:
        self.outcomes: list[Outcome] = []
        self.messages: list[str] = []
        self.stop = threading.Event()
        plan = Plan((), str(out), tell=self.messages.append)
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
        until(lambda: watching.messages == [f"{folder} is gone: waiting for it to come back."])
        write_shots(folder, b=GOOD)
        assert watching.wait_for(2) == ["a Done", "b Done"]
        write_shots(folder, c=GOOD)
        assert watching.wait_for(3) == ["a Done", "b Done", "c Done"]
    assert watching.messages[1:] == [f"{folder} is there again."]


def test_a_missing_folder_is_reported_first(tmp_path: Path) -> None:
    with pytest.raises(ImageUnreadableError, match="No such folder"):
        watch_folder(str(tmp_path / "none"), Plan((), str(tmp_path / "out")), False, lambda _: None)
    assert not (tmp_path / "out").exists()
