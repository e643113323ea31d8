from collections import defaultdict
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from flowvision.colours import COLOURS as PALETTE
from flowvision.colours import palette_for
from flowvision.corrections import (
    SAME_COLOUR,
    Correction,
    SetBoard,
    SetCell,
    changed,
    draft_of,
    draft_of_dots,
)
from flowvision.corrections import reading_of as rebuilt
from flowvision.errors import PuzzleInvalidError
from flowvision.image.picture import Frame, Rgb, Screenshot
from flowvision.palette import letters_for
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, Cell, Layout
from flowvision.puzzle.model import EMPTY, HOLE, Puzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import TWO_DOTS, draw, parse
from flowvision.vision.assembly import Reading
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.words import COMMAND
from tests import seeing
from tests.boards import SMALL_BOARDS, SPECIAL_BOARDS, free_of, text_of
from tests.drawing import COLOURS, DOT_MISPLACED, LEVEL_5X5, reading_of, screenshot_of

FRAME = Frame((58.0, 3.0, 20.0, -2.0, 61.0, 140.0, 0.001, 0.0005, 1.0))
"""A board photographed at a slant."""


def reading_on(board: Board, seed: int = 1) -> Reading:
    puzzle, _ = random_puzzle(board, seed)
    palette = palette_for("RGBYOCMP"[: len(puzzle.terminals)])
    middles = FRAME.to_px([board.layout.cells[cell].centre for cell in board.layout.cell_of]).tolist()
    ends = tuple((tuple(middles[a]), tuple(middles[b])) for a, b in puzzle.terminals)
    return Reading(board, puzzle, FRAME, palette, confidence=0.9, ends_px=ends)


def corrected(reading: Reading, corrections: Iterable[Correction]) -> Reading:
    return rebuilt(changed(draft_of(reading), corrections))


def cells_and_dots(text: str) -> tuple[BoardGeometry, Dots]:
    """Return what is seen on a picture of a board."""
    geometry = seeing.geometry_of(Screenshot(screenshot_of(text)))
    return geometry, seeing.dots_on(geometry)


@pytest.mark.parametrize("tile", [boards.square, boards.hexagonal])
def test_cells_that_were_measured_are_laid_on_whole_rows(tile) -> None:
    unit = tile(4, 4, [(1, 1)])

    def measured(x: float, y: float) -> tuple[float, float]:
        return 0.5 * x + 3, 0.8 * y - 1

    cells = tuple(
        Cell(measured(*cell.centre), tuple(measured(*corner) for corner in cell.outline))
        for cell in unit.layout.cells
    )
    layout = Layout(cells, unit.layout.cell_of, unit.layout.strokes)
    reading = reading_on(Board(unit.graph, layout, unit.lattice))
    as_seen = reading.frame.to_px([cell.centre for cell in cells])
    assert draft_of(reading).frame.to_px(unit.layout.centres) == pytest.approx(as_seen, abs=1e-6)
    assert draft_of(reading_on(unit)).frame == FRAME  # to the last bit where they are 1.0 apart


def test_dots_of_a_draft_have_letters_though_they_make_no_pairs() -> None:
    three_red_and_yellow = "R.G.Y\n..B.R\n.....\n.G.Y.\n.RYO.\n"
    geometry, dots = cells_and_dots(three_red_and_yellow)
    draft = draft_of_dots(geometry, dots)
    rows = three_red_and_yellow.split()
    with_dots = {(r, c) for r, c in np.ndindex(5, 5) if rows[r][c] != "."}
    assert {place for place, mark in draft.marks.items() if mark != "."} == with_dots
    drawn_letters = defaultdict(list)
    for (r, c), dot in draft.seen.items():
        drawn_letters[dot.letter].append(rows[r][c])
        assert np.abs(np.subtract(draft.colours[dot.letter], COLOURS[rows[r][c]])).max() <= 3
        assert 0 <= dot.doubt < 0.15
    assert all(len(set(group)) == 1 for group in drawn_letters.values())
    assert sorted(map(len, drawn_letters.values())) == [1, 1, 1, 1, 2, 2, 2]  # of three a pair and one


@pytest.mark.parametrize("is_searched", [False, True])
def test_a_board_without_dots_is_a_draft(is_searched: bool) -> None:
    geometry, dots = cells_and_dots(LEVEL_5X5)
    draft = draft_of_dots(geometry, replace(dots, dots=()) if is_searched else None)
    assert draft.drawn().grid == (".....",) * 5
    assert not draft.colours
    assert not draft.seen
    assert (draft.frame, draft.reading.lines_confidence) == (geometry.fit.frame, geometry.fit.quality)


