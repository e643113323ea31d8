"""The solved board as text: box-drawing pipes in the dots' colours, or plain letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flowvision.image.picture import Rgb
from flowvision.puzzle.layout import Board, Lattice
from flowvision.puzzle.model import Puzzle, Solution

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
PIPES = {
    UP | DOWN: "┃",
    LEFT | RIGHT: "━",
    DOWN | RIGHT: "┏",
    DOWN | LEFT: "┓",
    UP | RIGHT: "┗",
    UP | LEFT: "┛",
}
RESET = "\x1b[0m"


def solved_text(
    board: Board,
    puzzle: Puzzle,
    solution: Solution,
    letters: Sequence[str],
    palette: Sequence[Rgb] | None = None,
) -> str:
    """The solved board, without a final newline.

    Every cell shows its flow's letter; boards without rows and columns are listed as paths of cell numbers.
    With a ``palette`` all is in the flows' colours (ANSI, 24 bits), and squares hold pipes and dots.
    """
    if board.lattice is None:
        lines = [
            f"{letter}: {' '.join(str(board.layout.cell_of[strand]) for strand in path.vertices)}"
            for letter, path in zip(letters, solution.paths, strict=False)
        ]
        return "\n".join(lines if palette is None else map(_coloured, lines, palette))
    if palette is None or board.lattice.tiling != "square":
        return _letters(board, solution, letters, board.lattice, palette)
    return _pipes(board, puzzle, solution, palette, board.lattice)


def _letters(
    board: Board,
    solution: Solution,
    letters: Sequence[str],
    lattice: Lattice,
    palette: Sequence[Rgb] | None,
) -> str:
    """A letter a cell; a bridge shows ``+``, a hole a space."""
    marks: dict[int, str] = {}
    for flow, (letter, path) in enumerate(zip(letters, solution.paths, strict=False)):
        shown = letter if palette is None else _coloured(letter, palette[flow])
        for strand in path.vertices:
            cell = board.layout.cell_of[strand]
            marks[cell] = shown if marks.get(cell, shown) == shown else "+"
    return marked_text(lattice, marks)


def marked_text(lattice: Lattice, marks: Mapping[int, str], empty: str = " ") -> str:
    """The rows of a board with a mark a cell, by cell number; ``empty`` where none is, a hole as a space."""
    number = {place: n for n, place in enumerate(lattice.places)}
    rows = [
        "".join(marks.get(number[r, c], empty) if (r, c) in number else " " for c in range(lattice.cols))
        for r in range(lattice.rows)
    ]
    return "\n".join(row.rstrip() for row in rows)


def _pipes(board: Board, puzzle: Puzzle, solution: Solution, palette: Sequence[Rgb], lattice: Lattice) -> str:
    """Two characters a cell: the pipe or dot, and what joins it to the cell on its right."""
    layout, dots = board.layout, {dot for pair in puzzle.terminals for dot in pair}
    arms: dict[int, int] = {}
    flow_of: dict[int, int] = {}
    for flow, path in enumerate(solution.paths):
        for edge, before, after in zip(path.edges, path.vertices, path.vertices[1:], strict=False):
            for strand, towards in ((before, after), (after, before)):
                arms[strand] = arms.get(strand, 0) | _arm(board, lattice, edge, strand, towards)
                flow_of[strand] = flow
    number = {place: n for n, place in enumerate(lattice.places)}
    lines = []
    for r in range(lattice.rows):
        line = ""
        for c in range(lattice.cols):
            cell = number.get((r, c))
            if cell is None or cell not in flow_of:
                line += "  "
                continue
            crossed = cell in layout.cell_of[len(layout.cells) :]
            mark = "●" if cell in dots else "╋" if crossed else PIPES.get(arms[cell], "·")
            joint = "━" if arms[cell] & RIGHT and c + 1 < lattice.cols else " "
            line += _coloured(mark + joint, palette[flow_of[cell]])
        lines.append(line.rstrip())
    return "\n".join(lines)


def _arm(board: Board, lattice: Lattice, edge: int, strand: int, towards: int) -> int:
    """The side of its cell by which an edge leaves a strand; over the border for a warp."""
    (r0, c0), (r1, c1) = (lattice.places[board.layout.cell_of[s]] for s in (strand, towards))
    back = -1 if len(board.layout.strokes[edge]) > 1 else 1
    if r0 == r1:
        return RIGHT if (c1 - c0) * back > 0 else LEFT
    return DOWN if (r1 - r0) * back > 0 else UP


def _coloured(text: str, colour: Rgb) -> str:
    return f"\x1b[38;2;{colour.red};{colour.green};{colour.blue}m{text}{RESET}"
