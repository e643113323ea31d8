"""Readings with corrections: the board that was meant comes out of the one that was read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flowvision.corrections.correction import (
    AddLine,
    Correction,
    RemoveLine,
    SetBoard,
    SetCell,
    SetColour,
    SetWall,
    SetWarp,
    corrected,
)
from flowvision.errors import PuzzleInvalidError
from flowvision.image.picture import Frame, Rgb
from flowvision.palette import letters_for
from flowvision.puzzle import boards
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.text import draw, format_puzzle, parse, read_drawn
from flowvision.vision.reading import Reading
from tests.drawing import COLOURS, FIVE, reading_of
from tests.made_boards import MADE

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
    return reading.frame.to_px([cell.centre for cell in reading.board.layout.cells])


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
    by_letter = dict(zip(letters_for(made.palette), made.palette, strict=True))
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
    with pytest.raises(PuzzleInvalidError, match=said) as raised:
        corrected(reading_of(FIVE), changes)
    assert raised.value.hint


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
