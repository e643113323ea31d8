"""Random puzzles for the tests: with any dots, with one solution, partly drawn, or impossible."""

from __future__ import annotations

from random import Random

from flowvision.puzzle.formats import written
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle_tools.generator import Shape, new_puzzle
from flowvision.solvers import has_one_strict_solution, solve


def random_dots(board: Board, seed: int, flows: int) -> Puzzle:
    """Dots anywhere, so that boards with none, one and several solutions occur."""
    plain = sorted(set(range(len(board.layout.cells))) - set(board.layout.cell_of[len(board.layout.cells) :]))
    dots = Random(seed).sample(plain, 2 * flows)
    return Puzzle(board.graph, tuple(zip(dots[::2], dots[1::2], strict=True)))


def unique_puzzle(board: Board, seed: int, colours: int | None = None) -> Puzzle:
    """A random puzzle with one solution, as published ones have."""
    for attempt in range(1000):
        puzzle, _ = random_puzzle(board, 1000 * seed + attempt, colours)
        outcome = solve(puzzle)
        if has_one_strict_solution(outcome):
            return puzzle
    raise AssertionError("no puzzle with one solution")


def begun(solution: Solution, random: Random) -> list[frozenset[int]]:
    """Per flow, the edges of a beginning, of an end, of both, or of all of its path."""
    drawn = []
    for path in solution.paths:
        low, high = sorted(random.choices(range(len(path.edges) + 1), k=2))
        drawn.append(frozenset(path.edges[:low] + path.edges[high:]))
    return drawn


def pigeons(holes: int) -> list[list[int]]:
    """One pigeon too many for so many holes: no search proves it quickly."""
    at = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)]
    pairs = [(a, b) for a in range(holes + 1) for b in range(a)]
    return [*at, *([-at[a][hole], -at[b][hole]] for a, b in pairs for hole in range(holes))]


def make_puzzle(shape: Shape, colours: int | None, seed: int, form: str = "text") -> str:
    """A generated puzzle in a written form."""
    item, solution = new_puzzle(shape, seed, colours)
    return written(item, form, solution) + "\n"
