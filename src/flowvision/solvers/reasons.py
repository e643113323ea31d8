"""Why a puzzle has no solution, where it is cheap to say."""

from __future__ import annotations

from flowvision.puzzle.check import place_name
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Graph, Puzzle


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
    part_of = {strand: n for n, part in enumerate(parts_of(graph)) for strand in part}
    found += [
        f"the dots in {place_name(a, board)} and {place_name(b, board)} lie in regions that are not joined"
        for a, b in puzzle.terminals
        if part_of[a] != part_of[b]
    ]
    with_dots = {part_of[dot] for dot in partner}
    found += [
        f"the region of {len(part)} cells around {place_name(part[0], board)} has no dots"
        for n, part in enumerate(parts_of(graph))
        if n not in with_dots and not puzzle.optional.issuperset(part)
    ]
    parity = parity_fault(puzzle)
    return [*found, parity] if parity else found


def parity_fault(puzzle: Puzzle) -> str | None:
    """Why the cells cannot be covered, by counting as on a chessboard; ``None`` when the count says nothing.

    A path between two dots of one shade covers one cell more of that shade, any other path as many of
    both. A dot read one cell off always breaks this. Boards that cannot be shaded in two have no count.
    """
    if puzzle.optional:
        return None
    for part in parts_of(puzzle.graph):
        shade = _shades(puzzle.graph, part[0])
        if shade is None:
            continue
        needed = sum(shade[strand] for strand in part)
        given = sum((shade[a] + shade[b]) // 2 for a, b in puzzle.terminals if a in shade and b in shade)
        if needed != given:
            return (
                f"shaded like a chessboard, the cells outnumber those of the other shade by {abs(needed)}, "
                f"but the dots make up for {given if needed >= 0 else -given}"
            )
    return None


def parts_of(graph: Graph) -> list[list[int]]:
    """The strands of every connected part."""
    parts, seen = [], bytearray(graph.size)
    for start in range(graph.size):
        if seen[start]:
            continue
        part, seen[start] = [start], 1
        for strand in part:
            for edge in graph.incident[strand]:
                other = graph.other_end(edge, strand)
                if not seen[other]:
                    seen[other] = 1
                    part.append(other)
        parts.append(part)
    return parts


def _shades(graph: Graph, start: int) -> dict[int, int] | None:
    """+1 or -1 for every strand of a part, neighbours never alike; ``None`` where that cannot be."""
    shade, queue = {start: 1}, [start]
    for strand in queue:
        for edge in graph.incident[strand]:
            other = graph.other_end(edge, strand)
            if other not in shade:
                shade[other] = -shade[strand]
                queue.append(other)
            elif shade[other] == shade[strand]:
                return None
    return shade
