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
from flowvision.puzzle.check import dot_faults, invalid_puzzle
from flowvision.puzzle.layout import Board, Key, NamedPuzzle, Place, Point
from flowvision.puzzle.model import BRIDGE, EMPTY, HOLE, LETTERS, Puzzle
from flowvision.puzzle.text import Drawn, draw, read_drawn
from flowvision.vision.assembly import Reading
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.pixels.view import Floats, colour_distance
from flowvision.words import Change, Hint, Option, Part

SAME_COLOUR = 14.0
"""Lab: dots of one pair differ by 13 at most on screenshots, those of two pairs by 28 and more."""
BRIDGE_HERE = "Bridges are cells of boards with rows and columns."
REMOVE_BRIDGE = Hint("Remove it: {}.", Change(mark="."))
"""Fault of a bridge on a board without rows and columns, and what to do."""

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
        return lattice.size if lattice else (1, len(self.marks))

    def drawn(self) -> Drawn:
        """Return rows, walls and warps for the text form; the board must have rows and columns."""
        rows, cols = self.size
        grid = []
        for r in range(rows):
            row = [self.marks[r, c] for c in range(cols)]
            grid.append("".join(row))
        return Drawn(self.tiling, tuple(grid), self.walls, self.warps)


def draft_of(reading: Reading) -> Draft:
    """Return the draft of a whole reading."""
    letters, board, dots_seen = reading.letters, reading.board, dict[Key, SeenDot]()
    doubts = reading.dot_doubts or ((0.0, 0.0),) * len(letters)
    flows = zip(letters, reading.puzzle.terminals, reading.ends_px, doubts, strict=True)
    for letter, dots, ends_px, pair_doubts in flows:
        for dot, centre_px, doubt in zip(dots, ends_px, pair_doubts, strict=True):
            dots_seen[board.key_of(dot)] = SeenDot(letter, centre_px, doubt)
    colours = dict(zip(letters, reading.palette, strict=True))
    return _draft_with(reading, dots_seen, colours)


def draft_of_dots(geometry: BoardGeometry, dots: Dots | None) -> Draft:
    """Return the draft of a board whose dots are not paired; two of similar colour share a letter."""
    board, fit = geometry.board, geometry.fit
    dots_seen, colours = dict[Key, SeenDot](), dict[str, Rgb]()
    if dots is not None and dots.dots:
        detected, doubt_of_cell = dots.dots, 1 - dots.cover  # cover: share of a dot's ring in its colour
        groups = _alike(np.array([dot.lab for dot in detected]))
        palette = [detected[first].rgb for first, *_ in groups]
        letters = letters_for(palette)
        colours = dict(zip(letters, palette, strict=True))
        for letter, group in zip(letters, groups, strict=True):
            for number in group:
                dot = detected[number]
                doubt = float(doubt_of_cell[dot.cell])
                dots_seen[board.key_of(dot.cell)] = SeenDot(letter, dot.centre_px, doubt)
    reading = Reading(
        board,
        Puzzle(board.graph, terminals=()),
        fit.frame,
        palette=(),
        confidence=1.0,  # of the flows, of which there are none yet; each dot has its own doubt
        ends_px=(),
        walls_confidence=geometry.clarity,
        lines_confidence=fit.quality,
    )
    return _draft_with(reading, dots_seen, colours)


def _alike(lab: Floats) -> list[list[int]]:
    """Return pairs of dots of similar colours (N, 3), then single dots, all sorted by their first number.

    Of a dot's partners the closest is taken, over all dots the closest pair first.
    """
    distances = colour_distance(lab[:, None], lab[None])
    close_pairs = np.argwhere(np.triu(distances < SAME_COLOUR, 1)).tolist()
    unpaired, pairs = set(range(len(lab))), list[list[int]]()
    for pair in sorted(close_pairs, key=lambda pair: distances[tuple(pair)]):
        if unpaired.issuperset(pair):
            pairs.append(pair)
            unpaired.difference_update(pair)
    return sorted([*pairs, *([number] for number in unpaired)])


def _draft_with(reading: Reading, dots_seen: dict[Key, SeenDot], colours: dict[str, Rgb]) -> Draft:
    """Return the draft of a board with these dots on it."""
    board, letter_at = reading.board, {key: dot.letter for key, dot in dots_seen.items()}
    marks: dict[Key, str]
    if board.lattice is None:
        marks = dict.fromkeys(range(len(board.layout.cells)), EMPTY)
        return Draft(reading, marks | letter_at, colours, seen=dots_seen)
    drawn = draw(board, Puzzle(board.graph, terminals=()))
    marks = dict(drawn.marks.items())
    return Draft(reading, marks | letter_at, colours, drawn.walls, drawn.warps, dots_seen)


def frame_of_unit_cells(board: Board, frame: Frame) -> Frame:
    """Return the frame scaled to cells 1.0 apart; unchanged for a board without rows and columns."""
    if board.lattice is None:
        return frame
    unit_board = boards.plain_board(board.lattice)
    unit_centres, centres = np.array(unit_board.layout.centres), np.array(board.layout.centres)
    if np.abs(unit_centres - centres).max() < 1e-6:
        return frame
    return Frame.of_homography(frame.homography @ affine_map(unit_centres, centres))


