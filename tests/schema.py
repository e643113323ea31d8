"""The schema of the JSON objects, held against every object that tests make: a field it lacks is a fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

SCHEMA = Path(__file__).resolve().parents[1] / "docs" / "answers.schema.json"


@cache
def validator() -> Draft202012Validator:
    """Of the schema, closed: programs may meet fields they do not know, but these tests may not."""
    schema = json.loads(SCHEMA.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(closed(schema))


def closed(schema: Any) -> Any:
    """The same schema, in which objects have no other fields than those it names."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(part) for key, part in schema.items()}
    if isinstance(made.get("properties"), dict) and made.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


def kind_of(described: dict[str, Any]) -> str:
    """Which of the objects it means to be: messages are then about that one."""
    if "event" in described:
        return "play_plan" if described["event"] == "plan" else "play_event"
    return "answer" if described.get("ok") else "failure"


def faults_of(described: dict[str, Any]) -> list[str]:
    """Where an object is not as the schema says; empty for a right one."""
    plain = json.loads(json.dumps(described))
    part = validator().evolve(schema={**validator().schema, "anyOf": [{"$ref": f"#/$defs/{kind_of(plain)}"}]})
    found = [fault for whole in part.iter_errors(plain) for fault in (whole.context or [whole])]
    return [f"{fault.json_path}: {fault.message}" for fault in found]


def checking(write: Callable[[dict[str, Any]], str]) -> Callable[[dict[str, Any]], str]:
    """The function that writes objects as lines, which now looks at each of them."""

    def checked(made: dict[str, Any]) -> str:
        faults = faults_of(made)
        assert not faults, f"{SCHEMA.name} does not describe this object: {faults}"
        return write(made)

    return checked
