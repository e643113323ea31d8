"""Walls of a reading: their completeness, which of them the answer proves, and which stay on the board.

A false wall only closes a side that is open, so every solution of a reading with false walls also solves the
true board. Only whether a path touches itself may differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import pairwise, product

import numpy as np
from msgspec.structs import replace

from flowvision.doubts import Doubt, WallsInPart, WallsUnlikely
from flowvision.puzzle.boards import opened, plain_board, walls_and_warps
from flowvision.puzzle.layout import Board, Point, SidePlaces
from flowvision.puzzle.model import Solution
from flowvision.reading.doubts import sides_of
from flowvision.reading.run import Candidate, ReadingRun
from flowvision.solvers import Solved, has_one_strict_solution
from flowvision.vision.assembly import Interpretation, Wall
from flowvision.vision.kinds.fit import BoardGeometry, Side
from flowvision.vision.pixels.line_weight import ALONG
from flowvision.vision.pixels.view import Floats, colour_distance, median_lab, sample
from flowvision.vision.settings import LINE_WEIGHT, READING, TINTS, WALLS


def walls_seen(interpretation: Interpretation) -> tuple[Wall, ...]:
    """Return the walls that were seen, including those left out of the reading.

    There are none on boards other than squares, whose sides are not measured place by place, and none at a
    bridge, whose strands depend on its sides.
    """
    geometry, board = interpretation.geometry, interpretation.board_as_seen
    if geometry is None or board is None or board.lattice is None:
        return ()
    wall_places, _ = walls_and_warps(board, board.lattice)
    if not wall_places:
        return ()
    completeness_at = {side.places: side.completeness for side in geometry.sides}
    number, bridges = board.lattice.numbers, board.layout.bridges
    walls = []
    for first, last in wall_places:
        completeness = completeness_at.get((first, last))
        cells = number[first], number[last]
        if completeness is not None and bridges.isdisjoint(cells):
            walls.append(Wall(cells, (first, last), completeness))
    return tuple(walls)


def incomplete(walls: Iterable[Wall], lower: float) -> tuple[Wall, ...]:
    """Return the walls seen by a share below ``lower``."""
    return tuple(wall for wall in walls if wall.completeness < lower)


def without(interpretation: Interpretation, walls: Sequence[Wall]) -> Interpretation:
    """Return the interpretation with these walls open and all others closed."""
    board_seen = interpretation.board_as_seen
    if board_seen is None:
        return interpretation
    board = opened(board_seen, [wall.cells for wall in walls])
    puzzle = replace(interpretation.reading.puzzle, graph=board.graph)
    return replace(
        interpretation,
        reading=replace(interpretation.reading, board=board, puzzle=puzzle),
        ignored_walls=tuple(walls),
    )


def touched(walls: Iterable[Wall], solution: Solution) -> tuple[Wall, ...]:
    """Return the walls without which a path of the solution would touch itself."""
    flow_of = solution.flow_of

    def is_touched(wall: Wall) -> bool:
        """Return whether one path has cells on both sides."""
        first_flow, second_flow = (flow_of.get(cell) for cell in wall.cells)
        return first_flow is not None and first_flow == second_flow

    return tuple(filter(is_touched, walls))


def crossed(walls: Iterable[Wall], solution: Solution) -> tuple[Wall, ...]:
    """Return the walls that a path of the solution crosses: they do not exist."""
    steps = {frozenset(step) for path in solution.paths for step in pairwise(path.vertices)}
    return tuple(wall for wall in walls if frozenset(wall.cells) in steps)


def plain(walls: Sequence[Wall], refuted: Sequence[Wall], geometry: BoardGeometry) -> frozenset[Wall]:
    """Return the walls that were seen whole, in the colour and weight of others or of the outline.

    A stroke, a finger or a sticker shows a part of a side, or has a colour of its own. Walls that look like a
    refuted one are not plain, and none are where a wall may have been taken for a line.
    """
    sides = [side for side in geometry.sides if not side.is_open and side.completeness == 1]
    if not sides or geometry.clarity < READING.seen_surely:
        return frozenset()
    colours_lab = _colours_of(sides, geometry)
    # A wall that was seen by its colour may weigh less than a line.
    weights = np.maximum([side.strength for side in sides], WALLS.strength)
    is_alike = colour_distance(colours_lab[:, None], colours_lab) <= TINTS.alike
    is_alike &= np.maximum(weights[:, None], weights) < LINE_WEIGHT.thick * np.minimum(
        weights[:, None], weights
    )
    number = {side.places: n for n, side in enumerate(sides)}
    false_numbers = [number[wall.places] for wall in refuted if wall.places in number]
    is_plain = (is_alike.sum(axis=1) >= WALLS.few) & ~is_alike[:, false_numbers].any(axis=1)
    return frozenset(wall for wall in walls if wall.places in number and is_plain[number[wall.places]])


def _colours_of(sides: Sequence[Side], geometry: BoardGeometry) -> Floats:
    """Return the colours (N, 3) of sides, in Lab."""
    middles = np.array([side.middle for side in sides])
    is_vertical = middles[:, :1] == np.round(middles[:, :1])
    across, along = np.zeros_like(ALONG), ALONG
    offsets = np.where(
        is_vertical[..., None], np.column_stack((across, along)), np.column_stack((along, across))
    )
    return median_lab(sample(geometry.fit.view, geometry.fit.frame, middles, offsets))


def unlikely(walls: Sequence[Wall], board: Board, plain: Set[Wall] = frozenset()) -> tuple[Wall, ...]:
    """Return the walls that a published board would hardly have, except for ``plain`` ones.

    All of them if there are few, else those that touch no other wall, border or hole. Also rows and columns
    of walls from border to border, plain or not, as along the edge of a veil: 1 of 222 boards with walls has
    one.
    """
    if len(walls) < WALLS.few:
        return tuple(wall for wall in walls if wall not in plain)
    lattice = board.lattice
    assert lattice is not None  # only such boards have walls
    places, wall_ends = set(lattice.places), [end for wall in walls for end in wall.ends]

    def is_free(end: Point) -> bool:
        """Return whether no other wall ends there, and the four places round it have cells."""
        col, row = map(int, end)
        around = product((row - 1, row), (col - 1, col))
        return wall_ends.count(end) == 1 and places.issuperset(around)

    sides = [(lattice.places[a], lattice.places[b]) for a, b in plain_board(lattice).graph.edges]
    sides_on, walls_on = Counter(map(_line_of, sides)), Counter(_line_of(wall.places) for wall in walls)
    lines_across = {line for line, count in walls_on.items() if WALLS.few <= count == sides_on[line]}

    def is_unlike(wall: Wall) -> bool:
        is_alone = wall not in plain and all(map(is_free, wall.ends))
        return is_alone or _line_of(wall.places) in lines_across

    return tuple(filter(is_unlike, walls))


def _line_of(side: SidePlaces) -> tuple[str, int]:
    """Return the line of the lattice that a side lies on: above a row, or to the left of a column."""
    (_, first_col), (row, col) = side
    return ("above row", row) if first_col == col else ("left of column", col)


def with_believed_walls(candidate: Candidate, run: ReadingRun) -> tuple[Candidate, tuple[Doubt, ...]]:
    """Return the candidate with the walls that are believed, and the doubts about the others.

    A wall between two cells of one path is proved: without it that path would touch itself. A wall that a
    path crosses does not exist. Others are left out if seen only in part; if none is proved, those unlike any
    published board's are named, unless they are plain. The solution stays the same. Candidates without
    exactly one strict solution are returned as they are.
    """
    walls, ignored = walls_seen(candidate.source), candidate.source.ignored_walls
    if not walls or not has_one_strict_solution(candidate.outcome):
        return candidate, ()
    solution = candidate.outcome.solution
    refuted = crossed(walls, solution)
    proved = touched([wall for wall in walls if wall not in ignored], solution)
    undecided = [wall for wall in walls if wall not in refuted and wall not in proved]
    left_out = [*refuted, *incomplete(undecided, WALLS.complete)]
    if ignored:  # opened before it was solved; ``all_doubts`` names them
        settled, doubts = _close_others(candidate, left_out, run), list[Doubt]()
    else:
        settled, doubts = _leave_out(candidate, left_out, run)
    walls_left = [wall for wall in walls if wall not in left_out]
    geometry, board = candidate.source.geometry, settled.reading.board
    assert geometry is not None  # only a board cut out of a picture has walls that were seen
    unlikely_walls = () if proved else unlikely(walls_left, board, plain(walls_left, refuted, geometry))
    if unlikely_walls:
        board_without = without(candidate.source, [*left_out, *unlikely_walls])
        is_only = has_one_strict_solution(run.solve(board_without))
        doubts.append(WallsUnlikely(sides_of(unlikely_walls), has_others=not is_only, weight=0.0))
    return settled, tuple(doubts)


def _leave_out(candidate: Candidate, walls: Sequence[Wall], run: ReadingRun) -> tuple[Candidate, list[Doubt]]:
    """Return the candidate without these walls, its solution unchanged, and the doubt about them, if any."""
    assert isinstance(candidate.outcome, Solved)
    if not walls:
        return candidate, []
    # The doubt names these walls, so that the board need not name them as ignored.
    source_without = replace(without(candidate.source, walls), ignored_walls=())
    outcome_without, outcome = run.solve(source_without), candidate.outcome
    is_only = has_one_strict_solution(outcome_without)
    if not is_only:
        has_two = isinstance(outcome_without, Solved) and outcome_without.unique is False
        outcome = replace(outcome, unique=False if has_two else None)
    doubt = WallsInPart(sides_of(walls), has_others=not is_only, weight=0.0)
    return replace(candidate, source=source_without, outcome=outcome), [doubt]


def _close_others(candidate: Candidate, left_open: Sequence[Wall], run: ReadingRun) -> Candidate:
    """Return the candidate with all walls closed but these, if it then has exactly one strict solution.

    Else it stays as it is.
    """
    if set(left_open) == set(candidate.source.ignored_walls):
        return candidate
    closed = without(candidate.source, left_open)
    outcome_closed = run.solve(closed)
    if not has_one_strict_solution(outcome_closed):
        return candidate
    return replace(candidate, source=closed, outcome=outcome_closed)
