import json
import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from flowvision import pipeline
from flowvision.errors import ExitCode
from flowvision.files import is_marked
from flowvision.image.codec import decode, encode
from flowvision.puzzle.formats import puzzles_in
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from tests.boards import rhombi
from tests.commands import Terminal, exit_code, flowvision, invoke
from tests.drawing import (
    CORNER,
    DOT_MISSED,
    LEVEL_5X5,
    LEVEL_5X5_SOLVED,
    PITCH,
    UNSOLVABLE,
    cell_middle,
    screenshot_of,
)
from tests.tools.synthetic import Style, draw_screenshot

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def missed(cwd: Path) -> str:
    (cwd / "missed.png").write_bytes(encode(screenshot_of(DOT_MISSED)))
    return "missed.png"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def printed_objects(capsys: Capture) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_solution_is_written_and_printed_once_a_screenshot(cwd: Path, capsys: Capture) -> None:
    before = (cwd / "shot.png").read_bytes()
    assert exit_code("solve", "shot.png", "shot.png") == 0
    printed = capsys.readouterr()
    assert printed.out == LEVEL_5X5_SOLVED + "\n"
    assert printed.err == "shot.png: solved in shot.solved.png\n"
    assert decode((cwd / "shot.solved.png").read_bytes()).bgr.shape == screenshot_of(LEVEL_5X5).shape
    assert (cwd / "shot.png").read_bytes() == before


def test_puzzles_are_read_and_nothing_is_written(cwd: Path, capsys: Capture) -> None:
    assert exit_code("read", "shot.png") == 0
    assert capsys.readouterr().out == LEVEL_5X5
    (cwd / "copy.png").write_bytes((cwd / "shot.png").read_bytes())
    assert exit_code("read", "shot.png", "copy.png") == 0
    assert capsys.readouterr().out == f"shot.png:\n{LEVEL_5X5}\ncopy.png:\n{LEVEL_5X5}\n"
    assert names(cwd) == ["copy.png", "shot.png"]


def test_read_prints_objects_without_paths(cwd: Path, unsolvable: Path, capsys: Capture) -> None:
    assert exit_code("read", "shot.png", unsolvable.name, "--json") == ExitCode.SOME_FAILED
    solvable, unsolvable = printed_objects(capsys)
    assert parse("\n".join(solvable["board"]["grid"])).puzzle == parse(LEVEL_5X5).puzzle
    assert not any("path" in flow for flow in solvable["flows"])
    assert (unsolvable["ok"], unsolvable["board"]["grid"]) == (False, UNSOLVABLE.split())


@pytest.fixture
def bad_shots(cwd: Path, menu: Path) -> dict[str, int]:
    """Exit codes of screenshots in ``cwd`` that are not solved, by their names; one is missing."""
    (cwd / "empty.png").touch()
    (cwd / "text.png").write_bytes(b"no picture")
    (cwd / "cut.png").write_bytes((cwd / "shot.png").read_bytes()[:-500])
    (cwd / "none.png").write_bytes(encode(screenshot_of(UNSOLVABLE)))
    unreadable = dict.fromkeys(("missing.png", "empty.png", "text.png", "cut.png"), ExitCode.IMAGE_UNREADABLE)
    return unreadable | {menu.name: ExitCode.BOARD_NOT_FOUND, "none.png": ExitCode.UNSOLVABLE}


def test_json_is_one_object_a_screenshot(bad_shots: dict[str, int], cwd: Path, capsys: Capture) -> None:
    assert exit_code("solve", *bad_shots, "shot.png", "--json") == ExitCode.SOME_FAILED
    *failed, solved = printed_objects(capsys)
    assert {each["file"]: each["error"]["exit_code"] for each in failed if not each["ok"]} == bad_shots
    assert [path.name for path in cwd.glob("*.solved.png")] == ["shot.solved.png"]
    assert (solved["file"], solved["ok"], solved["unique"]) == ("shot.png", True, True)
    assert Path(solved["output"]).exists()


