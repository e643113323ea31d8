"""A puzzle as clauses: Booleans for used edges, colours in binary on strands.

Variables: 1 … E for the edges, then one for the strict rules, then ``bits`` for every strand.
Clauses: a dot has exactly one used edge, any other strand two (an optional one two or none); a used
edge makes the colour bits of its ends equal. Under the strict rules at most two edges of a 4-cycle
and one of a 3-cycle are used: a third would bring a path back beside itself. These local rules are
what makes large boards easy.

Templates hold everything that depends on the graph alone, as tuples, which the garbage collector
soon stops tracking. The clauses on colours, most of all, are kept as three columns: ``zip`` makes one
tuple out of them again and again, so that they are there sooner and take a quarter of the room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, repeat
from typing import TYPE_CHECKING

from flowvision.puzzle.model import Graph, Puzzle
from flowvision.solvers.collector import CollectorPaused
from flowvision.solvers.cycles import Cycle, short_cycles
from flowvision.solvers.deadline import Clock, no_clock, watched
from flowvision.value import value_type

if TYPE_CHECKING:  # loaded for large boards
    from flowvision.solvers.corners import Corners

Clause = tuple[int, ...]
Clauses = tuple[Clause, ...]
Columns = Sequence[Sequence[int]]
"""Rows of one length, turned: the first number of every row, then the second of every row, and so on."""

CACHED_EDGES = 2_000
"""Templates of larger graphs are not kept: they take megabytes, and solving takes far longer."""
LARGE = 400
"""Strands of a board, from which on clauses that only guide the search save more time than they take."""
ROWS_AT_ONCE = 1_024
"""Rows turned into clauses between two looks at the clock."""


@value_type
class Template:
    """The clauses of a graph: those always needed, and per strand those for being passed by a path."""

    strict: int
    """The variable that switches the strict rules on."""
    cycles: Clauses
    alike: Columns
    """The clauses that make the colours at the two ends of a used edge the same, as columns."""
    passed: tuple[Clauses, ...]
    bits: tuple[tuple[int, ...], ...]
    """Per strand, the variables of its colour."""
    corners: Corners | None
    """The corners of a large graph."""


@value_type
class Formula:
    """All clauses of a puzzle, one after the other."""

    own: list[Clause]
    alike: Columns
    implied: int = 0
    """How many of its own, the last ones, only guide the search."""

    def __iter__(self) -> Iterator[Clause]:
        """What fixes most first, so that the solver drops or shortens later clauses as it takes them in."""
        return chain.from_iterable(self.parts(len(self)))

    def parts(self, length: int) -> Iterator[Iterable[Clause]]:
        """The same in parts of at most ``length`` clauses."""
        for at in range(0, len(self.own), length):
            yield self.own[at : at + length]
        for at in range(0, len(self.alike[0]), length):
            yield zip(*[column[at : at + length] for column in self.alike], strict=True)

    def __len__(self) -> int:
        """How many clauses there are."""
        return len(self.own) + len(self.alike[0])


def clauses_of(
    puzzle: Puzzle, check_clock: Clock = no_clock, with_implied: bool = True
) -> tuple[Template, Formula]:
    """The template of a puzzle's graph and all clauses of the puzzle.

    ``with_implied``: on a large board, also clauses that only spare the search a part of its work. While the
    clauses of a large graph are made, ``check_clock`` is called now and then.
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
        clauses += template.cycles
        plain = len(clauses)
        if with_implied and template.corners:
            from flowvision.solvers.implied import implied_clauses

            clauses += implied_clauses(puzzle, template.corners, template.strict, template.bits)
    return template, Formula(clauses, template.alike, len(clauses) - plain)


Counts = tuple[tuple[str, int], ...]
"""How many there are of each kind, in words for people."""


def clause_counts(puzzle: Puzzle, template: Template, total: int, implied: int) -> tuple[Counts, Counts]:
    """How many variables and clauses of each kind a puzzle has; ``total``, ``implied``: of all clauses."""
    edges, bits = len(puzzle.graph.edges), len(template.bits[0])
    dots, same = 2 * len(puzzle.terminals) * bits, 2 * edges * bits
    variables = (
        ("a path crosses this side", edges),
        ("no path may touch itself", 1),
        (f"the colour of a cell, {bits} bits each", puzzle.graph.size * bits),
    )
    ways = total - dots - same - len(template.cycles) - implied
    clauses = (
        ("a dot has its own colour", dots),
        ("one way out of a dot, two out of any other cell", ways),
        ("both cells beside a crossed side have one colour", same),
        ("no path comes back beside itself (squares of 2 × 2)", len(template.cycles)),
    )
    corners = ("no corner whose diagonal ends without a dot, no path beside its own dot", implied)
    return variables, (*clauses, corners) if implied else clauses


@lru_cache(maxsize=16)
def template_of(graph: Graph, bit_count: int) -> Template:
    """The template of a graph whose colours need ``bit_count`` bits."""
    return _new_template(graph, bit_count, no_clock)


