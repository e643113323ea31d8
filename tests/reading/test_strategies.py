"""What is tried, by name and in order; the documents show the same."""

from __future__ import annotations

import re
from pathlib import Path

from flowvision.reading import strategies
from flowvision.reading.verdict import CHECKS
from flowvision.vision.pixels.view import CHANNELS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "notes" / "reading.md"
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


def test_every_channel_is_looked_at():
    """In the order in which the channels of a view are defined."""
    assert [row.attempt for row in strategies.CHANNELS] == list(CHANNELS)


def test_the_checks_made_of_every_candidate_come_first():
    """As the document says; and its notes are about checks that there are, in their order."""
    at_once = [check.at_once for check in CHECKS]
    assert at_once == sorted(at_once, reverse=True)
    notes = re.findall(r"^- \*\*([^*]+)\.\*\*", PAGE.read_text().split("## Walls")[0], re.MULTILINE)
    names = [check.name.capitalize() for check in CHECKS]
    assert notes
    assert notes == [name for name in names if name in notes]


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
