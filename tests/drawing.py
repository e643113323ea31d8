"""Plain screenshots for tests: a puzzle in text form, drawn as the game draws its boards."""

from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np

from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.puzzle.layout import Board
from flowvision.puzzle.text import parse
from flowvision.render.curves import Piece

COLOURS = {
    "R": Rgb(255, 0, 0),
    "G": Rgb(0, 141, 0),
    "B": Rgb(12, 41, 254),
    "Y": Rgb(234, 224, 0),
    "O": Rgb(251, 137, 0),
    "C": Rgb(0, 255, 255),
    "M": Rgb(255, 10, 201),
    "N": Rgb(165, 42, 42),
    "P": Rgb(128, 0, 128),
    "W": Rgb(255, 255, 255),
}

LEVEL_5X5 = "R.G.Y\n..B.O\n.....\n.G.Y.\n.RBO.\n"
"""The first level of the game's first pack; it has one solution."""
LEVEL_5X5_SOLVED = "RGGYY\nRGBYO\nRGBYO\nRGBYO\nRRBOO"
DOT_MISSED = LEVEL_5X5.replace("..B.O", "..B..")
"""One dot was not seen."""
DOT_MISPLACED = LEVEL_5X5.replace("..B.O", "..BO.")
"""One dot was seen a cell off."""
SEVERAL = "G....\n.R.B.\n.B.G.\n.....\nY..YR\n"
"""Several solutions, in which no path touches itself."""
TOUCHING = "R..\n...\n..R\n"
"""Every solution touches itself."""
CROSSING = "B....\nR+.Y.\nM.B..\n..M..\nY...R\n"
"""Two paths cross at the bridge."""
CROSSING_ITSELF = "..B..\n.+YR.\nM.R..\n....B\n..M.Y\n"
"""A path crosses itself at the bridge."""
UNSOLVABLE = "R.G\n...\nG.R\n"


LEFT, TOP = 30, 50
"""Pixels beside and above the boards of ``clone_shot``."""
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
CORNER, PITCH = (12, 140), 60
"""Left and top of the boards of ``screenshot_of``, and the width of their cells, in pixels."""
LINE = (63, 109, 63)
"""The colour of their lines, blue first."""


def screenshot_of(text: str, pitch: int = PITCH, corner: tuple[int, int] = CORNER) -> Bgr:
    """Draw a board on black, with room above and below it as on a phone."""
    return drawn_board(text, 0.345, (pitch, pitch), corner, line=LINE, line_px=2)


def cell_middle(row: int, col: int, pitch: int = PITCH, corner: tuple[int, int] = CORNER) -> tuple[int, int]:
    """Return the pixel in the middle of a cell of ``screenshot_of``."""
    return corner[0] + col * pitch + pitch // 2, corner[1] + row * pitch + pitch // 2


def clone_shot(text: str, dot: float, size: tuple[int, int] = (60, 60), **how: Any) -> Bgr:
    """Draw a board as a copy of the game may do."""
    return drawn_board(text, dot, size, (LEFT, TOP), **{"ground": (45, 30, 20), **how})


