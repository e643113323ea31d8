"""The ladder on published levels: how their steps are seen, and whether packs get harder as they go on.

    python benchmarks/difficulty.py [--every 3] [--cells 150] [--seconds 20]

Prints, by kind and longer side of the board, the mean number of steps of each rung and the grades; then the
rank correlation (Spearman) of the score with the number of the level, within packs and within the
levels of one size of a pack, each the mean over groups weighted by their levels.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import numpy as np
from scipy.stats import spearmanr

from data import levels
from flowvision.puzzle.formats import NamedPuzzle
from flowvision.solvers import Limits, Solved, solve
from flowvision.solvers.base import TimeIsUpError
from flowvision.solvers.deductions import GRADES, Difficulty, Rung, difficulty

KINDS = ("square", "rect", "shaped", "bridge", "hex", "warp")
FEWEST = 8
"""Levels of a group that is ranked."""


def graded(every: int, cells: int, seconds: float) -> list[tuple[str, NamedPuzzle, Difficulty]]:
    """The levels with one solution that are done in time, with their kinds."""
    found = []
    for kind in KINDS:
        for record in levels(f"official_{kind}")[::every]:
            if len(record.board.layout.cells) > cells:
                continue
            outcome = solve(record.puzzle)
            assert isinstance(outcome, Solved)
            try:
                found.append((kind, record, difficulty(record.puzzle, outcome.solution, Limits(seconds))))
            except TimeIsUpError:
                print(f"{record.name}: not within {seconds:g} s")
    return found


def size_of(record: NamedPuzzle) -> tuple[int, int]:
    """Columns and rows."""
    assert record.board.lattice is not None
    return record.board.lattice.cols, record.board.lattice.rows


def by_size(found: list[tuple[str, NamedPuzzle, Difficulty]]) -> None:
    """Steps and grades by kind and longer side."""
    groups = defaultdict(list)
    for kind, record, made in found:
        groups[kind, max(size_of(record))].append(made)
    print("kind, side: levels, mean steps of each rung; grades")
    for (kind, side), made in sorted(groups.items()):
        means = " ".join(f"{np.mean([one.steps[n] for one in made]):.1f}" for n in range(len(Rung)))
        grades = " ".join(f"{sum(one.grade == grade for one in made)} {grade}" for grade in GRADES)
        print(f"{kind} {side}: {len(made)}, {means}; {grades}")


def ranked(found: list[tuple[str, NamedPuzzle, Difficulty]], same_size: bool) -> str:
    """The mean correlation of score and number within groups."""
    groups = defaultdict(list)
    for _, record, made in found:
        pack, _, number = record.name.rpartition("/")
        groups[(pack, *(size_of(record) if same_size else ()))].append((int(number), made.score))
    each = []
    for pairs in groups.values():
        numbers, scores = zip(*pairs, strict=True)
        if len(pairs) >= FEWEST and len(set(scores)) > 1:
            each.append((spearmanr(numbers, scores)[0], len(pairs)))
    if not each:
        return "not known: no group has enough levels"
    values, weights = zip(*each, strict=True)
    return f"{np.average(values, weights=weights):.2f} over {len(each)} groups of {sum(weights)} levels"


def main() -> None:
    """Grade and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--every", type=int, default=3)
    parser.add_argument("--cells", type=int, default=150)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    found = graded(given.every, given.cells, given.seconds)
    by_size(found)
    print(f"rank correlation within packs: {ranked(found, False)}")
    print(f"rank correlation within one size of a pack: {ranked(found, True)}")


if __name__ == "__main__":
    main()
