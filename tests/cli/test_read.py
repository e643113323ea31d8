"""``flowvision read``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flowvision.cli import main
from flowvision.image.codec import encode
from flowvision.puzzle.formats import puzzles_in
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from tests.boards import rhombi
from tests.drawing import FIVE
from tests.tools.synthetic import Style, draw_screenshot


def read(*arguments: str | Path) -> int:
    """The exit code of ``flowvision read`` with these arguments."""
    with pytest.raises(SystemExit) as left:
        main(["read", *map(str, arguments)])
    return int(left.value.code or 0)


def test_the_puzzle_is_printed_and_nothing_written(
    shot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is printed is the puzzle's text form, with letters after the colours' names."""
    assert read(shot) == 0
    assert capsys.readouterr().out == FIVE
    assert list(tmp_path.iterdir()) == [shot]


def test_several_are_told_apart(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With several screenshots each text follows its file's name."""
    copy = shot.with_name("copy.png")
    copy.write_bytes(shot.read_bytes())
    assert read(shot, copy) == 0
    assert capsys.readouterr().out == f"{shot}:\n{FIVE}\n{copy}:\n{FIVE}\n"
    assert read(shot, shot) == 0
    assert capsys.readouterr().out == FIVE


def test_quiet_says_nothing_of_a_board_that_is_read(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code tells; with JSON that alone is printed. A second name is no place for a solution."""
    assert read(shot, "-q") == 0
    assert capsys.readouterr() == ("", "")
    assert read(shot, "-q", "--json") == 0
    assert json.loads(capsys.readouterr().out)["ok"]
    assert read(shot, shot.with_name("gone.jpg")) == 11
    assert "To write the solution there" not in capsys.readouterr().err


def test_json(shot: Path, impossible: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The object of the contract; a refuted reading is no reading, but says what was seen."""
    assert read(shot, impossible, "--json") == 11
    right, wrong = map(json.loads, capsys.readouterr().out.splitlines())
    assert parse("\n".join(right["board"]["grid"])).puzzle == parse(FIVE).puzzle
    assert wrong["ok"] is False
    assert wrong["board"]["grid"] == ["R.G", "...", "G.R"]


def test_cells_of_any_shape_say_how_they_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The text form numbers them from 0, corrections and hints from 1; what is printed can be read back."""
    board = rhombi(5, 3)
    puzzle, solution = random_puzzle(board, 1, 8)
    star = tmp_path / "star.png"
    star.write_bytes(encode(draw_screenshot(board, puzzle, Style(), 1, solution).screenshot.bgr))
    assert read(star) == 0
    text = capsys.readouterr().out
    assert text.startswith("free  // cells are counted from 0 here; `--set` and hints count from 1\n")
    (again,) = puzzles_in(text)
    assert isinstance(again, NamedPuzzle)
    assert len(again.puzzle.terminals) == 8
