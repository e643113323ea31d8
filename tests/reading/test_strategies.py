"""What is tried, by name and in order; the documents show the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flowvision.reading import strategies
from flowvision.reading.verdict import CHECKS
from flowvision.vision.pixels.view import CHANNELS

ARCHITECTURE = Path(__file__).resolve().parents[2] / "docs" / "architecture.md"
ORDER = {
    "VIEWS": ["as it is", "enlarged"],
    "CHANNELS": ["brightest channel", "negative", "green channel", "red channel", "blue channel"],
    "FITS": [
        "sure hexagons",
        "lattice",
        "tinted lattice",
        "open lattice",
        "hexagons",
        "free cells",
        "open lattice last",
        "reframed lattice",
    ],
    "GIVEN_SIZE": ["lattice of that size", "swapped size", "lattice at an angle", "even lattice"],
    "WITHOUT_LINES": ["circles"],
    "DOTS": ["usual dots", "measured discs", "filled discs", "wide rings", "rimmed discs", "small dots"],
    "WALLS": ["without incomplete walls", "without any wall"],
    "CROSSINGS": ["bridges", "warps", "bridges and warps", "every end open"],
}


@pytest.mark.parametrize("table", ORDER)
def test_the_order_is_fixed(table: str):
    """What is tried first decides what is believed: to change it is a decision, made here too."""
    assert [row.name for row in getattr(strategies, table)] == ORDER[table]


def test_every_table_is_in_the_order():
    """No strategy is tried that is not listed."""
    tables = {
        name
        for name, value in vars(strategies).items()
        if isinstance(value, tuple) and value and isinstance(value[0], strategies.Strategy)
    }
    assert tables == set(ORDER)


def test_every_channel_is_looked_at():
    """In the order in which the channels of a view are defined."""
    assert [row.attempt for row in strategies.CHANNELS] == list(CHANNELS)


def test_the_cascade_in_the_documents_is_the_one_in_the_code():
    """Row by row: the table, the name and the reason."""
    rows = re.findall(r"^\| `([A-Z_]+)` \| ([^|]+) \| ([^|]+) \|$", ARCHITECTURE.read_text(), re.MULTILINE)
    expected = [(table, row.name, row.why) for table in ORDER for row in getattr(strategies, table)]
    assert [tuple(part.strip() for part in row) for row in rows] == expected


def test_the_checks_in_the_documents_are_those_in_the_code():
    """Numbered, by name and reason, in order."""
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \|$", ARCHITECTURE.read_text(), re.MULTILINE)
    expected = [(str(number), check.name, check.why) for number, check in enumerate(CHECKS, 1)]
    assert [tuple(part.strip() for part in row) for row in rows] == expected


def test_the_page_is_one_page():
    """Whoever opens it sees everything that is tried."""
    assert len(Path(strategies.__file__).read_text().splitlines()) <= 160


def test_what_is_always_tried_was_measured():
    """Its cost and what it buys stand beside each row, save where only few pictures come to it."""
    rows = [
        row
        for table in ORDER
        if table not in ("VIEWS", "GIVEN_SIZE", "WALLS")
        for row in getattr(strategies, table)
    ]
    assert all(row.measured is not None for row in rows)
    assert sum(row.measured[1] for row in (*strategies.FITS, *strategies.WITHOUT_LINES)) == 237
    assert sum(row.measured[1] for row in strategies.DOTS) == 237
