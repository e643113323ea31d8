import json
import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from flowvision.errors import ExitCode
from flowvision.files import is_marked
from flowvision.image.codec import decode, encode
from flowvision.puzzle.formats import puzzles_in
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from tests.boards import rhombi
from tests.commands import Terminal, flowvision, invoke
from tests.commands import exit_code as run
from tests.drawing import FIVE, FIVE_SOLVED, MISSED, NONE, screenshot_of
from tests.tools.synthetic import Style, draw_screenshot

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def missed(there: Path) -> str:
    (there / "missed.png").write_bytes(encode(screenshot_of(MISSED)))
    return "missed.png"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def objects(capsys: Capture) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_solution_is_written_and_printed(there: Path, capsys: Capture) -> None:
    before = (there / "shot.png").read_bytes()
    assert run("solve", "shot.png") == 0
    captured = capsys.readouterr()
    assert captured.out == FIVE_SOLVED + "\n"
    assert captured.err == "shot.png: solved in shot.solved.png\n"
    assert decode((there / "shot.solved.png").read_bytes()).bgr.shape == screenshot_of(FIVE).shape
    assert (there / "shot.png").read_bytes() == before
    assert run("shot.png", "shot.png") == 0
    assert capsys.readouterr().out.count("\n") == 5


def test_the_puzzle_is_read_and_nothing_written(there: Path, impossible: Path, capsys: Capture) -> None:
    assert run("read", "shot.png") == 0
    assert capsys.readouterr().out == FIVE
    (there / "copy.png").write_bytes((there / "shot.png").read_bytes())
    assert run("read", "shot.png", "copy.png") == 0
    assert capsys.readouterr().out == f"shot.png:\n{FIVE}\ncopy.png:\n{FIVE}\n"
    assert run("read", "shot.png", impossible.name, "--json") == 11
    right, wrong = objects(capsys)
    assert parse("\n".join(right["board"]["grid"])).puzzle == parse(FIVE).puzzle
    assert not any("path" in flow for flow in right["flows"])
    assert (wrong["ok"], wrong["board"]["grid"]) == (False, ["R.G", "...", "G.R"])
    assert names(there) == ["copy.png", "impossible.png", "shot.png"]


def test_json_is_one_object_a_screenshot(there: Path, menu: Path, capsys: Capture) -> None:
    for name, data in (
        ("empty", b""),
        ("text", b"no picture"),
        ("cut", (there / "shot.png").read_bytes()[:-500]),
    ):
        (there / f"{name}.png").write_bytes(data)
    (there / "none.png").write_bytes(encode(screenshot_of(NONE)))
    codes = {"missing.png": 3, "empty.png": 3, "text.png": 3, "cut.png": 3, menu.name: 4, "none.png": 7}
    assert run("solve", *codes, "shot.png", "--json") == ExitCode.SOME_FAILED
    *failed, solved = objects(capsys)
    assert {one["file"]: one["error"]["exit_code"] for one in failed if not one["ok"]} == codes
    assert [path.name for path in there.glob("*.solved.png")] == ["shot.solved.png"]
    assert (solved["file"], solved["ok"], solved["unique"]) == ("shot.png", True, True)
    assert Path(solved["output"]).exists()
    for name in ("missing.png", menu.name, "none.png"):
        assert run(name) == codes[name]


@pytest.mark.parametrize(
    ("arguments", "name", "start"),
    [
        (["-o", "out.JPEG"], "out.JPEG", b"\xff\xd8"),
        (["-o", "new/"], "new/shot.solved.png", b"\x89PNG"),
        (["--format", "jpg", "-o", "out.jpg"], "out.jpg", b"\xff\xd8"),
        *(([option], "shot.solved.png", b"\x89PNG") for option in ("--animate", "--letters", "--arrows")),
        *((["--format", form], f"shot.solved.{form}", b"") for form in ("webp", "pdf", "gif", "txt")),
    ],
)
def test_place_and_form_of_the_output(arguments: list[str], name: str, start: bytes, there: Path) -> None:
    assert run("shot.png", *arguments) == 0
    data = (there / name).read_bytes()
    assert data.startswith(start)
    assert is_marked(there / name) or name.endswith("txt")
    assert len(names(there)) == 2
    if arguments[0] == "--format":
        assert invoke("shot.png", *arguments, "-o", "-").stdout_bytes == data
    elif arguments[0] != "-o":
        assert run("shot.png") == 0
        assert (there / name).read_bytes() != data


