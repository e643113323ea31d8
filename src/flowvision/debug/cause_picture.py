"""The picture at the top of the page: the one that was given, with what a cause speaks of marked in it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from flowvision.debug.canvas import BLACK, BLUE, RED, WHITE, Canvas, Colour, Panel, Scene, box_round, write
from flowvision.image.picture import Floats
from flowvision.reading.doubt import LOOKED_AT, Mark
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import BoardGeometry

CAUSE = "00b-cause.png"
"""The picture that shows the cause of a refusal."""
MARGIN, FRAME = 0.011, 64
"""Round the picture: room that shows where it ends, of its longer side, and its grey."""
WORDS = 1.0
"""Size of the words: they are read on a phone as well."""
GAP, PLATE = 6.0, 2.0
"""Pixels between words and what they stand beside, and of it between that and the dark plate below them."""
STEPS, DIRECTIONS = 12, ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))
"""Distances, in lines of words, and directions to search for a place for words, in order."""
MOST_GROWN = 6.0
"""Times: a tiny picture is shown no larger, so that it is seen how few pixels it has."""


def cause_panel(marks: tuple[Mark, ...], caption: str, scene: Scene, title: str = "") -> Panel:
    """The board and all marks, or the whole picture where no board was seen, or an option is wrong.

    ``title``: of the latter: the board that was seen with that option may be a part of the right one.
    """
    shot = scene.shot.bgr
    margin = max(4, round(MARGIN * max(shot.shape[:2])))
    framed = cv2.copyMakeBorder(shot, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(FRAME,) * 3)
    side = round(min(900, MOST_GROWN * max(framed.shape[:2])))
    box = None if title else part_of(marks, scene)
    canvas = Canvas(np.asarray(framed, np.uint8), None if box is None else box + margin, 0.85, side)
    canvas.corner = canvas.corner - margin
    for mark in marks:
        if mark.kind == "area":
            _hatch(canvas, mark)
    for mark in marks:
        _draw(canvas, mark)
    _label_all(canvas, marks, scene)
    title = title or ("What is wrong, marked" if marks else "The picture as it was given")
    return Panel(CAUSE, title, caption, canvas.bgr)


def part_of(marks: tuple[Mark, ...], scene: Scene) -> Floats | None:
    """The part of the picture that is shown: the board with all marks; ``None``: everything."""
    geometry = scene.find(BoardGeometry)
    if geometry is None or any(mark.label == LOOKED_AT for mark in marks):
        return None
    board = geometry.fit.frame.to_px(geometry.board.layout.corners)
    points = [board, *(np.array(mark.points_px) for mark in marks if mark.kind != "line")]
    for edge in (np.array(mark.points_px) for mark in marks if mark.kind == "line"):
        is_along = np.ptp(edge, axis=0) > 0
        points.append(np.where(is_along, np.clip(edge, board.min(axis=0), board.max(axis=0)), edge))
    return box_round(np.concatenate(points))


def _hatch(canvas: Canvas, mark: Mark) -> None:
    """Slanted red lines over an area."""
    height, width = canvas.bgr.shape[:2]
    inside = np.zeros((height, width), np.uint8)
    corners = np.round(canvas.at(mark.points_px)).astype(np.int32)
    cv2.fillPoly(inside, [corners], 255)
    y, x = np.nonzero(inside)
    striped = (x + y) % 14 < 4
    canvas.bgr[y[striped], x[striped]] = RED
    cv2.polylines(canvas.bgr, [corners], True, RED, 1, cv2.LINE_AA)


def _draw(canvas: Canvas, mark: Mark) -> None:
    if mark.kind == "ring":
        for colour, thick in ((BLACK, 9), (WHITE, 6), (RED, 3)):
            canvas.circle(mark.points_px[0], mark.radius_px, colour, thick)
    elif width := {"line": 6, "box": 3, "cell": 1}.get(mark.kind):
        canvas.line(mark.points_px, _colour(mark), width, closed=mark.kind != "line")


def _colour(mark: Mark) -> Colour:
    return BLUE if mark.kind in ("box", "cell") else RED


def _label_all(canvas: Canvas, marks: tuple[Mark, ...], scene: Scene) -> None:
    """The words of all marks, each where it hides no dot and no other words, if there is such a place."""
    rings = [(mark.points_px[0], mark.radius_px) for mark in marks if mark.kind == "ring"]
    if (found := scene.find(Dots)) is not None:
        rings += [(dot.centre_px, found.usual_radius_px) for dot in found.dots]
    taken = [
        np.concatenate((canvas.at(at)[0] - radius * canvas.scale, canvas.at(at)[0] + radius * canvas.scale))
        for at, radius in rings
    ]
    for mark in marks:
        if not mark.label:
            continue
        points = canvas.at(mark.points_px)
        anchor = points[0] if mark.kind == "box" else np.clip(points, 0, canvas.bgr.shape[1::-1]).mean(axis=0)
        radius = mark.radius_px * canvas.scale if mark.kind == "ring" else 8.0
        (width, height), _ = cv2.getTextSize(mark.label, cv2.FONT_HERSHEY_SIMPLEX, WORDS, 1)
        centre = free_place(anchor, radius, (width, height), taken, canvas.bgr.shape[1::-1])
        half = np.array((width, height)) / 2 + GAP
        taken.append(np.concatenate((centre - half, centre + half)))
        to = anchor + (centre - anchor) * min(1.0, radius / max(1.0, float(np.linalg.norm(centre - anchor))))
        if (np.abs(to - centre) > half + 2 * GAP).any():
            start = np.clip(to, centre - half, centre + half)
            for colour, thick in ((BLACK, 4), (WHITE, 2)):
                way = np.round((start, to)).astype(np.int32)
                cv2.polylines(canvas.bgr, [way], False, colour, thick, cv2.LINE_AA)
        colour = _colour(mark) if mark.kind == "box" else WHITE
        low, high = (np.round(centre + sign * (half - PLATE)).astype(int).tolist() for sign in (-1, 1))
        cv2.rectangle(canvas.bgr, low, high, BLACK, -1)
        write(canvas.bgr, mark.label, centre.tolist(), colour, WORDS, centred=True)


def free_place(
    anchor: Floats, radius: float, size: tuple[float, float], taken: Sequence[Floats], bounds: Sequence[int]
) -> Floats:
    """Return the middle of words of a ``size`` near a ring: above, beside or below it, or further off.

    ``taken``: boxes (x0, y0, x1, y1) that they must not touch. Where all is taken, right above the ring.
    """
    half, reach = np.array(size) / 2, np.array(bounds[:2])
    low, high = half + GAP, np.maximum(half + GAP, reach - half - GAP)
    boxes = np.array(taken).reshape(-1, 2, 2)
    middles, halves = boxes.mean(axis=1), np.ptp(boxes, axis=1) / 2
    for step in range(STEPS):
        for direction in DIRECTIONS:
            away = radius + GAP + step * 2 * half[1] + half
            centre = np.clip(anchor + np.array(direction) * away, low, high)
            if not (np.abs(middles - centre) < half + halves).all(axis=1).any():
                return np.asarray(centre)
    return np.asarray(np.clip(anchor - (0, radius + GAP + half[1]), low, high))
