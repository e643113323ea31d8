"""Beyond the game: time and memory of the default engine against the size of the board.

    python benchmarks/scale.py [--limit 20] [--budget 300] [--plot docs/notes/scale.svg]

Boards of other collections from 20 × 20 on, and generated ones with many colours and with few; each in a
process of its own, so that its peak memory is its own (on Linux). Smallest first, and none is begun after
``--budget`` seconds. Prints a line a board as it goes, then a table by size. The plot needs matplotlib.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from data import shared_folder
from flowvision.errors import FlowvisionError
from flowvision.puzzle import boards
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.records import format_record, parse_record
from flowvision.solvers import Limits, Solved, solve

COLLECTIONS = ("janko580", "thomasahle", "lelleib")
FEW_CELLS = 400
GENERATED = {"many colours": (10, (20, 30, 40, 50, 70, 100)), "few colours": (16, (20, 30, 40, 50))}
"""Cells per pair of dots, and the sizes."""
BANDS = (400, 600, 800, 1_000, 1_300, 1_700, 2_500, 3_500, 6_000, 10_001)
"""Numbers of cells between which boards are summed up."""
LINE = "{kind:13} {id:32} {cells:5} cells {pairs:4} pairs {seconds:8.3f} s {mb:6.0f} MB  {verdict}"


def solve_here(limit: float) -> None:
    """Solve the record on standard input, and print what it took."""
    record = parse_record(sys.stdin.read())
    before = peak_memory()
    outcome = solve(record.puzzle, limits=Limits(limit))
    memory = peak_memory() - before
    verdict = f"{outcome.unique}" if isinstance(outcome, Solved) else type(outcome).__name__
    print(json.dumps({"seconds": outcome.seconds, "mb": memory, "verdict": verdict}))


def peak_memory() -> float:
    """MB; of this process alone, which the figure of ``resource`` is not: Linux hands that down."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def records() -> list[tuple[str, str]]:
    """Where each board is from, and its record."""
    found = []
    folder = shared_folder()
    for name in COLLECTIONS if folder else ():
        for line in (folder / "puzzles" / f"{name}.jsonl").read_text().splitlines():
            board = json.loads(line)
            if board["rows"] * board["cols"] >= FEW_CELLS and min(board["rows"], board["cols"]) > 5:
                found.append((name, line))
    for kind, (per_colour, sizes) in GENERATED.items():
        for size in sizes:
            board = boards.square(size, size)
            for seed in range(2):
                try:
                    puzzle, _ = random_puzzle(board, seed, size * size // per_colour)
                except FlowvisionError as error:
                    print(f"not made: {size} × {size}, {kind}: {error.message}", file=sys.stderr)
                    continue
                found.append((kind, format_record(board, puzzle, f"{kind} {size}×{size} {seed}")))
    return found


def measure(limit: float, most: int, budget: float) -> list[dict[str, Any]]:
    """One line per board, smallest first; of every collection at most so many, spread over the sizes."""
    chosen: list[tuple[str, str]] = []
    everything = records()
    for kind in dict.fromkeys(kind for kind, _ in everything):
        mine = [pair for pair in everything if pair[0] == kind]
        chosen += mine if len(mine) <= most else Random(1).sample(mine, most)
    lines: list[dict[str, Any]] = []
    deadline = perf_counter() + budget
    for kind, record in sorted(chosen, key=lambda pair: cells(pair[1])):
        if perf_counter() > deadline:
            print(f"the budget is spent; not tried: {kind}, {cells(record)} cells", file=sys.stderr)
            continue
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


def table(lines: list[dict[str, Any]]) -> str:
    """Markdown: boards by their number of cells."""
    rows = [
        "| cells | boards | proven | gave up | median s | worst s | most MB |",
        "|---|---|---|---|---|---|---|",
    ]
    for low, high in pairwise(BANDS):
        mine = [line for line in lines if low <= line["cells"] < high]
        if not mine:
            continue
        settled = [line for line in mine if line["verdict"] in ("True", "False", "Unsolvable")]
        seconds = [line["seconds"] for line in mine]
        rows.append(
            f"| {low:,} to {high - 1:,} | {len(mine)} | {len(settled)} | {len(mine) - len(settled)} |"
            f" {median(seconds):.2f} | {max(seconds):.1f} | {max(line['mb'] for line in mine):.0f} |"
        )
    return "\n".join(rows)


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
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--budget", type=float, default=300)
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        solve_here(given.limit)
        return
    lines = measure(given.limit, given.most, given.budget)
    print(f"\n{table(lines)}")
    if given.plot:
        plot(lines, given.limit, given.plot)


if __name__ == "__main__":
    main()
