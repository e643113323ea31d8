"""The solved board as text: plain letters, or pipes and dots in the flows' colours.

A place is a row and a column of the board, a spot a column and a line of characters. A strand is one way
through a cell: a bridge has two.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct, field

from flowvision.colours import BLACK, Rgb, shown_on
from flowvision.puzzle.boards import walls_and_warps
from flowvision.puzzle.layout import Board, Lattice, Place
from flowvision.puzzle.model import Path, Puzzle, Solution

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
"""Sides of a cell, as bits of a set of them."""
PIPES = {
    UP | DOWN: "┃",
    LEFT | RIGHT: "━",
    DOWN | RIGHT: "┏",
    DOWN | LEFT: "┓",
    UP | RIGHT: "┗",
    UP | LEFT: "┛",
}
"""The pipe through the two sides of a set."""
STEPS = {UP: (0, -1), DOWN: (0, 1), LEFT: (-1, 0), RIGHT: (1, 0)}
"""Characters across and lines down to the neighbouring character."""
OPEN = {UP: "▴", DOWN: "▾", LEFT: "◂", RIGHT: "▸"}
"""Marks of warps."""
DOT, BRIDGE, STEP, EMPTY = "●", "╋", "•", "·"
NO_FLOW, UNCOLOURED = -1, -2
"""In place of a flow's number: of lines of the board; of the space between marks."""
Depth: TypeAlias = Literal[0, 4, 8, 24]
"""Bits of a colour: none, 16 colours, 256, all."""
FEW_COLOURS: Depth = 4
"""Bits with which some flows look alike."""
GROUND, LINES = BLACK, Rgb(140, 140, 140)
"""Colours behind a board, and of its walls and openings."""


class Spot(NamedTuple):
    """Column and line of a character."""

    column: int
    line: int


class Mark(NamedTuple):
    """A character, and the number of its flow."""

    character: str
    flow: int


SPACE = Mark(" ", UNCOLOURED)


def solved_text(
    board: Board,
    puzzle: Puzzle,
    solution: Solution,
    letters: Sequence[str],
    palette: Sequence[Rgb] | None = None,
    depth: Depth = 24,
    shown_edges: Collection[int] | None = None,
) -> str:
    """Return the solved board, without a final newline; ``letters``, ``palette``: of each flow.

    Every cell shows its flow's letter; boards without rows and columns are lists of cell numbers from 1. With
    a ``palette`` and a ``depth``, squares and hexagons have coloured pipes and dots; dots have letters where
    colours are few, or with ``shown_edges``: the edges of the paths to draw, all by default; with none the
    board is unsolved.
    """
    shows_all = shown_edges is None
    lattice = board.lattice
    if palette is not None and depth and lattice is not None:
        signs = DOT * len(letters) if shows_all and depth > FEW_COLOURS else letters
        cell_of = board.layout.cell_of
        dots = {cell_of[dot]: signs[flow] for dot, flow in puzzle.dots.items()}
        kind = _Squares if board.squares else _Hexagons
        sheet = kind(board, lattice, depth, palette, "" if shows_all else EMPTY)
        sheet.draw(_parts(puzzle, solution, shown_edges), dots)
        return sheet.text()
    if lattice is None and shows_all:
        return _paths_in_numbers(board, solution, letters)
    marks = _marks(board, puzzle, solution, letters, shown_edges)
    return marked_text(board, marks, " " if shows_all else ".")


def _paths_in_numbers(board: Board, solution: Solution, letters: Sequence[str]) -> str:
    """Return a line per flow: its letter, and the numbers of its cells from 1."""
    lines = []
    for letter, path in zip(letters, solution.paths, strict=False):
        numbers = [str(board.layout.cell_of[strand] + 1) for strand in path.vertices]
        lines.append(f"{letter}: {' '.join(numbers)}")
    return "\n".join(lines)


def _marks(
    board: Board,
    puzzle: Puzzle,
    solution: Solution,
    letters: Sequence[str],
    shown_edges: Collection[int] | None,
) -> dict[int, str]:
    """Return the letter of the path through each cell, by cell; ``+`` where two flows pass."""
    marks: dict[int, str] = {}
    for flow, part in _parts(puzzle, solution, shown_edges):
        mark = letters[flow]
        for strand in part.vertices:
            cell = board.layout.cell_of[strand]
            marks[cell] = mark if marks.get(cell, mark) == mark else "+"
    return marks


def _parts(
    puzzle: Puzzle, solution: Solution, shown_edges: Collection[int] | None
) -> Iterator[tuple[int, Path]]:
    """Yield each flow with each piece of its path to show.

    A dot that no piece reaches is a piece of one strand.
    """
    for flow, path in enumerate(solution.paths):
        pieces = [path] if shown_edges is None else path.pieces(shown_edges)
        reached = {strand for piece in pieces for strand in piece.vertices}
        dots = [Path((dot,), ()) for dot in puzzle.terminals[flow] if dot not in reached]
        for piece in pieces + dots:
            yield flow, piece


