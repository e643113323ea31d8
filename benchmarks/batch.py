"""A folder of synthetic screenshots through `flowvision batch`: rates as ratios, and memory.

    python benchmarks/batch.py [COUNT]      2,000 by default

Compares two workers with one, and one with bare decoding and encoding of the same pictures; and prints the
most memory any worker had after a tenth of the pictures and at the end.
"""

from __future__ import annotations

import resource
import sys
import tempfile
from pathlib import Path
from random import Random
from time import perf_counter

import cv2

from flowvision.batch.inputs import find_shots, jobs_for
from flowvision.batch.jobs import Done, Outcome
from flowvision.batch.session import Plan, run_plan
from flowvision.codec import decode, encode
from flowvision.puzzle import boards
from flowvision.puzzle.generate import random_puzzle
from flowvision.render.synthetic import draw_screenshot, random_style


def draw(folder: Path, count: int) -> None:
    """Screenshots of mixed boards, themes and phones."""
    for seed in range(count):
        random = Random(seed)
        board = boards.square(random.randint(5, 12), random.randint(5, 10))
        puzzle, solution = random_puzzle(board, seed, min(13, max(3, len(board.layout.cells) // 8)))
        shot = draw_screenshot(board, puzzle, random_style(seed), seed, solution).screenshot
        (folder / f"{seed:05}.png").write_bytes(encode(shot.bgr))


def bare(folder: Path) -> float:
    """Pictures a second when they are only decoded and encoded again, in one thread."""
    cv2.setNumThreads(1)
    files, begun = sorted(folder.iterdir()), perf_counter()
    for file in files:
        (folder.parent / "bare.png").write_bytes(encode(decode(file.read_bytes()).bgr))
    return len(files) / (perf_counter() - begun)


def children_mb() -> float:
    """The most memory any process that has ended had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def batch(folder: Path, workers: int, count: int | None = None) -> tuple[float, int]:
    """Pictures a second, and how many were solved."""
    shots = find_shots([str(folder)]).shots[:count]
    solved: list[Outcome] = []
    with tempfile.TemporaryDirectory() as out:
        jobs, begun = jobs_for(shots, out), perf_counter()
        run_plan(Plan(jobs, out, workers=workers), lambda outcome, _: solved.append(outcome))
        seconds = perf_counter() - begun
    return len(shots) / seconds, sum(isinstance(outcome, Done) for outcome in solved)


def main() -> None:
    """Draw, then measure."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "shots"
        folder.mkdir()
        draw(folder, count)
        batch(folder, 1, count // 10)
        early = children_mb()
        one, solved = batch(folder, 1)
        late = children_mb()
        two, _ = batch(folder, 2)
        plain = bare(folder)
    print(f"{count} pictures, {solved} solved")
    print(f"bare decode + encode {plain:6.1f} pictures/s")
    print(f"one worker           {one:6.1f} pictures/s = {one / plain:.2f} of bare")
    print(f"two workers          {two:6.1f} pictures/s = {two / one:.2f} times one")
    print(f"memory of a worker   {early:6.0f} MB after {count // 10}, {late:.0f} MB after {count}")


if __name__ == "__main__":
    main()
