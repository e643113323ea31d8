"""A puzzle as clauses: Booleans for used edges, colours in binary on strands.

Variables: 1 … E for the edges, then one for the strict rules, then ``bits`` for every strand.
Clauses: a dot has exactly one used edge, any other strand two (an optional one two or none); a used
edge makes the colour bits of its ends equal. Under the strict rules at most two edges of a 4-cycle
and one of a 3-cycle are used: a third would bring a path back beside itself. These local rules are
what makes large boards easy.

Templates hold everything that depends on the graph alone, as tuples, which the garbage collector
soon stops tracking.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from flowvision.puzzle.model import Graph, Puzzle

Clause = tuple[int, ...]
Clauses = tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """The clauses of a graph: those always needed, and per strand those for each role it may have."""

    strict: int
    """The variable that switches the strict rules on."""
    common: Clauses
    dot: tuple[Clauses, ...]
    passed: tuple[Clauses, ...]
    optional: tuple[Clauses, ...]
    bits: tuple[tuple[int, ...], ...]
    """Per strand, the variables of its colour."""


def clauses_of(puzzle: Puzzle) -> tuple[Template, list[Clause]]:
    """The template of a puzzle's graph and all clauses of the puzzle."""
    count = max(1, (len(puzzle.terminals) - 1).bit_length())
    template = template_of(puzzle.graph, count)
    clauses = list(template.common)
    colour = {dot: flow for flow, pair in enumerate(puzzle.terminals) for dot in pair}
    for strand in range(puzzle.graph.size):
        flow = colour.get(strand)
        if flow is not None:
            clauses += template.dot[strand]
            clauses += [
                (bit if flow >> place & 1 else -bit,) for place, bit in enumerate(template.bits[strand])
            ]
        elif strand in puzzle.optional:
            clauses += template.optional[strand]
        else:
            clauses += template.passed[strand]
    return template, clauses


@lru_cache(maxsize=16)
def template_of(graph: Graph, bit_count: int) -> Template:
    """The template of a graph whose colours need ``bit_count`` bits."""
    edge_count = len(graph.edges)
    strict = edge_count + 1
    bits = tuple(
        tuple(range(strict + 1 + strand * bit_count, strict + 1 + (strand + 1) * bit_count))
        for strand in range(graph.size)
    )
    common: list[Clause] = []
    for edge, (u, v) in enumerate(graph.edges):
        for p, q in zip(bits[u], bits[v], strict=True):
            common += [(-edge - 1, -p, q), (-edge - 1, p, -q)]
    for cycle in short_cycles(graph):
        most = len(cycle) - 2
        common += [(-strict, *(-edge - 1 for edge in some)) for some in combinations(cycle, most + 1)]
    incident = [tuple(edge + 1 for edge in edges) for edges in graph.incident]
    return Template(
        strict,
        tuple(common),
        tuple(tuple(_at_most(edges, 1) + _at_least(edges, 1)) for edges in incident),
        tuple(tuple(_at_most(edges, 2) + _at_least(edges, 2)) for edges in incident),
        tuple(tuple(_at_most(edges, 2) + _not_one(edges)) for edges in incident),
        bits,
    )


def short_cycles(graph: Graph) -> list[tuple[int, ...]]:
    """The edge numbers of every cycle of three or four distinct strands."""
    neighbours: list[dict[int, list[int]]] = [{} for _ in range(graph.size)]
    for number, (u, v) in enumerate(graph.edges):
        neighbours[u].setdefault(v, []).append(number)
        neighbours[v].setdefault(u, []).append(number)
    cycles = set()
    for a in range(graph.size):
        for b, d in combinations(sorted(n for n in neighbours[a] if n != a), 2):
            for c in neighbours[b].keys() & neighbours[d].keys() | {b} & neighbours[d].keys():
                if c == b:
                    sides = [neighbours[a][b], neighbours[b][d], neighbours[d][a]]
                elif c not in (a, d):
                    sides = [neighbours[a][b], neighbours[b][c], neighbours[c][d], neighbours[d][a]]
                else:
                    continue
                cycles |= {tuple(sorted(chosen)) for chosen in _product(sides)}
    return sorted(cycles)


def _product(sides: list[list[int]]) -> list[tuple[int, ...]]:
    """One edge per side, in every way: sides of a warp may be joined twice."""
    chosen: list[tuple[int, ...]] = [()]
    for side in sides:
        chosen = [(*before, edge) for before in chosen for edge in side]
    return chosen


def _at_most(literals: Clause, count: int) -> list[Clause]:
    return [tuple(-x for x in some) for some in combinations(literals, count + 1)]


def _at_least(literals: Clause, count: int) -> list[Clause]:
    if len(literals) < count:
        return [()]
    return list(combinations(literals, len(literals) - count + 1))


def _not_one(literals: Clause) -> list[Clause]:
    return [(-x, *(y for y in literals if y != x)) for x in literals]
