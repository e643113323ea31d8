"""Boards of other cells than squares that the edge of the picture cuts are no smaller boards."""

from __future__ import annotations

import numpy as np
import pytest

from flowvision.errors import FlowvisionError
from flowvision.pipeline import read_image
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.synthetic import Style, draw_screenshot
from flowvision.render.themes import PHONES
from flowvision.solvers import has_one_strict_solution, solve
from tests.made_boards import BOARDS, rhombi

STYLE = Style(phone=PHONES["galaxy"], drawn=0.0)
SHAPES = {
    "rings": BOARDS["rings"],
    "five arms": rhombi(5, 3),
    "six arms": rhombi(6, 2),
    "seven arms": rhombi(7, 2),
}


def puzzle_on_part(board: Board, kept: list[int]) -> Puzzle:
    """Pairs of dots on some of the cells; without the others they have exactly one solution."""
    cells = [board.layout.cells[number] for number in kept]
    part = boards.build(cells, boards.shared_sides(cells))
    for seed in range(1000):
        puzzle, _ = random_puzzle(part, seed, max(3, len(cells) // 8))
        if has_one_strict_solution(solve(puzzle)):
            return Puzzle(board.graph, tuple((kept[a], kept[b]) for a, b in puzzle.terminals))
    raise AssertionError


@pytest.mark.parametrize("missing", [0.1, 0.35])
@pytest.mark.parametrize("edge", ["left", "right", "top", "bottom"])
@pytest.mark.parametrize("name", SHAPES)
def test_a_board_cut_by_the_picture_is_not_believed(name: str, edge: str, missing: float) -> None:
    """Though all dots lie on whole cells, and these alone have one solution; the whole board is read."""
    board = SHAPES[name]
    frame = draw_screenshot(board, Puzzle(board.graph, ((0, 1),)), STYLE, 0).frame
    axis, way = int(edge in ("top", "bottom")), 1 if edge in ("right", "bottom") else -1
    along = [way * frame.to_px(cell.outline)[:, axis] for cell in board.layout.cells]
    last = max(ends.max() for ends in along)
    thick = np.mean([np.ptp(ends) for ends in along if ends.max() > last - 3])
    cut = last - missing * thick
    kept = [number for number, ends in enumerate(along) if ends.max() <= cut + 2]
    assert len(kept) < len(along)
    whole = draw_screenshot(board, puzzle_on_part(board, kept), STYLE, 0).screenshot.bgr
    place = round(way * cut)
    part = np.s_[:place] if way > 0 else np.s_[place:]
    with pytest.raises(FlowvisionError):
        read_image(np.ascontiguousarray(whole[(slice(None),) * (1 - axis) + (part,)]))
