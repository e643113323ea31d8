"""How long a picture of every kind of board takes, as ratios to one of squares in the same run.

    python benchmarks/kinds.py [--boards 12] [--rounds 5]

Boards of as many rows and columns, drawn in the same theme, phone and state of play; each is read, solved and
drawn in this process, the kinds in turn, so that what else the machine does weighs on all alike. The ratio is
the median over boards of the times of processors, the shortest of the rounds; stages are its parts.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import dataclass
from itertools import count
from statistics import median
from time import process_time

import cv2

from flowvision import Screenshot, solve_image
from flowvision.errors import FlowvisionError
from flowvision.puzzle.text import parse
from flowvision.puzzle_tools.generator import Shape
from flowvision.solvers import Solved, solve
from tests.tools.puzzles import make_puzzle
from tests.tools.synthetic import draw_screenshot, random_style

SIDES = (6, 7, 8, 9)
KINDS = {
    "squares": lambda side: Shape(side, side),
    "hexagons": lambda side: Shape(side, side, "hex"),
    "hexagons, holes": lambda side: Shape(side, side, "hex", holes=4),
    "shaped": lambda side: Shape(side, side, holes=4, walls=3),
    "bridges": lambda side: Shape(side, side, bridges=2),
    "warps": lambda side: Shape(side, side, warps=1),
}


@dataclass(frozen=True)
class Taken:
    """Milliseconds: of processors in all, and by the clock in every stage."""

    total: float
    stages: dict[str, float]


def drawn(kind: str, side: int, seed: int) -> Screenshot | None:
    """A picture; ``None`` where no such board came of that seed."""
    style = random_style(seed)
    colours = min(len(style.theme.palette), max(4, side * side // 7))
    try:
        made = parse(make_puzzle(KINDS[kind](side), colours, seed))
    except FlowvisionError:
        return None
    outcome = solve(made.puzzle)
    assert isinstance(outcome, Solved)
    return draw_screenshot(made.board, made.puzzle, style, seed, outcome.solution).screenshot


def sets(number: int) -> list[dict[str, Screenshot]]:
    """So many boards, of every kind one."""
    found: list[dict[str, Screenshot]] = []
    for seed in count(1):
        side = SIDES[len(found) % len(SIDES)]
        shots = {kind: shot for kind in KINDS if (shot := drawn(kind, side, seed))}
        if len(shots) == len(KINDS):
            found.append(shots)
        if len(found) == number:
            break
    return found


def timed(shot: Screenshot) -> Taken:
    """One run of everything but decoding and encoding."""
    begun = process_time()
    answer = solve_image(shot)
    total = 1000 * (process_time() - begun)
    return Taken(total, {stage: 1000 * seconds for stage, seconds in answer.seconds.items()})


def main() -> None:
    """Draw, measure, print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    best: dict[str, list[Taken]] = defaultdict(list)
    for shots in sets(given.boards):
        runs: dict[str, list[Taken]] = defaultdict(list)
        for number in range(given.rounds + 1):
            for kind, shot in shots.items():
                taken = timed(shot)
                if number:  # the first is not counted: it may be the first of its shape
                    runs[kind].append(taken)
        for kind, taken in runs.items():
            best[kind].append(min(taken, key=lambda one: one.total))
    stages = list(best["squares"][0].stages)
    print(f"{'':18}{'ms':>7}{'ratio':>7}{'worst':>7}  {''.join(f'{stage:>9}' for stage in stages)}")
    for kind, rows in best.items():
        ratios = [row.total / beside.total for row, beside in zip(rows, best["squares"], strict=True)]
        parts = "".join(f"{median(row.stages.get(stage, 0.0) for row in rows):9.2f}" for stage in stages)
        whole = median(row.total for row in rows)
        print(f"{kind:18}{whole:7.1f}{median(ratios):7.2f}{max(ratios):7.2f}  {parts}")


if __name__ == "__main__":
    main()
