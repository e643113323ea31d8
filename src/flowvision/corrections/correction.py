"""Changes made by hand to a board that was read: a value for each kind, and the reading they make.

    from flowvision.corrections.correction import SetCell, corrected
    corrected(reading, [SetCell((3, 4), "R"), SetCell((0, 2), ".")])

Changes are made one after the other, each to the board as those before have left it. The reading keeps where
the board lies and the colours of its flows. No picture is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

from flowvision.corrections.draft import Draft, Sides, draft_of, reading_of
from flowvision.errors import PuzzleInvalidError
from flowvision.image.picture import Rgb
from flowvision.palette import COLOURS, colour_written, letter_named, names_for, undimmed
from flowvision.puzzle.layout import Key
from flowvision.puzzle.model import BRIDGE, EMPTY, HOLE, LETTERS
from flowvision.puzzle.text import Drawn, NamedPuzzle, draw, face_each_other, read_drawn
from flowvision.value import value_type
from flowvision.vision.assembly import Reading

Edge = Literal["top", "bottom", "left", "right"]
EDGES = {"top": (0, True), "bottom": (0, False), "left": (1, True), "right": (1, False)}
"""The axis of the lines along an edge (0: rows), and whether the edge is before the first of them."""


@value_type
class SetCell:
    """A cell shows another mark: ``.`` empty, ``#`` hole, ``+`` bridge, or a dot: a flow's letter or colour.

    ``cell``: row and column from 0; on a board without them, the cell's number.
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
        """The draft with this change. Raises ``PuzzleInvalidError``."""
        _check_cell(draft, self.cell)
        if self.mark == HOLE:
            walls, warps = (
                frozenset(p for p in pairs if self.cell not in p) for pairs in (draft.walls, draft.warps)
            )
            draft = replace(draft, walls=walls, warps=warps)
        if self.mark in (EMPTY, HOLE) or (self.mark == BRIDGE and draft.tiling == "square"):
            return replace(draft, marks={**draft.marks, self.cell: self.mark})
        if self.mark == BRIDGE:
            raise PuzzleInvalidError(
                "Only squares have bridges.", "Set the cell to `.`, `#` or the letter of a flow."
            )
        letter, draft = _known_letter(draft, self.mark)
        return replace(draft, marks={**draft.marks, self.cell: letter})


@value_type
class SetWall:
    """The side between two neighbours is closed, or open."""

    a: Key
    b: Key
    closed: bool = True

    def applied(self, draft: Draft) -> Draft:
        """The draft with this change. Raises ``PuzzleInvalidError``."""
        pair = frozenset((self.a, self.b))
        _check_pair(draft, pair)
        if not _are_neighbours(draft, pair):
            raise PuzzleInvalidError(
                f"{_words(pair)} are no neighbours: there is no side between them.",
                "A wall separates two neighbours.",
            )
        return replace(draft, walls=draft.walls | {pair} if self.closed else draft.walls - {pair})


@value_type
class SetWarp:
    """The two ends of a row or column are joined over the edge, or not."""

    a: Key
    b: Key
    joined: bool = True

    def applied(self, draft: Draft) -> Draft:
        """The draft with this change. Raises ``PuzzleInvalidError``."""
        pair = frozenset((self.a, self.b))
        _check_pair(draft, pair)
        if draft.tiling != "square":
            raise PuzzleInvalidError("Only boards of squares have warps.", "Leave this warp out.")
        first, last = (key for key in pair if isinstance(key, tuple))
        if not face_each_other(first, last, *draft.size):
            raise PuzzleInvalidError(
                f"{_words(pair)} are not the two ends of a row or column.",
                "A warp joins the two ends of one.",
            )
        return replace(draft, warps=draft.warps | {pair} if self.joined else draft.warps - {pair})


