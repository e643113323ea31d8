"""Readings with corrections: the board that was meant comes out of the one that was read."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.corrections.correction import (
    AddLine,
    Correction,
    RemoveLine,
    SetBoard,
    SetCell,
    SetColour,
    SetWall,
    SetWarp,
    changed,
    corrected,
)
from flowvision.corrections.draft import Draft, draft_of
from flowvision.errors import PuzzleInvalidError
from flowvision.image.picture import Frame, Rgb
from flowvision.palette import COLOURS as PALETTE
from flowvision.palette import letters_for
from flowvision.puzzle import boards
from flowvision.puzzle.model import BRIDGE, EMPTY, HOLE, Puzzle
from flowvision.puzzle.text import TWO_DOTS, draw, format_puzzle, parse, read_drawn
from flowvision.vision.assembly import Reading
from tests.corrections.readings import reading_on, with_mark, with_wall, with_warp
from tests.drawing import COLOURS, FIVE, reading_of
from tests.made_boards import MADE
from tests.puzzle.shapes import BOARDS

MISSED = FIVE.replace("..B.O", "..B..")
"""One dot was not seen."""
MOVED = FIVE.replace("..B.O", "..BO.")
"""One dot was seen a cell off."""
WARPED = MADE["warp"].replace("A", "R")


def text_of(reading: Reading) -> str:
    """The board in the letters of its colours."""
    return format_puzzle(reading.board, reading.puzzle, letters_for(reading.palette))


def middles_px(reading: Reading) -> np.ndarray:
    """(cells, 2): where the cells are."""
    return reading.frame.to_px(reading.board.layout.centres)


@pytest.mark.parametrize(
    ("seen", "changes", "meant"),
    [
        (MOVED, [SetCell((1, 3), "."), SetCell((1, 4), "O")], FIVE),
        (FIVE, [SetCell((0, 0), "."), SetCell((4, 1), ".")], FIVE.replace("R", ".")),
        (FIVE, [SetWall((0, 0), (0, 1))], FIVE + "wall 1,1/1,2\n"),
        (FIVE + "wall 1,1/1,2\n", [SetWall((0, 1), (0, 0), closed=False)], FIVE),
        (FIVE, [SetCell((2, 2), "#")], FIVE.replace(".....", "..#..")),
        (FIVE, [SetCell((2, 2), "+")], FIVE.replace(".....", "..+..")),
        (FIVE.replace(".....", "..#.."), [SetCell((2, 2), ".")], FIVE),
        (FIVE, [SetWarp((0, 1), (4, 1)), SetWarp((2, 4), (2, 0))], FIVE + "warp 1,2/5,2\nwarp 3,1/3,5\n"),
        (WARPED, [SetWarp((0, 4), (0, 0), joined=False)], "\n".join(WARPED.splitlines()[:4]) + "\n"),
        (FIVE, [AddLine("top"), AddLine("right")], "......\n" + FIVE.replace("\n", ".\n")),
        (FIVE, [AddLine("left"), RemoveLine("left"), AddLine("bottom"), RemoveLine("bottom")], FIVE),
        (FIVE, [SetBoard(read_drawn(MOVED))], MOVED),
        (FIVE, [SetCell((2, 0), "P"), SetCell((2, 4), "p")], FIVE.replace(".....", "P...P")),
        (FIVE + "wall 3,2/3,3\n", [SetCell((2, 2), "#")], FIVE.replace(".....", "..#..")),
    ],
)
def test_the_board_that_was_meant(seen: str, changes: list[Correction], meant: str) -> None:
    """To the letter; and it lies where it was read: every cell that was there has not moved."""
    reading = reading_of(seen)
    made = corrected(reading, changes)
    # Letters are given anew, after the colours; the grid is compared by which dots belong together.
    wanted = parse(meant)
    assert format_puzzle(made.board, made.puzzle) == format_puzzle(wanted.board, wanted.puzzle)
    assert made.corrected
    before, after = middles_px(reading), middles_px(made)
    common = [np.abs(before - place).max(axis=1).min() for place in after]
    assert np.sum(np.array(common) < 1e-6) >= min(len(before), len(after)) - 1


def test_colours_are_kept_and_new_ones_are_those_of_their_letters() -> None:
    """A flow that was seen keeps its colour, whatever is moved; one may be given another."""
    reading = replace(reading_of(MOVED), palette=(Rgb(250, 3, 3), *reading_of(MOVED).palette[1:]))
    changes = [SetCell((1, 3), "."), SetCell((1, 4), "O"), SetCell((2, 0), "C"), SetCell((2, 4), "C")]
    made = corrected(reading, changes)
    by_letter = dict(zip(made.letters, made.palette, strict=True))
    assert by_letter["R"] == Rgb(250, 3, 3)
    assert by_letter["O"] == COLOURS["O"]
    assert by_letter["C"] == COLOURS["C"]
    assert Rgb(1, 2, 3) in corrected(reading, [SetColour("R", Rgb(1, 2, 3))]).palette


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([SetCell((5, 0), "R")], "no cell 6,1: the board has 5 rows and 5 columns"),
        ([SetCell(7, "R")], "no cell 8"),
        ([SetCell((0, 1), "Q")], "neither"),
        ([SetCell((0, 1), "")], "neither"),
        ([SetCell((0, 1), "RR")], "neither"),
        ([SetCell((0, 1), "R")], "R appears 3 times"),
        ([SetCell((0, 0), ".")], "R appears once"),
        ([SetCell((r, c), ".") for r in range(5) for c in range(5)], "no dots"),
        ([SetWall((0, 0), (1, 1))], "no neighbours"),
        ([SetWall((0, 0), (0, 0))], "one cell"),
        ([SetWall((0, 0), (9, 0))], "no cell 10,1"),
        ([SetWarp((0, 0), (1, 0))], "two ends of a row or column"),
        ([SetColour("?", Rgb(0, 0, 0))], "no letter"),
        ([SetBoard(read_drawn("hex\nR.\n.R\n"))], "cells that were read are square"),
        ([SetBoard(read_drawn("P.P\n"))], "do not say which"),
        ([RemoveLine("top")] * 5, "last row"),
    ],
)
def test_what_cannot_be_is_said_in_words(changes: list[Correction], said: str) -> None:
    """Never a wrong board, never another kind of error."""
    with pytest.raises(PuzzleInvalidError) as raised:
        corrected(reading_of(FIVE), changes)
    assert said in raised.value.command_words.message
    assert raised.value.command_words.hint


def test_a_text_with_more_rows_is_laid_by_its_dots() -> None:
    """A row that the reader lost comes back above or below, wherever the dots say; the rest does not move."""
    rows = FIVE.split()
    whole = parse(FIVE)
    for lost in ("top", "bottom"):
        kept = rows[1:] if lost == "top" else rows[:-1]
        seen = "\n".join(kept)
        letters = [letter for letter in "RGYBO" if seen.count(letter) == 2]
        seen = "".join(char if char in [*letters, ".", "\n"] else "." for char in seen)
        reading = reading_of(seen + "\n")
        made = corrected(reading, [SetBoard(read_drawn(FIVE))])
        assert format_puzzle(made.board, made.puzzle) == format_puzzle(whole.board, whole.puzzle)
        down = 1 if lost == "top" else 0
        assert np.allclose(made.frame.to_px([(0.5, 0.5 + down)]), reading.frame.to_px([(0.5, 0.5)]))


def test_hexagons_keep_their_places() -> None:
    """Rows at both ends and columns on the right may come and go; on the left all would turn."""
    parsed = parse(MADE["hexagons"].replace("A", "R").replace("D", "Y"))
    frame = Frame.of_box(20, 30, 80, 80)
    ends = tuple(
        tuple(tuple(frame.to_px([parsed.board.layout.cells[dot].centre])[0]) for dot in pair)
        for pair in parsed.puzzle.terminals
    )
    palette = tuple(COLOURS[letter] for letter in parsed.letters)
    reading = Reading(parsed.board, parsed.puzzle, frame, palette, 0.9, ends)
    made = corrected(reading, [AddLine("top"), AddLine("right"), SetWall((1, 0), (1, 1))])
    assert made.board.lattice.rows == made.board.lattice.cols == 5
    before, after = middles_px(reading), middles_px(made)
    assert all(np.abs(after - place).max(axis=1).min() < 1e-6 for place in before)
    assert draw(made.board, made.puzzle).walls == (((1, 0), (1, 1)),)
    for change in (AddLine("left"), RemoveLine("left"), SetCell((0, 0), "+"), SetWarp((0, 0), (0, 3))):
        with pytest.raises(PuzzleInvalidError):
            corrected(reading, [change])
    with pytest.raises(PuzzleInvalidError, match="no neighbours"):
        corrected(reading, [SetWall((0, 0), (2, 1))])


def test_cells_of_any_shape_go_by_their_numbers() -> None:
    """Dots, walls and holes; what needs rows and columns is refused in words."""
    plain = boards.square(2, 3)
    free = boards.build(plain.layout.cells, boards.shared_sides(plain.layout.cells))
    ends = (((50.0, 50.0), (250.0, 50.0)),)
    reading = Reading(
        free, Puzzle(free.graph, ((0, 2),)), Frame.of_box(0, 0, 100, 100), (COLOURS["R"],), 1.0, ends
    )
    made = corrected(reading, [SetCell(2, "."), SetCell(5, "R"), SetWall(0, 1), SetCell(2, "#")])
    assert made.puzzle.terminals == ((0, 4),)
    assert len(made.board.layout.cells) == 5
    assert (0, 1) not in made.board.graph.edges
    assert made.ends_px[0][1] == (250.0, 150.0)
    with pytest.raises(PuzzleInvalidError, match="appears 3 times") as raised:
        corrected(reading, [SetCell(4, "R")])
    assert raised.value.hint == TWO_DOTS
    for change in (
        SetCell((0, 1), "R"),
        SetCell(9, "R"),
        SetCell(1, "+"),
        SetWarp(0, 2),
        AddLine("top"),
        SetBoard(read_drawn(FIVE)),
        SetWall(0, 5),
        SetCell(1, "R"),
    ):
        with pytest.raises(PuzzleInvalidError):
            corrected(reading, [change])


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
        more = AddLine(edge).applied(more)
    across = edge in ("left", "right")
    assert more.size == (draft.size[0] + times * (not across), draft.size[1] + times * across)
    assert list(more.marks.values()).count(EMPTY) == list(draft.marks.values()).count(EMPTY) + times * (
        draft.size[0] if across else draft.size[1]
    )
    for _ in range(times):
        more = RemoveLine(edge).applied(more)
    assert (more.marks, more.walls, more.seen) == (draft.marks, draft.walls, draft.seen)
    assert more.warps == {pair for pair in draft.warps if (len({r for r, _ in pair}) == 1) != across}
    assert more.frame.matrix == pytest.approx(draft.frame.matrix, abs=1e-6)


@pytest.mark.parametrize("edge", EDGES)
def test_a_line_takes_what_is_on_it_along(edge) -> None:
    """Dots, walls and what was seen; the last line stays."""
    draft = five()
    for pair in (((0, 0), (1, 0)), ((4, 4), (3, 4)), ((0, 4), (0, 3)), ((4, 0), (4, 1))):
        draft = with_wall(draft, frozenset(pair), True)
    less = RemoveLine(edge).applied(draft)
    inner = {key for pair in less.walls for key in pair} | set(less.seen) | set(less.marks)
    rows, cols = less.size
    assert inner == {(r, c) for r in range(rows) for c in range(cols)}
    assert len(less.walls) == 2
    while min(less.size) > 1:
        less = RemoveLine(edge).applied(less)
    with pytest.raises(PuzzleInvalidError, match="last row or column"):
        RemoveLine(edge).applied(less)


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
        named = with_mark(draft, (2, 2), mark)
        assert named.marks[2, 2] == "C"
        assert named.colours == {**draft.colours, "C": PALETTE["C"].rgb}
    assert with_mark(draft, (2, 2), "r").colours == draft.colours
    for wrong in ("", "RG", "?", "ß", "Z"):
        with pytest.raises(PuzzleInvalidError, match="neither"):
            with_mark(draft, (2, 2), wrong)
    assert with_mark(draft, (2, 2), BRIDGE).marks[2, 2] == BRIDGE


def test_a_colour_goes_to_a_letter() -> None:
    """That of a flow, seen or not; nothing else has a colour."""
    given = SetColour("R", Rgb(1, 2, 3)).applied(five())
    assert given.asked == {"R": Rgb(1, 2, 3)}
    assert given.colours == five().colours
    assert SetColour("z", Rgb(1, 2, 3)).applied(five()).colours["z"] == Rgb(1, 2, 3)
    for wrong in (".", "#", "+", "é"):
        with pytest.raises(PuzzleInvalidError, match="no letter"):
            SetColour(wrong, Rgb(1, 2, 3)).applied(five())


def test_a_dot_without_a_partner_is_told_with_what_a_flow_needs() -> None:
    """The error names the letter, and what to do about it."""
    with pytest.raises(PuzzleInvalidError, match="R appears once") as told:
        corrected(reading_of(FIVE), [SetCell((0, 0), ".")])
    assert "exactly two dots" in str(told.value.hint)


def test_the_letters_that_are_offered_are_free() -> None:
    """One of another flow would make three dots of it."""
    with pytest.raises(PuzzleInvalidError) as told:
        corrected(reading_of(FIVE), [SetCell((0, 1), "Q")])
    offered = str(told.value.hint).rsplit(":", maxsplit=1)[1].strip(" .").split()
    assert offered
    assert not set(offered) & set(FIVE)
    for letter in offered:
        corrected(reading_of(FIVE), [SetCell((0, 1), letter), SetCell((0, 3), letter)])


def test_a_colour_names_the_flow_that_has_it() -> None:
    """Whatever its letter is, as on boards with letters of their own; another colour takes a free letter."""
    seen = five()
    called = dict(zip("RGYBO", "BARGT", strict=True))
    lettered = replace(
        seen,
        marks={key: called.get(mark, mark) for key, mark in seen.marks.items()},
        colours={called[letter]: rgb for letter, rgb in seen.colours.items()},
    )
    assert changed(lettered, [SetCell((0, 1), "red")]).marks[0, 1] == called["R"]
    assert changed(lettered, [SetCell((0, 1), "Blue")]).marks[0, 1] == called["B"]
    white = changed(lettered, [SetCell((0, 1), "white"), SetCell((0, 3), "tan")])
    assert white.marks[0, 1] == "W"
    assert white.marks[0, 3] not in called.values()
    assert white.colours[white.marks[0, 3]] == PALETTE["T"].rgb


def test_letters_stay_whatever_colours_become() -> None:
    """A flow is called as it was when it was read: the next correction names it by that letter."""
    reading = reading_of(FIVE)
    blue = SetColour("R", COLOURS["B"])
    made = corrected(reading, [blue])
    assert made.letters == reading.letters
    assert made.dot_colours == reading.palette
    again = corrected(made, [SetColour("B", Rgb(1, 2, 3))])
    assert dict(zip(again.letters, again.palette, strict=True)) == {
        **dict(zip(reading.letters, reading.palette, strict=True)),
        "R": COLOURS["B"],
        "B": Rgb(1, 2, 3),
    }


def test_only_a_flow_that_is_there_has_a_colour() -> None:
    """Among the corrections a letter without a dot is told; one whose dots are set beside it is not."""
    colour = SetColour("Z", Rgb(1, 2, 3))
    with pytest.raises(PuzzleInvalidError, match="No dot has the letter Z"):
        changed(five(), [colour])
    assert changed(five(), [colour, SetCell((2, 2), "Z")]).colours["Z"] == Rgb(1, 2, 3)
    assert changed(five(), [SetColour("R", Rgb(1, 2, 3))]).asked["R"] == Rgb(1, 2, 3)


@given(top=st.integers(0, 2), bottom=st.integers(0, 2), left=st.integers(0, 2), right=st.integers(0, 2))
def test_a_larger_text_is_laid_where_its_dots_were_seen(top: int, bottom: int, left: int, right: int) -> None:
    """However many rows and columns are new, and wherever: the old ones do not move in the picture."""
    rows = FIVE.split()
    wide = left + 5 + right
    text = ["." * wide] * top + ["." * left + row + "." * right for row in rows] + ["." * wide] * bottom
    draft = five()
    laid = SetBoard(read_drawn("\n".join(text))).applied(draft)
    assert laid.drawn().grid == tuple(text)
    moved = laid.frame.to_px([(0.5 + left, 0.5 + top), (4.5 + left, 4.5 + top)])
    assert moved == pytest.approx(draft.frame.to_px([(0.5, 0.5), (4.5, 4.5)]), abs=1e-6)


def test_a_text_of_another_kind_is_refused() -> None:
    """Hexagons for squares; dots that say nothing of where they lie."""
    with pytest.raises(PuzzleInvalidError, match="are square"):
        SetBoard(read_drawn("hex\n" + FIVE)).applied(five())
    with pytest.raises(PuzzleInvalidError, match="do not say which"):
        SetBoard(read_drawn("......\n" * 5)).applied(five())


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
    for change in (AddLine, RemoveLine):
        with pytest.raises(PuzzleInvalidError, match="half a cell"):
            change("left").applied(draft)
    for edge in ("top", "bottom", "right"):
        back = changed(draft, [AddLine(edge), RemoveLine(edge)])
        assert (back.marks, back.walls) == (draft.marks, draft.walls)
