"""Dots that a reading missed: discs like its own, in cells without a dot or beside the board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import PIXELS, Screenshot
from flowvision.image.pixels import pixels_at
from flowvision.reading.beyond import places_frame
from flowvision.vision.assembly import Reading
from flowvision.vision.board import box_of
from flowvision.vision.pixels.discs import are_discs, discs_round
from flowvision.vision.pixels.view import (
    HALF_WAY,
    Floats,
    PixelBox,
    View,
    colour_distance,
    lab_of,
    ring,
    sample,
    view_of,
)
from flowvision.vision.settings import DotSettings, ReadingSettings, Settings

RADII = np.arange(0.1, 0.6, 0.025)
"""Cell widths: rings from the middle of a dot to well outside any."""
GROUND_FROM = 0.45
"""Cell widths: rings from here on lie outside most dots."""
RING_POINTS = 12
"""Points on each ring."""
SHIFTS = 5
"""A side: how many times how many places are tried round the middle of a cell."""
CLOSER = np.stack(np.meshgrid((-0.05, 0, 0.05), (-0.05, 0, 0.05), (0.9, 1, 1.1)), axis=-1).reshape(-1, 3)
"""(N, 3) of the pitch, and of the radius: between these places, discs a little smaller or larger."""
SAMPLES = 4
"""Points looked at along each side of a cell."""
AWAY = 0.38
"""Cells, to either side of a middle: neither dots nor pipes reach so far."""
STRIKING = 0.8
"""Share of the difference between dots and ground: what differs from the ground by so much stands out."""
OUTSTANDING = 0.4
"""Share of the difference between dots and ground: middles of empty cells differ by up to 0.23."""
ACROSS = 0.5 * np.array(((0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)))
"""Cells: the middle of a cell, and of its sides."""
SMALLEST = 0.6
"""Least radius, in those of its own dots: those of a board that shines through are larger."""


def are_centred(places: Floats, dot: DotSettings) -> NDArray[np.bool_]:
    """(N,): whether points (N, 2), in rows and columns, lie in the middles of places of the lattice."""
    return np.asarray((np.abs(places - np.round(places)) < dot.off_lattice).all(axis=1))


def are_on_board(reading: Reading, places: Floats | NDArray[np.int_]) -> NDArray[np.bool_]:
    """(N,): whether points (N, 2), in rows and columns, lie in cells of the board."""
    cells = set(reading.places)
    return np.array([(round(row), round(col)) in cells for row, col in places.tolist()], bool)


def misses_dots(reading: Reading, shot: Screenshot, settings: Settings) -> bool:
    """Return whether dots of the board were missed; the others may have exactly one solution by chance.

    To find circles takes OpenCV up to a second, so first the places of the lattice are sampled, which settles
    it on most boards. Only lattices of squares are looked at: on others dots need not be circles.
    """
    if reading.board.squares is None:
        return False
    thresholds = settings.reading
    places = places_without_dot(reading, thresholds, settings.dots)
    like_dots = places[dot_like_places(reading, places, shot, settings)]
    is_mixed = share_unexplained(reading, shot, settings) >= thresholds.mixed
    if len(like_dots) < thresholds.dots_min and not is_mixed:
        return False
    if np.count_nonzero(_are_of_other_colours(reading, like_dots, shot, settings)) >= thresholds.dots_min:
        return True  # of several colours, or smeared: they need not be circles
    box, pitch_px = box_of(reading.board, reading.frame, shot), reading.pitch_px
    discs = discs_round(shot, box, pitch_px, settings).filled
    discs = discs[~_are_holes(reading, shot, discs, settings.dots)]
    # Ends and bends of pipes make circles where no rings are filled.
    is_own = _distance_px(reading, discs[:, :2]) <= settings.dots.off_lattice * pitch_px
    at = np.round(places_frame(reading).to_cells(discs[:, :2]))
    may_be_dots = discs[is_own | (at[:, None] == like_dots).all(axis=2).any(axis=1)]
    return are_missed_dots(reading, may_be_dots, thresholds, settings.dots) or (
        is_mixed and are_of_another_board(reading, discs, thresholds, settings.dots)
    )


def _are_holes(reading: Reading, shot: Screenshot, discs: Floats, dot: DotSettings) -> NDArray[np.bool_]:
    """(N,): which discs have the colour of the board's ground: rings show it in their middles."""
    seen = _lab_at(shot, discs[:, :2])
    return np.asarray(colour_distance(seen, _ground(reading, shot)) < dot.contrast)