def test_a_single_failure_has_the_exit_code_of_its_error(bad_shots: dict[str, int]) -> None:
    names = ("missing.png", "menu.png", "none.png")
    assert {name: exit_code(name) for name in names} == {name: bad_shots[name] for name in names}


@pytest.mark.parametrize(
    ("arguments", "name", "start"),
    [
        ("-o out.JPEG", "out.JPEG", b"\xff\xd8"),
        ("-o new/", "new/shot.solved.png", b"\x89PNG"),
        ("--format jpg -o out.jpg", "out.jpg", b"\xff\xd8"),
        *((f"--format {form}", f"shot.solved.{form}", b"") for form in ("webp", "pdf", "gif", "txt")),
    ],
)
def test_place_and_form_of_the_output(arguments: str, name: str, start: bytes, cwd: Path) -> None:
    assert exit_code("shot.png", *arguments.split()) == 0
    data = (cwd / name).read_bytes()
    assert data.startswith(start)
    assert is_marked(cwd / name) or name.endswith("txt")
    assert len(names(cwd)) == 2
    if "--format" in arguments:
        assert invoke("shot.png", *arguments.split(), "-o", "-").stdout_bytes == data


@pytest.mark.parametrize("option", ["--animate", "--letters", "--arrows"])
def test_options_of_the_look_change_the_picture(option: str, cwd: Path) -> None:
    solved = cwd / "shot.solved.png"
    assert exit_code("shot.png", option) == 0
    with_option = solved.read_bytes()
    assert exit_code("shot.png") == 0
    assert solved.read_bytes() != with_option


def test_screenshots_are_never_overwritten(cwd: Path, capsys: Capture) -> None:
    """Not by force, and not where one is called like a solution."""
    before = (cwd / "shot.png").read_bytes()
    (cwd / "shot.solved.png").write_bytes(before)
    for force in ([], ["--force"]):
        assert exit_code("shot.png", "-o", "shot.png", *force) == ExitCode.OUTPUT_NOT_WRITTEN
    assert exit_code("shot.png", "shot.solved.png", "--json") == ExitCode.SOME_FAILED
    is_solved = {each["file"]: each["ok"] for each in printed_objects(capsys)}
    assert is_solved == {"shot.png": False, "shot.solved.png": True}
    assert (cwd / "shot.png").read_bytes() == (cwd / "shot.solved.png").read_bytes() == before


def test_a_file_of_the_user_is_overwritten_by_force_alone(cwd: Path, capsys: Capture) -> None:
    for content in ((cwd / "shot.png").read_bytes(), b""):
        (cwd / "mine.png").write_bytes(content)
        assert exit_code("shot.png", "-o", "mine.png") == ExitCode.OUTPUT_NOT_WRITTEN
        assert (cwd / "mine.png").read_bytes() == content
        assert "`--force`" in capsys.readouterr().err
    assert exit_code("shot.png", "-o", "mine.png", "--force") == 0
    assert exit_code("shot.png", "-o", "mine.png") == 0  # it is Flowvision's now


@pytest.mark.parametrize("output", ["missing/x.png", "x.bmp", "x", "x.jpg --animate", "x.bmp --hint next"])
def test_an_output_that_cannot_be_written(cwd: Path, output: str, capsys: Capture) -> None:
    assert exit_code("shot.png", "-o", *output.split()) == ExitCode.OUTPUT_NOT_WRITTEN
    assert names(cwd) == ["shot.png"]
    assert ("no folder missing" in capsys.readouterr().err) == (output == "missing/x.png")


@pytest.mark.parametrize("suffix", ["png", "jpg"])
def test_solutions_are_skipped_among_screenshots(cwd: Path, suffix: str, capsys: Capture) -> None:
    (cwd / "other.png").write_bytes((cwd / "shot.png").read_bytes())
    assert exit_code("shot.png", "-o", f"shot.solved.{suffix}") == 0
    before = names(cwd)
    for _ in range(2):
        capsys.readouterr()
        assert exit_code(*names(cwd), "--json") == 0
        printed = capsys.readouterr()
        assert [json.loads(line)["file"] for line in printed.out.splitlines()] == ["other.png", "shot.png"]
        assert f"shot.solved.{suffix}: skipped" in printed.err
    assert names(cwd) == sorted({*before, "other.solved.png", "shot.solved.png"})


