"""Referee: every fault of a puzzle or a solution, in words; it shares no code with the solvers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle.layout import Board, Key
from flowvision.puzzle.model import LETTERS, Path, Puzzle, Solution
from flowvision.words import COMMAND, Hint, listed, times

LARGEST = 250_000
"""Places of the largest board, far beyond any solver."""
SHOWN = 8
"""Faults in one message."""


def faults_in_puzzle(puzzle: Puzzle, board: Board | None = None) -> list[str]:
    """Return every fault of a puzzle; with a ``board``, places are named by row and column."""
    size = puzzle.graph.size
    faults = []
    if not puzzle.terminals:
        faults.append("There are no dots.")
    for flow, pair in enumerate(puzzle.terminals):
        for dot in pair:
            if not 0 <= dot < size:
                numbers = f"strands are numbered 0 to {size - 1}"
                faults.append(f"Flow {flow} has a dot on strand {dot}, but {numbers}.")
    for dot, count in sorted(_repeated(chain.from_iterable(puzzle.terminals)).items()):
        faults.append(f"The cell in {position_name(dot, board)} holds {count} dots.")
    return faults


def faults_in_solution(puzzle: Puzzle, solution: Solution) -> list[str]:
    """Return every fault of a solution.

    A correct one joins every pair by a path along edges and uses every strand once.
    """
    faults = []
    if len(solution.paths) != len(puzzle.terminals):
        faults.append(f"{len(solution.paths)} paths for {len(puzzle.terminals)} pairs of dots.")
    for flow, (path, ends) in enumerate(zip(solution.paths, puzzle.terminals, strict=False)):
        faults += [f"Flow {flow}: {fault}" for fault in _faults_in_path(puzzle, path, ends)]
    covered = list(chain.from_iterable(path.vertices for path in solution.paths))
    for strand, count in _repeated(covered).items():
        faults.append(f"Strand {strand} is used {count} times.")
    uncovered = set(range(puzzle.graph.size)).difference(covered)
    return faults + [f"Strand {strand} is not covered." for strand in sorted(uncovered)]


def crosses_itself_at(board: Board, path: Path) -> list[Key]:
    """Return the bridges at which a path crosses itself."""
    repeated = _repeated(board.layout.cell_of[strand] for strand in path.vertices)
    return [board.key_of(cell) for cell in sorted(repeated)]


def _repeated(numbers: Iterable[int]) -> dict[int, int]:
    """Return the numbers that occur more than once, each with how often."""
    return {number: count for number, count in Counter(numbers).items() if count > 1}


def _faults_in_path(puzzle: Puzzle, path: Path, ends: tuple[int, int]) -> list[str]:
    """Return every fault of a path that should join these two dots."""
    faults, edges = [], puzzle.graph.edges
    if len(path.edges) != len(path.vertices) - 1:
        faults.append(f"{len(path.edges)} edges for {len(path.vertices)} strands.")
    if not path.vertices or set(path.ends) != set(ends):
        first, last = ends
        faults.append(f"does not join strands {first} and {last}.")
    for edge, before, after in zip(path.edges, path.vertices, path.vertices[1:], strict=False):
        if not 0 <= edge < len(edges):
            faults.append(f"edge {edge} does not exist.")
        elif edges[edge] not in ((before, after), (after, before)):
            faults.append(f"edge {edge} does not join strands {before} and {after}.")
    return faults


def position_name(strand: int, board: Board | None) -> str:
    """Return the row and column of a strand's cell, or its number on a board without them, from 1."""
    if board is None or not 0 <= strand < len(board.layout.cell_of):
        return f"strand {strand}"
    return COMMAND.place(board.key_of(strand))


def check_size(rows: int, cols: int) -> None:
    """Raise ``PuzzleInvalidError`` if a board of this size exceeds the limits."""
    if min(rows, cols) < 1 or rows * cols > LARGEST:
        raise PuzzleInvalidError(f"The board has {rows} × {cols} places; 1 to {LARGEST:,} are allowed.")


def dot_faults(marks: Iterable[tuple[str, str]]) -> list[str]:
    """Return the faults of dots; ``marks``: the name of every cell, and its mark."""
    places: dict[str, list[str]] = {}
    for where, mark in marks:
        if mark in LETTERS:
            places.setdefault(mark, []).append(where)
    if not places:
        return ["There are no dots."]
    faults = []
    for letter, dots in sorted(places.items()):
        if len(dots) != 2:
            faults.append(f"{letter} appears {times(len(dots))}, not twice: {shown(dots)}.")
    return faults


def shown(faults: Iterable[object]) -> str:
    """List the first ``SHOWN`` faults, and count the rest."""
    words = list(map(str, faults))
    return listed(words, SHOWN, "; " if any("," in word for word in words) else ", ")


def invalid_puzzle(faults: Sequence[str], hint: str | Hint | None = None) -> PuzzleInvalidError:
    """Return the error with the first of these faults, the number of others, and a hint."""
    sentences = list(faults[:SHOWN])
    if len(faults) > SHOWN:
        sentences.append(f"And {len(faults) - SHOWN} more.")
    return PuzzleInvalidError(" ".join(sentences), hint)
