"""The walls of a reading: how whole each was seen, which of them an answer proves, which are doubted.

A path uses open sides only, and a wall that is not there closes a side that is open: every solution of a
reading with invented walls is one of the true board. Only whether a path touches itself may differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from flowvision.events import Trail
from flowvision.puzzle.boards import opened, walls_and_warps
from flowvision.puzzle.layout import Board, Place, Point
from flowvision.puzzle.model import Solution
from flowvision.value import value_type
from flowvision.vision.settings import WallSettings


@value_type
class Wall:
    """A wall as it was seen: the two ``cells`` it parts, by number and by place, rising.

    ``completeness``: of the places along it the share that is as strong as a wall, 0 to 1.
    """

    cells: tuple[int, int]
    places: tuple[Place, Place]
    completeness: float

    @property
    def ends(self) -> tuple[Point, Point]:
        """Where it begins and ends, in cell units: x, y."""
        (r, c), (row, col) = self.places
        return ((c, row), (c + 1, row)) if c == col else ((col, r), (col, r + 1))


def walls_seen(trail: Trail) -> tuple[Wall, ...]:
    """The walls of the board that a trail led to, those left out of its reading as well.

    None on boards other than lattices of squares, whose sides are not measured place by place; and none of
    those at a bridge, whose strands depend on them.
    """
    sides = trail.sides
    if sides is None or not sides.fit.is_lattice or sides.board.lattice is None:
        return ()
    board = trail.crossings.board if trail.crossings else sides.board
    assert board.lattice is not None
    share = {side.middle: side.completeness for side in sides.sides}
    number = {place: cell for cell, place in enumerate(board.lattice.places)}
    bridges = set(board.layout.cell_of[len(number) :])
    made = []
    for first, last in walls_and_warps(board, board.lattice)[0]:
        (r, c), (row, col) = first, last
        complete = share.get(((c + col + 1) / 2, (r + row + 1) / 2))
        cells = number[first], number[last]
        if complete is not None and bridges.isdisjoint(cells):
            made.append(Wall(cells, (first, last), complete))
    return tuple(made)


def incomplete(walls: Iterable[Wall], least: float) -> tuple[Wall, ...]:
    """Those that were seen at a smaller share of their places."""
    return tuple(wall for wall in walls if wall.completeness < least)


def incomplete_walls(walls: Sequence[Wall], asked: WallSettings) -> tuple[Wall, ...]:
    """The walls to leave out first: those that were not seen whole."""
    return incomplete(walls, asked.whole)


def every_wall(walls: Sequence[Wall], asked: WallSettings) -> tuple[Wall, ...]:
    """All of them; none where that would be the same again."""
    return tuple(walls) if len(incomplete(walls, asked.whole)) < len(walls) else ()


def without(trail: Trail, walls: Sequence[Wall]) -> Trail:
    """The trail whose reading has the board that it led to, with these walls open and all others closed."""
    assert trail.sides is not None
    assert trail.reading is not None
    board = opened(
        (trail.crossings.board if trail.crossings else trail.sides.board), [wall.cells for wall in walls]
    )
    puzzle = replace(trail.reading.puzzle, graph=board.graph)
    return trail.with_(reading=replace(trail.reading, board=board, puzzle=puzzle), opened=tuple(walls))


def touched(walls: Iterable[Wall], solution: Solution) -> tuple[Wall, ...]:
    """The walls that a path of the solution touches itself over: without them it would be none."""
    flow_of = {strand: flow for flow, path in enumerate(solution.paths) for strand in path.vertices}
    return tuple(wall for wall in walls if len({flow_of.get(cell, -cell - 1) for cell in wall.cells}) == 1)


def crossed(walls: Iterable[Wall], solution: Solution) -> tuple[Wall, ...]:
    """The walls that a path of the solution passes through: they are none."""
    steps = {
        frozenset(step)
        for path in solution.paths
        for step in zip(path.vertices, path.vertices[1:], strict=False)
    }
    return tuple(wall for wall in walls if frozenset(wall.cells) in steps)


def unlikely(walls: Sequence[Wall], board: Board, asked: WallSettings) -> tuple[Wall, ...]:
    """The walls that a published board would hardly have.

    All of them where there are few, else those that touch no other wall, no border and no hole.
    """
    if len(walls) < asked.few:
        return tuple(walls)
    assert board.lattice is not None
    cells = set(board.lattice.places)
    ends = [end for wall in walls for end in wall.ends]

    def is_isolated(wall: Wall) -> bool:
        return all(
            ends.count((x, y)) == 1
            and cells.issuperset((int(y) - down, int(x) - right) for down in (0, 1) for right in (0, 1))
            for x, y in wall.ends
        )

    return tuple(wall for wall in walls if is_isolated(wall))
