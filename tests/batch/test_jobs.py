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
    found, _ = find_shots([str(folder / one) for one in named], recursive)
    return [os.path.relpath(shot.path, folder) for shot in found]


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
def test_find_shots_in_folders_patterns_and_files(
    folder: Path, named: list[str], recursive: bool, found: list[str]
) -> None:
    if recursive:
        touch(folder, "out/.flowvision/lock", "out/x.png", ".flowvision/lock", "thumbs/x.png")
    assert names(*named, recursive=recursive, folder=folder) == found


def test_pictures_that_flowvision_made_are_passed_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "answer.png").write_bytes(marked(encode(np.zeros((9, 9, 3), np.uint8))))
    for named in ("", "*"):
        assert names(named, folder=folder) == ["a.JPG", "b.png"]
    assert find_shots([str(folder)])[1] == {"a picture that Flowvision made": 1}
    assert names("answer.png", folder=folder) == ["answer.png"]
    for end in ("\n", "\0"):
        listed = end.join(str(folder / name) for name in ("answer.png", "b.png", "gone.png"))
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(listed.encode())))
        assert [shot.path for shot in find_shots(["-"])[0]] == [
            str(folder / "b.png"),
            str(folder / "gone.png"),
        ]


@posix_only
def test_the_error_without_pictures_names_what_there_was_instead(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "empty").mkdir()
    for place in ("gone", "empty", "empty/*.txt"):
        with pytest.raises(ImageUnreadableError):
            names(place, folder=folder)
    (folder / "empty" / "gone.png").symlink_to("none.png")
    with pytest.raises(ImageUnreadableError, match="skipped 1 × a link"):
        names("empty", folder=folder)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"\n")))
    with pytest.raises(ImageUnreadableError, match="the list on standard input"):
        find_shots(["-"])


@pytest.mark.parametrize(("cause", "code"), [("menu", "menu"), ("unknown", "no-board")])
def test_a_failure_has_the_code_of_its_cause(cause: str, code: str) -> None:
    error = {"code": "no-board", "message": "No board.", "cause": {"code": cause}}
    failed = Outcome(0, "a.png", "", {"ok": False, "error": error})
    assert (failed.code, failed.message) == (code, "No board.")
    solved = Outcome(0, "a.png", "", {"ok": True})
    assert (solved.code, solved.message) == ("", "")


def test_names_alike_become_different() -> None:
    tree = [Shot("shots/a.png"), Shot("shots/in/a.jpg", ("in",))]
    assert [job.name for job in jobs_for(tree, "out")] == ["a", "in/a"]
    paths = ["x.png", "x.jpg", "y.png", "d/y.png", "Z.png", "z.png", "\u00e9.png", "e\u0301.png"]
    ends = ["", "", "-1", "-2", "-1", "-2", "-1", "-2"]
    wanted = [f"{path.removeprefix('d/')}{end}" for path, end in zip(paths, ends, strict=True)]
    assert [job.name for job in jobs_for(map(Shot, paths), "out")] == wanted


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=300), min_size=1
    )
)
def test_no_two_places_are_alike_whatever_the_names(files: list[str]) -> None:
    shots = [Shot(os.path.join(str(number), file)) for number, file in enumerate(files)]
    jobs = jobs_for(shots, "out")
    assert len({job.name.casefold() for job in jobs}) == len(files)


@posix_only
def test_links_that_lead_nowhere_cost_themselves(folder: Path) -> None:
    for link, target in {
        "circle": "circle.png",
        "gone": "none.png",
        "long": "x" * 300,
        "good": "b.png",
    }.items():
        (folder / f"{link}.png").symlink_to(target)
    for named in ("", "*.*"):
        assert names(named, folder=folder) == ["a.JPG", "b.png", "good.png"]
        assert find_shots([str(folder / named)])[1] == {"a link that leads to no file": 3}
    assert names("circle.png", "b.png", folder=folder) == ["circle.png", "b.png"]


def test_a_folder_that_may_not_be_read_costs_itself(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scan = os.scandir

    def closed(path: str) -> Any:
        if Path(path) == denied:
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr("os.scandir", closed)
    denied = folder / "in"
    assert names("", recursive=True, folder=folder) == ["a.JPG", "b.png"]
    _, skipped = find_shots([str(folder)], recursive=True)
    assert skipped == {"a folder that cannot be opened": 1}
    denied = folder
    with pytest.raises(ImageUnreadableError, match="Permission denied"):
        find_shots([str(folder)])
