"""The solved board as text: plain letters, or pipes in the dots' colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flowvision.image.picture import Rgb
from flowvision.puzzle.layout import Board, Lattice
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.render.ansi import Depth


def solved_text(
    board: Board,
    puzzle: Puzzle,
    solution: Solution,
    letters: Sequence[str],
    palette: Sequence[Rgb] | None = None,
    depth: Depth = 24,
) -> str:
    """The solved board, without a final newline.

    Every cell shows its flow's letter; boards without rows and columns are listed as paths of cell numbers.
    With a ``palette``, and a ``depth`` of colours other than 0, there are pipes and dots in these colours,
    but not on a board whose cells are known by their numbers alone.
    """
    if palette is not None and depth and not board.layout.links:
        # Imported only here: plain output needs none of it.
        from flowvision.render.pipe_text import pipe_text

        return pipe_text(board, puzzle, solution, letters, palette, depth)
    if board.lattice is None:
        return "\n".join(
            f"{letter}: {' '.join(str(board.layout.cell_of[strand]) for strand in path.vertices)}"
            for letter, path in zip(letters, solution.paths, strict=False)
        )
    return _letters(board, solution, letters, board.lattice)


def _letters(board: Board, solution: Solution, letters: Sequence[str], lattice: Lattice) -> str:
    """A letter a cell; a bridge shows ``+``, a hole a space."""
    marks: dict[int, str] = {}
    for letter, path in zip(letters, solution.paths, strict=False):
        for strand in path.vertices:
            cell = board.layout.cell_of[strand]
            marks[cell] = letter if marks.get(cell, letter) == letter else "+"
    return marked_text(lattice, marks)


def marked_text(lattice: Lattice, marks: Mapping[int, str], empty: str = " ") -> str:
    """The rows of a board with a mark a cell, by cell number; ``empty`` where none is, a hole as a space."""
    number = {place: n for n, place in enumerate(lattice.places)}
    rows = [
        "".join(marks.get(number[r, c], empty) if (r, c) in number else " " for c in range(lattice.cols))
        for r in range(lattice.rows)
    ]
    return "\n".join(row.rstrip() for row in rows)
