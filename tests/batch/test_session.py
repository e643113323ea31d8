"""A run from its jobs to a published folder, and the runs after it."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision.batch.jobs import USUAL, Debug, Outcome, Request, find_shots, jobs_for
from flowvision.batch.session import Plan, run_plan
from flowvision.errors import OutputError
from flowvision.image.codec import decode
from flowvision.image.mark import is_marked
from flowvision.pipeline import read_image
from flowvision.reading.options import Options
from flowvision.render.look import Look
from tests.commands import BAD, GOOD, results, work_here, write_shots


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Good and bad screenshots."""
    return write_shots(tmp_path / "in", a=GOOD, b=BAD, c=b"not a picture", d=GOOD + b".")


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are tested elsewhere: here the jobs run in this process."""
    work_here(monkeypatch)


def run(folder: Path, out: Path, **changes: Any) -> tuple[list[str], list[Outcome]]:
    """Run the folder's jobs; which were solved anew, and every outcome in the order of coming."""
    fresh, outcomes = list[str](), list[Outcome]()

    def observe(outcome: Outcome, reused: bool) -> None:
        outcomes.append(outcome)
        if not reused:
            fresh.append(Path(outcome.source).stem)

    request = changes.pop("request", USUAL)
    jobs = jobs_for(find_shots([str(folder)])[0], out, request)
    run_plan(replace(Plan(jobs, str(out)), **changes), observe)
    return fresh, outcomes


@pytest.mark.parametrize("debug", ["failed", "all"])
def test_debug_pages_are_no_reason_to_solve_again(folder: Path, tmp_path: Path, debug: Debug) -> None:
    """The journal knows every file that is written for a job, the page among them."""
    out, told = tmp_path / "out", list[str]()
    fresh = list[bool]()
    for _ in range(2):
        jobs = jobs_for(find_shots([str(folder)])[0], out, Request(debug=debug))
        plan = Plan(jobs, str(out), tell=told.append)
        run_plan(plan, lambda _, reused: fresh.append(not reused))
    pages = {path.name for path in (out / "debug").iterdir()}
    assert pages >= {"b.page.html"} if debug == "failed" else pages >= {"a.page.html", "d.page.html"}
    assert told == []
    # Not even decoded, the third one has no page: it is tried again.
    assert fresh == [True] * 4 + [False, False, True, False]


def test_everything_is_published(folder: Path, tmp_path: Path) -> None:
    """Solved pictures, objects in input order, and a line for each in the summary."""
    out = tmp_path / "out"
    _, outcomes = run(folder, out)
    assert [outcome.code for outcome in outcomes] == ["", "no-solution", "image-unreadable", ""]
    assert [one["file"] for one in results(out)] == [str(folder / f"{name}.png") for name in "abcd"]
    assert [one["ok"] for one in results(out)] == [True, False, False, True]
    assert sorted(path.name for path in out.glob("*.png")) == ["a.solved.png", "d.solved.png"]
    rows = list(csv.DictReader((out / "summary.csv").read_text().splitlines()))
    assert [row["outcome"] for row in rows] == ["solved", "unsolvable", "image-unreadable", "solved"]
    assert rows[0]["size"] == "5x5"
    assert rows[0]["puzzle"] == rows[3]["puzzle"] != rows[1]["puzzle"]
    assert rows[1]["hint"]


def test_small_pictures_show_before_and_after(folder: Path, tmp_path: Path) -> None:
    """The board alone, the first without the solution, though that is drawn on the same pixels."""
    out = tmp_path / "out"
    run(folder, out)
    reading = read_image(folder / "a.png").reading
    corners = reading.frame.to_px([(0, 0), (5, 5)])
    low, high = corners.min(axis=0), corners.max(axis=0)
    space = 0.05 * (high - low).max()
    x0, y0, x1, y1 = (*(low - space).clip(0).round().astype(int), *(high + space).round().astype(int))
    for name, picture, other in (
        ("before", "in/a.png", "out/a.solved.png"),
        ("after", "out/a.solved.png", "in/a.png"),
    ):
        shown = decode((out / "thumbs" / f"a.{name}.jpg").read_bytes()).bgr
        parts = [decode((tmp_path / file).read_bytes()).bgr[y0:y1, x0:x1] for file in (picture, other)]
        wanted, drawn = (cv2.resize(part, shown.shape[1::-1], interpolation=cv2.INTER_AREA) for part in parts)
        away, apart = (np.abs(one.astype(int) - wanted).mean() for one in (shown, drawn))
        assert away < apart / 2


