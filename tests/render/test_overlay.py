from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np
import pytest

from flowvision.colours import HIDDEN, contrast
from flowvision.image.picture import Bgr, Frame, Rgb
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.curves import lines_of
from flowvision.render.look import LETTER, PLAIN, Look, PlacedBoard
from flowvision.render.overlay import draw_solution, pipes_of
from flowvision.render.paint import stroke
from tests.boards import BOARDS, LATTICES
from tests.drawing import LINE
from tests.tools.synthetic import CURRENT

PALETTE = CURRENT.palette
COLOURS = np.array([colour[::-1] for colour in PALETTE])
"""Per flow, blue first."""
PIPE, RIM = 0.333, 0.035
"""Cell widths: of pipes with half a rim on each side, and at most of one rim."""
SOFT_PX = 2
"""Pixels of a soft edge."""
CAPITAL = 0.75 * LETTER
"""Cell widths: height of a capital on a dot."""


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


def random_scene(board, pitch=50, ground=(0, 0, 0), dot=(0.345, 0.345)):
    """A random puzzle on a board; ``dot``: half axes in cells."""
    puzzles = (random_puzzle(board, number) for number in range(2, 52))
    puzzle, solution = next(pair for pair in puzzles if len(pair[1].paths) <= len(PALETTE))
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


def away_from(scene, path):
    """Per pixel, how far the nearest stroke of a path is: by the distance from points to segments."""
    shape = scene.owner.shape
    ys, xs = np.mgrid[: shape[0], : shape[1]].astype(float)
    nearest = np.full(shape, np.inf)
    for edge in path.edges:
        for line in scene.board.layout.strokes[edge]:
            points = scene.frame.to_px(line)
            for (ax, ay), (bx, by) in pairwise(points):
                dx, dy = bx - ax, by - ay
                along = np.clip(((xs - ax) * dx + (ys - ay) * dy) / (dx * dx + dy * dy), 0, 1)
                nearest = np.minimum(nearest, np.hypot(xs - ax - along * dx, ys - ay - along * dy))
    return nearest


GROUNDS = {"black": (0, 0, 0), "white": (255, 255, 255), "violet": (70, 45, 95), "grey": (120, 120, 120)}


@pytest.mark.sweep(at_landing=8)
@pytest.mark.parametrize(
    ("pitch", "dot", "ground"),
    [
        pytest.param(24, (0.345, 0.345), "black", id="small cells"),
        pytest.param(50, (0.27, 0.27), "white", id="small dots"),
        pytest.param(50, (0.36, 0.36), "violet", id="large dots"),
        pytest.param(66, (0.36, 0.26), "grey", id="oval dots"),
    ],
)
@pytest.mark.parametrize("name", LATTICES)
def test_flows_are_drawn_on_their_own_pixels_alone(name, pitch, dot, ground):
    scene = random_scene(LATTICES[name], pitch, GROUNDS[ground], dot)
    given = scene.picture.copy()
    drawn = scene.drawn()
    assert np.array_equal(scene.picture, given)
    away = np.array([away_from(scene, path) for path in scene.solution.paths])
    nearest, layout = away.min(axis=0), scene.board.layout

    on_bridge = np.zeros(scene.owner.shape, np.uint8)
    for cell in layout.bridges:
        cv2.fillPoly(on_bridge, [scene.frame.to_px(layout.cells[cell].outline).round().astype(int)], 1)
    narrowest_cell = 0.86 * pitch  # of a hexagon
    without_rims_px = (PIPE - RIM) * narrowest_cell
    in_pipe = (nearest < without_rims_px / 2 - SOFT_PX) & (on_bridge == 0)
    assert np.array_equal(drawn[in_pipe], COLOURS[away.argmin(axis=0)[in_pipe]])
    in_dot = scene.owner >= 0
    assert np.array_equal(drawn[in_dot], COLOURS[scene.owner[in_dot]])

    beside = (nearest > (PIPE / 2 + 2 * RIM) * pitch + SOFT_PX) & ~in_dot
    assert np.array_equal(drawn[beside], given[beside])

    masks = [(drawn == COLOURS[flow]).all(axis=2) & (far < pitch) for flow, far in enumerate(away)]
    for flow, mask in enumerate(masks):
        around = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        assert not any((around & other).any() for number, other in enumerate(masks) if number != flow)


