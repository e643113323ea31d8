import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision import parse_puzzle
from flowvision.image.picture import Bgr
from flowvision.puzzle.model import Solution
from flowvision.puzzle.text import parse
from flowvision.render.curves import LAST_MS, FramePlan, Piece, frames_of, lines_along, pieces_of
from flowvision.render.growth import clip_of
from flowvision.render.look import PlacedBoard
from flowvision.solvers import solve
from tests.boards import MADE
from tests.drawing import FIVE, whole_paths

BOARDS = {"squares": FIVE} | {name: text for name, text in MADE.items() if name != "bridge"}


class Moving(NamedTuple):
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
    for canvas, (shown, _) in zip(pictures, frames, strict=True):
        assert ((canvas == moving.base) | (canvas == moving.final)).all()
        growing = max((piece.flow for piece in shown), default=-1)
        for flow, path in enumerate(moving.solution.paths):
            x, y = moving.placed.middles_px(path.vertices[1:2])[0].round().astype(int)
            if flow > growing >= 0:
                assert np.array_equal(canvas[y, x], moving.base[y, x])
            elif flow < growing:
                assert np.array_equal(canvas[y, x], moving.final[y, x])


def test_a_flow_that_is_not_there_yet_does_not_show_at_a_bridge() -> None:
    moving = moving_of(MADE["bridge"])
    layout, paths = moving.placed.board.layout, moving.solution.paths
    bridge = layout.cell_of[-1]
    strands = {strand for strand, cell in enumerate(layout.cell_of) if cell == bridge}
    crossing = [flow for flow, path in enumerate(paths) if strands & set(path.vertices)]
    assert len(crossing) == 2
    outline = moving.placed.frame.to_px(layout.cells[bridge].outline).round().astype(int)
    (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    for order in (crossing, crossing[::-1]):
        edges = {edge for path in paths for edge in path.edges}
        frames = frames_of(pieces_of(moving.solution, order, edges))
        for canvas, (shown, _) in zip(moving.pictures(frames[:-1]), frames, strict=False):
            if shown and all(piece.flow == order[0] for piece in shown):
                alone = moving.solved_with(order[:1])
                cell = np.s_[top:bottom, left:right]
                assert ((canvas == moving.base) | (canvas == alone))[cell].all()


PARSED = parse(FIVE)
SOLUTION = solve(PARSED.puzzle).solution
EDGES = [edge for path in SOLUTION.paths for edge in path.edges]


def length(pieces: tuple[Piece, ...]) -> float:
    return sum(piece.end - piece.start for piece in pieces)


@given(chosen=st.sets(st.sampled_from(EDGES)), order=st.permutations(range(len(SOLUTION.paths))))
def test_pieces_hold_just_the_chosen_edges(chosen: set[int], order: list[int]) -> None:
    pieces = pieces_of(SOLUTION, order, chosen)
    held = [
        edge
        for piece in pieces
        for edge in SOLUTION.paths[piece.flow].edges[int(piece.start) : int(piece.end)]
    ]
    assert sorted(held) == sorted(chosen)
    assert list(dict.fromkeys(piece.flow for piece in pieces)) == [
        flow for flow in order if chosen & set(SOLUTION.paths[flow].edges)
    ]
    for before, after in itertools.pairwise(pieces):
        assert before.flow != after.flow or before.end < after.start


@given(chosen=st.sets(st.sampled_from(EDGES)))
def test_all_pieces_appear_once_and_in_order(chosen: set[int]) -> None:
    pieces = pieces_of(SOLUTION, range(len(SOLUTION.paths)), chosen)
    frames = frames_of(pieces)
    assert frames[0][0] == ()
    assert len(frames) - 1 <= 60
    grown = [piece for shown, _ in frames for piece in shown]
    assert length(tuple(grown)) == pytest.approx(length(pieces))
    assert frames[-1][1] == LAST_MS
    for shown, _ in frames[1:]:
        assert length(shown) == pytest.approx(length(pieces) / (len(frames) - 1))
    places = [(SOLUTION.paths.index(SOLUTION.paths[piece.flow]), piece.start) for piece in grown]
    assert places == sorted(places)


@pytest.mark.parametrize("text", [FIVE, MADE["warp"], MADE["hexagons"]])
def test_lines_along_a_path_add_up(text: str) -> None:
    parsed = parse(text)
    board = parsed.board
    for flow, path in enumerate(solve(parsed.puzzle).solution.paths):
        count = len(path.edges)
        whole = lines_along(board, path, Piece(flow, 0, count))
        cuts = [0, 0.3, 1, 1.75, count]
        parts = [
            lines_along(board, path, Piece(flow, a, b)) for a, b in itertools.pairwise(cuts) if b <= count
        ]
        assert sum(map(run, whole)) == pytest.approx(sum(run(line) for lines in parts for line in lines))
        for before, after in itertools.pairwise(parts):
            assert before[-1][-1] == pytest.approx(after[0][0])
        crossed = sum(len(board.layout.strokes[edge]) > 1 for edge in path.edges)
        assert len(whole) == 1 + crossed


def run(line: tuple[tuple[float, float], ...]) -> float:
    return sum(((a - c) ** 2 + (b - d) ** 2) ** 0.5 for (a, b), (c, d) in itertools.pairwise(line))
