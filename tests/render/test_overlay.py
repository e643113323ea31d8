from functools import lru_cache
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.contrast import HIDDEN, contrast
from flowvision.render.curves import lines_of
from flowvision.render.look import PLAIN, Look, PlacedBoard
from flowvision.render.overlay import draw_solution, pipes_of
from flowvision.render.paint import stroke
from tests.boards import BOARDS, LATTICES
from tests.tools.synthetic import CURRENT

PALETTE = CURRENT.palette
LINE = (63, 109, 63)
PIPE, RIM = 0.333, 0.035
"""Cell widths: what the pipes of the answer measure."""


class Scene(NamedTuple):
    """A picture with sharp lines and dots, and its truth; ``owner``: per pixel whose dot it is, or -1."""

    board: Board
    puzzle: Puzzle
    solution: Solution
    picture: Bgr
    frame: Frame
    owner: np.ndarray

    @property
    def palette(self):
        return PALETTE[: len(self.solution.paths)]

    def drawn(self, look=PLAIN):
        return draw_solution(self.picture, self.board, self.solution, self.frame, self.palette, look)

    def px(self, point):
        return self.frame.to_px(point)[0].round().astype(int)


def scene(board, pitch=50, ground=(0, 0, 0), dot=(0.345, 0.345)):
    """A random puzzle on a board; ``dot``: half axes in cells."""
    puzzles = (random_puzzle(board, number) for number in range(2, 52))
    puzzle, solution = next(made for made in puzzles if len(made[1].paths) <= len(PALETTE))
    corners = np.array(board.layout.corners)
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    frame = Frame.of_box(pitch - left * pitch, pitch - top * pitch, pitch, pitch)
    height, width = round((bottom - top + 2) * pitch), round((right - left + 2) * pitch)
    picture = np.full((height, width, 3), ground[::-1], np.uint8)
    for cell in board.layout.cells:
        cv2.polylines(picture, [frame.to_px(cell.outline).round().astype(int)], True, LINE, 1)
    ys, xs = np.mgrid[:height, :width]
    owner = np.full((height, width), -1)
    for flow, path in enumerate(solution.paths):
        for end in (path.vertices[0], path.vertices[-1]):
            x, y = frame.to_px(board.layout.cells[board.layout.cell_of[end]].centre)[0]
            owner[np.hypot((xs - x) / dot[0], (ys - y) / dot[1]) < pitch] = flow
    for flow in range(len(solution.paths)):
        picture[owner == flow] = PALETTE[flow][::-1]
    return Scene(board, puzzle, solution, picture, frame, owner)


@lru_cache(maxsize=1)
def stage(name, pitch, dot):
    """A scene on black, and per flow and pixel how far the nearest stroke is."""
    made = scene(LATTICES[name], pitch, dot=dot)
    return made, np.array([away_from(made, path) for path in made.solution.paths])


def away_from(made, path):
    """Per pixel, how far the nearest stroke of a path is: by the distance from points to segments."""
    shape = made.owner.shape
    ys, xs = np.mgrid[: shape[0], : shape[1]].astype(float)
    nearest = np.full(shape, np.inf)
    for edge in path.edges:
        for line in made.board.layout.strokes[edge]:
            points = made.frame.to_px(line)
            for (ax, ay), (bx, by) in pairwise(points):
                dx, dy = bx - ax, by - ay
                along = np.clip(((xs - ax) * dx + (ys - ay) * dy) / (dx * dx + dy * dy), 0, 1)
                nearest = np.minimum(nearest, np.hypot(xs - ax - along * dx, ys - ay - along * dy))
    return nearest


GROUNDS = {"black": (0, 0, 0), "white": (255, 255, 255), "violet": (70, 45, 95), "grey": (120, 120, 120)}
SIZES = [(24, (0.345, 0.345)), (50, (0.27, 0.27)), (50, (0.43, 0.43)), (66, (0.4, 0.29))]
"""Pixels a cell, and the half axes of dots: small cells, small and large dots, ovals."""


