"""A board as it was read, open for changes."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from flowvision.corrections import SAME_COLOUR, Draft, SetCell, draft_of, draft_of_dots
from flowvision.corrections import reading_of as rebuilt
from flowvision.errors import PuzzleInvalidError
from flowvision.image.picture import Frame, Screenshot
from flowvision.palette import letters_for
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, Cell, Layout
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.text import draw
from flowvision.vision.assembly import Reading
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import BoardGeometry
from tests import seeing
from tests.boards import SMALL_BOARDS
from tests.corrections.readings import FRAME, corrected, reading_on, with_mark
from tests.drawing import COLOURS, FIVE, reading_of, screenshot_of


def seen_on(text: str) -> tuple[BoardGeometry, Dots]:
    geometry = seeing.geometry_of(Screenshot(screenshot_of(text)))
    return geometry, seeing.dots_on(geometry)


@pytest.mark.parametrize("tile", [boards.square, boards.hexagonal])
def test_cells_that_were_measured_are_laid_on_whole_rows(tile) -> None:
    """Cells measured in another unit and place: the draft's frame has them 1.0 apart, and where they were."""
    unit = tile(4, 4, [(1, 1)])
    cells = tuple(
        Cell((0.5 * x + 3, 0.8 * y - 1), tuple((0.5 * u + 3, 0.8 * v - 1) for u, v in outline))
        for (x, y), outline in ((cell.centre, cell.outline) for cell in unit.layout.cells)
    )
    layout = Layout(cells, unit.layout.cell_of, unit.layout.strokes)
    reading = reading_on(Board(unit.graph, layout, unit.lattice))
    draft = draft_of(reading)
    as_seen = reading.frame.to_px([cell.centre for cell in cells])
    assert draft.frame.to_px(unit.layout.centres) == pytest.approx(as_seen, abs=1e-6)
    assert draft_of(reading_on(unit)).frame == FRAME  # to the last bit where they are 1.0 apart


def test_dots_that_make_no_pairs_are_letters_all_the_same() -> None:
    """Two of like colours have one letter, a third and a lone one letters of their own."""
    text = FIVE.replace("..B.O", "..B.R").replace(".RBO.", ".RYO.")
    sides, dots = seen_on(text)
    draft = draft_of_dots(sides, dots)
    rows = draft.drawn().grid
    shown = {(r, c): mark for r, row in enumerate(text.split()) for c, mark in enumerate(row) if mark != "."}
    assert {key for key, mark in draft.marks.items() if mark != "."} == set(shown)
    assert max(sum(row.count(letter) for row in rows) for letter in draft.colours) == 2
    for key, dot in draft.seen.items():
        assert np.abs(np.subtract(draft.colours[dot.letter], COLOURS[shown[key]])).max() <= 3
        assert 0 <= dot.doubt < 0.15
    partners = [[key for key, dot in draft.seen.items() if dot.letter == one] for one in draft.colours]
    assert all(len({shown[key] for key in pair}) == 1 for pair in partners)
    assert sorted(map(len, partners)) == [1, 1, 1, 1, 2, 2, 2]
    assert draft.lines == sides.fit.quality


def test_a_board_without_dots_is_a_draft() -> None:
    sides, dots = seen_on(FIVE)
    for none in (None, Dots((), dots.evidence, None)):
        draft = draft_of_dots(sides, none)
        assert draft.drawn().grid == (".....",) * 5
        assert not draft.colours
        assert not draft.seen
        assert draft.frame == sides.fit.frame


def test_colours_further_apart_are_no_pair() -> None:
    """Just within the bound two dots are one flow, just beyond it two."""
    sides, dots = seen_on("R....\n.....\n.....\n....R\n.....\nG...G\n")
    first, second = dots.dots[:2]
    for apart, letters in ((SAME_COLOUR - 0.1, 2), (SAME_COLOUR + 0.1, 3)):
        other = replace(second, lab=(first.lab[0], first.lab[1], first.lab[2] + apart))
        draft = draft_of_dots(sides, replace(dots, dots=(first, other, *dots.dots[2:])))
        assert len(draft.colours) == letters


MOVED = FIVE.replace("..B.O", "..BO.")
"""One dot was seen a cell off."""


def drawn(reading: Reading) -> object:
    return draw(reading.board, reading.puzzle, letters_for(reading.palette))


def free_draft(rows: int, cols: int, **dots: tuple[int, int]) -> Draft:
    """A draft of squares of which nobody knows that they have rows and columns."""
    plain = boards.square(rows, cols)
    free = boards.build(plain.layout.cells, boards.shared_sides(plain.layout.cells))
    frame = Frame.of_box(0, 0, 100, 100)
    middles = [tuple(px) for px in frame.to_px(free.layout.centres).tolist()]
    ends = tuple((middles[a], middles[b]) for a, b in dots.values())
    palette = tuple(COLOURS[letter] for letter in dots)
    return draft_of(Reading(free, Puzzle(free.graph, tuple(dots.values())), frame, palette, 1.0, ends))


@pytest.mark.parametrize("kind", SMALL_BOARDS)
@given(seed=st.integers(0, 20))
def test_a_draft_that_nobody_changed_is_the_reading_again(kind: str, seed: int) -> None:
    """Board, dots, colours and places, on every kind of board; only that it was looked at is new."""
    before = reading_on(SMALL_BOARDS[kind], seed)
    after = rebuilt(draft_of(before))
    assert after.board == before.board
    assert drawn(after) == drawn(before)
    assert after.frame == before.frame
    flows = [
        {colour: set(ends) for colour, ends in zip(one.palette, one.ends_px, strict=True)}
        for one in (before, after)
    ]
    assert flows[0] == flows[1]
    assert after.corrected
    assert not before.corrected
    assert after.confidence == 1.0