def _new_template(graph: Graph, bit_count: int, check_clock: Clock) -> Template:
    strict = len(graph.edges) + 1
    first, end = strict + 1, strict + 1 + graph.size * bit_count
    one, zero = list(range(first, end)), list(range(-first, -end, -1))
    cycles = list(watched(short_cycles(graph), check_clock))
    return Template(
        strict,
        tuple(chain.from_iterable(cycle_clauses(cycles, repeat(strict), check_clock))),
        _alike(graph, one, zero, check_clock),
        tuple(_by_columns(graph.incident, _two_of, check_clock)),
        tuple(_in_parts(one, bit_count)),
        _corners(graph, cycles, strict, check_clock) if graph.size >= LARGE else None,
    )


def _corners(graph: Graph, cycles: list[Cycle], strict: int, check_clock: Clock) -> Corners:
    from flowvision.solvers.corners import corners_of

    return corners_of(graph, cycles, strict, check_clock)


def _alike(graph: Graph, one: list[int], zero: list[int], check_clock: Clock) -> Columns:
    """Two clauses for every edge and bit: not zero at the first end and one at the second, nor the other way.

    ``one``, ``zero``: the literals of all bits, strand by strand.
    """
    width = 2 * len(one) // graph.size
    firsts = _in_parts(chain.from_iterable(zip(zero, one, strict=True)), width)
    seconds = _in_parts(chain.from_iterable(zip(one, zero, strict=True)), width)
    columns: tuple[list[int], list[int], list[int]] = ([], [], [])
    for at in range(0, len(graph.edges), ROWS_AT_ONCE):
        check_clock()
        some = graph.edges[at : at + ROWS_AT_ONCE]
        columns[0].extend(chain.from_iterable([(~edge,) * width for edge in range(at, at + len(some))]))
        columns[1].extend(chain.from_iterable([firsts[u] for u, _ in some]))
        columns[2].extend(chain.from_iterable([seconds[v] for _, v in some]))
    return columns


def cycle_clauses(
    cycles: Sequence[Cycle], switches: Iterable[int], check_clock: Clock = no_clock
) -> list[Clauses]:
    """Per cycle: while its switch is on, at most two of four edges are used, or one of three."""
    rows = [(switch - 1, *cycle) for switch, cycle in zip(switches, cycles, strict=False)]
    return _by_columns(rows, _none_with_switch, check_clock)


def _by_columns(
    rows: Sequence[tuple[int, ...]],
    rule: Callable[[Columns], Iterable[Iterable[Clause]]],
    check_clock: Clock,
) -> list[Clauses]:
    """The clauses of every row, made for rows of one length together.

    ``rule`` gives the first clause of every row, then the second of every row, and so on. All loops over
    rows are those of ``zip``, which takes half as long as one row after the other.
    """
    made: list[Clauses] = [()] * len(rows)
    for length in set(map(len, rows)):
        places = [place for place, row in enumerate(rows) if len(row) == length]
        for at in range(0, len(places), ROWS_AT_ONCE):
            check_clock()
            some = places[at : at + ROWS_AT_ONCE]
            columns = list(zip(*[rows[place] for place in some], strict=True))
            for place, clauses in zip(some, zip(*rule(columns), strict=False), strict=False):
                made[place] = clauses
    return made


def _none_with_switch(columns: Columns) -> list[Iterable[Clause]]:
    """The first column is the switch; of the others all but one are together in a clause."""
    unused = [[~edge for edge in column] for column in columns]
    clauses = [zip(*some, strict=True) for some in combinations(unused, len(columns) - 1)]
    return list(clauses[:-1])  # the last is the one without the switch


def _two_of(columns: Columns) -> list[Iterable[Clause]]:
    """Exactly two of the edges; where there are fewer, no way at all."""
    if len(columns) < 2:
        return [repeat(())]
    used = [[edge + 1 for edge in column] for column in columns]
    unused = [[~edge for edge in column] for column in columns]
    at_most, at_least = combinations(unused, 3), combinations(used, len(columns) - 1)
    return [zip(*some, strict=True) for some in chain(at_most, at_least)]


def _in_parts(items: Iterable[int], length: int) -> list[tuple[int, ...]]:
    every = tuple(items)
    return [every[at : at + length] for at in range(0, len(every), length)]


@lru_cache(maxsize=4_096)
def _ended(edges: tuple[int, ...]) -> Clauses:
    """The clauses of a strand that holds a dot: exactly one of its edges is used."""
    literals = [edge + 1 for edge in edges]
    return (*_at_most(literals, 1), tuple(literals))


def _at_most(literals: list[int], count: int) -> Iterable[Clause]:
    return combinations([-x for x in literals], count + 1)


def _not_one(literals: list[int]) -> list[Clause]:
    return [(-x, *(y for y in literals if y != x)) for x in literals]