@pytest.mark.parametrize("dot", [(0.345, 0.345), (0.36, 0.24)])
@pytest.mark.parametrize("name", ["cubes", "rings"])
def test_on_odd_cells_pipes_stay_in_their_cells_and_pass_the_middles_of_sides(name, dot):
    scene = random_scene(BOARDS[name], dot=dot)
    board, solution, frame, owner, drawn = (
        scene.board,
        scene.solution,
        scene.frame,
        scene.owner,
        scene.drawn(),
    )
    for flow, path in enumerate(solution.paths):
        cells = np.zeros(owner.shape, np.uint8)
        for strand in path.vertices:
            cv2.fillPoly(cells, [frame.to_px(board.layout.cells[strand].outline).round().astype(int)], 1)
        is_pipe = (drawn == COLOURS[flow]).all(axis=2)
        beyond = cv2.dilate(cells, np.ones((5, 5), np.uint8)) == 0
        assert not (is_pipe & beyond).any()
        for edge in path.edges:
            x, y = scene.px(board.layout.strokes[edge][0][1])
            assert is_pipe[y, x]
    assert np.array_equal(drawn[owner >= 0], COLOURS[owner[owner >= 0]])


def is_hidden_on(ground: tuple[int, int, int], scene: Scene) -> bool:
    return any(contrast(colour, Rgb(*ground)) < HIDDEN for colour in scene.palette)


@pytest.mark.parametrize("ground", GROUNDS.values(), ids=list(GROUNDS))
def test_new_pipes_have_rims_where_one_is_hidden(ground):
    scene = random_scene(LATTICES["square"], pitch=60, ground=ground)
    is_hidden, placed = is_hidden_on(ground, scene), PlacedBoard(scene.board, scene.frame)
    all_there = Look(drawn=tuple(frozenset(path.edges) for path in scene.solution.paths))
    for look, are_rimmed in ((PLAIN, is_hidden), (all_there, False)):
        pipes = pipes_of(scene.picture, placed, scene.solution, scene.palette, look)
        assert [bool(pipe.strokes[:-1]) for pipe in pipes] == [are_rimmed] * len(pipes)


def test_the_upper_pipe_of_a_bridge_is_one_piece():
    scene = random_scene(LATTICES["bridge"], pitch=60)
    drawn, layout = scene.drawn(), scene.board.layout
    x, y = scene.px(layout.cells[layout.cell_of[-1]].centre)
    half = 28  # nearly that of a cell
    level, upright = drawn[y, x - half : x + half + 1], drawn[y - half : y + half + 1, x]
    assert len({tuple(pixel) for pixel in level.tolist()}) == 1
    assert not np.array_equal(level[0], upright[0])
    is_gap = (upright == 0).all(axis=1)  # the lower pipe ends before the upper one
    above, within, below = (
        is_gap[half - 12 : half - 8],
        is_gap[half - 4 : half + 5],
        is_gap[half + 9 : half + 13],
    )
    assert above.any()
    assert below.any()
    assert not within.any()


def test_only_the_chosen_edges_are_drawn():
    scene = random_scene(LATTICES["square"])
    longest = max(scene.solution.paths, key=lambda path: len(path.edges))
    chosen = frozenset(longest.edges[1:3])
    changed = (scene.drawn(Look(edges=chosen)) != scene.picture).any(axis=2)
    for edge, ((_, middle, _),) in enumerate(scene.board.layout.strokes):
        x, y = scene.px(middle)
        assert changed[y, x] == (edge in chosen)
    assert not changed[scene.owner >= 0].any()


@pytest.mark.parametrize("radius", [0.07, 0.1, 0.2])
def test_pipes_reach_small_dots(radius):
    scene = random_scene(LATTICES["square"], pitch=60, dot=(radius, radius))
    drawn = scene.drawn()
    for flow, path in enumerate(scene.solution.paths):
        for line in lines_of(scene.board, path):
            for start, end in pairwise(scene.frame.to_px(line)):
                x, y = np.linspace(start, end, 60).round().astype(int).T
                assert (drawn[y, x] == PALETTE[flow][::-1]).all()


