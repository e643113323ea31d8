"""The JSON Schema in the documents: it describes what is made, and refuses what is not."""

from __future__ import annotations

import json

import pytest

from flowvision import contract, solve_image
from flowvision.contract import answer_object, error_object, json_line
from flowvision.corrections.correction import SetCell
from flowvision.errors import FlowvisionError
from flowvision.export.drawing import add_geometry
from flowvision.pipeline import read_image
from flowvision.puzzle.formats import puzzles_in
from flowvision.puzzle_tools.report import PuzzleOptions, report
from flowvision.reading.options import Options
from tests.boards import MADE
from tests.drawing import FIVE, NONE, SEVERAL, screenshot_of
from tests.schema import SCHEMA, faults_of


def test_every_object_that_is_written_is_looked_at() -> None:
    """What this run prints goes through the check: an unknown field is found."""
    assert contract.json_line is json_line
    with pytest.raises(AssertionError, match="nonsense"):
        json_line({"file": "a", "ok": False, "error": {}, "nonsense": 1})


def test_answers_and_readings() -> None:
    """Plain ones, corrected ones, with geometry, and with nothing written."""
    bgr = screenshot_of(FIVE)
    answer = read_image(bgr)
    assert faults_of(answer_object("a.png", answer)) == []
    assert faults_of(answer_object("a.png", read_image(bgr), is_solved=False)) == []
    fixed = Options(corrections=(SetCell((1, 4), "O"),))
    described = answer_object("a.png", read_image(bgr, fixed))
    assert described["corrected"] is True
    assert faults_of(described) == []
    described = answer_object("a.png", answer)
    add_geometry(described, answer.reading, answer.outcome.solution)
    assert faults_of(described) == []


@pytest.mark.parametrize("text", [NONE, FIVE.replace("..B.O", "..B..")])
def test_failures(text: str) -> None:
    """With the board that was seen, and without."""
    with pytest.raises(FlowvisionError) as raised:
        solve_image(screenshot_of(text))
    assert faults_of(error_object("a.png", raised.value)) == []


@pytest.mark.sweep(10)
@pytest.mark.parametrize("text", [FIVE, NONE, SEVERAL, "?", *MADE.values()])
@pytest.mark.parametrize("how", [{}, {"hint": "next"}, {"count": 9}, {"repair": True}])
def test_puzzles(text: str, how: dict[str, object]) -> None:
    """Solved or not, with hints, counts and repairs; and what is no puzzle."""
    try:
        items = list(puzzles_in(text))
    except FlowvisionError:
        items = list(puzzles_in('{"rows": 1}'))
    for item in items:
        assert faults_of(report(item, PuzzleOptions(**how)).described) == []


def test_what_is_missing_or_wrong_is_refused() -> None:
    """Each required field, and values of the wrong kind."""
    described = json.loads(json.dumps(answer_object("a.png", read_image(screenshot_of(FIVE)))))
    for name in ("file", "ok", "board", "flows", "seconds"):
        if name != "ok":
            assert faults_of({key: value for key, value in described.items() if key != name})
    assert faults_of(described | {"confidence": 1.5})
    assert faults_of(described | {"state": "half"})
    assert faults_of(described | {"frame": [1, 2, 3]})
    assert faults_of(described | {"board": described["board"] | {"tiling": "round"}})


def test_programs_may_meet_fields_they_do_not_know() -> None:
    """The published schema is open: fields are only ever added."""
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
    described = answer_object("a.png", read_image(screenshot_of(FIVE))) | {"new": 1}
    assert validator.is_valid(json.loads(json.dumps(described)))
