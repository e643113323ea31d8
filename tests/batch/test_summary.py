"""The table for spreadsheets."""

from __future__ import annotations

import csv
from io import StringIO

import pytest

from flowvision.batch.summary import COLUMNS, row_of


def failed(name: str, message: str = "none") -> dict[str, object]:
    """The object of a picture that was not read."""
    error = {"code": "board-not-found", "stage": "board", "message": message, "hint": "-1+2"}
    return {"file": name, "ok": False, "error": error}


def cells_of(answer: dict[str, object]) -> dict[str, str]:
    """The cells of its line, by column."""
    (row,) = csv.reader(StringIO(row_of(answer).decode(), newline=""))
    return dict(zip(COLUMNS, row, strict=True))


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_cell_is_a_formula(start: str) -> None:
    """What a spreadsheet would calculate stands behind an apostrophe, in any column of text."""
    text = f"{start}cmd|' /C calc'!A0.png"
    cells = cells_of(failed(text, text))
    assert cells["file"] == cells["message"] == f"'{text}"
    assert cells["hint"] == "'-1+2"


def test_other_cells_stay() -> None:
    """Names and words that are no formulas are as they are."""
    cells = cells_of(failed("a=b.png", "it's 3-1"))
    assert (cells["file"], cells["message"], cells["stage"]) == ("a=b.png", "it's 3-1", "board")
