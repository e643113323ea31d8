"""What shows on a board while somebody plays: the halo round the finger, and a mouse pointer."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from flowvision.image.picture import Bgr, Rgb
from flowvision.render.paint import disc, polygon, stroke

HALO_RADIUS, HALO_SHARE = 0.72, 0.4
"""Of the pitch, and of the flow's colour: a translucent disc 1.3 to 1.6 cells wide, over lines."""
ARROW = np.array([(0.0, 0.0), (0.0, 0.3), (0.07, 0.24), (0.2, 0.2)])
"""The pointer's outline from its tip, of the pitch."""
WHITE, BLACK = Rgb(255, 255, 255), Rgb(0, 0, 0)


def draw_halo(canvas: Bgr, centre: Sequence[float], pitch_px: float, colour: Rgb) -> None:
    """The halo of a flow's colour round the finger that draws it; into ``canvas``."""
    over = canvas.copy()
    disc(over, centre, HALO_RADIUS * pitch_px, colour)
    cv2.addWeighted(over, HALO_SHARE, canvas, 1 - HALO_SHARE, 0, dst=canvas)


def draw_pointer(canvas: Bgr, tip: Sequence[float], pitch_px: float) -> None:
    """A white arrow with a black rim; into ``canvas``."""
    corners = np.asarray(tip) + pitch_px * ARROW
    polygon(canvas, corners[[0, 1, 2]], WHITE)
    polygon(canvas, corners[[0, 2, 3]], WHITE)
    stroke(canvas, corners[[0, 1, 2, 3, 0]], BLACK, 0.015 * pitch_px)
