"""Why a puzzle has no solution, where it is cheap to say."""

from __future__ import annotations

from flowvision.puzzle.check import place_name
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle
from flowvision.solvers.parity import shading_of
from flowvision.words import count_of


def reasons(puzzle: Puzzle, board: Board | None = None) -> list[str]:
    """Every cheap reason, in words; none does not mean that there is a solution."""
    graph = puzzle.graph
    partner = {a: b for pair in puzzle.terminals for a, b in (pair, pair[::-1])}
    near = [{graph.other_end(edge, s) for edge in graph.incident[s]} - {s} for s in range(graph.size)]
    found = [
        f"the dot in {place_name(dot, board)} is walled in"
        for dot in partner
        if all(other in partner and other != partner[dot] for other in near[dot])
    ]
    found += [
        f"no path can pass {place_name(strand, board)}: it has {len(near[strand])} open "
        + ("side" if len(near[strand]) == 1 else "sides")
        for strand in range(graph.size)
        if strand not in partner and strand not in puzzle.optional and len(near[strand]) < 2
    ]
    shading = shading_of(graph)
    part_of = shading.part_of
    found += [
        f"the dots in {place_name(a, board)} and {place_name(b, board)} lie in regions that are not joined"
        for a, b in puzzle.terminals
        if part_of[a] != part_of[b]
    ]
    with_dots = {part_of[dot] for dot in partner}
    found += [
        f"the region of {count_of(len(part), 'cell')} around {place_name(part[0], board)} has no dots"
        for n, part in enumerate(shading.parts)
        if n not in with_dots and not puzzle.optional.issuperset(part)
    ]
    parity = shading.fault(puzzle)
    return [*found, parity] if parity else found
