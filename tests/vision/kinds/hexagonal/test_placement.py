"""A lattice of hexagons is placed where it was drawn, with most of its lines hidden."""

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Frame
from flowvision.puzzle import boards
from flowvision.vision.kinds.hexagonal.fit import HEIGHT
from flowvision.vision.kinds.hexagonal.placement import frame_of, periods
from flowvision.vision.settings import Settings

BOARD = boards.hexagonal(6, 6)


def lines_of(width_px: float, corner: tuple[float, float] = (20.0, 30.0), kept: float = 1.0):
    """255 on the sides of a board of hexagons so wide, of each of which ``kept`` is drawn."""
    frame, rng = Frame.of_box(*corner, width_px, width_px), np.random.default_rng(0)
    lines = np.zeros((round(6.6 * width_px), round(5.6 * width_px)), np.uint8)
    for cell in BOARD.layout.cells:
        corners = np.round(16 * frame.to_px(list(cell.outline))).astype(np.int32)
        for a, b in zip(corners, np.roll(corners, 1, axis=0), strict=True):
            if rng.random() < kept:
                cv2.line(lines, a.tolist(), b.tolist(), 255, 2, cv2.LINE_8, 4)
    return lines


SETTINGS = Settings()
LINE_PX = 5


@pytest.mark.parametrize("off", [-0.01, 0.0, 0.012])
@pytest.mark.parametrize("kept", [1.0, 0.4])
def test_the_lattice_is_placed_where_it_was_drawn(off, kept):
    """Also from a height that is off by a hundredth: its scales are refined."""
    width_px, corner = 48.0, (23.0, 31.0)
    frame = frame_of(
        lines_of(width_px, corner, kept), HEIGHT * width_px * (1 + off), LINE_PX, SETTINGS.hexagons
    )
    middles = frame.to_cells(np.array(BOARD.layout.centres) * width_px + corner)
    # The frame has the middle of some hexagon at its origin; columns are 0.75 apart, every other one shifted.
    col = np.round(middles[:, 0] / 0.75)
    row = middles[:, 1] / HEIGHT - 0.5 * (col % 2)
    assert np.abs(middles[:, 0] / 0.75 - col).max() < 0.06
    assert np.abs(row - np.round(row)).max() < 0.06


def test_other_lines_match_no_hexagon():
    """Squares, however regular, and noise."""
    squares = np.zeros((300, 300), np.uint8)
    squares[::40] = squares[:, ::40] = 255
    noise = np.where(np.random.default_rng(0).random((300, 300)) < 0.1, 255, 0).astype(np.uint8)
    for lines in (squares, noise):
        for height_px in (35.0, 40.0, 46.0):
            assert frame_of(lines, height_px, LINE_PX, SETTINGS.hexagons) is None


@pytest.mark.parametrize("width_px", [24.0, 40.0, 63.0])
@pytest.mark.parametrize("kept", [1.0, 0.4])
def test_the_height_is_among_the_likeliest_periods(width_px, kept):
    """To within a pixel, also where more than half of the sides are hidden."""
    found = periods(lines_of(width_px, kept=kept), SETTINGS.hexagons, SETTINGS.grid)
    assert min(abs(height - HEIGHT * width_px) for height in found[: SETTINGS.grid.fits]) <= 1.0


@pytest.mark.parametrize("shape", [(1, 300), (300, 1), (1, 1), (41, 41)])
def test_views_too_small_for_hexagons_have_none(shape):
    """Not even a warning: nothing is divided by how far lines may repeat."""
    with np.errstate(all="raise"):
        assert periods(np.full(shape, 255, np.uint8), SETTINGS.hexagons, SETTINGS.grid) == []
