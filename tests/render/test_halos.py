from collections.abc import Container
from typing import NamedTuple

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Bgr, Rgb
from flowvision.puzzle import boards
from flowvision.puzzle.model import Path, Puzzle, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.halos import halo_of
from flowvision.render.look import Look, PlacedBoard
from flowvision.render.overlay import draw_solution
from flowvision.render.paint import disc
from flowvision.render.repaint import erase_pipes
from tests.tools.synthetic import (
    HALO_RADIUS,
    HALO_SHARE,
    PHONES,
    Style,
    SyntheticShot,
    draw_halo,
    draw_screenshot,
)

BOARD = boards.square(6, 6)
BLACK = Rgb(0, 0, 0)


class Begun(NamedTuple):
    """A board with half a pipe, and a finger's halo about its head or not.

    ``before``: the board without the pipe; ``flow``: that of the pipe; ``drawn``: edges with a pipe, by flow.
    """

    before: SyntheticShot
    bgr: Bgr
    drawn: list[frozenset[int]]
    flow: int
    puzzle: Puzzle
    head_px: np.ndarray

    @property
    def pitch(self) -> float:
        return self.before.frame.pitch_px((3, 3))

    @property
    def finger_px(self) -> np.ndarray:
        return self.head_px + 0.1 * self.pitch

    @property
    def colour(self) -> Rgb:
        return self.before.palette[self.flow]

    def halo_in(self, bgr: Bgr):
        return halo_of(bgr, self.pitch, BLACK, self.colour, [self.head_px])


