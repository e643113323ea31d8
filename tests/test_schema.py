"""The JSON Schema in the documents: it describes what is made, and refuses what is not."""

import json

import pytest
from jsonschema import Draft202012Validator

from flowvision import contract, solve_image
from flowvision.batch import store
from flowvision.contract import json_line
from tests.drawing import LEVEL_5X5, screenshot_of
from tests.schema import SCHEMA, faults_of


def test_every_object_that_is_written_is_looked_at() -> None:
    assert contract.json_line is json_line is store.json_line
    with pytest.raises(AssertionError, match="nonsense"):
        json_line({"file": "a", "ok": False, "error": {}, "nonsense": 1})


def test_what_is_missing_or_wrong_is_refused() -> None:
    described = json.loads(json.dumps(solve_image(screenshot_of(LEVEL_5X5)).to_dict()))
    for name in ("file", "board", "flows", "seconds"):
        assert faults_of({key: value for key, value in described.items() if key != name})
    for wrong in ({"confidence": 1.5}, {"state": "half"}, {"frame": [1, 2, 3]}):
        assert faults_of(described | wrong)
    assert faults_of(described | {"board": described["board"] | {"tiling": "round"}})


def test_fields_of_later_versions_are_allowed() -> None:
    described = json.loads(json.dumps(solve_image(screenshot_of(LEVEL_5X5)).to_dict()))
    assert Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).is_valid(described | {"new": 1})
