"""Pieces of paths, and the frames in which they appear."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.puzzle.text import parse
from flowvision.render.timeline import FRAME_MS, LAST_MS, MOST_FRAMES, Piece, Timeline, lines_along, pieces_of
from flowvision.solvers import solve
from tests.drawing import FIVE, whole_paths
from tests.made_boards import MADE

PARSED = parse(FIVE)
SOLUTION = solve(PARSED.puzzle).solution
EDGES = [edge for path in SOLUTION.paths for edge in path.edges]


def length(pieces: tuple[Piece, ...]) -> float:
    """Of all pieces, in edges."""
    return sum(piece.end - piece.start for piece in pieces)


@given(chosen=st.sets(st.sampled_from(EDGES)), order=st.permutations(range(len(SOLUTION.paths))))
def test_pieces_hold_just_the_edges_that_were_asked_for(chosen: set[int], order: list[int]) -> None:
    """Each once, flow by flow in the order given, and no two pieces of a path touch."""
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


@given(chosen=st.sets(st.sampled_from(EDGES)), most=st.integers(1, 90))
def test_all_pieces_appear_once_and_in_order(chosen: set[int], most: int) -> None:
    """Frames show all of the pieces, none twice, at one pace; nothing grows in the first frame."""
    pieces = pieces_of(SOLUTION, range(len(SOLUTION.paths)), chosen)
    timeline = Timeline(pieces, most)
    frames = timeline.frames()
    assert frames[0].grown == ()
    assert len(frames) - 1 == timeline.count <= most
    grown = [piece for frame in frames for piece in frame.grown]
    assert length(tuple(grown)) == pytest.approx(length(pieces))
    assert frames[-1].milliseconds == LAST_MS
    for frame in frames[1:]:
        assert length(frame.grown) == pytest.approx(length(pieces) / timeline.count)
    places = [(SOLUTION.paths.index(SOLUTION.paths[piece.flow]), piece.start) for piece in grown]
    assert places == sorted(places)


def test_a_large_board_takes_no_longer_than_three_seconds() -> None:
    """While its paths grow; a small one has a tenth of a second an edge."""
    large = Timeline(tuple(Piece(flow, 0, 40) for flow in range(9)))
    assert large.count * FRAME_MS == MOST_FRAMES * FRAME_MS == 3000
    small = Timeline((Piece(0, 0, 4),))
    assert small.count == 8
    assert small.turns()[0].end - small.turns()[0].start == pytest.approx(0.4)


def test_turns_follow_one_another() -> None:
    """For whoever draws continuously, each piece begins where the one before ends."""
    turns = Timeline(whole_paths(SOLUTION)).turns()
    assert [turn.piece for turn in turns] == list(whole_paths(SOLUTION))
    for before, after in itertools.pairwise(turns):
        assert before.end == after.start > before.start


@pytest.mark.parametrize("text", [FIVE, MADE["warp"], MADE["hexagons"]])
def test_lines_along_a_path_add_up(text: str) -> None:
    """Pieces of a path laid end to end are as long as the whole, and meet; a warp begins another line."""
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
    """The length of a line."""
    return sum(((a - c) ** 2 + (b - d) ** 2) ** 0.5 for (a, b), (c, d) in itertools.pairwise(line))