@pytest.mark.parametrize(("distance", "letters"), [(SAME_COLOUR - 0.1, 2), (SAME_COLOUR + 0.1, 3)])
def test_colours_further_apart_are_no_pair(distance: float, letters: int) -> None:
    geometry, dots = cells_and_dots("R....\n.....\n.....\n....R\n.....\nG...G\n")
    red, other_red, *greens = dots.dots
    lightness, a, b = red.lab
    other_red = replace(other_red, lab=(lightness, a, b + distance))
    draft = draft_of_dots(geometry, replace(dots, dots=(red, other_red, *greens)))
    assert len(draft.colours) == letters


def drawn(reading: Reading) -> object:
    return draw(reading.board, reading.puzzle, letters_for(reading.palette))


def ends_by_colour(reading: Reading) -> dict[Rgb, set[tuple[float, float]]]:
    return {colour: set(ends) for colour, ends in zip(reading.palette, reading.ends_px, strict=True)}


@pytest.mark.parametrize("kind", SMALL_BOARDS)
@given(seed=st.integers(0, 20))
def test_an_unchanged_draft_is_the_reading_again(kind: str, seed: int) -> None:
    before = reading_on(SMALL_BOARDS[kind], seed)
    after = rebuilt(draft_of(before))
    assert after.board == before.board
    assert (drawn(after), after.frame) == (drawn(before), before.frame)
    assert ends_by_colour(after) == ends_by_colour(before)
    assert (before.corrected, after.corrected, after.confidence) == (False, True, 1.0)


def test_dots_lie_where_they_were_seen() -> None:
    reading = reading_of(DOT_MISPLACED)
    ((x, y), other), *rest = reading.ends_px
    off_its_middle = (x + 3, y - 2)
    reading = replace(reading, ends_px=((off_its_middle, other), *rest))
    corrected_reading = corrected(reading, [SetCell((1, 3), "."), SetCell((1, 4), "O")])
    given_place, middle = (1, 4), tuple(corrected_reading.frame.to_px([(4.5, 1.5)])[0])
    assert {off_its_middle, middle} <= {end for pair in corrected_reading.ends_px for end in pair}
    assert corrected_reading.frame == reading.frame
    assert corrected_reading.given == (corrected_reading.board.lattice.places.index(given_place),)


ORANGE = 4
"""The number of the orange flow of ``LEVEL_5X5``, its last one."""
CLEAR_FIRST, CLEAR_SECOND, SET_ANOTHER = SetCell((1, 3), "."), SetCell((4, 3), "."), SetCell((1, 4), "O")


@pytest.mark.parametrize(
    ("walls", "changes", "confidence"),
    [
        pytest.param(1.0, [CLEAR_FIRST, SET_ANOTHER], 0.55, id="its partner is as doubtful as it was"),
        pytest.param(1.0, [CLEAR_FIRST, CLEAR_SECOND], 0.98, id="both are gone"),
        pytest.param(0.8, [CLEAR_FIRST, CLEAR_SECOND], 0.8, id="the walls are left"),
    ],
)
def test_confidence_is_that_of_the_rest(walls: float, changes: list[Correction], confidence: float) -> None:
    """It is 1 less the largest doubt that is left, of an orange or a green dot; or that of the walls."""
    sure_pair, green, orange = (0.0, 0.0), (0.02, 0.0), (0.0, 0.45)
    doubts = (sure_pair, green, sure_pair, sure_pair, orange)
    reading = replace(reading_of(DOT_MISPLACED, confidence=0.55), dot_doubts=doubts, lines_confidence=0.99)
    places = [reading.board.lattice.places[dot] for dot in reading.puzzle.terminals[ORANGE]]
    assert places == [CLEAR_FIRST.cell, CLEAR_SECOND.cell]
    assert corrected(replace(reading, walls_confidence=walls), changes).confidence == confidence


@given(doubt=st.floats(0, 1), lines=st.floats(0, 1), walls=st.floats(0, 1))
def test_the_weakest_part_counts(doubt: float, lines: float, walls: float) -> None:
    doubts = ((0.0, doubt), *[(0.0, 0.0)] * 4)
    reading = replace(
        reading_of(LEVEL_5X5), dot_doubts=doubts, lines_confidence=lines, walls_confidence=walls
    )
    made = rebuilt(draft_of(reading))
    assert made.confidence == pytest.approx(min(1 - doubt, lines, walls), abs=6e-4)
    assert (made.lines_confidence, made.walls_confidence) == (lines, walls)