@value_type
class AddLine:
    """One more row or column of empty cells at an edge of the board."""

    edge: Edge

    def applied(self, draft: Draft) -> Draft:
        """The draft with this change. Raises ``PuzzleInvalidError``."""
        _check_lines(draft, self.edge)
        axis, is_first = EDGES[self.edge]
        if is_first:
            draft = draft.shifted(1 - axis, axis)
        place, length = 0 if is_first else draft.size[axis], draft.size[1 - axis]
        new: list[Key] = [(n, place) if axis else (place, n) for n in range(length)]
        marks = {**draft.marks, **dict.fromkeys(new, EMPTY)}
        return replace(draft, marks=marks, warps=_none_of(draft, axis))


@value_type
class RemoveLine:
    """The row or column at an edge of the board is none."""

    edge: Edge

    def applied(self, draft: Draft) -> Draft:
        """The draft with this change. Raises ``PuzzleInvalidError``."""
        _check_lines(draft, self.edge)
        axis, is_first = EDGES[self.edge]
        count = draft.size[axis]
        if count < 2:
            raise PuzzleInvalidError("This is the last row or column of the board.", "Leave it.")
        place = 0 if is_first else count - 1
        gone = {key for key in draft.marks if isinstance(key, tuple) and key[axis] == place}
        draft = replace(
            draft,
            marks={key: mark for key, mark in draft.marks.items() if key not in gone},
            walls=frozenset(pair for pair in draft.walls if not pair & gone),
            warps=_none_of(draft, axis),
            seen={key: dot for key, dot in draft.seen.items() if key not in gone},
        )
        return draft.shifted(axis - 1, -axis) if is_first else draft


@value_type
class SetColour:
    """A flow's pipe has another colour than its dots.

    ``rgb``: red, green and blue, 0 to 255; or ``"#ff00ff"``, or the name of one of the game's colours.
    """

    letter: str
    rgb: Rgb

    def __post_init__(self) -> None:
        """Raises ``TypeError`` for what is no colour."""
        given = colour_written(self.rgb) if isinstance(self.rgb, str) else self.rgb
        channels = tuple(given) if isinstance(given, Sequence) else ()
        if len(channels) != 3 or not all(isinstance(one, int) and 0 <= one <= 255 for one in channels):
            such = 'SetColour("R", (255, 0, 0)), with "#ff0000" or with a colour of the game, "red"'
            raise TypeError(f"{self.rgb!r} is no colour; give one, such as {such}.")
        object.__setattr__(self, "rgb", Rgb(*channels))

    def applied(self, draft: Draft) -> Draft:
        """The draft with this change. Raises ``PuzzleInvalidError``."""
        if self.letter not in LETTERS:
            raise PuzzleInvalidError(
                f"{self.letter!r} is no letter of a flow.", "Flows have letters or digits."
            )
        if self.letter not in draft.colours:  # it has been seen nowhere
            return _coloured(draft, self.letter, self.rgb)
        return replace(draft, asked={**draft.asked, self.letter: self.rgb})


@value_type
class SetBoard:
    """Another board in place of the one read, as the text form has it.

    ``drawn``: its text, its rows as ``grid`` has them, or a puzzle. Where it has more or fewer rows and
    columns, it is laid so that most of its dots lie where dots of their letters were seen.
    """

    drawn: Drawn

    def __post_init__(self) -> None:
        """Raises ``TypeError`` for what is no board, ``PuzzleInvalidError`` for a text that is none."""
        given: Any = self.drawn
        if isinstance(given, tuple | list) and all(isinstance(row, str) for row in given):
            given = "\n".join(given)
        if isinstance(given, str):
            given = read_drawn(given)
        elif isinstance(given, NamedPuzzle):
            given = draw(given.board, given.puzzle, given.letters)
        if not isinstance(given, Drawn):
            raise TypeError(f"{given!r:.40} is no board; give its text or its rows, such as answer.grid.")
        object.__setattr__(self, "drawn", given)

    def applied(self, draft: Draft) -> Draft:
        """The draft with this change. Raises ``PuzzleInvalidError``."""
        if draft.free is not None:
            raise PuzzleInvalidError(
                "A board without rows and columns has no text form.",
                "Change its cells one by one, by number.",
            )
        if self.drawn.tiling != draft.tiling:
            raise PuzzleInvalidError(
                f"The cells that were read are {draft.tiling}, those of the text {self.drawn.tiling}.",
                "Begin the text with a line `hex` for hexagons, without it for squares.",
            )
        down, right = _best_place(draft, self.drawn)
        draft = draft.shifted(down, right)
        marks: dict[Key, str] = {}
        for r, row in enumerate(self.drawn.grid):
            for c, mark in enumerate(row):
                letter = mark
                if mark in LETTERS:
                    letter, draft = _known_letter(draft, mark)
                marks[r, c] = letter
        walls, warps = (
            frozenset(frozenset[Key](p) for p in pairs) for pairs in (self.drawn.walls, self.drawn.warps)
        )
        return replace(draft, marks=marks, walls=walls, warps=warps)


