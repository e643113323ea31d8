"""The dots: discs that fill the ring where letters and pipes do not reach."""

from __future__ import annotations

from functools import partial

import numpy as np

from flowvision.errors import DotsError, OddDotsError
from flowvision.image.picture import Frame, Rgb
from flowvision.vision.dots.result import Dot, DotEvidence, DotModel, Dots
from flowvision.vision.pixels.sampling import lab_of, ring, sample
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import Settings
from flowvision.vision.walls.result import SideReading
from flowvision.words import count_of

RING_POINTS = 24
DOT_RADIUS = 0.35
"""Of a narrow cell's width, in every version of the game."""
CORNERS = np.array(
    [(x * a, y * b) for x in (-1, 1) for y in (-1, 1) for a, b in ((0.4, 0.4), (0.36, 0.4), (0.4, 0.36))]
)
"""Of the cell: places that no dot and no pipe reaches, clear of the lines."""
FACE, FACE_REACH = 31, 0.21
"""Letters are 0.36 of the pitch high: so many pixels across a square a little larger."""


def find_dots(sides: SideReading, model: DotModel, settings: Settings) -> Dots:
    """The dots of a board.

    A cell holds a dot when a ring round its middle has one colour that a wider ring, outside any
    dot, mostly has not. The inner ring is as wide as the cell is narrow, the outer one as long and
    wide as the cell: dots are slanted in slanted cells, and round in long ones. Where dots may reach to
    the sides of their cells, the corners take the place of the outer ring.
    Raises ``DotsError`` when no cell holds a dot, ``OddDotsError`` when they cannot all have a partner.
    """
    fit, layout = sides.fit, sides.board.layout
    centres = np.array([cell.centre for cell in layout.cells])
    shapes = sides.shapes
    if model.background == "ring":
        inner = _narrow(shapes) * ring(model.ring, RING_POINTS)
        outer = stretched(ring(settings.dots.outer_ring, RING_POINTS), shapes)
    else:
        inner, outer = round_in(fit.frame, centres, model.ring, shapes), stretched(CORNERS, shapes)
    rim, around = (sample(fit.view, fit.frame, centres, offsets) for offsets in (inner, outer))
    colour = np.median(rim, axis=1)
    colour_lab = lab_of(colour.astype(np.uint8))
    ground_lab = lab_of(np.median(around, axis=1).astype(np.uint8))
    contrast = np.linalg.norm(colour_lab - ground_lab, axis=1)
    same = 0.5 * contrast[:, None]
    cover = (np.linalg.norm(lab_of(rim) - colour_lab[:, None, :], axis=2) < same).mean(axis=1)
    clear = (np.linalg.norm(lab_of(around) - colour_lab[:, None, :], axis=2) >= same).mean(axis=1)
    is_dot = (contrast >= settings.dots.contrast) & (cover >= settings.dots.cover)
    is_dot &= clear >= settings.dots.clear
    value = colour.max(axis=1)
    is_dot &= value >= settings.dots.value * value[is_dot].max(initial=0.0)
    is_dot = is_dot & (not model.known_only) | np.isin(np.arange(len(centres)), list(model.known))
    px = fit.frame.to_px(centres)
    x, y = centres.mean(axis=0).tolist()
    radius_px = DOT_RADIUS * fit.frame.narrow_px((x, y))
    dots = tuple(
        Dot(
            int(cell),
            (float(px[cell, 0]), float(px[cell, 1])),
            radius_px,
            (float(colour_lab[cell, 0]), float(colour_lab[cell, 1]), float(colour_lab[cell, 2])),
            Rgb(*(round(channel) for channel in colour[cell, ::-1].tolist())),
        )
        for cell in np.flatnonzero(is_dot)
    )
    marks = Dots(dots, DotEvidence(contrast, cover, partial(_faces, sides, centres[is_dot], colour[is_dot])))
    if len(dots) < settings.dots.count_min:
        found = f"found {len(dots) or 'none'}, boards have {settings.dots.count_min} and more"
        raise DotsError(f"Looked for dots in {len(centres)} cells: {found}.", None, marks)
    if len(dots) % 2:
        raise OddDotsError(f"Found {count_of(len(dots), 'dot')}; dots come in pairs.", None, marks)
    return marks


def round_in(frame: Frame, centres: Floats, radius: float, shapes: Floats) -> Floats:
    """(cells, RING_POINTS, 2): rings round in the picture, their radius in widths of a narrow cell."""
    x, y = centres.mean(axis=0).tolist()
    to_cells = np.linalg.inv(frame.stretch((x, y))) * frame.narrow_px((x, y))
    return np.asarray(_narrow(shapes) * (ring(radius, RING_POINTS) @ to_cells.T))


def _narrow(shapes: Floats) -> Floats:
    """(cells, 1, 1): how wide each cell is where it is narrow."""
    return np.asarray(np.linalg.svd(shapes, compute_uv=False)[:, -1, None, None], np.float64)


def stretched(offsets: Floats, shapes: Floats) -> Floats:
    """(cells, N, 2): offsets (N, 2) in a square, as long and wide as each cell."""
    return np.asarray(offsets @ np.swapaxes(shapes, 1, 2))


def _faces(sides: SideReading, centres: Floats, colours: Floats) -> Floats:
    """(dots, FACE, FACE): the middles of dots, where letters stand, less the brightness of the dot."""
    if not len(centres):
        return np.zeros((0, FACE, FACE))
    axis = np.linspace(-FACE_REACH, FACE_REACH, FACE)
    offsets = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    seen = sample(sides.fit.view, sides.fit.frame, centres, offsets).mean(axis=2)
    return np.asarray((seen - colours.mean(axis=1, keepdims=True)).reshape(-1, FACE, FACE))