def reading_of(draft: Draft) -> Reading:
    """Return the reading of a draft; corrected parts count as certain.

    Raises ``PuzzleInvalidError`` with every fault of the puzzle.
    """
    built, keys = _built(draft)
    board, frame, before, letters = built.board, draft.frame, draft.reading, built.letters
    flow_of = built.puzzle.dots
    seen_dots = {cell: draft.seen[keys[cell]] for cell in flow_of if keys[cell] in draft.seen}

    def place_px(cell: int) -> Point:
        """Return the place of a dot: as seen, or the middle of its cell."""
        if cell in seen_dots:
            return seen_dots[cell].centre_px
        ((x, y),) = frame.to_px(board.layout.cells[cell].centre).tolist()
        return x, y

    def doubt(cell: int) -> float:
        """Return the doubt of a dot that is as it was seen; corrected ones are certain."""
        is_as_seen = cell in seen_dots and seen_dots[cell].letter == letters[flow_of[cell]]
        return seen_dots[cell].doubt if is_as_seen else 0.0

    terminals = built.puzzle.terminals
    dots_confidence = 1 - max(map(doubt, flow_of), default=0.0)
    confidence = min(before.lines_confidence, before.walls_confidence, dots_confidence)
    return replace(
        before,
        board=board,
        puzzle=built.puzzle,
        frame=frame,
        palette=tuple(draft.colours[letter] for letter in letters),
        confidence=round(confidence, 3),
        ends_px=tuple((place_px(a), place_px(b)) for a, b in terminals),
        weakest=Part(),
        dot_doubts=tuple((doubt(a), doubt(b)) for a, b in terminals),
        pair_confidences=(),
        corrected=True,
        names=letters,
        given=tuple(cell for cell in flow_of if cell not in seen_dots),
    )


def _built(draft: Draft) -> tuple[NamedPuzzle, Sequence[Key]]:
    """Return the puzzle of a draft, and the name of every cell. Raises ``PuzzleInvalidError``."""
    if draft.free is None:
        built = text.build(draft.drawn())
        assert built.board.lattice is not None
        return built, built.board.lattice.places
    layout, marks, sides = draft.free.layout, draft.marks, list[boards.OpenSide]()
    _refuse_faults(marks)
    kept_cells = [cell for cell in range(len(layout.cells)) if marks[cell] != HOLE]
    new_number = {cell: number for number, cell in enumerate(kept_cells)}
    for edge, (u, v) in enumerate(draft.free.graph.edges):
        if u in new_number and v in new_number:
            sides.append(boards.OpenSide(new_number[u], new_number[v], *layout.crossings(edge)))
    board = boards.build([layout.cells[cell] for cell in kept_cells], sides)
    dots_of = dict[str, list[int]]()
    for cell in kept_cells:
        if marks[cell] in LETTERS:
            dots_of.setdefault(marks[cell], []).append(new_number[cell])
    terminals = tuple((first, second) for first, second in dots_of.values())
    return NamedPuzzle("", board, Puzzle(board.graph, terminals), tuple(dots_of)), kept_cells


def _refuse_faults(marks: Mapping[Key, str]) -> None:
    """Raise ``PuzzleInvalidError`` for the faults of a board without rows and columns."""
    dots = dot_faults((f"cell {cell + 1}", marks[cell]) for cell in range(len(marks)))
    bridges = [BRIDGE_HERE] if BRIDGE in marks.values() else []
    if dots or bridges:
        raise invalid_puzzle(dots + bridges, text.TWO_DOTS if dots else REMOVE_BRIDGE)


class SetCell(Struct, frozen=True):
    """Correction of a cell: ``.`` empty, ``#`` hole, ``+`` bridge, or for a dot its flow's letter or colour.

    ``cell``: row and column from 0; on a board without them, the cell's number ``n`` or ``(0, n)``.
    """

    cell: Key
    mark: str

    def __post_init__(self) -> None:
        """Raise ``TypeError`` for what names no cell or mark."""
        if not _is_key(self.cell):
            raise wrong_type("cell", self.cell, "row and column from 0, such as (0, 3), or a cell's number")
        check_type("mark", self.mark, str, 'text, such as "R", "red", "." or "#"')

    def applied(self, draft: Draft) -> Draft:
        """Return the draft with this change. Raises ``PuzzleInvalidError``."""
        cell = _checked_cell(draft, self.cell)
        if self.mark == BRIDGE and draft.tiling != "square":
            hint = "Set the cell to `.`, `#` or the letter of a flow."
            raise PuzzleInvalidError("Only squares have bridges.", hint)
        mark = self.mark
        if mark == HOLE:
            walls = tuple(pair for pair in draft.walls if cell not in pair)
            warps = tuple(pair for pair in draft.warps if cell not in pair)
            draft = replace(draft, walls=walls, warps=warps)
        elif mark not in (EMPTY, BRIDGE):
            mark, draft = _known_letter(draft, mark)
        return replace(draft, marks={**draft.marks, cell: mark})


