from typing import NamedTuple

import cv2
import numpy as np
import pytest

from flowvision.puzzle import boards
from flowvision.puzzle.model import Path, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.look import Look, PlacedBoard
from flowvision.render.overlay import draw_solution
from flowvision.render.repaint import erase_pipes, played_width
from tests.tools.synthetic import PHONES, Style, SyntheticShot, draw_screenshot

BOARDS = {
    "square": boards.square(7, 7),
    "small cells": boards.square(15, 15),
    "walls": boards.square(7, 7, walls=[((r, 2), (r, 3)) for r in range(1, 5)]),
    "hex": boards.hexagonal(6, 6),
}


class Played(NamedTuple):
    """A board, empty and with 0.4 of its solution played; ``drawn``: edges with a pipe, by flow."""

    solution: Solution
    empty: SyntheticShot
    begun: SyntheticShot
    drawn: list[frozenset[int]]


def played(board, style, seed):
    puzzle, solution = random_puzzle(board, seed, min(16, len(board.layout.cells) // 8))
    empty, begun = (
        draw_screenshot(board, puzzle, Style(**style, drawn=share), seed, solution) for share in (0.0, 0.4)
    )
    drawn = []
    for flow, path in enumerate(solution.paths):
        middles = begun.frame.to_px([board.layout.strokes[edge][0][1] for edge in path.edges])
        pixels = np.array([begun.screenshot.bgr[round(y), round(x), ::-1] for x, y in middles], int)
        is_pipe = np.abs(pixels - begun.palette[flow]).max(axis=1) < 40
        drawn.append(frozenset(edge for edge, shows in zip(path.edges, is_pipe, strict=True) if shows))
    return Played(solution, empty, begun, drawn)


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize(
    ("style", "tolerance"),
    [({}, 24), ({"quality": 80}, 40), ({"pipe": 0.2, "tint": 0.0}, 24)],
    ids=["usual", "compressed", "thin pipes"],
)
@pytest.mark.parametrize("phone", ["small", "galaxy"])
@pytest.mark.parametrize("name", BOARDS)
def test_the_board_is_as_it_was(name, phone, style, tolerance):
    """``tolerance``: difference of a channel that few pixels exceed once the pipes are erased."""
    board = BOARDS[name]
    game = played(board, {"phone": PHONES[phone], "chrome": False} | style, seed=3)
    begun = game.begun
    assert any(game.drawn)
    canvas, placed = begun.screenshot.bgr.copy(), PlacedBoard(board, begun.frame)
    unused = Solution(tuple(Path(path.ends, edges=()) for path in game.solution.paths))
    erase_pipes(canvas, placed, unused, begun.palette, game.drawn)
    difference, was_difference = (
        np.abs(bgr.astype(int) - game.empty.screenshot.bgr).max(axis=2)
        for bgr in (canvas, begun.screenshot.bgr)
    )
    in_dots = np.zeros(difference.shape, np.uint8)
    radius = round(0.38 * begun.frame.cell_width_px(board.layout.cells[0].centre))
    for middle in placed.middles_px(end for path in unused.paths for end in path.vertices):
        cv2.circle(in_dots, middle.round().astype(int), radius, 1, cv2.FILLED)
    was_drawn = was_difference > 20
    repainted = was_drawn & (in_dots == 0)
    assert repainted.sum() > 1000
    assert (difference[repainted] > tolerance).mean() < 0.02
    assert np.median(difference[repainted]) <= 6
    assert (difference[~was_drawn] > tolerance).mean() < 0.002


class Bridge(NamedTuple):
    """A bridge's cell, (H, W, 3): with pipes, with them in each other's colour, empty; both colours."""

    before: np.ndarray
    after: np.ndarray
    empty: np.ndarray
    colours: list[np.ndarray]


@pytest.fixture(scope="module")
def swapped() -> Bridge:
    """A bridge whose two pipes changed their flows."""
    board = boards.square(5, 5, bridges=[(2, 2)])
    puzzle, solution = random_puzzle(board, seed=5)
    empty, shot = (
        draw_screenshot(board, puzzle, Style(drawn=share), seed=5, solution=solution) for share in (0.0, 1.0)
    )
    bridge = board.lattice.places.index((2, 2))
    strands = {strand for strand, cell in enumerate(board.layout.cell_of) if cell == bridge}
    a, b = (flow for flow, path in enumerate(solution.paths) if strands & set(path.vertices))
    paths, canvas = list(solution.paths), shot.screenshot.bgr.copy()
    paths[a], paths[b] = paths[b], paths[a]
    drawn = [frozenset(path.edges) for path in solution.paths]
    erase_pipes(canvas, PlacedBoard(board, shot.frame), Solution(tuple(paths)), shot.palette, drawn)
    outline = shot.frame.to_px(board.layout.cells[bridge].outline)
    (x0, y0), (x1, y1) = outline.min(axis=0).astype(int) + 4, outline.max(axis=0).astype(int) - 4
    pictures = (bgr[y0:y1, x0:x1].astype(int) for bgr in (shot.screenshot.bgr, canvas, empty.screenshot.bgr))
    return Bridge(*pictures, [np.array(shot.palette[flow][::-1]) for flow in (a, b)])


def is_colour(bgr, colour):
    return np.abs(bgr - colour).max(axis=2) < 8


def test_a_bridge_is_passed_in_other_colours(swapped):
    before, after, (a, b) = swapped.before, swapped.after, swapped.colours
    assert min(is_colour(before, a).sum(), is_colour(before, b).sum()) > 100
    assert is_colour(after, b)[is_colour(before, a)].all()
    assert is_colour(after, a)[is_colour(before, b)].all()


def test_a_bridge_that_is_passed_in_other_colours_keeps_its_rails(swapped):
    before, after, empty = swapped.before, swapped.after, swapped.empty
    is_pipe = np.any([is_colour(before, colour) for colour in swapped.colours], axis=0)
    near_pipe = cv2.dilate(is_pipe.astype(np.uint8), np.ones((5, 5))) > 0
    rails = (np.abs(empty - np.median(empty, axis=(0, 1))).max(axis=2) > 40) & ~near_pipe
    assert rails.sum() > 50
    is_kept = np.abs(after - before)[rails].max(axis=1) < 25
    assert is_kept.mean() > 0.85


BOARD = boards.square(6, 6)


@pytest.mark.parametrize("pipe", [0.15, 0.24, 0.333, 0.5, 0.62])
@pytest.mark.parametrize("quality", [None, 85])
def test_widths_are_those_that_were_drawn(pipe: float, quality: int | None) -> None:
    puzzle, solution = random_puzzle(BOARD, seed=5)
    shot = draw_screenshot(
        BOARD, puzzle, Style(drawn=1.0, pipe=pipe, quality=quality), seed=5, solution=solution
    )
    drawn = [frozenset(path.edges) for path in solution.paths]
    width = played_width(shot.screenshot.bgr, PlacedBoard(BOARD, shot.frame), shot.palette, drawn)
    assert width == pytest.approx(pipe, abs=0.03)


@pytest.mark.parametrize("width", [0.24, 0.5])
def test_new_pipes_have_the_width_of_those_that_are_there(width: float) -> None:
    game = played(BOARD, {"pipe": width}, seed=3)
    begun, paths = game.begun, game.solution.paths
    placed, look = PlacedBoard(BOARD, begun.frame), Look(drawn=tuple(game.drawn))
    answer = draw_solution(begun.screenshot.bgr, BOARD, game.solution, begun.frame, begun.palette, look)
    flows_without_pipe = [
        frozenset(() if drawn else path.edges) for drawn, path in zip(game.drawn, paths, strict=True)
    ]
    assert any(flows_without_pipe)
    assert played_width(answer, placed, begun.palette, flows_without_pipe) == pytest.approx(width, abs=0.05)
