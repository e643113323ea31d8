import cv2
import numpy as np
import pytest

from flowvision.puzzle import boards
from flowvision.puzzle.model import Path, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.look import Look, PlacedBoard
from flowvision.render.overlay import draw_solution
from flowvision.render.repaint import erase_pipes, played_width
from tests.tools.synthetic import PHONES, Style, draw_screenshot

BOARDS = {
    "square": boards.square(7, 7),
    "small cells": boards.square(15, 15),
    "walls": boards.square(7, 7, walls=[((r, 2), (r, 3)) for r in range(1, 5)]),
    "hex": boards.hexagonal(6, 6),
}


def played(board, style, seed):
    """A solution, its screenshots as it begins and half played, and per flow the edges with pipes on them."""
    puzzle, solution = random_puzzle(board, seed, min(16, len(board.layout.cells) // 8))
    empty, begun = (
        draw_screenshot(board, puzzle, Style(**style, drawn=share), seed, solution) for share in (0.0, 0.4)
    )
    drawn = []
    for flow, path in enumerate(solution.paths):
        middles = begun.frame.to_px([board.layout.strokes[edge][0][1] for edge in path.edges])
        seen = [begun.screenshot.bgr[round(y), round(x), ::-1] for x, y in middles]
        own = [np.abs(pixel.astype(int) - begun.palette[flow]).max() < 40 for pixel in seen]
        drawn.append(frozenset(edge for edge, shows in zip(path.edges, own, strict=True) if shows))
    return solution, empty, begun, drawn


@pytest.mark.sweep(4)
@pytest.mark.parametrize("style", [{}, {"quality": 80}, {"pipe": 0.2, "tint": 0.0}], ids=str)
@pytest.mark.parametrize("phone", ["small", "galaxy"])
@pytest.mark.parametrize("name", BOARDS)
def test_the_board_is_as_it_was(name, phone, style):
    board = BOARDS[name]
    solution, empty, begun, drawn = played(board, {"phone": PHONES[phone], "chrome": False} | style, 3)
    assert any(drawn)
    canvas = begun.screenshot.bgr.copy()
    unused = Solution(tuple(Path(path.ends, ()) for path in solution.paths))
    erase_pipes(canvas, PlacedBoard(board, begun.frame), unused, begun.palette, drawn)
    apart = np.abs(canvas.astype(int) - empty.screenshot.bgr).max(axis=2)
    touched = np.abs(begun.screenshot.bgr.astype(int) - empty.screenshot.bgr).max(axis=2) > 20
    dots = np.zeros(apart.shape, np.uint8)
    pitch = begun.frame.cell_width_px(board.layout.cells[0].centre)
    for middle in PlacedBoard(board, begun.frame).middles_px(
        end for path in unused.paths for end in path.vertices
    ):
        cv2.circle(dots, middle.round().astype(int), round(0.38 * pitch), 1, cv2.FILLED)
    changed = touched & (dots == 0)
    assert changed.sum() > 1000
    limit = 40 if "quality" in style else 24
    assert (apart[changed] > limit).mean() < 0.02
    assert np.median(apart[changed]) <= 6
    assert (apart[~touched] > limit).mean() < 0.002


def test_a_bridge_that_is_passed_in_other_colours_keeps_its_rails():
    board = boards.square(5, 5, bridges=[(2, 2)])
    puzzle, solution = random_puzzle(board, 5)
    shot = draw_screenshot(board, puzzle, Style(drawn=1.0), 5, solution)
    bridge = board.lattice.places.index((2, 2))
    strands = {strand for strand, cell in enumerate(board.layout.cell_of) if cell == bridge}
    one, other = (flow for flow, path in enumerate(solution.paths) if strands & set(path.vertices))
    paths = list(solution.paths)
    paths[one], paths[other] = paths[other], paths[one]
    canvas = shot.screenshot.bgr.copy()
    drawn = [frozenset(path.edges) for path in solution.paths]
    erase_pipes(canvas, PlacedBoard(board, shot.frame), Solution(tuple(paths)), shot.palette, drawn)
    outline = shot.frame.to_px(board.layout.cells[bridge].outline)
    (x0, y0), (x1, y1) = outline.min(axis=0).astype(int) + 4, outline.max(axis=0).astype(int) - 4
    before, after = (bgr[y0:y1, x0:x1].astype(int) for bgr in (shot.screenshot.bgr, canvas))
    colours = [np.array(shot.palette[flow][::-1]) for flow in (one, other)]
    was = [np.abs(before - colour).max(axis=2) < 8 for colour in colours]
    now = [np.abs(after - colour).max(axis=2) < 8 for colour in colours]
    assert min(mask.sum() for mask in was) > 100
    assert (was[0] <= now[1]).all()
    assert (was[1] <= now[0]).all()
    empty = draw_screenshot(board, puzzle, Style(drawn=0.0), 5, solution).screenshot.bgr[y0:y1, x0:x1]
    near = cv2.dilate(np.any(was, axis=0).astype(np.uint8), np.ones((5, 5))) > 0
    rails = (np.abs(empty - np.median(empty, axis=(0, 1))).max(axis=2) > 40) & ~near
    assert rails.sum() > 50
    kept = np.abs(after - before)[rails].max(axis=1) < 25
    assert kept.mean() > 0.85


BOARD = boards.square(6, 6)


@pytest.mark.parametrize("pipe", [0.15, 0.24, 0.333, 0.5, 0.62])
@pytest.mark.parametrize("quality", [None, 85])
def test_widths_are_those_that_were_drawn(pipe: float, quality: int | None) -> None:
    puzzle, solution = random_puzzle(BOARD, 5)
    shot = draw_screenshot(BOARD, puzzle, Style(drawn=1.0, pipe=pipe, quality=quality), 5, solution)
    drawn = [frozenset(path.edges) for path in solution.paths]
    seen = played_width(shot.screenshot.bgr, PlacedBoard(BOARD, shot.frame), shot.palette, drawn)
    assert seen == pytest.approx(pipe, abs=0.03)


@pytest.mark.parametrize("width", [0.24, 0.5])
def test_new_pipes_have_the_width_of_those_that_are_there(width: float) -> None:
    solution, _, begun, drawn = played(BOARD, {"pipe": width}, 3)
    placed = PlacedBoard(BOARD, begun.frame)
    answer = draw_solution(
        begun.screenshot.bgr, BOARD, solution, begun.frame, begun.palette, Look(drawn=tuple(drawn))
    )
    made = [frozenset(() if seen else path.edges) for seen, path in zip(drawn, solution.paths, strict=True)]
    assert any(made)
    assert played_width(answer, placed, begun.palette, made) == pytest.approx(width, abs=0.05)
