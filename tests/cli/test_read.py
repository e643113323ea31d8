"""``flowvision read``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flowvision.cli import main
from flowvision.puzzle.text import parse
from tests.drawing import FIVE


def read(*arguments: str | Path) -> int:
    """The exit code of ``flowvision read`` with these arguments."""
    with pytest.raises(SystemExit) as left:
        main(["read", *map(str, arguments)])
    return int(left.value.code or 0)


def test_the_puzzle_is_printed_and_nothing_written(
    shot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is printed is the puzzle's text form, with letters after the colours' names."""
    assert read(shot) == 0
    assert capsys.readouterr().out == FIVE
    assert list(tmp_path.iterdir()) == [shot]


def test_several_are_told_apart(shot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With several screenshots each text follows its file's name."""
    assert read(shot, shot) == 0
    assert capsys.readouterr().out.count(f"{shot}:\n{FIVE}") == 2


def test_json(shot: Path, impossible: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The object of the contract; a refuted reading is no reading, but says what was seen."""
    assert read(shot, impossible, "--json") == 11
    right, wrong = map(json.loads, capsys.readouterr().out.splitlines())
    assert parse("\n".join(right["board"]["grid"])).puzzle == parse(FIVE).puzzle
    assert wrong["ok"] is False
    assert wrong["board"]["grid"] == ["R.G", "...", "G.R"]