def test_only_what_flowvision_wrote_is_overwritten(there: Path, capsys: Capture) -> None:
    before = (there / "shot.png").read_bytes()
    (there / "shot.solved.png").write_bytes(before)
    for force in ([], ["--force"]):
        assert run("shot.png", "-o", "shot.png", *force) == ExitCode.OUTPUT_NOT_WRITTEN
    assert run("shot.png", "shot.solved.png", "--json") == ExitCode.SOME_FAILED
    assert [one["ok"] for one in objects(capsys)] == [False, True]
    assert (there / "shot.png").read_bytes() == (there / "shot.solved.png").read_bytes() == before
    for data in (before, b""):
        (there / "mine.png").write_bytes(data)
        assert run("shot.png", "-o", "mine.png") == ExitCode.OUTPUT_NOT_WRITTEN
        assert (there / "mine.png").read_bytes() == data
        assert "`--force`" in capsys.readouterr().err
    assert run("shot.png", "-o", "mine.png", "--force") == run("shot.png", "-o", "mine.png") == 0


@pytest.mark.parametrize("place", ["missing/x.png", "x.bmp", "x", "x.jpg --animate", "x.bmp --hint next"])
def test_an_output_that_cannot_be_written(there: Path, place: str, capsys: Capture) -> None:
    assert run("shot.png", "-o", *place.split()) == ExitCode.OUTPUT_NOT_WRITTEN
    assert names(there) == ["shot.png"]
    assert ("no folder missing" in capsys.readouterr().err) == (place == "missing/x.png")


@pytest.mark.parametrize("suffix", ["png", "jpg"])
def test_all_pictures_of_a_folder_twice(there: Path, suffix: str, capsys: Capture) -> None:
    (there / "other.png").write_bytes((there / "shot.png").read_bytes())
    assert run("shot.png", "-o", f"shot.solved.{suffix}") == 0
    before = names(there)
    for _ in range(2):
        capsys.readouterr()
        assert run(*names(there), "--json") == 0
        captured = capsys.readouterr()
        assert [json.loads(line)["file"] for line in captured.out.splitlines()] == ["other.png", "shot.png"]
        assert f"shot.solved.{suffix}: skipped" in captured.err
    assert names(there) == sorted({*before, "other.solved.png", "shot.solved.png"})


def test_a_solution_alone_is_solved_again(there: Path, capsys: Capture) -> None:
    assert run("shot.png") == run("shot.solved.png") == run("read", "shot.solved.png") == 0
    printed = capsys.readouterr().err
    assert "shot.solved.png: made by Flowvision, a solution or a hint" in printed
    assert "solved already: nothing is written" in printed
    assert run("shot.png", "--hint", "next") == run("shot.hint.png") == 0
    assert names(there) == ["shot.hint.png", "shot.png", "shot.solved.png"]


def test_pictures_of_one_name_have_a_solution_each(there: Path) -> None:
    (there / "b").mkdir()
    for copy in ("b/shot.png", "shot.jpg"):
        (there / copy).write_bytes((there / "shot.png").read_bytes())
        if copy == "b/shot.png":
            assert run("shot.png", copy, "-o", "one") == ExitCode.SOME_FAILED
    for place in ([], ["-o", "out/"]):
        for name in ("shot.png", "shot.jpg"):
            assert run(name, *place) == 0
    wanted = ["shot.jpg.solved.png", "shot.png.solved.png"]
    assert [path.name for path in sorted(there.glob("*.solved.png"))] == names(there / "out") == wanted


@pytest.mark.parametrize("word", ["", "missing.png", "shot.png/inside", ".", "..", "/"])
def test_a_name_that_is_no_picture(there: Path, word: str, capsys: Capture) -> None:
    assert run("solve", word, "shot.png") == ExitCode.SOME_FAILED
    printed = capsys.readouterr().err
    assert "shot.png: solved" in printed
    assert "please report" not in printed
    assert (f"flowvision batch {word} -o OUT" in printed) == (word in (".", "..", "/"))


