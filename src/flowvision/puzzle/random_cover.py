"""Random puzzles on any board, from a seed: cover the board with paths, keep their ends.

Paths grow over free strands, towards the fewest free neighbours and never beside themselves; leftover strands
are joined to a neighbouring path. If that fails, a small board starts again; on a large one the paths around
the failure are removed and grown again.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from flowvision.errors import GaveUpError
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Graph, Path, Puzzle, Solution
from flowvision.words import count_of

SHORTEST = 3
"""Strands of the shortest path; with two, the dots would be neighbours."""
ATTEMPTS = 100
LARGE = 300
"""Strands of a board on which failures are repaired: it is too large to be covered without one."""


def random_puzzle(
    board: Board, seed: int, colours: int | None = None, attempts: int = ATTEMPTS
) -> tuple[Puzzle, Solution]:
    """Return a solvable puzzle with ``colours`` pairs, and a solution in which no path touches itself.

    The same seed gives the same puzzle. Raises ``GaveUpError`` if the board cannot be covered.
    """
    random = Random(seed)
    bridges = board.layout.bridges
    no_dot = {strand for strand, cell in enumerate(board.layout.cell_of) if cell in bridges}
    if board.graph.size > LARGE:
        attempts = min(attempts, 3)  # each of them repairs its failures
    length = None if colours is None else board.graph.size / colours
    for _ in range(attempts):
        cover = _Cover(board.graph, no_dot, random)
        if cover.fill(length) and (colours is None or cover.recut(colours)):
            return cover.puzzle()
    paths = "paths" if colours is None else count_of(colours, "path")
    cells = len(board.layout.cells)
    raise GaveUpError(
        f"Could not cover the board's {cells} cells with {paths} in {attempts} attempts.",
        "Choose another number of colours, or another seed.",
    )


class _Cover:
    """Paths that grow until they cover a graph; on the strands ``no_dot`` none may end.

    ``paths``: those so far, each its strands in order; ``path_of``: the path of each covered strand.
    """

    def __init__(self, graph: Graph, no_dot: set[int], random: Random) -> None:
        self.graph, self.no_dot, self.random = graph, no_dot, random
        self.neighbours = graph.neighbours()
        self.paths: list[list[int]] = []
        self.path_of: dict[int, list[int]] = {}

    def fill(self, length: float | None) -> bool:
        """Cover every strand with paths of about this length; return true on success."""
        length = length or self.random.uniform(4, 14)  # strands, as in published levels
        rounds = self.graph.size + 1 if self.graph.size > LARGE else 1  # a failure is repaired in the next
        for _ in range(rounds):
            self._cover(length)
            stuck = self._join_short()
            if not stuck:
                return True
            self._clear_around(stuck)
        return False

    def _cover(self, length: float) -> None:
        """Grow paths until no strand is free, the tightest strands first."""
        while len(self.path_of) < self.graph.size:
            free = [s for s in range(self.graph.size) if s not in self.path_of]
            room = {s: self._room(s) for s in free}
            tightest = min(room.values())
            starts = [s for s in free if room[s] == tightest]
            self._grow(self.random.choice(starts), length)

    def _clear_around(self, stuck: list[int]) -> None:
        """Remove a path that cannot be joined, and all paths beside it."""
        around = [self.path_of[other] for strand in stuck for other in self.neighbours[strand]]
        self._replace([stuck, *around], [])
        for path in (stuck, *around):
            for strand in path:
                self.path_of.pop(strand, None)

    def _room(self, strand: int) -> int:
        """Return the number of free neighbours."""
        return sum(1 for other in self.neighbours[strand] if other not in self.path_of)

    def _grow(self, start: int, length: float) -> None:
        """Grow a path from a strand, first at one end, then at the other, to twice the ``length`` at most.

        An end stops at a dead end, or by chance: after each strand with a probability of 1 / ``length``.
        """
        path = [start]
        self.paths.append(path)
        self.path_of[start] = path
        for _ in range(2):
            while len(path) < 2 * length:
                choices = [s for s in self.neighbours[path[-1]] if self._may_extend(path, s)]
                is_long = len(path) > SHORTEST
                if not choices or (is_long and self.random.random() < 1 / length):
                    break
                path.append(self._next(choices))
                self.path_of[path[-1]] = path
            path.reverse()

    def _next(self, choices: list[int]) -> int:
        """Choose one of the strands with the least room, or sometimes one with a little more."""
        room = {strand: self._room(strand) for strand in choices}
        least = min(room.values())
        tight = [s for s in choices if room[s] <= least + self.random.choice((0, 0, 1))]
        return self.random.choice(tight)

    def _may_extend(self, path: list[int], strand: int) -> bool:
        """Return true if a strand is free, and beside no strand of the path but its last."""
        if strand in self.path_of:
            return False
        beside = [other for other in self.neighbours[strand] if self.path_of.get(other) is path]
        return all(other == path[-1] for other in beside)

    def _join_short(self) -> list[int] | None:
        """Join every invalid path to another; return the first that cannot be joined."""
        for path in sorted(self.paths, key=len):
            is_current = self.path_of[path[0]] is path
            if is_current and not self._is_valid(path) and not self._join(path, cutting=True):
                return path
        return next((path for path in self.paths if not self._is_valid(path)), None)

    def _join(self, path: list[int], cutting: bool) -> bool:
        """Join a path to an end of another, or to its middle (``cutting``); return true on success.

        The joined path must not touch itself, and what is cut off must be valid.
        """
        for own_path in (path, path[::-1]):
            neighbours = self.neighbours[own_path[0]]
            for other in self.random.sample(neighbours, len(neighbours)):
                target = self.path_of[other]
                if target is path:
                    continue
                place = target.index(other)
                from_start = target[: place + 1], target[place + 1 :]
                from_end = target[place:][::-1], target[:place]
                for kept, cut_off in (from_start, from_end):
                    may_cut = not cut_off or (cutting and self._is_valid(cut_off))
                    joined = kept + own_path
                    if may_cut and not self._touches(joined):
                        self._replace([target, path], [joined, cut_off] if cut_off else [joined])
                        return True
        return False

    def _is_valid(self, path: list[int]) -> bool:
        """Return true if a path is long enough, and dots may be on its ends."""
        ends = path[0], path[-1]
        return len(path) >= SHORTEST and self.no_dot.isdisjoint(ends)

    def _touches(self, path: list[int]) -> bool:
        """Return true if two strands of a path are neighbours, but do not follow one another."""
        place_of = {strand: place for place, strand in enumerate(path)}
        for place, strand in enumerate(path):
            beside = [place_of[other] for other in self.neighbours[strand] if other in place_of]
            if any(abs(other - place) > 1 for other in beside):
                return True
        return False

    def recut(self, colours: int) -> bool:
        """Join or cut paths until there are ``colours`` of them; return true on success."""
        for _ in range(1_000):  # joins to the middle of a path only move its ends
            if len(self.paths) <= colours:
                break
            if not any(self._join(path, cutting=False) for path in sorted(self.paths, key=len)):
                self._join(self.random.choice(self.paths), cutting=True)
        if len(self.paths) > colours:
            return False
        while len(self.paths) < colours:
            longest = max(self.paths, key=len)
            places = range(SHORTEST, len(longest) - SHORTEST + 1)
            cuts = [place for place in places if self._may_cut(longest, place)]
            if not cuts:
                return False
            cut = self.random.choice(cuts)
            self._replace([longest], [longest[:cut], longest[cut:]])
        return True

    def _may_cut(self, path: list[int], place: int) -> bool:
        """Return true if dots may be on the new ends of a path cut before the strand at ``place``."""
        new_dots = path[place - 1], path[place]
        return self.no_dot.isdisjoint(new_dots)

    def _replace(self, old: list[list[int]], new: list[list[int]]) -> None:
        """Replace paths by others on the same strands."""
        kept = [path for path in self.paths if not any(path is gone for gone in old)]
        self.paths = kept + new
        for path in new:
            self.path_of.update(dict.fromkeys(path, path))

    def puzzle(self) -> tuple[Puzzle, Solution]:
        """Return the ends of the paths as a puzzle, and the paths as its solution."""
        self.random.shuffle(self.paths)
        edge_of = {frozenset(ends): number for number, ends in enumerate(self.graph.edges)}
        paths = []
        for path in self.paths:
            edges = tuple(edge_of[frozenset(pair)] for pair in pairwise(path))
            paths.append(Path(tuple(path), edges))
        terminals = tuple(path.ends for path in paths)
        return Puzzle(self.graph, terminals), Solution(tuple(paths))