def _is_key(cell: object) -> bool:
    """Return true for a whole number, or a row and a column."""
    numbers = cell if isinstance(cell, tuple) and len(cell) == 2 else (cell,)
    return not any(isinstance(number, bool) or not isinstance(number, Integral) for number in numbers)


class SetBoard(Struct, frozen=True):
    """Correction of the whole board, with its walls and warps.

    ``board``: its text, its rows as in ``grid``, or a puzzle; of the same size as the board read.
    """

    board: str | Sequence[str] | Any

    def __post_init__(self) -> None:
        """Raise ``TypeError`` for what is no board."""
        rows = getattr(self.board, "text", self.board)  # a puzzle has a text
        # A text is a sequence of texts as well: its characters.
        is_board = isinstance(rows, Sequence) and not isinstance(rows, bytes)
        if not (is_board and all(isinstance(row, str) for row in rows)):
            raise wrong_type("board", self.board, "its text, its rows, or a puzzle")

    def applied(self, draft: Draft) -> Draft:
        """Return the draft with this change. Raises ``PuzzleInvalidError``."""
        if draft.free is not None:
            hint = "Change its cells one by one, by number."
            raise PuzzleInvalidError("A board without rows and columns has no text form.", hint)
        text: str | Sequence[str] = getattr(self.board, "text", self.board)
        drawn = read_drawn(text if isinstance(text, str) else "\n".join(text))
        if (*draft.size, draft.tiling) != (*drawn.size, drawn.tiling):
            size_given, size_read = _size_in_words(drawn), _size_in_words(draft)
            rows, cols = drawn.size
            resized = Hint("Read it at this size: {}.", Option("grid", f"{cols}x{rows}"))
            raise PuzzleInvalidError(
                f"The text has {size_given}; the board that was read has {size_read}.", resized
            )
        letter_of = dict[str, str]()
        for mark in dict.fromkeys("".join(drawn.grid)):
            if mark in LETTERS:
                # The draft learns the colour of a new letter.
                letter_of[mark], draft = _known_letter(draft, mark)
        marks: dict[Key, str] = {place: letter_of.get(mark, mark) for place, mark in drawn.marks.items()}
        return replace(draft, marks=marks, walls=drawn.walls, warps=drawn.warps)


def _size_in_words(board: Draft | Drawn) -> str:
    rows, cols = board.size
    return f"{rows} rows and {cols} columns of {board.tiling} cells"


Correction = SetCell | SetBoard


def changed(draft: Draft, corrections: Iterable[Correction]) -> Draft:
    """Return the draft with these changes; it need not be a puzzle. Raises ``PuzzleInvalidError``."""
    for correction in corrections:
        draft = correction.applied(draft)
    return draft


def _known_letter(draft: Draft, mark: str) -> tuple[str, Draft]:
    """Return the letter of a mark, which may be a colour's name, and the draft with a colour for it.

    A colour that no flow has takes a free letter, preferably its own. Raises ``PuzzleInvalidError``.
    """
    is_name, letter = len(mark) > 1, mark
    game_letter = letter_named(mark) if is_name else mark.upper()  # of the game's colour
    # A name means the flow of that colour, a small letter the large one unless a flow has the small one.
    if is_name and game_letter:
        flow_names = names_for(undimmed(list(draft.colours.values())))
        letter_of = dict(zip(flow_names, draft.colours, strict=True))
        free = next(letter for letter in (game_letter, *LETTERS) if letter not in draft.colours)
        letter = letter_of.get(mark.lower(), free)
    elif not is_name and mark not in draft.colours:
        letter = mark.upper()
    if letter in draft.colours:
        return letter, draft
    if game_letter and game_letter in COLOURS:
        return letter, replace(draft, colours={**draft.colours, letter: COLOURS[game_letter].rgb})
    letters_there, unused = " ".join(draft.colours) or "none", sorted(COLOURS.keys() - draft.colours.keys())
    hint = "Give a letter of the board."
    if unused:
        hint = f"A missed flow can take a free letter, which sets its colour: {' '.join(unused)}."
    message = f"{mark!r} is neither `.`, `#` or `+` nor a letter of the board (it has {letters_there})."
    raise PuzzleInvalidError(message, hint)


def _checked_cell(draft: Draft, cell: Key) -> Key:
    """Return the name of a cell of the draft. Raises ``PuzzleInvalidError`` if it has none of that name."""
    if draft.free is not None and isinstance(cell, tuple) and cell[0] == 0:
        cell = cell[1]  # named as if all cells lay in one row
    if cell in draft.marks:
        return cell
    rows, cols = draft.size
    size = f"{rows} rows and {cols} columns" if draft.free is None else f"{cols} cells, without rows"
    words = Hint(f"There is no {{}}: the board has {size}.", cell)
    raise PuzzleInvalidError(words, "The debug page shows its cells.")
