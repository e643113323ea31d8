import csv
import os
import shutil
import sys
import threading
import time
from itertools import count
from pathlib import Path
from typing import Any, Self
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
from flowvision.workers import SPARE_SECONDS
from tests.commands import (
    LEVEL_PNG,
    PATIENCE,
    UNSOLVABLE_PNG,
    posix_only,
    results,
    run_batch,
    run_jobs_in_this_process,
    wait_until,
    write_shots,
)

CODES = {"a": "", "b": "no-solution", "c": "image-unreadable", "d": ""}
"""What becomes of the pictures in ``folder``: ``a`` and ``d`` hold one puzzle, and are solved."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    run_jobs_in_this_process(monkeypatch)
    return write_shots(tmp_path / "in", a=LEVEL_PNG, b=UNSOLVABLE_PNG, c=b"not a picture", d=LEVEL_PNG + b".")


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def files_in(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def is_solved_by_name(out: Path) -> dict[str, bool]:
    """Return what ``results.ndjson`` holds of each picture."""
    return {Path(line["file"]).stem: line["ok"] for line in results(out)}


@pytest.mark.parametrize(("debug", "with_page"), [("failed", {"b"}), ("all", {"a", "b", "d"})])
def test_debug_pages_are_no_reason_to_solve_again(folder, out, debug: Debug, with_page) -> None:
    first, second = (run_batch(folder, out, Request(debug=debug)) for _ in range(2))
    assert {path.name.split(".")[0] for path in (out / "debug").iterdir()} == with_page
    assert first.messages + second.messages == []
    assert first.redone == list(CODES)
    assert second.redone == ["c"]  # it cannot be decoded, so it has no page, and is tried again


def test_everything_is_published_and_nothing_done_twice(folder: Path, out: Path) -> None:
    assert run_batch(folder, out).codes == CODES
    assert is_solved_by_name(out) == {name: code == "" for name, code in CODES.items()}
    assert sorted(path.name for path in out.glob("*.png")) == ["a.solved.png", "d.solved.png"]
    before = files_in(out)
    second = run_batch(folder, out)
    assert (second.redone, second.codes) == ([], CODES)
    assert files_in(out) == before


def test_the_summary_has_a_row_for_every_picture(folder: Path, out: Path) -> None:
    run_batch(folder, out)
    rows = csv.DictReader((out / "summary.csv").read_text().splitlines())
    a, b, c, d = sorted(rows, key=lambda row: row["file"])
    assert (a["outcome"], a["size"]) == ("solved", "5x5")
    assert (b["outcome"], bool(b["hint"])) == ("unsolvable", True)
    assert c["outcome"] == "image-unreadable"
    assert (d["outcome"], d["puzzle"]) == ("solved", a["puzzle"])
    assert b["puzzle"] != a["puzzle"]


def mean_difference(a: np.ndarray, b: np.ndarray) -> float:
    """Compare a thumbnail with a larger picture."""
    return float(np.abs(a.astype(int) - cv2.resize(b, a.shape[1::-1], interpolation=cv2.INTER_AREA)).mean())


def test_thumbnails_show_the_board_before_and_after(folder: Path, out: Path) -> None:
    run_batch(folder, out)
    corners = solve_image(folder / "a.png").reading.frame.to_px([(0, 0), (5, 5)])
    margin = 0.05 * np.ptp(corners, axis=0).max()
    (left, top), (right, bottom) = (corners + np.array([[-margin], [margin]])).clip(0).round().astype(int)
    unsolved, solved = (
        decode(path.read_bytes()).bgr[top:bottom, left:right]
        for path in (folder / "a.png", out / "a.solved.png")
    )
    for name, expected, other in (("before", unsolved, solved), ("after", solved, unsolved)):
        thumbnail = decode((out / "thumbs" / f"a.{name}.jpg").read_bytes()).bgr
        assert mean_difference(thumbnail, expected) < mean_difference(thumbnail, other) / 2


def test_only_what_changed_is_done_again(folder: Path, out: Path) -> None:
    run_batch(folder, out)
    (folder / "a.png").write_bytes(LEVEL_PNG + b"!")
    assert run_batch(folder, out).redone == ["a"]
    os.utime(folder / "a.png", (1, 1))
    assert run_batch(folder, out).redone == []
    (out / "d.solved.png").unlink()
    assert run_batch(folder, out).redone == ["d"]
    (out / "thumbs" / "b.stage.jpg").unlink()
    assert run_batch(folder, out).redone == ["b"]
    (folder / "e.png").write_bytes(LEVEL_PNG)
    (folder / "a.png").unlink()
    assert run_batch(folder, out).redone == ["e"]
    assert [Path(line["file"]) for line in results(out)] == sorted(folder.iterdir())
    (out / "d.solved.png").write_bytes(b"")
    assert run_batch(folder, out).redone == ["d"]


def test_other_options_force_and_another_version_do_everything_again(folder, out, monkeypatch) -> None:
    run_batch(folder, out)
    cropped, lettered = Request(Options(crop=(0, 0, 90, 140))), Request(look=Look(letters=True))
    for request in (cropped, Request(hint="flow"), Request(animate=True), lettered):
        assert run_batch(folder, out, request).redone == list(CODES), request
        assert run_batch(folder, out, request).redone == []
    assert run_batch(folder, out, lettered, force=True).redone == list(CODES)
    monkeypatch.setattr("flowvision.batch.store.__version__", "99")
    assert run_batch(folder, out, lettered).redone == list(CODES)


FAILING = Request(Options(grid="8x8"))
"""No picture of ``folder`` has this size."""


def test_a_solution_stays_when_other_options_fail(folder: Path, out: Path) -> None:
    run_batch(folder, out)
    solution = (out / "a.solved.png").read_bytes()
    run_batch(folder, out, FAILING)
    assert not any(is_solved_by_name(out).values())
    assert (out / "a.solved.png").read_bytes() == solution
    run_batch(folder, out)
    assert is_solved_by_name(out)["a"]
    assert (out / "a.solved.png").read_bytes() == solution


def test_the_solution_of_a_picture_that_was_replaced_is_deleted(folder: Path, out: Path) -> None:
    run_batch(folder, out)
    run_batch(folder, out, FAILING)  # the journal knows of no solution now
    (folder / "a.png").write_bytes(UNSOLVABLE_PNG)
    run_batch(folder, out)
    assert not (out / "a.solved.png").exists()


def test_a_file_of_the_user_is_not_replaced(folder: Path, out: Path) -> None:
    out.mkdir()
    in_the_way = out / "a.solved.png"
    in_the_way.write_bytes(LEVEL_PNG)
    assert run_batch(folder, out).codes == CODES | {"a": "output-not-written"}
    assert in_the_way.read_bytes() == LEVEL_PNG
    in_the_way.unlink()
    run_batch(folder, out)
    assert run_batch(folder, out, force=True).codes == CODES  # the solution is Flowvision's own
    assert is_marked(in_the_way)


def test_the_folder_may_have_a_relative_name(folder: Path, tmp_path: Path, monkeypatch) -> None:
    run_batch(folder, tmp_path / "out")
    monkeypatch.chdir(tmp_path)
    assert run_batch(Path("in"), Path("out")).redone == []
    first = results(Path("out"))[0]
    assert (first["file"], first["output"]) == (str(Path("in/a.png")), str(Path("out/a.solved.png")))


def test_an_interrupted_run_is_continued(folder: Path, out: Path) -> None:
    def interrupt_at_b(outcome: Outcome, _: bool) -> None:
        if Path(outcome.source).stem == "b":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_batch(folder, out, observe=interrupt_at_b)
    assert list(is_solved_by_name(out)) == ["a", "b"]
    assert run_batch(folder, out).redone == ["c", "d"]
    assert list(is_solved_by_name(out)) == list(CODES)


def test_two_runs_do_not_share_a_folder(folder: Path, out: Path) -> None:
    def begin_another(outcome: Outcome, _: bool) -> None:
        if outcome.number == 0:
            with pytest.raises(OutputError, match="Another run"):
                run_batch(folder, out)

    assert run_batch(folder, out, observe=begin_another).codes == CODES
    assert len(results(out)) == len(CODES)


def test_a_worker_has_more_time_than_the_slowest_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    pools: list[tuple[Any, ...]] = []
    monkeypatch.setattr(session, "WorkerPool", lambda *arguments: pools.append(arguments) or Mock())
    jobs = [
        Job(number=0, source="a.png", name="a", output="out", request=Request(Options(seconds)))
        for seconds in (3.0, 7.0)
    ]
    with session.submitter_for(Plan(jobs, "out")):
        ((_count, seconds, _prepare),) = pools
    assert seconds == 7.0 + SPARE_SECONDS


def test_a_look_that_takes_long_is_followed_by_a_long_pause(folder, out, monkeypatch) -> None:
    look_seconds = 9  # between two looks at the clock, before and after that at the folder
    monkeypatch.setattr(session, "monotonic", count(step=look_seconds).__next__)
    stop = Mock(is_set=Mock(side_effect=[False, True]))
    watch_folder(str(folder), Plan([], str(out)), recursive=False, observe=Mock(), stop=stop)
    (pause,) = stop.wait.call_args.args
    upper_share_of_looking = session.LOOKING
    assert look_seconds <= upper_share_of_looking * pause


def test_an_error_of_publishing_does_not_hide_the_first_one(
    folder: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session.Store, "add", Mock(side_effect=KeyboardInterrupt))
    monkeypatch.setattr(session.Store, "publish", Mock(side_effect=OutputError("The disk is full.")))
    with pytest.raises(KeyboardInterrupt) as raised:
        run_batch(folder, out)
    assert "The disk is full." in raised.value.__notes__[0]


class Watching:
    """A thread that watches a folder."""

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

    def wait_for(self, count: int) -> None:
        """Wait for this many outcomes."""
        wait_until(lambda: len(self.outcomes) >= count)

    def outcomes_after(self, count: int) -> list[str]:
        """Wait for this many outcomes; return all, in the order in which they came."""
        self.wait_for(count)
        return [f"{Path(one.source).stem} {'failed' if one.code else 'solved'}" for one in self.outcomes]


def test_pictures_that_appear_are_solved(tmp_path):
    folder, out = write_shots(tmp_path / "in"), tmp_path / "out"
    with Watching(folder, out) as watching:
        write_shots(folder, a=LEVEL_PNG)
        assert watching.outcomes_after(1) == ["a solved"]
        write_shots(folder, b=UNSOLVABLE_PNG)
        assert watching.outcomes_after(2) == ["a solved", "b failed"]
    assert is_solved_by_name(out) == {"a": True, "b": False}
    assert [path.name for path in out.glob("*.solved.png")] == ["a.solved.png"]


def test_a_picture_that_is_written_slowly_is_solved_once(tmp_path):
    folder, out = write_shots(tmp_path / "in"), tmp_path / "out"
    part = len(LEVEL_PNG) // 4 + 1
    with Watching(folder, out) as watching:
        with (folder / "a.png").open("wb") as slow:
            for start in range(0, len(LEVEL_PNG), part):
                slow.write(LEVEL_PNG[start : start + part])
                slow.flush()
                time.sleep(0.3)
        assert watching.outcomes_after(1) == ["a solved"]
    assert len(watching.outcomes) == 1


def test_a_second_watch_solves_what_is_new_and_forgets_what_is_gone(tmp_path):
    folder, out = write_shots(tmp_path / "in", a=LEVEL_PNG, b=UNSOLVABLE_PNG), tmp_path / "out"
    with Watching(folder, out) as watching:
        watching.wait_for(2)
    write_shots(folder, c=LEVEL_PNG + b"x")
    with Watching(folder, out) as second:
        assert second.outcomes_after(1) == ["c solved"]
        (folder / "a.png").unlink()
        wait_until(lambda: list(is_solved_by_name(out)) == ["b", "c"])
    assert (out / "a.solved.png").exists()


def test_a_change_costs_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """OUT lies in the watched folder, so that writing there is a change too."""
    looked_up, published = list[str](), list[int]()
    known, publish = Store.known, Store.publish
    monkeypatch.setattr(Store, "known", lambda self, job: looked_up.append(job.name) or known(self, job))
    monkeypatch.setattr(
        Store, "publish", lambda self, jobs: published.append(len(jobs)) or publish(self, jobs)
    )
    folder = write_shots(tmp_path / "in", a=LEVEL_PNG, b=UNSOLVABLE_PNG)
    for path in folder.iterdir():
        os.utime(path, (1, 1))  # both were complete long ago
    with Watching(folder, folder / "out", recursive=True) as watching:
        watching.wait_for(2)
        write_shots(folder, c=LEVEL_PNG + b"c")
        watching.wait_for(3)
        time.sleep(1.5)  # time for looks that should not happen
    assert looked_up == ["a", "b", "c"]
    assert published == [2, 3]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_that_are_no_text_and_links_in_circles_end_no_watch(tmp_path: Path) -> None:
    folder = write_shots(tmp_path / "in", a=LEVEL_PNG)
    (folder / "circle.png").symlink_to("circle.png")
    Path(folder, os.fsdecode(b"\xff.png")).write_bytes(LEVEL_PNG)
    with Watching(folder, tmp_path / "out") as watching:
        watching.wait_for(2)
        Path(folder, os.fsdecode(b"\xfe.png")).write_bytes(LEVEL_PNG)
        watching.wait_for(3)
        write_shots(folder, z=LEVEL_PNG)
        outcomes = {os.fsencode(outcome) for outcome in watching.outcomes_after(4)}
    assert outcomes == {b"a solved", b"\xff solved", b"\xfe solved", b"z solved"}


@posix_only
def test_a_folder_that_is_removed_is_missed_and_waited_for(tmp_path: Path) -> None:
    folder = write_shots(tmp_path / "in", a=LEVEL_PNG)
    with Watching(folder, tmp_path / "out") as watching:
        watching.wait_for(1)
        shutil.rmtree(folder)
        wait_until(lambda: watching.messages == [f"{folder} is gone: waiting for it to come back."])
        write_shots(folder, b=LEVEL_PNG)
        assert watching.outcomes_after(2) == ["a solved", "b solved"]
        write_shots(folder, c=LEVEL_PNG)
        assert watching.outcomes_after(3) == ["a solved", "b solved", "c solved"]
    assert watching.messages[1:] == [f"{folder} is there again."]


def test_a_missing_folder_is_reported_first(tmp_path: Path) -> None:
    with pytest.raises(ImageUnreadableError, match="No such folder"):
        watch_folder(str(tmp_path / "none"), Plan((), str(tmp_path / "out")), recursive=False, observe=Mock())
    assert not (tmp_path / "out").exists()
