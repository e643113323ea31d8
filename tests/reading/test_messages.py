"""What is said about readings."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from flowvision.reading.candidates import Candidate
from flowvision.reading.messages import doubtful, gave_up, solver_doubts, unsolvable, unsure_doubt
from flowvision.solvers import GaveUp, Solved, solve
from flowvision.vision.assembly import Interpretation
from tests.drawing import CROSSED, CURLED, FIVE, LOOPED, NONE, SEVERAL, reading_of


def candidate(text: str) -> Candidate:
    """The reading of a board with what the solver makes of it."""
    reading = reading_of(text)
    return Candidate(Interpretation(reading, None), solve(reading.puzzle))


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (FIVE, []),
        (SEVERAL, ["several-solutions"]),
        (CURLED, ["touches-itself"]),
        (CROSSED, []),
        (LOOPED, ["crossing"]),
    ],
)
def test_what_no_published_level_has_is_a_doubt(text: str, codes: list[str]) -> None:
    """One each; a board like published ones has none."""
    assert [doubt.code for doubt in solver_doubts(candidate(text))] == codes


def test_a_search_cut_short_is_a_doubt() -> None:
    """That a solution is the only one is not known."""
    solved = candidate(FIVE)
    assert isinstance(solved.outcome, Solved)
    unsure = replace(solved, outcome=replace(solved.outcome, unique=None))
    (doubt,) = solver_doubts(unsure)
    assert (doubt.code, doubt.facts) == ("several-solutions", {"open": True})


def test_what_was_seen_least_well_is_named_only_below_the_bound() -> None:
    """And only where the reader knows what it was."""
    seen = candidate(FIVE)
    named = replace(seen, source=Interpretation(replace(seen.reading, weakest="the walls"), None))
    (doubt,) = unsure_doubt(named, 0.8, 0.9)
    assert doubt.facts == {"weakest": "the walls"}
    assert unsure_doubt(named, 0.9, 0.9) == ()
    assert unsure_doubt(seen, 0.8, 0.9) == ()


def test_errors_say_what_was_read_and_carry_it() -> None:
    """In numbers, with a hint, and with the reading to draw."""
    reading = reading_of(NONE)
    for error in (
        unsolvable(reading),
        gave_up(reading, GaveUp(1.25, "limit")),
        doubtful(reading_of(SEVERAL)),
    ):
        assert "5 rows and 5 columns with" in error.message or "3 rows" in error.message
        assert error.hint
        assert error.evidence is not None
