"""Answers in other forms, and corrections, as they are asked for on the command line."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import numpy as np
import pytest
from PIL import Image

from flowvision.errors import ExitCode
from flowvision.image.codec import encode
from tests.commands import exit_code as run
from tests.drawing import FIVE, FIVE_SOLVED, screenshot_of

HUGE = "9" * 5000
"""More digits than Python converts."""


@pytest.fixture
def missed(tmp_path: Path) -> Path:
    """A screenshot on which a dot is not to be seen."""
    path = tmp_path / "missed.png"
    path.write_bytes(encode(screenshot_of(FIVE.replace("..B.O", "..B.."))))
    return path


@pytest.mark.parametrize("name", ["out.gif", "out.png", "out.apng"])
def test_pictures_that_move(
    shot: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """By suffix, or with --animate; the board is printed as ever."""
    assert run(shot, "-o", tmp_path / name, *(["--animate"] if name.endswith(".png") else [])) == 0
    picture = Image.open(BytesIO((tmp_path / name).read_bytes()))
    assert picture.n_frames > 10
    assert picture.size == screenshot_of(FIVE).shape[1::-1]
    assert capsys.readouterr().out == FIVE_SOLVED + "\n"


def test_animate_alone_writes_the_usual_file(shot: Path) -> None:
    """As an animated PNG."""
    assert run(shot, "--animate") == 0
    assert Image.open(BytesIO(shot.with_name("shot.solved.png").read_bytes())).n_frames > 10


def test_vectors(shot: Path, tmp_path: Path) -> None:
    """The board alone, whole."""
    assert run(shot, "-o", tmp_path / "out.svg") == 0
    assert Xml.parse(tmp_path / "out.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize("how", [["-o", "{}/shot.solved.txt"], ["--format", "txt"]])
def test_text(shot: Path, how: list[str]) -> None:
    """The board as it is printed, whole or a hint of it; of a puzzle without a picture as well."""
    place = shot.with_name("shot.solved.txt")
    assert run(shot, *(word.format(shot.parent) for word in how)) == 0
    assert place.read_text() == FIVE_SOLVED + "\n"
    assert run(shot, "--hint", "next", "-o", place, "--force") == 0
    assert "has one way out: to row" in place.read_text()
    (shot.parent / "five.txt").write_text(FIVE)
    assert run("puzzle", shot.parent / "five.txt", "-o", place, "--force") == 0
    assert place.read_text() == FIVE_SOLVED + "\n"


def test_a_hint_is_drawn_and_explained(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its file has a name of its own; neither text nor JSON nor picture holds the answer."""
    assert run(shot, "--hint", "next") == 0
    said = capsys.readouterr()
    assert "has one way out: to row" in said.out
    assert "has one way" in said.out
    assert FIVE_SOLVED not in said.out
    assert "hint in " in said.err
    assert shot.with_name("shot.hint.png").exists()
    assert not shot.with_name("shot.solved.png").exists()
    assert run(shot, "--hint", "3", "--json", "--geometry") == 0
    described = json.loads(capsys.readouterr().out)
    assert {step["flow"] for step in described["hint"]} <= set(range(5))
    assert len({step["flow"] for step in described["hint"]}) == 3
    assert described["why"]
    assert not any({"path", "path_px"} & set(flow) for flow in described["flows"])
    assert "paths" not in described


def test_a_hint_names_a_pipe_that_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that the solution does not have is to be taken back."""
    import cv2

    bgr = screenshot_of(FIVE)
    cv2.line(bgr, (42, 170), (102, 170), (0, 0, 255), 20)
    (tmp_path / "wrong.png").write_bytes(encode(bgr))
    assert run(tmp_path / "wrong.png", "--hint", "next") == 0
    assert "pipe of R" in capsys.readouterr().err


def test_geometry(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Frame, cells and paths in pixels, on demand."""
    assert run(shot, "--json") == 0
    assert "frame" not in json.loads(capsys.readouterr().out)
    assert run(shot, "--json", "--geometry") == 0
    described = json.loads(capsys.readouterr().out)
    assert len(described["frame"]) == 9
    assert len(described["cells_px"]) == 25
    assert all(len(flow["path_px"][0]) == 2 * len(flow["path"]) - 1 for flow in described["flows"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["--geometry"],
        ["--copy", "--animate"],
        ["--paste", "SHOT"],
        ["--set", "1,4"],
        ["--set", "x=R"],
        ["--set", "1,4=RR"],
        ["--set", "0,4=R"],
        ["--set", f"{HUGE},4=R"],
        ["--set", f"{HUGE}=R"],
        ["--hint", HUGE],
        ["--hint", "Ruby"],
        ["--copy", "SHOT"],
    ],
)
def test_what_does_not_go_together_is_a_usage_error(shot: Path, arguments: list[str]) -> None:
    """Before anything is solved or written."""
    if arguments[0] == "--copy":
        pytest.importorskip("copykitten")
    files = [] if arguments == ["--paste"] else [shot]
    given = [str(shot) if word == "SHOT" else word for word in arguments]
    assert run(*files, *given) == ExitCode.USAGE
    assert not list(shot.parent.glob("*.solved.png"))


@pytest.mark.parametrize(
    ("name", "extra"), [("x.jpg", ["--animate"]), ("x.tga", []), ("x.bmp", ["--hint", "next"])]
)
def test_what_cannot_be_written_is_refused(shot: Path, tmp_path: Path, name: str, extra: list[str]) -> None:
    """Exit code 10, nothing is written."""
    assert run(shot, "-o", tmp_path / name, *extra) == ExitCode.OUTPUT_NOT_WRITTEN
    assert not (tmp_path / name).exists()