def test_a_mark_in_the_middle_of_a_dot_stays():
    scene = random_scene(LATTICES["square"])
    middles = [scene.px(scene.board.layout.cells[dot].centre) for dot in scene.puzzle.dots]
    for x, y in middles:
        scene.picture[y - 6 : y + 7, x - 2 : x + 3] = 255, 255, 250
    drawn = scene.drawn()
    for x, y in middles:
        around = np.s_[y - 8 : y + 9, x - 8 : x + 9]
        assert np.array_equal(drawn[around], scene.picture[around])


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize(("mark", "is_on_dots"), [("letters", True), ("arrows", False)])
def test_marks_lie_on_the_pipes_of_their_flows(name, mark, is_on_dots):
    pitch = 60
    scene = random_scene(BOARDS[name], pitch, dot=(0.29, 0.29))
    paths = scene.solution.paths
    flow = max(range(len(paths)), key=lambda number: len(paths[number].edges))
    plain, marked = (scene.drawn(Look(frozenset({flow}), **how)) for how in ({}, {mark: True}))
    changed = (plain != marked).any(axis=2)
    on_flow = (plain == COLOURS[flow]).all(axis=2)
    near_flow = cv2.dilate(on_flow.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    assert not (changed & ~near_flow).any()
    assert changed[scene.owner != flow].any()
    x, y = scene.px(scene.board.layout.cells[scene.board.layout.cell_of[paths[flow].vertices[0]]].centre)
    changed[scene.owner != flow] = False
    letter_rows = changed[y - pitch // 2 : y + pitch // 2, x - pitch // 2 : x + pitch // 2].any(axis=1)
    letter_height = np.count_nonzero(letter_rows) / pitch
    assert letter_height == pytest.approx(CAPITAL if is_on_dots else 0, abs=0.05)


@pytest.mark.parametrize("dim", [0.6, 0.85])
def test_a_dimmed_board_gets_pipes_and_dots_in_full_colour(dim):
    scene = random_scene(LATTICES["square"])
    solution, owner = scene.solution, scene.owner
    dimmed = np.round(scene.picture * dim).astype(np.uint8)
    palette = [Rgb(*(round(channel * dim) for channel in colour)) for colour in scene.palette]
    drawn = draw_solution(dimmed, scene.board, solution, scene.frame, palette)
    in_dots = cv2.erode((owner >= 0).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    assert np.abs(drawn[in_dots].astype(int) - COLOURS[owner[in_dots]]).max() <= 4
    for flow, path in enumerate(solution.paths):
        for edge in path.edges:
            x, y = scene.px(scene.board.layout.strokes[edge][0][1])
            assert np.abs(drawn[y, x].astype(int) - COLOURS[flow]).max() <= 4
    away = np.min([away_from(scene, path) for path in solution.paths], axis=0)
    beside = (away > 15) & (owner < 0)
    assert np.array_equal(drawn[beside], dimmed[beside])


def test_pipes_that_are_there_are_not_drawn_again():
    scene = random_scene(LATTICES["square"])
    picture, (there, *others) = scene.picture, scene.solution.paths
    for line in lines_of(scene.board, there):
        stroke(picture, scene.frame.to_px(line), PALETTE[0], thickness=17)
    drawn = scene.drawn(Look(drawn=(frozenset(there.edges), *[frozenset()] * len(others))))
    away_from_others = np.min([away_from(scene, path) for path in others], axis=0)
    on_pipe = (away_from(scene, there) < 20) & (away_from_others > 14)
    assert np.array_equal(drawn[on_pipe], picture[on_pipe])
    assert not np.array_equal(drawn, picture)


def test_pipes_are_left_out_on_request():
    scene = random_scene(LATTICES["square"])
    assert np.array_equal(scene.drawn(Look(pipes=False)), scene.picture)
