"""What is tried, by name and in order; the documents show the same."""

from __future__ import annotations

import re
from pathlib import Path

from flowvision.reading import strategies
from flowvision.reading.verdict import CHECKS
from flowvision.vision.pixels.view import CHANNELS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reading.md"
TABLES = {
    name: value
    for name, value in vars(strategies).items()
    if isinstance(value, tuple) and value and isinstance(value[0], strategies.Strategy)
}
"""Every table, in the order in which the module has them."""


def test_no_two_rows_have_one_name():
    """A fit, an event and the debug page know a row by its name."""
    names = [row.name for table in TABLES.values() for row in table]
    assert len(TABLES) == 8
    assert len(names) == len(set(names))


def test_a_row_that_offers_nothing_says_why():
    """Whoever looks for their board in the debug page reads why it was not explained by this row."""
    rows = *strategies.FITS, *strategies.GIVEN_SIZE, *strategies.WITHOUT_LINES
    assert len({row.nothing for row in rows}) == len(rows)


def test_every_channel_is_looked_at():
    """In the order in which the channels of a view are defined."""
    assert [row.attempt for row in strategies.CHANNELS] == list(CHANNELS)


def test_the_cascade_in_the_documents_is_the_one_in_the_code():
    """Row by row: the table, the name and the reason."""
    rows = re.findall(r"^\| `([A-Z_]+)` \| ([^|]+) \| ([^|]+) \|$", PAGE.read_text(), re.MULTILINE)
    expected = [(name, row.name, row.why) for name, table in TABLES.items() for row in table]
    assert [tuple(part.strip() for part in row) for row in rows] == expected


def test_the_checks_in_the_documents_are_those_in_the_code():
    """Numbered, by name and reason, in order."""
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \|$", PAGE.read_text(), re.MULTILINE)
    expected = [(str(number), check.name, check.why) for number, check in enumerate(CHECKS, 1)]
    assert [tuple(part.strip() for part in row) for row in rows] == expected


def test_each_check_has_a_note_in_the_documents():
    """By its name, in order; and it is said which of them are asked of every candidate."""
    text = PAGE.read_text()
    notes = re.findall(r"^(\d+)\. \*\*([^*]+)\.\*\*", text, re.MULTILINE)
    assert notes == [(str(number), check.name.capitalize()) for number, check in enumerate(CHECKS, 1)]
    first = [check.at_once for check in CHECKS].index(False)
    assert not any(check.at_once for check in CHECKS[first:])
    assert f"Those down to “{CHECKS[first - 1].name}”" in text


def test_the_page_is_one_page():
    """Everything that is tried is read at a sitting; rows may still be added."""
    assert len(Path(strategies.__file__).read_text().splitlines()) <= 300


def test_what_is_always_tried_was_measured():
    """Its cost and what it buys stand beside each row, save where only few pictures come to it."""
    rows = [
        row for name, table in TABLES.items() if name not in ("VIEWS", "GIVEN_SIZE", "WALLS") for row in table
    ]
    assert all(row.measured is not None for row in rows)
    assert sum(row.measured[1] for row in (*strategies.FITS, *strategies.WITHOUT_LINES)) == 237
    assert sum(row.measured[1] for row in strategies.DOTS) == 237
