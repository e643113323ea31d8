from random import Random

import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.image.codec import decode, encode
from flowvision.image.picture import Bgr
from flowvision.puzzle.boards import walls_and_warps
from tests.drawing import COLOURS, LEVEL_5X5, LEVEL_5X5_SOLVED
from tests.seeing import AMPLE_TIME, sides_between

Side = tuple[tuple[int, int], tuple[int, int]]
FLOWS = LEVEL_5X5_SOLVED.split()
BETWEEN_FLOWS = [
    (first, last)
    for first, last in sides_between(5, 5)
    if FLOWS[first[0]][first[1]] != FLOWS[last[0]][last[1]]
]
"""Sides that no path of the solution crosses."""
SEAMS = {"dark": (46, 32, 30), "light": (150, 152, 150), "white": (255, 255, 255), "line": (90, 90, 90)}
TILES = {"dark": (80, 62, 56), "light": (228, 230, 232), "white": (205, 209, 204), "line": (20, 18, 16)}
"""Colours between the cells and of the cells, blue first."""


def tiles(look: str, pitch: int, gap: int) -> Bgr:
    """Draw the level on tiles with gaps between them."""
    bgr = np.full((7 * pitch, 7 * pitch, 3), SEAMS[look], np.uint8)
    for row, line in enumerate(LEVEL_5X5.split()):
        for col, letter in enumerate(line):
            x, y = (col + 1) * pitch, (row + 1) * pitch
            start, size = gap // 2, pitch - gap - 1
            cv2.rectangle(bgr, (x + start, y + start, size + 1, size + 1), TILES[look], -1)
            if letter != ".":
                middle = x + pitch // 2, y + pitch // 2
                cv2.circle(bgr, middle, pitch // 3, COLOURS[letter][::-1], -1, cv2.LINE_AA)
    return bgr


def with_walls(
    bgr: Bgr, walls: list[Side], colour: tuple[int, int, int], width: int, share: float = 1.0
) -> Bgr:
    """Draw a stroke on each of these sides, over this share of its length."""
    pitch = len(bgr) // 7
    for (row, col), (below, right) in walls:
        start, end = np.array((right + 1, below + 1)), np.array((col + 2, row + 2))
        end = start + share * (end - start)
        ends = [tuple(np.round(at * pitch).astype(int).tolist()) for at in (start, end)]
        cv2.line(bgr, ends[0], ends[1], colour, width)
    return bgr


def walls_of(bgr: Bgr) -> set[object]:
    board = solve_image(bgr, AMPLE_TIME).reading.board
    return set(walls_and_warps(board, board.lattice)[0])


@pytest.mark.parametrize(
    ("look", "pitch", "gap", "colour", "width"),
    [
        ("dark", 90, 3, (60, 200, 240), 4),
        ("dark", 60, 6, (240, 240, 240), 6),
        ("dark", 44, 2, (150, 125, 115), 3),
        ("dark", 120, 14, (40, 40, 200), 11),
        ("light", 60, 6, (30, 70, 110), 5),
        ("light", 90, 4, (40, 40, 200), 4),
        ("white", 60, 2, (40, 40, 200), 3),
        ("line", 60, 2, (0, 200, 255), 2),
    ],
)
@pytest.mark.parametrize("is_jpeg", [False, True])
def test_a_stroke_unlike_the_other_gaps_is_a_wall(look, pitch, gap, colour, width, is_jpeg):
    walls = Random(pitch + gap).sample(BETWEEN_FLOWS, 6)
    bgr = with_walls(tiles(look, pitch, gap), walls, colour, width)
    bgr = decode(encode(bgr, ".jpg")).bgr if is_jpeg else bgr
    assert walls_of(bgr) == set(walls)


@pytest.mark.parametrize("look", SEAMS)
def test_gaps_alike_are_no_walls(look):
    assert walls_of(tiles(look, 60, 4)) == set()


def test_a_stroke_along_half_a_side_of_a_tile_is_no_wall():
    assert (
        walls_of(with_walls(tiles("dark", 60, 6), BETWEEN_FLOWS[:4], (240, 240, 240), 6, share=0.5)) == set()
    )


def test_one_odd_stroke_is_no_wall():
    assert walls_of(with_walls(tiles("dark", 60, 6), BETWEEN_FLOWS[:1], (240, 240, 240), 6)) == set()


def test_strokes_of_many_colours_are_no_walls():
    bgr = tiles("dark", 60, 6)
    for number, colour in enumerate([(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (0, 200, 255)]):
        with_walls(bgr, BETWEEN_FLOWS[2 * number : 2 * number + 1], colour, 6)
    assert walls_of(bgr) == set()


def test_a_tint_that_shows_in_the_gaps_alone_is_no_wall():
    """A pipe crosses such gaps, so that they show the tint in pieces."""
    pitch, tinted = 90, [(row, col) for row in range(5) for col in range(5) if FLOWS[row][col] == "R"]
    bgr = tiles("light", pitch, 8)
    plain = bgr.copy()
    for row, col in tinted:
        x, y = (col + 1) * pitch, (row + 1) * pitch
        cv2.rectangle(bgr, (x - 4, y - 4, pitch + 7, pitch + 7), (120, 120, 240), -1)
    is_tile = (plain != SEAMS["light"]).any(axis=2)
    bgr[is_tile] = plain[is_tile]
    middles = [((col + 1) * pitch + pitch // 2, (row + 1) * pitch + pitch // 2) for row, col in tinted]
    cv2.polylines(bgr, [np.array(middles)], False, COLOURS["R"][::-1], pitch // 4)
    assert walls_of(bgr) == set()


@pytest.mark.parametrize("colour", [(240, 240, 240), (40, 40, 200), (60, 60, 60)])
def test_walls_of_one_colour_in_the_gaps_raise_no_doubt(colour):
    answer = solve_image(with_walls(tiles("dark", 60, 6), BETWEEN_FLOWS[:6], colour, 6), AMPLE_TIME)
    assert len(walls_and_warps(answer.reading.board, answer.reading.board.lattice)[0]) == 6
    assert not answer.warnings
