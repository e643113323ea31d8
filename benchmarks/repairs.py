"""How often a misread level is mended: dots moved or swapped in real levels, and what `repairs` offers.

    python benchmarks/repairs.py [MISREADINGS]

Needs the shared puzzles; every misreading is one dot one cell off, or two dots swapped, by turns.
"""

from __future__ import annotations

import sys
from random import Random
from statistics import median
from time import perf_counter

from data import levels
from flowvision.puzzle.formats import NamedPuzzle
from flowvision.puzzle.model import Puzzle
from flowvision.solvers import Limits
from flowvision.solvers.repairs import repairs


def misread(record: NamedPuzzle, random: Random, swap: bool) -> Puzzle:
    """The puzzle of a record with one dot moved to a free neighbour, or two dots of two colours swapped."""
    layout = record.board.layout
    graph, pairs = record.puzzle.graph, [list(pair) for pair in record.puzzle.terminals]
    if swap and len(pairs) > 1:
        one, two = random.sample(range(len(pairs)), 2)
        pairs[one][1], pairs[two][0] = pairs[two][0], pairs[one][1]
    else:
        taken = {dot for pair in pairs for dot in pair}
        places = [
            (flow, end, other)
            for flow, pair in enumerate(pairs)
            for end, dot in enumerate(pair)
            for edge in graph.incident[dot]
            if len(layout.strokes[edge]) == 1
            if (other := graph.other_end(edge, dot)) not in taken and other < len(layout.cells)
        ]
        flow, end, other = random.choice(places)
        pairs[flow][end] = other
    return Puzzle(graph, tuple((a, b) for a, b in pairs))


def main(count: int) -> None:
    """Print one line of figures per kind of board."""
    random = Random(7)
    for kind in ("square", "rect", "shaped", "bridge", "hex", "warp"):
        records = random.sample(levels(f"official_{kind}"), max(1, count // 6))
        there, offered, seconds = 0, [], []
        for number, record in enumerate(records):
            wrong = misread(record, random, bool(number % 2))
            began = perf_counter()
            found = repairs(record.board, wrong, limits=Limits(30)).found
            seconds.append(1000 * (perf_counter() - began))
            truth = {frozenset(pair) for pair in record.puzzle.terminals}
            there += any({frozenset(pair) for pair in repair.puzzle.terminals} == truth for repair in found)
            offered.append(len(found))
        print(
            f"{kind:7} true board among the repairs: {there} of {len(records)};"
            f" offered: median {median(offered):.0f}, most {max(offered)};"
            f" ms: median {median(seconds):.0f}, most {max(seconds):.0f}"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 280)