def test_a_solution_or_a_hint_alone_is_read_as_a_screenshot(cwd: Path, capsys: Capture) -> None:
    assert exit_code("shot.png") == exit_code("shot.solved.png") == exit_code("read", "shot.solved.png") == 0
    printed = capsys.readouterr().err
    assert "shot.solved.png: made by Flowvision, a solution or a hint" in printed
    assert "solved already: nothing is written" in printed
    assert exit_code("shot.png", "--hint", "next") == exit_code("shot.hint.png") == 0
    assert names(cwd) == ["shot.hint.png", "shot.png", "shot.solved.png"]


def test_two_pictures_of_one_name_are_not_written_to_one_folder(cwd: Path) -> None:
    (cwd / "b").mkdir()
    (cwd / "b/shot.png").write_bytes((cwd / "shot.png").read_bytes())
    assert exit_code("shot.png", "b/shot.png", "-o", "one") == ExitCode.SOME_FAILED
    assert names(cwd / "one") == ["shot.solved.png"]


@pytest.mark.parametrize("options", [[], ["-o", "out/"]])
def test_pictures_with_other_suffixes_have_a_solution_each(options: list[str], cwd: Path) -> None:
    (cwd / "shot.jpg").write_bytes((cwd / "shot.png").read_bytes())
    for name in ("shot.png", "shot.jpg"):
        assert exit_code(name, *options) == 0
    solutions = sorted((cwd / "out" if options else cwd).glob("*.solved.png"))
    assert [path.name for path in solutions] == ["shot.jpg.solved.png", "shot.png.solved.png"]


@pytest.mark.parametrize("word", ["", "missing.png", "shot.png/inside", ".", "..", "/"])
def test_a_name_that_is_no_picture(cwd: Path, word: str, capsys: Capture) -> None:
    assert exit_code("solve", word, "shot.png") == ExitCode.SOME_FAILED
    printed = capsys.readouterr().err
    assert "shot.png: solved" in printed
    assert "please report" not in printed
    assert (f"flowvision batch {word} -o OUT" in printed) == (word in (".", "..", "/"))


def test_the_content_tells_a_puzzle_from_a_picture(cwd: Path, capsys: Capture) -> None:
    (cwd / "p.png").write_text(LEVEL_5X5)
    assert exit_code("p.png") == ExitCode.IMAGE_UNREADABLE
    assert "`flowvision puzzle FILE`" in capsys.readouterr().err
    (cwd / "shot.png").rename(cwd / "shot.txt")
    assert exit_code("shot.txt") == 0


def test_a_bug_stops_no_other_screenshot(cwd, capsys, monkeypatch) -> None:
    open_image = pipeline.open_image

    def open_or_fail(source: str, *rest: float) -> object:
        if Path(source).stem == "bug":
            raise IndexError("list index out of range")
        return open_image(source, *rest)

    monkeypatch.setattr(pipeline, "open_image", open_or_fail)
    (cwd / "bug.png").write_bytes((cwd / "shot.png").read_bytes())
    assert exit_code("bug.png", "shot.png", "--json") == ExitCode.SOME_FAILED
    printed = capsys.readouterr()
    failed, solved = map(json.loads, printed.out.splitlines())
    assert (failed["file"], failed["error"]["code"], failed["error"]["exit_code"]) == (
        "bug.png",
        "crashed",
        ExitCode.BUG,
    )
    assert solved["ok"]
    assert "IndexError: list index out of range" in printed.err
    assert "in open_or_fail" in printed.err
    assert exit_code("bug.png") == ExitCode.BUG


@pytest.mark.parametrize("command", ["solve", "read"])
def test_the_debug_page_of_a_screenshot_is_written_and_opened(command, cwd, monkeypatch, capsys):
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    assert exit_code(command, "shot.png", "--open", "--debug", "one") == 0
    assert opened == [(cwd / "one" / "index.html").as_uri()]
    assert f"every stage in {Path('one/index.html')}" in capsys.readouterr().err
    screenshot, copy = (decode((cwd / name).read_bytes()).bgr for name in ("shot.png", "one/00-input.png"))
    assert np.array_equal(screenshot, copy)


