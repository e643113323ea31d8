"""The default engine: a puzzle as clauses, solved by Minisat through PySAT, loops cut as they appear.

Variables: 1 … E for the edges, then one for the strict rules, then ``bits`` for every strand.
Clauses: a dot has exactly one used edge, any other strand two; a used edge makes the colour bits of its
ends equal. Under the strict rules at most two edges of a 4-cycle and one of a 3-cycle are used: a third would
bring a path back beside itself. These local rules make large boards easy.

The literal ``edge + 1`` means that an edge is used, ``~edge``, which is ``-(edge + 1)``, that it is not.

A template holds the clauses that depend on the graph alone; those of the last graphs are cached.

The extension of PySAT is called directly: loading ``pysat.solvers`` takes 12 ms, longer than a board, and a
Python call for each clause makes a solve a quarter longer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, combinations, product
from time import perf_counter
from typing import Any

import pysolvers
from msgspec import Struct

from flowvision.puzzle.model import Graph, Path, Puzzle, Solution
from flowvision.solvers import CnfEvidence, LazySearch, Rules, TimeIsUpError, touches_of

CHUNK = 100_000
"""Clauses added between two checks of the clock."""
SLICE_SECONDS = 0.2
"""Seconds between two looks at the clock during a search."""
CACHED_EDGES = 2_000
"""Edges of the largest graph whose template is cached: larger ones take megabytes."""

Clause = tuple[int, ...]
Clauses = tuple[Clause, ...]
Cycle = tuple[int, ...]
"""Edges from strand to strand, and back to the first."""

Watched = Callable[[Iterable[Any]], Iterable[Any]]
"""Passes on the items of long loops, and may raise to end them; ``iter`` only passes them on."""


class Template(Struct, frozen=True):
    """Clauses of a graph.

    ``strict``: the variable that switches the strict rules on. ``alike``: one colour at both ends of a used
    edge. ``passed``: per strand, the degree of a strand without a dot. ``bits``: per strand, the variables of
    its colour.
    """

    strict: int
    cycles: Clauses
    alike: Clauses
    passed: tuple[Clauses, ...]
    bits: tuple[tuple[int, ...], ...]


def clauses_of(puzzle: Puzzle, watched: Watched = iter) -> tuple[Template, list[Clause]]:
    """Return all clauses of a puzzle, the most restrictive first, so that the solver shortens later ones."""
    bit_count = max(1, (len(puzzle.terminals) - 1).bit_length())  # enough for the numbers of all flows
    if len(puzzle.graph.edges) <= CACHED_EDGES:
        template = template_of(puzzle.graph, bit_count)
    else:
        template = _new_template(puzzle.graph, bit_count, watched)
    degrees = list(template.passed)
    clauses: list[Clause] = []
    for dot, flow in puzzle.dots.items():
        edges = puzzle.graph.incident[dot]
        degrees[dot] = (*combinations([~edge for edge in edges], 2), tuple(edge + 1 for edge in edges))
        clauses += ((literal,) for literal in _literals_of(flow, template.bits[dot]))
    clauses += chain(chain.from_iterable(degrees), template.cycles, template.alike)
    return template, clauses


def _literals_of(flow: int, bits: Iterable[int]) -> list[int]:
    """Return the literals, one for each of a strand's colour bits, which together mean this flow."""
    return [bit if flow >> place & 1 else -bit for place, bit in enumerate(bits)]


def _new_template(graph: Graph, bit_count: int, watched: Watched = iter) -> Template:
    """Return the clauses of a graph for colours of this many bits."""
    strict = len(graph.edges) + 1
    first_bits = range(strict + 1, strict + 1 + graph.size * bit_count, bit_count)
    bits = tuple(tuple(range(first, first + bit_count)) for first in first_bits)
    cycles = [cycle_clauses(strict, cycle) for cycle in watched(short_cycles(graph))]
    same_colours = tuple(_alike(graph, bits, watched))
    passed = tuple([_two_of(edges) for edges in watched(graph.incident)])
    return Template(strict, tuple(chain.from_iterable(cycles)), same_colours, passed, bits)


template_of = lru_cache(maxsize=16)(_new_template)
"""The same, cached for the last graphs."""


def _alike(graph: Graph, bits: Sequence[tuple[int, ...]], watched: Watched) -> Iterator[Clause]:
    """Yield two clauses for every edge and bit: not 0 at one end and 1 at the other."""
    for edge, (u, v) in watched(enumerate(graph.edges)):
        for p, q in zip(bits[u], bits[v], strict=True):
            yield ~edge, -p, q
            yield ~edge, p, -q


def cycle_clauses(switch: int, cycle: Cycle) -> Clauses:
    """Allow at most two used edges of four, or one of three, while ``switch`` is true."""
    unused = [~edge for edge in cycle]
    too_many = combinations(unused, len(cycle) - 1)
    return tuple([(-switch, *chosen) for chosen in too_many])


def _two_of(edges: tuple[int, ...]) -> Clauses:
    """Require exactly two used edges: impossible where there are fewer."""
    if len(edges) < 2:
        return ((),)
    used_literals, unused_literals = [edge + 1 for edge in edges], [~edge for edge in edges]
    at_most, at_least = combinations(unused_literals, 3), combinations(used_literals, len(used_literals) - 1)
    return (*at_most, *at_least)


