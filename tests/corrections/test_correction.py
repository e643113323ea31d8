"""Readings with corrections: the board that was meant comes out of the one that was read."""

import numpy as np
import pytest
from msgspec.structs import replace

from flowvision.advice import COMMAND
from flowvision.corrections import Correction, Draft, SetBoard, SetCell, changed, draft_of
from flowvision.errors import PuzzleInvalidError
from flowvision.image.picture import Frame
from flowvision.palette import COLOURS as PALETTE
from flowvision.palette import letters_for
from flowvision.puzzle import boards
from flowvision.puzzle.model import EMPTY, HOLE, Puzzle
from flowvision.puzzle.text import TWO_DOTS, format_puzzle, parse
from flowvision.vision.assembly import Reading
from tests.boards import MADE
from tests.corrections.readings import corrected, with_mark, with_sides
from tests.drawing import COLOURS, FIVE, reading_of

MISSED = FIVE.replace("..B.O", "..B..")
"""One dot was not seen."""
MOVED = FIVE.replace("..B.O", "..BO.")
"""One dot was seen a cell off."""
WARPED = MADE["warp"].replace("A", "R")


def text_of(reading: Reading) -> str:
    return format_puzzle(reading.board, reading.puzzle, letters_for(reading.palette))


def middles_px(reading: Reading) -> np.ndarray:
    return reading.frame.to_px(reading.board.layout.centres)


@pytest.mark.parametrize(
    ("seen", "changes", "meant"),
    [
        (MOVED, [SetCell((1, 3), "."), SetCell((1, 4), "O")], FIVE),
        (FIVE, [SetCell((0, 0), "."), SetCell((4, 1), ".")], FIVE.replace("R", ".")),
        (FIVE, [SetCell((2, 2), "#")], FIVE.replace(".....", "..#..")),
        (FIVE, [SetCell((2, 2), "+")], FIVE.replace(".....", "..+..")),
        (FIVE.replace(".....", "..#.."), [SetCell((2, 2), ".")], FIVE),
        (FIVE, [SetBoard(f"{FIVE}wall 1,1/1,2\nwarp 3,1/3,5\n")], f"{FIVE}wall 1,1/1,2\nwarp 3,1/3,5\n"),
        (f"{FIVE}wall 1,1/1,2\n", [SetBoard(FIVE)], FIVE),
        (WARPED, [SetBoard(WARPED.rpartition("warp")[0])], WARPED.rpartition("warp")[0]),
        (FIVE, [SetBoard(MOVED)], MOVED),
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


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([SetCell((5, 0), "R")], "no row 6, column 1: the board has 5 rows and 5 columns"),
        ([SetCell(7, "R")], "no cell 8"),
        ([SetCell((0, 1), "Q")], "neither"),
        ([SetCell((0, 1), "")], "neither"),
        ([SetCell((0, 1), "RR")], "neither"),
        ([SetCell((0, 1), "R")], "R appears 3 times"),
        ([SetCell((0, 0), ".")], "R appears once"),
        ([SetCell((r, c), ".") for r in range(5) for c in range(5)], "no dots"),
        ([SetBoard("hex\nR.\n.R\n")], "board read has square cells"),
        ([SetBoard(f".....\n{FIVE}")], "5 rows and 5 columns, the text 6 and 5"),
    ],
)
def test_what_cannot_be_is_said_in_words(changes: list[Correction], said: str) -> None:
    """Never a wrong board, never another kind of error."""
    with pytest.raises(PuzzleInvalidError) as raised:
        corrected(reading_of(FIVE), changes)
    assert said in raised.value.words(COMMAND)[0]
    assert raised.value.words(COMMAND)[1]


def test_cells_of_any_shape_go_by_their_numbers() -> None:
    """Dots and holes; what needs rows and columns is refused in words."""
    plain = boards.square(2, 3)
    free = boards.build(plain.layout.cells, boards.shared_sides(plain.layout.cells))
    ends = (((50.0, 50.0), (250.0, 50.0)),)
    reading = Reading(
        free, Puzzle(free.graph, ((0, 2),)), Frame.of_box(0, 0, 100, 100), (COLOURS["R"],), 1.0, ends
    )
    made = corrected(reading, [SetCell(2, "."), SetCell(5, "R"), SetCell(2, "#")])
    assert made.puzzle.terminals == ((0, 4),)
    assert len(made.board.layout.cells) == 5
    assert made.ends_px[0][1] == (250.0, 150.0)
    with pytest.raises(PuzzleInvalidError, match="appears 3 times") as raised:
        corrected(reading, [SetCell(4, "R")])
    assert raised.value.hint == TWO_DOTS
    for change in (SetCell((0, 1), "R"), SetCell(9, "R"), SetCell(1, "+"), SetBoard(FIVE), SetCell(1, "R")):
        with pytest.raises(PuzzleInvalidError):
            corrected(reading, [change])


def five() -> Draft:
    return draft_of(reading_of(FIVE))


def test_a_hole_has_neither_walls_nor_warps() -> None:
    """Nor does it get them back when it is a cell again."""
    walls = (((0, 1), (1, 1)), ((2, 2), (2, 3)))
    draft = with_sides(five(), walls=walls, warps=(((0, 1), (4, 1)),))
    holed = with_mark(draft, (0, 1), HOLE)
    assert holed.marks[0, 1] == HOLE
    assert (holed.walls, holed.warps) == ((((2, 2), (2, 3)),), ())
    assert with_mark(holed, (0, 1), EMPTY).walls == holed.walls


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