@pytest.mark.sweep(8)
@pytest.mark.parametrize("ground", GROUNDS.values(), ids=list(GROUNDS))
@pytest.mark.parametrize(("pitch", "dot"), SIZES)
@pytest.mark.parametrize("name", LATTICES)
def test_pipes_are_what_an_independent_drawing_says(name, pitch, dot, ground):
    narrow = pitch * (sqrt(3) / 2 if name == "hex" else 1)
    axes = tuple(axis * narrow / pitch for axis in dot)
    on_black, away = stage(name, pitch, axes)
    is_ground = (on_black.picture == 0).all(axis=2, keepdims=True)
    made = on_black._replace(picture=np.where(is_ground, np.uint8(ground[::-1]), on_black.picture))
    board, _, _, before, frame, owner = made._replace(picture=made.picture.copy())
    drawn = made.drawn()
    assert np.array_equal(made.picture, before), "the picture given is left alone"
    near = away.argmin(axis=0)
    bridges = np.zeros(owner.shape, bool)
    for cell in board.layout.cell_of[len(board.layout.cells) :]:
        outline = frame.to_px(board.layout.cells[cell].outline).round().astype(int)
        bridges |= cv2.fillPoly(np.zeros(owner.shape, np.uint8), [outline], 1) > 0
    colours = np.array([colour[::-1] for colour in PALETTE])
    inside = (away.min(axis=0) < (PIPE - RIM) * narrow / 2 - 2) & ~bridges
    assert np.array_equal(drawn[inside], colours[near[inside]])
    outside = (away.min(axis=0) > (PIPE / 2 + 2 * RIM) * pitch + 2) & (owner < 0)
    assert np.array_equal(drawn[outside], before[outside])
    dots = owner >= 0
    assert np.array_equal(drawn[dots], colours[owner[dots]])
    shown = [
        (drawn == colour).all(axis=2) & (away[flow] < pitch)
        for flow, colour in enumerate(colours[: len(away)])
    ]
    for flow, mask in enumerate(shown):
        around = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        assert not any((around & other).any() for number, other in enumerate(shown) if number != flow)


@pytest.mark.parametrize("dot", [(0.345, 0.345), (0.36, 0.24)])
@pytest.mark.parametrize("name", ["cubes", "rings"])
def test_on_odd_cells_pipes_run_from_side_to_side(name, dot):
    made = scene(BOARDS[name], dot=dot)
    board, _, solution, _, frame, owner = made
    drawn = made.drawn()
    for flow, path in enumerate(solution.paths):
        own = np.zeros(owner.shape, np.uint8)
        for strand in path.vertices:
            cv2.fillPoly(own, [frame.to_px(board.layout.cells[strand].outline).round().astype(int)], 1)
        colour = np.array(PALETTE[flow][::-1])
        shows = (drawn == colour).all(axis=2)
        beyond = cv2.dilate(own, np.ones((5, 5), np.uint8)) == 0
        assert not (shows & beyond).any(), "pipes stay in the cells of their path"
        for edge in path.edges:
            x, y = made.px(board.layout.strokes[edge][0][1])
            assert shows[y, x], "they pass the middle of each side"
    assert np.array_equal(drawn[owner >= 0], np.array([c[::-1] for c in PALETTE])[owner[owner >= 0]])


@pytest.mark.parametrize("ground", GROUNDS.values(), ids=list(GROUNDS))
def test_pipes_have_rims_where_one_is_hidden(ground):
    made = scene(LATTICES["square"], 60, ground)
    board, _, solution, picture, frame, owner = made
    drawn = made.drawn()
    hidden = any(contrast(colour, Rgb(*ground)) < HIDDEN for colour in made.palette)
    placed, there = PlacedBoard(board, frame), tuple(frozenset(path.edges) for path in solution.paths)
    for look, are_rimmed in ((PLAIN, hidden), (Look(drawn=there), False)):
        pipes = pipes_of(picture, placed, solution, made.palette, look)
        assert [bool(pipe.strokes[:-1]) for pipe in pipes] == [are_rimmed] * len(pipes)
    for path in solution.paths:
        away = away_from(made, path)
        changed = (drawn != picture).any(axis=2) & (away > PIPE * 30 + 2) & (away < 14) & (owner < 0)
        assert hidden or not changed.any()
        for edge in path.edges if hidden else ():
            start, middle, _ = frame.to_px(board.layout.strokes[edge][0])
            across = (middle - start)[::-1] * (-1, 1) / 30
            for side in (-1, 1):
                # A little along the pipe, beside the line that crosses it.
                places = [middle + 3 * across[::-1] + side * off * across for off in np.arange(8, 13, 0.5)]
                seen = [drawn[round(y), round(x), ::-1].tolist() for x, y in places]
                assert max(contrast(Rgb(*pixel), Rgb(*ground)) for pixel in seen) >= 3