def _are_of_other_colours(
    reading: Reading, places: NDArray[np.int_], shot: Screenshot, settings: Settings
) -> NDArray[np.bool_]:
    """(N,): which places of the board stand out from its ground in a colour of their own.

    No dot has it, and it does not go on over the side of the cell, as that of a pipe does in any shade.
    """
    places = places[are_on_board(reading, places)]
    points = (places[:, None] + ACROSS).reshape(-1, 2)
    around = _lab_at(shot, places_frame(reading).to_px(points)).reshape(-1, len(ACROSS), 3)
    seen, sides = around[:, 0], around[:, 1:]
    dots, ground = _colours(reading), _ground(reading, shot)
    away = OUTSTANDING * np.median(colour_distance(dots, ground))
    is_read = colour_distance(seen[:, None], dots).min(axis=1) < settings.pipes.alike
    apart = colour_distance(seen, ground)
    goes_on = colour_distance(sides, seen[:, None]).min(axis=1) < HALF_WAY * apart
    return np.asarray((apart >= away) & ~is_read & ~goes_on)


def _colours(reading: Reading) -> Floats:
    """(flows, 3): the colours of the dots in the picture, in Lab; letters on them have another."""
    return lab_of(np.array([colour[::-1] for colour in reading.palette], np.uint8))


def _ground(reading: Reading, shot: Screenshot) -> Floats:
    """(3,): the colour of the board's cells beside what lies on them, in Lab."""
    corners = np.array(reading.places)[:, None] + AWAY * np.array(((-1, -1), (-1, 1), (1, -1), (1, 1)))
    seen = _lab_at(shot, places_frame(reading).to_px(corners.reshape(-1, 2)))
    return np.asarray(np.median(seen, axis=0))


def _lab_at(shot: Screenshot, points_px: Floats) -> Floats:
    """(N, 3): the colours at points (N, 2), in Lab; at the edge of the picture for those beyond it."""
    return lab_of(pixels_at(shot.bgr, points_px)[0])


def share_unexplained(reading: Reading, shot: Screenshot, settings: Settings) -> float:
    """The share of points all over a board that stands out like its dots, and is neither dot nor pipe.

    Grid lines are thin and faint; where two pictures are mixed, another board's dots lie anywhere.
    """
    shifts = (np.arange(SAMPLES) - (SAMPLES - 1) / 2) / SAMPLES
    around = np.stack(np.meshgrid(shifts, shifts), axis=-1).reshape(-1, 2)
    places = np.array(reading.places)
    size = shot.bgr.shape[1::-1]
    points = np.round(places_frame(reading).to_px((places[:, None] + around).reshape(-1, 2))).astype(int)
    points = points[((points >= 0) & (points < size)).all(axis=1)]
    if not len(points):
        return 0.0
    seen, dots = lab_of(shot.bgr[points[:, 1], points[:, 0]]), _colours(reading)
    ground = np.median(seen, axis=0)
    is_striking = colour_distance(seen, ground) >= STRIKING * np.median(colour_distance(dots, ground))
    is_dot = _distance_px(reading, points[is_striking]) < GROUND_FROM * reading.pitch_px
    is_pipe = colour_distance(seen[is_striking, None], dots).min(axis=1) < settings.pipes.alike
    return np.count_nonzero(~is_dot & ~is_pipe) / len(points)


def are_of_another_board(
    reading: Reading, discs: Floats, settings: ReadingSettings, dot: DotSettings
) -> bool:
    """Whether discs of one size lie between the places of a reading's lattice, as many as two pairs make.

    Much smaller ones than its dots are ground that pipes leave free.
    """
    places = places_frame(reading).to_cells(discs[:, :2])
    is_dot = _distance_px(reading, discs[:, :2]) <= dot.off_lattice * reading.pitch_px
    is_large = discs[:, 2] >= SMALLEST * np.median(discs[is_dot, 2]) if is_dot.any() else ~is_dot
    others = discs[is_large & ~is_dot & ~are_centred(places, dot) & are_on_board(reading, places)]
    alike = np.abs(others[:, None, 2] / others[:, 2] - 1) <= dot.alike_size
    return bool(alike.sum(axis=1).max(initial=0) >= 2 * settings.dots_min)