def test_a_flow_whose_letter_was_corrected_is_sure() -> None:
    red_in_doubt = ((0.4, 0.0), *[(0.0, 0.0)] * 4)
    draft = draft_of(replace(reading_of(LEVEL_5X5), dot_doubts=red_in_doubt))
    assert rebuilt(draft).confidence == 0.6
    red_dots = [place for place, dot in draft.seen.items() if dot.letter == "R"]
    made = rebuilt(changed(draft, [SetCell(place, "C") for place in red_dots]))
    assert made.confidence == 1.0
    assert COLOURS["C"] in made.palette
    assert COLOURS["R"] not in made.palette


def free_reading(rows: int, cols: int, a: int, b: int) -> Reading:
    """Return the reading of a board without rows and columns, with dots in two cells."""
    free, frame = free_of(boards.square(rows, cols)), Frame.of_box(0, 0, 100, 100)
    ends = tuple(tuple(px) for px in frame.to_px([free.layout.centres[cell] for cell in (a, b)]).tolist())
    puzzle, palette = Puzzle(free.graph, ((a, b),)), (COLOURS["R"],)
    return Reading(free, puzzle, frame, palette, confidence=1.0, ends_px=(ends,))


def test_numbered_cells_that_are_no_more_leave_no_gap() -> None:
    middle = 4
    corrected_reading = corrected(free_reading(3, cols=3, a=0, b=8), [SetCell(middle, "#")])
    ring = free_of(boards.square(3, 3, holes=[(1, 1)]))
    assert corrected_reading.board.layout.centres == ring.layout.centres
    assert set(corrected_reading.board.graph.edges) == set(ring.graph.edges)
    assert corrected_reading.puzzle.terminals == ((0, 7),)
    assert (corrected_reading.board.lattice, corrected_reading.places) == (None, ())


WARPED = SPECIAL_BOARDS["warp"].replace("A", "R")


ORANGE_MOVED = [SetCell((1, 3), "."), SetCell((1, 4), "O")]
WALL_AND_WARP = f"{LEVEL_5X5}wall 1,1/1,2\nwarp 3,1/3,5\n"
NOT_WARPED = WARPED.rpartition("warp")[0]


@pytest.mark.parametrize(
    ("seen", "changes", "meant"),
    [
        (DOT_MISPLACED, ORANGE_MOVED, LEVEL_5X5),
        (LEVEL_5X5, [SetCell((0, 0), "."), SetCell((4, 1), ".")], LEVEL_5X5.replace("R", ".")),
        (LEVEL_5X5, [SetCell((2, 2), "#")], LEVEL_5X5.replace(".....", "..#..")),
        (LEVEL_5X5, [SetCell((2, 2), "+")], LEVEL_5X5.replace(".....", "..+..")),
        (LEVEL_5X5.replace(".....", "..#.."), [SetCell((2, 2), ".")], LEVEL_5X5),
        (LEVEL_5X5, [SetBoard(WALL_AND_WARP)], WALL_AND_WARP),
        (f"{LEVEL_5X5}wall 1,1/1,2\n", [SetBoard(LEVEL_5X5)], LEVEL_5X5),
        (WARPED, [SetBoard(NOT_WARPED)], NOT_WARPED),
        (LEVEL_5X5, [SetBoard(DOT_MISPLACED)], DOT_MISPLACED),
        (LEVEL_5X5, [SetCell((2, 0), "P"), SetCell((2, 4), "p")], LEVEL_5X5.replace(".....", "P...P")),
        (f"{LEVEL_5X5}wall 3,2/3,3\n", [SetCell((2, 2), "#")], LEVEL_5X5.replace(".....", "..#..")),
    ],
)
def test_the_board_that_was_meant(seen: str, changes: list[Correction], meant: str) -> None:
    reading = reading_of(seen)
    made, expected = corrected(reading, changes), parse(meant)
    # New letters follow the colours; the grid is compared by which dots belong together.
    assert text_of(made) == text_of(expected)
    assert made.corrected
    # The cells lie where they were in the picture, but for one that was or became a hole.
    before, after = (item.frame.to_px(item.board.layout.centres) for item in (reading, made))
    is_kept = [np.abs(before - middle).max(axis=1).min() < 1e-6 for middle in after]
    assert sum(is_kept) >= min(len(before), len(after)) - 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([SetCell((5, 0), "R")], "no row 6, column 1: the board has 5 rows and 5 columns"),
        ([SetCell(7, "R")], "no cell 8"),
        ([SetCell((0, 1), "Q")], "neither"),
        ([SetCell((0, 1), "")], "neither"),
        ([SetCell((0, 1), "RR")], "neither"),
        ([SetCell((0, 1), "R")], "R appears 3 times"),
        ([SetCell((0, 0), ".")], "R appears once"),
        ([SetCell((r, c), ".") for r in range(5) for c in range(5)], "no dots"),
        ([SetBoard("hex\nR.\n.R\n")], "5 columns of square cells"),
        ([SetBoard(f".....\n{LEVEL_5X5}")], "The text has 6 rows and 5 columns"),
    ],
)
def test_an_impossible_correction_is_explained(changes: list[Correction], message: str) -> None:
    with pytest.raises(PuzzleInvalidError) as raised:
        corrected(reading_of(LEVEL_5X5), changes)
    assert message in raised.value.words(COMMAND)[0]
    assert raised.value.words(COMMAND)[1]