def test_the_upper_pipe_of_a_bridge_is_one_piece():
    made = scene(LATTICES["bridge"], 60)
    drawn, layout = made.drawn(), made.board.layout
    x, y = made.px(layout.cells[layout.cell_of[-1]].centre)
    level, upright = drawn[y, x - 28 : x + 29], drawn[y - 28 : y + 29, x]
    assert len({tuple(pixel) for pixel in level.tolist()}) == 1
    assert not np.array_equal(level[0], upright[0])
    black = (upright == 0).all(axis=1)
    assert black[16:20].any()
    assert black[-20:-16].any()
    assert not black[24:33].any()


def test_only_the_chosen_edges_are_drawn():
    made = scene(LATTICES["square"])
    kept = frozenset(max(made.solution.paths, key=lambda one: len(one.edges)).edges[1:3])
    changed = (made.drawn(Look(edges=kept)) != made.picture).any(axis=2)
    for edge, ((_, middle, _),) in enumerate(made.board.layout.strokes):
        x, y = made.px(middle)
        assert changed[y, x] == (edge in kept)
    assert not changed[made.owner >= 0].any()


@pytest.mark.parametrize("radius", [0.07, 0.1, 0.2])
def test_pipes_reach_small_dots(radius):
    made = scene(LATTICES["square"], 60, dot=(radius, radius))
    drawn = made.drawn()
    for flow, path in enumerate(made.solution.paths):
        for line in lines_of(made.board, path):
            for start, end in pairwise(made.frame.to_px(line)):
                x, y = np.linspace(start, end, 60).round().astype(int).T
                assert (drawn[y, x] == PALETTE[flow][::-1]).all()


def test_the_middle_of_a_dot_stays_as_it_was():
    made = scene(LATTICES["square"])
    middles = [made.px(made.board.layout.cells[dot].centre) for dot in made.puzzle.dots]
    for x, y in middles:
        made.picture[y - 6 : y + 7, x - 2 : x + 3] = 255, 255, 250
    drawn = made.drawn()
    for x, y in middles:
        near = np.s_[y - 8 : y + 9, x - 8 : x + 9]
        assert np.array_equal(drawn[near], made.picture[near])


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("mark", ["letters", "arrows"])
def test_marks_lie_on_the_dots_and_pipes_of_their_flows(name, mark):
    made = scene(BOARDS[name], 60, dot=(0.29, 0.29))
    owner, paths = made.owner, made.solution.paths
    flow = max(range(len(paths)), key=lambda one: len(paths[one].edges))
    plain, marked = map(made.drawn, (Look(frozenset({flow})), Look(frozenset({flow}), **{mark: True})))
    changed = (plain != marked).any(axis=2)
    own = (plain == np.array(PALETTE[flow][::-1])).all(axis=2)
    near = cv2.dilate(own.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    assert changed.any()
    assert not (changed & ~near).any()
    assert changed[owner == flow].any() == (mark == "letters")
    assert (changed & (owner != flow)).any()


@pytest.mark.parametrize("dim", [0.6, 0.85])
def test_a_dimmed_board_gets_pipes_and_dots_in_full_colour(dim):
    made = scene(LATTICES["square"])
    board, _, solution, picture, frame, owner = made
    dimmed = np.round(picture * dim).astype(np.uint8)
    palette = [Rgb(*(round(channel * dim) for channel in colour)) for colour in made.palette]
    drawn = draw_solution(dimmed, board, solution, frame, palette)
    inner = cv2.erode((owner >= 0).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    full = np.array([colour[::-1] for colour in PALETTE])[owner[inner]]
    assert np.abs(drawn[inner].astype(int) - full).max() <= 4
    for flow, path in enumerate(solution.paths):
        for edge in path.edges:
            x, y = made.px(board.layout.strokes[edge][0][1])
            assert np.abs(drawn[y, x].astype(int) - PALETTE[flow][::-1]).max() <= 4
    away = np.min([away_from(made, path) for path in solution.paths], axis=0)
    far = (away > 15) & (owner < 0)
    assert np.array_equal(drawn[far], dimmed[far])


def test_pipes_that_are_there_are_not_drawn_again():
    made = scene(LATTICES["square"])
    picture, (path, *rest) = made.picture, made.solution.paths
    for line in lines_of(made.board, path):
        stroke(picture, made.frame.to_px(line), PALETTE[0], 17)
    drawn = made.drawn(Look(drawn=(frozenset(path.edges), *[frozenset()] * len(rest))))
    near = away_from(made, path) < 20
    others = np.min([away_from(made, one) for one in rest], axis=0)
    assert np.array_equal(drawn[near & (others > 14)], picture[near & (others > 14)])
    assert not np.array_equal(drawn, picture)
    assert np.array_equal(made.drawn(Look(pipes=False)), picture)
