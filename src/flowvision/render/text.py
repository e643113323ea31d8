"""The solved board as text: plain letters, or pipes and dots in the flows' colours."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Literal, TypeAlias

from flowvision.colours import BLACK, Rgb, shown_on
from flowvision.puzzle.boards import walls_and_warps
from flowvision.puzzle.layout import Board, Place
from flowvision.puzzle.model import Path, Puzzle, Solution

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
PIPES = {
    UP | DOWN: "┃",
    LEFT | RIGHT: "━",
    DOWN | RIGHT: "┏",
    DOWN | LEFT: "┓",
    UP | RIGHT: "┗",
    UP | LEFT: "┛",
}
STEPS = {UP: (0, -1), DOWN: (0, 1), LEFT: (-1, 0), RIGHT: (1, 0)}
"""Characters across and lines down to the neighbouring character."""
OPEN = {UP: "▴", DOWN: "▾", LEFT: "◂", RIGHT: "▸"}
"""Marks of warps."""
DOT, BRIDGE, STEP, EMPTY = "●", "╋", "•", "·"
Mark: TypeAlias = tuple[str, int | None]
"""A character and its flow; ``None`` for lines of the board."""
GAP: Mark = (" ", -1)
"""Between marks, without a colour."""
Depth: TypeAlias = Literal[0, 4, 8, 24]
"""Bits of a colour: none, 16 colours, 256, all."""
FEW_COLOURS: Depth = 4
"""Bits with which some flows look alike."""
GROUND, LINES = BLACK, Rgb(140, 140, 140)
"""Colours behind a board, and of its walls and openings."""


def solved_text(
    board: Board,
    puzzle: Puzzle,
    solution: Solution,
    letters: Sequence[str],
    palette: Sequence[Rgb] | None = None,
    depth: Depth = 24,
    shown_edges: Collection[int] | None = None,
) -> str:
    """Return the solved board, without a final newline.

    Every cell shows its flow's letter; boards without rows and columns are lists of cell numbers from 1. With
    a ``palette`` and a ``depth``, squares and hexagons have coloured pipes and dots; dots have letters where
    colours are few, or with ``shown_edges``: the edges of the paths to draw, all by default; with none the
    board is unsolved.
    """
    if palette is not None and depth and board.lattice is not None:
        has_letters = depth <= FEW_COLOURS or shown_edges is not None
        cell_of = board.layout.cell_of
        signs = letters if has_letters else DOT * len(letters)
        dots = {cell_of[dot]: signs[flow] for dot, flow in puzzle.dots.items()}
        kind = _Squares if board.squares else _Hexagons
        sheet = kind(board, depth, palette, marks_empty=shown_edges is not None)
        sheet.draw(_parts(puzzle, solution, shown_edges), dots)
        return sheet.text()
    if board.lattice is None and shown_edges is None:
        return _paths_in_numbers(board, solution, letters)
    marks = _marks(board, puzzle, solution, letters, shown_edges)
    return marked_text(board, marks, " " if shown_edges is None else ".")


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
    """Return a letter for each cell that a path passes, ``+`` where two do."""
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
    """Yield each flow with the pieces of its path to show, and with its dots that no piece reaches."""
    for flow, path in enumerate(solution.paths):
        if shown_edges is None:
            yield flow, path
            continue
        pieces = [path.part(*run) for run in path.runs(shown_edges)]
        reached = {strand for piece in pieces for strand in piece.vertices}
        dots = [Path((dot,), ()) for dot in puzzle.terminals[flow] if dot not in reached]
        for piece in pieces + dots:
            yield flow, piece


def marked_text(board: Board, marks: Mapping[int, str], empty: str = " ") -> str:
    """Return the rows of a board with a mark per cell; ``empty`` for others, a space for holes.

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
    """Colour a text, lighter where it would not show on ``GROUND``."""
    if not depth:
        return text
    front, ground = _code(shown_on(colour, GROUND), depth, 30), _code(GROUND, depth, 40)
    return f"\x1b[{front};{ground}m{text}\x1b[0m"


