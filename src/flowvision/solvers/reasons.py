"""Cheap reasons why a puzzle has no solution.

Cells are shaded like a chessboard: a path between two dots of one shade covers one cell more of that shade,
any other path as many of both. A dot read one cell off always breaks the count.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from flowvision.puzzle.check import position_name
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Graph, Puzzle
from flowvision.words import count_of, listed

Neighbours = Sequence[Sequence[int]]
"""Per strand, the strands beside it."""


def reasons(puzzle: Puzzle, board: Board | None = None) -> list[str]:
    """Return every cheap reason, in words."""
    shading, neighbours = shading_of(puzzle.graph), puzzle.graph.neighbours()
    sentences = _enclosed_dots(puzzle, board, neighbours) + _impassable(puzzle, board, neighbours)
    sentences += _unjoined_pairs(puzzle, board, shading) + _parts_without_dots(puzzle, board, shading)
    parity = shading.fault(puzzle)
    return [*sentences, parity] if parity else sentences


def _enclosed_dots(puzzle: Puzzle, board: Board | None, neighbours: Neighbours) -> list[str]:
    """Name dots that have only dots of other flows beside them."""
    partner: dict[int, int] = {}
    for a, b in puzzle.terminals:
        partner |= {a: b, b: a}
    enclosed = []
    for dot in sorted(partner):
        ways = neighbours[dot]
        if partner[dot] not in ways and partner.keys() >= set(ways):
            enclosed.append(position_name(dot, board))
    if not enclosed:
        return []
    subject, verb = ("dot", "has") if len(enclosed) == 1 else ("dots", "have")
    return [f"the {subject} in {listed(enclosed)} {verb} no way out"]


def _impassable(puzzle: Puzzle, board: Board | None, neighbours: Neighbours) -> list[str]:
    """Name the strands without a dot that have less than two neighbours."""
    dots, sentences = puzzle.dots, []
    for strand, others in enumerate(neighbours):
        if strand not in dots and len(others) < 2:
            sides = count_of(len(others), "open side")
            sentences.append(f"no path can pass {position_name(strand, board)}: it has {sides}")
    return sentences


def _unjoined_pairs(puzzle: Puzzle, board: Board | None, shading: Shading) -> list[str]:
    """Name pairs of dots in different parts of the board."""
    part_of = shading.part_of
    sentences = []
    for a, b in puzzle.terminals:
        if part_of[a] != part_of[b]:
            first_place, second_place = position_name(a, board), position_name(b, board)
            sentences.append(
                f"the dots in {first_place} and {second_place} lie in regions that are not joined"
            )
    return sentences


def _parts_without_dots(puzzle: Puzzle, board: Board | None, shading: Shading) -> list[str]:
    """Name the connected parts of a board that no path can cover."""
    with_dots, sentences = {shading.part_of[dot] for dot in puzzle.dots}, []
    for number, part in enumerate(shading.parts):
        if number not in with_dots:
            place = position_name(part[0], board)
            sentences.append(f"the region of {count_of(len(part), 'cell')} around {place} has no dots")
    return sentences


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
            part = self.part_of[a]
            if part == self.part_of[b]:
                gains[part] += (self.shade[a] + self.shade[b]) // 2
        for strands, covered in zip(self.parts, gains, strict=True):
            surplus = sum(self.shade[strand] for strand in strands)
            if surplus != covered:
                # "One colour" is that of which there are more; the numbers count it positive.
                sign = -1 if surplus < 0 or (surplus == 0 and covered < 0) else 1
                cells = count_of(sign * surplus, "cell")
                return (
                    f"coloured like a chessboard, the board has {cells} more of one colour, but paths "
                    f"between these dots would cover {sign * covered:,} more of it"
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
        for strand in part:  # it grows meanwhile
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
