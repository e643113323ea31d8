"""The search drawn in the terminal."""

from flowvision import live
from flowvision.puzzle.forms import puzzles_in
from tests.drawing import CURLED, FIVE, FIVE_SOLVED


def frames(text, monkeypatch):
    """Everything written, without colours."""
    monkeypatch.setattr(live, "sleep", lambda seconds: None)
    written = []
    (item,) = puzzles_in(text)
    live.watch_search(item, 5.0, written.append)
    return written


def plain(frame):
    """A frame without its codes."""
    import re

    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", frame)


def test_the_last_frame_is_the_solution(monkeypatch):
    """Each frame is the whole board; the cursor comes back at the end."""
    written = frames(FIVE, monkeypatch)
    assert FIVE_SOLVED in plain(written[-2])
    assert live.SHOW in written[-1]
    assert "1 steps, strict" in plain(written[1])


def test_free_rules_follow_where_strict_ones_fail(monkeypatch):
    """A board whose paths must touch themselves ends solved as well."""
    assert "free rules" in plain(frames(CURLED, monkeypatch)[-2])
    assert "·" not in plain(frames(CURLED, monkeypatch)[-2])
