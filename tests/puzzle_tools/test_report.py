import re

import pytest

from flowvision.cli.puzzle import _reports
from flowvision.puzzle.formats import puzzles_in
from flowvision.puzzle_tools import report
from tests.drawing import LEVEL_5X5, LEVEL_5X5_SOLVED, TOUCHING, UNSOLVABLE


def frames(text, monkeypatch, seconds=600.0):
    """Return what is written while the search for a solution is watched."""
    monkeypatch.setattr(report, "sleep", lambda _: None)
    written = []
    (item,) = puzzles_in(text)
    report.watch_search(item, seconds, written.append)
    return written


def plain(frame):
    """Return a frame without colours and movements of the cursor."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", frame)


def test_the_last_frame_is_the_solution(monkeypatch):
    _clearing, first, *_, last, verdict, end = frames(LEVEL_5X5, monkeypatch)
    assert "1 step, strict" in plain(first)
    assert LEVEL_5X5_SOLVED in plain(last)
    assert verdict == "\nsolved"
    assert report.SHOW in end


def test_the_command_prints_frame_after_frame_without_a_line_between(tmp_path, monkeypatch, capsys):
    expected, file = "".join(frames(LEVEL_5X5, monkeypatch)), tmp_path / "five.txt"
    file.write_text(LEVEL_5X5)
    list(_reports(str(file), report.PuzzleOptions(), watch=True))
    assert plain(capsys.readouterr().out) == plain(expected)


def test_the_dots_alone_are_drawn_in_colour_or_written():
    (item,) = puzzles_in(LEVEL_5X5)
    written, coloured = (
        report.report(item, report.PuzzleOptions(unsolved=True, depth=depth)).text for depth in (0, 8)
    )
    assert written.split() == LEVEL_5X5.split()
    assert "\x1b[" in coloured
    assert LEVEL_5X5_SOLVED not in plain(coloured)


def test_free_rules_follow_where_strict_ones_fail(monkeypatch):
    *_, last, _verdict, _end = frames(TOUCHING, monkeypatch)
    assert "free rules" in plain(last)
    assert "·" not in plain(last)  # no empty cell


BACK = "RR..\n..+.\n....\nG.G."
"""The search draws two pipes back from one bridge."""


@pytest.mark.parametrize(
    ("text", "seconds", "verdict"),
    [(UNSOLVABLE, 600, "no solution"), (LEVEL_5X5, 0, "out of time"), (BACK, 600, "solved")],
)
def test_the_verdict_is_written(text, seconds, verdict, monkeypatch):
    assert frames(text, monkeypatch, seconds)[-2] == f"\n{verdict}"


def test_a_board_taller_than_the_terminal_is_not_drawn(monkeypatch):
    (message,) = frames("A.\n" + "..\n" * 40 + ".A\n", monkeypatch)
    assert "47 are needed" in message
