"""A camera roll, where 19 of 20 pictures are no boards: the rate of one worker, and what a refusal costs.

    python benchmarks/camera_roll.py [COUNT] [--megapixels 12] [--keep FOLDER]      60 pictures by default
    python benchmarks/camera_roll.py FOLDER

Draws boards, and what camera rolls hold beside them: photographs of foliage, brick walls, facades, tiles,
crowds and nets with so many megapixels, and screenshots of text, tables and other puzzles. Solves all of it
in this process, on one thread of OpenCV, with everything loaded before, as a worker of a batch does. Prints
its pictures a second as a share of those of the boards alone; the CPU of a refusal (median, nine of ten,
worst, mean), also in answers of boards; by kind; and whatever was taken for a board. With a FOLDER those
pictures are measured instead, and the share of pictures a second is told as well as it would be if 19 of 20
of them were no boards.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from time import perf_counter, process_time

import cv2
import numpy as np

from flowvision import FlowvisionError, solve_image
from flowvision.batch.session import EVERY, RARE
from flowvision.image.codec import encode
from flowvision.workers.memory import prepare_worker
from no_boards import DRAWN, SCREENSHOTS
from scenes import drawn_scene

BOARDS = 1 / 20
SHOT_SIZE = 2340, 1080
"""Height and width of the screenshots."""
PHOTO_SHAPES = (3, 4), (4, 3)
"""Height and width of the photographs, in turn, in the same unit."""


@dataclass(frozen=True)
class Cost:
    """What one picture took, by the clock and in CPU; whether it was answered."""

    file: Path
    seconds: float
    cpu: float
    is_answered: bool


def drawn(folder: Path, count: int, megapixels: float) -> list[Path]:
    """So many pictures, written to a folder: one of twenty is a board, whose name says so."""
    files = []
    boards = max(1, round(BOARDS * count))
    for number in range(boards):
        files.append(folder / f"board_{number}.png")
        cv2.imwrite(str(files[-1]), drawn_scene(number).bgr)
    for number in range(count - boards):
        draw, random = DRAWN[number % len(DRAWN)], np.random.default_rng(number)
        if draw in SCREENSHOTS:
            files.append(folder / f"{draw.__name__}_{number}.png")
            cv2.imwrite(str(files[-1]), draw(random, *SHOT_SIZE))
        else:
            shape = np.array(PHOTO_SHAPES[number % len(PHOTO_SHAPES)])
            height, width = np.round(shape * (megapixels * 1e6 / shape.prod()) ** 0.5).astype(int).tolist()
            files.append(folder / f"{draw.__name__}_{number}.jpg")
            cv2.imwrite(str(files[-1]), draw(random, height, width))
    return files


def cost_of(file: Path) -> Cost:
    """What it takes to solve a picture and to encode the answer, or to refuse it."""
    start, busy, is_answered = perf_counter(), process_time(), True
    try:
        encode(solve_image(file).picture)
    except FlowvisionError:
        is_answered = False
    return Cost(file, perf_counter() - start, process_time() - busy, is_answered)


def spread(cpu: list[float]) -> str:
    """The figures that a distribution is told by, in seconds."""
    ordered = sorted(cpu)
    most = ordered[min(len(ordered) - 1, int(0.9 * len(ordered)))]
    return (
        f"median {median(cpu):.3f}, nine of ten {most:.3f}, worst {ordered[-1]:.3f}, mean {mean(cpu):.3f} s"
    )


def of_a_roll(board: float, refusal: float) -> float:
    """Pictures a second of a camera roll, of those of boards alone; mean CPU of a board and of a refusal."""
    return board / (BOARDS * board + (1 - BOARDS) * refusal)


def main() -> None:
    """Draw, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", nargs="?", default="60", help="how many pictures to draw, or a folder [60]")
    parser.add_argument("--megapixels", type=float, default=12, help="of the photographs [12]")
    parser.add_argument("--keep", type=Path, help="draw into this folder, and leave the pictures there")
    given = parser.parse_args()
    prepare_worker(EVERY + RARE)
    with tempfile.TemporaryDirectory() as place:
        if given.what.isdigit():
            folder = given.keep or Path(place)
            folder.mkdir(parents=True, exist_ok=True)
            files = drawn(folder, int(given.what), given.megapixels)
        else:
            files = sorted(path for path in Path(given.what).iterdir() if path.is_file())
        cost_of(files[0])  # the first picture loads what the next ones find
        costs = [cost_of(file) for file in files]
    report(costs, by_name=any(cost.file.name.startswith("board_") for cost in costs))


def report(costs: list[Cost], by_name: bool) -> None:
    """Print what was measured; ``by_name``: the names say what is a board, and what the others show."""
    boards = [
        cost for cost in costs if (cost.file.name.startswith("board_") if by_name else cost.is_answered)
    ]
    others = [cost for cost in costs if cost not in boards]
    print(f"{len(costs)} pictures, {len(boards)} boards: {sum(one.is_answered for one in boards)} answered")
    if others:
        print(f"CPU of a refusal: {spread([one.cpu for one in others])}")
    if boards and others:
        board, other = mean(one.cpu for one in boards), mean(one.cpu for one in others)
        clock = mean(one.seconds for one in boards) / mean(one.seconds for one in costs)
        print(
            f"CPU of a board: {spread([one.cpu for one in boards])}; a refusal is {other / board:.1f} of them"
        )
        print(f"pictures a second, of those of boards alone: {clock:.3f}")
        if not by_name:
            print(f"the same, if 19 of 20 of them were no boards: {of_a_roll(board, other):.3f}")
    kinds = defaultdict[str, list[float]](list)
    for one in others if by_name else ():
        kinds[one.file.name.rsplit("_", 1)[0]].append(one.cpu)
        if one.is_answered:
            print(f"taken for a board: {one.file.name}")
    for kind, cpu in sorted(kinds.items(), key=lambda item: -mean(item[1])):
        print(f"  {kind:14} {spread(cpu)}")


if __name__ == "__main__":
    main()