def test_a_puzzle_in_place_of_a_picture(there: Path, capsys: Capture) -> None:
    (there / "p.txt").write_text(FIVE)
    assert run("p.txt") == ExitCode.IMAGE_UNREADABLE
    assert "`flowvision puzzle FILE`" in capsys.readouterr().err
    (there / "shot.txt").write_bytes((there / "shot.png").read_bytes())
    assert run("shot.txt") == 0


def test_a_bug_stops_no_other_screenshot(
    there: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from flowvision import pipeline

    open_image = pipeline.open_image

    def failing(source: str, *rest: float) -> object:
        if Path(source).stem == "bug":
            raise IndexError("list index out of range")
        return open_image(source, *rest)

    monkeypatch.setattr(pipeline, "open_image", failing)
    assert run("shot.png") == 0
    (there / "bug.png").write_bytes((there / "shot.png").read_bytes())
    capsys.readouterr()
    assert run("bug.png", "shot.png", "--json") == ExitCode.SOME_FAILED
    captured = capsys.readouterr()
    failed, solved = map(json.loads, captured.out.splitlines())
    assert (failed["error"]["code"], failed["error"]["exit_code"]) == ("crashed", 1)
    assert (failed["file"], solved["ok"]) == ("bug.png", True)
    assert "IndexError: list index out of range" in captured.err
    assert "in failing" in captured.err
    assert run("bug.png") == ExitCode.BUG


@pytest.mark.parametrize("command", ["solve", "read"])
def test_debug_pages(command, there, menu, monkeypatch, capsys):
    shown: list[str] = []
    monkeypatch.setattr(webbrowser, "open", shown.append)
    assert run(command, "shot.png", "--open", "--debug", "one") == 0
    assert shown == [(there / "one" / "index.html").as_uri()]
    inputs = [decode((there / name).read_bytes()).bgr for name in ("shot.png", "one/00-input.png")]
    assert np.array_equal(*inputs)
    assert f"every stage in {Path('one/index.html')}" in capsys.readouterr().err
    assert run(command, menu.name, "shot.png", "--debug", "two") == ExitCode.SOME_FAILED
    assert names(there / "two") == ["menu", "shot"]
    printed = capsys.readouterr().err
    assert f"Why: {Path('two/menu/index.html')}" in printed
    assert "`--debug`" not in printed
    assert run(command, menu.name) == ExitCode.BOARD_NOT_FOUND
    assert "`--debug`" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["solve shot.png", "read shot.png", "puzzle five.txt"])
