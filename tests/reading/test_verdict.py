"""What is believed, what is mended and said so, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flowvision.errors import DoubtfulReadingError, UnsolvableError
from flowvision.events import Trail
from flowvision.pipeline import read_image
from flowvision.reading import search
from flowvision.reading.messages import least_sure_warning, warnings_of
from flowvision.reading.options import Options
from flowvision.reading.repair import repaired, repairs_of
from flowvision.reading.result import Candidate
from flowvision.reading.verdict import confidence_of, most_credible
from flowvision.solvers import Solved, Unsolvable, solve
from flowvision.vision.crossings.result import Crossings
from flowvision.vision.pixels.view import Floats
from flowvision.vision.reading import Reading
from tests.drawing import FIVE, NONE, SEVERAL, reading_of
from tests.reading.test_search import BLANK

MOVED = "R.G.Y\n..B.O\n.G...\n...Y.\n.RBO.\n"
"""The first level with a green dot one cell off: no solution."""


def tried(reading: Reading) -> Candidate:
    """The reading with what the solver makes of it."""
    return Candidate(Trail(reading=reading), solve(reading.puzzle))


def doubted(text: str, letters: str, doubt: float = 0.8) -> Reading:
    """A reading in which the dots of these flows were seen badly."""
    reading = reading_of(text)
    palette = reading_of(FIVE).palette
    flows = [index for index, letter in enumerate("RGYBO") if letter in letters]
    assert len(palette) == len(reading.palette)
    doubts = tuple((doubt, doubt) if flow in flows else (0.0, 0.0) for flow in range(len(palette)))
    return replace(reading, dot_doubts=doubts)


def test_a_doubtful_dot_is_moved_back_and_said_so():
    """The one repair of a dot that was seen badly is taken, with a warning and little confidence."""
    refuted = tried(doubted(MOVED, "G"))
    assert isinstance(refuted.outcome, Unsolvable)
    offered = repairs_of(refuted.reading, 600)
    mended = repaired(refuted, offered, 0.3)
    assert mended is not None
    expected = {frozenset(pair) for pair in reading_of(FIVE).puzzle.terminals}
    assert {frozenset(pair) for pair in mended.reading.puzzle.terminals} == expected
    assert isinstance(mended.outcome, Solved)
    assert "no solution" in warnings_of(mended)[0]
    assert confidence_of(mended) < 0.8


def test_clear_dots_are_never_moved(monkeypatch: pytest.MonkeyPatch):
    """A board whose dots were seen well is refused; the error names what would make it a puzzle."""
    reading = doubted(MOVED, "G", 0.1)
    monkeypatch.setattr(search, "candidates", lambda *_: iter([Trail(BLANK, reading=reading)]))
    with pytest.raises(UnsolvableError, match=r"exactly one solution with one change: The dot") as caught:
        read_image(BLANK)
    assert caught.value.evidence is reading


def test_a_mended_reading_needs_a_sure_reader(monkeypatch: pytest.MonkeyPatch):
    """It comes with its warning, or not at all."""
    reading = doubted(MOVED, "G")
    monkeypatch.setattr(search, "candidates", lambda *_: iter([Trail(BLANK, reading=reading)]))
    assert "no solution" in read_image(BLANK).warnings[0]
    monkeypatch.setattr(search, "candidates", lambda *_: iter([Trail(BLANK, reading=reading)]))
    with pytest.raises(DoubtfulReadingError, match="confidence"):
        read_image(BLANK, Options(min_confidence_if_not_unique=0.95))


def test_openings_that_nobody_saw_need_a_proof(monkeypatch: pytest.MonkeyPatch):
    """A reading that assumes more than it saw counts only with exactly one solution."""
    plain, guess = reading_of(NONE), reading_of(SEVERAL)
    assumed = Crossings(guess.board, (), (), no_ink(guess), seen=False)
    offered = [Trail(BLANK, reading=plain), Trail(BLANK, crossings=assumed, reading=guess)]
    monkeypatch.setattr(search, "candidates", lambda *_: iter(offered))
    with pytest.raises(UnsolvableError, match="3 rows"):
        read_image(BLANK)


def no_ink(reading: Reading) -> Floats:
    """No ink in any cell."""
    import numpy as np

    return np.zeros(len(reading.board.layout.cells))


def test_walls_are_the_readers_own_business():
    """A board read with a wall too few may still have one solution: the proof does not help there."""
    sure = tried(reading_of(FIVE))
    unsure = tried(replace(reading_of(FIVE), walls_confidence=0.7, weakest="the walls"))
    assert confidence_of(sure) > 0.95
    assert confidence_of(unsure) == 0.7
    assert least_sure_warning(unsure, 0.7, 0.9) == ("I may have misread this: look at the walls.",)
    assert least_sure_warning(sure, confidence_of(sure), 0.9) == ()


def test_nothing_is_credible_when_all_is_refuted():
    """The error is then another's to choose."""
    assert most_credible([tried(reading_of(NONE))], 0.75) is None
    assert most_credible([], 0.75) is None
