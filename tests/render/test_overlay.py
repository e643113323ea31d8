"""The solution is drawn on a copy, on its cells, and nowhere else."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Frame, Rgb
from flowvision.puzzle import boards
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.curves import lines_of
from flowvision.render.look import Look
from flowvision.render.overlay import draw_over, draw_solution
from flowvision.render.paint import stroke

PALETTE = tuple(Rgb(40 + 20 * n, 250 - 20 * n, 30 * n % 256) for n in range(12))
BOARDS = {
    "square": boards.square(6, 6),
    "holes": boards.square(6, 6, holes=[(0, 0), (5, 5)], walls=[((2, 2), (2, 3))]),
    "warp": boards.square(5, 5, warps=[((2, 0), (2, 4))]),
    "bridge": boards.square(7, 7, holes=[(0, 0), (0, 6), (6, 0), (6, 6)], bridges=[(3, 3)]),
    "hex": boards.hexagonal(6, 6),
}


@pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))
def test_every_cell_gets_its_paths_colour(board):
    """Between the dots, the middle of each cell shows the path; the picture given is left alone."""
    puzzle, solution = random_puzzle(board, 2)
    frame = Frame.of_box(30, 40, 50, 50)
    picture = np.full((460, 420, 3), 9, np.uint8)
    drawn = draw_solution(picture, board, solution, frame, PALETTE[: len(solution.paths)])
    assert (picture == 9).all()
    assert (drawn[:15] == 9).all()
    plain = set(range(len(board.layout.cells))) - set(board.layout.cell_of[len(board.layout.cells) :])
    for colour, path in zip(PALETTE, solution.paths, strict=False):
        for strand in path.vertices[1:-1]:
            x, y = np.round(frame.to_px(board.layout.cells[board.layout.cell_of[strand]].centre)[0]).astype(
                int
            )
            if strand in plain:
                assert tuple(drawn[y, x, ::-1].tolist()) == tuple(colour)
    assert len(puzzle.terminals) == len(solution.paths)


@pytest.mark.parametrize("size", [(60, 60), (130, 50), (50, 130)])
def test_pipes_are_as_wide_as_cells_are_narrow(size):
    """Whichever way they run, with their dark edges over a third; other sides are left alone."""
    board = BOARDS["square"]
    _, solution = random_puzzle(board, 2)
    frame = Frame.of_box(20, 20, *size)
    drawn = draw_solution(np.full((830, 830, 3), 9, np.uint8), board, solution, frame, PALETTE)
    crossed = {edge for path in solution.paths for edge in path.edges}
    for edge, (a, b) in enumerate(board.graph.edges):
        ends = frame.to_px([board.layout.cells[cell].centre for cell in (a, b)])
        (x, y), upright = ends.mean(axis=0).astype(int), abs(ends[0, 0] - ends[1, 0]) < 1
        half = size[0 if upright else 1] // 2 - 5
        side = drawn[y, x - half : x + half] if upright else drawn[y - half : y + half, x]
        width = np.count_nonzero((side != 9).any(axis=1)) / min(size)
        assert 0.33 < width < 0.45 if edge in crossed else width == 0


def test_drawn_over_the_picture_itself_it_looks_the_same():
    """Also in the dots, whose pixels are put back from what was there before."""
    board = BOARDS["bridge"]
    _, solution = random_puzzle(board, 2)
    picture = np.random.default_rng(0).integers(0, 255, (400, 400, 3), np.uint8)
    given = board, solution, Frame.of_box(20, 20, 50, 50), PALETTE[: len(solution.paths)]
    drawn = draw_solution(picture, *given)
    assert not np.array_equal(drawn, picture)
    assert draw_over(picture, *given) is picture
    assert np.array_equal(drawn, picture)


def test_only_the_flows_asked_for_are_drawn():
    """A hint shows one path."""
    board = BOARDS["square"]
    _, solution = random_puzzle(board, 2)
    picture = np.zeros((400, 400, 3), np.uint8)
    drawn = draw_solution(
        picture,
        board,
        solution,
        Frame.of_box(20, 20, 50, 50),
        PALETTE[: len(solution.paths)],
        Look(flows=frozenset({0})),
    )
    shown = {tuple(pixel) for pixel in drawn.reshape(-1, 3)[:, ::-1].tolist()}
    assert tuple(PALETTE[0]) in shown
    assert tuple(PALETTE[1]) not in shown


def test_the_middle_of_a_dot_stays_as_it_was():
    """Letters and check marks in the dots are still there."""
    board = BOARDS["square"]
    puzzle, solution = random_puzzle(board, 2)
    rng = np.random.default_rng(0)
    picture = rng.integers(0, 255, (400, 400, 3), np.uint8)
    frame = Frame.of_box(20, 20, 50, 50)
    drawn = draw_solution(picture, board, solution, frame, PALETTE[: len(solution.paths)])
    x, y = np.round(frame.to_px(board.layout.cells[puzzle.terminals[0][0]].centre)[0]).astype(int)
    assert np.array_equal(drawn[y - 5 : y + 6, x - 5 : x + 6], picture[y - 5 : y + 6, x - 5 : x + 6])


def test_a_warp_is_drawn_as_two_stubs():
    """The line of a path that leaves the board goes on at the other side."""
    board = boards.square(1, 4, warps=[((0, 0), (0, 3))])
    from flowvision.puzzle.model import Path

    over = len(board.graph.edges) - 1
    assert lines_of(board, Path((0, 3), (over,))) == [((0.5, 0.5), (0.0, 0.5)), ((4.0, 0.5), (3.5, 0.5))]


def test_letters_stand_in_the_dots_and_along_the_pipe_of_their_flow():
    """In black or white, whichever shows; a hint writes only its own."""
    board = BOARDS["square"]
    puzzle, solution = random_puzzle(board, 2)
    palette, frame = PALETTE[: len(solution.paths)], Frame.of_box(20, 20, 50, 50)
    picture = np.zeros((400, 400, 3), np.uint8)
    letters = tuple(chr(65 + n) for n in range(len(palette)))
    plain, lettered = (
        draw_solution(picture, board, solution, frame, palette, Look(frozenset({0}), letters=some))
        for some in (False, letters)
    )
    changed = (plain != lettered).any(axis=2)
    for flow, pair in enumerate(puzzle.terminals):
        for dot in pair:
            x, y = np.round(frame.to_px(board.layout.cells[dot].centre)[0]).astype(int)
            around = changed[y - 15 : y + 16, x - 15 : x + 16]
            assert around.any() == (flow == 0)
            changed[y - 15 : y + 16, x - 15 : x + 16] = False
    assert changed.any(), "along the pipe"
    for line in lines_of(board, solution.paths[0]):
        stroke(changed_px := changed.astype(np.uint8), frame.to_px(line), Rgb(0, 0, 0), 18)
        changed = changed_px > 0
    assert not changed.any()


@pytest.mark.parametrize("slant", [0.0, 0.0004])
def test_nothing_is_drawn_outside_the_board(slant):
    """Neither on an upright frame nor on a photographed one."""
    board = BOARDS["square"]
    _, solution = random_puzzle(board, 4)
    frame = Frame((50.0, 8.0, 60.0, -6.0, 52.0, 70.0, slant, 10 * slant, 1.0))
    picture = np.random.default_rng(1).integers(0, 255, (480, 480, 3), np.uint8)
    drawn = draw_solution(picture, board, solution, frame, PALETTE[: len(solution.paths)])
    corners = frame.to_px([(0, 0), (6, 0), (6, 6), (0, 6)]).round().astype(np.int32)
    outside = cv2.fillConvexPoly(np.full((480, 480), 255, np.uint8), corners, 0) > 0
    assert np.array_equal(drawn[outside], picture[outside])
    assert not np.array_equal(drawn, picture)
