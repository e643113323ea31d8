"""What a cell is written as."""

from __future__ import annotations

from flowvision.puzzle.model import BRIDGE, EMPTY, HOLE, LETTERS, MARKS
from flowvision.puzzle.text import read_drawn


def test_every_mark_is_one_character_and_means_one_thing() -> None:
    """No letter is a hole, an empty cell or a bridge, and none stands for two flows."""
    assert sorted(MARKS) == sorted({*LETTERS, EMPTY, HOLE, BRIDGE})
    assert len(LETTERS) == 26 + 26 + 10
    assert all(letter.isascii() and letter.isalnum() for letter in LETTERS)


def test_every_mark_is_read_in_a_row() -> None:
    """A row of all of them is a row of cells; a character that is no mark makes it none."""
    assert read_drawn(f"{MARKS}\n").grid == (MARKS,)
