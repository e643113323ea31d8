"""Pipes that are on a board are measured, so that those of the answer look like them."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Frame, Rgb
from flowvision.puzzle import boards
from flowvision.puzzle.model import Path, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.look import Look, PlacedBoard
from flowvision.render.overlay import draw_solution
from flowvision.render.repaint import edges_shown, played_pipes
from tests.tools.synthetic import Style, draw_screenshot

BOARD = boards.square(6, 6)
PALETTE = (
    Rgb(255, 0, 0),
    Rgb(60, 120, 255),
    Rgb(255, 200, 0),
    Rgb(0, 160, 60),
    Rgb(160, 60, 200),
    Rgb(0, 220, 220),
)


def pipes_of(path: Path) -> frozenset[int]:
    """The edges of a path that is drawn whole."""
    return frozenset(path.edges)


def square_pipes(width: float) -> tuple[np.ndarray, Frame, Solution, list[frozenset[int]]]:
    """A copy's board, 40 pixels a cell: two pipes of this width that turn in square corners."""
    _, solution = random_puzzle(BOARD, 3, 5)
    frame = Frame.of_box(20, 20, 40, 40)
    picture = np.full((280, 280, 3), 30, np.uint8)
    for path in solution.paths[:2]:
        middles = frame.to_px([BOARD.layout.cells[strand].centre for strand in path.vertices])
        for start, end in pairwise(middles):
            reach = width * 20
            low, high = np.minimum(start, end) - reach, np.maximum(start, end) + reach
            (x0, y0), (x1, y1) = np.rint((low, high)).astype(int)
            picture[y0:y1, x0:x1] = PALETTE[solution.paths.index(path)][::-1]
    for flow, path in enumerate(solution.paths):
        for end in (path.vertices[0], path.vertices[-1]):
            x, y = frame.to_px(BOARD.layout.cells[end].centre)[0].round().astype(int).tolist()
            cv2.circle(picture, (x, y), 13, PALETTE[flow][::-1], -1)
    drawn = [pipes_of(path) if flow < 2 else frozenset() for flow, path in enumerate(solution.paths)]
    return picture, frame, solution, drawn


@pytest.mark.parametrize("pipe", [0.15, 0.24, 0.333, 0.5, 0.62])
@pytest.mark.parametrize("quality", [None, 85])
def test_widths_are_those_that_were_drawn(pipe: float, quality: int | None) -> None:
    """Within a pixel or two; the game's turns are round."""
    puzzle, solution = random_puzzle(BOARD, 5)
    shot = draw_screenshot(BOARD, puzzle, Style(drawn=1.0, pipe=pipe, quality=quality), 5, solution)
    drawn = [pipes_of(path) for path in solution.paths]
    seen = played_pipes(shot.screenshot.bgr, PlacedBoard(BOARD, shot.frame), shot.palette, drawn)
    assert seen is not None
    assert seen.width == pytest.approx(pipe, abs=0.03)
    assert seen.even
    assert not seen.square


@pytest.mark.parametrize("width", [0.3, 0.5])
def test_new_pipes_have_the_width_and_corners_of_those_that_are_there(width: float) -> None:
    """Measured on the answer just as on the picture."""
    picture, frame, solution, drawn = square_pipes(width)
    seen = played_pipes(picture, PlacedBoard(BOARD, frame), PALETTE, drawn)
    assert seen is not None
    assert seen.square
    assert seen.width == pytest.approx(width, abs=0.05)
    answer = draw_solution(picture, BOARD, solution, frame, PALETTE, Look(drawn=tuple(drawn)))
    made = [
        frozenset() if edges else pipes_of(path) for edges, path in zip(drawn, solution.paths, strict=True)
    ]
    again = played_pipes(answer, PlacedBoard(BOARD, frame), PALETTE, made)
    assert again is not None
    assert again.square
    assert again.width == pytest.approx(seen.width, abs=0.05)


def test_on_a_textured_ground_pipes_that_are_there_are_left_alone() -> None:
    """Of a pipe that the reader saw in part nothing is drawn again, and no ground is made up."""
    picture, frame, solution, drawn = square_pipes(0.4)
    texture = (np.indices(picture.shape[:2]).sum(axis=0) % 9 * 14).astype(np.uint8)
    ground = (picture == 30).all(axis=2)
    picture[ground] += texture[ground, None]
    colours = list(PALETTE[: len(solution.paths)])
    shown = edges_shown(picture, PlacedBoard(BOARD, frame), solution, colours)
    assert {edge for edges in drawn for edge in edges} <= shown
    part = tuple(frozenset(sorted(edges)[:1]) for edges in drawn)
    answer = draw_solution(picture, BOARD, solution, frame, PALETTE, Look(drawn=part))
    for edges, path in zip(drawn, solution.paths, strict=True):
        for strand in path.vertices if edges else ():
            x, y = frame.to_px(BOARD.layout.cells[strand].centre)[0].round().astype(int)
            cell = np.s_[y - 15 : y + 15, x - 15 : x + 15]
            assert np.array_equal(answer[cell], picture[cell])
