"""Boards and puzzles of every kind, random ones, and a count of all solutions as an independent oracle."""

from collections.abc import Sequence
from itertools import pairwise
from math import cos, pi, sin
from random import Random
from string import ascii_lowercase, ascii_uppercase

import numpy as np

from flowvision.errors import GaveUpError
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, Cell, NamedPuzzle
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import format_puzzle, parse
from flowvision.puzzle_tools.generator import ATTEMPTS, Shape, make_board
from flowvision.solvers import has_one_strict_solution, solve
from tests.drawing import LEVEL_5X5

SPECIAL_BOARDS = {
    "holes and walls": "#..D..\nD.E#.B\n.C.E.F\n.A.A..\n.C#B.F\n"
    "wall 2,2/3,2\nwall 2,5/2,6\nwall 3,2/4,2\nwall 4,5/4,6\n",
    "bridge": "....C\n.AC+.\n..BDA\n...B.\nD....\n",
    "warp": ".C...\n...A.\n...B.\nB..CA\nwarp 1,1/1,5\n",
    "hexagons": "hex\n.D.A\n.CAB\n..B.\nD..C\n",
}


def pairs_of(puzzle: Puzzle) -> set[frozenset[int]]:
    return set(map(frozenset, puzzle.terminals))


def places_of_pairs(named: NamedPuzzle) -> set[frozenset[tuple[int, int]]]:
    """Return rows and columns of the dots; also of a reading."""
    places = named.board.lattice.places
    return {frozenset(places[dot] for dot in pair) for pair in named.puzzle.terminals}


def text_of(named: NamedPuzzle) -> str:
    """Return a puzzle, or a reading, as text: letters go by the order in which flows appear."""
    return format_puzzle(named.board, named.puzzle)


def free_of(board: Board) -> Board:
    """The cells of a lattice as a board without rows and columns."""
    return boards.build(board.layout.cells, boards.shared_sides(board.layout.cells))


LEVEL_5X5_PAIRS = pairs_of(parse(LEVEL_5X5).puzzle)
LEVEL_5X5_DOTS = frozenset().union(*LEVEL_5X5_PAIRS)
"""Cells of the first level that hold a dot."""


def rhombi(arms: int, parts: int) -> Board:
    """Return a star of rhombi, each cut into ``parts`` by ``parts`` cells."""
    tips = [np.array((np.cos(2 * np.pi * n / arms), np.sin(2 * np.pi * n / arms))) for n in range(arms)]
    cells = []
    for one, other in zip(tips, tips[1:] + tips[:1], strict=True):
        for a, b in np.ndindex(parts, parts):
            around = [(a + i) * one + (b + j) * other for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
            corners = np.round(around, 6)
            cells.append(Cell(tuple(corners.mean(axis=0).tolist()), tuple(map(tuple, corners.tolist()))))
    return boards.build(cells, boards.shared_sides(cells))


def ring_board():
    """Two rings of ten cells each."""
    cells = []
    for ring in range(2):
        for step in range(10):
            turns = [(step, ring), (step + 1, ring), (step + 1, ring + 1), (step, ring + 1)]
            outline = tuple(
                ((1.7 + r) * cos(t * pi / 5) + 4, (1.7 + r) * sin(t * pi / 5) + 4) for t, r in turns
            )
            turn = (step + 0.5) * pi / 5
            cells.append(Cell(((2.2 + ring) * cos(turn) + 4, (2.2 + ring) * sin(turn) + 4), outline))
    return boards.build(cells, boards.shared_sides(cells))


LATTICES = {
    "square": boards.square(6, 6),
    "holes": boards.square(6, 6, holes=[(0, 0), (5, 5)], walls=[((2, 2), (2, 3))]),
    "warp": boards.square(5, 5, warps=[((2, 0), (2, 4))]),
    "bridge": boards.square(7, 7, holes=[(0, 0), (0, 6), (6, 0), (6, 6)], bridges=[(3, 3)]),
    "hex": boards.hexagonal(5, 5),
}


BOARDS = LATTICES | {"cubes": rhombi(arms=3, parts=2), "rings": ring_board()}
"""The faces of a cube, each of two by two rhombs, and two rings of ten cells."""


def warp_ends(size, rows, cols):
    last = size - 1
    return {((r, 0), (r, last)) for r in rows} | {((0, c), (last, c)) for c in cols}


def walls_round(places):
    r, c = places
    cells = [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)]
    return [tuple(sorted(pair)) for pair in pairwise([*cells, cells[0]])]


WARPED_BOARDS = {
    "mouths": boards.square(
        9, 9, holes=[(r, c) for r in range(9) for c in range(9) if abs(r - 4) + abs(c - 4) > 5],
        warps=warp_ends(9, (3, 4, 5), (3, 4, 5)),
    ),
    "corners": boards.square(
        6, 6, holes=[(0, 0), (0, 5), (5, 0), (5, 5)], walls=walls_round((2, 2)),
        warps=warp_ends(6, (1, 2, 3, 4), (1, 2, 3, 4)),
    ),
    "frame": boards.square(5, 5, warps=warp_ends(5, (1, 2, 3), (1, 3))),
    "sides": boards.square(5, 5, warps=warp_ends(5, (1, 2, 3), ())),
    "all": boards.square(7, 7, walls=[((2, 2), (2, 3))], warps=warp_ends(7, range(7), range(7))),
    "bar": boards.square(
        3, 6, holes=[(0, 0), (0, 4), (0, 5), (2, 0), (2, 4), (2, 5)], warps=[((1, 0), (1, 5))],
    ),
}  # fmt: skip


