"""The annulus that the game's dots fill lies inside them, and outside pipes, for every kind of cells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flowvision.image.picture import Frame, Screenshot
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.synthetic import HEAD_RADIUS, Style, draw_screenshot
from flowvision.vision.board import find_boards, whole_picture
from flowvision.vision.dots.copies import small_dots
from flowvision.vision.kinds.circles.fit import CircleFit
from flowvision.vision.kinds.fit import Fit
from flowvision.vision.kinds.free.finding import fit_cells
from flowvision.vision.kinds.hexagonal.finding import fit_hexagons
from tests import seeing
from tests.drawing import FIVE, screenshot_of
from tests.seeing import SETTINGS


def circle_fit(radius: float) -> CircleFit:
    """A lattice of circles of this radius, of the width of a cell."""
    region = whole_picture(Screenshot(np.zeros((300, 300, 3), np.uint8)), SETTINGS.lines)
    return CircleFit(3, 3, Frame.of_box(0, 0, 100, 100), 100.0, 0.0, 1.0, radius, np.zeros((9, 3)), region)


def fits_of(board: Board) -> list[Fit]:
    """What explains a drawn board."""
    shot = draw_screenshot(board, random_puzzle(board, 1)[0], Style(), 2).screenshot
    return list(seeing.fits_of(next(find_boards(shot, SETTINGS))))


def test_dots_of_squares_fill_a_ring_that_heads_of_pipes_do_not():
    """They are 0.35 of a cell in radius, the head of a pipe 0.25."""
    model = fits_of(boards.square(5, 5))[0].usual_dots(SETTINGS.dots)
    assert HEAD_RADIUS < model.ring < 0.35
    assert (model.background, model.known, model.known_only) == ("wider ring", frozenset(), False)


def test_dots_of_hexagons_are_measured_in_squares_of_their_area():
    """As cells of any shape are; of a hexagon's width it is less."""
    shot = draw_screenshot(boards.hexagonal(5, 5), random_puzzle(boards.hexagonal(5, 5), 1)[0], Style(), 2)
    region = next(find_boards(shot.screenshot, SETTINGS))
    hexagons = fit_hexagons(region, SETTINGS).usual_dots(SETTINGS.dots)
    assert SETTINGS.dots.hexagon_ring < hexagons.ring < 0.35
    free = fit_cells(region, SETTINGS).usual_dots(SETTINGS.dots)
    assert free.ring == SETTINGS.dots.free_ring < hexagons.ring


@pytest.mark.parametrize("radius", [0.2, 0.3, 0.45])
def test_dots_of_boards_without_lines_are_as_large_as_their_circles(radius):
    """They may reach the sides of their cells, so the background is in the corners."""
    model = circle_fit(radius).usual_dots(SETTINGS.dots)
    assert 0 < model.ring < radius
    assert model.background == "corners"


def test_smaller_dots_are_offered_where_they_are_smaller():
    """Looking twice for the same would be lost time."""
    plain = fits_of(boards.square(5, 5))[0]
    assert small_dots(plain, SETTINGS.dots).ring < plain.usual_dots(SETTINGS.dots).ring
    assert small_dots(circle_fit(0.2), SETTINGS.dots) is None
    assert small_dots(circle_fit(0.45), SETTINGS.dots) is not None


def test_the_sizes_are_settings():
    """Whoever has other dots says so."""
    fit = next(seeing.fits_of(next(find_boards(Screenshot(screenshot_of(FIVE)), SETTINGS))))
    asked = replace(SETTINGS.dots, ring=0.31, small_ring=0.32)
    assert fit.usual_dots(asked).ring == 0.31
    assert small_dots(fit, asked) is None
