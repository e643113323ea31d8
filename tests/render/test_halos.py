import cv2
import numpy as np
import pytest

from flowvision.image.picture import Rgb
from flowvision.puzzle import boards
from flowvision.puzzle.model import Path, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.halos import halo_of
from flowvision.render.look import Look, PlacedBoard
from flowvision.render.overlay import draw_solution
from flowvision.render.paint import disc
from flowvision.render.repaint import erase_pipes
from tests.tools.synthetic import HALO_RADIUS, HALO_SHARE, PHONES, Style, draw_halo, draw_screenshot

BOARD = boards.square(6, 6)
BLACK = Rgb(0, 0, 0)


def begun(seed: int, finger: bool, near: bool = False):
    """A board with half a pipe, or one to ``near`` another's dot; a ``finger`` adds a halo; and the truth."""
    puzzle, solution = random_puzzle(BOARD, seed, 5)
    flow = max(range(len(solution.paths)), key=lambda number: len(solution.paths[number].edges))
    path = solution.paths[flow]
    style = Style(phone=PHONES["small"], chrome=False)
    shot = draw_screenshot(BOARD, puzzle, style, seed)
    middles = np.array(BOARD.layout.centres)
    others = middles[[dot for dot, owner in puzzle.dots.items() if owner != flow]]
    away = [np.linalg.norm(others - middles[strand], axis=1).min() for strand in path.vertices[2:-1]]
    edges = path.edges[: 2 + int(np.argmin(away)) if near else len(path.edges) // 2]
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


@pytest.mark.parametrize(("seed", "cut"), [*((n, None) for n in range(4)), (3, "right"), (3, "bottom")])
def test_a_halo_is_found_where_it_was_drawn(seed: int, cut: str | None) -> None:
    shot, bgr, _, flow, _, middle, pitch = begun(seed, finger=True)
    end = round(middle[int(cut == "bottom")] + 0.6 * HALO_RADIUS * pitch) if cut else None
    part = np.ascontiguousarray(bgr[:end] if cut == "bottom" else bgr[:, :end])
    how = pitch, BLACK, shot.palette[flow], [middle - 0.1 * pitch]
    halo = halo_of(part, *how)
    assert np.abs(halo.middle - middle).max() < 1
    assert halo.radius == pytest.approx(HALO_RADIUS * pitch, abs=1)
    if not cut:
        assert halo.share == pytest.approx(HALO_SHARE, abs=0.03)
        assert halo.added == pytest.approx(HALO_SHARE * np.array(shot.palette[flow][::-1]), abs=3)
        assert halo_of(begun(seed, finger=False)[1], *how) is None


@pytest.mark.parametrize(("seed", "near"), [*((n, False) for n in range(4)), (1, True), (3, True)])
def test_below_a_halo_the_board_is_as_it_was(seed: int, near: bool) -> None:
    shot, bgr, drawn, flow, puzzle, middle, pitch = begun(seed, finger=True, near=near)
    canvas = bgr.copy()
    unused = Solution(tuple(Path(pair, ()) for pair in puzzle.terminals))
    erase_pipes(canvas, PlacedBoard(BOARD, shot.frame), unused, shot.palette, drawn)
    made, truth = (
        cv2.cvtColor(np.float32(one) / 255, cv2.COLOR_BGR2LAB) for one in (canvas, shot.screenshot.bgr)
    )
    apart = np.linalg.norm(made - truth, axis=2)
    rows, columns = np.mgrid[: apart.shape[0], : apart.shape[1]]
    away = np.hypot(columns - middle[0], rows - middle[1])
    inside = away < HALO_RADIUS * pitch + 6
    others = np.zeros_like(inside)
    for dot, owner in puzzle.dots.items():
        x, y = shot.frame.to_px(BOARD.layout.cells[dot].centre)[0]
        of_dot = np.hypot(columns - x, rows - y) < 0.4 * pitch
        others |= inside & of_dot & (owner != flow)
        inside &= ~of_dot
    assert others.sum() > 100 or not near
    assert (apart[others] >= 4).sum() <= 0.08 * others.sum()
    assert (apart[inside] < 4).mean() > 0.96
    touched = np.zeros(apart.shape, np.uint8)
    for edge in set().union(*drawn):
        for cell in BOARD.graph.edges[edge]:
            outline = shot.frame.to_px(BOARD.layout.cells[cell].outline).round().astype(np.int32)
            cv2.fillPoly(touched, [outline], 1)
    beyond = (away > HALO_RADIUS * pitch + 12) & (cv2.dilate(touched, np.ones((5, 5), np.uint8)) == 0)
    assert (canvas[beyond] == bgr[beyond]).all()


def test_a_tinted_cell_is_no_halo() -> None:
    shot, bgr, _, flow, _, middle, pitch = begun(1, finger=False)
    x, y = (middle - 0.1 * pitch).round().astype(int)
    half = round(pitch / 2)
    cell = bgr[y - half : y + half, x - half : x + half]
    cell[:] = (0.7 * cell + 0.3 * np.array(shot.palette[flow][::-1])).astype(np.uint8)
    assert halo_of(bgr, pitch, BLACK, shot.palette[flow], [middle - 0.1 * pitch]) is None


def pressed(radius: float):
    """A finger on one of the dots of a picture with two pipes, and the picture without it."""
    (puzzle, solution), pipes = random_puzzle(BOARD, 3, 6), frozenset({4, 5})
    shot = draw_screenshot(BOARD, puzzle, Style(phone=PHONES["small"], chrome=False), 3)
    before = shot.screenshot.bgr
    before = draw_solution(before, BOARD, solution, shot.frame, shot.palette, Look(flows=pipes))
    pitch, over = shot.frame.pitch_px((3, 3)), before.copy()
    at = shot.frame.to_px(BOARD.layout.cells[puzzle.terminals[0][0]].centre)[0] + 0.03 * pitch
    disc(over, at.tolist(), radius * pitch, shot.palette[0])
    bgr = cv2.addWeighted(over, HALO_SHARE, before, 1 - HALO_SHARE, 0)
    drawn = [frozenset(path.edges if flow in pipes else ()) for flow, path in enumerate(solution.paths)]
    return shot, solution, drawn, before, bgr


@pytest.mark.parametrize("radius", [0.46, 0.55, 0.7])
def test_a_pressed_dot_loses_its_halo(radius: float) -> None:
    shot, solution, drawn, before, bgr = pressed(radius)
    look = Look(drawn=tuple(drawn))
    made, wanted = (
        draw_solution(one, BOARD, solution, shot.frame, shot.palette, look) for one in (bgr, before)
    )
    wrong, left = (np.abs(a.astype(int) - b).max(axis=2) > 12 for a, b in ((bgr, before), (made, wanted)))
    assert wrong.sum() > 500
    assert left.sum() < 0.05 * wrong.sum()


def test_tinted_cells_and_dots_alone_are_not_pressed() -> None:
    shot, solution, drawn, before, _ = pressed(0.7)
    x, y = shot.frame.to_px(BOARD.layout.cells[solution.paths[1].vertices[0]].centre)[0].round().astype(int)
    half = round(shot.frame.pitch_px((3, 3)) / 2)
    cell = before[max(0, y - half) : y + half, max(0, x - half) : x + half]
    cell[:] = (0.7 * cell + 0.3 * np.array(shot.palette[1][::-1])).astype(np.uint8)
    canvas = before.copy()
    erase_pipes(canvas, PlacedBoard(BOARD, shot.frame), solution, shot.palette, drawn)
    assert (canvas == before).all()
