"""Boards that lack a dot or have one covered: what the page is for when the reader refuses."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import cv2
import numpy as np

from flowvision.image.codec import encode
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.text import parse
from flowvision.puzzle_tools.generator import shape_of
from tests.boards import generated_puzzle
from tests.tools.synthetic import Style, draw_screenshot

SIZES = range(5, 12)
NO_ORANGE = "R.G.Y\n..B.O\n.....\n.G.Y.\n.RB..\n"
"""``FIVE`` without its second orange dot."""


@dataclass(frozen=True, slots=True)
class Covered:
    """A picture, the text of the board that is on it, and the cell whose dot is covered."""

    png: bytes
    text: str
    place: tuple[int, int]

    @property
    def pairs(self) -> set[frozenset[tuple[int, int]]]:
        """The places of the dots that belong together."""
        return pairs_of(parse(self.text))


def pairs_of(named: NamedPuzzle) -> set[frozenset[tuple[int, int]]]:
    lattice = named.board.lattice
    return {frozenset(lattice.places[dot] for dot in pair) for pair in named.puzzle.terminals}


def covered_boards(each: int) -> Iterator[Covered]:
    """So many of every size, covered by a notch, a badge, a thumb and a dark spot in turn."""
    for size in SIZES:
        for seed in range(each):
            text = generated_puzzle(shape_of(f"{size}x{size}"), size + seed % 3, seed + 100 * size, "text")
            yield _covered(text, seed, Random(31 * seed + size))


def _covered(text: str, seed: int, random: Random) -> Covered:
    named = parse(text)
    made = draw_screenshot(named.board, named.puzzle, Style(), seed)
    bgr = made.screenshot.bgr.copy()
    dot = random.choice([dot for pair in named.puzzle.terminals for dot in pair])
    cell = named.board.layout.cells[named.board.layout.cell_of[dot]]
    (x, y), a, b = made.frame.to_px([cell.centre, (0, 0), (1, 0)])
    pitch = float(np.hypot(*(a - b)))
    middle = (round(x), round(y))
    match seed % 4:
        case 0:
            cv2.circle(bgr, middle, round(0.42 * pitch), (0, 0, 0), -1, cv2.LINE_AA)
        case 1:
            corner = (round(x - pitch / 2), round(y - 0.45 * pitch))
            cv2.rectangle(bgr, corner, (round(x + pitch / 2), round(y + pitch / 2)), (255, 255, 255), -1)
        case 2:
            beside = (round(x + pitch / 10), round(y))
            cv2.circle(bgr, beside, round(0.45 * pitch), (90, 140, 220), -1, cv2.LINE_AA)
        case _:
            cv2.circle(bgr, middle, round(0.42 * pitch), (40, 40, 40), -1, cv2.LINE_AA)
    return Covered(encode(bgr), text, named.board.lattice.places[dot])


def covered(bgr: Any, row: int, col: int, shade: int = 128) -> Any:
    """A picture of ``screenshot_of`` with a grey box over a cell."""
    x, y = 12 + 60 * col, 140 + 60 * row
    cv2.rectangle(bgr, (x + 4, y + 4), (x + 56, y + 56), (shade,) * 3, -1)
    return bgr
