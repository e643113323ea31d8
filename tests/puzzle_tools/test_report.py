import re

import pytest

from flowvision.puzzle.formats import puzzles_in
from flowvision.puzzle_tools import report
from tests.drawing import CURLED, FIVE, FIVE_SOLVED, NONE


def frames(text, monkeypatch, seconds=600.0):
    monkeypatch.setattr(report, "sleep", lambda seconds: None)
    written = []
    (item,) = puzzles_in(text)
    report.watch_search(item, seconds, written.append)
    return written


def plain(frame):
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", frame)


def test_the_last_frame_is_the_solution(monkeypatch):
    written = frames(FIVE, monkeypatch)
    assert FIVE_SOLVED in plain(written[-3])
    assert written[-2] == "\nsolved"
    assert report.SHOW in written[-1]
    assert "1 step, strict" in plain(written[1])


def test_the_dots_alone_are_drawn_in_colour_or_written():
    (item,) = puzzles_in(FIVE)
    for depth in (0, 8):
        text = report.report(item, report.PuzzleOptions(unsolved=True, depth=depth)).text
        assert plain(text).split() == FIVE.split() if depth == 0 else "\x1b[" in text
        assert FIVE_SOLVED not in plain(text)


def test_free_rules_follow_where_strict_ones_fail(monkeypatch):
    assert "free rules" in plain(frames(CURLED, monkeypatch)[-3])
    assert "·" not in plain(frames(CURLED, monkeypatch)[-3])


BACK = "RR..\n..+.\n....\nG.G."
"""The search draws two pipes back from one bridge."""


@pytest.mark.parametrize(
    ("text", "seconds", "end"), [(NONE, 600, "no solution"), (FIVE, 0, "out of time"), (BACK, 600, "solved")]
)
def test_the_end_is_written(text, seconds, end, monkeypatch):
    assert frames(text, monkeypatch, seconds)[-2] == f"\n{end}"


def test_a_board_taller_than_the_terminal_is_not_drawn(monkeypatch):
    (only,) = frames("A.\n" + "..\n" * 40 + ".A\n", monkeypatch)
    assert "47 are needed" in only