Correction = SetCell | SetWall | SetWarp | AddLine | RemoveLine | SetColour | SetBoard


def corrected(reading: Reading, corrections: Iterable[Correction]) -> Reading:
    """The reading with these changes. Raises ``PuzzleInvalidError`` in words for what cannot be."""
    return reading_of(changed(draft_of(reading), corrections))


def changed(draft: Draft, corrections: Iterable[Correction]) -> Draft:
    """The draft with these changes; it need not be a puzzle before the last one, nor after it.

    Raises ``PuzzleInvalidError``, also for the colour of a flow that has no dot in the end.
    """
    coloured = set[str]()
    for one in corrections:
        if not isinstance(one, Correction):
            raise TypeError(f'{one!r} is no correction; give one, such as SetCell((2, 3), "R").')
        draft = one.applied(draft)
        if isinstance(one, SetColour):
            coloured.add(one.letter)
    there = set(draft.marks.values())
    if unknown := sorted(coloured - there):
        known = " ".join(letter for letter in draft.colours if letter in there) or "none"
        raise PuzzleInvalidError(
            f"No dot has the letter {unknown[0]}, so it cannot be given a colour (the board has {known}).",
            "Give the letter of a flow of the board, or set its two dots as well.",
        )
    return draft


def _coloured(draft: Draft, letter: str, rgb: Rgb) -> Draft:
    return replace(draft, colours={**draft.colours, letter: rgb})


def _known_letter(draft: Draft, mark: str) -> tuple[str, Draft]:
    """The letter that is meant, also by the name of its colour, and the draft that has a colour for it."""
    if len(mark) > 1 and letter_named(mark):
        return _letter_of_colour(draft, mark.lower())
    for letter in (mark, mark.upper()):
        if letter in draft.colours:
            return letter, draft
    if mark.upper() in COLOURS and len(mark) == 1:
        return mark.upper(), _coloured(draft, mark.upper(), COLOURS[mark.upper()].rgb)
    known, free = " ".join(draft.colours) or "none", " ".join(sorted(COLOURS.keys() - draft.colours.keys()))
    raise PuzzleInvalidError(
        f"{mark!r} is neither `.`, `#` or `+` nor a letter of the board (it has {known}).",
        f"A flow that was not seen may have a letter that is free, which names its colour: {free}."
        if free
        else "Give a letter of the board.",
    )


def _letter_of_colour(draft: Draft, name: str) -> tuple[str, Draft]:
    """The letter of the flow whose dots have that colour; where none has, a free one, its own if it is."""
    letters, names = list(draft.colours), names_for(undimmed(tuple(draft.colours.values())))
    if name in names:
        return letters[names.index(name)], draft
    own = letter_named(name) or ""
    letter = next(one for one in (own, *LETTERS) if one not in draft.colours)
    return letter, _coloured(draft, letter, COLOURS[own].rgb)


