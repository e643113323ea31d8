"""Tools of debug pictures, and the picture of a refusal with its cause marked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from itertools import product
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.doubts import SEARCHED, Doubt, Mark
from flowvision.image.picture import Bgr, Floats, Frame, Screenshot, scaled_size
from flowvision.log import find_ancestor
from flowvision.puzzle.layout import Board
from flowvision.render.paint import BITS, fixed
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.board import BoardRegion
from flowvision.vision.kinds.fit import BoardGeometry

Colour = tuple[int, int, int]
"""Blue, green, red."""
Pixels = NDArray[Any] | Sequence[float] | Sequence[Sequence[float]]
"""One or more points (N, 2) in pixels."""

GREEN: Colour = (120, 230, 90)
YELLOW: Colour = (60, 210, 250)
RED: Colour = (80, 80, 250)
BLUE: Colour = (250, 170, 70)
WHITE: Colour = (245, 245, 245)
GREY: Colour = (150, 150, 150)
DARK: Colour = (60, 60, 60)
BLACK: Colour = (0, 0, 0)

SIDE_PX = 900
"""The longer side of a debug picture: two fit side by side on a screen."""
PAPER = 24
"""Grey of margins and charts."""
RIM = [offset for offset in product((-2, 0, 2), repeat=2) if any(offset)]
"""Offsets of the dark outline of text; a thicker font would be wider."""
CAUSE = "00b-cause.png"
"""The picture that shows the cause of a refusal."""
MARGIN = 0.011
"""Width of a margin that shows where the picture ends, as a share of its longer side."""


class Canvas:
    """The part of a picture inside ``box`` (x0, y0, x1, y1), its longer side ``side_px``, to draw on.

    All points are given in pixels of the whole picture, widths and text sizes in canvas pixels.
    """

    def __init__(self, bgr: Bgr, box: Floats | None = None, dim: float = 1.0, side_px: int = SIDE_PX) -> None:
        height, width = bgr.shape[:2]
        if box is None:
            box = np.array((0, 0, width, height))
        x0, y0, x1, y1 = inside(box, width, height)
        part = bgr[y0:y1, x0:x1]
        self.scale = side_px / max(part.shape[:2])
        method = cv2.INTER_AREA if self.scale < 1 else cv2.INTER_LINEAR
        scaled = cv2.resize(part, scaled_size(part, self.scale), interpolation=method)
        self.bgr: Bgr = np.asarray(cv2.convertScaleAbs(scaled, alpha=dim), dtype=np.uint8)
        self.corner = np.array([x0, y0], dtype=np.float64)

    def at(self, points_px: Pixels) -> Floats:
        """Return points (N, 2) of the picture in pixels of the canvas."""
        points = np.asarray(points_px, dtype=np.float64).reshape(-1, 2)
        return np.asarray((points - self.corner + 0.5) * self.scale - 0.5)

    def line(self, points_px: Pixels, colour: Colour, width: int = 2, closed: bool = False) -> None:
        """Draw a line through the points."""
        corners = fixed(self.at(points_px))
        cv2.polylines(self.bgr, [corners], closed, colour, width, cv2.LINE_AA, BITS)

    def cells(self, board: Board, frame: Frame, colour: Colour) -> None:
        """Outline every cell of a board."""
        for cell in board.layout.cells:
            self.line(frame.to_px(cell.outline), colour, width=2, closed=True)

    def circle(self, centre_px: Pixels, radius_px: float, colour: Colour, width: int = 2) -> None:
        """Draw a circle, or a disc with the ``width`` ``cv2.FILLED``; the radius in picture pixels."""
        x, y = fixed(self.at(centre_px)[0]).tolist()
        radius = round(radius_px * self.scale * (1 << BITS))
        cv2.circle(self.bgr, (x, y), radius, colour, width, cv2.LINE_AA, BITS)

    def text(self, words: str, at_px: Pixels, colour: Colour = WHITE, size: float = 0.5) -> None:
        """Write words centred on a point, but inside the canvas, with a dark rim."""
        write(self.bgr, words, self.at(at_px)[0].tolist(), colour, size, centred=True)

    def tint(self, mask: NDArray[np.uint8], to_picture: Floats, colour: Colour) -> None:
        """Colour the canvas where a mask is 255; ``to_picture`` (3, 3) maps its pixels to the picture's."""
        # The map of ``at`` as a matrix.
        to_canvas = np.diag((self.scale, self.scale, 1.0))
        to_canvas[:2, 2] = (0.5 - self.corner) * self.scale - 0.5
        size = self.bgr.shape[1::-1]
        laid = cv2.warpPerspective(mask, to_canvas @ to_picture, size, flags=cv2.INTER_LINEAR)
        share = laid[..., None].astype(np.float32) / 255
        mixed = self.bgr * (1 - share) + np.array(colour, dtype=np.float32) * share
        self.bgr[:] = np.asarray(mixed, dtype=np.uint8)