def are_missed_dots(reading: Reading, discs: Floats, settings: ReadingSettings, dot: DotSettings) -> bool:
    """Whether discs of the size of a reading's dots lie in cells without one, or beside it on its lattice.

    ``discs`` (N, 3): their middles and radii in picture pixels. False where most of its dots are no discs.
    """
    assert reading.lattice is not None
    is_dot = _distance_px(reading, discs[:, :2]) <= dot.off_lattice * reading.pitch_px
    if np.count_nonzero(is_dot) < len(reading.ends_px):
        return False
    radius_px = np.median(discs[is_dot, 2])
    others = discs[~is_dot & (np.abs(discs[:, 2] / radius_px - 1) <= dot.alike_size)]
    places = places_frame(reading).to_cells(others[:, :2])
    size = np.array((reading.lattice.rows, reading.lattice.cols))
    is_near = ((places > -settings.beside - 0.5) & (places < size + settings.beside - 0.5)).all(axis=1)
    is_centred, is_on_board = are_centred(places, dot), are_on_board(reading, places)
    beside = is_centred[is_near & ~is_on_board]
    # Few of a row of buttons are on the lattice, by chance; of the rest of a board all are.
    of_the_rest = np.count_nonzero(beside) if 2 * np.count_nonzero(beside) > len(beside) else 0
    return bool(np.count_nonzero(is_centred & is_on_board) + of_the_rest >= settings.dots_min)


def dot_like_places(
    reading: Reading, places: NDArray[np.int_], shot: Screenshot, settings: Settings
) -> NDArray[np.bool_]:
    """(N,): whether each of the places (N, 2) may hold a disc of about the size of the dots.

    ``places``: rows and columns of the lattice, on the board or beside it. Round each, rings are sampled
    coarsely at several points, then finely where a disc may be.
    """
    frame, pitch_px = places_frame(reading), reading.pitch_px
    shifts = np.linspace(-settings.dots.off_lattice, settings.dots.off_lattice, SHIFTS)
    around = np.stack(np.meshgrid(shifts, shifts), axis=-1).reshape(-1, 2)
    points = frame.to_px((places[:, None] + around).reshape(-1, 2))
    size = shot.bgr.shape[1::-1]
    (x0, y0), (x1, y1) = np.clip((points.min(axis=0), points.max(axis=0) + 1), 0, size).astype(int).tolist()
    cell_width_px = frame.cell_width_px(reading.places[0])
    view_px = min(x1 - x0, y1 - y0) * settings.reading.prefilter_px / cell_width_px
    view = view_of(shot, PixelBox(x0, y0, x1, y1), view_px)
    radius_px = _radius_px(view, np.reshape(reading.ends_px, (-1, 2)), cell_width_px, settings.reading)
    discs = np.column_stack((points, np.full(len(points), radius_px)))
    found: NDArray[np.bool_] = np.asarray(((points >= 0) & (points < size)).all(axis=1))
    found[found] = are_discs(view, PIXELS, discs[found], settings.circles, settings.dots)
    closer = discs[found, None] * (1, 1, 0) + CLOSER * (pitch_px, pitch_px, radius_px)
    rings = settings.reading.prefilter_inside, settings.reading.prefilter_outside
    is_disc = are_discs(view, PIXELS, closer.reshape(-1, 3), settings.circles, settings.dots, rings)
    found[found] = is_disc.reshape(-1, len(CLOSER)).any(axis=1)
    return np.asarray(found.reshape(-1, len(around)).any(axis=1))


def places_without_dot(reading: Reading, settings: ReadingSettings, dot: DotSettings) -> NDArray[np.int_]:
    """(N, 2): the rows and columns without a dot, on the board and beside it."""
    assert reading.lattice is not None
    size = (reading.lattice.rows, reading.lattice.cols)
    rows, cols = (np.arange(-settings.beside, count + settings.beside) for count in size)
    places = np.stack(np.meshgrid(rows, cols), axis=-1).reshape(-1, 2)
    away_px = _distance_px(reading, places_frame(reading).to_px(places))
    return np.asarray(places[away_px > dot.off_lattice * reading.pitch_px])


def _radius_px(view: View, ends_px: Floats, cell_width_px: float, settings: ReadingSettings) -> float:
    """The radius of the dots, one of ``RADII``: the median of how far each one's colour reaches."""
    rings = np.concatenate([ring(radius * cell_width_px, RING_POINTS) for radius in RADII])
    seen = lab_of(sample(view, PIXELS, ends_px, rings)).reshape(len(ends_px), len(RADII), -1, 3)
    is_inside = settings.dot_radius_min >= RADII
    colour, ground = (
        np.median(seen[:, part].reshape(len(ends_px), -1, 3), axis=1)
        for part in (is_inside, RADII >= GROUND_FROM)
    )
    away = np.median(colour_distance(seen, colour[:, None, None]), axis=2)
    within = away < HALF_WAY * colour_distance(ground, colour)[:, None]
    within[:, is_inside], within[:, -1] = True, False
    return float(np.median(RADII[within.argmin(axis=1)])) * cell_width_px


def _distance_px(reading: Reading, points_px: Floats) -> Floats:
    """(N,): how far points are from the nearest dot of a reading, in pixels."""
    ends_px = np.reshape(reading.ends_px, (-1, 2))
    return np.asarray(np.linalg.norm(points_px[:, None] - ends_px, axis=2).min(axis=1))
