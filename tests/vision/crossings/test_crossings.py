"""Bridges and warps are read back as they were drawn, and plain boards have none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Screenshot
from flowvision.pipeline import read_image
from flowvision.puzzle import boards
from flowvision.puzzle.boards import walls_and_warps
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.reading.strategies import CROSSINGS
from flowvision.render.synthetic import Style, draw_screenshot
from flowvision.render.themes import THEMES
from flowvision.solvers import Solved, has_one_strict_solution, solve
from flowvision.vision.crossings.crossings import Crossings, find_crossings
from flowvision.vision.dots.detection import DotHypothesis, find_dots
from flowvision.vision.dots.pairing import pair_dots
from tests import seeing
from tests.drawing import COLOURS, FIVE, screenshot_of
from tests.seeing import SETTINGS

BRIDGES = [{(2, 2)}, {(1, 3), (4, 2)}, {(3, 3)}]
WARPS = [
    {((2, 0), (2, 5))},
    {((0, 1), (5, 1)), ((3, 0), (3, 5))},
    {((r, 0), (r, 5)) for r in range(6)} | {((0, c), (5, c)) for c in range(6)},
]
STYLES = [
    Style(),
    Style(THEMES["old"], line=1, quality=40, scale=0.6),
    Style(THEMES["wide"], drawn=0.5, letters="white"),
    Style(drawn=1.0, dim=0.7),
]


def solvable(board, seed):
    """A puzzle on the board with one solution, and none on a plain board, as published levels are."""
    plain = boards.square(board.lattice.rows, board.lattice.cols)
    while True:
        puzzle, solution = random_puzzle(board, seed, 6)
        outcome = solve(puzzle)
        if has_one_strict_solution(outcome):
            without = solve(Puzzle(plain.graph, puzzle.terminals))
            if board is plain or not isinstance(without, Solved):
                return puzzle, solution
        seed += 1


def crossings_of(shot) -> list[Crossings]:
    """What the stage sees in the best fit."""
    sides = seeing.sides_of(shot)
    dots = find_dots(DotHypothesis(sides, sides.fit.usual_dots(SETTINGS.dots)), SETTINGS.dots)
    seen = find_crossings(pair_dots(dots, SETTINGS.pairing), SETTINGS.crossings, SETTINGS.pipes)
    found = [strategy.attempt(seen) for strategy in CROSSINGS] if seen else []
    return [crossings for crossings in found if crossings]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("bridges", BRIDGES)
def test_bridges_are_read_back(bridges, style):
    """One or several, by their rails or by the pipes that cross in them."""
    board = boards.square(6, 6, bridges=bridges)
    puzzle, solution = solvable(board, 1)
    reading = read_image(draw_screenshot(board, puzzle, style, 2, solution).screenshot).reading
    assert (reading.board.lattice, reading.board.graph) == (board.lattice, board.graph)
    assert pairs(reading.puzzle) == pairs(puzzle)


@pytest.mark.parametrize("quality", [30, 50, 70])
def test_the_soft_edges_of_pipes_are_no_bridges(quality):
    """JPEG draws them out, on the dim lines of a played board by more than half of what a line stands out."""
    board = boards.square(6, 6, bridges={(2, 2)})
    puzzle, solution = solvable(board, 1)
    style = Style(THEMES["wide"], drawn=1.0, dim=0.65, quality=quality, letters="white")
    seen = crossings_of(draw_screenshot(board, puzzle, style, 2, solution).screenshot)
    assert {crossings.bridges for crossings in seen} == {((2, 2),)}


@pytest.mark.parametrize("dim", [1.0, 0.65])
def test_the_slope_of_a_glow_is_no_bridge(dim):
    """Beside a line it is half as bright as that, as are the rails of a bridge, and as narrow as they are."""
    board = boards.square(6, 6, bridges={(2, 2)})
    puzzle, solution = solvable(board, 1)
    shot = draw_screenshot(board, puzzle, Style(THEMES["wide"], dim=dim), 2, solution)
    dots = {board.layout.cell_of[dot] for pair in puzzle.terminals for dot in pair}
    pitch = int(shot.frame.pitch_px((3, 3)))
    bgr, slope = shot.screenshot.bgr.copy(), np.linspace(0, 90 * dim, pitch // 3).astype(np.uint8)
    for cell in set(range(36)) - dots - {14}:
        x, y = np.round(shot.frame.to_px([board.layout.cells[cell].centre])[0]).astype(int).tolist()
        strip = bgr[y - pitch // 2 : y + pitch // 2, x + pitch // 2 - len(slope) : x + pitch // 2]
        strip[:, :, 2] = np.maximum(strip[:, :, 2], slope)
    seen = crossings_of(Screenshot(bgr))
    assert {crossings.bridges for crossings in seen} == {((2, 2),)}


@pytest.mark.parametrize("style", STYLES[:3])
@pytest.mark.parametrize("warps", WARPS)
def test_warps_are_read_back(warps, style):
    """A row, a row and a column, or all of them."""
    board = boards.square(6, 6, warps=warps)
    puzzle, solution = solvable(board, 1)
    reading = read_image(draw_screenshot(board, puzzle, style, 2, solution).screenshot).reading
    assert reading.lattice is not None
    assert set(walls_and_warps(reading.board, reading.lattice)[1]) == warps
    assert pairs(reading.puzzle) == pairs(puzzle)


def test_a_plain_board_has_neither():
    """Whatever is drawn on it; at most, where tints hide the border, all ends are offered as open."""
    board = boards.square(7, 6)
    puzzle, solution = solvable(board, 4)
    for style in STYLES:
        shot = draw_screenshot(board, puzzle, style, 2, solution).screenshot
        assert all(not one.bridges and len(one.warps) == 13 for one in crossings_of(shot))
        assert not crossings_of(shot) or style.drawn == 1


def test_all_ends_are_weighed_without_a_border():
    """A board cut out inside its border may be open all round: that is offered, after what is seen."""
    board = parse("AB...\n.....\n..C..\n.A...\nBC...\n").board
    puzzle, _ = random_puzzle(board, 3)
    shot = draw_screenshot(board, puzzle, Style(), 2).screenshot
    x0, y0, x1, y1 = (round(v) for v in draw_box(board, puzzle))
    inner = type(shot)(shot.bgr[y0 + 8 : y1 - 8, x0 + 8 : x1 - 8].copy())
    assert [len(one.warps) for one in crossings_of(inner)] == [10]


def test_nothing_is_guessed_where_a_border_cannot_be_seen_or_a_pipe_leaves():
    """Dark lines on a light ground have no border that is measured; a pipe that leaves must come back."""
    bgr = screenshot_of(FIVE)
    light = np.full_like(bgr, 220)
    lines = (bgr == (63, 109, 63)).all(axis=2)
    light[lines] = 0
    dots = bgr.any(axis=2) & ~lines
    light[dots] = bgr[dots]
    assert crossings_of(Screenshot(light)) == []
    inner = bgr[143:-143, 15:-15].copy()
    assert [len(one.warps) for one in crossings_of(Screenshot(inner))] == [10]
    left = inner.copy()
    cv2.line(left, (267, 87), (294, 87), COLOURS["O"][::-1], 20)
    assert crossings_of(Screenshot(left)) == []
    cv2.line(left, (0, 87), (27, 87), COLOURS["O"][::-1], 20)
    assert crossings_of(Screenshot(left))


def draw_box(board, puzzle):
    """Where the board lies in the picture that ``Style()`` draws."""
    frame = draw_screenshot(board, puzzle, Style(), 2).frame
    return frame.to_px([(0, 0), (5, 5)]).ravel().tolist()


def pairs(puzzle):
    """The pairs of dots, in no order."""
    return {frozenset(pair) for pair in puzzle.terminals}