def short_cycles(graph: Graph) -> Iterator[Cycle]:
    """Yield every cycle of three or four distinct strands once."""
    joined = sides_between(graph)
    neighbours: list[set[int]] = [set() for _ in range(graph.size)]
    for u, v in joined:
        neighbours[u].add(v)
        neighbours[v].add(u)
    for a, around_a in enumerate(neighbours):
        # a is the smallest strand of its cycle a, b, d or a, b, c, d.
        for b, d in combinations([strand for strand in around_a if strand > a], 2):
            if d in neighbours[b]:
                yield from product(joined[a, b], joined[_rising(b, d)], joined[a, d])
            for c in neighbours[b] & neighbours[d]:
                if c > a:
                    first, last = joined[a, b], joined[a, d]
                    yield from product(first, joined[_rising(b, c)], joined[_rising(c, d)], last)


def sides_between(graph: Graph) -> dict[tuple[int, int], list[int]]:
    """Return the edges between neighbours, the smaller strand first; narrow warp boards have several."""
    joined: dict[tuple[int, int], list[int]] = {}
    for number, (u, v) in enumerate(graph.edges):
        if u != v:
            joined.setdefault(_rising(u, v), []).append(number)
    return joined


def _rising(u: int, v: int) -> tuple[int, int]:
    """Return two strands, the smaller first."""
    return (u, v) if u < v else (v, u)


class SatSearch(LazySearch):
    """One incremental solver over the clauses of a puzzle."""

    def __init__(self, puzzle: Puzzle, deadline: float) -> None:
        super().__init__(puzzle, deadline)
        self._conflicts_per_slice = 1_000  # between two looks at the clock; adapted to the solver's speed
        template, clauses = clauses_of(puzzle, self.watched)
        self.strict, self._bits = template.strict, template.bits
        self._kept: set[int] | None = None  # switches of cycle rules; not before these are needed
        self._free_variable = template.bits[-1][-1] + 1
        self.touches_cut = 0
        self._clause_count = len(clauses)
        self._minisat = pysolvers.minisat22_new()
        try:
            for start in range(0, len(clauses), CHUNK):
                self.check_clock()
                self._add_all(clauses[start : start + CHUNK])
        except TimeIsUpError:
            self.__exit__()
            raise

    def __exit__(self, *error: object) -> None:
        pysolvers.minisat22_del(self._minisat)

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause."""
        pysolvers.minisat22_add_cl(self._minisat, list(clause))

    def _add_all(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses by a loop in C: a deque of no length drops what ``map`` yields."""
        deque(map(partial(pysolvers.minisat22_add_cl, self._minisat), clauses), maxlen=0)

    def used_edges(self, rules: Rules) -> Iterable[int] | None:
        """Return the edges used in a model, ``None`` without one.

        Under free rules every short cycle keeps its own rule, which guides the search, until a contradiction
        needs that rule dropped, for good. A contradiction without any rule is a proof.
        """
        strict_literal = self.strict if rules == "strict" else -self.strict
        rules_kept = self._cycle_rules() if rules == "free" else set[int]()
        while not self._is_satisfiable([strict_literal, *sorted(rules_kept)]):
            contradicting = rules_kept.intersection(pysolvers.minisat22_core(self._minisat) or ())
            if not contradicting:
                return None
            rules_kept -= contradicting  # in place: under free rules the set is ``self._kept``
        edge_count = len(self.puzzle.graph.edges)
        model = pysolvers.minisat22_model(self._minisat) or []
        return [literal - 1 for literal in model[:edge_count] if literal > 0]

    def _cycle_rules(self) -> set[int]:
        """Return the variables that switch on the rules of short cycles, without dropped ones.

        Their clauses are added late: with them strict searches would learn longer clauses.
        """
        if self._kept is None:
            cycles = list(self.watched(short_cycles(self.puzzle.graph)))
            switches = range(self._free_variable, self._free_variable + len(cycles))
            self._kept = set(switches)
            for switch, cycle in zip(switches, self.watched(cycles), strict=True):
                self._add_all(cycle_clauses(switch, cycle))
        return self._kept

    def _is_satisfiable(self, assumptions: Sequence[int]) -> bool:
        """Solve in slices of conflicts, with a look at the clock after each."""
        while True:
            began = perf_counter()
            pysolvers.minisat22_cbudget(self._minisat, self._conflicts_per_slice)
            # 0 keeps Python's handler of Ctrl-C; PySAT's raises another error and leaves the signal blocked.
            answer = pysolvers.minisat22_solve_lim(self._minisat, assumptions, 0, 0)
            left = self.check_clock()
            if answer is not None:
                return bool(answer)
            conflicts_per_second = self._conflicts_per_slice / max(perf_counter() - began, 1e-3)
            self._conflicts_per_slice = max(100, int(conflicts_per_second * min(SLICE_SECONDS, left)))

    def cuts(self, solution: Solution, loops: Sequence[Path], rules: Rules) -> list[list[int]]:
        """Cut loops, and under the strict rules the piece of a path between two strands that touch."""
        cuts = super().cuts(solution, loops, rules)
        if not cuts and rules == "strict":
            touches = touches_of(self.puzzle, solution.paths)
            cuts = [[-self.strict, *(~edge for edge in between)] for between in touches]
            self.touches_cut += len(cuts)
        return cuts

    def evidence(self) -> CnfEvidence:
        """Return the size of the formula, and the effort so far."""
        stats = pysolvers.minisat22_acc_stats(self._minisat)
        return CnfEvidence(
            variables=self._bits[-1][-1],  # numbered from 1: the last number is their count
            clauses=self._clause_count,
            loops_cut=self.loops_cut,
            touches_cut=self.touches_cut,
            conflicts=stats.get("conflicts", 0),
            decisions=stats.get("decisions", 0),
        )

    def other_colours(self, flow_of: Mapping[int, int]) -> list[int]:
        """Return the clause that requires another flow on one of these strands."""
        clause: list[int] = []
        for strand, flow in flow_of.items():
            clause += [-literal for literal in _literals_of(flow, self._bits[strand])]
        return clause
