"""Boards of cells of any shape on which flows are drawn: pipes hide the lines that they cross."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, Cell
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.solvers import Solved, has_one_strict_solution, solve
from flowvision.vision.kinds.free.split_cells import split
from flowvision.vision.settings import FreeCellSettings
from tests.boards import BOARDS, rhombi
from tests.tools.synthetic import PHONES, PlayedPath, Style, draw_screenshot


def centred(board: Board) -> Board:
    """The same with middles, and so dots, midway between the corners of cells, as the game has them."""
    corners = [cell.outline for cell in board.layout.cells]
    cells = [Cell(tuple(np.mean(outline, axis=0).tolist()), outline) for outline in corners]
    return boards.build(cells, boards.shared_sides(cells))


SHAPES = {
    "cubes": BOARDS["cubes"],
    "rings": centred(BOARDS["rings"]),
    "five arms": rhombi(5, 2),
    "six arms": rhombi(6, 2),
    "seven arms": rhombi(7, 2),
    "three arms": rhombi(3, 4),
}
STYLE = Style(phone=PHONES["galaxy"], drawn=0.0)


def puzzle_of(board: Board):
    """A puzzle on that board with exactly one solution, and this."""
    for seed in range(1000):
        puzzle, _ = random_puzzle(board, seed, max(3, len(board.layout.cells) // 6))
        outcome = solve(puzzle)
        if isinstance(outcome, Solved) and has_one_strict_solution(outcome):
            return puzzle, outcome.solution
    raise AssertionError


@pytest.mark.sweep(5)
@pytest.mark.parametrize("share", [0, 0.25, 0.5, 1])
@pytest.mark.parametrize("name", SHAPES)
def test_played_boards_are_read(name: str, share: float) -> None:
    """Whatever share of the flows is drawn: all cells, their sides and the dots."""
    board = SHAPES[name]
    puzzle, solution = puzzle_of(board)
    drawn = [PlayedPath(flow, path, True) for flow, path in enumerate(solution.paths)]
    made = draw_screenshot(board, puzzle, STYLE, 0, pipes=drawn[: round(share * len(drawn))])
    reading = solve_image(made.screenshot).reading
    assert len(reading.board.layout.cells) == len(board.layout.cells)
    assert len(reading.board.graph.edges) == len(board.graph.edges)
    middles = made.frame.to_px(board.layout.centres)
    number = [
        int(np.linalg.norm(middles - middle, axis=1).argmin())
        for middle in reading.frame.to_px(reading.board.layout.centres)
    ]
    read = {frozenset(number[dot] for dot in pair) for pair in reading.puzzle.terminals}
    assert read == set(map(frozenset, puzzle.terminals))


def lined(gap_px: int) -> np.ndarray:
    """A row of four cells between lines; each line between two has a gap in its middle."""
    mask = np.zeros((120, 420), np.uint8)
    cv2.rectangle(mask, (10, 10), (410, 110), 255, 3)
    for x in (110, 210, 310):
        cv2.line(mask, (x, 10), (x, 60 - gap_px // 2), 255, 3)
        cv2.line(mask, (x, 60 + gap_px // 2), (x, 110), 255, 3)
    return mask


@pytest.mark.parametrize(("gap_px", "cells"), [(40, 4), (90, 1)])
def test_lines_go_on_where_a_pipe_hides_them(gap_px: int, cells: int) -> None:
    """A gap as wide as a pipe parts no cells; lines that end soon are none. Nothing is lost of the region."""
    mask = lined(gap_px)
    inner = np.zeros_like(mask)
    inner[12:109, 12:409] = 1
    row = ((mask == 0) & (inner > 0)).astype(np.int32)
    others = np.zeros_like(row)
    others[:, :8], others[:, 413:] = 2, 3
    labels, following = split(row + others, 4, mask, FreeCellSettings())
    assert following == 3 + cells
    assert np.array_equal(labels > 0, row + others > 0)
    sizes = np.bincount(labels[row > 0])
    sizes = np.sort(sizes[sizes > 0])
    assert len(sizes) == cells
    assert all(small > 0.9 * large for small, large in pairwise(sizes))
