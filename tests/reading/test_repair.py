"""A reading without a solution is repaired where one dot was misplaced, if that dot was seen badly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flowvision.reading.messages import warnings_of
from flowvision.reading.repair import repaired, repairs_of
from flowvision.reading.result import confidence_of
from flowvision.solvers import Solved, Unsolvable
from flowvision.vision.reading import Interpretation
from flowvision.vision.settings import ReadingSettings
from tests.drawing import FIVE, reading_of
from tests.reading.invented import MOVED, doubted, tried


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
    assert confidence_of(mended, ReadingSettings()) < 0.8


def test_a_moved_dot_lies_in_the_middle_of_its_cell_and_all_others_where_they_were_seen():
    """Whoever draws the solution draws it through the dots."""
    refuted = tried(doubted(MOVED, "G"))
    shifted = tuple(((a[0] + 2, a[1] - 1), (b[0] - 3, b[1] + 1)) for a, b in refuted.reading.ends_px)
    refuted = replace(refuted, source=Interpretation(replace(refuted.reading, ends_px=shifted), None))
    mended = repaired(refuted, repairs_of(refuted.reading, 600), 0.3)
    seen, now = (
        {
            dot: px
            for pair in zip(one.puzzle.terminals, one.ends_px, strict=True)
            for dot, px in zip(*pair, strict=True)
        }
        for one in (refuted.reading, mended.reading)
    )
    (moved,) = now.keys() - seen.keys()
    layout = mended.reading.board.layout
    assert np.allclose(now[moved], mended.reading.frame.to_px([layout.cells[moved].centre])[0])
    assert all(now[dot] == seen[dot] for dot in now.keys() & seen.keys())


@pytest.mark.parametrize("doubt", [0.0, 0.2, 0.29, 0.3, 0.9])
def test_only_dots_that_were_seen_badly_are_changed(doubt):
    """From the given doubt on; all changed dots must have it."""
    refuted = tried(doubted(MOVED, "G", doubt))
    assert (repaired(refuted, repairs_of(refuted.reading, 600), 0.3) is None) == (doubt < 0.3)


def test_one_of_several_repairs_is_none():
    """Nor is the only one that was found before the time was over: there may be others."""
    refuted = tried(doubted(MOVED, "G"))
    offered = repairs_of(refuted.reading, 600)
    assert len(offered.found) == 1
    assert repaired(refuted, replace(offered, found=offered.found * 2), 0.3) is None
    assert repaired(refuted, replace(offered, complete=False), 0.3) is None
    assert repaired(refuted, replace(offered, found=()), 0.3) is None


def test_swapped_dots_are_swapped_back():
    """Two dots read in one another's colours keep their places; the pairs are those of the level."""
    swapped = doubted(FIVE.replace("..B.O", "..O.B", 1), "BO")
    refuted = tried(swapped)
    assert isinstance(refuted.outcome, Unsolvable)
    mended = repaired(refuted, repairs_of(swapped, 600), 0.3)
    expected = {frozenset(pair) for pair in reading_of(FIVE).puzzle.terminals}
    assert {frozenset(pair) for pair in mended.reading.puzzle.terminals} == expected
    places = [{end for pair in one.ends_px for end in pair} for one in (swapped, mended.reading)]
    assert places[0] == places[1]