@lru_cache(maxsize=4096)
def _code(colour: Rgb, depth: Depth, layer: int) -> str:
    """Return the terminal's code of a colour, in front (``layer`` 30) or behind (40)."""
    if depth == FEW_COLOURS:
        bits = [(level > 127) << place for place, level in enumerate(colour)]
        return str(layer + sum(bits))
    if depth == 24:
        return f"{layer + 8};2;{colour.red};{colour.green};{colour.blue}"
    red, green, blue = (max((level - 35) // 40, level > 47) for level in colour)  # 0, 95, 135 … 255
    return f"{layer + 8};5;{16 + 36 * red + 6 * green + blue}"


class _Sheet:
    """Characters at lines and columns, each in the colour of a flow, or of a board's lines.

    ``marks_empty``: empty cells show a mark, so that they can be counted.
    """

    def __init__(self, board: Board, depth: Depth, palette: Sequence[Rgb], marks_empty: bool) -> None:
        self.board, self.depth, self.palette = board, depth, palette
        self.marks_empty = marks_empty
        self.marks = dict[tuple[int, int], Mark]()

    def put(self, line: int, column: int, mark: str, flow: int | None = None) -> None:
        self.marks[line, column] = mark, flow

    def join(self, start: tuple[int, int], end: tuple[int, int], flow: int) -> None:
        """Draw a pipe between the characters of two neighbours, if there is room."""
        left, right = sorted((start, end), key=lambda place: place[::-1])
        (line, column), down = left, right[0] - left[0]
        if column == right[1]:
            if down > 1:
                self.put(line + 1, column, "┃", flow)
        elif down:
            stroke = "╱" if down < 0 else "╲"
            self.put(max(line, right[0]), column + 2, stroke, flow)
        else:
            self.put(line, column + 1, "━", flow)

    def text(self) -> str:
        """Return all lines."""
        numbers, columns = zip(*self.marks, strict=True)
        left, lines = min(columns), []
        for line in range(min(numbers), max(numbers) + 1):
            end = max((column for at, column in self.marks if at == line), default=left - 1)
            row = ((line, column) for column in range(left, end + 1))
            runs = groupby((self.marks.get(at, GAP) for at in row), lambda mark: mark[1])
            lines.append("".join(self._run(flow, run) for flow, run in runs))
        return "\n".join(lines)

    def _run(self, flow: int | None, run: Iterable[Mark]) -> str:
        """Return marks of one flow in its colour."""
        words = "".join(mark for mark, _ in run)
        if flow == GAP[1]:
            return words
        return painted(words, LINES if flow is None else self.palette[flow], self.depth)


class _Squares(_Sheet):
    """Two characters per cell: itself, and the pipe or wall to its right; walls below rows have lines.

    ``places``: of every strand. ``below``: rows with walls below them. ``line``: of each row.
    """

    def __init__(self, board: Board, depth: Depth, palette: Sequence[Rgb], marks_empty: bool) -> None:
        super().__init__(board, depth, palette, marks_empty)
        lattice = board.lattice
        assert lattice is not None
        self.places = [lattice.places[cell] for cell in board.layout.cell_of]
        self.occupied = set(self.places)
        self.walls = set(walls_and_warps(board, lattice)[0])
        self.below = {r for (r, _), (s, _) in self.walls if r != s}
        self.line: dict[int, int] = {}
        for r in range(lattice.rows):
            self.line[r] = r + sum(row < r for row in self.below)

    def draw(self, parts: Iterable[tuple[int, Path]], marks: Mapping[int, str]) -> None:
        """Draw walls, openings of warps, pipes and dots; ``marks``: of cells with dots."""
        board = self.board
        for place in self.places[: len(board.layout.cells)]:
            self._draw_cell(place)
        for strokes, (u, v) in zip(board.layout.strokes, board.graph.edges, strict=True):
            if len(strokes) > 1:
                self._open(u, v)
                self._open(v, u)
        for cell in board.layout.bridges:
            self.put(*self._at(cell), BRIDGE)
        for flow, path in parts:
            self._draw_path(flow, path, marks)

    def _draw_cell(self, place: Place) -> None:
        """Draw an empty cell, and the walls or gaps to its right and below it."""
        r, c = place
        line, column = self.line[r], 2 * c
        right, lower = (r, c + 1), (r + 1, c)
        self.put(line, column, EMPTY if self.marks_empty else " ")
        if right in self.occupied:
            self.put(line, column + 1, "│" if (place, right) in self.walls else " ")
        if r in self.below and lower in self.occupied:
            self.put(line + 1, column, "─" if (place, lower) in self.walls else " ")
            if {right, (r + 1, c + 1)} <= self.occupied:
                self.put(line + 1, column + 1, " ")

    def _draw_path(self, flow: int, path: Path, marks: Mapping[int, str]) -> None:
        """Draw a path from cell to cell: a character for each, its form by the sides passed."""
        board, arms = self.board, dict.fromkeys(path.vertices, 0)
        for edge, before, after in zip(path.edges, path.vertices, path.vertices[1:], strict=False):
            is_warp = len(board.layout.strokes[edge]) > 1
            for strand, towards in ((before, after), (after, before)):
                arms[strand] |= self._arm(strand, towards, is_warp)
                if is_warp:
                    self._open(strand, towards, flow)
            if not is_warp:
                self.join(self._at(before), self._at(after), flow)
        bridges = board.layout.bridges
        for strand in path.vertices:
            cell, place = board.layout.cell_of[strand], self._at(strand)
            if cell not in bridges:
                mark = marks.get(cell) or PIPES.get(arms[strand], EMPTY)
                self.put(*place, mark, flow)
            elif arms[strand] & (LEFT | RIGHT) or self.marks[place][1] is None:
                # The horizontal pipe passes over the vertical one.
                self.put(*place, BRIDGE, flow)

    def _at(self, strand: int) -> tuple[int, int]:
        """Return the line and column of a strand's cell."""
        row, column = self.places[strand]
        return self.line[row], 2 * column

    def _open(self, strand: int, towards: int, flow: int | None = None) -> None:
        """Draw the opening of a warp beside a cell."""
        arm, (line, column) = self._arm(strand, towards, is_warp=True), self._at(strand)
        right, down = STEPS[arm]
        self.put(line + down, column + right, OPEN[arm], flow)

    def _arm(self, strand: int, towards: int, is_warp: bool) -> int:
        """Return the side of a strand's cell that leads towards another; a warp leads over the border."""
        (r0, c0), (r1, c1) = self.places[strand], self.places[towards]
        if r0 == r1:
            return RIGHT if (c1 > c0) != is_warp else LEFT
        return DOWN if (r1 > r0) != is_warp else UP


class _Hexagons(_Sheet):
    """Four characters and two lines per cell; odd columns are a line higher."""

    def draw(self, parts: Iterable[tuple[int, Path]], marks: Mapping[int, str]) -> None:
        """Draw cells, pipes and dots; ``marks``: of cells with dots."""
        assert self.board.lattice is not None
        places = self.board.lattice.places
        line_and_column = [(2 * row - column % 2, 4 * column) for row, column in places]
        for line, column in line_and_column:
            for beside in range(column - 1, column + 2):
                self.put(line, beside, " ")
                self.put(line + 1, beside, " ")
            if self.marks_empty:
                self.put(line, column, EMPTY)
        for flow, path in parts:
            cells = [self.board.layout.cell_of[strand] for strand in path.vertices]
            for cell in cells:
                self.put(*line_and_column[cell], marks.get(cell, STEP), flow)
            for start, end in pairwise(line_and_column[cell] for cell in cells):
                self.join(start, end, flow)