def marked_text(board: Board, marks: Mapping[int, str], empty: str = " ") -> str:
    """Return the rows of a board with marks by cell; ``empty`` for cells without one, a space for holes.

    Boards without rows are lists of cell numbers from 1.
    """
    lattice = board.lattice
    if lattice is None:
        items = sorted(marks.items())
        return " ".join(f"{cell + 1}:{mark}" for cell, mark in items)
    mark_at = {place: marks.get(cell, empty) for cell, place in enumerate(lattice.places)}
    rows = []
    for r in range(lattice.rows):
        row = [mark_at.get((r, c), " ") for c in range(lattice.cols)]
        rows.append("".join(row).rstrip())
    return "\n".join(rows)


def depth_of(environ: Mapping[str, str], is_terminal: bool) -> Depth:
    """Choose the number of colours by ``NO_COLOR`` (https://no-color.org), ``COLORTERM`` and ``TERM``."""
    term = environ.get("TERM", "").lower()
    if not is_terminal or environ.get("NO_COLOR") or term == "dumb":
        return 0
    if environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return 24
    if term.endswith(("-direct", "-truecolor", "-24bit")) or environ.get("WT_SESSION"):
        return 24
    return 8 if "256color" in term or term in ("xterm-kitty", "xterm-ghostty", "alacritty") else 4


def painted(text: str, colour: Rgb, depth: Depth) -> str:
    """Return a text in the terminal's codes of a colour, lighter where it would not show on ``GROUND``."""
    if not depth:
        return text
    front, ground = _code(shown_on(colour, GROUND), depth, layer=30), _code(GROUND, depth, layer=40)
    return f"\x1b[{front};{ground}m{text}\x1b[0m"


