"""Dots of any size, measured in the middles of cells."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Bgr, Rgb
from flowvision.pipeline import read_image
from flowvision.reading.options import Options
from flowvision.render.paint import text
from flowvision.vision.dots.copies import RADII, STEP, disc_radii, measured_discs, ring_cover
from tests.drawing import COLOURS, FIVE, FIVE_SOLVED
from tests.seeing import SETTINGS
from tests.vision.dots.copies import BLACK, HELD, PAIRS, copy_of, sides_of

AMPLE = Options(seconds=600)
"""Copies are looked at late; a busy machine must not stop that."""
PITCH, ROOM = 50, 30


def jagged(dot: float, pipe_px: int = 0, oval: float = 1.0, letters: bool = False) -> Bgr:
    """The first level with hard edges and white lines of a pixel; ``dot``: radius, in cells.

    ``pipe_px``: the width of its pipes, 0 for none; ``oval``: the dots' height, of their width.
    """
    bgr = np.zeros((5 * PITCH + 1 + 2 * ROOM, 5 * PITCH + 1 + 2 * ROOM, 3), np.uint8)
    for n in range(6):
        bgr[ROOM + n * PITCH, ROOM:-ROOM] = bgr[ROOM:-ROOM, ROOM + n * PITCH] = 255

    def middle(row: int, col: int) -> tuple[int, int]:
        return ROOM + col * PITCH + PITCH // 2, ROOM + row * PITCH + PITCH // 2

    rows = FIVE_SOLVED.split()
    for r in range(5):
        for c in range(5):
            for to in ((r, c + 1), (r + 1, c)):
                if pipe_px and max(to) < 5 and rows[r][c] == rows[to[0]][to[1]]:
                    cv2.line(bgr, middle(r, c), middle(*to), COLOURS[rows[r][c]][::-1], pipe_px)
    for r, row in enumerate(FIVE.split()):
        for c, letter in enumerate(row):
            if letter != ".":
                axes = round(dot * PITCH), round(dot * oval * PITCH)
                cv2.ellipse(bgr, middle(r, c), axes, 0, 0, 360, COLOURS[letter][::-1], -1)
                if letters:
                    # Not by OpenCV, whose versions have different letters.
                    text(bgr, middle(r, c), letter, 20, Rgb(0, 0, 0), "mm")
    return bgr


@pytest.mark.parametrize("dot", [0.1, 0.15, 0.2, 0.28, 0.36, 0.41, 0.45])
def test_the_size_of_dots_is_measured(dot):
    """To a step between rings, in cells that hold one; the others have none."""
    sides = sides_of(copy_of(FIVE, dot))
    radii = disc_radii(ring_cover(sides, SETTINGS.dots), SETTINGS.dots)
    held = np.isin(np.arange(25), list(HELD))
    assert (radii[~held] == 0).all()
    assert np.abs(radii[held] - min(dot, RADII[-1])).max() <= 1.5 * STEP
    model = measured_discs(sides, SETTINGS.dots)
    assert model is not None
    assert model.known == HELD


@pytest.mark.parametrize("pipe_px", [0, 1, 3])
@pytest.mark.parametrize("dot", [0.12, 0.2, 0.3, 0.41, 0.45])
def test_jagged_dots_and_thin_pipes_are_read(dot, pipe_px):
    """Hard edges, lines of a pixel, pipes as thin."""
    reading = read_image(jagged(dot, pipe_px), AMPLE).reading
    assert {frozenset(pair) for pair in reading.puzzle.terminals} == PAIRS


@pytest.mark.parametrize(("oval", "letters"), [(0.6, False), (0.8, False), (0.8, True)])
def test_ovals_are_read(oval, letters):
    """With a letter in them, too."""
    reading = read_image(jagged(0.44, 3, oval, letters), AMPLE).reading
    assert {frozenset(pair) for pair in reading.puzzle.terminals} == PAIRS


@pytest.mark.parametrize("dot", [0.22, 0.25])
def test_dots_filled_by_their_letters_are_all_found(dot):
    """What a letter leaves of a dot differs from one to the next; what is within its rim does not."""
    bgr = jagged(dot)
    for r, row in enumerate(FIVE.split()):
        for c, letter in enumerate(row):
            if letter != ".":
                at = ROOM + c * PITCH + PITCH // 2, ROOM + r * PITCH + PITCH // 2
                cv2.circle(bgr, at, round(dot * PITCH), BLACK, 1, cv2.LINE_AA)
                text(bgr, at, letter, 18, Rgb(0, 0, 0), "mm")
    model = measured_discs(sides_of(bgr), SETTINGS.dots)
    assert model is not None
    assert model.known == HELD


def test_a_lattice_of_nothing_has_no_dots():
    """Neither have pipes alone."""
    assert measured_discs(sides_of(jagged(0.0)), SETTINGS.dots) is None


def test_round_letters_are_no_dots():
    """An O is a ring of one colour, but nothing fills it."""
    bgr = jagged(0.0)
    for number in range(10):
        at = ROOM + PITCH * (number % 5) + 8, ROOM + PITCH * (number // 5) + 40
        cv2.putText(bgr, "OCGQ0"[number % 5], at, cv2.FONT_HERSHEY_SIMPLEX, 1.4, (60, 200, 90), 4)
    assert measured_discs(sides_of(bgr), SETTINGS.dots) is None