def drawn_board(
    text: str,
    dot: float,
    size: tuple[int, int],
    corner: tuple[int, int],
    *,
    rim: Sequence[int] | None = None,
    ground: Sequence[int] = BLACK,
    walls: Sequence[tuple[int, int]] = (),
    colours: Mapping[str, Rgb] = COLOURS,
    line: Sequence[int] = (120, 120, 120),
    line_px: int = 1,
) -> Bgr:
    """A board of cells of this size, ``corner`` from all edges; ``dot`` in cell widths.

    ``walls``: thick lines on the right of these places.
    """
    rows, (x0, y0), (wide, high), unit = text.split(), corner, size, min(size)
    right, below = x0 + wide * len(rows[0]), y0 + high * len(rows)
    bgr = np.full((below + y0, right + x0, 3), ground, np.uint8)
    for y in range(y0, below + 1, high):
        cv2.line(bgr, (x0, y), (right, y), line, line_px)
    for x in range(x0, right + 1, wide):
        cv2.line(bgr, (x, y0), (x, below), line, line_px)
    for r, c in walls:
        x, y = x0 + (c + 1) * wide, y0 + r * high
        cv2.line(bgr, (x, y), (x, y + high), (230, 230, 230), 5)
    for r, row in enumerate(rows):
        for c, letter in enumerate(row):
            if letter in colours:
                middle = x0 + wide * c + wide // 2, y0 + high * r + high // 2
                cv2.circle(bgr, middle, round(dot * unit), colours[letter][::-1], -1, cv2.LINE_AA)
                if rim:
                    cv2.circle(bgr, middle, round(dot * unit), rim, max(2, unit // 20), cv2.LINE_AA)
    return bgr


def collage(*pictures: Bgr, axis: int = 1) -> Bgr:
    """Pictures beside one another on black, or below one another (axis 0)."""
    length = max(bgr.shape[1 - axis] for bgr in pictures)
    rooms = [[(0, 0), (0, 0), (0, 0)] for _ in pictures]
    for room, bgr in zip(rooms, pictures, strict=True):
        room[1 - axis] = (0, length - bgr.shape[1 - axis])
    return np.concatenate([np.pad(bgr, room) for bgr, room in zip(pictures, rooms, strict=True)], axis)


def whole_paths(solution):
    return tuple(Piece(flow, 0, len(path.edges)) for flow, path in enumerate(solution.paths))


def random_text(rows: int, cols: int, pairs: int, seed: int = 0) -> str:
    """Return a board with dots at random places; hardly ever solvable."""
    rng = np.random.default_rng(seed)
    cells = ["."] * (rows * cols)
    letters = [letter for letter in list(COLOURS)[:pairs] for _ in range(2)]
    for place, letter in zip(rng.permutation(rows * cols).tolist(), letters, strict=False):
        cells[place] = letter
    return "".join("".join(cells[r * cols : (r + 1) * cols]) + "\n" for r in range(rows))


def reading_of(text: str, confidence: float = 0.9, pitch: int = PITCH, corner: tuple[int, int] = CORNER):
    """Return the true reading of ``screenshot_of``."""
    from flowvision.vision.assembly import Reading

    drawn = parse(text)
    frame = Frame.of_box(*corner, pitch, pitch)
    cells, cell_of = drawn.board.layout.cells, drawn.board.layout.cell_of
    ends = []
    for pair in drawn.puzzle.terminals:
        a, b = frame.to_px([cells[cell_of[strand]].centre for strand in pair]).tolist()
        ends.append(((a[0], a[1]), (b[0], b[1])))
    palette = tuple(COLOURS[letter] for letter in drawn.letters)
    return Reading(drawn.board, drawn.puzzle, frame, palette, confidence, tuple(ends))


RING_MARGIN = 40


def ring_middle(row: float, col: float, wide: int = 60, high: int = 60) -> tuple[int, int]:
    return round(RING_MARGIN + (col + 0.5) * wide), round(RING_MARGIN + (row + 0.5) * high)


def rings_shot(
    text: str, wide: int = 60, high: int | None = None, ground: Sequence[int] = BLACK, shake: float = 0.0
) -> Bgr:
    """A board of grey rings and filled dots, each off its place by up to ``shake`` of the pitch."""
    lines, rng, high = text.split(), np.random.default_rng(0), high or wide
    radius, shape = round(0.26 * min(wide, high)), (len(lines) * high, len(lines[0]) * wide)
    bgr = np.full((*np.add(shape, 2 * RING_MARGIN), 3), ground, np.uint8)
    for r, line in enumerate(lines):
        for c, letter in enumerate(line):
            at = ring_middle(*(np.array([r, c]) + rng.uniform(-shake, shake, 2)), wide, high)
            colour, width = ((110, 110, 110), 2) if letter == "." else (COLOURS[letter][::-1], -1)
            cv2.circle(bgr, at, radius, colour, width, cv2.LINE_AA)
    return bgr


def outlines(board: Board, frame: Frame) -> Bgr:
    """The sides of a board's cells on black."""
    bgr = np.zeros(
        (*np.add(frame.to_px(board.layout.corners).max(axis=0), 200).astype(int)[::-1], 3), np.uint8
    )
    for cell in board.layout.cells:
        corners = np.round(frame.to_px(list(cell.outline))).astype(np.int32)
        cv2.polylines(bgr, [corners], True, (90, 110, 80), 2)
    return bgr