def begun(seed: int, finger: bool, near: bool = False) -> Begun:
    """Draw half of the longest pipe, or it up to the cell ``near`` another flow's dot."""
    puzzle, solution = random_puzzle(BOARD, seed, colours=5)
    flow = max(range(len(solution.paths)), key=lambda number: len(solution.paths[number].edges))
    path = solution.paths[flow]
    shot = draw_screenshot(BOARD, puzzle, Style(phone=PHONES["small"], chrome=False), seed)
    middles = np.array(BOARD.layout.centres)
    others = middles[[dot for dot, owner in puzzle.dots.items() if owner != flow]]
    away = [np.linalg.norm(others - middles[strand], axis=1).min() for strand in path.vertices[2:-1]]
    edges = path.edges[: 2 + int(np.argmin(away)) if near else len(path.edges) // 2]
    head_px = shot.frame.to_px(BOARD.layout.cells[path.vertices[len(edges)]].centre)[0]
    drawn = [frozenset(edges) if number == flow else frozenset() for number in range(len(solution.paths))]
    paths = [Path(pair, edges=()) for pair in puzzle.terminals]
    paths[flow] = Path(path.vertices[: len(edges) + 1], edges)
    made = Begun(shot, shot.screenshot.bgr.copy(), drawn, flow, puzzle, head_px)
    if finger:
        draw_halo(made.bgr, made.finger_px.tolist(), made.pitch, made.colour)
    look = Look(flows=frozenset([flow]))
    with_pipe = draw_solution(made.bgr, BOARD, Solution(tuple(paths)), shot.frame, shot.palette, look)
    return made._replace(bgr=with_pipe)


@pytest.mark.parametrize(("seed", "cut"), [*((n, "") for n in range(4)), (3, "right"), (3, "bottom")])
def test_a_halo_is_found_where_it_was_drawn(seed: int, cut: str) -> None:
    scene = begun(seed, finger=True)
    x, y = np.round(scene.finger_px + 0.6 * HALO_RADIUS * scene.pitch).astype(int)
    part = {"": scene.bgr, "right": scene.bgr[:, :x], "bottom": scene.bgr[:y]}[cut]
    halo = scene.halo_in(np.ascontiguousarray(part))
    assert np.abs(halo.circle.middle - scene.finger_px).max() < 1
    assert halo.circle.radius == pytest.approx(HALO_RADIUS * scene.pitch, abs=1)
    if not cut:
        assert halo.share == pytest.approx(HALO_SHARE, abs=0.03)
        assert halo.added == pytest.approx(HALO_SHARE * np.array(scene.colour[::-1]), abs=3)


@pytest.mark.parametrize("seed", range(4))
def test_without_a_finger_there_is_no_halo(seed: int) -> None:
    scene = begun(seed, finger=False)
    assert scene.halo_in(scene.bgr) is None


def without_pipe(scene: Begun) -> Bgr:
    """Return the picture with its pipe, and the halo about its head, erased."""
    canvas = scene.bgr.copy()
    unused = Solution(tuple(Path(pair, edges=()) for pair in scene.puzzle.terminals))
    placed = PlacedBoard(BOARD, scene.before.frame)
    erase_pipes(canvas, placed, unused, scene.before.palette, scene.drawn)
    return canvas


def is_near(scene: Begun, middle: np.ndarray, radius_px: float) -> np.ndarray:
    """Tell for each pixel if it lies within a circle."""
    rows, columns = np.indices(scene.bgr.shape[:2])
    return np.hypot(columns - middle[0], rows - middle[1]) < radius_px


def is_in_dots(scene: Begun, flows: Container[int]) -> np.ndarray:
    """Tell for each pixel if it belongs to a dot of these flows."""
    mask = np.zeros(scene.bgr.shape[:2], bool)
    for dot, flow in scene.puzzle.dots.items():
        if flow in flows:
            middle = scene.before.frame.to_px(BOARD.layout.cells[dot].centre)[0]
            mask |= is_near(scene, middle, 0.4 * scene.pitch)
    return mask


@pytest.mark.parametrize(("seed", "near"), [*((n, False) for n in range(4)), (1, True), (3, True)])
def test_below_a_halo_the_board_is_as_it_was(seed: int, near: bool) -> None:
    """Dots of other flows keep a faint rim at most."""
    scene = begun(seed, finger=True, near=near)
    after, before = (
        cv2.cvtColor(np.float32(bgr) / 255, cv2.COLOR_BGR2LAB)
        for bgr in (without_pipe(scene), scene.before.screenshot.bgr)
    )
    is_other = np.linalg.norm(after - before, axis=2) >= 4
    in_halo = is_near(scene, scene.finger_px, HALO_RADIUS * scene.pitch + 6)
    assert is_other[in_halo & ~is_in_dots(scene, range(5))].mean() < 0.04
    in_other_dots = in_halo & is_in_dots(scene, set(range(5)) - {scene.flow})
    assert in_other_dots.sum() > 100 or not near
    assert is_other[in_other_dots].sum() <= 0.08 * in_other_dots.sum()


@pytest.mark.parametrize("seed", range(4))
def test_what_lies_beyond_a_halo_and_its_pipe_stays(seed: int) -> None:
    scene = begun(seed, finger=True)
    pipe = np.zeros(scene.bgr.shape[:2], np.uint8)
    for edge in scene.drawn[scene.flow]:
        for cell in BOARD.graph.edges[edge]:
            outline = scene.before.frame.to_px(BOARD.layout.cells[cell].outline).round().astype(np.int32)
            cv2.fillPoly(pipe, [outline], 1)
    near_pipe = cv2.dilate(pipe, np.ones((5, 5), np.uint8)) > 0
    beyond = ~near_pipe & ~is_near(scene, scene.finger_px, HALO_RADIUS * scene.pitch + 12)
    assert np.array_equal(without_pipe(scene)[beyond], scene.bgr[beyond])


def tint_cell(bgr: Bgr, middle: np.ndarray, pitch: float, colour: Rgb) -> None:
    x, y = middle.round().astype(int)
    half = round(pitch / 2)
    cell = bgr[max(0, y - half) : y + half, max(0, x - half) : x + half]
    cell[:] = (0.7 * cell + 0.3 * np.array(colour[::-1])).astype(np.uint8)


def test_a_tinted_cell_is_no_halo() -> None:
    scene = begun(seed=1, finger=False)
    tint_cell(scene.bgr, scene.head_px, scene.pitch, scene.colour)
    assert scene.halo_in(scene.bgr) is None


class Pressed(NamedTuple):
    """Two pipes, and a finger on a dot of another flow; ``drawn``: edges with a pipe, by flow."""

    shot: SyntheticShot
    solution: Solution
    drawn: list[frozenset[int]]
    before: Bgr
    with_finger: Bgr


def pressed(radius: float) -> Pressed:
    """Press a dot; ``radius``: of the finger's halo, in pitches."""
    (puzzle, solution), pipes = random_puzzle(BOARD, seed=3, colours=6), frozenset({4, 5})
    shot = draw_screenshot(BOARD, puzzle, Style(phone=PHONES["small"], chrome=False), seed=3)
    before = shot.screenshot.bgr
    before = draw_solution(before, BOARD, solution, shot.frame, shot.palette, Look(flows=pipes))
    pitch, over = shot.frame.pitch_px((3, 3)), before.copy()
    at = shot.frame.to_px(BOARD.layout.cells[puzzle.terminals[0][0]].centre)[0] + 0.03 * pitch
    disc(over, at.tolist(), radius * pitch, shot.palette[0])
    with_finger = cv2.addWeighted(over, HALO_SHARE, before, 1 - HALO_SHARE, 0)
    drawn = [frozenset(path.edges if flow in pipes else ()) for flow, path in enumerate(solution.paths)]
    return Pressed(shot, solution, drawn, before, with_finger)


@pytest.mark.parametrize("radius", [0.46, 0.55, 0.7])
def test_a_pressed_dot_loses_its_halo(radius: float) -> None:
    finger = pressed(radius)
    shot, look = finger.shot, Look(drawn=tuple(finger.drawn))
    solved, expected = (
        draw_solution(bgr, BOARD, finger.solution, shot.frame, shot.palette, look)
        for bgr in (finger.with_finger, finger.before)
    )
    halo = np.abs(finger.with_finger.astype(int) - finger.before).max(axis=2) > 12
    rest_of_halo = np.abs(solved.astype(int) - expected).max(axis=2) > 12
    assert halo.sum() > 500
    assert rest_of_halo.sum() < 0.05 * halo.sum()


def test_tinted_cells_and_dots_alone_are_not_pressed() -> None:
    finger = pressed(radius=0.7)
    shot, solution, without_finger = finger.shot, finger.solution, finger.before
    dot = BOARD.layout.cells[solution.paths[1].vertices[0]].centre
    tint_cell(without_finger, shot.frame.to_px(dot)[0], shot.frame.pitch_px((3, 3)), shot.palette[1])
    canvas = without_finger.copy()
    erase_pipes(canvas, PlacedBoard(BOARD, shot.frame), solution, shot.palette, finger.drawn)
    assert np.array_equal(canvas, without_finger)
