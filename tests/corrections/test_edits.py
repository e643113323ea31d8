"""What each change does to a draft, and what cannot be."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.corrections.correction import (
    with_board,
    with_colour,
    with_line,
    with_mark,
    with_wall,
    with_warp,
    without_line,
)
from flowvision.corrections.draft import Draft, draft_of
from flowvision.errors import PuzzleInvalidError
from flowvision.image.picture import Rgb
from flowvision.palette import COLOURS
from flowvision.puzzle import boards
from flowvision.puzzle.model import BRIDGE, EMPTY, HOLE
from flowvision.puzzle.text import read_drawn
from tests.corrections.readings import reading_on
from tests.drawing import FIVE, reading_of
from tests.puzzle.shapes import BOARDS

EDGES = ("top", "bottom", "left", "right")
PLAIN = {"square": boards.square(4, 4), "hex": boards.hexagonal(4, 4)}


def five() -> Draft:
    """The draft of a board of five rows and columns."""
    return draft_of(reading_of(FIVE))


@pytest.mark.parametrize("kind", PLAIN)
def test_walls_stand_between_neighbours_alone(kind: str) -> None:
    """Of all pairs of cells those that an edge joins, and no others; taken away again nothing is left."""
    board, draft = PLAIN[kind], draft_of(reading_on(PLAIN[kind]))
    places = board.lattice.places
    joined = {frozenset((places[a], places[b])) for a, b in board.graph.edges}
    for pair in map(frozenset, combinations(places, 2)):
        if pair in joined:
            walled = with_wall(draft, pair, True)
            assert walled.walls == {pair}
            assert with_wall(walled, pair, True) == walled
            assert with_wall(walled, pair, False) == draft
        else:
            with pytest.raises(PuzzleInvalidError, match="no neighbours"):
                with_wall(draft, pair, True)


def test_warps_join_the_ends_of_rows_and_columns_alone() -> None:
    """Of all pairs of cells of five rows and three columns there are eight."""
    draft = draft_of(reading_on(BOARDS["tall"]))
    rows = [frozenset(((r, 0), (r, 2))) for r in range(5)]
    cols = [frozenset(((0, c), (4, c))) for c in range(3)]
    for pair in map(frozenset, combinations(draft.marks, 2)):
        if pair in (*rows, *cols):
            warped = with_warp(draft, pair, True)
            assert warped.warps == {pair}
            assert with_warp(warped, pair, False) == draft
        else:
            with pytest.raises(PuzzleInvalidError, match="two ends"):
                with_warp(draft, pair, True)


@pytest.mark.parametrize("kind", [kind for kind in BOARDS if "hex" not in kind])
@given(edge=st.sampled_from(EDGES), times=st.integers(1, 3))
def test_lines_that_come_may_go(kind: str, edge, times: int) -> None:
    """All is as it was, save warps that ended at the edge: their other ends face nothing any more."""
    draft = draft_of(reading_on(BOARDS[kind]))
    more = draft
    for _ in range(times):
        more = with_line(more, edge)
    across = edge in ("left", "right")
    assert more.size == (draft.size[0] + times * (not across), draft.size[1] + times * across)
    assert list(more.marks.values()).count(EMPTY) == list(draft.marks.values()).count(EMPTY) + times * (
        draft.size[0] if across else draft.size[1]
    )
    for _ in range(times):
        more = without_line(more, edge)
    assert (more.marks, more.walls, more.seen) == (draft.marks, draft.walls, draft.seen)
    assert more.warps == {pair for pair in draft.warps if (len({r for r, _ in pair}) == 1) != across}
    assert more.frame.matrix == pytest.approx(draft.frame.matrix, abs=1e-6)


@pytest.mark.parametrize("edge", EDGES)
def test_a_line_takes_what_is_on_it_along(edge) -> None:
    """Dots, walls and what was seen; the last line stays."""
    draft = five()
    for pair in (((0, 0), (1, 0)), ((4, 4), (3, 4)), ((0, 4), (0, 3)), ((4, 0), (4, 1))):
        draft = with_wall(draft, frozenset(pair), True)
    less = without_line(draft, edge)
    inner = {key for pair in less.walls for key in pair} | set(less.seen) | set(less.marks)
    rows, cols = less.size
    assert inner == {(r, c) for r in range(rows) for c in range(cols)}
    assert len(less.walls) == 2
    while min(less.size) > 1:
        less = without_line(less, edge)
    with pytest.raises(PuzzleInvalidError, match="last row or column"):
        without_line(less, edge)


def test_a_hole_has_neither_walls_nor_warps() -> None:
    """Nor does it get them back when it is a cell again."""
    draft = with_wall(five(), frozenset(((0, 1), (1, 1))), True)
    draft = with_warp(draft, frozenset(((0, 1), (4, 1))), True)
    draft = with_wall(draft, frozenset(((2, 2), (2, 3))), True)
    holed = with_mark(draft, (0, 1), HOLE)
    assert holed.marks[0, 1] == HOLE
    assert (holed.walls, holed.warps) == ({frozenset(((2, 2), (2, 3)))}, set())
    assert with_mark(holed, (0, 1), EMPTY).walls == holed.walls


def test_a_letter_that_the_board_has_not_brings_its_colour() -> None:
    """Small or large; one that names no colour is refused, and so is what is no mark."""
    draft = five()
    for mark in ("C", "c"):
        changed = with_mark(draft, (2, 2), mark)
        assert changed.marks[2, 2] == "C"
        assert changed.colours == {**draft.colours, "C": COLOURS["C"].rgb}
    assert with_mark(draft, (2, 2), "r").colours == draft.colours
    for wrong in ("", "RG", "?", "ß", "Z"):
        with pytest.raises(PuzzleInvalidError, match="neither"):
            with_mark(draft, (2, 2), wrong)
    assert with_mark(draft, (2, 2), BRIDGE).marks[2, 2] == BRIDGE


def test_a_colour_goes_to_a_letter() -> None:
    """That of a flow, seen or not; nothing else has a colour."""
    assert with_colour(five(), "R", Rgb(1, 2, 3)).colours["R"] == Rgb(1, 2, 3)
    assert with_colour(five(), "z", Rgb(1, 2, 3)).colours["z"] == Rgb(1, 2, 3)
    for wrong in (".", "#", "+", "é"):
        with pytest.raises(PuzzleInvalidError, match="no letter"):
            with_colour(five(), wrong, Rgb(1, 2, 3))


@given(top=st.integers(0, 2), bottom=st.integers(0, 2), left=st.integers(0, 2), right=st.integers(0, 2))
def test_a_larger_text_is_laid_where_its_dots_were_seen(top: int, bottom: int, left: int, right: int) -> None:
    """However many rows and columns are new, and wherever: the old ones do not move in the picture."""
    rows = FIVE.split()
    wide = left + 5 + right
    text = ["." * wide] * top + ["." * left + row + "." * right for row in rows] + ["." * wide] * bottom
    draft = five()
    laid = with_board(draft, read_drawn("\n".join(text)))
    assert laid.drawn().grid == tuple(text)
    moved = laid.frame.to_px([(0.5 + left, 0.5 + top), (4.5 + left, 4.5 + top)])
    assert moved == pytest.approx(draft.frame.to_px([(0.5, 0.5), (4.5, 4.5)]), abs=1e-6)


def test_a_text_of_another_kind_is_refused() -> None:
    """Hexagons for squares; dots that say nothing of where they lie."""
    with pytest.raises(PuzzleInvalidError, match="are square"):
        with_board(five(), read_drawn("hex\n" + FIVE))
    with pytest.raises(PuzzleInvalidError, match="do not say which"):
        with_board(five(), read_drawn("......\n" * 5))


def test_no_cell_is_changed_that_is_none() -> None:
    """Beyond the edge or a number, the error says how large the board is; one cell is no pair."""
    for change in (
        lambda: with_mark(five(), (5, 0), EMPTY),
        lambda: with_mark(five(), 3, EMPTY),
        lambda: with_wall(five(), frozenset(((0, 0), (-1, 0))), True),
        lambda: with_warp(five(), frozenset(((0, 0), (0, 5))), True),
    ):
        with pytest.raises(PuzzleInvalidError, match="5 rows and 5 columns"):
            change()
    with pytest.raises(PuzzleInvalidError, match="one cell"):
        with_wall(five(), frozenset(((0, 0),)), True)


def test_a_column_on_the_left_of_hexagons_is_refused() -> None:
    """All others would move by half a cell; on the right, and rows, they come and go."""
    draft = draft_of(reading_on(BOARDS["hex"]))
    for change in (with_line, without_line):
        with pytest.raises(PuzzleInvalidError, match="half a cell"):
            change(draft, "left")
    for edge in ("top", "bottom", "right"):
        back = without_line(with_line(draft, edge), edge)
        assert (back.marks, back.walls) == (draft.marks, draft.walls)
