"""The pictures of any result: every stage registers what it finds. Nothing else draws evidence."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from flowvision.debug.canvas import Canvas, Colour, Floats, write
from flowvision.debug.scene import Panel, Scene
from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.vision.grid.fit import GridFit
from flowvision.vision.special.fits import CircleFit


@singledispatch
def panels_of(result: object, scene: Scene) -> list[Panel]:
    """The debug pictures of a result, or of the evidence of a stage that failed."""
    return []


def banner(bgr: Bgr, words: str, colour: Colour) -> Bgr:
    """The picture with a line of words above it."""
    sheet = np.full((bgr.shape[0] + 44, bgr.shape[1], 3), 24, np.uint8)
    sheet[44:] = bgr
    write(sheet, words, (12, 29), colour, 0.6)
    return sheet


def draw_lattice(canvas: Canvas, frame: Frame, rows: int, cols: int, colour: Colour) -> None:
    """The lines of a lattice."""
    for r in range(rows + 1):
        canvas.line(frame.to_px([(0, r), (cols, r)]), colour, 2)
    for c in range(cols + 1):
        canvas.line(frame.to_px([(c, 0), (c, rows)]), colour, 2)


def grid_corners(fit: GridFit | CircleFit) -> Floats:
    """The corners of a lattice, in picture pixels."""
    return fit.frame.to_px([(0, 0), (fit.cols, 0), (fit.cols, fit.rows), (0, fit.rows)])


def bgr_of(colour: Rgb) -> Colour:
    """A colour as OpenCV takes it."""
    return colour.blue, colour.green, colour.red
