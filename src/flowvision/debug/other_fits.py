"""Fits of every kind as pictures, and the cells and sides of every board."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.debug.canvas import GREEN, GREY, RED, WHITE, Canvas, box_round
from flowvision.debug.panels import draw_shape, panels_of
from flowvision.debug.scene import Panel, Scene
from flowvision.image.picture import Frame
from flowvision.vision.kinds.fit import BoardGeometry, DebugShape, Fit
from flowvision.vision.pixels.sampling import view_frame


@panels_of.register
def _(fit: Fit, scene: Scene) -> list[Panel]:
    shape = fit.debug_shape()
    if shape.labels is None:
        canvas = scene.canvas(points_px=fit.outline_px())
        draw_shape(canvas, shape)
    else:
        canvas = _regions(fit, shape)
    return [Panel("03-grid.png", shape.title, shape.caption, canvas.bgr)]


def _regions(fit: Fit, shape: DebugShape) -> Canvas:
    """The fit's view, each region in a shade of its own, and the links between neighbours."""
    labels = np.asarray(shape.labels)
    shades = np.random.default_rng(0).integers(70, 220, (int(labels.max()) + 1, 3), dtype=np.uint8)
    shades[0] = 0
    canvas = Canvas(np.asarray(shades[labels], dtype=np.uint8))
    canvas.bgr[:] = cv2.addWeighted(canvas.bgr, 0.6, Canvas(fit.view.bgr).bgr, 0.6, 0)
    in_view = view_frame(Frame.of_box(0, 0, 1, 1), fit.view)
    for link in shape.links:
        canvas.line(in_view.to_px(link), WHITE, 1)
    return canvas


@panels_of.register
def _(sides: BoardGeometry, scene: Scene) -> list[Panel]:
    layout, frame = sides.board.layout, sides.fit.frame
    outlines = [frame.to_px(cell.outline) for cell in layout.cells]
    canvas = Canvas(scene.shot.bgr, box_round(np.concatenate(outlines)), 0.45)
    for outline in outlines:
        canvas.line(outline, GREY, 1, closed=True)
    for strokes in layout.strokes:
        for stroke in strokes:
            canvas.line(frame.to_px(stroke), GREEN, 1)
    walls = 0
    for side in sides.sides:
        if side.is_open:
            continue
        walls += 1
        at = tuple(frame.to_px([side.middle])[0].tolist())
        canvas.circle((at[0], at[1]), 0.08 * sides.fit.pitch_px, RED, -1)
        canvas.text(f"{side.strength:.1f}", (at[0], at[1]), WHITE, 0.35)
    caption = (
        f"{len(layout.cells)} cells; open sides in green, {walls} closed ones in red with how strong they "
        "are (1.0 is a plain grid line)."
    )
    return [Panel("03b-sides.png", "Cells and sides", caption, canvas.bgr)]
