"""Which screenshots are meant, and where their solutions go."""

from __future__ import annotations

import io
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.batch.jobs import Shot, find_shots, jobs_for
from flowvision.errors import ImageUnreadableError, OutputError
from flowvision.image.codec import encode
from flowvision.image.mark import marked
from tests.commands import posix_only


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pictures and other files, two folders deep."""
    for name in (
        "b.png",
        "a.JPG",
        "a.solved.png",
        "a.hint.png",
        "notes.txt",
        "clip.mp4",
        ".pending-c.png",
        "in/a.jpg",
    ):
        path = tmp_path / "shots" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    (tmp_path / "shots" / "deeper.png").mkdir()
    return tmp_path / "shots"


def names(*named: str | Path, recursive: bool = False, folder: Path) -> list[str]:
    """What is found, below the folder."""
    found, _ = find_shots([str(one) for one in named], recursive)
    return [os.path.relpath(shot.path, folder) for shot in found]


def test_a_folder_gives_its_pictures_by_name(folder: Path) -> None:
    """No earlier solutions, hidden files, files of other kinds or folders; videos are counted."""
    assert names(folder, folder=folder) == ["a.JPG", "b.png"]
    assert find_shots([str(folder)])[1] == {"a video": 1}


def test_pictures_that_flowvision_made_are_passed_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever they are called, in a folder, a pattern or a list; one that is named alone is taken."""
    (folder / "answer.png").write_bytes(marked(encode(np.zeros((9, 9, 3), np.uint8))))
    for named in (folder, folder / "*"):
        assert names(named, folder=folder) == ["a.JPG", "b.png"]
    assert find_shots([str(folder)])[1] == {"a video": 1, "a picture that Flowvision made": 1}
    assert names(folder / "answer.png", folder=folder) == ["answer.png"]
    given = "\n".join(str(folder / name) for name in ("answer.png", "b.png")).encode()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(given)))
    assert names("-", folder=folder) == ["b.png"]


def test_recursive_keeps_the_tree(folder: Path, tmp_path: Path) -> None:
    """Equal names in different folders get different places, named after the folders."""
    found, _ = find_shots([str(folder)], recursive=True)
    assert [job.name for job in jobs_for(found, tmp_path / "out")] == ["a", "b", "in/a"]


def test_what_a_batch_wrote_is_not_searched(folder: Path) -> None:
    """An output folder inside the input folder, or the input folder as output, gives no screenshots."""
    for name in ("out/.flowvision/lock", "out/x.png", ".flowvision/lock", "thumbs/x.png"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    assert names(folder, recursive=True, folder=folder) == ["a.JPG", "b.png", "in/a.jpg"]


def test_patterns_files_and_lists(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern gives its pictures, a file itself whatever its kind, ``-`` a list; nothing comes twice."""
    assert names(folder / "*", folder=folder) == ["a.JPG", "b.png"]
    assert names(folder / "**" / "*", folder=folder) == ["a.JPG", "b.png", "in/a.jpg"]
    assert names(folder / "notes.txt", folder / "b.png", folder / "*", folder=folder) == [
        "notes.txt",
        "b.png",
        "a.JPG",
    ]
    data = f"{folder}/b.png\0{folder}/gone.png\0".encode()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    assert names("-", folder=folder) == ["b.png", "gone.png"]


def test_a_file_that_is_not_there_is_a_job_that_will_fail(tmp_path: Path) -> None:
    """One missing picture stops nobody; a missing folder or a pattern without matches is a mistake."""
    assert names(tmp_path / "gone.png", folder=tmp_path) == ["gone.png"]
    (tmp_path / "empty").mkdir()
    for place in ("gone", "empty", "empty/*.txt"):
        with pytest.raises(ImageUnreadableError):
            find_shots([str(tmp_path / place)])


def test_a_screenshot_is_never_an_output(tmp_path: Path) -> None:
    """A job whose solution would replace another screenshot is refused before anything is done."""
    shots = [Shot(str(tmp_path / "x.png")), Shot(str(tmp_path / "x.solved.png"))]
    with pytest.raises(OutputError, match="not be overwritten"):
        jobs_for(shots, tmp_path)


def test_names_alike_are_told_apart() -> None:
    """By suffix, then by number; also where only case or the way of writing accents differs."""
    paths = ["x.png", "x.jpg", "y.png", "d/y.png", "Z.png", "z.png", "\u00e9.png", "e\u0301.png"]
    assert [job.name for job in jobs_for(map(Shot, paths), "out")] == [
        "x.png",
        "x.jpg",
        "y.png-1",
        "y.png-2",
        "Z.png-1",
        "z.png-2",
        "\u00e9.png-1",
        "e\u0301.png-2",
    ]


@given(st.lists(st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=300), min_size=1))
def test_no_two_places_are_alike_whatever_the_names(files: list[str]) -> None:
    """Every job has a place of its own, short enough for any file system."""
    shots = [Shot(os.path.join(str(number), file)) for number, file in enumerate(files)]
    jobs = jobs_for(shots, "out")
    assert len({job.name.casefold() for job in jobs}) == len(files)
    assert all(len(os.fsencode(f"{job.name}.solved.png")) <= 255 for job in jobs)


def test_no_pictures_is_said_with_what_there_was_instead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kinds skipped are counted; a list is called one."""
    (tmp_path / "clip.mp4").touch()
    with pytest.raises(ImageUnreadableError, match="skipped 1 × a video"):
        find_shots([str(tmp_path)])
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"\n")))
    with pytest.raises(ImageUnreadableError, match="the list on standard input"):
        find_shots(["-"])


@pytest.fixture
def broken(folder: Path) -> list[Path]:
    """Links to itself, to what is gone, and to what cannot be asked for."""
    links = [folder / "circle.png", folder / "gone.png", folder / "long.png"]
    for link, target in zip(links, ("circle.png", "nothing.png", "x" * 300), strict=True):
        link.symlink_to(target)
    return links


@posix_only
@pytest.mark.parametrize("named", ["", "*.*"])
def test_links_that_lead_nowhere_cost_themselves(folder: Path, broken: list[Path], named: str) -> None:
    """In a folder, and where a pattern names them, they are counted."""
    (folder / "good.png").symlink_to("b.png")
    found, skipped = find_shots([str(folder / named)])
    assert [Path(shot.path).name for shot in found] == ["a.JPG", "b.png", "good.png"]
    assert skipped == {"a video": 1, "a link that leads to no file": len(broken)}


@posix_only
def test_a_link_that_is_named_fails_in_its_place(folder: Path, broken: list[Path]) -> None:
    """It is one of the pictures asked for."""
    found, skipped = find_shots([str(broken[0]), str(folder / "b.png")])
    assert [Path(shot.path).name for shot in found] == ["circle.png", "b.png"]
    assert not skipped


def test_a_folder_that_may_not_be_read_costs_itself(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside the folder that is named it is skipped, and counted; that one itself must be readable."""
    scan = os.scandir

    def closed(path: str) -> Any:
        if Path(path) == denied:
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr("os.scandir", closed)
    denied = folder / "in"
    found, skipped = find_shots([str(folder)], recursive=True)
    assert [Path(shot.path).name for shot in found] == ["a.JPG", "b.png"]
    assert skipped == {"a video": 1, "a folder that cannot be opened": 1}
    denied = folder
    with pytest.raises(ImageUnreadableError, match="Permission denied"):
        find_shots([str(folder)])
