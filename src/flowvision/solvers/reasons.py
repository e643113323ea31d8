"""Cheap reasons why a puzzle has no solution: enclosed dots, separate regions, an uneven count of shades.

Cells are shaded like a chessboard: a path between two dots of one shade covers one cell more of that shade,
any other path as many of both. A dot read one cell off always breaks the count.
"""

from __future__ import annotations

from msgspec import Struct

from flowvision.puzzle.check import position_name
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Graph, Puzzle
from flowvision.words import count_of, listed


def reasons(puzzle: Puzzle, board: Board | None = None) -> list[str]:
    """Return every cheap reason, in words."""
    graph = puzzle.graph
    partner = {a: b for pair in puzzle.terminals for a, b in (pair, pair[::-1])}
    near = graph.neighbours()
    enclosed = [
        position_name(dot, board)
        for dot in sorted(partner)
        if all(other in partner and other != partner[dot] for other in near[dot])
    ]
    found = []
    if enclosed:
        subject, verb = ("dots", "have") if enclosed[1:] else ("dot", "has")
        found.append(f"the {subject} in {listed(enclosed)} {verb} no way out")
    found += [
        f"no path can pass {position_name(strand, board)}: it has {count_of(len(near[strand]), 'open side')}"
        for strand in range(graph.size)
        if strand not in partner and len(near[strand]) < 2
    ]
    shading = shading_of(graph)
    part_of = shading.part_of
    found += [
        f"the dots in {position_name(a, board)} and {position_name(b, board)} lie in regions that are not "
        "joined"
        for a, b in puzzle.terminals
        if part_of[a] != part_of[b]
    ]
    with_dots = {part_of[dot] for dot in partner}
    found += [
        f"the region of {count_of(len(part), 'cell')} around {position_name(part[0], board)} has no dots"
        for n, part in enumerate(shading.parts)
        if n not in with_dots
    ]
    parity = shading.fault(puzzle)
    return [*found, parity] if parity else found


class Shading(Struct, frozen=True):
    """The two shades of a graph: 1 or -1 per strand, neighbours never alike; 0 in a part where that fails.

    ``parts``: the strands of each connected part; ``part_of``: per strand, the number of its part.
    """

    parts: tuple[tuple[int, ...], ...]
    part_of: tuple[int, ...]
    shade: tuple[int, ...]

    def fault(self, puzzle: Puzzle) -> str | None:
        """Explain an uneven count; ``None`` where it is even, or unknown."""
        gains = [0] * len(self.parts)
        for a, b in puzzle.terminals:
            if self.part_of[a] == self.part_of[b]:
                gains[self.part_of[a]] += (self.shade[a] + self.shade[b]) // 2
        for part, covered in zip(self.parts, gains, strict=True):
            needed = sum(self.shade[strand] for strand in part)
            if needed != covered:
                sign = -1 if needed < 0 else 1
                return (
                    "coloured like a chessboard, the board has "
                    f"{count_of(sign * needed, 'cell')} more of one colour, but paths between these dots "
                    f"would cover {sign * covered:,} more of it"
                )
        return None


def shading_of(graph: Graph) -> Shading:
    """Shade every connected part of a graph."""
    parts: list[tuple[int, ...]] = []
    part_of, shade = [-1] * graph.size, [0] * graph.size
    for start in range(graph.size):
        if part_of[start] >= 0:
            continue
        part, is_two_coloured = [start], True
        part_of[start], shade[start] = len(parts), 1
        for strand in part:
            for edge in graph.incident[strand]:
                other = graph.other_end(edge, strand)
                if part_of[other] < 0:
                    part_of[other], shade[other] = len(parts), -shade[strand]
                    part.append(other)
                else:
                    is_two_coloured = is_two_coloured and shade[other] != shade[strand]
        if not is_two_coloured:
            for strand in part:
                shade[strand] = 0
        parts.append(tuple(part))
    return Shading(tuple(parts), tuple(part_of), tuple(shade))
