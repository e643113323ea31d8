"""What somebody changes about a board that was read: a value for each change, and what comes of them.

    from flowvision.corrections.correction import SetCell, corrected
    corrected(reading, [SetCell((3, 4), "R"), SetCell((0, 2), ".")])

Changes are made one after the other, each to the board as those before have left it. The reading keeps where
the board lies and the colours of its flows. No picture is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable

from flowvision.corrections.draft import Draft, Key, draft_of
from flowvision.corrections.edits import (
    Edge,
    with_board,
    with_colour,
    with_line,
    with_mark,
    with_wall,
    with_warp,
    without_line,
)
from flowvision.corrections.rebuild import reading_of
from flowvision.image.picture import Rgb
from flowvision.puzzle.text import Drawn
from flowvision.value import value_type
from flowvision.vision.reading import Reading


@value_type
class SetCell:
    """A cell shows another mark: ``.`` empty, ``#`` hole, ``+`` bridge, or the letter of a flow, a dot.

    ``cell``: row and column from 0; on a board without them, the cell's number.
    """

    cell: Key
    mark: str


@value_type
class SetWall:
    """The side between two neighbours is closed, or open."""

    a: Key
    b: Key
    closed: bool = True


@value_type
class SetWarp:
    """The two ends of a row or column are joined over the edge, or not."""

    a: Key
    b: Key
    joined: bool = True


@value_type
class AddLine:
    """One more row or column of empty cells at an edge of the board."""

    edge: Edge


@value_type
class RemoveLine:
    """The row or column at an edge of the board is none."""

    edge: Edge


@value_type
class SetColour:
    """A flow has another colour."""

    letter: str
    rgb: Rgb


@value_type
class SetBoard:
    """Another board in place of the one read, as the text form has it.

    Where it has more or fewer rows and columns, it is laid so that most of its dots lie where dots of their
    letters were seen.
    """

    drawn: Drawn


Correction = SetCell | SetWall | SetWarp | AddLine | RemoveLine | SetColour | SetBoard


def corrected(reading: Reading, corrections: Iterable[Correction]) -> Reading:
    """The reading with these changes. Raises ``PuzzleInvalidError`` in words for what cannot be."""
    return reading_of(changed(draft_of(reading), corrections))


def changed(draft: Draft, corrections: Iterable[Correction]) -> Draft:
    """The draft with these changes; it need not be a puzzle before the last one, nor after it."""
    for one in corrections:
        match one:
            case SetCell(cell, mark):
                draft = with_mark(draft, cell, mark)
            case SetWall(a, b, closed):
                draft = with_wall(draft, frozenset((a, b)), closed)
            case SetWarp(a, b, joined):
                draft = with_warp(draft, frozenset((a, b)), joined)
            case AddLine(edge):
                draft = with_line(draft, edge)
            case RemoveLine(edge):
                draft = without_line(draft, edge)
            case SetColour(letter, rgb):
                draft = with_colour(draft, letter, rgb)
            case SetBoard(drawn):
                draft = with_board(draft, drawn)
    return draft
