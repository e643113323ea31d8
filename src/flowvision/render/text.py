"""The solved board as text: plain letters, or pipes and dots in the flows' colours."""

from __future__ import annotations

from cmath import phase, rect
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from flowvision.image.picture import Rgb
from flowvision.puzzle.layout import Board, Lattice
from flowvision.puzzle.model import Path, Puzzle, Solution
from flowvision.render.ansi import LINES, Depth, half_blocks, painted

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
PIPES = {
    UP | DOWN: "┃",
    LEFT | RIGHT: "━",
    DOWN | RIGHT: "┏",
    DOWN | LEFT: "┓",
    UP | RIGHT: "┗",
    UP | LEFT: "┛",
}
DOT, BRIDGE, STEP = "●", "╋", "•"
OPEN = {UP: "▴", DOWN: "▾", LEFT: "◂", RIGHT: "▸"}
"""Where the board goes on at its other side."""
PICTURE_PX, PICTURE_LINE = 40, 0.08
"""Width of a cell in the picture that becomes half blocks, and thickness of its lines, of a cell."""
CELL_COLUMNS, PICTURE_COLUMNS = 4, 72
"""Characters a cell in half blocks, and a whole picture at most."""
EVEN_WAYS, OFF_LATTICE = 0.95, 0.3
"""How alike the directions between neighbours are on a lattice (1: the same but for quarter turns), and how
far its cells may lie from their places, in cells."""
FEW = 4
"""Bits of a colour: so few that dots show letters."""


def solved_text(
    board: Board,
    puzzle: Puzzle,
    solution: Solution,
    letters: Sequence[str],
    palette: Sequence[Rgb] | None = None,
    depth: Depth = 24,
    shown: Collection[int] | None = None,
) -> str:
    """The solved board, without a final newline; ``shown``: only these edges of the paths, such as a hint's.

    Every cell shows its flow's letter; boards without rows and columns are listed as paths of cell numbers.
    With a ``palette``, and a ``depth`` of colours other than 0, there are pipes and dots in these colours,
    but not on a board whose cells are known by their numbers alone.
    """
    if board.lattice is None and not board.layout.links:
        board = replace(board, lattice=tilted_lattice(board))
    if palette is not None and depth and not board.layout.links:
        return _pipe_text(board, puzzle, solution, letters, palette, depth, shown)
    if board.lattice is None and shown is None:
        return "\n".join(
            f"{letter}: {' '.join(str(board.layout.cell_of[strand]) for strand in path.vertices)}"
            for letter, path in zip(letters, solution.paths, strict=False)
        )
    marks = _marks(board, puzzle, solution, letters, shown)
    if board.lattice is None:
        return " ".join(f"{cell}:{letter}" for cell, letter in sorted(marks.items()))
    return marked_text(board.lattice, marks, " " if shown is None else ".")


