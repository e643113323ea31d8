"""What is said about readings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flowvision.reading.candidates import Candidate
from flowvision.reading.messages import doubtful, gave_up, least_sure_warning, unsolvable, warnings_of
from flowvision.solvers import GaveUp, Solved, solve
from flowvision.vision.assembly import Interpretation
from tests.drawing import CROSSED, CURLED, FIVE, LOOPED, NONE, SEVERAL, reading_of


def candidate(text: str) -> Candidate:
    """The reading of a board with what the solver makes of it."""
    reading = reading_of(text)
    return Candidate(Interpretation(reading, None), solve(reading.puzzle))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (FIVE, ()),
        (SEVERAL, ("more than one solution",)),
        (CURLED, ("touches itself",)),
        (CROSSED, ()),
        (LOOPED, ("crosses itself in row 2, column 2",)),
    ],
)
def test_what_no_published_level_has_is_said(text: str, words: tuple[str, ...]) -> None:
    """One sentence each; a board like published ones has none."""
    warnings = warnings_of(candidate(text))
    assert len(warnings) == len(words)
    assert all(word in warning for word, warning in zip(words, warnings, strict=True))


def test_a_search_cut_short_is_said() -> None:
    """Nobody is told that a solution is the only one when that is not known."""
    solved = candidate(FIVE)
    assert isinstance(solved.outcome, Solved)
    unsure = replace(solved, outcome=replace(solved.outcome, unique=None))
    assert "not settled" in warnings_of(unsure)[0]


def test_what_was_seen_least_well_is_named_only_below_the_bound() -> None:
    """And only where the reader knows what it was."""
    seen = candidate(FIVE)
    named = replace(seen, source=Interpretation(replace(seen.reading, weakest="the walls"), None))
    assert least_sure_warning(named, 0.8, 0.9) == ("I may have misread this: look at the walls.",)
    assert least_sure_warning(named, 0.9, 0.9) == ()
    assert least_sure_warning(seen, 0.8, 0.9) == ()


def test_errors_say_what_was_read_and_carry_it() -> None:
    """In numbers, with a hint, and with the reading to draw."""
    reading = reading_of(NONE)
    for error in (
        unsolvable(reading),
        gave_up(reading, GaveUp(1.25, "limit")),
        doubtful(reading_of(SEVERAL), None, ("why",)),
    ):
        assert "5 rows and 5 columns with" in error.message or "3 rows" in error.message
        assert error.hint
        assert error.evidence is not None
