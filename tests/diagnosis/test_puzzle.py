"""What is said of a board without a solution."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flowvision.diagnosis.cause import Cause
from flowvision.diagnosis.puzzle import UNSURE, is_refuted
from flowvision.diagnosis.seen import Seen
from flowvision.diagnosis.wording import explain
from flowvision.errors import FlowvisionError, Refusal
from flowvision.image.picture import Screenshot
from flowvision.reading.candidates import Candidate
from flowvision.reading.messages import doubtful, unsolvable
from flowvision.reading.options import Options
from flowvision.reading.search import repairs_of
from flowvision.reading.verdict import CHECKS, Check, is_answer_unsure, is_reader_unsure
from flowvision.solvers import Unsolvable, solve
from flowvision.solvers.repairs import Repairs
from flowvision.vision.assembly import Interpretation, Reading
from tests.drawing import FIVE, SEVERAL, reading_of, screenshot_of

MOVED = "R.G.Y\n..B.O\n.G...\n...Y.\n.RBO.\n"
"""One dot of the first level is a cell off."""


def cause_of(reading: Reading, error: FlowvisionError, outcome: object = None) -> Cause:
    """Why a reading was refused with this error."""
    read = Interpretation(reading, None)
    latest = Candidate(read, outcome) if isinstance(outcome, Unsolvable) else read
    cause = is_refuted(Seen(latest, error, None, None, [], Screenshot(screenshot_of(FIVE)), error, Options()))
    assert cause is not None
    return cause


def words(reading: Reading, error: FlowvisionError, outcome: object = None) -> str:
    """All that is said of a reading that was refused with this error."""
    said = explain(cause_of(reading, error, outcome))
    return f"{said.message} {said.todo}"


def refuted(reading: Reading, **details: object) -> str:
    """What is said where the solver found no solution, and this besides."""
    return words(reading, unsolvable(reading, details), Unsolvable(0.0))


def test_the_change_that_would_give_a_solution_is_named() -> None:
    """The first of them as a sentence; the others are counted."""
    reading = reading_of(MOVED)
    offered = repairs_of(reading, 600)
    said = refuted(reading, repairs=offered)
    assert f"exactly one solution with one change: {offered.found[0].text}" in said
    several = Repairs(offered.found[:1] * 5, True)
    assert "And 4 other changes." in refuted(reading, repairs=several)
    alone = Repairs(offered.found[:1], True)
    assert "other change" not in refuted(reading, repairs=alone)


def test_the_colour_without_which_there_is_a_solution_is_named() -> None:
    """With the places of its dots, rows and columns from 1."""
    said = refuted(reading_of(FIVE), repairs=Repairs((), True), without=(0,))
    assert "Without the red dots it has a solution" in said
    assert "row 1, column 1 and row 5, column 2" in said


@pytest.mark.parametrize(
    ("weakest", "stage", "asked"),
    [("the colours of the dots in row 1", "pairs", True), ("the lines", "grid", False)],
)
def test_whoever_is_in_doubt_about_colours_is_asked_to_count_them(weakest, stage, asked) -> None:
    """Where they were seen least well, which is shown at that stage; not where anything else was."""
    reading = replace(reading_of(SEVERAL), weakest=weakest, weakest_stage=stage)
    candidate = Candidate(Interpretation(reading, None), solve(reading.puzzle))
    refusal = Refusal("reader unsure", "the weakest counts", 0.4, 0.75)
    error = doubtful(candidate.reading, refusal, ("There is more than one solution.",))
    said = words(reading, error)
    assert ("--colours" in said) == asked
    assert "There is more than one solution." in said
    assert "not seen well enough" in said
    assert cause_of(reading, error).stage == stage


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_only_confidences_are_called_so(check: Check) -> None:
    """The numbers of every other check mean something else: it gives its reason alone."""
    reading = reading_of(SEVERAL)
    said = explain(cause_of(reading, doubtful(reading, Refusal(check.name, check.why, 0.32, 0.1))))
    is_confidence = check.objection in (is_reader_unsure, is_answer_unsure)
    assert (check.name in UNSURE) == is_confidence
    assert ("Confidence 0.32" in said.detail) == is_confidence
    assert (check.why in said.message) != is_confidence