def _none_of(draft: Draft, axis: int) -> Sides:
    """The warps without those that join the ends of columns (0) or rows (1): they end elsewhere now."""
    ends = {pair: [key for key in pair if isinstance(key, tuple)] for pair in draft.warps}
    return frozenset(pair for pair, (a, b) in ends.items() if a[1 - axis] != b[1 - axis])


def _best_place(draft: Draft, drawn: Drawn) -> tuple[int, int]:
    """How far down and right the board that was read lies in the one given."""
    (rows, cols), (tall, wide) = draft.size, (len(drawn.grid), len(drawn.grid[0]))
    if (rows, cols) == (tall, wide):
        return 0, 0

    def agreeing(down: int, right: int) -> int:
        return sum(
            isinstance(key, tuple)
            and 0 <= key[0] + down < tall
            and 0 <= key[1] + right < wide
            and drawn.grid[key[0] + down][key[1] + right] == dot.letter
            for key, dot in draft.seen.items()
        )

    by_rows, by_cols = (range(min(0, more), max(0, more) + 1) for more in (tall - rows, wide - cols))
    # An odd number of columns further on, hexagons would lie half a cell higher or lower.
    by_cols = (
        by_cols if draft.tiling == "square" else range(by_cols.start + by_cols.start % 2, by_cols.stop, 2)
    )
    ways = [(agreeing(down, right), down, right) for down in by_rows for right in by_cols]
    best = max(ways, default=(0, 0, 0))
    if best[0] == 0 or sum(way[0] == best[0] for way in ways) > 1:
        raise PuzzleInvalidError(
            f"The board that was read has {rows} rows and {cols} columns, the text {tall} and {wide}; "
            "its dots do not say which of them are new.",
            "Give the dots that were read their letters; `flowvision read` prints the board to begin from.",
        )
    return best[1], best[2]


def _check_cell(draft: Draft, cell: Key) -> None:
    if cell in draft.marks:
        return
    rows, cols = draft.size
    if draft.free is not None:
        raise PuzzleInvalidError(
            f"There is no cell {_words([cell])}: this board has no rows and columns, but cells 1 to {cols}.",
            "`--debug DIR` shows their numbers." if isinstance(cell, tuple) else None,
        )
    raise PuzzleInvalidError(
        f"There is no cell {_words([cell])}: the board has {rows} rows and {cols} columns, counted from 1.",
        "Give row,column.",
    )


def _check_pair(draft: Draft, pair: frozenset[Key]) -> None:
    if len(pair) != 2:
        raise PuzzleInvalidError(f"{_words(pair)} is one cell; two were expected.", "Name two cells.")
    for cell in pair:
        _check_cell(draft, cell)


def _check_lines(draft: Draft, edge: Edge) -> None:
    if draft.free is not None:
        raise PuzzleInvalidError("This board has no rows and columns.", "Change its cells one by one.")
    if draft.tiling == "hex" and edge == "left":
        raise PuzzleInvalidError(
            "On hexagons a column on the left would turn all others up or down by half a cell.",
            "Add or take away columns on the right.",
        )


def _are_neighbours(draft: Draft, pair: frozenset[Key]) -> bool:
    if draft.free is not None:
        return any(pair == frozenset(edge) for edge in draft.free.graph.edges)
    (r0, c0), (r1, c1) = sorted(key for key in pair if isinstance(key, tuple))
    if draft.tiling == "square":
        return abs(r0 - r1) + abs(c0 - c1) == 1
    # Odd columns lie half a cell higher: beside even ones are the same row and the next, in that order.
    if c0 == c1:
        return abs(r0 - r1) == 1
    return abs(c0 - c1) == 1 and r1 - r0 in ((0, -1) if c0 % 2 else (0, 1))


def _words(cells: Iterable[Key]) -> str:
    places = [cell if isinstance(cell, tuple) else (cell,) for cell in cells]
    named = sorted(",".join(str(number + 1) for number in place) for place in places)
    return " and ".join(named)
