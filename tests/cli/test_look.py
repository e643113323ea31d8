"""Marks on solved pictures, and colours of printed boards."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from flowvision.image.codec import decode, encode
from flowvision.puzzle.text import parse
from flowvision.solvers import Solved, solve
from tests.commands import exit_code as run
from tests.drawing import FIVE, screenshot_of
from tests.tools.synthetic import Style, draw_screenshot


class Terminal(io.StringIO):
    """Standard output that is a terminal."""

    def isatty(self) -> bool:
        """As one says."""
        return True


@pytest.fixture
def solved_shot(tmp_path: Path) -> Path:
    """A screenshot of a board that is solved already."""
    drawn = parse(FIVE)
    outcome = solve(drawn.puzzle)
    assert isinstance(outcome, Solved)
    style = Style(drawn=1.0, scale=0.5)
    shot = draw_screenshot(drawn.board, drawn.puzzle, style, 1, outcome.solution)
    path = tmp_path / "done.png"
    path.write_bytes(encode(shot.screenshot.bgr))
    return path


@pytest.mark.parametrize("options", [["--letters"], ["--arrows"], ["--letters", "--arrows"]])
def test_letters_and_arrows_are_drawn(shot: Path, tmp_path: Path, options: list[str]) -> None:
    """The picture differs from the plain one, on the board alone."""
    assert run("solve", shot, "-o", tmp_path / "plain.png") == 0
    assert run("solve", shot, "-o", tmp_path / "marked.png", *options) == 0
    plain, marked = (decode((tmp_path / f"{name}.png").read_bytes()).bgr for name in ("plain", "marked"))
    changed = (plain != marked).any(axis=2)
    assert changed.any()
    height = screenshot_of(FIVE).shape[0]
    assert not changed[: 140 - 5].any()
    assert not changed[height - 140 + 5 :].any()


def test_a_solved_board_is_said_to_be(solved_shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In words and in JSON; the picture is the one that was given, and the paths are those on it."""
    assert run("solve", solved_shot) == 0
    captured = capsys.readouterr()
    assert "solved already" in captured.err
    written = decode(solved_shot.with_name("done.solved.png").read_bytes()).bgr
    assert np.array_equal(written, decode(solved_shot.read_bytes()).bgr)
    assert run("solve", solved_shot, "--json") == 0
    assert json.loads(capsys.readouterr().out)["state"] == "solved"


@pytest.mark.parametrize("command", ["solve", "read", "puzzle"])
@pytest.mark.parametrize(
    ("colours", "seen"),
    [({"COLORTERM": "truecolor"}, "38;2;"), ({"TERM": "xterm-256color"}, "38;5;"), ({"NO_COLOR": "1"}, "")],
)
def test_boards_are_coloured_in_terminals(
    command: str,
    colours: dict[str, str],
    seen: str,
    shot: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As deep as the variables say, by all commands; in letters alone for ``NO_COLOR``."""
    for name in ("COLORTERM", "NO_COLOR", "WT_SESSION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"TERM": "xterm"} | colours).items():
        monkeypatch.setenv(name, value)
    (tmp_path / "five.txt").write_text(FIVE)
    out = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    assert run(command, tmp_path / "five.txt" if command == "puzzle" else shot) == 0
    assert seen in out.getvalue()
    assert ("\x1b[" in out.getvalue()) == bool(seen)
