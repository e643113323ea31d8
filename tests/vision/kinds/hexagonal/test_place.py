"""A lattice of hexagons is placed where it was drawn, with most of its lines hidden."""

from __future__ import annotations

from unittest.mock import Mock

import numpy as np
import pytest

from flowvision.vision.kinds.hexagonal import place as hexagon_place
from flowvision.vision.kinds.hexagonal.fit import HEIGHT
from flowvision.vision.kinds.hexagonal.place import frame_of
from flowvision.vision.settings import Settings
from tests.vision.kinds.hexagonal.hexagon_lines import BOARD, lines_of

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
    middles = frame.to_cells(np.array([cell.centre for cell in BOARD.layout.cells]) * width_px + corner)
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


@pytest.mark.parametrize("off", [-0.01, 0.004, 0.012])
@pytest.mark.parametrize("kept", [1.0, 0.4])
@pytest.mark.parametrize("width_px", [31.0, 48.0, 90.0])
def test_looking_near_the_expected_place_finds_what_looking_everywhere_does(off, kept, width_px, monkeypatch):
    """The very same frame, and most of the time without looking everywhere."""
    everywhere = Mock(wraps=hexagon_place._matched)
    monkeypatch.setattr(hexagon_place, "_matched", everywhere)
    given = lines_of(width_px, kept=kept), HEIGHT * width_px * (1 + off), LINE_PX, SETTINGS.hexagons
    near = frame_of(*given)
    assert everywhere.call_count < 20
    monkeypatch.setattr(hexagon_place, "_matched_near", lambda *_: None)
    assert frame_of(*given) == near


def test_a_match_is_found_up_to_two_pixels_away():
    """From the expected place of either hexagon of the oblong; what is farther away is left to others."""
    points = hexagon_place._points(lines_of(48.0))
    scale = np.array([48.0, 48.0])
    template = hexagon_place._pattern(0.04)
    score, shift = hexagon_place._matched(points, scale, template)
    pixel = hexagon_place.OBLONG / hexagon_place.FOLDED[::-1]
    for expected in (
        shift,
        shift + (-1, 1) * hexagon_place.OBLONG,
        shift + (0.5, 0.5) * hexagon_place.OBLONG,
        shift + (1, -1) * pixel,
    ):
        found = hexagon_place._matched_near(points, scale, expected, template)
        assert found is not None
        assert found[0] == pytest.approx(score, rel=1e-5)
        assert found[1] == pytest.approx(shift)
    for away in ((3, 0), (0, -4), (-5, 9)):
        assert hexagon_place._matched_near(points, scale, shift + away * pixel, template) is None


def test_a_picture_without_lines_has_no_lattice():
    """Nor does it divide by the number of its pixels."""
    with np.errstate(all="raise"):
        assert frame_of(np.zeros((90, 90), np.uint8), 20.0, LINE_PX, SETTINGS.hexagons) is None