@lru_cache(maxsize=4096)
def _code(colour: Rgb, depth: Depth, layer: int) -> str:
    """Return the terminal's code (ECMA-48, SGR) of a colour, in front (``layer`` 30) or behind (40)."""
    if depth == FEW_COLOURS:
        bits = [(level > 127) << place for place, level in enumerate(colour)]
        return str(layer + sum(bits))
    if depth == 24:
        return f"{layer + 8};2;{colour.red};{colour.green};{colour.blue}"
    # Each channel has the levels 0, 95, 135 … 255, numbered from 0: the nearest.
    red, green, blue = (max((level - 35) // 40, level > 47) for level in colour)
    number = 16 + 36 * red + 6 * green + blue
    return f"{layer + 8};5;{number}"


class _Sheet(Struct, dict=True):
    """Marks at spots. ``empty``: the character of empty cells, for counting them; none: a space."""

    board: Board
    lattice: Lattice
    depth: Depth
    palette: Sequence[Rgb]
    empty: str
    marks: dict[Spot, Mark] = field(default_factory=dict)

    def put(self, spot: Spot, character: str, flow: int = NO_FLOW) -> None:
        self.marks[spot] = Mark(character, flow)

    def join(self, start: Spot, end: Spot, flow: int) -> None:
        """Put a pipe between the spots of two neighbours, if there is room.

        Squares lie two columns apart; hexagons four, and a line higher or lower.
        """
        left, right = sorted((start, end))  # the upper one first in one column
        column, down = left.column, right.line - left.line
        if column == right.column:
            if down > 1:
                self.put(Spot(column, left.line + 1), "┃", flow)
        elif down:
            stroke = "╱" if down < 0 else "╲"
            self.put(Spot(column + 2, max(left.line, right.line)), stroke, flow)
        else:
            self.put(Spot(column + 1, left.line), "━", flow)

    def text(self) -> str:
        """Return all lines."""
        columns, numbers = zip(*self.marks, strict=True)
        left, lines = min(columns), []
        for number in range(min(numbers), max(numbers) + 1):
            line = {spot.column: mark for spot, mark in self.marks.items() if spot.line == number}
            end = max(line, default=left - 1)
            marks = (line.get(column, SPACE) for column in range(left, end + 1))
            runs = groupby(marks, lambda mark: mark.flow)
            lines.append("".join(self._run(flow, run) for flow, run in runs))
        return "\n".join(lines)

    def _run(self, flow: int, run: Iterable[Mark]) -> str:
        """Return marks of one flow in its colour."""
        words = "".join(mark.character for mark in run)
        if flow == UNCOLOURED:
            return words
        return painted(words, LINES if flow == NO_FLOW else self.palette[flow], self.depth)


class _Squares(_Sheet):
    """Two characters per cell: itself, and the pipe or wall to its right; walls below rows have lines.

    ``places``: of every strand. ``below``: rows with walls below them. ``line``: of each row.
    """

    def __post_init__(self) -> None:
        """Set what the board has at each place."""
        self.places = [self.lattice.places[cell] for cell in self.board.layout.cell_of]
        self.occupied = set(self.places)
        walls, _warps = walls_and_warps(self.board, self.lattice)
        self.walls = set(walls)
        self.below = {row for (row, _), (other_row, _) in walls if row != other_row}
        self.line = list[int]()
        for row in range(self.lattice.rows):
            self.line.append(row + sum(upper < row for upper in self.below))

    def draw(self, parts: Iterable[tuple[int, Path]], dots: Mapping[int, str]) -> None:
        """Put walls, openings of warps, then flows with pieces of their paths.

        ``dots``: the character of each cell with a dot.
        """
        board = self.board
        for place in self.lattice.places:
            self._put_cell(place)
        for edge, (u, v) in enumerate(board.graph.edges):
            if board.layout.is_warp(edge):
                self._put_opening(u, v)
                self._put_opening(v, u)
        for cell in board.layout.bridges:
            self.put(self._spot(cell), BRIDGE)
        for flow, path in parts:
            self._put_path(flow, path, dots)

    def _put_cell(self, place: Place) -> None:
        """Put an empty cell, and the walls or gaps to its right and below it."""
        row, col = place
        column, line = 2 * col, self.line[row]
        right, lower = (row, col + 1), (row + 1, col)
        self.put(Spot(column, line), self.empty or " ")
        if right in self.occupied:
            wall = "│" if (place, right) in self.walls else " "
            self.put(Spot(column + 1, line), wall)
        if row in self.below and lower in self.occupied:
            wall = "─" if (place, lower) in self.walls else " "
            self.put(Spot(column, line + 1), wall)
            if {right, (row + 1, col + 1)} <= self.occupied:  # amid four cells
                self.put(Spot(column + 1, line + 1), " ")

    def _put_path(self, flow: int, path: Path, dots: Mapping[int, str]) -> None:
        """Put a piece of a path, cell by cell; a cell's pipe depends on the sides that it passes."""
        layout, sides = self.board.layout, dict.fromkeys(path.vertices, 0)
        for edge, (before, after) in zip(path.edges, pairwise(path.vertices), strict=True):
            is_warp = layout.is_warp(edge)
            for strand, towards in ((before, after), (after, before)):
                sides[strand] |= self._side(strand, towards, is_warp)
                if is_warp:
                    self._put_opening(strand, towards, flow)
            if not is_warp:
                self.join(self._spot(before), self._spot(after), flow)
        for strand in path.vertices:
            cell, spot = layout.cell_of[strand], self._spot(strand)
            if cell not in layout.bridges:
                character = dots.get(cell) or PIPES.get(sides[strand], EMPTY)
                self.put(spot, character, flow)
            elif sides[strand] & (LEFT | RIGHT) or self.marks[spot].flow == NO_FLOW:
                # The horizontal pipe passes over the vertical one.
                self.put(spot, BRIDGE, flow)

    def _spot(self, strand: int) -> Spot:
        """Return the spot of a strand's cell."""
        row, col = self.places[strand]
        return Spot(2 * col, self.line[row])

    def _put_opening(self, strand: int, towards: int, flow: int = NO_FLOW) -> None:
        """Put the opening of a warp beside a strand's cell."""
        side, (column, line) = self._side(strand, towards, is_warp=True), self._spot(strand)
        right, down = STEPS[side]
        self.put(Spot(column + right, line + down), OPEN[side], flow)

    def _side(self, strand: int, towards: int, is_warp: bool) -> int:
        """Return the side of a strand's cell that leads to another strand's; a warp leads over the border."""
        (row, col), (other_row, other_col) = self.places[strand], self.places[towards]
        if row == other_row:
            return RIGHT if (other_col > col) != is_warp else LEFT
        return DOWN if (other_row > row) != is_warp else UP


class _Hexagons(_Sheet):
    """Four characters and two lines per cell; odd columns are a line higher."""

    def draw(self, parts: Iterable[tuple[int, Path]], dots: Mapping[int, str]) -> None:
        """Put cells, then flows with pieces of their paths; ``dots``: the character of each cell with one."""
        spots = [Spot(4 * col, 2 * row - col % 2) for row, col in self.lattice.places]
        for column, line in spots:
            for beside in range(column - 1, column + 2):
                self.put(Spot(beside, line), " ")
                self.put(Spot(beside, line + 1), " ")
            if self.empty:
                self.put(Spot(column, line), self.empty)
        for flow, path in parts:
            cells = [self.board.layout.cell_of[strand] for strand in path.vertices]
            for cell in cells:
                self.put(spots[cell], dots.get(cell, STEP), flow)
            for start, end in pairwise(spots[cell] for cell in cells):
                self.join(start, end, flow)
