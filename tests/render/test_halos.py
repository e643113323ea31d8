"""The halo round a finger is taken off whole: what was below it is there again."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Rgb
from flowvision.puzzle import boards
from flowvision.puzzle.model import Path, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.halos import halo_of
from flowvision.render.look import Look
from flowvision.render.overlay import draw_solution
from flowvision.render.repaint import take_back
from flowvision.render.scenery import HALO_RADIUS, HALO_SHARE, draw_halo
from flowvision.render.synthetic import Style, draw_screenshot
from flowvision.render.themes import PHONES

BOARD = boards.square(6, 6)
BLACK = Rgb(0, 0, 0)


def begun(seed: int, finger: bool):
    """A board with a part of one pipe, with a halo if a ``finger`` draws it, and the truth."""
    puzzle, solution = random_puzzle(BOARD, seed, 5)
    flow = max(range(len(solution.paths)), key=lambda number: len(solution.paths[number].edges))
    path = solution.paths[flow]
    style = Style(phone=PHONES["small"], chrome=False)
    shot = draw_screenshot(BOARD, puzzle, style, seed)
    edges = path.edges[: len(path.edges) // 2]
    head = shot.frame.to_px(BOARD.layout.cells[path.vertices[len(edges)]].centre)[0]
    pitch = shot.frame.pitch_px((3, 3))
    clean = shot.screenshot.bgr
    if finger:
        clean = clean.copy()
        draw_halo(clean, (head + 0.1 * pitch).tolist(), pitch, shot.palette[flow])
    part = Solution(
        tuple(
            Path(path.vertices[: len(edges) + 1], edges) if n == flow else Path(pair, ())
            for n, pair in enumerate(puzzle.terminals)
        )
    )
    with_pipe = draw_solution(clean, BOARD, part, shot.frame, shot.palette, Look(flows=frozenset([flow])))
    drawn = [frozenset(edges) if n == flow else frozenset() for n in range(len(solution.paths))]
    return shot, with_pipe, drawn, flow, puzzle, head + 0.1 * pitch, pitch


@pytest.mark.parametrize("seed", range(4))
def test_a_halo_is_found_where_it_was_drawn(seed: int) -> None:
    """Its middle and radius to a few pixels, and how dense it is; without one there is none."""
    shot, bgr, drawn, flow, puzzle, middle, pitch = begun(seed, finger=True)
    how = shot.frame, BLACK, shot.palette[flow], drawn[flow], puzzle.terminals[flow]
    halo = halo_of(bgr, BOARD, *how)
    assert halo is not None
    assert np.abs(halo.middle - middle).max() < 6
    assert halo.radius == pytest.approx(HALO_RADIUS * pitch, abs=6)
    assert halo.share == pytest.approx(HALO_SHARE, abs=0.05)
    assert halo_of(begun(seed, finger=False)[1], BOARD, *how) is None


@pytest.mark.parametrize("seed", range(4))
def test_below_a_halo_the_board_is_as_it_was(seed: int) -> None:
    """Once its pipe is taken off: within 4 Lab of the board before, but for its edge and for lines' ends."""
    shot, bgr, drawn, _, puzzle, middle, pitch = begun(seed, finger=True)
    canvas = bgr.copy()
    unused = Solution(tuple(Path(pair, ()) for pair in puzzle.terminals))
    take_back(canvas, BOARD, unused, shot.frame, shot.palette, drawn)
    made, truth = (
        cv2.cvtColor(np.float32(one) / 255, cv2.COLOR_BGR2LAB) for one in (canvas, shot.screenshot.bgr)
    )
    apart = np.linalg.norm(made - truth, axis=2)
    rows, columns = np.mgrid[: apart.shape[0], : apart.shape[1]]
    away = np.hypot(columns - middle[0], rows - middle[1])
    inside = away < HALO_RADIUS * pitch - 3
    for pair in puzzle.terminals:
        for dot in pair:
            x, y = shot.frame.to_px(BOARD.layout.cells[dot].centre)[0]
            inside &= np.hypot(columns - x, rows - y) > 0.4 * pitch
    assert (apart[inside] < 4).mean() > 0.93
    touched = np.zeros(apart.shape, np.uint8)
    for edge in set().union(*drawn):
        for cell in BOARD.graph.edges[edge]:
            outline = shot.frame.to_px(BOARD.layout.cells[cell].outline).round().astype(np.int32)
            cv2.fillPoly(touched, [outline], 1)
    beyond = (away > HALO_RADIUS * pitch + 12) & (cv2.dilate(touched, np.ones((5, 5), np.uint8)) == 0)
    assert (canvas[beyond] == bgr[beyond]).all()


def test_a_tinted_cell_is_no_halo() -> None:
    """A square in a light shade of the colour, at the end of a pipe."""
    shot, bgr, drawn, flow, puzzle, middle, pitch = begun(1, finger=False)
    x, y = (middle - 0.1 * pitch).round().astype(int)
    half = round(pitch / 2)
    cell = bgr[y - half : y + half, x - half : x + half]
    cell[:] = (0.7 * cell + 0.3 * np.array(shot.palette[flow][::-1])).astype(np.uint8)
    assert (
        halo_of(bgr, BOARD, shot.frame, BLACK, shot.palette[flow], drawn[flow], puzzle.terminals[flow])
        is None
    )
