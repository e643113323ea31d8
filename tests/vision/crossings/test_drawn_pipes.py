from itertools import pairwise

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Frame, Rgb, Screenshot
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, Point
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.vision.crossings.drawn_pipes import SeenBoard, drawn_edges, flows_through, lab_of_flows
from flowvision.vision.pixels.view import view_of
from tests import seeing
from tests.drawing import COLOURS, FIVE, FIVE_SOLVED, screenshot_of
from tests.tools.synthetic import Style, draw_screenshot


def gates_of(board: Board) -> list[tuple[Point, Point]]:
    """Return the middles of the two cells beside each side, with the middle of that."""
    ends = zip(board.layout.strokes, board.graph.edges, strict=True)
    return [(board.layout.cells[cell].centre, strokes[0][1]) for strokes, pair in ends for cell in pair]


@pytest.mark.parametrize("drawn", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("quality", [None, 40])
def test_a_gate_names_the_flow_drawn_through_it(drawn, quality):
    board = boards.square(6, 6)
    puzzle, solution = random_puzzle(board, 3)
    shot = draw_screenshot(board, puzzle, Style(drawn=drawn, quality=quality), 5, solution)
    view = view_of(shot.screenshot, None, 900)
    seen = flows_through(view, shot.frame, gates_of(board), lab_of_flows(shot.palette))
    used = {edge: flow for flow, path in enumerate(solution.paths) for edge in path.edges}
    for number, flow in enumerate(seen):
        assert flow in (None, used.get(number // 2))
    found = sum(flow is not None for flow in seen)
    total = 2 * len(used)
    assert found == 0 if drawn == 0 else found == total if drawn == 1 else 0 < found < total


@pytest.mark.sweep(4)
@pytest.mark.parametrize("size", [(60, 60), (120, 50), (50, 120)])
@pytest.mark.parametrize("colour", [Rgb(66, 66, 66), Rgb(30, 20, 20), Rgb(230, 40, 40)])
def test_pipes_are_as_wide_in_long_cells(size, colour):
    (wide, high), ground = size, (61, 57, 51)
    bgr = np.full((5 * high, 5 * wide, 3), ground, np.uint8)
    frame = Frame.of_box(0, 0, wide, high)
    places = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (3, 1)]
    points = np.round(frame.to_px([(col + 0.5, row + 0.5) for row, col in places])).astype(np.int32)
    cv2.polylines(bgr, [points], False, colour[::-1], 16, cv2.LINE_AA)
    board = boards.square(5, 5)
    flows, view = lab_of_flows((colour, Rgb(40, 230, 40))), view_of(Screenshot(bgr), None, 900)
    seen = flows_through(view, frame, gates_of(board)[::2], flows)
    way = {frozenset(pair) for pair in pairwise(places)}
    at = board.lattice.places
    for (a, b), flow in zip(board.graph.edges, seen, strict=True):
        assert flow == (0 if frozenset((at[a], at[b])) in way else None)


PALER, DARKER = (1 / 3, 255), (0.25, 0)
"""Share and brightness of what a colour is mixed with."""


def with_pipes(
    flows: str,
    shade: tuple[float, int] = (0, 0),
    left_out: tuple[int, int] | None = None,
    width: int = 20,
    moved: tuple[int, int] = (0, 0),
    short: bool = False,
) -> np.ndarray:
    """The first level with these flows of its solution drawn in this shade, but for those of one cell.

    ``moved``: by so many pixels from the middles of cells. ``short``: cells of dots have no pipe.
    """
    bgr, rows, (share, other) = screenshot_of(FIVE), FIVE_SOLVED.split(), shade
    dots, (x, y) = bgr.copy(), moved
    for r, c in np.ndindex(5, 5):
        for row, col in ((r + 1, c), (r, c + 1)):
            if left_out in ((r, c), (row, col)):
                continue
            if row < 5 and col < 5 and rows[r][c] == rows[row][col] and rows[r][c] in flows:
                ends = [(42 + 60 * x0 + x, 170 + 60 * y0 + y) for y0, x0 in ((r, c), (row, col))]
                colour = [round((1 - share) * one + share * other) for one in COLOURS[rows[r][c]][::-1]]
                cv2.line(bgr, *ends, colour, width, cv2.LINE_AA)
    for r, c in np.argwhere(np.array([list(row) for row in FIVE.split()]) != ".") if short else ():
        bgr[141 + 60 * r : 200 + 60 * r, 13 + 60 * c : 72 + 60 * c] = 0
    is_dot = (dots.max(axis=2) > 120)[..., None]
    return np.where(is_dot, dots, bgr)


def edges_on(geometry, palette, dots):
    return drawn_edges(SeenBoard(geometry.fit.view, geometry.fit.frame, geometry.board, palette, dots))


def edges_seen(picture: np.ndarray):
    geometry = seeing.geometry_of(Screenshot(picture))
    puzzle = parse(FIVE)
    palette = [COLOURS[letter] for letter in puzzle.letters]
    return geometry.board, edges_on(geometry, palette, puzzle.puzzle.terminals)


@pytest.mark.parametrize("shade", [PALER, DARKER])
def test_a_pipe_in_another_shade_is_left_where_it_goes_from_dot_to_dot(shade):
    _, solved = edges_seen(with_pipes("RGYBO", shade))
    _, plain = edges_seen(with_pipes("RGYBO"))
    assert solved == plain
    assert all(solved)
    _, part = edges_seen(with_pipes("RGYBO", shade, left_out=(2, 2)))
    letters = parse(FIVE).letters
    assert [letter for letter, edges in zip(letters, part, strict=True) if not edges] == ["B"]


@pytest.mark.sweep(4)
@pytest.mark.parametrize("flows", ["", "R", "GO", "RGYBO"])
@pytest.mark.parametrize(
    "how", [{"width": 2}, {"width": 6}, {"width": 12, "moved": (6, 6)}, {"width": 2, "short": True}]
)
def test_thin_pipes_are_seen_as_others_are(how, flows):
    assert edges_seen(with_pipes(flows, **how)) == edges_seen(with_pipes(flows))


def test_pipes_may_turn_in_wide_rounds():
    bgr = np.zeros((300, 300, 3), np.uint8)
    frame, board = Frame.of_box(0, 0, 60, 60), boards.square(5, 5)
    red = Rgb(230, 40, 40)
    cv2.ellipse(bgr, (60, 180), (30, 30), 0, 90, 180, red[::-1], 16, cv2.LINE_AA)
    cv2.line(bgr, (30, 30), (30, 180), red[::-1], 16, cv2.LINE_AA)
    cv2.line(bgr, (60, 210), (210, 210), red[::-1], 16, cv2.LINE_AA)
    way = [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (3, 3)]
    number = {place: cell for cell, place in enumerate(board.lattice.places)}
    view = view_of(Screenshot(bgr), None, 900)
    dots = [(number[way[0]], number[way[-1]])]
    (found,) = drawn_edges(SeenBoard(view, frame, board, [red], dots))
    expected = {frozenset((number[a], number[b])) for a, b in pairwise(way)}
    assert {frozenset(board.graph.edges[edge]) for edge in found} == expected


def test_where_no_pipe_leaves_a_dot_nothing_is_drawn():
    geometry = seeing.geometry_of(Screenshot(with_pipes("R")))
    palette = [COLOURS[letter] for letter in parse(FIVE).letters]
    red = [cell for cell, letter in enumerate("".join(FIVE_SOLVED.split())) if letter == "R"]
    others = set(range(25)) - set(red) - {1, 6, 11, 16}
    nowhere = [()] * (len(palette) - 1)
    assert edges_on(geometry, palette, [red, *nowhere])[0]
    elsewhere = [sorted(others - {22, 23, 24}), *nowhere]
    assert not any(edges_on(geometry, palette, elsewhere))


def test_a_glow_behind_an_empty_board_is_no_pipe(monkeypatch):
    bgr = screenshot_of(FIVE)
    wave = np.abs(np.arange(bgr.shape[1]) % 150 - 75)
    glow = np.broadcast_to((0.7 * wave).astype(np.uint8)[:, None], bgr.shape)
    geometry = seeing.geometry_of(Screenshot(cv2.add(bgr, glow)))
    puzzle = parse(FIVE)
    monkeypatch.setattr("flowvision.vision.crossings.drawn_pipes.flows_through", None)
    palette = [COLOURS[letter] for letter in puzzle.letters]
    assert not any(edges_on(geometry, palette, puzzle.puzzle.terminals))


@pytest.mark.parametrize("pipe", [0.2, 0.33, 0.53])
@pytest.mark.parametrize("kind", ["square", "hexagonal"])
def test_pipes_of_any_width_leave_their_dots(kind, pipe):
    board = getattr(boards, kind)(5, 5)
    puzzle, solution = random_puzzle(board, 3)
    for drawn in (0.0, 1.0):
        shot = draw_screenshot(board, puzzle, Style(drawn=drawn, pipe=pipe), 5, solution)
        view = view_of(shot.screenshot, None, 900)
        seen = SeenBoard(view, shot.frame, board, shot.palette, puzzle.terminals)
        found = drawn_edges(seen)
        assert found == tuple(frozenset(path.edges if drawn else ()) for path in solution.paths)
