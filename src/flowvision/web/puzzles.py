"""Work on puzzles without a picture; neither NumPy nor OpenCV is loaded for it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from time import perf_counter

from flowvision.contract import Object, hint_object
from flowvision.errors import PuzzleInvalidError
from flowvision.puzzle.check import faults_in_puzzle
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle_tools.generator import new_puzzle, shape_of
from flowvision.puzzle_tools.report import PuzzleOptions, report, solved
from flowvision.solvers import TimeIsUpError
from flowvision.solvers.backtracking import steps
from flowvision.solvers.deductions import difficulty
from flowvision.solvers.hints import FlowNames, hint_of, words_of
from flowvision.web.queries import (
    PAGE,
    GeneratingQuery,
    Place,
    PuzzleQuery,
    Query,
    checked,
    puzzle_in,
    puzzle_object,
)

TIME_SHARE = 0.8
"""Share of a job's time that solvers get: the rest is for the answer, so that no process is killed."""
MAX_STEPS = 100_000
"""Steps of a search that is watched."""


def solve_puzzle(body: bytes, query: Query, seconds: float) -> Object:
    """Return the object of ``flowvision puzzle --json``, with the puzzle as it was understood.

    ``count``: solutions to count; ``repair``: look for changes that leave exactly one.
    """
    named, parameters = puzzle_in(body, query)
    limit = TIME_SHARE * min(seconds, parameters.limit)
    result = report(
        named, PuzzleOptions(seconds=limit, count=parameters.count or None, repair=parameters.repair)
    )
    described = result.described | {"puzzle": puzzle_object(named)}
    if result.error:
        described["error"] = PAGE.error_object(result.error)
    return described


def hint_for(body: bytes, query: Query, seconds: float) -> Object:
    """Return the hint of a ``kind``, as for ``hint_of``, beside the steps known already.

    ``names``: of the flows' colours, in place of letters. ``short``: ``why`` for the page, without the
    cells of the step. Raises ``FlowvisionError`` without a solution.
    """
    named, parameters = puzzle_in(body, query)
    half_seconds = TIME_SHARE * min(seconds, parameters.limit) / 2  # to solve, then to find the hint
    outcome = solved(named, half_seconds)
    drawn = _edges_of(named, parameters.known)
    hint = hint_of(named.puzzle, outcome.solution, named.letters, parameters.kind, drawn, half_seconds)
    names = tuple(filter(None, parameters.names.split(",")))
    flows = FlowNames("?" * len(named.letters) if names else named.letters, names)
    why, short = (words_of(hint, named.puzzle, named.board, flows, form) for form in (None, PAGE))
    return hint_object(named.board, hint, why) | {"short": " ".join(short)}


def search_steps(body: bytes, query: Query, seconds: float) -> Object:
    """Return the ``steps`` of a backtracking search up to its first solution, and how it ``ended``.

    A step: kind, flow, the cells that it goes from and to, why, empty for a guess, and the way.
    """
    named, parameters = _valid(body, query)
    end = perf_counter() + TIME_SHARE * min(seconds, parameters.limit)
    ended = "no solution in which no path touches itself"
    board, cell_of = named.board, named.board.layout.cell_of
    edge_of = {frozenset(ends): edge for edge, ends in enumerate(board.graph.edges)}
    found_steps = list[tuple[str, int, int, int, str, str]]()
    for step in steps(named.puzzle, "strict"):
        cells = cell_of[step.start], cell_of[step.strand]
        edge = edge_of.get(frozenset((step.start, step.strand)))
        way = "" if edge is None else board.direction_of(edge, step.start)
        found_steps.append((step.kind, step.flow, *cells, step.why, way))
        if step.solution or len(found_steps) >= MAX_STEPS or perf_counter() > end:
            ended = "solved" if step.solution else "out of time"
            break
    return {"steps": found_steps, "ended": ended}


def generate(_: bytes, query: Query, seconds: float) -> Object:
    """Return a puzzle with exactly one solution, and its difficulty if found in time."""
    parameters = checked(query, GeneratingQuery)
    limit = min(seconds, parameters.limit)
    end = perf_counter() + limit
    counts = {name: getattr(parameters, name) for name in ("holes", "walls", "bridges", "warps")}
    shape = shape_of(parameters.size, parameters.tiling, **counts)
    colours, level = parameters.colours or None, parameters.difficulty or None
    named, solution = new_puzzle(shape, parameters.seed, colours, level, limit * TIME_SHARE)
    grade = None
    with suppress(TimeIsUpError):  # until the limit itself: hardly anything is left to do then
        grade = difficulty(named.puzzle, solution, end - perf_counter()).grade
    return {"puzzle": puzzle_object(named), "difficulty": grade}


def _valid(body: bytes, query: Query) -> tuple[NamedPuzzle, PuzzleQuery]:
    """Return the puzzle and parameters. Raises ``PuzzleInvalidError`` for faults of the puzzle."""
    named, parameters = puzzle_in(body, query)
    if faults := faults_in_puzzle(named.puzzle, named.board):
        raise PuzzleInvalidError(" ".join(faults))
    return named, parameters


def _edges_of(named: NamedPuzzle, drawn: Iterable[tuple[Place, Place]]) -> set[int]:
    """Return the edges between pairs of cells. Raises ``PuzzleInvalidError`` for cells that are apart."""
    key_of, edge_between = named.board.key_of, dict[frozenset[Place], int]()
    for edge, (u, v) in enumerate(named.puzzle.graph.edges):
        edge_between[frozenset((key_of(u), key_of(v)))] = edge
    try:
        return {edge_between[frozenset(pair)] for pair in drawn}
    except KeyError:
        words = "A known step does not join two neighbouring cells of the board."
        raise PuzzleInvalidError(words, "Give pairs of neighbours.") from None