def puzzle_on(board, seed):
    """Return a puzzle with one solution, which uses a warp."""
    puzzle, solution = unique_puzzle(board, seed, 3 if len(board.layout.cells) < 20 else None)
    over = any(len(board.layout.strokes[edge]) > 1 for path in solution.paths for edge in path.edges)
    return (puzzle, solution) if over else puzzle_on(board, seed + 1)


SMALL_BOARDS = {
    "square": boards.square(4, 4),
    "tall": boards.square(5, 3),
    "holes": boards.square(4, 4, holes=[(0, 0), (2, 2)]),
    "walls": boards.square(4, 4, walls=[((1, 1), (1, 2)), ((2, 0), (3, 0))]),
    "bridge": boards.square(4, 4, bridges=[(1, 2)]),
    "warp": boards.square(3, 4, warps=[((1, 0), (1, 3))]),
    "two wide": boards.square(4, 2, warps=[((0, 0), (0, 1)), ((2, 0), (2, 1))]),
    "mixed": boards.square(
        4, 4, holes=[(3, 0)], walls=[((0, 0), (0, 1))], bridges=[(1, 2)], warps=warp_ends(4, (1,), (2,))
    ),
    "hex": boards.hexagonal(3, 4),
    "hex walls": boards.hexagonal(4, 4, holes=[(0, 0), (3, 3)], walls=[((1, 1), (1, 2)), ((2, 0), (3, 0))]),
}
"""By kind; small enough to count every solution. On ``two wide`` some cells are joined by two edges."""


def random_dots(board: Board, seed: int, flows: int) -> Puzzle:
    """Place dots anywhere: no, one and several solutions occur."""
    plain = sorted(set(range(len(board.layout.cells))) - set(board.layout.cell_of[len(board.layout.cells) :]))
    dots = Random(seed).sample(plain, 2 * flows)
    return Puzzle(board.graph, tuple(zip(dots[::2], dots[1::2], strict=True)))


def unique_puzzle(board: Board, seed: int, colours: int | None = None) -> tuple[Puzzle, Solution]:
    """Return a random puzzle with exactly one solution."""
    made = (random_puzzle(board, 1000 * seed + attempt, colours) for attempt in range(1000))
    return next(one for one in made if has_one_strict_solution(solve(one[0])))


def begun(solution: Solution, random: Random) -> list[frozenset[int]]:
    """Return edges at the ends of each path, possibly none or all."""
    drawn = []
    for path in solution.paths:
        low, high = sorted(random.choices(range(len(path.edges) + 1), k=2))
        drawn.append(frozenset(path.edges[:low] + path.edges[high:]))
    return drawn


def pigeons(holes: int) -> list[list[int]]:
    """Return clauses of the pigeonhole principle, which no search refutes quickly."""
    at = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)]
    pairs = [(a, b) for a in range(holes + 1) for b in range(a)]
    return [*at, *([-at[a][hole], -at[b][hole]] for a, b in pairs for hole in range(holes))]


def touches_itself(puzzle: Puzzle, vertices: Sequence[int]) -> bool:
    """Tell if two strands of a path are neighbours without being consecutive on it."""
    at = {strand: place for place, strand in enumerate(vertices)}
    return any(
        abs(at.get(puzzle.graph.other_end(edge, strand), place) - place) > 1
        for strand, place in at.items()
        for edge in puzzle.graph.incident[strand]
    )


def count_solutions(puzzle: Puzzle, strict: bool) -> int:
    """Count the sets of paths that cover the board; under ``strict`` no path may touch itself."""
    graph = puzzle.graph
    neighbours = [[graph.other_end(edge, s) for edge in graph.incident[s]] for s in range(graph.size)]

    def extend(flow: int, path: list[int], used: set[int]) -> int:
        here, goal = path[-1], puzzle.terminals[flow][1]
        if here == goal:
            is_wrong = strict and touches_itself(puzzle, path)
            return 0 if is_wrong else start(flow + 1, used)
        total = 0
        for there in neighbours[here]:
            if there in path or (there in used and there != goal):
                continue
            total += extend(flow, [*path, there], used | {there})
        return total

    def start(flow: int, used: set[int]) -> int:
        if flow == len(puzzle.terminals):
            return int(len(used) == graph.size)
        first = puzzle.terminals[flow][0]
        return extend(flow, [first], used | {first})

    return start(0, set(puzzle.dots))


def make_puzzle(shape: Shape, colours: int | None, seed: int) -> str:
    """Return the text of a puzzle with exactly one solution."""
    for number in range(seed * ATTEMPTS, (seed + 1) * ATTEMPTS):
        board = make_board(shape, Random(number))
        try:
            puzzle, _ = random_puzzle(board, number, colours)
        except GaveUpError:
            continue
        if has_one_strict_solution(solve(puzzle)):
            return format_puzzle(board, puzzle, ascii_uppercase + ascii_lowercase)
    raise GaveUpError(f"No puzzle of {shape} with the seed {seed} has exactly one solution.")
