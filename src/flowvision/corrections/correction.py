"""Changes made by hand to a board that was read: one cell, or a whole board as text.

    changed(draft_of(reading), [SetCell((3, 4), "R"), SetCell((0, 2), ".")])

Changes apply in order. The board keeps its place in the picture, and flows keep their colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from flowvision.advice import At, Call, Hint, Option
from flowvision.corrections.draft import Draft
from flowvision.errors import PuzzleInvalidError
from flowvision.palette import COLOURS, letter_named, names_for, undimmed
from flowvision.puzzle.layout import Key
from flowvision.puzzle.model import BRIDGE, EMPTY, HOLE, LETTERS
from flowvision.puzzle.text import Drawn, read_drawn

ALONE = Call("flowvision puzzle FILE", "parse_puzzle(text).solve()")


class SetCell(Struct, frozen=True):
    """A cell shows another mark: ``.`` empty, ``#`` hole, ``+`` bridge, or a dot: a flow's letter or colour.

    ``cell``: row and column from 0; on a board without them, the cell's number ``n`` or ``(0, n)``.
    """

    cell: Key
    mark: str

    def __post_init__(self) -> None:
        if not isinstance(self.mark, str):
            raise TypeError(f"The mark {self.mark!r} is not a letter, '.', '#' or '+'.")
        places = self.cell if isinstance(self.cell, tuple) else (self.cell,)
        if not all(isinstance(place, int) for place in places):
            raise TypeError(f"The cell {self.cell!r} is neither (row, column) nor a number.")

    def applied(self, draft: Draft) -> Draft:
        """Return the draft with this change. Raises ``PuzzleInvalidError``."""
        cell = _checked_cell(draft, self.cell)
        if self.mark == BRIDGE and draft.tiling != "square":
            raise PuzzleInvalidError(
                "Only squares have bridges.", "Set the cell to `.`, `#` or the letter of a flow."
            )
        mark = self.mark
        if mark == HOLE:
            walls, warps = (tuple(p for p in pairs if cell not in p) for pairs in (draft.walls, draft.warps))
            draft = replace(draft, walls=walls, warps=warps)
        elif mark not in (EMPTY, BRIDGE):
            mark, draft = _known_letter(draft, mark)
        return replace(draft, marks={**draft.marks, cell: mark})


class SetBoard(Struct, frozen=True):
    """Another board in place of the one read, in the text form: it also says walls and warps.

    ``board``: its text, its rows as ``grid`` has them, or a puzzle, as large as the board that was read.
    """

    board: str | Sequence[str] | Any

    def __post_init__(self) -> None:
        """Raise ``TypeError`` for what is no board, ``PuzzleInvalidError`` for an invalid text."""
        _ = self.drawn

    @property
    def drawn(self) -> Drawn:
        """Its rows, walls and warps."""
        text: object = getattr(self.board, "text", self.board)
        if isinstance(text, Sequence) and all(isinstance(row, str) for row in text):
            return read_drawn(text if isinstance(text, str) else "\n".join(text))
        raise TypeError(f"{text!r:.40} is no board; give its text or its rows, such as answer.grid.")

    def applied(self, draft: Draft) -> Draft:
        """Return the draft with this change. Raises ``PuzzleInvalidError``."""
        if draft.free is not None:
            raise PuzzleInvalidError(
                "A board without rows and columns has no text form.",
                "Change its cells one by one, by number.",
            )
        drawn = self.drawn
        if drawn.tiling != draft.tiling:
            raise PuzzleInvalidError(
                f"The cells that were read are {draft.tiling}, those of the text {drawn.tiling}.",
                "Begin the text with a line `hex` for hexagons, without it for squares.",
            )
        (rows, cols), (tall, wide) = draft.size, (len(drawn.grid), len(drawn.grid[0]))
        if (rows, cols) != (tall, wide):
            raise PuzzleInvalidError(
                f"The board that was read has {rows} rows and {cols} columns, the text {tall} and {wide}.",
                Hint("Read it so, {}, or solve the text alone: {}.", Option("grid", f"{wide}x{tall}"), ALONE),
            )
        marks: dict[Key, str] = {}
        for r, row in enumerate(drawn.grid):
            for c, mark in enumerate(row):
                letter = mark
                if mark in LETTERS:
                    letter, draft = _known_letter(draft, mark)
                marks[r, c] = letter
        return replace(draft, marks=marks, walls=drawn.walls, warps=drawn.warps)


Correction = SetCell | SetBoard


def changed(draft: Draft, corrections: Iterable[Correction]) -> Draft:
    """Return the draft with these changes; it need not be a puzzle. Raises ``PuzzleInvalidError``."""
    for one in corrections:
        if not isinstance(one, Correction):
            raise TypeError(f'{one!r} is no correction; give one, such as SetCell((2, 3), "R").')
        draft = one.applied(draft)
    return draft


def _known_letter(draft: Draft, mark: str) -> tuple[str, Draft]:
    """Return the letter of a mark, which may be a colour's name, and the draft with a colour for it."""
    if len(mark) > 1 and letter_named(mark):
        return _letter_of_colour(draft, mark.lower())
    for letter in (mark, mark.upper()):
        if letter in draft.colours:
            return letter, draft
    if mark.upper() in COLOURS and len(mark) == 1:
        return mark.upper(), _coloured(draft, mark.upper(), mark.upper())
    known, free = " ".join(draft.colours) or "none", " ".join(sorted(COLOURS.keys() - draft.colours.keys()))
    raise PuzzleInvalidError(
        f"{mark!r} is neither `.`, `#` or `+` nor a letter of the board (it has {known}).",
        f"A flow that was not seen may have a letter that is free, which names its colour: {free}."
        if free
        else "Give a letter of the board.",
    )


def _letter_of_colour(draft: Draft, name: str) -> tuple[str, Draft]:
    """Return the letter of the flow of that colour; without one a free letter, preferably its own."""
    letters, names = list(draft.colours), names_for(undimmed(tuple(draft.colours.values())))
    if name in names:
        return letters[names.index(name)], draft
    own = letter_named(name) or ""
    letter = next(one for one in (own, *LETTERS) if one not in draft.colours)
    return letter, _coloured(draft, letter, own)


def _coloured(draft: Draft, letter: str, named: str) -> Draft:
    """Return the draft with a new letter, in the colour of the letter ``named``."""
    return replace(draft, colours={**draft.colours, letter: COLOURS[named].rgb})


def _checked_cell(draft: Draft, cell: Key) -> Key:
    """Return the cell as the draft names it, or raise ``PuzzleInvalidError``."""
    if draft.free is not None and isinstance(cell, tuple) and cell[0] == 0:
        cell = cell[1]
    if cell in draft.marks:
        return cell
    rows, cols = draft.size
    if draft.free is not None:
        raise PuzzleInvalidError(
            Hint(f"There is no {{}}: this board has no rows and columns, but {cols} cells.", At(cell)),
            "The debug page shows their numbers." if isinstance(cell, tuple) else None,
        )
    raise PuzzleInvalidError(
        Hint(f"There is no {{}}: the board has {rows} rows and {cols} columns.", At(cell)),
        "Give row and column.",
    )