def test_boards_are_coloured_in_terminals(command: str, there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    (there / "five.txt").write_text(FIVE)
    for no_colour, is_coloured in ((None, True), ("", True), ("1", False)):
        if no_colour is not None:
            monkeypatch.setenv("NO_COLOR", no_colour)
        monkeypatch.setattr(sys, "stdout", out := Terminal())
        assert run(*command.split()) == 0
        assert ("38;2;" in out.getvalue()) is is_coloured


def test_where_to_look(there: Path, capsys: Capture) -> None:
    assert run("shot.png", "--crop", "0,100,324,400", "--grid", "5x5", "--colors", "5") == 0
    assert capsys.readouterr().out == FIVE_SOLVED + "\n"
    assert run("shot.png", "--rotate", "90") == 0
    turned = FIVE_SOLVED.split()[::-1]
    assert capsys.readouterr().out.split() == ["".join(column) for column in zip(*turned, strict=True)]
    height, width = screenshot_of(FIVE).shape[:2]
    assert decode((there / "shot.solved.png").read_bytes()).bgr.shape[:2] == (width, height)


def test_cells_of_any_shape_say_how_they_are_counted(there: Path, capsys: Capture) -> None:
    board = rhombi(5, 3)
    shot = draw_screenshot(board, random_puzzle(board, 1, 8)[0], Style(), 1).screenshot
    (there / "star.png").write_bytes(encode(shot.bgr))
    assert run("read", "star.png") == 0
    text = capsys.readouterr().out
    assert text.startswith("free  // cells are counted from 0 here; `--set` and hints count from 1\n")
    (again,) = puzzles_in(text)
    assert len(again.puzzle.terminals) == 8


def test_a_hint_is_drawn_and_explained(there: Path, capsys: Capture) -> None:
    assert run("shot.png", "--hint", "next") == 0
    captured = capsys.readouterr()
    assert "has one way out: to row" in captured.out
    assert FIVE_SOLVED not in captured.out
    assert "hint in shot.hint.png" in captured.err
    assert names(there) == ["shot.hint.png", "shot.png"]
    assert run("shot.png", "--hint", "3", "--json", "--geometry") == 0
    (described,) = objects(capsys)
    assert len({step["flow"] for step in described["hint"]}) == 3
    assert described["why"]
    assert (len(described["frame"]), len(described["cells_px"])) == (9, 25)
    assert not any({"path", "path_px"} & set(flow) for flow in described["flows"])
    assert run("shot.png", "--hint", "Q") == ExitCode.PUZZLE_NOT_READ
    bgr = screenshot_of(FIVE)
    cv2.line(bgr, (42, 170), (102, 170), (0, 0, 255), 20)
    (there / "wrong.png").write_bytes(encode(bgr))
    assert run("wrong.png", "--hint", "next") == 0
    assert "erase: R" in capsys.readouterr().err


def test_a_refused_board_is_shown_and_corrected(missed: str, there: Path, capsys: Capture) -> None:
    assert run(missed) == ExitCode.PUZZLE_NOT_READ
    printed = capsys.readouterr().err
    assert "    R.G.Y\n    ..B..\n    ....." in printed
    assert "--set" in printed
    assert "With the corrections" not in printed
    assert run(missed, "--set", "3,3=Y") == ExitCode.PUZZLE_NOT_READ
    printed = capsys.readouterr().err
    assert "    R.G.Y\n    ..B..\n    ..Y.." in printed
    assert "With the corrections" in printed
    for mark in ("2,5=O", "2, 5 = orange"):
        assert run(missed, "--set", mark, "--json") == 0
        (described,) = objects(capsys)
        assert (described["corrected"], described["board"]["grid"]) == (True, FIVE.split())
    (there / "fixed.txt").write_text(f"{FIVE}wall 3,3/3,4\n")
    assert run("read", missed, "--board", "fixed.txt", "--json") == 0
    assert objects(capsys)[0]["board"]["walls"] == [[[2, 2], [2, 3]]]
    assert run("shot.png", "--json") == 0
    assert "corrected" not in objects(capsys)[0]


@pytest.mark.parametrize("part", [np.s_[:380], np.s_[:, :252], np.s_[200:]], ids=["bottom", "right", "top"])
def test_a_board_that_the_picture_cuts_is_completed(there: Path, part: Any, capsys: Capture) -> None:
    (there / "cut.png").write_bytes(encode(screenshot_of(FIVE)[part].copy()))
    assert run("cut.png", "--board", "board.txt") == ExitCode.IMAGE_UNREADABLE
    for text in ("what?\n", FIVE):
        (there / "board.txt").write_text(text)
        assert run("cut.png", "--board", "board.txt") == ExitCode.PUZZLE_NOT_READ
    assert "`--grid 5x5`" in capsys.readouterr().err
    assert run("cut.png", "--board", "board.txt", "--grid", "5x5") == 0
    assert capsys.readouterr().out == FIVE_SOLVED + "\n"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_that_are_not_text(shot: Path) -> None:
    odd = os.fsencode(shot.parent) + b"/caf\xe9 \xe2\x82\xac.png"
    os.rename(shot, odd)
    done = flowvision("solve", odd, odd + b".missing", "--json")
    assert done.returncode == ExitCode.SOME_FAILED
    assert b"Traceback" not in done.stderr
    assert [json.loads(line)["ok"] for line in done.stdout.splitlines()] == [True, False]


def test_quiet(there: Path, capsys: Capture) -> None:
    for line in ("shot.png -q", "shot.png shot.solved.png --quiet", "read shot.png -q", "shot.png --open -q"):
        assert run(*line.split()) == 0
    assert (there / "shot.solved.png").exists()
    assert capsys.readouterr() == ("", "")
    assert run("gone.jpg", "-q") == ExitCode.IMAGE_UNREADABLE
    assert "No such file" in capsys.readouterr().err