def test_cells_of_any_shape_go_by_their_numbers() -> None:
    reading = free_reading(2, cols=3, a=0, b=2)
    corrected_reading = corrected(reading, [SetCell(2, "."), SetCell(5, "R"), SetCell(2, "#")])
    assert (corrected_reading.puzzle.terminals, len(corrected_reading.board.layout.cells)) == (((0, 4),), 5)
    assert corrected_reading.ends_px[0] == ((50.0, 50.0), (250.0, 150.0))


def test_what_numbered_cells_do_not_take_is_refused() -> None:
    reading = free_reading(2, cols=3, a=0, b=2)
    with pytest.raises(PuzzleInvalidError, match="appears 3 times") as raised:
        corrected(reading, [SetCell(4, "R")])
    assert raised.value.hint == TWO_DOTS
    for change in (
        SetCell((0, 1), "R"),
        SetCell(9, "R"),
        SetCell(1, "+"),
        SetBoard(LEVEL_5X5),
        SetCell(1, "R"),
    ):
        with pytest.raises(PuzzleInvalidError):
            corrected(reading, [change])


def test_a_hole_has_neither_walls_nor_warps() -> None:
    sides = "wall 1,2/2,2\nwall 3,3/3,4\nwarp 1,2/5,2\n"
    hole, wall_elsewhere = (0, 1), ((2, 2), (2, 3))
    holed = changed(draft_of(reading_of(LEVEL_5X5)), [SetBoard(LEVEL_5X5 + sides), SetCell(hole, HOLE)])
    assert holed.marks[hole] == HOLE
    assert (holed.walls, holed.warps) == ((wall_elsewhere,), ())
    filled_again = changed(holed, [SetCell(hole, EMPTY)])
    assert filled_again.walls == (wall_elsewhere,)


def test_the_letters_that_are_offered_are_free() -> None:
    with pytest.raises(PuzzleInvalidError) as raised:
        corrected(reading_of(LEVEL_5X5), [SetCell((0, 1), "Q")])
    offered = str(raised.value.hint).rsplit(":", maxsplit=1)[1].strip(" .").split()
    assert offered
    assert not set(offered) & set(LEVEL_5X5)
    for letter in offered:
        corrected(reading_of(LEVEL_5X5), [SetCell((0, 1), letter), SetCell((0, 3), letter)])


def test_a_colour_names_the_flow_that_has_it() -> None:
    """Here flows have other letters than their colours."""
    letter_of = dict(zip("RGYBO", "BARGT", strict=True))
    by_colours = draft_of(reading_of(LEVEL_5X5))
    marks = {place: letter_of.get(mark, mark) for place, mark in by_colours.marks.items()}
    colours = {letter_of[letter]: rgb for letter, rgb in by_colours.colours.items()}
    draft = replace(by_colours, marks=marks, colours=colours)
    for name, letter in (("red", "R"), ("Blue", "B")):
        assert changed(draft, [SetCell((0, 1), name)]).marks[0, 1] == letter_of[letter]
    white_and_tan = changed(draft, [SetCell((0, 1), "white"), SetCell((0, 3), "tan")])
    assert white_and_tan.marks[0, 1] == "W"
    tan = white_and_tan.marks[0, 3]  # its own letter, T, is taken
    assert tan not in letter_of.values()
    assert white_and_tan.colours[tan] == PALETTE["T"].rgb
