from collections.abc import Iterable
from itertools import pairwise

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Frame, Rgb, Screenshot
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, Place, Point
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.vision.crossings.drawn_pipes import (
    SeenBoard,
    cuts_of,
    drawn_edges,
    flows_through,
    lab_of_flows,
)
from flowvision.vision.pixels.view import view_of
from tests import seeing
from tests.boards import LEVEL_5X5_DOTS
from tests.drawing import COLOURS, LEVEL_5X5, LEVEL_5X5_SOLVED, PITCH, cell_middle, screenshot_of
from tests.seeing import sides_between
from tests.tools.synthetic import Style, draw_screenshot


def gates_of(board: Board) -> list[tuple[Point, Point]]:
    """Return the middles of the two cells beside each side, with the middle of that."""
    ends = zip(board.layout.strokes, board.graph.edges, strict=True)
    return [(board.layout.cells[cell].centre, strokes[0][1]) for strokes, pair in ends for cell in pair]


@pytest.mark.parametrize("quality", [None, 40])
@pytest.mark.parametrize("drawn", [0.0, 0.5, 1.0])
def test_a_gate_names_the_flow_drawn_through_it(drawn, quality):
    board = boards.square(6, 6)
    puzzle, solution = random_puzzle(board, seed=3)
    shot = draw_screenshot(board, puzzle, Style(drawn=drawn, quality=quality), seed=5, solution=solution)
    view = view_of(shot.screenshot, box=None, view_px=900)
    named = flows_through(cuts_of(view, shot.frame, gates_of(board)), lab_of_flows(shot.palette))
    flow_of_edge = {edge: flow for flow, path in enumerate(solution.paths) for edge in path.edges}
    assert all(flow == flow_of_edge[gate // 2] for gate, flow in named.items())  # two gates an edge
    if drawn == 0.5:
        assert 0 < len(named) < 2 * len(flow_of_edge)
    else:
        assert len(named) == (2 * len(flow_of_edge) if drawn else 0)


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("size", [(60, 60), (120, 50), (50, 120)])
@pytest.mark.parametrize("colour", [Rgb(66, 66, 66), Rgb(30, 20, 20), Rgb(230, 40, 40)])
def test_pipes_are_seen_in_cells_of_any_shape(size, colour):
    (wide, high), ground, board = size, (61, 57, 51), boards.square(5, 5)
    bgr = np.full((5 * high, 5 * wide, 3), ground, np.uint8)
    frame = Frame.of_box(0, 0, wide, high)
    path = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (3, 1)]
    points = np.round(frame.to_px([(col + 0.5, row + 0.5) for row, col in path])).astype(np.int32)
    cv2.polylines(bgr, [points], False, colour[::-1], 16, cv2.LINE_AA)
    flows, view = lab_of_flows((colour, Rgb(40, 230, 40))), view_of(Screenshot(bgr), box=None, view_px=900)
    flow_of_edge = flows_through(cuts_of(view, frame, gates_of(board)[::2]), flows)
    assert places_joined(board, flow_of_edge) == steps_of(path)
    assert set(flow_of_edge.values()) == {0}


def steps_of(path: list[Place]) -> set[frozenset[Place]]:
    return {frozenset(step) for step in pairwise(path)}


def places_joined(board: Board, edges: Iterable[int]) -> set[frozenset[Place]]:
    """Return the rows and columns of the two cells of each edge."""
    return {frozenset(board.lattice.places[cell] for cell in board.graph.edges[edge]) for edge in edges}


PALER, DARKER = (1 / 3, 255), (0.25, 0)
"""Share and brightness of what a colour is mixed with."""


def with_pipes(
    flows: str,
    shade: tuple[float, int] = (0, 0),
    left_out: Place | None = None,
    width: int = 20,
    moved: tuple[int, int] = (0, 0),
    short: bool = False,
) -> np.ndarray:
    """The first level with these flows of its solution drawn in this shade, but for those of one cell.

    ``moved``: pixels from the middles of cells. ``short``: cells of dots have no pipe.
    """
    bgr, letters, (share, other) = screenshot_of(LEVEL_5X5), LEVEL_5X5_SOLVED.split(), shade
    dots = bgr.copy()
    for (r, c), (row, col) in sides_between(5, 5):
        letter = letters[r][c]
        if letter not in flows or letters[row][col] != letter or left_out in ((r, c), (row, col)):
            continue
        ends = [np.add(cell_middle(*place), moved).tolist() for place in ((r, c), (row, col))]
        colour = [round((1 - share) * part + share * other) for part in COLOURS[letter][::-1]]
        cv2.line(bgr, *ends, colour, width, cv2.LINE_AA)
    for cell in LEVEL_5X5_DOTS if short else ():
        x, y = cell_middle(*divmod(cell, 5))
        bgr[y - 29 : y + 30, x - 29 : x + 30] = 0  # all of the cell between its lines
    is_dot = (dots.max(axis=2) > 120)[..., None]  # lines are darker
    return np.where(is_dot, dots, bgr)


def edges_on(geometry, palette, dots):
    """Return, flow by flow, the edges with a pipe."""
    return drawn_edges(SeenBoard(geometry.fit.view, geometry.fit.frame, geometry.board, palette, dots))


GIVEN = parse(LEVEL_5X5)
PALETTE = [COLOURS[letter] for letter in GIVEN.letters]


def edges_seen(picture: np.ndarray) -> dict[str, frozenset[int]]:
    """Return the edges with a pipe on a picture of the first level, by the letters of flows."""
    geometry = seeing.geometry_of(Screenshot(picture))
    edges = edges_on(geometry, PALETTE, GIVEN.puzzle.terminals)
    return dict(zip(GIVEN.letters, edges, strict=True))


@pytest.mark.parametrize("shade", [PALER, DARKER])
def test_a_pipe_in_another_shade_counts_where_it_goes_from_dot_to_dot(shade):
    solved = edges_seen(with_pipes("RGYBO"))
    assert all(solved.values())
    assert edges_seen(with_pipes("RGYBO", shade)) == solved
    with_a_gap_in_blue = edges_seen(with_pipes("RGYBO", shade, left_out=(2, 2)))
    assert [letter for letter, edges in with_a_gap_in_blue.items() if not edges] == ["B"]


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("flows", ["", "R", "GO", "RGYBO"])
@pytest.mark.parametrize(
    "how", [{"width": 2}, {"width": 6}, {"width": 12, "moved": (6, 6)}, {"width": 2, "short": True}]
)
def test_thin_pipes_are_seen_as_others_are(how, flows):
    assert edges_seen(with_pipes(flows, **how)) == edges_seen(with_pipes(flows))


def test_pipes_may_turn_in_wide_rounds():
    board, red, half = boards.square(5, 5), Rgb(230, 40, 40), PITCH // 2
    path = [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (3, 3)]
    begin, end = (half, half), (3 * PITCH + half, 3 * PITCH + half)
    upper_right_corner_of_turn = (PITCH, 3 * PITCH)
    bgr = np.zeros((5 * PITCH, 5 * PITCH, 3), np.uint8)
    cv2.line(bgr, begin, (half, 3 * PITCH), red[::-1], 16, cv2.LINE_AA)
    cv2.ellipse(bgr, upper_right_corner_of_turn, (half, half), 0, 90, 180, red[::-1], 16, cv2.LINE_AA)
    cv2.line(bgr, (PITCH, 3 * PITCH + half), end, red[::-1], 16, cv2.LINE_AA)
    dots = [(board.lattice.places.index(path[0]), board.lattice.places.index(path[-1]))]
    view, frame = view_of(Screenshot(bgr), box=None, view_px=900), Frame.of_box(0, 0, PITCH, PITCH)
    (edges,) = drawn_edges(SeenBoard(view, frame, board, [red], dots))
    assert places_joined(board, edges) == steps_of(path)


def test_a_pipe_counts_only_where_it_leaves_a_dot():
    geometry = seeing.geometry_of(Screenshot(with_pipes("R")))
    letters, others = "".join(LEVEL_5X5_SOLVED.split()), [()] * (len(PALETTE) - 1)
    on_the_pipe = [cell for cell, letter in enumerate(letters) if letter == "R"]
    assert edges_on(geometry, PALETTE, [on_the_pipe, *others])[0]
    # It fills the first column, and ends in the second cell of the last row.
    far_from_it = [5 * row + col for row in range(4) for col in (2, 3, 4)]
    assert not any(edges_on(geometry, PALETTE, [far_from_it, *others]))


def test_a_glow_behind_an_empty_board_is_no_pipe(monkeypatch):
    bgr = screenshot_of(LEVEL_5X5)
    wave = np.abs(np.arange(bgr.shape[1]) % 150 - 75)
    glow = np.broadcast_to((0.7 * wave).astype(np.uint8)[:, None], bgr.shape)
    monkeypatch.setattr("flowvision.vision.crossings.drawn_pipes.flows_through", None)  # it is not needed
    assert not any(edges_seen(cv2.add(bgr, glow)).values())


@pytest.mark.parametrize("drawn", [0.0, 1.0])
@pytest.mark.parametrize("pipe", [0.2, 0.33, 0.53])
@pytest.mark.parametrize("tile", [boards.square, boards.hexagonal])
def test_pipes_of_any_width_leave_their_dots(tile, pipe, drawn):
    board = tile(5, 5)
    puzzle, solution = random_puzzle(board, seed=3)
    shot = draw_screenshot(board, puzzle, Style(drawn=drawn, pipe=pipe), seed=5, solution=solution)
    view = view_of(shot.screenshot, box=None, view_px=900)
    edges = drawn_edges(SeenBoard(view, shot.frame, board, shot.palette, puzzle.terminals))
    assert edges == tuple(frozenset(path.edges if drawn else ()) for path in solution.paths)
