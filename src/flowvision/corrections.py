"""Corrections by hand: a reading becomes an editable draft, and the draft a reading again.

    reading_of(changed(draft_of(reading), [SetCell((3, 4), "R"), SetCell((0, 2), ".")]))

A draft holds cells with marks, walls, warps, colours, and their place in the picture. Cells are named by row
and column from 0, or by number on boards without rows. Corrections apply in order; the board keeps its place,
and flows keep their colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from flowvision.arguments import check_type, wrong_type
from flowvision.colours import COLOURS, letter_named
from flowvision.errors import PuzzleInvalidError
from flowvision.image.picture import Frame, Rgb, affine_map
from flowvision.palette import letters_for, names_for, undimmed
from flowvision.puzzle import boards, text
from flowvision.puzzle.layout import Board, Key, NamedPuzzle, Place, Point
from flowvision.puzzle.model import BRIDGE, EMPTY, HOLE, LETTERS, Puzzle
from flowvision.puzzle.notation import dot_faults, invalid_puzzle
from flowvision.puzzle.text import Drawn, draw, read_drawn
from flowvision.vision.assembly import Reading
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.pixels.view import Floats, colour_distance
from flowvision.words import Change, Hint, Option

SAME_COLOUR = 14.0
"""Lab: dots of one pair differ by 13 at most on screenshots, those of two pairs by 28 and more."""

Pairs = tuple[tuple[Place, Place], ...]
"""Pairs of cells with a wall between them, or joined by a warp."""


class SeenDot(Struct, frozen=True):
    """A detected dot: its letter, its place, and its doubt, 0 to 1."""

    letter: str
    centre_px: Point
    doubt: float = 0.0


class Draft(Struct, frozen=True):
    """A board that may not be a puzzle yet. ``marks``: what every cell shows, as in the text form.

    ``reading``: as it was read, without flows where dots are not paired. ``seen``: the dots as detected.
    """

    reading: Reading
    marks: Mapping[Key, str]
    colours: Mapping[str, Rgb]
    walls: Pairs = ()
    warps: Pairs = ()
    seen: Mapping[Key, SeenDot] = field(default_factory=dict)

    @property
    def free(self) -> Board | None:
        """The board, if it has no rows and columns; its cells keep their numbers."""
        return None if self.reading.lattice else self.reading.board

    @property
    def tiling(self) -> str:
        """Shape of the cells."""
        return self.reading.lattice.tiling if self.reading.lattice else "free"

    @property
    def frame(self) -> Frame:
        """Place in the picture, of cells 1.0 apart."""
        return frame_of_unit_cells(self.reading.board, self.reading.frame)

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns; on a board without them, 1 and the number of cells."""
        lattice = self.reading.lattice
        return (lattice.rows, lattice.cols) if lattice else (1, len(self.marks))

    def drawn(self) -> Drawn:
        """Return rows, walls and warps for the text form; the board must have rows and columns."""
        rows, cols = self.size
        grid = tuple("".join(self.marks[r, c] for c in range(cols)) for r in range(rows))
        return Drawn(self.tiling, grid, self.walls, self.warps)


def draft_of(reading: Reading) -> Draft:
    """Return the draft of a whole reading."""
    flows = zip(
        reading.letters,
        reading.puzzle.terminals,
        reading.ends_px,
        reading.dot_doubts or ((0.0, 0.0),) * len(reading.letters),
        strict=True,
    )
    seen = {
        reading.board.key_of(dot): SeenDot(letter, at, doubt)
        for letter, dots, ends, pair in flows
        for dot, at, doubt in zip(dots, ends, pair, strict=True)
    }
    return _draft_with(reading, seen, dict(zip(reading.letters, reading.palette, strict=True)))


def draft_of_dots(geometry: BoardGeometry, dots: Dots | None) -> Draft:
    """Return the draft of a board whose dots are not paired; two of similar colour share a letter."""
    board, fit, seen, colours = geometry.board, geometry.fit, dict[Key, SeenDot](), dict[str, Rgb]()
    if dots is not None and dots.dots:
        groups = _alike(np.array([dot.lab for dot in dots.dots]))
        letters = letters_for([dots.dots[group[0]].rgb for group in groups])
        cover = dots.cover
        for letter, group in zip(letters, groups, strict=True):
            colours[letter] = dots.dots[group[0]].rgb
            for dot in (dots.dots[n] for n in group):
                seen[board.key_of(dot.cell)] = SeenDot(letter, dot.centre_px, float(1 - cover[dot.cell]))
    none = Puzzle(board.graph, ())
    reading = Reading(board, none, fit.frame, (), 1.0, (), geometry.clarity, lines_confidence=fit.quality)
    return _draft_with(reading, seen, colours)


