"""The picture of a refusal with its cause marked, at the top of the page."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from flowvision.debug.canvas import BLACK, BLUE, RED, WHITE, Canvas, Panel, Scene, box_round, write
from flowvision.image.picture import Floats
from flowvision.reading.doubt import LOOKED_AT, Doubt, Mark
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import BoardGeometry

CAUSE = "00b-cause.png"
"""The picture that shows the cause of a refusal."""
MARGIN, FRAME = 0.011, 64
"""Width of a margin that shows where the picture ends, as a share of its longer side, and its grey."""
TEXT_SIZE = 1.0
"""Legible on a phone."""
GAP_PX = 6.0
"""Pixels between a label and its mark."""
STEPS, DIRECTIONS = 12, ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))
"""Distances, in heights of a label, and directions that are searched for a free place, in order."""
MAX_SCALE = 6.0
"""Largest enlargement: a tiny picture shows how few pixels it has."""


def cause_panel(cause: Doubt, scene: Scene) -> Panel:
    """Return the board with all marks; the whole picture where no board was seen, or an option is wrong."""
    shot, marks = scene.shot.bgr, cause.marks
    margin = max(4, round(MARGIN * max(shot.shape[:2])))
    framed = cv2.copyMakeBorder(shot, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(FRAME,) * 3)
    side = round(min(900, MAX_SCALE * max(framed.shape[:2])))
    box = None if cause.option else part_of(marks, scene)
    canvas = Canvas(np.asarray(framed, np.uint8), None if box is None else box + margin, 0.85, side)
    canvas.corner = canvas.corner - margin
    for mark in sorted(marks, key=lambda mark: mark.kind != "area"):
        _draw(canvas, mark)
    _draw_labels(canvas, marks, scene)
    title = "What is wrong, marked" if marks else "The picture as it was given"
    if cause.option:
        end = ", the picture is fine" if cause.trial else " for this picture"
        title = f"`--{cause.option}` is wrong{end}"
    return Panel(CAUSE, title, "The cause, marked in the picture.", canvas.bgr)


def part_of(marks: tuple[Mark, ...], scene: Scene) -> Floats | None:
    """Return the box round the board and all marks; ``None``: the whole picture."""
    geometry = scene.find(BoardGeometry)
    if geometry is None or any(mark.label == LOOKED_AT for mark in marks):
        return None
    board = geometry.fit.frame.to_px(geometry.board.layout.corners)
    points = [board]
    for mark in marks:
        edge = np.array(mark.points_px)
        if mark.kind == "line":  # of the picture: only the part beside the board
            is_along = np.ptp(edge, axis=0) > 0
            edge = np.where(is_along, np.clip(edge, board.min(axis=0), board.max(axis=0)), edge)
        points.append(edge)
    return box_round(np.concatenate(points))


def _draw(canvas: Canvas, mark: Mark) -> None:
    if mark.kind == "area":  # hatched
        inside = np.zeros(canvas.bgr.shape[:2], np.uint8)
        cv2.fillPoly(inside, [np.round(canvas.at(mark.points_px)).astype(np.int32)], 255)
        y, x = np.nonzero(inside)
        striped = (x + y) % 14 < 4
        canvas.bgr[y[striped], x[striped]] = RED
        canvas.line(mark.points_px, RED, 1, closed=True)
    elif mark.kind == "ring":
        for colour, thick in ((BLACK, 9), (WHITE, 6), (RED, 3)):
            canvas.circle(mark.points_px[0], mark.radius_px, colour, thick)
    elif mark.kind == "line":
        canvas.line(mark.points_px, RED, 6)
    else:
        canvas.line(mark.points_px, BLUE, 3 if mark.kind == "box" else 1, closed=True)


def _draw_labels(canvas: Canvas, marks: tuple[Mark, ...], scene: Scene) -> None:
    """Draw every label where it hides no dot or other label, if possible."""
    rings = [(mark.points_px[0], mark.radius_px) for mark in marks if mark.kind == "ring"]
    if (found := scene.find(Dots)) is not None:
        rings += [(dot.centre_px, found.usual_radius_px) for dot in found.dots]
    reach = np.array([[[-radius], [radius]] for _, radius in rings]).reshape(-1, 2, 1) * canvas.scale
    taken = list((canvas.at([at for at, _ in rings])[:, None] + reach).reshape(-1, 4))
    for mark in marks:
        if not mark.label:
            continue
        points = canvas.at(mark.points_px)
        anchor = points[0] if mark.kind == "box" else np.clip(points, 0, canvas.bgr.shape[1::-1]).mean(axis=0)
        radius = mark.radius_px * canvas.scale if mark.kind == "ring" else 8.0
        (width, height), _ = cv2.getTextSize(mark.label, cv2.FONT_HERSHEY_SIMPLEX, TEXT_SIZE, 1)
        centre = free_place(anchor, radius, (width, height), taken, canvas.bgr.shape[1::-1])
        half = np.array((width, height)) / 2 + GAP_PX
        low, high = centre - half, centre + half
        taken.append(np.concatenate((low, high)))
        rim = anchor + (centre - anchor) * min(1.0, radius / max(1.0, float(np.linalg.norm(centre - anchor))))
        if (np.abs(rim - centre) > half + 2 * GAP_PX).any():
            for colour, thick in ((BLACK, 4), (WHITE, 2)):
                way = np.round((np.clip(rim, low, high), rim)).astype(np.int32)
                cv2.polylines(canvas.bgr, [way], False, colour, thick, cv2.LINE_AA)
        plate = np.round((low + 2, high - 2)).astype(int).tolist()
        cv2.rectangle(canvas.bgr, plate[0], plate[1], BLACK, -1)
        colour = BLUE if mark.kind == "box" else WHITE
        write(canvas.bgr, mark.label, centre.tolist(), colour, TEXT_SIZE, centred=True)


def free_place(
    anchor: Floats, radius: float, size: tuple[float, float], taken: Sequence[Floats], bounds: Sequence[int]
) -> Floats:
    """Return the middle of a label near a ring: above, beside or below it, or further off.

    ``taken``: boxes (x0, y0, x1, y1) that it must not touch. Where all is taken, right above the ring.
    """
    half, reach = np.array(size) / 2, np.array(bounds[:2])
    low, high = half + GAP_PX, np.maximum(half + GAP_PX, reach - half - GAP_PX)
    boxes = np.array(taken).reshape(-1, 2, 2)
    middles, halves = boxes.mean(axis=1), np.ptp(boxes, axis=1) / 2
    for step in range(STEPS):
        for direction in DIRECTIONS:
            away = radius + GAP_PX + step * 2 * half[1] + half
            centre = np.clip(anchor + np.array(direction) * away, low, high)
            if not (np.abs(middles - centre) < half + halves).all(axis=1).any():
                return np.asarray(centre)
    return np.asarray(np.clip(anchor - (0, radius + GAP_PX + half[1]), low, high))