def write(
    bgr: Bgr, words: str, point: Sequence[float], colour: Colour, size: float = 0.5, centred: bool = False
) -> None:
    """Write words on a picture, in place, from (or centred on) a point of its pixels, with a dark rim."""
    font, (x, y) = cv2.FONT_HERSHEY_SIMPLEX, point
    if centred:
        (width, height), _ = cv2.getTextSize(words, font, size, 1)
        tall, wide = bgr.shape[:2]
        x = min(max(0, x - width / 2), wide - width)
        y = min(max(height, y + height / 2), tall)
    left, base = round(x), round(y)
    inks = [(dx, dy, BLACK) for dx, dy in RIM]
    for dx, dy, ink in (*inks, (0, 0, colour)):
        cv2.putText(bgr, words, (left + dx, base + dy), font, size, ink, 1, cv2.LINE_AA)


def box_round(points_px: Floats, margin: float = 0.06) -> Floats:
    """Return the box (x0, y0, x1, y1) round points (N, 2), widened on each side by ``margin`` of its size."""
    low, high = points_px.min(axis=0), points_px.max(axis=0)
    space = margin * float((high - low).max())
    return np.concatenate((low - space, high + space))


def board_box(board: Board, frame: Frame) -> Floats:
    """Return the box round a board, with a margin, in picture pixels."""
    return box_round(frame.to_px(board.layout.corners))


def inside(box: Floats, width: int, height: int) -> tuple[int, int, int, int]:
    """Return the box in whole pixels, x1 and y1 not included, clipped to a picture of this size.

    If fewer than two rows or columns of it lie in the picture, return the whole picture.
    """
    corners = np.concatenate((box[:2], np.ceil(box[2:])))
    clipped = corners.clip(0, (width, height, width, height))
    x0, y0, x1, y1 = clipped.astype(int).tolist()
    if min(x1 - x0, y1 - y0) < 2:
        return 0, 0, width, height
    return x0, y0, x1, y1


class Panel(Struct, frozen=True, eq=False):
    """One picture of the debug folder: its file ``name``, and a ``caption`` that explains it in a line."""

    name: str
    title: str
    caption: str
    bgr: Bgr


class Scene(Struct, frozen=True, eq=False):
    """The screenshot, and the ``latest`` result that is drawn."""

    shot: Screenshot
    latest: object
    solved: Bgr | None = None
    """The picture with its solution, where that is drawn already."""

    @property
    def reading(self) -> Reading:
        """The board that was read."""
        interpretation = find_ancestor(self.latest, Interpretation)
        assert interpretation is not None
        return interpretation.reading

    def canvas(self, box: Floats | None = None) -> Canvas:
        """Return the part of the picture in a box, dimmed; by default the region that was searched."""
        if box is None:
            region = find_ancestor(self.latest, BoardRegion)
            assert region is not None
            box = box_round(region.corners_px)
        return Canvas(self.shot.bgr, box, dim=0.45)


@singledispatch
def panels_of(result: object, scene: Scene) -> list[Panel]:
    """Return the debug pictures of a result, or of the evidence of a stage that failed."""
    return []


def cause_panel(cause: Doubt, scene: Scene) -> Panel:
    """Return the panel of the board with all marks of a cause.

    It shows the whole picture where no board was seen, or an option is wrong.
    """
    shot, marks = scene.shot.bgr, cause.marks
    margin = max(4, round(MARGIN * max(shot.shape[:2])))
    framed = cv2.copyMakeBorder(shot, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(PAPER,) * 3)
    # A tiny picture shows how few pixels it has.
    side_px = min(SIDE_PX, 6 * max(framed.shape[:2]))
    box = None if cause.option else part_of(marks, scene)
    if box is not None:
        box = box + margin
    canvas = Canvas(np.asarray(framed, np.uint8), box, dim=0.85, side_px=side_px)
    canvas.corner = canvas.corner - margin  # marks are in pixels of the picture without its margin
    for mark in marks:
        _draw(canvas, mark)
    for mark in marks:
        canvas.text(mark.label, np.mean(mark.points_px, axis=0), WHITE, size=0.9)  # legible on a phone
    title = "What is wrong, marked" if marks else "The picture as it was given"
    if cause.option:
        end = ", the picture is fine" if cause.reads else " for this picture"
        title = f"`--{cause.option}` is wrong{end}"
    return Panel(CAUSE, title, "The cause, marked in the picture.", canvas.bgr)


def part_of(marks: tuple[Mark, ...], scene: Scene) -> Floats | None:
    """Return the box (x0, y0, x1, y1) round the board and all marks; ``None``: the whole picture."""
    geometry = find_ancestor(scene.latest, BoardGeometry)
    if geometry is None or any(mark.label == SEARCHED for mark in marks):
        return None
    corners = geometry.fit.frame.to_px(geometry.board.layout.corners)
    points = [corners]
    for mark in marks:
        marked = np.array(mark.points_px)
        if mark.kind == "line":  # an edge of the picture: only the part beside the board
            is_along = np.ptp(marked, axis=0) > 0
            beside = marked.clip(corners.min(axis=0), corners.max(axis=0))
            marked = np.where(is_along, beside, marked)
        points.append(marked)
    return box_round(np.concatenate(points))


def _draw(canvas: Canvas, mark: Mark) -> None:
    """Draw a mark: a ring round a place, a line, or a closed outline."""
    if mark.kind == "ring":
        for colour, thick in ((BLACK, 9), (WHITE, 6), (RED, 3)):
            canvas.circle(mark.points_px[0], mark.radius_px, colour, thick)
    elif mark.kind == "line":
        canvas.line(mark.points_px, RED, width=6)
    else:
        canvas.line(mark.points_px, BLUE, width=3, closed=True)