def _alike(lab: Floats) -> list[list[int]]:
    apart = colour_distance(lab[:, None], lab[None])
    near = np.argwhere(np.triu(apart < SAME_COLOUR, 1)).tolist()
    ungrouped, groups = set(range(len(lab))), list[list[int]]()
    for pair in sorted(near, key=lambda pair: apart[pair[0], pair[1]]):
        if ungrouped.issuperset(pair):
            groups.append(pair)
            ungrouped.difference_update(pair)
    return sorted([*groups, *([n] for n in ungrouped)])


def _draft_with(reading: Reading, seen: dict[Key, SeenDot], colours: dict[str, Rgb]) -> Draft:
    board, dots = reading.board, {key: dot.letter for key, dot in seen.items()}
    if board.lattice is None:
        marks: dict[Key, str] = dict.fromkeys(range(len(board.layout.cells)), EMPTY)
        return Draft(reading, marks | dots, colours, seen=seen)
    drawn = draw(board, Puzzle(board.graph, ()))
    return Draft(reading, _marks_of(drawn) | dots, colours, drawn.walls, drawn.warps, seen)


def _marks_of(drawn: Drawn) -> dict[Key, str]:
    return {(r, c): mark for r, row in enumerate(drawn.grid) for c, mark in enumerate(row)}


def frame_of_unit_cells(board: Board, frame: Frame) -> Frame:
    """Return the frame scaled to cells 1.0 apart; unchanged for a board without rows and columns."""
    if board.lattice is None:
        return frame
    unit, seen = (np.array(shape.layout.centres) for shape in (boards.plain_board(board.lattice), board))
    if np.abs(unit - seen).max() < 1e-6:
        return frame
    return Frame.of_homography(frame.homography @ affine_map(unit, seen))


def reading_of(draft: Draft) -> Reading:
    """Return the reading of a draft; corrected parts count as certain.

    Raises ``PuzzleInvalidError`` with every fault of the puzzle.
    """
    built, keys = _built(draft)
    board, frame, before = built.board, draft.frame, draft.reading

    def place(cell: int) -> Point:
        if keys[cell] in draft.seen:
            return draft.seen[keys[cell]].centre_px
        x, y = frame.to_px([board.layout.cells[cell].centre])[0].tolist()
        return x, y

    ends, doubts = [], []
    for letter, (a, b) in zip(built.letters, built.puzzle.terminals, strict=True):
        first, second = (draft.seen.get(keys[cell], SeenDot("", (0.0, 0.0))) for cell in (a, b))
        ends.append((place(a), place(b)))
        doubts.append(tuple(dot.doubt if dot.letter == letter else 0.0 for dot in (first, second)))
    confidence = min(
        before.lines_confidence, before.walls_confidence, *(1 - doubt for pair in doubts for doubt in pair)
    )
    return replace(
        before,
        board=board,
        puzzle=built.puzzle,
        frame=frame,
        palette=tuple(draft.colours[letter] for letter in built.letters),
        confidence=round(confidence, 3),
        ends_px=tuple(ends),
        weakest="",
        dot_doubts=tuple(doubts),
        pair_confidences=(),
        corrected=True,
        names=built.letters,
        given=tuple(cell for cell in built.puzzle.dots if keys[cell] not in draft.seen),
        weakest_stage=None,
    )


def _built(draft: Draft) -> tuple[NamedPuzzle, Sequence[Key]]:
    if draft.free is None:
        built = text.build(draft.drawn())
        assert built.board.lattice is not None
        return built, built.board.lattice.places
    cells, marks = draft.free.layout.cells, draft.marks
    kept = [cell for cell in range(len(cells)) if marks[cell] != HOLE]
    number = {cell: n for n, cell in enumerate(kept)}
    sides = [
        boards.OpenSide(number[u], number[v], strokes[0][1], strokes[-1][-2])
        for (u, v), strokes in zip(draft.free.graph.edges, draft.free.layout.strokes, strict=True)
        if u in number and v in number
    ]
    _refuse_faults(marks)
    board = boards.build([cells[cell] for cell in kept], sides)
    letters = tuple(dict.fromkeys(mark for mark in marks.values() if mark in LETTERS))
    ends = ([number[cell] for cell in kept if marks[cell] == letter] for letter in letters)
    return NamedPuzzle("", board, Puzzle(board.graph, tuple((a, b) for a, b in ends)), letters), kept


def _refuse_faults(marks: Mapping[Key, str]) -> None:
    """Raise ``PuzzleInvalidError`` for the faults of a board without rows and columns."""
    dots = dot_faults((f"cell {cell + 1}", marks[cell]) for cell in range(len(marks)))
    has_bridge = BRIDGE in marks.values()
    bridges = ["Bridges are cells of boards with rows and columns."] if has_bridge else []
    if dots or bridges:
        raise invalid_puzzle(
            dots + bridges, text.TWO_DOTS if dots else Hint("Remove it: {}.", Change(None, "."))
        )


