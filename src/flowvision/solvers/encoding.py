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

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, pairwise, product

from flowvision.puzzle.model import Graph, Puzzle
from flowvision.solvers.collector import CollectorPaused
from flowvision.solvers.deadline import Clock, no_clock, watched
from flowvision.value import value_type

Clause = tuple[int, ...]
Clauses = tuple[Clause, ...]

CACHED_EDGES = 2_000
"""Templates of larger graphs are not kept: they take megabytes, and solving takes far longer."""


@value_type
class Template:
    """The clauses of a graph: those always needed, and per strand those for being passed by a path."""

    strict: int
    """The variable that switches the strict rules on."""
    common: Clauses
    passed: tuple[Clauses, ...]
    bits: tuple[tuple[int, ...], ...]
    """Per strand, the variables of its colour."""


def clauses_of(puzzle: Puzzle, check_clock: Clock = no_clock) -> tuple[Template, list[Clause]]:
    """The template of a puzzle's graph and all clauses of the puzzle.

    What fixes most comes first, so that the solver drops or shortens later clauses as it takes them in.
    While the clauses of a large graph are made, ``check_clock`` is called now and then.
    """
    count = max(1, (len(puzzle.terminals) - 1).bit_length())
    with CollectorPaused():
        if len(puzzle.graph.edges) <= CACHED_EDGES:
            template = template_of(puzzle.graph, count)
        else:
            template = _new_template(puzzle.graph, count, check_clock)
        roles = list(template.passed)
        for strand in puzzle.optional:
            edges = [edge + 1 for edge in puzzle.graph.incident[strand]]
            roles[strand] = (*_at_most(edges, 2), *_not_one(edges))
        clauses: list[Clause] = []
        for flow, pair in enumerate(puzzle.terminals):
            for dot in pair:
                roles[dot] = _ended(puzzle.graph.incident[dot])
                for place, bit in enumerate(template.bits[dot]):
                    clauses.append((bit if flow >> place & 1 else -bit,))
        clauses += chain.from_iterable(roles)
        clauses += template.common
    return template, clauses


Counts = tuple[tuple[str, int], ...]
"""How many there are of each kind, in words for people."""


def clause_counts(puzzle: Puzzle, template: Template, total: int) -> tuple[Counts, Counts]:
    """How many variables and how many clauses of each kind a puzzle has; ``total``: of all clauses."""
    edges, bits = len(puzzle.graph.edges), len(template.bits[0])
    dots, same = 2 * len(puzzle.terminals) * bits, 2 * edges * bits
    variables = (
        ("a path crosses this side", edges),
        ("no path may touch itself", 1),
        (f"the colour of a cell, {bits} bits each", puzzle.graph.size * bits),
    )
    clauses = (
        ("a dot has its own colour", dots),
        ("one way out of a dot, two out of any other cell", total - dots - len(template.common)),
        ("both cells beside a crossed side have one colour", same),
        ("no path comes back beside itself (squares of 2 × 2)", len(template.common) - same),
    )
    return variables, clauses


@lru_cache(maxsize=16)
def template_of(graph: Graph, bit_count: int) -> Template:
    """The template of a graph whose colours need ``bit_count`` bits."""
    return _new_template(graph, bit_count, no_clock)


def _new_template(graph: Graph, bit_count: int, check_clock: Clock) -> Template:
    edge_count = len(graph.edges)
    strict = edge_count + 1
    first = strict + 1
    bits = tuple(
        tuple(range(first + strand * bit_count, first + (strand + 1) * bit_count))
        for strand in range(graph.size)
    )
    common: list[Clause] = []
    for cycle in watched(short_cycles(graph), check_clock):
        common += cycle_clauses(strict, cycle)
    for edge, (u, v) in watched(enumerate(graph.edges), check_clock):
        for p, q in zip(bits[u], bits[v], strict=True):
            common += ((~edge, -p, q), (~edge, p, -q))
    incident = [[edge + 1 for edge in edges] for edges in graph.incident]
    return Template(
        strict,
        tuple(common),
        tuple([_exactly(edges, 2) for edges in watched(incident, check_clock)]),
        bits,
    )


def cycle_clauses(switch: int, cycle: Sequence[int]) -> list[Clause]:
    """While the variable ``switch`` is on, at most two edges of a 4-cycle and one of a 3-cycle are used."""
    negated = [-edge - 1 for edge in cycle]
    return [(-switch, *some) for some in combinations(negated, len(cycle) - 1)]


def short_cycles(graph: Graph) -> Iterator[tuple[int, ...]]:
    """The edge numbers of every cycle of three or four distinct strands, each once."""
    joined = sides_between(graph)
    near: list[set[int]] = [set() for _ in range(graph.size)]
    for u, v in joined:
        near[u].add(v)
        near[v].add(u)
    for a in range(graph.size):
        later = [n for n in near[a] if n > a]
        for b, d in combinations(later, 2):
            rounds: list[tuple[int, ...]] = [(a, b, d)] if d in near[b] else []
            rounds += [(a, b, c, d) for c in near[b] & near[d] if c > a]
            for strands in rounds:
                sides = pairwise((*strands, a))
                yield from product(*[joined[min(side), max(side)] for side in sides])


def sides_between(graph: Graph) -> dict[tuple[int, int], list[int]]:
    """The edges between every two neighbours, the smaller strand first; several on narrow warp boards."""
    joined: dict[tuple[int, int], list[int]] = {}
    for number, (u, v) in enumerate(graph.edges):
        if u != v:
            joined.setdefault((u, v) if u < v else (v, u), []).append(number)
    return joined


@lru_cache(maxsize=4_096)
def _ended(edges: tuple[int, ...]) -> Clauses:
    """The clauses of a strand that holds a dot."""
    return _exactly([edge + 1 for edge in edges], 1)


def _exactly(literals: list[int], count: int) -> Clauses:
    return (*_at_most(literals, count), *_at_least(literals, count))


def _at_most(literals: list[int], count: int) -> list[Clause]:
    return list(combinations([-x for x in literals], count + 1))


def _at_least(literals: list[int], count: int) -> list[Clause]:
    if len(literals) < count:
        return [()]
    return list(combinations(literals, len(literals) - count + 1))


def _not_one(literals: list[int]) -> list[Clause]:
    return [(-x, *(y for y in literals if y != x)) for x in literals]
