"""The schema of the JSON objects, held against every object that tests make: a field it lacks is a fault."""

import json
import sys
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from flowvision import contract
from tests.commands import ROOT

SCHEMA = ROOT / "docs" / "answers.schema.json"


@cache
def validator() -> Draft202012Validator:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(closed(schema))


def closed(schema: Any) -> Any:
    """Return the schema with unknown fields forbidden."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    is_object = isinstance(schema.get("properties"), dict) and schema.get("type") == "object"
    made = {key: closed(part) for key, part in schema.items()}
    return {"additionalProperties": False} | made if is_object else made


def faults_of(described: dict[str, Any]) -> list[str]:
    """Return the violations of the schema."""
    plain = json.loads(json.dumps(described))
    kind = "answer" if plain.get("ok") else "failure"
    if "event" in plain:
        kind = "play_plan" if plain["event"] == "plan" else "play_event"
    part = validator().evolve(schema={**validator().schema, "anyOf": [{"$ref": f"#/$defs/{kind}"}]})
    found = [fault for whole in part.iter_errors(plain) for fault in (whole.context or [whole])]
    return [f"{fault.json_path}: {fault.message}" for fault in found]


def check_all_lines() -> None:
    """Make ``json_line`` check each object, also where it is imported already."""
    write = contract.json_line

    def checked(made: dict[str, Any]) -> str:
        faults = faults_of(made)
        assert not faults, f"{SCHEMA.name} does not describe this object: {faults}"
        return write(made)

    for module in list(sys.modules.values()):
        if getattr(module, "json_line", None) is write:
            module.json_line = checked
