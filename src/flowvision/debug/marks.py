"""The picture at the top of the page: the one that was given, with what a cause speaks of marked in it."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.debug.canvas import BLUE, RED, WHITE, Canvas, Colour, Floats, Panel, Scene, box_round, write
from flowvision.diagnosis.cause import Mark
from flowvision.image.picture import Bgr

CAUSE = "00b-cause.png"
"""The picture that shows the cause of a refusal."""
MARGIN, FRAME = 0.011, 64
"""Round the picture: room that shows where it ends, of its longer side, and its grey."""
WORDS = 0.8
"""Size of the words: they are read on a phone as well."""
MOST_GROWN = 6.0
"""Times: a tiny picture is shown no larger, so that it is seen how few pixels it has."""


def cause_panel(marks: tuple[Mark, ...], caption: str, scene: Scene, title: str = "") -> Panel:
    """The board, or the whole picture where none was found or its edge is marked, with marks."""
    shot = scene.shot.bgr
    margin = max(4, round(MARGIN * max(shot.shape[:2])))
    framed = cv2.copyMakeBorder(shot, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(FRAME,) * 3)
    side = round(min(900, MOST_GROWN * max(framed.shape[:2])))
    canvas = Canvas(np.asarray(framed, np.uint8), _box(marks, scene, margin), 0.85, side)
    canvas.corner = canvas.corner - margin
    for mark in marks:
        if mark.kind == "area":
            _hatch(canvas, mark)
    for mark in marks:
        _draw(canvas, mark)
    title = title or ("What is wrong, marked in the picture" if marks else "The picture as it was given")
    return Panel(CAUSE, title, caption, canvas.bgr)


def _box(marks: tuple[Mark, ...], scene: Scene, margin: int) -> Floats | None:
    """The part that is shown (of the framed picture): the board with all marks, or everything."""
    sides = scene.trail.sides
    if sides is None or any(mark.kind in ("line", "box", "cell") for mark in marks):
        return None
    points = [sides.fit.frame.to_px(cell.outline) for cell in sides.board.layout.cells]
    points += [np.array(mark.points_px) for mark in marks]
    return box_round(np.concatenate(points)) + margin


def _hatch(canvas: Canvas, mark: Mark) -> None:
    """Slanted red lines over an area."""
    height, width = canvas.bgr.shape[:2]
    inside = np.zeros((height, width), np.uint8)
    corners = np.round(canvas.at(list(mark.points_px))).astype(np.int32)
    cv2.fillPoly(inside, [corners], 255)
    y, x = np.nonzero(inside)
    striped = (x + y) % 14 < 4
    canvas.bgr[y[striped], x[striped]] = RED
    cv2.polylines(canvas.bgr, [corners], True, RED, 1, cv2.LINE_AA)


def _draw(canvas: Canvas, mark: Mark) -> None:
    points, size = list(mark.points_px), WORDS
    if mark.kind == "ring":
        (x, y), radius = points[0], mark.radius_px
        canvas.circle((x, y), radius, (0, 0, 0), 9)
        canvas.circle((x, y), radius, WHITE, 6)
        canvas.circle((x, y), radius, RED, 3)
        _label(canvas.bgr, mark.label, canvas.at([(x, y - radius)])[0] - (0, 10), WHITE, size)
        return
    colour: Colour = BLUE if mark.kind in ("box", "cell") else RED
    if width := {"line": 6, "box": 3, "cell": 1}.get(mark.kind):
        canvas.line(points, colour, width, closed=mark.kind != "line")
    where = np.mean(canvas.at(points), axis=0) if mark.kind != "box" else canvas.at(points)[0] + (70, 16)
    _label(canvas.bgr, mark.label, where, colour if mark.kind == "box" else WHITE, size)


def _label(bgr: Bgr, words: str, at: Floats, colour: Colour, size: float) -> None:
    """Words centred on a point, moved so that all of them lie inside the picture."""
    if not words:
        return
    (width, height), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    low, high = (
        np.array([width, height]) / 2 + 6,
        np.array(bgr.shape[1::-1]) - (width / 2 + 6, height / 2 + 8),
    )
    x, y = np.clip(at, np.minimum(low, high), high).tolist()
    write(bgr, words, (x, y), colour, size, centred=True)