@pytest.mark.parametrize("command", ["solve", "read"])
def test_debug_pages_of_several_screenshots_have_a_folder_each(command, cwd, menu, capsys):
    assert exit_code(command, menu.name, "shot.png", "--debug", "two") == ExitCode.SOME_FAILED
    assert names(cwd / "two") == ["menu", "shot"]
    printed = capsys.readouterr().err
    assert f"Why: {Path('two/menu/index.html')}" in printed
    assert "`--debug`" not in printed


def test_a_refusal_offers_a_debug_page(menu: Path, capsys: Capture) -> None:
    for command in ("solve", "read"):
        assert exit_code(command, menu) == ExitCode.BOARD_NOT_FOUND
        assert "`--debug`" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["solve shot.png", "read shot.png", "puzzle five.txt"])
def test_boards_are_coloured_in_terminals(command: str, cwd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    (cwd / "five.txt").write_text(LEVEL_5X5)
    for no_colour, is_coloured in ((None, True), ("", True), ("1", False)):
        if no_colour is not None:
            monkeypatch.setenv("NO_COLOR", no_colour)
        monkeypatch.setattr(sys, "stdout", out := Terminal())
        assert exit_code(*command.split()) == 0
        assert ("38;2;" in out.getvalue()) is is_coloured


def test_a_part_a_size_and_a_number_of_colours_may_be_given(cwd: Path, capsys: Capture) -> None:
    assert exit_code("shot.png", "--crop", "0,100,324,400", "--grid", "5x5", "--colors", "5") == 0
    assert capsys.readouterr().out == LEVEL_5X5_SOLVED + "\n"


def test_a_screenshot_is_rotated_clockwise(cwd: Path, capsys: Capture) -> None:
    assert exit_code("shot.png", "--rotate", "90") == 0
    rows = LEVEL_5X5_SOLVED.split()
    rotated = ["".join(column) for column in zip(*reversed(rows), strict=True)]
    assert capsys.readouterr().out.split() == rotated
    height, width = screenshot_of(LEVEL_5X5).shape[:2]
    assert decode((cwd / "shot.solved.png").read_bytes()).bgr.shape[:2] == (width, height)


def test_cells_of_any_shape_say_how_they_are_counted(cwd: Path, capsys: Capture) -> None:
    board = rhombi(arms=5, parts=3)
    shot = draw_screenshot(board, random_puzzle(board, seed=1, colours=8)[0], Style(), seed=1).screenshot
    (cwd / "star.png").write_bytes(encode(shot.bgr))
    assert exit_code("read", "star.png") == 0
    text = capsys.readouterr().out
    assert text.startswith("free  // cells are counted from 0 here; `--set` and hints count from 1\n")
    (again,) = puzzles_in(text)
    assert len(again.puzzle.terminals) == 8


def test_a_hint_is_drawn_and_explained(cwd: Path, capsys: Capture) -> None:
    assert exit_code("shot.png", "--hint", "next") == 0
    printed = capsys.readouterr()
    assert "has one way out: to row" in printed.out
    assert LEVEL_5X5_SOLVED not in printed.out
    assert "hint in shot.hint.png" in printed.err
    assert names(cwd) == ["shot.hint.png", "shot.png"]


def test_the_object_of_a_hint_keeps_the_solution_to_itself(cwd: Path, capsys: Capture) -> None:
    flows_hinted, cells, numbers_of_a_homography = "3", 5 * 5, 3 * 3
    assert exit_code("shot.png", "--hint", flows_hinted, "--json", "--geometry") == 0
    (described,) = printed_objects(capsys)
    assert len({step["flow"] for step in described["hint"]}) == int(flows_hinted)
    assert described["why"]
    assert (len(described["frame"]), len(described["cells_px"])) == (numbers_of_a_homography, cells)
    assert not any({"path", "path_px"} & set(flow) for flow in described["flows"])


def test_a_hint_names_what_is_drawn_wrongly(cwd: Path, capsys: Capture) -> None:
    bgr = screenshot_of(LEVEL_5X5)
    cv2.line(bgr, cell_middle(0, 0), cell_middle(0, 1), (0, 0, 255), 20)  # in the solution red goes down
    (cwd / "wrong.png").write_bytes(encode(bgr))
    assert exit_code("wrong.png", "--hint", "next") == 0
    assert "erase: R" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("corrections", "third_row"), [([], "....."), (["--set", "3,3=Y"], "..Y..")], ids=["as read", "corrected"]
)
def test_a_refused_board_is_shown_with_its_corrections(missed, corrections, third_row, capsys) -> None:
    assert exit_code(missed, *corrections) == ExitCode.PUZZLE_NOT_READ
    printed = capsys.readouterr().err
    assert f"    R.G.Y\n    ..B..\n    {third_row}" in printed
    assert ("With the corrections" in printed) == bool(corrections)
    assert ("--set" in printed) == (not corrections)  # advice


