"""Dots that a reading left out: discs like its own, in cells without one or beside it on its lattice."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Frame, Screenshot
from flowvision.reading.partial_board import PAIR, are_centred, holds, places_frame
from flowvision.vision.board.boxes import box_of
from flowvision.vision.dots.result import ALIKE_SIZE, ON_LATTICE
from flowvision.vision.pixels.circles import are_discs, discs_round
from flowvision.vision.pixels.sampling import lab_of, ring, sample
from flowvision.vision.pixels.view import Floats, PixelBox, View, view_of
from flowvision.vision.reading import Reading
from flowvision.vision.settings import Settings

NEAR = 3
"""Rows or columns beyond a board in which the rest of it may begin; buttons are further away."""
GLANCE_PX = 24.0
"""The width of a cell when places are glanced at: dots are 8 pixels in radius."""
RADII = np.arange(0.1, 0.6, 0.025)
"""Of a narrow cell's width: from the middle of a dot to well outside any."""
RADIUS_LEAST = 0.2
"""Of the same: dots have their colour at least so far from their middles."""
SHIFTS = np.stack(np.meshgrid(*2 * [np.linspace(-ON_LATTICE, ON_LATTICE, 5)]), axis=-1).reshape(-1, 2)
"""(N, 2) of the pitch: where a disc may be round a place."""
CLOSER = np.stack(np.meshgrid((-0.05, 0, 0.05), (-0.05, 0, 0.05), (0.9, 1, 1.1)), axis=-1).reshape(-1, 3)
"""(N, 3) of the pitch, and of the radius: between these places, discs a little smaller or larger."""
RIM = (0.85, 1.15)
"""Of the radius: rings just inside and outside a disc. The bend of a pipe fills a smaller one."""
PIXELS = Frame.of_box(0.0, 0.0, 1.0, 1.0)
"""The frame of points that are in pixels already."""


def misses_dots(reading: Reading, shot: Screenshot, settings: Settings) -> bool:
    """Whether dots were not read: by chance the others may have one solution.

    Circles take OpenCV up to a second, so they are looked for only where a glance at the places of the
    lattice does not rule them out. A board that is no lattice of squares leaves nothing out: its dots need
    be no circles.
    """
    if reading.lattice is None or reading.lattice.tiling != "square":
        return False
    if np.count_nonzero(dot_like_places(reading, shot, settings)) < PAIR:
        return False
    box, pitch_px = box_of(reading.board, reading.frame, shot), _pitch_px(reading)
    return are_left_out(reading, discs_round(shot, box, pitch_px, settings).filled)


def are_left_out(reading: Reading, discs: Floats) -> bool:
    """Whether discs of the size of its dots lie in cells without one, or beyond it on the same lattice.

    ``discs`` (N, 3): their middles and radii in picture pixels.
    """
    assert reading.lattice is not None
    is_dot = _away_px(reading, discs[:, :2]) <= ON_LATTICE * _pitch_px(reading)
    if np.count_nonzero(is_dot) < len(reading.ends_px):
        return False
    usual = np.median(discs[is_dot, 2])
    others = discs[~is_dot & (np.abs(discs[:, 2] / usual - 1) <= ALIKE_SIZE)]
    places = places_frame(reading).to_cells(others[:, :2])
    size = np.array((reading.lattice.rows, reading.lattice.cols))
    near = ((places > -NEAR - 0.5) & (places < size + NEAR - 0.5)).all(axis=1)
    centred, held = are_centred(places), holds(reading, places)
    beside = centred[near & ~held]
    # A row of buttons is on the lattice only here and there.
    of_the_rest = np.count_nonzero(beside) if 2 * np.count_nonzero(beside) > len(beside) else 0
    return bool(np.count_nonzero(centred & held) + of_the_rest >= PAIR)


def dot_like_places(reading: Reading, shot: Screenshot, settings: Settings) -> NDArray[np.bool_]:
    """(N,): per place of the lattice without a dot, on the board or beside it, whether it may have a disc.

    As large as the dots are, or nearly.
    """
    assert reading.lattice is not None
    frame, pitch_px = places_frame(reading), _pitch_px(reading)
    rows, cols = (np.arange(-NEAR, size + NEAR) for size in (reading.lattice.rows, reading.lattice.cols))
    places = np.stack(np.meshgrid(rows, cols), axis=-1).reshape(-1, 2)
    places = places[_away_px(reading, frame.to_px(places)) > ON_LATTICE * pitch_px]
    narrow_px = frame.narrow_px(reading.lattice.places[0])
    points = frame.to_px((places[:, None] + SHIFTS).reshape(-1, 2))
    size = shot.bgr.shape[1::-1]
    (x0, y0), (x1, y1) = np.clip((points.min(axis=0), points.max(axis=0) + 1), 0, size).astype(int).tolist()
    view = view_of(shot, PixelBox(x0, y0, x1, y1), min(x1 - x0, y1 - y0) * GLANCE_PX / narrow_px)
    radius_px = _radius_px(view, np.reshape(reading.ends_px, (-1, 2)), narrow_px)
    found: NDArray[np.bool_] = np.asarray(((points >= 0) & (points < size)).all(axis=1))
    discs = np.column_stack((points, np.full(len(points), radius_px)))
    found[found] = are_discs(view, PIXELS, discs[found], settings.circles, settings.dots)
    closer = discs[found, None] * (1, 1, 0) + CLOSER * (pitch_px, pitch_px, radius_px)
    is_disc = are_discs(view, PIXELS, closer.reshape(-1, 3), settings.circles, settings.dots, RIM)
    found[found] = is_disc.reshape(-1, len(CLOSER)).any(axis=1)
    return np.asarray(found.reshape(-1, len(SHIFTS)).any(axis=1))


def _radius_px(view: View, ends_px: Floats, narrow_px: float) -> float:
    """How far the colour of the dots reaches from their middles, in most of them."""
    rings = np.concatenate([ring(radius * narrow_px, 12) for radius in RADII])
    seen = lab_of(sample(view, PIXELS, ends_px, rings)).reshape(len(ends_px), len(RADII), -1, 3)
    colour, ground = (
        np.median(seen[:, part].reshape(len(ends_px), -1, 3), axis=1)
        for part in (RADII <= RADIUS_LEAST, RADII >= 0.45)
    )
    away = np.median(np.linalg.norm(seen - colour[:, None, None], axis=3), axis=2)
    within = away < 0.5 * np.linalg.norm(ground - colour, axis=1)[:, None]
    within[:, RADII <= RADIUS_LEAST], within[:, -1] = True, False
    return float(np.median(RADII[within.argmin(axis=1)])) * narrow_px


def _away_px(reading: Reading, points_px: Floats) -> Floats:
    """(N,): how far points are from the nearest dot, in pixels."""
    ends_px = np.reshape(reading.ends_px, (-1, 2))
    return np.asarray(np.linalg.norm(points_px[:, None] - ends_px, axis=2).min(axis=1))


def _pitch_px(reading: Reading) -> float:
    return reading.frame.pitch_px(reading.board.layout.cells[0].centre)
