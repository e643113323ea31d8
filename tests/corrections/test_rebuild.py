"""A draft made into a reading again."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.corrections.correction import SetCell, corrected, with_mark, with_wall
from flowvision.corrections.draft import Draft, draft_of
from flowvision.corrections.draft import reading_of as rebuilt
from flowvision.errors import PuzzleInvalidError
from flowvision.image.picture import Frame
from flowvision.palette import letters_for
from flowvision.puzzle import boards
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.text import draw
from flowvision.vision.reading import Reading
from tests.corrections.readings import reading_on
from tests.drawing import COLOURS, FIVE, reading_of
from tests.puzzle.shapes import BOARDS

MOVED = FIVE.replace("..B.O", "..BO.")
"""One dot was seen a cell off."""


def drawn(reading: Reading) -> object:
    """The rows, walls and warps of a reading, in the letters of its colours."""
    return draw(reading.board, reading.puzzle, letters_for(reading.palette))


def free_draft(rows: int, cols: int, **dots: tuple[int, int]) -> Draft:
    """A draft of squares of which nobody knows that they have rows and columns."""
    plain = boards.square(rows, cols)
    free = boards.build(plain.layout.cells, boards.shared_sides(plain.layout.cells))
    frame = Frame.of_box(0, 0, 100, 100)
    middles = [tuple(px) for px in frame.to_px([cell.centre for cell in free.layout.cells]).tolist()]
    ends = tuple((middles[a], middles[b]) for a, b in dots.values())
    palette = tuple(COLOURS[letter] for letter in dots)
    return draft_of(Reading(free, Puzzle(free.graph, tuple(dots.values())), frame, palette, 1.0, ends))


@pytest.mark.parametrize("kind", BOARDS)
@given(seed=st.integers(0, 20))
def test_a_draft_that_nobody_changed_is_the_reading_again(kind: str, seed: int) -> None:
    """Board, dots, colours and places, on every kind of board; only that it was looked at is new."""
    before = reading_on(BOARDS[kind], seed)
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
    draft = with_mark(with_wall(free_draft(3, 3, R=(0, 8)), frozenset((0, 1)), True), 4, "#")
    made = rebuilt(draft)
    old = [0, 1, 2, 3, 5, 6, 7, 8]
    assert [cell.centre for cell in made.board.layout.cells] == [
        boards.square(3, 3).layout.cells[cell].centre for cell in old
    ]
    ring = {(1, 2), (2, 5), (5, 8), (7, 8), (6, 7), (3, 6), (0, 3)}
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


def test_a_bridge_among_numbered_cells_is_refused() -> None:
    """Nobody knows which of its sides are opposite; a draft may hold one all the same."""
    draft = free_draft(2, 3, R=(0, 5))
    with pytest.raises(PuzzleInvalidError, match="Bridges are cells of boards with rows"):
        rebuilt(replace(draft, marks={**draft.marks, 1: "+"}))