@pytest.mark.parametrize("correction", ["2,5=O", "2, 5 = orange"])
def test_a_missed_dot_is_set(missed: str, correction: str, capsys: Capture) -> None:
    assert exit_code(missed, "--set", correction, "--json") == 0
    (described,) = printed_objects(capsys)
    assert (described["corrected"], described["board"]["grid"]) == (True, LEVEL_5X5.split())


def test_a_board_is_given_as_text(missed: str, cwd: Path, capsys: Capture) -> None:
    (cwd / "fixed.txt").write_text(f"{LEVEL_5X5}wall 3,3/3,4\n")
    assert exit_code("read", missed, "--board", "fixed.txt", "--json") == 0
    (described,) = printed_objects(capsys)
    assert described["board"]["walls"] == [[[2, 2], [2, 3]]]


@pytest.mark.parametrize(
    "part",
    [np.s_[: CORNER[1] + 4 * PITCH], np.s_[:, : CORNER[0] + 4 * PITCH], np.s_[CORNER[1] + PITCH :]],
    ids=["without the last row", "without the last column", "without the first row"],
)
def test_a_board_that_the_picture_cuts_is_completed(cwd: Path, part: Any, capsys: Capture) -> None:
    (cwd / "cut.png").write_bytes(encode(screenshot_of(LEVEL_5X5)[part].copy()))
    (cwd / "board.txt").write_text(LEVEL_5X5)
    assert exit_code("cut.png", "--board", "board.txt") == ExitCode.PUZZLE_NOT_READ
    assert "`--grid 5x5`" in capsys.readouterr().err
    assert exit_code("cut.png", "--board", "board.txt", "--grid", "5x5") == 0
    assert capsys.readouterr().out == LEVEL_5X5_SOLVED + "\n"


def test_a_board_that_is_missing_or_no_text_is_refused(cwd: Path) -> None:
    assert exit_code("shot.png", "--board", "board.txt") == ExitCode.IMAGE_UNREADABLE
    (cwd / "board.txt").write_text("what?\n")
    assert exit_code("shot.png", "--board", "board.txt") == ExitCode.PUZZLE_NOT_READ


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_that_are_not_text(shot: Path) -> None:
    odd = os.fsencode(shot.parent) + b"/caf\xe9 \xe2\x82\xac.png"
    os.rename(shot, odd)
    process = flowvision("solve", odd, odd + b".missing", "--json")
    assert process.returncode == ExitCode.SOME_FAILED
    assert b"Traceback" not in process.stderr
    there, missing = map(json.loads, process.stdout.splitlines())
    assert (there["ok"], missing["ok"]) == (True, False)


def test_quiet_prints_errors_alone(cwd: Path, capsys: Capture) -> None:
    for line in ("shot.png -q", "shot.png shot.solved.png --quiet", "read shot.png -q", "shot.png --open -q"):
        assert exit_code(*line.split()) == 0
    assert (cwd / "shot.solved.png").exists()
    assert capsys.readouterr() == ("", "")
    assert exit_code("gone.jpg", "-q") == ExitCode.IMAGE_UNREADABLE
    assert "No such file" in capsys.readouterr().err
