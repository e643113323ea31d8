import io
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.batch.jobs import Outcome, Shot, find_shots, jobs_for
from flowvision.errors import ImageUnreadableError
from flowvision.files import marked
from flowvision.image.codec import encode
from tests.commands import posix_only


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shots = tmp_path / "shots"
    files = "b.png a.JPG a.solved.png a.hint.png notes.txt clip.mp4 .pending-c.png in/a.jpg"
    touch(shots, *files.split())
    (shots / "deeper.png").mkdir()
    return shots


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def names(*named: str | Path, recursive: bool = False, folder: Path) -> list[str]:
    """Return the paths of the shots that these arguments name, relative to the folder."""
    shots, _ = find_shots([str(folder / name) for name in named], recursive)
    return [os.path.relpath(shot.path, folder) for shot in shots]


def pipe(monkeypatch: pytest.MonkeyPatch, data: str) -> None:
    """Give this text on standard input."""
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data.encode())))


@pytest.mark.parametrize(
    ("named", "recursive", "found"),
    [
        ([""], False, ["a.JPG", "b.png"]),
        ([""], True, ["a.JPG", "b.png", "in/a.jpg"]),
        (["*"], False, ["a.JPG", "b.png"]),
        (["**/*"], False, ["a.JPG", "b.png", "in/a.jpg"]),
        (["notes.txt", "b.png", "*"], False, ["notes.txt", "b.png", "a.JPG"]),
        (["gone.png"], False, ["gone.png"]),  # a job that will fail
    ],
)
def test_find_shots_in_folders_patterns_and_files(folder, named, recursive, found) -> None:
    assert names(*named, recursive=recursive, folder=folder) == found


def test_folders_of_flowvision_are_not_searched(folder: Path) -> None:
    touch(folder, "out/.flowvision/lock", "out/x.png", ".flowvision/lock", "thumbs/x.png")
    assert names("", recursive=True, folder=folder) == ["a.JPG", "b.png", "in/a.jpg"]


@pytest.fixture
def answer(folder: Path) -> Path:
    """A picture that Flowvision made, in the folder."""
    path = folder / "answer.png"
    path.write_bytes(marked(encode(np.zeros((9, 9, 3), np.uint8))))
    return path


def test_pictures_that_flowvision_made_are_passed_over_unless_named(folder: Path, answer: Path) -> None:
    for named in ("", "*"):
        assert names(named, folder=folder) == ["a.JPG", "b.png"]
    _, skipped = find_shots([str(folder)])
    assert skipped == {"a picture that Flowvision made": 1}
    assert names(answer.name, folder=folder) == [answer.name]


@pytest.mark.parametrize("end", ["\n", "\0"])
def test_files_are_listed_on_standard_input(folder, answer, end, monkeypatch) -> None:
    there, gone = str(folder / "b.png"), str(folder / "gone.png")
    pipe(monkeypatch, end.join((str(answer), there, gone)))
    shots, _ = find_shots(["-"])
    assert [shot.path for shot in shots] == [there, gone]  # not the one that Flowvision made


@posix_only
def test_the_error_without_pictures_names_what_there_was_instead(folder, monkeypatch) -> None:
    (folder / "empty").mkdir()
    for place in ("gone", "empty", "empty/*.txt"):
        with pytest.raises(ImageUnreadableError):
            names(place, folder=folder)
    (folder / "empty" / "gone.png").symlink_to("none.png")
    with pytest.raises(ImageUnreadableError, match="skipped 1 × a link"):
        names("empty", folder=folder)
    pipe(monkeypatch, "\n")
    with pytest.raises(ImageUnreadableError, match="the list on standard input"):
        find_shots(["-"])


@pytest.mark.parametrize(("cause", "code"), [("menu", "menu"), ("unknown", "no-board")])
def test_a_failure_has_the_code_of_its_cause(cause: str, code: str) -> None:
    error = {"code": "no-board", "message": "No board.", "cause": {"code": cause}}
    failed = Outcome(number=0, source="a.png", content="", answer={"ok": False, "error": error})
    assert (failed.code, failed.message) == (code, "No board.")
    solved = Outcome(number=0, source="a.png", content="", answer={"ok": True})
    assert (solved.code, solved.message) == ("", "")


@pytest.mark.parametrize(
    "job_of_path",
    [
        pytest.param({"a.png": "a", "b.png": "b"}, id="different"),
        pytest.param({"x.png": "x.png", "x.jpg": "x.jpg"}, id="other suffixes"),
        pytest.param({"y.png": "y.png-1", "d/y.png": "y.png-2"}, id="other folders"),
        pytest.param({"Z.png": "Z.png-1", "z.png": "z.png-2"}, id="other case"),
        pytest.param(
            {"\u00e9.png": "\u00e9.png-1", "e\u0301.png": "e\u0301.png-2"}, id="one letter, encoded twice"
        ),
    ],
)
def test_names_alike_become_different(job_of_path: dict[str, str]) -> None:
    assert [job.name for job in jobs_for(map(Shot, job_of_path), "out")] == list(job_of_path.values())


def test_jobs_of_a_tree_keep_its_folders() -> None:
    tree = [Shot("shots/a.png"), Shot("shots/in/a.jpg", ("in",))]
    assert [job.name for job in jobs_for(tree, "out")] == ["a", "in/a"]


FILE_NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=300)


@given(st.lists(FILE_NAMES, min_size=1))
def test_no_two_places_are_alike_whatever_the_names(files: list[str]) -> None:
    shots = [Shot(os.path.join(str(number), file)) for number, file in enumerate(files)]
    jobs = jobs_for(shots, "out")
    assert len({job.name.casefold() for job in jobs}) == len(files)


@posix_only
def test_links_that_lead_nowhere_cost_themselves(folder: Path) -> None:
    broken = {"circle": "circle.png", "gone": "none.png", "long": "x" * 300}
    for link, target in {**broken, "good": "b.png"}.items():
        (folder / f"{link}.png").symlink_to(target)
    for named in ("", "*.*"):
        assert names(named, folder=folder) == ["a.JPG", "b.png", "good.png"]
        _, skipped = find_shots([str(folder / named)])
        assert skipped == {"a link that leads to no file": len(broken)}
    assert names("circle.png", "b.png", folder=folder) == ["circle.png", "b.png"]


def test_a_folder_that_may_not_be_read_costs_itself(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scan, denied = os.scandir, {folder / "in"}

    def scan_if_allowed(path: str) -> Any:
        if Path(path) in denied:
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr("os.scandir", scan_if_allowed)
    assert names("", recursive=True, folder=folder) == ["a.JPG", "b.png"]
    _, skipped = find_shots([str(folder)], recursive=True)
    assert skipped == {"a folder that cannot be opened": 1}
    denied.add(folder)
    with pytest.raises(ImageUnreadableError, match="Permission denied"):
        find_shots([str(folder)])