def test_dots_lie_where_they_were_seen() -> None:
    """A dot that was seen off the middle of its cell stays there; a new one is in the middle."""
    reading = reading_of(MOVED)
    a, b = reading.ends_px[0]
    reading = replace(reading, ends_px=(((a[0] + 3, a[1] - 2), b), *reading.ends_px[1:]))
    made = corrected(reading, [SetCell((1, 3), "."), SetCell((1, 4), "O")])
    places = [end for pair in made.ends_px for end in pair]
    assert (a[0] + 3, a[1] - 2) in places
    assert made.frame == reading.frame
    x, y = made.frame.to_px([(4.5, 1.5)])[0]
    assert (x, y) in places


def test_confidence_is_that_of_the_rest() -> None:
    """What was changed counts no more; lines, walls and the other dots still do."""
    doubts = ((0.0, 0.0), (0.02, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.45))
    reading = replace(
        reading_of(MOVED, confidence=0.55),
        dot_doubts=doubts,
        lines_confidence=0.99,
        pair_confidences=(1.0, 1.0, 0.97, 1.0, 0.6),
        walls_confidence=1.0,
    )
    dots = [reading.board.lattice.places[dot] for dot in reading.puzzle.terminals[4]]
    assert dots[0] == (1, 3)
    made = corrected(reading, [SetCell(dots[0], "."), SetCell((1, 4), "O")])
    assert made.confidence == 0.55  # its partner is as doubtful as it was
    made = corrected(reading, [SetCell(place, ".") for place in dots])
    assert made.confidence == 0.97
    assert (
        corrected(replace(reading, walls_confidence=0.8), [SetCell(place, ".") for place in dots]).confidence
        == 0.8
    )


@given(doubt=st.floats(0, 1), sure=st.floats(0, 1), lines=st.floats(0, 1), walls=st.floats(0, 1))
def test_the_weakest_part_counts(doubt: float, sure: float, lines: float, walls: float) -> None:
    """Confidence is that of the most doubtful of dots, colours, lines and walls."""
    doubts = ((0.0, doubt), *[(0.0, 0.0)] * 4)
    reading = replace(
        reading_of(FIVE),
        dot_doubts=doubts,
        pair_confidences=(1.0, sure, 1.0, 1.0, 1.0),
        lines_confidence=lines,
        walls_confidence=walls,
    )
    made = rebuilt(draft_of(reading))
    assert made.confidence == pytest.approx(min(1 - doubt, sure, lines, walls), abs=6e-4)
    assert (made.lines_confidence, made.walls_confidence) == (lines, walls)


def test_a_flow_of_another_letter_is_as_sure_as_whoever_said_so() -> None:
    """A doubtful dot that is given to another flow is doubted no more, nor is that flow's colour."""
    reading = replace(
        reading_of(FIVE), dot_doubts=((0.4, 0.0), *[(0.0, 0.0)] * 4), pair_confidences=(0.5, 1, 1, 1, 1)
    )
    draft = draft_of(reading)
    (first, second) = (key for key, dot in draft.seen.items() if dot.letter == "R")
    assert rebuilt(draft).confidence == 0.5
    for key in (first, second):
        draft = with_mark(draft, key, "C")
    made = rebuilt(draft)
    assert made.confidence == 1.0
    assert COLOURS["C"] in made.palette
    assert COLOURS["R"] not in made.palette


def test_numbered_cells_that_are_no_more_leave_no_gap() -> None:
    """Holes go, the rest is numbered anew; sides and dots stay between the cells that they were between."""
    made = rebuilt(with_mark(free_draft(3, 3, R=(0, 8)), 4, "#"))
    old = [0, 1, 2, 3, 5, 6, 7, 8]
    assert made.board.layout.centres == [boards.square(3, 3).layout.cells[cell].centre for cell in old]
    ring = {(0, 1), (1, 2), (2, 5), (5, 8), (7, 8), (6, 7), (3, 6), (0, 3)}
    assert {(old[a], old[b]) for a, b in made.board.graph.edges} == ring
    assert made.puzzle.terminals == ((0, 7),)
    assert made.board.lattice is None


@pytest.mark.parametrize(
    ("marks", "said"),
    [
        ({0: "."}, "R appears once"),
        ({1: "R"}, "R appears 3 times"),
        ({0: ".", 5: "."}, "There are no dots"),
        ({1: "R", 2: "G"}, "G appears once.*R appears 3 times"),
    ],
)
def test_all_that_is_wrong_is_said_at_once(marks: dict[int, str], said: str) -> None:
    """In the same words with rows and columns and without, but for the places."""
    numbered = free_draft(2, 3, R=(0, 5))
    placed = draft_of(reading_of("R..\n..R\n"))
    for cell, mark in marks.items():
        numbered = with_mark(numbered, cell, mark)
        placed = with_mark(placed, divmod(cell, 3), mark)
    errors = []
    for draft in (numbered, placed):
        with pytest.raises(PuzzleInvalidError, match=said) as raised:
            rebuilt(draft)
        errors.append(re.sub(r"(row \d+, column|cell) \d+", "somewhere", raised.value.message))
    assert errors[0] == errors[1]
