"""Boards as copies of the game draw them: dots of any size, in cells of any proportions."""

import cv2
import numpy as np

from flowvision.image.picture import Bgr, Rgb, Screenshot
from flowvision.puzzle.text import parse
from flowvision.vision.kinds.fit import BoardGeometry
from tests import seeing
from tests.drawing import COLOURS, FIVE

LEFT, TOP = 30, 50
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
PAIRS = {frozenset(pair) for pair in parse(FIVE).puzzle.terminals}
HELD = frozenset(cell for pair in PAIRS for cell in pair)
"""The cells of the first level that hold a dot."""


def copy_of(
    text: str,
    dot: float,
    size: tuple[int, int] = (60, 60),
    rim: tuple[int, int, int] | None = None,
    ground: tuple[int, int, int] = (45, 30, 20),
    walls: tuple[tuple[int, int], ...] = (),
    colours: dict[str, Rgb] = COLOURS,
    *,
    line_px: int = 1,
) -> Bgr:
    """A board as a copy of the game may draw it; ``dot`` in cell widths.

    ``walls``: thick lines on the right of these places. ``line_px``: how thick its lines are.
    """
    lines, (wide, high) = text.split(), size
    unit = min(size)
    shape = (len(lines) * high + 2 * TOP, len(lines[0]) * wide + 2 * LEFT, 3)
    bgr = np.full(shape, ground, np.uint8)
    for r in range(len(lines) + 1):
        ends = [(LEFT, TOP + r * high), (LEFT + len(lines[0]) * wide, TOP + r * high)]
        cv2.line(bgr, *ends, (120, 120, 120), line_px)
    for c in range(len(lines[0]) + 1):
        ends = [(LEFT + c * wide, TOP), (LEFT + c * wide, TOP + len(lines) * high)]
        cv2.line(bgr, *ends, (120, 120, 120), line_px)
    for r, c in walls:
        x = LEFT + (c + 1) * wide
        cv2.line(bgr, (x, TOP + r * high), (x, TOP + (r + 1) * high), (230, 230, 230), 5)
    for r, line in enumerate(lines):
        for c, letter in enumerate(line):
            if letter != ".":
                at = LEFT + round((c + 0.5) * wide), TOP + round((r + 0.5) * high)
                cv2.circle(bgr, at, round(dot * unit), colours[letter][::-1], -1, cv2.LINE_AA)
                if rim:
                    cv2.circle(bgr, at, round(dot * unit), rim, max(2, unit // 20), cv2.LINE_AA)
    return bgr


def geometry_of(bgr: Bgr) -> BoardGeometry:
    return seeing.geometry_of(Screenshot(bgr))