class SetCell(Struct, frozen=True):
    """Correction of a cell: ``.`` empty, ``#`` hole, ``+`` bridge, or for a dot its flow's letter or colour.

    ``cell``: row and column from 0; on a board without them, the cell's number ``n`` or ``(0, n)``.
    """

    cell: Key
    mark: str

    def __post_init__(self) -> None:
        """Raise ``TypeError`` for what names no cell or mark."""
        numbers = self.cell if isinstance(self.cell, tuple) and len(self.cell) == 2 else (self.cell,)
        if not all(isinstance(number, Integral) and not isinstance(number, bool) for number in numbers):
            raise wrong_type("cell", self.cell, "row and column from 0, such as (0, 3), or a cell's number")
        check_type("mark", self.mark, str, 'text, such as "R", "red", "." or "#"')

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
    """Correction of the whole board, with its walls and warps.

    ``board``: its text, its rows as in ``grid``, or a puzzle; of the same size as the board read.
    """

    board: str | Sequence[str] | Any

    def __post_init__(self) -> None:
        """Raise ``TypeError`` for what is no board."""
        rows = getattr(self.board, "text", self.board)
        is_board = isinstance(rows, Sequence) and not isinstance(rows, bytes)
        if not (is_board and all(isinstance(row, str) for row in rows)):
            raise wrong_type("board", self.board, "its text, its rows, or a puzzle")

    def applied(self, draft: Draft) -> Draft:
        """Return the draft with this change. Raises ``PuzzleInvalidError``."""
        if draft.free is not None:
            raise PuzzleInvalidError(
                "A board without rows and columns has no text form.",
                "Change its cells one by one, by number.",
            )
        text: str | Sequence[str] = getattr(self.board, "text", self.board)
        drawn = read_drawn(text if isinstance(text, str) else "\n".join(text))
        (rows, cols), (tall, wide) = draft.size, (len(drawn.grid), len(drawn.grid[0]))
        if (rows, cols, draft.tiling) != (tall, wide, drawn.tiling):
            raise PuzzleInvalidError(
                f"The text has {tall} rows and {wide} columns of {drawn.tiling} cells; the board that was "
                f"read has {rows} rows and {cols} columns of {draft.tiling} cells.",
                Hint("Read it at this size: {}.", Option("grid", f"{wide}x{tall}")),
            )
        letters = dict[str, str]()
        for mark in dict.fromkeys("".join(drawn.grid)):
            if mark in LETTERS:
                letters[mark], draft = _known_letter(draft, mark)
        marks = {place: letters.get(mark, mark) for place, mark in _marks_of(drawn).items()}
        return replace(draft, marks=marks, walls=drawn.walls, warps=drawn.warps)


Correction = SetCell | SetBoard


def changed(draft: Draft, corrections: Iterable[Correction]) -> Draft:
    """Return the draft with these changes; it need not be a puzzle. Raises ``PuzzleInvalidError``."""
    for correction in corrections:
        draft = correction.applied(draft)
    return draft


def _known_letter(draft: Draft, mark: str) -> tuple[str, Draft]:
    """Return the letter of a mark, which may be a colour's name, and the draft with a colour for it.

    A colour that no flow has takes a free letter, preferably its own.
    """
    letter, usual = mark, letter_named(mark) if len(mark) > 1 else mark.upper()
    if len(mark) == 1 and mark not in draft.colours:
        letter = mark.upper()
    elif len(mark) > 1 and usual:
        names = dict(zip(names_for(undimmed(list(draft.colours.values()))), draft.colours, strict=True))
        free = next(letter for letter in (usual, *LETTERS) if letter not in draft.colours)
        letter = names.get(mark.lower(), free)
    if letter in draft.colours:
        return letter, draft
    if usual and usual in COLOURS:
        return letter, replace(draft, colours={**draft.colours, letter: COLOURS[usual].rgb})
    known, unused = " ".join(draft.colours) or "none", " ".join(sorted(COLOURS.keys() - draft.colours.keys()))
    raise PuzzleInvalidError(
        f"{mark!r} is neither `.`, `#` or `+` nor a letter of the board (it has {known}).",
        f"A missed flow can take a free letter, which sets its colour: {unused}."
        if unused
        else "Give a letter of the board.",
    )


def _checked_cell(draft: Draft, cell: Key) -> Key:
    if draft.free is not None and isinstance(cell, tuple) and cell[0] == 0:
        cell = cell[1]
    if cell in draft.marks:
        return cell
    rows, cols = draft.size
    size = f"{rows} rows and {cols} columns" if draft.free is None else f"{cols} cells, without rows"
    words = Hint(f"There is no {{}}: the board has {size}.", cell)
    raise PuzzleInvalidError(words, "The debug page shows its cells.")
