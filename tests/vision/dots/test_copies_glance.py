"""A glance tells boards that may have discs from those that have none."""

from __future__ import annotations

import pytest

from flowvision.image.picture import Screenshot
from flowvision.vision.dots.copies import middles_of_discs
from tests.drawing import FIVE, screenshot_of
from tests.seeing import SETTINGS, sides_of
from tests.vision.dots.copies import copy_of


@pytest.mark.parametrize("dot", [0.12, 0.2, 0.35, 0.43])
def test_dots_of_any_size_are_noticed(dot: float) -> None:
    """Small ones as well as those that reach to the lines."""
    middles = middles_of_discs(sides_of(Screenshot(copy_of(FIVE, dot))), SETTINGS.dots)
    assert middles is not None
    assert len(middles) >= 10


def test_empty_cells_are_not() -> None:
    """A lattice of nothing: digits, tiles and forms are no boards."""
    assert middles_of_discs(sides_of(Screenshot(screenshot_of(".....\n" * 5))), SETTINGS.dots) is None


def test_fewer_than_a_puzzle_has_are_not() -> None:
    """One pair is no board."""
    board = sides_of(Screenshot(screenshot_of("R....\n.....\n.....\n....R\n.....\n")))
    assert middles_of_discs(board, SETTINGS.dots) is None
