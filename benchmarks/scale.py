"""Beyond the game: time and memory of the default engine against the size of the board.

    python benchmarks/scale.py [--limit 30] [--plot docs/scale.svg]

Boards of other collections from 20 × 20 on, and generated ones with many colours and with few; each in a
process of its own, so that its peak memory is its own. The plot needs matplotlib.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

from data import shared_folder
from flowvision.errors import FlowvisionError
from flowvision.puzzle import boards
from flowvision.puzzle.generate import random_puzzle
from flowvision.puzzle.records import format_record, parse_record
from flowvision.solvers import Limits, Solved, solve

COLLECTIONS = ("janko580", "thomasahle", "lelleib")
FEW_CELLS = 400
GENERATED = (20, 25, 30, 35, 40, 50)
PER_COLOUR = {"many colours": 10, "few colours": 25}
"""Cells per pair of dots."""
LINE = "{kind:13} {id:32} {cells:5} cells {pairs:4} pairs {seconds:8.3f} s {mb:6.0f} MB  {verdict}"


def solve_here(limit: float) -> None:
    """Solve the record on standard input, and print what it took."""
    record = parse_record(sys.stdin.read())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = solve(record.puzzle, limits=Limits(limit))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    verdict = f"{outcome.unique}" if isinstance(outcome, Solved) else type(outcome).__name__
    print(json.dumps({"seconds": outcome.seconds, "mb": memory / 1024, "verdict": verdict}))


def records() -> list[tuple[str, str]]:
    """Where each board is from, and its record."""
    found = []
    folder = shared_folder()
    for name in COLLECTIONS if folder else ():
        for line in (folder / "puzzles" / f"{name}.jsonl").read_text().splitlines():
            board = json.loads(line)
            if board["rows"] * board["cols"] >= FEW_CELLS and min(board["rows"], board["cols"]) > 5:
                found.append((name, line))
    for kind, per_colour in PER_COLOUR.items():
        for size in GENERATED:
            board = boards.square(size, size)
            for seed in range(3):
                try:
                    puzzle, _ = random_puzzle(board, seed, size * size // per_colour)
                except FlowvisionError as error:
                    print(f"not made: {size} × {size}, {kind}: {error.message}", file=sys.stderr)
                    continue
                found.append((kind, format_record(board, puzzle, f"{kind} {size}×{size} {seed}")))
    return found


def measure(limit: float, most: int) -> list[dict[str, Any]]:
    """One line per board, smallest first; of every collection at most so many, spread over the sizes."""
    chosen: list[tuple[str, str]] = []
    everything = records()
    for kind in dict.fromkeys(kind for kind, _ in everything):
        mine = [pair for pair in everything if pair[0] == kind]
        chosen += mine if len(mine) <= most else Random(1).sample(mine, most)
    lines = []
    for kind, record in sorted(chosen, key=lambda pair: cells(pair[1])):
        run = subprocess.run(
            [sys.executable, __file__, "--here", "--limit", str(limit)],
            input=record.encode(),
            capture_output=True,
            check=True,
        )
        given = json.loads(record)
        line = {"kind": kind, "id": given["id"], "cells": cells(record), "pairs": len(given["pairs"])}
        lines.append(line | json.loads(run.stdout))
        print(LINE.format(**lines[-1]), flush=True)
    return lines


def cells(record: str) -> int:
    """The places of a record's board."""
    given = json.loads(record)
    return int(given["rows"]) * int(given["cols"])


def plot(lines: list[dict[str, Any]], limit: float, file: Path) -> None:
    """Time and memory against the number of cells."""
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    for kind in dict.fromkeys(line["kind"] for line in lines):
        mine = [line for line in lines if line["kind"] == kind]
        size = [line["cells"] for line in mine]
        left.scatter(size, [min(line["seconds"], limit) for line in mine], s=14, label=kind)
        right.scatter(size, [max(line["mb"], 0.1) for line in mine], s=14, label=kind)
    left.axhline(limit, color="grey", linestyle=":", label="limit")
    left.set(xscale="log", yscale="log", xlabel="cells", ylabel="seconds, with the proof of uniqueness")
    right.set(xscale="log", yscale="log", xlabel="cells", ylabel="peak memory beyond the start, MB")
    left.legend(fontsize=8)
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


def main() -> None:
    """Measure and print; draw the plot."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--limit", type=float, default=30)
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        solve_here(given.limit)
        return
    lines = measure(given.limit, given.most)
    if given.plot:
        plot(lines, given.limit, given.plot)


if __name__ == "__main__":
    main()
