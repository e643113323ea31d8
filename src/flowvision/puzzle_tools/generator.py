"""New puzzles with exactly one solution, on boards of every kind."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from random import Random
from time import monotonic

from flowvision.errors import GaveUpError, PuzzleInvalidError
from flowvision.puzzle import boards
from flowvision.puzzle.formats import NamedPuzzle, letters_for
from flowvision.puzzle.layout import Board, Place
from flowvision.puzzle.model import Graph, Puzzle, Solution
from flowvision.puzzle.random_cover import SHORTEST, random_puzzle
from flowvision.solvers import Limits, has_one_strict_solution, solve
from flowvision.solvers.base import TimeIsUpError
from flowvision.solvers.deductions import GRADES, difficulty
from flowvision.solvers.reasons import shading_of
from flowvision.value import value_type
from flowvision.words import size_of

SEEDS = 200
"""Puzzles made before one with exactly one solution is given up: nearly every one has."""
FAILURES = 3
"""Boards that could not be covered before others are not tried any more."""
BOARDS = 200
"""Ways to place holes and the like before that is given up."""
SMALLEST, LARGEST = 3, 40
HARD_LENGTH = 11
"""Cells a path of hard puzzles; then one of seven is hard or expert on 7 x 7, and half of them on 9 x 9."""


@value_type
class Shape:
    """The board to make: its size, and how many of each thing are put at random places."""

    rows: int
    cols: int
    tiling: str = "square"
    holes: int = 0
    walls: int = 0
    bridges: int = 0
    warps: int = 0


TILINGS = ("square", "hex")


def shape_of(size: str | int, tiling: str = "square", **counts: int) -> Shape:
    """The shape of COLSxROWS, 3 to 40 of each; ``9`` is 9x9.

    Raises ``PuzzleInvalidError`` for what no board can be.
    """
    try:
        cols, rows = size_of(size)
    except ValueError:
        cols, rows = 0, 0
    if not (SMALLEST <= cols <= LARGEST and SMALLEST <= rows <= LARGEST):
        raise PuzzleInvalidError(
            f"The size {size!r} is not COLSxROWS with {SMALLEST} to {LARGEST} of each.",
            "Say, for instance, `7x9`, or `7` for 7x7.",
        )
    if tiling not in TILINGS:
        raise PuzzleInvalidError(f"There is no tiling {tiling!r}.", f"Say one of {', '.join(TILINGS)}.")
    if tiling == "hex" and (counts.get("bridges") or counts.get("warps")):
        raise PuzzleInvalidError("Hexagons have no bridges and no warps.", "Leave out `--tiling hex`.")
    return Shape(rows, cols, tiling, **counts)


@value_type
class Wanted:
    """The puzzle to make: the board's shape, how many ``colours`` (``None``: as they come), and its grade.

    ``grade``: one of ``GRADES`` of the ladder, ``None`` for any.
    """

    shape: Shape
    colours: int | None = None
    grade: str | None = None


def new_puzzle(wanted: Wanted, seed: int, seconds: float = inf) -> tuple[NamedPuzzle, Solution]:
    """A random puzzle with exactly one solution, in which no path touches itself; the same for the same seed.

    Raises ``PuzzleInvalidError`` for what cannot be made, ``GaveUpError`` when none is found, or none
    within ``seconds``; covering a board of 40 x 40 once may take a few seconds more.
    """
    return _new_puzzle(wanted, seed, seconds, monotonic() + seconds)


def new_puzzles(
    wanted: Wanted, seeds: Iterable[int], seconds: float = inf
) -> list[tuple[NamedPuzzle, Solution]]:
    """One puzzle a seed, all of them within ``seconds``. Raises the same as ``new_puzzle``."""
    end = monotonic() + seconds
    return [_new_puzzle(wanted, seed, seconds, end) for seed in seeds]


def _new_puzzle(wanted: Wanted, seed: int, seconds: float, end: float) -> tuple[NamedPuzzle, Solution]:
    failures = 0
    if wanted.grade not in (None, *GRADES):
        raise PuzzleInvalidError(
            f"There is no difficulty {wanted.grade!r}.", f"Say one of {', '.join(GRADES)}."
        )
    for number in range(seed * SEEDS, (seed + 1) * SEEDS):
        if monotonic() >= end:
            raise _late(wanted, seconds)
        board = make_board(wanted.shape, Random(number))
        _check_colours(board, wanted.colours)
        try:
            puzzle, _ = random_puzzle(board, number, wanted.colours or _colours_for(board, wanted.grade))
        except GaveUpError:
            failures += 1
            if failures == FAILURES:
                raise
            continue
        outcome = solve(puzzle, limits=Limits(min(end - monotonic(), Limits().seconds)))
        if has_one_strict_solution(outcome) and _is_of_grade(puzzle, outcome.solution, wanted.grade, end):
            return NamedPuzzle("", board, puzzle, letters_for(len(puzzle.terminals))), outcome.solution
    if wanted.grade:
        raise GaveUpError(
            f"None of {SEEDS} random puzzles is {wanted.grade}.",
            "Ask for another size, number of colours or seed: few colours on a large board are harder.",
        )
    raise GaveUpError(
        f"None of {SEEDS} random puzzles has exactly one solution.",
        "Ask for more colours: boards with long paths have more solutions.",
    )


def _late(wanted: Wanted, seconds: float) -> GaveUpError:
    what = f"No {wanted.grade} puzzle" if wanted.grade else "No puzzle with exactly one solution"
    return GaveUpError(
        f"{what} was found within {seconds:g} s.",
        "Allow more time with `--limit SECONDS`, or ask for a smaller board.",
    )


def _check_colours(board: Board, colours: int | None) -> None:
    """Raise ``PuzzleInvalidError`` when there is no room for that many paths."""
    most = board.graph.size // SHORTEST
    if colours and colours > most:
        raise PuzzleInvalidError(
            f"{colours} paths of {SHORTEST} cells or more do not fit on {len(board.layout.cells)} cells.",
            f"Ask for at most {most} colours.",
        )


def _colours_for(board: Board, grade: str | None) -> int | None:
    """How many colours make puzzles of a grade likely; ``None``: as they come."""
    return max(2, round(board.graph.size / HARD_LENGTH)) if grade in GRADES[2:] else None


def _is_of_grade(puzzle: Puzzle, solution: Solution, grade: str | None, end: float) -> bool:
    """Whether a puzzle has a grade, as far as that is known in time."""
    if grade is None:
        return True
    try:
        return difficulty(puzzle, solution, Limits(min(end - monotonic(), Limits().seconds))).grade == grade
    except TimeIsUpError:
        return False


def make_board(shape: Shape, random: Random) -> Board:
    """A board of this shape, in one piece, every cell with two neighbours or more.

    Raises ``PuzzleInvalidError`` when no place is found for all that it should have.
    """
    for _ in range(BOARDS):
        board = _try_board(shape, random)
        if board and _is_sound(board):
            return board
    raise PuzzleInvalidError(
        f"Found no room for {shape.holes} holes, {shape.walls} walls, {shape.bridges} bridges and "
        f"{shape.warps} warps on a board of {shape.cols} × {shape.rows}.",
        "Ask for fewer, or for a larger board.",
    )


def _try_board(shape: Shape, random: Random) -> Board | None:
    places = [(r, c) for r in range(shape.rows) for c in range(shape.cols)]
    if shape.holes >= len(places):
        return None
    holes = set(random.sample(places, shape.holes))
    tile = boards.hexagonal if shape.tiling == "hex" else boards.square
    plain = tile(shape.rows, shape.cols, holes)
    assert plain.lattice is not None
    ends = boards.ends_of_lines(shape.rows, shape.cols, holes)
    closed = _closable(plain.graph, random)[: shape.walls]
    if len(closed) < shape.walls or shape.warps > len(ends):
        return None
    side_of = [(plain.lattice.places[a], plain.lattice.places[b]) for a, b in plain.graph.edges]
    walls = [side_of[edge] for edge in closed]
    if shape.tiling == "hex":
        return boards.hexagonal(shape.rows, shape.cols, holes, walls)
    open_sides = set(side_of) - set(walls)
    crossings = [place for place in plain.lattice.places if _four_sides(place) <= open_sides]
    if shape.bridges > len(crossings):
        return None
    bridges = random.sample(crossings, shape.bridges)
    return boards.square(shape.rows, shape.cols, holes, walls, bridges, random.sample(ends, shape.warps))


def _closable(graph: Graph, random: Random) -> list[int]:
    """Edges that can be left out, all of them, so that every strand keeps two."""
    left = [len(edges) for edges in graph.incident]
    closed = []
    for edge in random.sample(range(len(graph.edges)), len(graph.edges)):
        u, v = graph.edges[edge]
        if min(left[u], left[v]) > 2:
            left[u], left[v] = left[u] - 1, left[v] - 1
            closed.append(edge)
    return closed


def _four_sides(place: Place) -> set[tuple[Place, Place]]:
    """The sides of a square cell, as pairs of cells in reading order."""
    r, c = place
    return {((r - 1, c), place), ((r, c - 1), place), (place, (r, c + 1)), (place, (r + 1, c))}


def _is_sound(board: Board) -> bool:
    near = board.graph.neighbours()
    return len(shading_of(board.graph).parts) == 1 and all(len(others) > 1 for others in near)