def tilted_lattice(board: Board) -> Lattice | None:
    """The rows and columns of cells that were measured one by one, if they are squares at even distances.

    So are the cells of an upright board in a picture that was turned by any angle.
    """
    cells, lines = board.layout.cells, [strokes for strokes in board.layout.strokes if len(strokes) == 1]
    if not lines or any(len(cell.outline) != 4 for cell in cells):
        return None
    ways = [complex(*stroke[-1]) - complex(*stroke[0]) for (stroke,) in lines]
    pitch = sorted(map(abs, ways))[len(ways) // 2]
    # To the fourth power all four directions of a lattice are one.
    total = sum((way / abs(way)) ** 4 for way in ways)
    if abs(total) < EVEN_WAYS * len(ways):
        return None
    turn = rect(pitch, phase(total) / 4)
    places = [complex(*cell.centre) / turn for cell in cells]
    left, top = min(place.real for place in places), min(place.imag for place in places)
    at = [(round(place.imag - top), round(place.real - left)) for place in places]
    off = [abs(complex(c + left, r + top) - place) for (r, c), place in zip(at, places, strict=True)]
    if max(off) > OFF_LATTICE or len(set(at)) < len(at):
        return None
    return Lattice("square", max(r for r, _ in at) + 1, max(c for _, c in at) + 1, tuple(at))


def _marks(
    board: Board, puzzle: Puzzle, solution: Solution, letters: Sequence[str], shown: Collection[int] | None
) -> dict[int, str]:
    """A letter a cell that a dot lies in or a pipe is shown in; a bridge that two pass shows ``+``."""
    cell_of, marks = board.layout.cell_of, dict[int, str]()
    for flow, part in _parts(puzzle, solution, shown):
        for strand in part.vertices:
            mark = letters[flow]
            marks[cell_of[strand]] = mark if marks.get(cell_of[strand], mark) == mark else "+"
    return marks


def _parts(puzzle: Puzzle, solution: Solution, shown: Collection[int] | None) -> Iterator[tuple[int, Path]]:
    """The flows and their paths; the pieces of these that are ``shown``, and the dots."""
    if shown is None:
        yield from enumerate(solution.paths)
        return
    for flow, path in enumerate(solution.paths):
        dots = puzzle.terminals[flow]
        start = 0
        for place in range(len(path.vertices)):
            if place < len(path.edges) and path.edges[place] in shown:
                continue
            part = Path(path.vertices[start : place + 1], path.edges[start:place])
            if part.edges or part.vertices[0] in dots:
                yield flow, part
            start = place + 1


def marked_text(lattice: Lattice, marks: Mapping[int, str], empty: str = " ") -> str:
    """The rows of a board with a mark a cell, by cell number; ``empty`` where none is, a hole as a space."""
    number = {place: n for n, place in enumerate(lattice.places)}
    rows = [
        "".join(marks.get(number[r, c], empty) if (r, c) in number else " " for c in range(lattice.cols))
        for r in range(lattice.rows)
    ]
    return "\n".join(row.rstrip() for row in rows)


def _pipe_text(
    board: Board,
    puzzle: Puzzle,
    solution: Solution,
    letters: Sequence[str],
    palette: Sequence[Rgb],
    depth: Depth,
    shown: Collection[int] | None,
) -> str:
    """The solved board, without a final newline; on a ground of its own, so that every colour shows.

    Squares have pipes; hexagons and cells of other shapes make a small picture. Where colours are few, dots
    show letters, and hexagons stand half a line higher in every other column.
    """
    if board.lattice is None or (board.squares is None and depth > FEW):
        return _picture_text(board, puzzle, solution, palette, depth, shown)
    marks = {
        board.layout.cell_of[dot]: letters[flow] if depth <= FEW else DOT
        for flow, pair in enumerate(puzzle.terminals)
        for dot in pair
    }
    sheet, parts = _Sheet(depth, palette), list(_parts(puzzle, solution, shown))
    if board.squares:
        _draw_squares(sheet, board, parts, marks, board.lattice)
    else:
        _draw_hexagons(sheet, board, parts, marks, board.lattice)
    return sheet.text()


def _picture_text(
    board: Board,
    puzzle: Puzzle,
    solution: Solution,
    palette: Sequence[Rgb],
    depth: Depth,
    shown: Collection[int] | None,
) -> str:
    """A picture of the solved board in half blocks, at most ``PICTURE_COLUMNS`` wide."""
    # Imported only here: text needs no pictures.
    from flowvision.render.board_look import BoardStyle, draw_board
    from flowvision.render.look import Look
    from flowvision.render.overlay import draw_over

    plain = draw_board(board, puzzle, palette, None, BoardStyle(thickness=PICTURE_LINE, cell_px=PICTURE_PX))
    look = Look(edges=None if shown is None else frozenset(shown))
    picture = draw_over(plain.bgr, board, solution, plain.frame, palette, look)
    wanted = round(picture.shape[1] / PICTURE_PX * CELL_COLUMNS)
    return half_blocks(picture, max(1, min(PICTURE_COLUMNS, wanted)), depth)


@dataclass(slots=True)
class _Sheet:
    """Characters at lines and columns, each in a flow's colour, or in that of lines where it has none."""

    depth: Depth
    palette: Sequence[Rgb]
    marks: dict[tuple[int, int], tuple[str, int | None]] = field(default_factory=dict)

    def put(self, line: int, column: int, mark: str, flow: int | None = None) -> None:
        """Write one character over whatever is there."""
        self.marks[line, column] = mark, flow

    def text(self) -> str:
        """All lines, in as few escape sequences as they take."""
        top, left = (min(place[n] for place in self.marks) for n in (0, 1))
        lines = []
        for line in range(top, max(line for line, _ in self.marks) + 1):
            end = max((column for at, column in self.marks if at == line), default=left - 1)
            row = [self.marks.get((line, column)) for column in range(left, end + 1)]
            lines.append("".join(self._run(list(run)) for _, run in groupby(row, _flow_of)))
        return "\n".join(lines)

    def _run(self, run: list[tuple[str, int | None] | None]) -> str:
        """Characters of one colour; where nothing is written, the terminal's own ground."""
        if run[0] is None:
            return " " * len(run)
        flow = run[0][1]
        words = "".join(mark[0] for mark in run if mark)
        return painted(words, LINES if flow is None else self.palette[flow], self.depth)


def _flow_of(mark: tuple[str, int | None] | None) -> object:
    return mark and mark[1:]


def _draw_squares(
    sheet: _Sheet, board: Board, parts: Iterable[tuple[int, Path]], marks: dict[int, str], lattice: Lattice
) -> None:
    """Two characters a cell: itself, and the way or wall to its right; walls below rows have lines."""
    number = {place: n for n, place in enumerate(lattice.places)}
    walls = _walls(board, lattice)
    below = sorted({r for (r, _), (s, _) in walls if r != s})
    line = {r: r + sum(1 for wall in below if wall < r) for r in range(lattice.rows)}
    for r, c in lattice.places:
        sheet.put(line[r], 2 * c, " ")
        if (r, c + 1) in number:
            sheet.put(line[r], 2 * c + 1, "│" if ((r, c), (r, c + 1)) in walls else " ")
        if r in below and (r + 1, c) in number:
            sheet.put(line[r] + 1, 2 * c, "─" if ((r, c), (r + 1, c)) in walls else " ")
            if (r, c + 1) in number and (r + 1, c + 1) in number:
                sheet.put(line[r] + 1, 2 * c + 1, " ")
    for strokes, ends in zip(board.layout.strokes, board.graph.edges, strict=True):
        if len(strokes) > 1:
            for strand, towards in (ends, ends[::-1]):
                _open(
                    sheet, line, _place(board, lattice, strand), _arm(board, lattice, True, strand, towards)
                )
    for flow, path in parts:
        _draw_path(sheet, board, flow, path, line, marks)


def _draw_path(
    sheet: _Sheet, board: Board, flow: int, path: Path, line: dict[int, int], marks: dict[int, str]
) -> None:
    """One flow's dots and pipes."""
    lattice = board.lattice
    assert lattice is not None
    arms: dict[int, int] = dict.fromkeys(path.vertices, 0)
    for edge, before, after in zip(path.edges, path.vertices, path.vertices[1:], strict=False):
        warped = len(board.layout.strokes[edge]) > 1
        for strand, towards in ((before, after), (after, before)):
            arm = _arm(board, lattice, warped, strand, towards)
            arms[strand] |= arm
            if warped:
                _open(sheet, line, _place(board, lattice, strand), arm, flow)
        (r, c), (s, _) = sorted((_place(board, lattice, before), _place(board, lattice, after)))
        if not warped and r == s:
            sheet.put(line[r], 2 * c + 1, "━", flow)
        elif not warped and line[s] - line[r] > 1:
            sheet.put(line[r] + 1, 2 * c, "┃", flow)
    crossed = set(board.layout.cell_of[len(board.layout.cells) :])
    for strand in path.vertices:
        cell, (r, c) = board.layout.cell_of[strand], _place(board, lattice, strand)
        if cell in crossed:
            # The level pipe passes over the upright one.
            if arms[strand] & (LEFT | RIGHT) or sheet.marks[line[r], 2 * c][0] == " ":
                sheet.put(line[r], 2 * c, BRIDGE, flow)
        else:
            sheet.put(line[r], 2 * c, marks.get(cell) or PIPES.get(arms[strand], "·"), flow)


def _open(
    sheet: _Sheet, line: dict[int, int], place: tuple[int, int], arm: int, flow: int | None = None
) -> None:
    """Mark where the board goes on at its other side, in the colour of the flow that does."""
    (r, c), mark = place, OPEN[arm]
    if arm in (LEFT, RIGHT):
        sheet.put(line[r], 2 * c + (1 if arm == RIGHT else -1), mark, flow)
    else:
        sheet.put(line[r] + (1 if arm == DOWN else -1), 2 * c, mark, flow)


def _walls(board: Board, lattice: Lattice) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """The pairs of neighbours that no edge joins."""
    cell_of, places = board.layout.cell_of, lattice.places
    joined = {
        tuple(sorted((places[cell_of[a]], places[cell_of[b]])))
        for (a, b), strokes in zip(board.graph.edges, board.layout.strokes, strict=True)
        if len(strokes) == 1
    }
    here = set(places)
    return {
        ((r, c), other)
        for r, c in places
        for other in ((r, c + 1), (r + 1, c))
        if other in here and ((r, c), other) not in joined
    }


def _draw_hexagons(
    sheet: _Sheet, board: Board, parts: Iterable[tuple[int, Path]], marks: dict[int, str], lattice: Lattice
) -> None:
    """Four characters and two lines a cell; odd columns a line higher; ways lie on lower lines."""
    at = {cell: (2 * r + 1 - c % 2, 4 * c) for cell, (r, c) in enumerate(lattice.places)}
    for line, column in at.values():
        for beside in range(column - 1, column + 2):
            sheet.put(line, beside, " ")
            sheet.put(line + 1, beside, " ")
    for flow, path in parts:
        places = [at[board.layout.cell_of[strand]] for strand in path.vertices]
        for strand, (line, column) in zip(path.vertices, places, strict=True):
            sheet.put(line, column, marks.get(board.layout.cell_of[strand], STEP), flow)
        for one, other in pairwise(places):
            (x, y), (u, v) = sorted(((one[1], one[0]), (other[1], other[0])))
            if x == u:
                sheet.put(min(y, v) + 1, x, "┃", flow)
            else:
                sheet.put(max(y, v), x + 2, "╱" if v < y else "╲", flow)


def _place(board: Board, lattice: Lattice, strand: int) -> tuple[int, int]:
    return lattice.places[board.layout.cell_of[strand]]


def _arm(board: Board, lattice: Lattice, warped: bool, strand: int, towards: int) -> int:
    """The side of its cell by which a path leaves a strand; over the border for a warp."""
    (r0, c0), (r1, c1) = _place(board, lattice, strand), _place(board, lattice, towards)
    back = -1 if warped else 1
    if r0 == r1:
        return RIGHT if (c1 - c0) * back > 0 else LEFT
    return DOWN if (r1 - r0) * back > 0 else UP
