"""What is said about readings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flowvision.events import Trail
from flowvision.reading.messages import doubtful, gave_up, least_sure_warning, unsolvable, warnings_of
from flowvision.reading.repair import repairs_of
from flowvision.reading.result import Candidate
from flowvision.solvers import GaveUp, Solved, solve
from flowvision.solvers.repairs import Repairs
from tests.drawing import CURLED, FIVE, NONE, SEVERAL, reading_of


def candidate(text: str) -> Candidate:
    """The reading of a board with what the solver makes of it."""
    reading = reading_of(text)
    return Candidate(Trail(reading=reading), solve(reading.puzzle))


@pytest.mark.parametrize(
    ("text", "words"),
    [(FIVE, ()), (SEVERAL, ("more than one solution",)), (CURLED, ("touches itself",))],
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
    named = replace(seen, trail=Trail(reading=replace(seen.reading, weakest="the walls")))
    assert least_sure_warning(named, 0.8, 0.9) == ("I may have misread this: look at the walls.",)
    assert least_sure_warning(named, 0.9, 0.9) == ()
    assert least_sure_warning(seen, 0.8, 0.9) == ()


def test_errors_say_what_was_read_and_carry_it() -> None:
    """In numbers, with a hint, and with the reading to draw."""
    reading = reading_of(NONE)
    for error in (
        unsolvable(reading),
        gave_up(reading, GaveUp(1.25, "limit")),
        doubtful(candidate(SEVERAL), ("why",)),
    ):
        assert "5 rows and 5 columns with" in error.message or "3 rows" in error.message
        assert error.hint
        assert error.evidence is not None


def test_repairs_are_listed_as_far_as_they_help() -> None:
    """The error names at most three; each is a sentence."""
    reading = reading_of("R.G.Y\n..B.O\n.G...\n...Y.\n.RBO.\n")
    offered = repairs_of(reading, 600)
    message = unsolvable(reading, offered).message
    assert "exactly one solution with one change" in message
    assert sum(repair.text in message for repair in offered.found) == min(3, len(offered.found))


def test_the_colour_without_which_there_is_a_solution_is_named() -> None:
    """With the places of its dots; of several all are named, and of many how many more."""
    reading = reading_of(FIVE)
    one = unsolvable(reading, without=[0]).message
    assert "Without red it has exactly one solution: look at the dots in row 1, column 1 and row 5," in one
    many = unsolvable(reading, without=[0, 1, 2, 3, 4]).message
    assert "Without any one of these colours it has exactly one solution: red (row 1, column 1 and" in many
    assert many.endswith("and 2 more.")


def test_changes_that_are_not_listed_are_counted() -> None:
    """No list stops in silence."""
    reading = reading_of("R.G.Y\n..B.O\n.G...\n...Y.\n.RBO.\n")
    several = Repairs(repairs_of(reading, 600).found[:1] * 5, True)
    assert unsolvable(reading, several).message.endswith("And 2 other changes.")


def test_whoever_is_in_doubt_about_colours_is_asked_to_count_them() -> None:
    """Where they were seen least well; not where anything else was."""
    one = candidate(FIVE)
    for weakest, asked in (("the colours of the dots in row 1", True), ("the lines of the grid", False)):
        unsure = replace(one, trail=Trail(reading=replace(one.reading, weakest=weakest)))
        assert ("--colours N" in doubtful(unsure, ()).hint) == asked
