"""Referee: every fault of a puzzle or a solution, in words; it shares no code with the solvers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from flowvision.puzzle.layout import Board, Key
from flowvision.puzzle.model import Path, Puzzle, Solution
from flowvision.words import COMMAND


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
        faults.append(f"does not join strands {ends[0]} and {ends[1]}.")
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
