import itertools
from collections.abc import Callable, Iterator, Sequence
from math import dist
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision import parse_puzzle
from flowvision.image.picture import Bgr
from flowvision.puzzle.model import Solution
from flowvision.puzzle.text import parse
from flowvision.render.clip import clip_of
from flowvision.render.curves import LAST_MS, FramePlan, Piece, frames_of, lines_along, pieces_of
from flowvision.render.look import PlacedBoard
from flowvision.solvers import solve
from tests.boards import SPECIAL_BOARDS
from tests.drawing import LEVEL_5X5, whole_paths

BOARDS = {"squares": LEVEL_5X5} | {name: text for name, text in SPECIAL_BOARDS.items() if name != "bridge"}


class Moving(NamedTuple):
    """A board and its answer; ``solved_with``: the answer with these flows alone."""

    base: Bgr
    final: Bgr
    placed: PlacedBoard
    solution: Solution
    solved_with: Callable[[Sequence[int]], Bgr]

    def pictures(self, frames: Sequence[FramePlan]) -> Iterator[Bgr]:
        clip = clip_of(self.base, self.final, self.placed, self.solution, frames, self.solved_with)
        return (canvas.copy() for canvas, _ in clip.pictures())


def moving_of(text: str) -> Moving:
    answer = parse_puzzle(text).solve()._pictured
    placed = PlacedBoard(answer._named.board, answer.reading.frame)
    drawn_with = lambda flows: answer.draw(flows=frozenset(flows))  # noqa: E731
    return Moving(answer.shot.bgr, answer.picture, placed, answer.outcome.solution, drawn_with)


@pytest.mark.parametrize("name", BOARDS)
def test_paths_grow_one_after_the_other_up_to_the_answer(name: str) -> None:
    moving = moving_of(BOARDS[name])
    frames = frames_of(whole_paths(moving.solution))
    pictures = list(moving.pictures(frames))
    assert np.array_equal(pictures[0], moving.base)
    assert np.array_equal(pictures[-1], moving.final)
    for canvas, (pieces, _) in zip(pictures, frames, strict=True):
        assert ((canvas == moving.base) | (canvas == moving.final)).all()
        if not pieces:
            continue
        growing = max(piece.flow for piece in pieces)
        for flow, path in enumerate(moving.solution.paths):
            x, y = moving.placed.middles_px(path.vertices[1:2])[0].round().astype(int)
            if flow != growing:
                expected = moving.final if flow < growing else moving.base
                assert np.array_equal(canvas[y, x], expected[y, x])


@pytest.mark.parametrize("is_reversed", [False, True])
def test_a_flow_that_is_not_there_yet_does_not_show_at_a_bridge(is_reversed: bool) -> None:
    moving = moving_of(SPECIAL_BOARDS["bridge"])
    layout, paths = moving.placed.board.layout, moving.solution.paths
    bridge = layout.cell_of[-1]  # its second strand is the last of the board
    strands = {strand for strand, cell in enumerate(layout.cell_of) if cell == bridge}
    first, second = sorted(
        (flow for flow, path in enumerate(paths) if strands & set(path.vertices)), reverse=is_reversed
    )
    outline = moving.placed.frame.to_px(layout.cells[bridge].outline).round().astype(int)
    (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    cell, first_alone = np.s_[top:bottom, left:right], moving.solved_with([first])
    frames = frames_of(pieces_of(moving.solution, [first, second], moving.solution.edges))
    for canvas, (pieces, _) in zip(moving.pictures(frames), frames, strict=True):
        if pieces and all(piece.flow == first for piece in pieces):
            assert ((canvas == moving.base) | (canvas == first_alone))[cell].all()


PARSED = parse(LEVEL_5X5)
SOLUTION = solve(PARSED.puzzle).solution
EDGES = [edge for path in SOLUTION.paths for edge in path.edges]


def length(pieces: tuple[Piece, ...]) -> float:
    return sum(piece.end - piece.start for piece in pieces)


@given(chosen=st.sets(st.sampled_from(EDGES)), order=st.permutations(range(len(SOLUTION.paths))))
def test_pieces_hold_just_the_chosen_edges(chosen: set[int], order: list[int]) -> None:
    pieces = pieces_of(SOLUTION, order, chosen)
    edges = [
        edge
        for piece in pieces
        for edge in SOLUTION.paths[piece.flow].edges[int(piece.start) : int(piece.end)]
    ]
    assert sorted(edges) == sorted(chosen)
    flows = [flow for flow in order if chosen & set(SOLUTION.paths[flow].edges)]
    assert list(dict.fromkeys(piece.flow for piece in pieces)) == flows
    for before, after in itertools.pairwise(pieces):
        assert before.flow != after.flow or before.end < after.start


@given(chosen=st.sets(st.sampled_from(EDGES), min_size=1))
def test_frames_add_all_pieces_in_order_and_each_the_same_length(chosen: set[int]) -> None:
    pieces = pieces_of(SOLUTION, range(len(SOLUTION.paths)), chosen)
    (nothing, _), *growing = frames_of(pieces)
    assert nothing == ()
    places = [(piece.flow, piece.start) for shown, _ in growing for piece in shown]
    assert places == sorted(places)
    assert len(growing) <= 60
    assert growing[-1][1] == LAST_MS
    for shown, _ in growing:
        assert length(shown) == pytest.approx(length(pieces) / len(growing))


@pytest.mark.parametrize("text", [LEVEL_5X5, SPECIAL_BOARDS["warp"], SPECIAL_BOARDS["hexagons"]])
def test_lines_along_a_path_add_up(text: str) -> None:
    named = parse(text)
    for flow, path in enumerate(solve(named.puzzle).solution.paths):
        whole = lines_along(named.board, path, Piece(flow, 0, len(path.edges)))
        cuts = [0, 0.3, 1, 1.75, len(path.edges)]
        parts = [
            lines_along(named.board, path, Piece(flow, start, end))
            for start, end in itertools.pairwise(cuts)
            if end <= len(path.edges)
        ]
        lengths = [length_of_line(line) for lines in parts for line in lines]
        assert sum(lengths) == pytest.approx(sum(map(length_of_line, whole)))
        for before, after in itertools.pairwise(parts):
            assert before[-1][-1] == pytest.approx(after[0][0])
        warps_crossed = sum(len(named.board.layout.strokes[edge]) > 1 for edge in path.edges)
        assert len(whole) == 1 + warps_crossed


def length_of_line(line: tuple[tuple[float, float], ...]) -> float:
    return sum(itertools.starmap(dist, itertools.pairwise(line)))
