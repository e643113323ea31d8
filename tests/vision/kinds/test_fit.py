"""Fits say how sure they are: all of it where everything is seen, less where something is not."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Frame, Screenshot
from flowvision.puzzle import boards
from flowvision.vision.board import whole_picture
from flowvision.vision.kinds.free.finding import fit_cells
from flowvision.vision.kinds.hexagonal.finding import fit_hexagons
from flowvision.vision.kinds.hexagonal.fit import HexagonFit, neighbours
from flowvision.vision.settings import Settings
from tests.drawing import FIVE, screenshot_of

SETTINGS = Settings()
CELLS = np.array([[False, True, False], [True, True, True], [True, True, True]])


def hexagons(thick: float = 3.0) -> HexagonFit:
    """A small board whose outline is so much stronger than its lines."""
    region = whole_picture(Screenshot(np.zeros((8, 8, 3), np.uint8)), SETTINGS.lines)
    shape = (*CELLS.shape, 6)
    fit = HexagonFit(
        Frame.of_box(0, 0, 1, 1),
        1.0,
        CELLS,
        np.ones(shape),
        np.ones(shape, bool),
        SETTINGS.hexagons.thick,
        region,
    )
    fit.strength[fit.outer] = thick
    return fit


def test_outer_sides_are_those_without_a_cell_beyond():
    """Of cells alone; every other side of a cell has one."""
    fit = hexagons()
    cells = {(int(r), int(c)) for r, c in np.argwhere(CELLS)}
    expected = {
        (row, col, side) for row, col in cells for side in range(6) if neighbours(row, col)[side] not in cells
    }
    assert {tuple(place) for place in np.argwhere(fit.outer).tolist()} == expected


@pytest.mark.parametrize("thick", [1.0, 3.0])
def test_a_whole_outline_has_no_gaps(thick):
    """Be it drawn thick, or as plain as the lines."""
    fit = hexagons(thick)
    assert fit.gaps == 0
    assert fit.quality == 1
    assert fit.outline == thick
    assert fit.count == CELLS.sum()


@pytest.mark.parametrize(("thick", "other"), [(1.0, 3.0), (3.0, 1.0)])
def test_a_lost_cell_is_a_gap_in_the_outline(thick, other):
    """Outer sides unlike the rest make the fit unsure by their share."""
    fit = hexagons(thick)
    row, col, side = np.argwhere(fit.outer)[0]
    fit.strength[row, col, side] = other
    assert fit.gaps == pytest.approx(1 / fit.outer.sum())
    assert fit.quality == pytest.approx(1 - fit.gaps)


def test_hidden_sides_make_hexagons_unsure():
    """By their share of the sides of cells."""
    fit = hexagons()
    shown = fit.shown.copy()
    shown[1, 1, :3] = False
    assert replace(fit, shown=shown).quality == pytest.approx(1 - 3 / (6 * CELLS.sum()))


def test_cells_of_any_shape_are_surest_alone():
    """Lines that belong to no cell make a fit unsure."""
    bgr = np.pad(screenshot_of(FIVE), ((0, 0), (200, 200), (0, 0)))
    alone = fit_cells(whole_picture(Screenshot(bgr), SETTINGS.lines), SETTINGS)
    cv2.line(bgr, (30, 20), (30, 560), (63, 109, 63), 2)
    beside = fit_cells(whole_picture(Screenshot(bgr), SETTINGS.lines), SETTINGS)
    assert alone.cells == beside.cells == 25
    assert beside.explained < alone.explained <= 1
    assert beside.score < alone.score


def test_a_drawn_board_of_hexagons_is_sure():
    """Every side is seen, and its outline is whole."""
    frame, bgr = Frame.of_box(30, 30, 60, 60), np.zeros((400, 330, 3), np.uint8)
    for cell in boards.hexagonal(5, 5).layout.cells:
        cv2.polylines(
            bgr, [np.round(frame.to_px(list(cell.outline))).astype(np.int32)], True, (100, 80, 60), 2
        )
    fit = fit_hexagons(whole_picture(Screenshot(bgr), SETTINGS.lines), SETTINGS)
    assert fit.count == 25
    assert fit.score > 0.95