def test_an_unknown_flow_is_refused(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the letters there are."""
    assert run(shot, "--hint", "Q") == ExitCode.PUZZLE_NOT_READ
    assert "R" in capsys.readouterr().err


def test_a_refused_board_is_shown_and_corrected(
    missed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was seen is printed with the error; --set puts it right, and so does the edited text."""
    assert run(missed) == ExitCode.PUZZLE_NOT_READ
    said = capsys.readouterr().err
    assert "R.G.Y\n    ..B..\n" in said
    assert "--set" in said
    assert run(missed, "--set", "2,5=O", "--json") == 0
    described = json.loads(capsys.readouterr().out)
    assert described["corrected"] is True
    assert described["board"]["grid"] == FIVE.split()
    (tmp_path / "fixed.txt").write_text(FIVE)
    assert run(missed, "--board", tmp_path / "fixed.txt") == 0
    assert capsys.readouterr().out == FIVE_SOLVED + "\n"
    assert run("read", missed, "--set", "2,5=o") == 0
    assert capsys.readouterr().out == FIVE


def test_walls_are_corrected(shot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the edited text board; what is not corrected is not called so."""
    board = tmp_path / "board.txt"
    for walls, text in (([[[2, 2], [2, 3]]], f"{FIVE}wall 3,3/3,4\n"), ([], FIVE)):
        board.write_text(text)
        assert run("read", shot, "--board", board, "--json") == 0
        described = json.loads(capsys.readouterr().out)
        assert described["board"]["walls"] == walls
        assert described["corrected"] is True
    assert run("read", shot, "--json") == 0
    assert "corrected" not in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    "part",
    [np.s_[: 140 + 4 * 60], np.s_[:, : 12 + 4 * 60], np.s_[140 + 60 :]],
    ids=["bottom", "right", "top"],
)
def test_a_board_that_the_picture_cuts_is_completed(
    tmp_path: Path, part: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a text with its missing row or column, whose dots lie beyond the picture; in every form."""
    path, board = tmp_path / "cut.png", tmp_path / "board.txt"
    path.write_bytes(encode(screenshot_of(FIVE)[part].copy()))
    board.write_text(FIVE)
    for form in ("out.png", "out.svg"):
        assert run(path, "--board", board, "-o", tmp_path / form) == 0
        assert capsys.readouterr().out == FIVE_SOLVED + "\n"
    assert run(path, "--board", board, "--hint", "next", "-o", tmp_path / "hint.png") == 0


def test_a_board_file_that_is_none(shot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Missing, or no board: said, with the exit code of such files."""
    assert run(shot, "--board", tmp_path / "none.txt") == ExitCode.IMAGE_UNREADABLE
    (tmp_path / "bad.txt").write_text("what?\n")
    assert run(shot, "--board", tmp_path / "bad.txt") == ExitCode.PUZZLE_NOT_READ


@pytest.mark.parametrize("name", ["p.svg", "p.png", "p.gif", "p.jpg"])
def test_puzzles_get_pictures(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a screenshot; a hint is drawn in place of the whole."""
    (tmp_path / "five.txt").write_text(FIVE)
    assert run("puzzle", tmp_path / "five.txt", "-o", tmp_path / name) == 0
    assert capsys.readouterr().out.startswith(FIVE_SOLVED)
    whole = (tmp_path / name).read_bytes()
    assert run("puzzle", tmp_path / "five.txt", "--hint", "2", "-o", tmp_path / name) == 0
    assert (tmp_path / name).read_bytes() != whole


def test_several_puzzles_are_drawn_in_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each under its name; in one file there is room for one."""
    records = [{"id": f"a/{n}", "rows": 1, "cols": 3, "pairs": [[[0, 0], [0, 2]]]} for n in range(2)]
    (tmp_path / "two.jsonl").write_text("\n".join(map(json.dumps, records)))
    assert run("puzzle", tmp_path / "two.jsonl", "-o", f"{tmp_path}/out/") == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a-0.png", "a-1.png"]
    (tmp_path / "alike.jsonl").write_text("\n".join(json.dumps(one | {"id": "a/0"}) for one in records))
    assert run("puzzle", tmp_path / "alike.jsonl", "-o", f"{tmp_path}/more/") == 0
    assert sorted(path.name for path in (tmp_path / "more").iterdir()) == ["a-0-2.png", "a-0.png"]
    assert run("puzzle", tmp_path / "two.jsonl", "-o", tmp_path / "one.png") == ExitCode.SOME_FAILED
    assert "already shows the puzzle a/0" in capsys.readouterr().err


def test_pictures_of_puzzles_that_cannot_be(tmp_path: Path) -> None:
    """No solution, no picture; stdout holds one thing; several files need a folder."""
    (tmp_path / "none.txt").write_text("R.G\n...\nG.R\n")
    assert run("puzzle", tmp_path / "none.txt", "-o", tmp_path / "x.png") == ExitCode.UNSOLVABLE
    assert not (tmp_path / "x.png").exists()
    for wrong in (["-o", "-", "--json"], ["--animate"]):
        assert run("puzzle", tmp_path / "none.txt", *wrong) == ExitCode.USAGE
    two = [tmp_path / "none.txt"] * 2
    assert run("puzzle", *two, "-o", tmp_path / "x.png") == ExitCode.USAGE


def test_a_puzzle_drawn_to_standard_output(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The picture and nothing else."""
    (tmp_path / "five.txt").write_text(FIVE)
    assert run("puzzle", tmp_path / "five.txt", "-o", "-") == 0
    assert Image.open(BytesIO(capsysbinary.readouterr().out)).format == "PNG"
