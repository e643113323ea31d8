"""What was tried, in order, and the reading that a person would choose among it."""

from __future__ import annotations

from contextlib import suppress

import pytest

from flowvision.errors import FlowvisionError
from flowvision.events import Event, Trail
from flowvision.image.picture import Bgr, Screenshot
from flowvision.pipeline import solve_image
from flowvision.reading.history import (
    OF_GIVEN_SIZE,
    RegionRecord,
    StrategyRecord,
    appeal_of,
    attempts_of,
    choice_of,
    grid_option,
    regions_of,
    with_skipped,
)
from flowvision.reading.options import Options
from flowvision.reading.strategies import FITS, GIVEN_SIZE, WITHOUT_LINES
from flowvision.vision.board import find_boards
from flowvision.vision.kinds.free.finding import fit_cells
from flowvision.vision.pixels.view import Channel
from tests.diagnosis.refused import hidden_dot
from tests.drawing import FIVE, screenshot_of
from tests.seeing import SETTINGS


def test_lattices_that_were_laid_over_a_picture_are_known_by_the_names_of_their_rows() -> None:
    """A row under another name would be taken for one that was seen."""
    assert set(OF_GIVEN_SIZE) <= {row.name for row in GIVEN_SIZE}


def events_of(bgr: Bgr) -> list[Event]:
    """What the stages announce about a picture."""
    events: list[Event] = []
    with suppress(FlowvisionError):
        solve_image(bgr, observer=events.append)
    return events


def test_every_strategy_is_listed_in_order() -> None:
    """Those that were tried say what became of them, the others why they were not."""
    (region,) = regions_of(events_of(screenshot_of(FIVE)), Options())
    assert [one.strategy for one in region.attempts] == [row.name for row in FITS]
    (tried,) = attempts_of([region])
    assert tried.size.startswith("5 rows × 5 columns")
    assert "usual dots: exactly one solution" in tried.text
    assert tried.is_answer
    skipped = [one for one in region.attempts if one.is_skipped]
    assert skipped[0].text == f"found nothing: {FITS[0].why_none}"
    assert all("an answer was found before" in one.text for one in skipped[1:])


@pytest.mark.parametrize("channel", ["brightest", "green"])
def test_only_what_is_tried_in_its_channel_is_listed_of_a_region(channel: Channel) -> None:
    """Nothing is said of why a strategy found nothing where it is never tried."""
    region, _ = with_skipped([RegionRecord(1, "a part", channel=channel)], Options())
    assert [one.strategy for one in region.attempts] == [row.name for row in FITS if channel in row.channels]
    assert ("free cells" in [one.strategy for one in region.attempts]) == (channel == "brightest")


def test_what_looks_at_the_whole_picture_is_listed_too() -> None:
    """At the end of a refusal, also where it found nothing."""
    *_, whole = regions_of(events_of(hidden_dot()), Options())
    assert [one.strategy for one in whole.attempts] == [row.name for row in WITHOUT_LINES]
    assert WITHOUT_LINES[0].why_none in whole.attempts[0].text


def test_a_person_chooses_the_lattice_not_the_shards() -> None:
    """Cells of any shape explain the lines of a lattice as well; rows and columns with dots are chosen."""
    attempts = attempts_of(regions_of(events_of(hidden_dot()), Options()))
    choice = choice_of(attempts)
    assert grid_option(choice.fit) == "5x5"
    shot = Screenshot(screenshot_of(FIVE))
    shards = StrategyRecord(1, "free cells", fit_cells(next(find_boards(shot, SETTINGS)), SETTINGS), Trail())
    assert grid_option(shards.fit) == ""
    assert choice is not None
    assert appeal_of(shards) < appeal_of(choice)
    assert choice_of([shards, choice]) is choice
    assert choice_of([]) is None
