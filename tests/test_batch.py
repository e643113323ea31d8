"""A folder of screenshots."""

from __future__ import annotations

import json
import pickle
from dataclasses import astuple
from pathlib import Path

import pytest

from flowvision.batch import Done, Failed, Job, find_screenshots, jobs_for, run_batch, run_job, workers
from flowvision.codec import decode, encode
from flowvision.errors import ImageUnreadableError
from tests.drawing import FIVE, NONE, screenshot_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Good, bad and foreign files."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.png").write_bytes(encode(screenshot_of(FIVE)))
    (folder / "b.png").write_bytes(encode(screenshot_of(NONE)))
    (folder / "c.PNG").write_bytes(b"not a picture")
    (folder / "d.jpg").write_bytes(encode(screenshot_of(FIVE), ".jpg"))
    (folder / "a.solved.png").write_bytes(b"an earlier answer")
    (folder / "notes.txt").write_text("no picture")
    (folder / "deeper.png").mkdir()
    return folder


def test_screenshots_are_found_by_name(folder: Path) -> None:
    """Pictures in order; no earlier answers, other files or folders."""
    assert [path.name for path in find_screenshots(folder)] == ["a.png", "b.png", "c.PNG", "d.jpg"]


@pytest.mark.parametrize("place", ["missing", "empty"])
def test_a_folder_without_pictures_is_an_error(tmp_path: Path, place: str) -> None:
    """A missing folder and one without pictures are said to be so."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(ImageUnreadableError):
        find_screenshots(tmp_path / place)


def test_names_alike_get_different_outputs(tmp_path: Path) -> None:
    """``x.png`` and ``x.jpg`` do not overwrite one another's solution."""
    jobs = jobs_for([Path("x.png"), Path("x.jpg"), Path("y.png")], tmp_path / "out")
    assert [Path(job.output).name for job in jobs] == [
        "x.png.solved.png",
        "x.jpg.solved.png",
        "y.solved.png",
    ]


@pytest.mark.parametrize("count", [1, 2])
def test_outcomes_come_in_input_order(folder: Path, tmp_path: Path, count: int) -> None:
    """With one process or several: every job has its outcome in order, and one failure harms no other."""
    jobs = jobs_for(find_screenshots(folder), tmp_path / "out")
    with workers(count) as executor:
        outcomes = list(run_batch(jobs, executor))
    assert [outcome.source for outcome in outcomes] == [job.source for job in jobs]
    assert [type(outcome) for outcome in outcomes] == [Done, Failed, Failed, Done]
    described = [json.loads(outcome.described) for outcome in outcomes]
    assert [one["ok"] for one in described] == [True, False, False, True]
    assert [one["error"]["code"] for one in described[1:3]] == ["unsolvable", "image-unreadable"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.solved.png", "d.solved.png"]
    assert decode((tmp_path / "out" / "a.solved.png").read_bytes()).bgr.shape == screenshot_of(FIVE).shape


def test_jobs_and_outcomes_are_plain_values(shot: Path, tmp_path: Path) -> None:
    """Whatever crosses a process boundary is strings and numbers, and survives the journey."""
    job = Job(str(shot), str(tmp_path / "x.png"))
    for value in (job, run_job(job), run_job(Job("missing.png", "x.png"))):
        assert all(isinstance(part, str | int | float) for part in astuple(value))
        assert pickle.loads(pickle.dumps(value)) == value


def test_an_input_is_never_overwritten(shot: Path) -> None:
    """A job whose output is its own input fails and leaves the input."""
    before = shot.read_bytes()
    outcome = run_job(Job(str(shot), str(shot)))
    assert isinstance(outcome, Failed)
    assert outcome.code == "output-not-written"
    assert shot.read_bytes() == before
