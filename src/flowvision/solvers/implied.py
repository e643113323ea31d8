"""Clauses that follow from the strict rules, and spare a search on large boards the finding of them.

No strict solution is lost: each clause hangs on the variable that switches the strict rules on, as those do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flowvision.puzzle.model import Puzzle
from flowvision.solvers.corners import Corners


def implied_clauses(
    puzzle: Puzzle, corners: Corners, strict: int, bits: Sequence[Sequence[int]]
) -> Iterator[tuple[int, ...]]:
    """Corners that no diagonal ends in a dot, and own dots that a path passes by.

    ``strict``: the variable of the strict rules; ``bits``: per strand, those of its colour.
    """
    dots = {dot for pair in puzzle.terminals for dot in pair}
    yield from corners.impossible(dots, puzzle.optional)
    graph = puzzle.graph
    for flow, pair in enumerate(puzzle.terminals):
        for dot in pair:
            between: dict[int, list[int]] = {}
            for edge in graph.incident[dot]:
                between.setdefault(graph.other_end(edge, dot), []).append(edge + 1)
            for strand, edges in between.items():
                # A strand that stays free may have any colour.
                if strand != dot and strand not in puzzle.optional:
                    other = [-bit if flow >> place & 1 else bit for place, bit in enumerate(bits[strand])]
                    yield (-strict, *edges, *other)
