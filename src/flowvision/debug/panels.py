"""The pictures of any result: every stage registers what it finds. Nothing else draws evidence."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from flowvision.debug.canvas import GREEN, GREY, YELLOW, Canvas, Colour, write
from flowvision.debug.scene import Panel, Scene
from flowvision.image.picture import Bgr, Rgb
from flowvision.vision.kinds.fit import DebugShape


@singledispatch
def panels_of(result: object, scene: Scene) -> list[Panel]:
    """The debug pictures of a result, or of the evidence of a stage that failed."""
    return []


def draw_shape(canvas: Canvas, shape: DebugShape) -> None:
    """The lines and circles of a fit."""
    for line in shape.unseen:
        canvas.line(line, GREY, 2)
    for line in shape.seen:
        canvas.line(line, GREEN, 2)
    for x, y, radius in shape.circles.tolist() if shape.circles is not None else ():
        canvas.circle((x, y), radius, YELLOW)


def banner(bgr: Bgr, words: str, colour: Colour) -> Bgr:
    """The picture with a line of words above it."""
    sheet = np.full((bgr.shape[0] + 44, bgr.shape[1], 3), 24, np.uint8)
    sheet[44:] = bgr
    write(sheet, words, (12, 29), colour, 0.6)
    return sheet


def bgr_of(colour: Rgb) -> Colour:
    """A colour as OpenCV takes it."""
    return colour.blue, colour.green, colour.red
