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


def answers(name, tmp_path, is_chosen=lambda record: True, every=EVERY):
    """Return records of a collection, each with the object that the command prints for it."""
    records = [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text().splitlines()]
    records = list(filter(is_chosen, records))[::every]
    assert records
    file = tmp_path / "some.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    result = invoke("puzzle", "--json", "--limit", "600", file)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["file"] for answer in answers] == [record["id"] for record in records]
    return list(zip(records, answers, strict=True))


def cells_of(record):
    return record["rows"] * record["cols"] - len(record["holes"])


def is_moderate(record):
    """Tell if a board is small enough, and its published solution covers it."""
    to_cover = cells_of(record) + len(record["bridges"])
    solution = record["solution"]
    return to_cover <= LARGEST and (solution is None or sum(map(len, solution)) == to_cover)


def paths(answer):
    return [flow["path"] for flow in answer["flows"]]


def undirected(paths):
    """Return the paths so that their directions and their order do not count."""
    return sorted(min(path, path[::-1]) for path in paths)


@pytest.mark.parametrize("kind", ["square", "rect", "shaped", "bridge", "hex", "warp"])
def test_every_official_level_is_solved_as_published(kind, tmp_path):
    for record, answer in answers(f"official_{kind}", tmp_path):
        assert (answer["ok"], answer["unique"], answer["rules"]) == (True, True, "strict"), record["id"]
        assert undirected(paths(answer)) == undirected(record["solution"]), record["id"]


@pytest.mark.parametrize("name", ["mzucker", "misc", "janko", "janko580", "lelleib", "thomasahle"])
def test_levels_of_other_collections_get_a_verdict(name, tmp_path):
    for record, answer in answers(name, tmp_path, is_moderate):
        if not answer["ok"]:
            assert record["solution"] is None, record["id"]
            assert answer["error"]["code"] == "unsolvable", record["id"]
            continue
        ends = [[path[0], path[-1]] for path in paths(answer)]
        assert undirected(ends) == undirected(record["pairs"]), record["id"]
        covered = {tuple(cell) for path in paths(answer) for cell in path}
        assert len(covered) == cells_of(record), record["id"]
        if answer["unique"] and record["solution"]:
            assert undirected(paths(answer)) == undirected(record["solution"]), record["id"]


def test_adversarial_boards_get_the_right_verdict(tmp_path):
    for record, answer in answers("adversarial", tmp_path, every=1):
        strict, free = (record["expect"][count] for count in ("solutions_no_self_touch", "solutions_any"))
        if free == 0:
            assert answer["error"]["code"] in ("unsolvable", "puzzle-invalid"), record["id"]
            continue
        assert (answer["ok"], answer["rules"]) == (True, "strict" if strict else "free"), record["id"]
        assert answer["unique"] is ((strict or free) == 1), record["id"]
