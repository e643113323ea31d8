"""``flowvision puzzle --json`` on collections of other people's levels; skipped where there are none."""

import json
import os
from pathlib import Path

import pytest

from tests.commands import NIGHTLY, invoke

DATA = Path(os.environ.get("FLOWVISION_DATA") or Path(__file__).parents[2] / "../shared") / "puzzles"
EVERY = 1 if NIGHTLY else 20
"""Of each collection the first of this many levels is solved."""
LARGEST = 600
"""Cells of the largest board that is solved here."""

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the collections of levels are not here")


def answers(name, tmp_path, wanted=lambda record: True, every=EVERY):
    records = [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text().splitlines()]
    records = [record for record in records if wanted(record)][::every]
    assert records
    file = tmp_path / "some.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    result = invoke("puzzle", "--json", "--limit", "600", file)
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["file"] for one in found] == [record["id"] for record in records]
    return list(zip(records, found, strict=True))


def is_moderate(record):
    cells = record["rows"] * record["cols"] - len(record["holes"]) + len(record["bridges"])
    solution = record["solution"]
    return cells <= LARGEST and (solution is None or sum(map(len, solution)) == cells)


def paths(found):
    return [flow["path"] for flow in found["flows"]]


def undirected(paths):
    return sorted(min(path, path[::-1]) for path in paths)


@pytest.mark.parametrize("kind", ["square", "rect", "shaped", "bridge", "hex", "warp"])
def test_every_official_level_is_solved_as_published(kind, tmp_path):
    for record, found in answers(f"official_{kind}", tmp_path):
        assert (found["ok"], found["unique"], found["rules"]) == (True, True, "strict"), record["id"]
        assert undirected(paths(found)) == undirected(record["solution"]), record["id"]


@pytest.mark.parametrize("name", ["mzucker", "misc", "janko", "janko580", "lelleib", "thomasahle"])
def test_levels_of_other_collections_get_a_verdict(name, tmp_path):
    for record, found in answers(name, tmp_path, is_moderate):
        assert found["ok"] or record["solution"] is None, record["id"]
        if not found["ok"]:
            assert found["error"]["code"] == "unsolvable", record["id"]
            continue
        ends = [[path[0], path[-1]] for path in paths(found)]
        assert undirected(ends) == undirected(record["pairs"]), record["id"]
        covered = {tuple(cell) for path in paths(found) for cell in path}
        assert len(covered) == record["rows"] * record["cols"] - len(record["holes"]), record["id"]
        if found["unique"] and record["solution"]:
            assert undirected(paths(found)) == undirected(record["solution"]), record["id"]


def test_adversarial_boards_get_the_right_verdict(tmp_path):
    for record, found in answers("adversarial", tmp_path, every=1):
        strict, free = (record["expect"][count] for count in ("solutions_no_self_touch", "solutions_any"))
        if free == 0:
            assert found["error"]["code"] in ("unsolvable", "puzzle-invalid"), record["id"]
            continue
        assert (found["ok"], found["rules"]) == (True, "strict" if strict else "free"), record["id"]
        assert found["unique"] is ((strict or free) == 1), record["id"]
