"""The halo round a finger, and a mouse pointer."""

from __future__ import annotations

import numpy as np

from flowvision.image.picture import Rgb
from flowvision.render.scenery import HALO_RADIUS, HALO_SHARE, draw_halo, draw_pointer


def test_a_halo_lets_through_what_is_below():
    """A disc of the flow's colour, so much of it; beyond its radius nothing changes."""
    canvas = np.full((300, 300, 3), 100, np.uint8)
    draw_halo(canvas, (150, 150), 100, Rgb(200, 0, 0))
    inside = round(100 * (1 - HALO_SHARE) + 200 * HALO_SHARE)
    assert abs(int(canvas[150, 150, 2]) - inside) <= 1
    assert canvas[150, 150, 0] < 100
    assert (canvas[150, 150 + round(100 * HALO_RADIUS) + 3] == 100).all()


def test_a_pointer_is_white_with_a_black_rim():
    """It hangs from its tip."""
    canvas = np.full((200, 200, 3), 100, np.uint8)
    draw_pointer(canvas, (50, 50), 100)
    assert {0, 255} <= set(np.unique(canvas[50:90, 50:90]).tolist())
    assert (canvas[:45] == 100).all()
