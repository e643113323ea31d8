"""``flowvision puzzle`` and ``flowvision generate`` as their users call them."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from flowvision.cli import cli
from tests.drawing import FIVE, FIVE_SOLVED, NONE


def run(*arguments, given=None):
    """The result of a command."""
    return CliRunner().invoke(cli, list(arguments), input=given)


def test_a_puzzle_is_solved_and_called_the_only_one(tmp_path):
    """The board as letters, then what is known of other solutions."""
    file = tmp_path / "five.txt"
    file.write_text(FIVE)
    result = run("puzzle", str(file))
    assert result.exit_code == 0
    assert result.stdout.startswith(FIVE_SOLVED)
    assert "the only solution" in result.stdout


def test_standard_input_is_read():
    """With - in place of a file."""
    assert run("puzzle", "-", given=FIVE).stdout.startswith(FIVE_SOLVED)


def test_an_impossible_puzzle_has_its_own_exit_code():
    """7, and the reason on stderr."""
    result = run("puzzle", "-", given=NONE)
    assert result.exit_code == 7
    assert "no solution" in result.stderr


def test_records_give_one_object_each(tmp_path):
    """In the order of the file, with paths in the order of the pairs; a bad line never stops the rest."""
    file = tmp_path / "levels.jsonl"
    record = {"id": "x", "rows": 1, "cols": 3, "pairs": [[[0, 0], [0, 2]]]}
    file.write_text(
        json.dumps(record) + "\nnonsense\n".replace("nonsense", "{bad") + json.dumps(record | {"id": "y"})
    )
    result = run("puzzle", "--json", str(file))
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["id"] for one in objects][::2] == ["x", "y"]
    assert objects[0]["status"] == "solved"
    assert objects[0]["unique"] is True
    assert objects[0]["paths"] == [[[0, 0], [0, 1], [0, 2]]]
    assert result.exit_code == 11


@pytest.mark.parametrize("text", ["", "R.\n..", "..."])
def test_what_is_no_puzzle_exits_with_6(text):
    """And says what is wrong."""
    result = run("puzzle", "-", given=text)
    assert result.exit_code == 6 or isinstance(result.exception, Exception)


def test_a_generated_puzzle_has_one_solution():
    """The output goes straight into ``flowvision puzzle``; the same seed makes the same one."""
    first = run("generate", "--size", "6x8", "--colours", "5", "--seed", "3").stdout
    assert first == run("generate", "--size", "6x8", "--colours", "5", "--seed", "3").stdout
    assert len(first.splitlines()) == 8
    assert "the only solution" in run("puzzle", "-", given=first).stdout
