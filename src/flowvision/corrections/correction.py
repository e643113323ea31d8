"""Changes made by hand to a board that was read: one cell, or a whole board as text.

    changed(draft_of(reading), [SetCell((3, 4), "R"), SetCell((0, 2), ".")])

Changes apply in order. The board keeps its place in the picture, and flows keep their colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from flowvision.advice import At, Hint
from flowvision.corrections.draft import Draft
from flowvision.errors import PuzzleInvalidError
from flowvision.image.picture import Frame
from flowvision.palette import COLOURS, letter_named, names_for, undimmed
from flowvision.puzzle.layout import Key, Place
from flowvision.puzzle.model import BRIDGE, EMPTY, HOLE, LETTERS
from flowvision.puzzle.text import Drawn, read_drawn


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
    """Another board in place of the one read, in the text form: it also says size, walls and warps.

    ``board``: its text, its rows as ``grid`` has them, or a puzzle. A board of another size is placed where
    most of its dots match dots that were seen.
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
        draft = _shifted(draft, *_best_place(draft, drawn))
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


def _best_place(draft: Draft, drawn: Drawn) -> tuple[int, int]:
    """Rows down and columns right from the given board to the one that was read.

    Raises ``PuzzleInvalidError`` where dots do not settle it, or a smaller board leaves out most of them.
    """
    (rows, cols), (tall, wide) = draft.size, (len(drawn.grid), len(drawn.grid[0]))
    if (rows, cols) == (tall, wide):
        return 0, 0

    def matches(down: int, right: int) -> tuple[int, int]:
        """Dots that have their letter in the text, and dots beyond its edge."""
        moved = {_moved(key, down, right): dot.letter for key, dot in draft.seen.items()}
        inside = {(r, c): letter for (r, c), letter in moved.items() if 0 <= r < tall and 0 <= c < wide}
        return sum(drawn.grid[r][c] == letter for (r, c), letter in inside.items()), len(moved) - len(inside)

    by_rows, by_cols = (range(min(0, more), max(0, more) + 1) for more in (tall - rows, wide - cols))
    # An odd number of columns further on, hexagons would lie half a cell higher or lower.
    by_cols = (
        by_cols if draft.tiling == "square" else range(by_cols.start + by_cols.start % 2, by_cols.stop, 2)
    )
    ways = [(*matches(down, right), down, right) for down in by_rows for right in by_cols]
    agreeing, beyond, down, right = max(ways, default=(0, 0, 0, 0))
    sizes = f"The board that was read has {rows} rows and {cols} columns, the text {tall} and {wide}"
    if agreeing == 0 or sum(way[0] == agreeing for way in ways) > 1:
        raise PuzzleInvalidError(
            f"{sizes}; its dots do not say which of them are new.",
            "Give the dots that were read their letters; begin from the board as it was read.",
        )
    if beyond > agreeing:
        raise PuzzleInvalidError(
            f"{sizes}: it leaves out {beyond} of the {len(draft.seen)} dots that were read.",
            "Edit the board as it was read.",
        )
    return down, right


def _shifted(draft: Draft, down: int, right: int) -> Draft:
    """Return the draft with rows and columns renumbered; cells stay in their place in the picture."""
    step = (right, down) if draft.tiling == "square" else (0.75 * right, down * sqrt(3) / 2)
    back = np.array([[1, 0, -step[0]], [0, 1, -step[1]], [0, 0, 1]])
    seen: dict[Key, Any] = {_moved(key, down, right): dot for key, dot in draft.seen.items()}
    return replace(draft, seen=seen, frame=Frame.of_homography(draft.frame.homography @ back))


def _moved(key: Key, down: int, right: int) -> Place:
    assert isinstance(key, tuple)
    return key[0] + down, key[1] + right


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
