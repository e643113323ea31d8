"""New puzzles with exactly one solution, on boards of every kind."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import chain
from math import inf, sqrt
from random import Random
from time import monotonic

from msgspec import Struct

from flowvision.errors import GaveUpError, PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, NamedPuzzle
from flowvision.puzzle.model import Graph, Puzzle, Solution, letters_for
from flowvision.puzzle.random_cover import SHORTEST, random_puzzle
from flowvision.solvers import SECONDS, TimeIsUpError, has_one_strict_solution, solve
from flowvision.solvers.deductions import GRADES, difficulty
from flowvision.solvers.reasons import shading_of
from flowvision.words import Hint, Option, size_of

ATTEMPTS = 200
"""Random puzzles to try: nearly every one has exactly one solution."""
BOARDS_TRIED = 200
"""Random boards of a shape to try."""
SMALLEST, LARGEST = 3, 40
"""Rows and columns of a board."""


class Shape(Struct, frozen=True):
    """Size of a board to make, and how many of each thing to place at random."""

    rows: int
    cols: int
    tiling: str = "square"
    holes: int = 0
    walls: int = 0
    bridges: int = 0
    warps: int = 0


TILINGS = ("square", "hex")


def shape_of(size: str | int | tuple[int, int], tiling: str = "square", **counts: int) -> Shape:
    """Return the shape of COLSxROWS, 3 to 40 of each; ``9`` is 9x9.

    Raises ``PuzzleInvalidError`` for a board that cannot exist.
    """
    try:
        cols, rows = size_of(size)
    except ValueError:
        cols, rows = 0, 0
    if not (SMALLEST <= cols <= LARGEST and SMALLEST <= rows <= LARGEST):
        raise PuzzleInvalidError(
            f"The size {size!r} is not COLSxROWS with {SMALLEST} to {LARGEST} of each.",
            "For example `7x9`, or `7` for 7x7.",
        )
    if tiling not in TILINGS:
        raise PuzzleInvalidError(f"There is no tiling {tiling!r}.", f"Choose one of {', '.join(TILINGS)}.")
    if tiling == "hex" and (counts.get("bridges") or counts.get("warps")):
        raise PuzzleInvalidError("Hexagons have no bridges and no warps.", "Choose a board of squares.")
    return Shape(rows, cols, tiling, **counts)


def new_puzzle(
    shape: Shape, seed: int, colours: int | None = None, grade: str | None = None, seconds: float = inf
) -> tuple[NamedPuzzle, Solution]:
    """Return a random puzzle with exactly one solution, in which no path touches itself.

    ``colours``: pairs of dots; without, as many as published levels have. ``grade``: one of ``GRADES``.
    The same arguments give the same puzzle. Raises ``PuzzleInvalidError`` for impossible arguments,
    ``GaveUpError`` if none is found within ``seconds``, which a board of 40 × 40 may exceed by a few.
    """
    end, failures = monotonic() + seconds, 0
    if grade not in (None, *GRADES):
        raise PuzzleInvalidError(f"There is no difficulty {grade!r}.", f"Choose one of {', '.join(GRADES)}.")
    for attempt_seed in range(seed * ATTEMPTS, (seed + 1) * ATTEMPTS):
        if monotonic() >= end:
            raise GaveUpError(
                f"No {grade or 'new'} puzzle with exactly one solution was found in time.",
                Hint("Allow more time with {}, or choose a smaller board.", Option("limit")),
            )
        board = make_board(shape, Random(attempt_seed))
        try:
            puzzle = _cover(board, attempt_seed, colours, grade)
        except GaveUpError:
            failures += 1
            if failures == 3:  # such boards can hardly be covered
                raise
            continue
        outcome = solve(puzzle, seconds=min(end - monotonic(), SECONDS))
        if has_one_strict_solution(outcome) and _is_of_grade(puzzle, outcome.solution, grade, end):
            return NamedPuzzle("", board, puzzle, letters_for(len(puzzle.terminals))), outcome.solution
    graded = f" and is {grade}" if grade else ""
    raise GaveUpError(
        f"None of {ATTEMPTS} random puzzles has exactly one solution{graded}.",
        "Choose another size, number of colours or seed: few colours on a large board are harder.",
    )


def _cover(board: Board, seed: int, colours: int | None, grade: str | None) -> Puzzle:
    """Return a solvable puzzle with ``colours`` pairs; without, the usual number, or as many as it takes.

    Raises ``GaveUpError`` if the board cannot be covered, ``PuzzleInvalidError`` for too many colours.
    """
    upper = board.graph.size // SHORTEST
    if colours and colours > upper:
        words = f"{colours} paths of {SHORTEST} cells or more do not fit on {len(board.layout.cells)} cells."
        raise PuzzleInvalidError(words, f"Choose at most {upper} colours.")
    if not colours:
        with suppress(GaveUpError):  # many holes may need more pairs
            puzzle, _ = random_puzzle(board, seed, _pairs(board, grade, Random(seed)), attempts=20)
            return puzzle
    puzzle, _ = random_puzzle(board, seed, colours)
    return puzzle


def _pairs(board: Board, grade: str | None, random: Random) -> int:
    """Return the number of pairs: few for hard puzzles, else as many as published levels have."""
    size = board.graph.size
    if grade in GRADES[2:]:  # hard and expert
        # Then 1 of 7 is hard or expert on 7 × 7, half of them on 9 × 9.
        return max(2, round(size / 11))
    # 4 to 7 at 7 × 7, 6 to 10 at 9 × 9; paths of 14 to 18 cells on boards larger than 15 × 15.
    lower = max(2, round(0.62 * sqrt(size)), round(size / 18))
    upper = max(lower, round(1.07 * sqrt(size)), round(size / 14))
    return min(random.randint(lower, upper), size // SHORTEST)


def _is_of_grade(puzzle: Puzzle, solution: Solution, grade: str | None, end: float) -> bool:
    """Return whether a puzzle has this grade, true without one; false if time is up at ``end``."""
    if grade is None:
        return True
    try:
        return difficulty(puzzle, solution, min(end - monotonic(), SECONDS)).grade == grade
    except TimeIsUpError:
        return False


def make_board(shape: Shape, random: Random) -> Board:
    """Return a random board of this shape, in one piece, every cell with two neighbours or more.

    Raises ``PuzzleInvalidError`` if there is not enough room.
    """
    for _ in range(BOARDS_TRIED):
        board = _try_board(shape, random)
        neighbours = board.graph.neighbours() if board else []
        has_dead_end = any(len(beside) < 2 for beside in neighbours)
        if board and not has_dead_end and len(shading_of(board.graph).parts) == 1:
            return board
    many = f"{shape.holes} holes, {shape.walls} walls, {shape.bridges} bridges and {shape.warps} warps"
    raise PuzzleInvalidError(
        f"There is no room for {many} on a board of {shape.cols} × {shape.rows}.",
        "Choose fewer, or a larger board.",
    )


def _try_board(shape: Shape, random: Random) -> Board | None:
    """Place holes, walls, bridges and warps at random; ``None`` if they do not fit."""
    places = [(r, c) for r in range(shape.rows) for c in range(shape.cols)]
    if shape.holes >= len(places):
        return None
    holes = set(random.sample(places, shape.holes))
    tile = boards.hexagonal if shape.tiling == "hex" else boards.square
    open_board = tile(shape.rows, shape.cols, holes)
    assert open_board.lattice is not None
    possible_warps = boards.ends_of_lines(shape.rows, shape.cols, holes)
    closed = _closable(open_board.graph, random)[: shape.walls]
    if len(closed) < shape.walls or shape.warps > len(possible_warps):
        return None
    place_of = open_board.lattice.places
    side_of = [(place_of[a], place_of[b]) for a, b in open_board.graph.edges]
    walls = [side_of[edge] for edge in closed]
    if shape.tiling == "hex":
        return boards.hexagonal(shape.rows, shape.cols, holes, walls)
    open_count_at = Counter(chain.from_iterable(set(side_of).difference(walls)))
    crossings = [place for place in place_of if open_count_at[place] == 4]
    if shape.bridges > len(crossings):
        return None
    bridges = random.sample(crossings, shape.bridges)
    warps = random.sample(possible_warps, shape.warps)
    return boards.square(shape.rows, shape.cols, holes, walls, bridges, warps)


def _closable(graph: Graph, random: Random) -> list[int]:
    """Return edges, in random order, that can all be left out while every strand keeps two."""
    degree = [len(edges) for edges in graph.incident]
    closed = []
    for edge in random.sample(range(len(graph.edges)), len(graph.edges)):
        u, v = graph.edges[edge]
        if min(degree[u], degree[v]) > 2:
            degree[u] -= 1
            degree[v] -= 1
            closed.append(edge)
    return closed