def test_nothing_is_done_twice(folder: Path, tmp_path: Path) -> None:
    """A second run solves nothing, and publishes the same."""
    out = tmp_path / "out"
    run(folder, out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    fresh, outcomes = run(folder, out)
    assert not fresh
    assert [outcome.code for outcome in outcomes] == ["", "no-solution", "image-unreadable", ""]
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


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
def test_only_what_changed_is_done_again(
    folder: Path, tmp_path: Path, change: Callable[[Path, Path], object], redone: str
) -> None:
    """Other bytes, a file that is new, or an output that is gone or cut; not another date."""
    run(folder, tmp_path / "out")
    change(folder, tmp_path / "out")
    assert run(folder, tmp_path / "out")[0] == list(redone)
    assert [Path(one["file"]) for one in results(tmp_path / "out")] == sorted(folder.iterdir())


def test_other_options_or_another_version_do_everything_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So does being told to."""
    out = tmp_path / "out"
    run(folder, out)
    for wanted in (
        Request(Options(crop=(0, 0, 90, 140))),
        Request(hint="flow"),
        Request(animate=True),
        Request(look=Look(letters=True)),
    ):
        assert run(folder, out, request=wanted)[0] == list("abcd"), wanted
        assert run(folder, out, request=wanted)[0] == []
    assert run(folder, out, request=wanted, force=True)[0] == list("abcd")
    monkeypatch.setattr("flowvision.batch.store.VERSION", "99")
    assert run(folder, out, request=wanted)[0] == list("abcd")


def test_a_solution_that_still_holds_stays(folder: Path, tmp_path: Path) -> None:
    """The same picture fails with another size: its solution is kept, which is said, and found again."""
    out, told = tmp_path / "out", list[str]()
    run(folder, out)
    before = (out / "a.solved.png").read_bytes()
    jobs = jobs_for(find_shots([str(folder)])[0], out, Request(Options(grid="8x8")))
    run_plan(Plan(jobs, str(out), tell=told.append), lambda *_: None)
    assert (out / "a.solved.png").read_bytes() == before
    assert [one["ok"] for one in results(out)] == [False] * 4
    assert len(told) == 1
    assert "2 pictures made earlier with other settings" in told[0]
    run(folder, out)
    assert (out / "a.solved.png").read_bytes() == before
    assert [one["ok"] for one in results(out)] == [True, False, False, True]
    run(folder, out, request=Request(Options(grid="8x8")))
    (folder / "a.png").write_bytes(BAD)
    run(folder, out)
    assert not (out / "a.solved.png").exists()


def test_a_picture_of_somebody_else_is_not_replaced(folder: Path, tmp_path: Path) -> None:
    """Of the name that a solution would have: that picture fails, and the others are solved."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "a.solved.png").write_bytes(GOOD)
    run(folder, out)
    assert (out / "a.solved.png").read_bytes() == GOOD
    codes = [one["error"]["code"] for one in results(out) if not one["ok"] and one["file"].endswith("a.png")]
    assert codes == ["output-not-written"]
    (out / "a.solved.png").unlink()
    run(folder, out)
    run(folder, out, force=True)
    assert is_marked(out / "a.solved.png")


def test_the_folder_may_be_named_otherwise(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From another working folder nothing is solved again, and the objects bear the new names."""
    run(folder, tmp_path / "out")
    monkeypatch.chdir(tmp_path)
    assert not run(Path("in"), Path("out"))[0]
    first = results(Path("out"))[0]
    assert (first["file"], first["output"]) == (str(Path("in/a.png")), str(Path("out/a.solved.png")))


def test_an_interruption_leaves_what_is_done(folder: Path, tmp_path: Path) -> None:
    """Valid files about what is done, nothing half-written, and the next run does the rest."""
    out = tmp_path / "out"
    jobs = jobs_for(find_shots([str(folder)])[0], out)

    def observe(outcome: Outcome, _: bool) -> None:
        if outcome.number == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_plan(Plan(jobs, str(out)), observe)
    assert [Path(one["file"]).stem for one in results(out)] == ["a", "b"]
    assert run(folder, out)[0] == ["c", "d"]
    run(folder, tmp_path / "undisturbed")
    apart = [{**one, "output": None} for one in results(out)]
    assert apart == [{**one, "output": None} for one in results(tmp_path / "undisturbed")]


def test_two_runs_do_not_share_a_folder(folder: Path, tmp_path: Path) -> None:
    """The second one is refused while the first goes on, and nothing of the first is lost."""
    out = tmp_path / "out"
    jobs = jobs_for(find_shots([str(folder)])[0], out)

    def observe(outcome: Outcome, _: bool) -> None:
        if outcome.number == 0:
            with pytest.raises(OutputError, match="Another run"):
                run_plan(Plan(jobs, str(out)), lambda *_: None)

    run_plan(Plan(jobs, str(out)), observe)
    assert len(results(out)) == 4
