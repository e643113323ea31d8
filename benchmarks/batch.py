"""A folder of synthetic screenshots through `flowvision batch`: what is solved, rates as ratios, and memory.

    python benchmarks/batch.py [COUNT]

Draws boards of every kind in any theme, size and state of play; counts by kind what was solved; compares
two workers with one, and one with bare decoding and encoding of the same pictures (at OpenCV's defaults, and
as fast as solutions are written here), by the clock and by the time of processors (which hardly depends on
what else the machine does); and prints the most memory a worker had after a tenth of the pictures and at the
end.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import active_children
from pathlib import Path
from random import Random
from time import perf_counter, process_time

import cv2

from data import as_opencv, busy_seconds, options
from flowvision.batch.jobs import Outcome, find_shots, jobs_for
from flowvision.batch.session import Plan, run_plan
from flowvision.errors import FlowvisionError
from flowvision.image.codec import decode, encode
from flowvision.puzzle.layout import Place
from flowvision.puzzle_tools.generator import Shape, new_puzzle
from tests.boards import places_of_pairs
from tests.tools.synthetic import draw_screenshot, random_style

Pairs = set[frozenset[Place]]


@dataclass(frozen=True)
class Rate:
    """Pictures a second, and how long a processor was busy with each."""

    pictures_per_second: float
    busy_ms: float


def shape_of(kind: str, random: Random) -> Shape:
    """A board of that kind, of any size that phones show."""
    rows, cols = random.randint(5, 9), random.randint(5, 9)
    match kind:
        case "square":
            side = random.randint(5, 12)
            return Shape(side, side)
        case "rectangle":
            return Shape(rows + random.randint(1, 4), min(rows, cols))
        case "shaped":
            return Shape(rows + 1, cols + 1, holes=random.randint(2, 6), walls=random.randint(0, 5))
        case "bridges":
            return Shape(rows + 1, cols + 1, bridges=random.randint(1, 3))
        case "hexagons":
            return Shape(rows, cols, "hex", holes=random.randint(0, 4))
        case _:
            return Shape(rows, cols, warps=random.randint(1, 2))


KINDS = ("square", "rectangle", "shaped", "bridges", "hexagons", "warps")


def draw(folder: Path, count: int) -> dict[str, Pairs]:
    """Screenshots of all kinds in turn, PNG and JPEG; the pairs of dots by the names of the files."""
    truth: dict[str, Pairs] = {}
    seed = 0
    while len(truth) < count:
        seed += 1
        random, kind = Random(seed), KINDS[len(truth) % len(KINDS)]
        shape, style = shape_of(kind, random), random_style(seed)
        colours = min(len(style.theme.palette), max(4, shape.rows * shape.cols // 7))
        try:
            made, solution = new_puzzle(shape, seed, colours)
        except FlowvisionError:  # not every shape can be covered by so many flows
            continue
        shot = draw_screenshot(made.board, made.puzzle, style, seed, solution).screenshot
        suffix = ".jpg" if random.random() < 0.3 else ".png"
        name = f"{len(truth):05}-{kind}{suffix}"
        (folder / name).write_bytes(encode(shot.bgr, suffix))
        truth[name] = places_of_pairs(made)
    return truth


def what_came_of(outcome: Outcome, truth: dict[str, Pairs]) -> str:
    """``solved``, ``misread``, or the code of the failure."""
    if outcome.code:
        return outcome.code
    seen = {frozenset(map(tuple, flow["ends"])) for flow in outcome.answer["flows"]}
    return "solved" if seen == truth[Path(outcome.source).name] else "misread"


def bare(folder: Path, again: Callable[[bytes], bytes]) -> Rate:
    """The rate when they are only decoded and encoded again, in one thread."""
    cv2.setNumThreads(1)
    files, begun, busy = sorted(folder.iterdir()), perf_counter(), process_time()
    for file in files:
        (folder.parent / "bare.png").write_bytes(again(file.read_bytes()))
    return Rate(len(files) / (perf_counter() - begun), 1000 * (process_time() - busy) / len(files))


def as_here(data: bytes) -> bytes:
    """The same in the faster way in which solutions are written."""
    return encode(decode(data).bgr)


def workers_mb() -> float:
    """The most memory any worker has had, in megabytes; 0 where the system does not say.

    What the system says of a process that has ended counts its parent's memory, of which it began as a copy.
    """
    peaks = [0.0]
    for worker in active_children():
        status = Path(f"/proc/{worker.pid}/status")
        if status.exists():
            peak = re.search(r"VmHWM:\s+(\d+)", status.read_text())
            peaks.append(int(peak[1]) / 1024 if peak else 0.0)
    return max(peaks)


def batch(folder: Path, workers: int) -> tuple[Rate, list[Outcome], tuple[float, float]]:
    """The rate of a batch, its outcomes, and the memory of workers after a tenth of them and at the end."""
    shots = find_shots([str(folder)])[0]
    outcomes: list[Outcome] = []
    memory: dict[int, float] = {}

    def observe(outcome: Outcome, _: bool) -> None:
        outcomes.append(outcome)
        if len(outcomes) in (len(shots) // 10, len(shots)):
            memory[len(outcomes)] = workers_mb()

    with tempfile.TemporaryDirectory() as out:
        jobs, begun, busy = jobs_for(shots, out), perf_counter(), busy_seconds()
        run_plan(Plan(jobs, out, workers=workers), observe)
        seconds, busy = perf_counter() - begun, busy_seconds() - busy
    rate = Rate(len(shots) / seconds, 1000 * busy / len(shots))
    return rate, outcomes, (memory[len(shots) // 10], memory[len(shots)])


def report(outcomes: list[Outcome], truth: dict[str, Pairs]) -> None:
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    for outcome in outcomes:
        kind = Path(outcome.source).stem.split("-")[1]
        counts[kind][what_came_of(outcome, truth)] += 1
    for kind, count in counts.items():
        others = ", ".join(f"{number} {what}" for what, number in count.most_common() if what != "solved")
        print(f"{kind:10} {count['solved']:5} of {count.total():5} solved{others and ', '}{others}")


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("count", nargs="?", type=int, default=2_000, help="pictures, at least 10 [2000]")
    count = max(10, parser.parse_args().count)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "shots"
        folder.mkdir()
        truth = draw(folder, count)
        one, outcomes, (early, late) = batch(folder, 1)
        two, _, _ = batch(folder, 2)
        rates = {
            "decode + encode, OpenCV": bare(folder, as_opencv),
            "decode + encode, ours": bare(folder, as_here),
            "one worker": one,
            "two workers": two,
        }
    report(outcomes, truth)
    print(f"{'':24} pictures/s  busy ms  one worker is")
    for name, rate in rates.items():
        clock = one.pictures_per_second / rate.pictures_per_second
        ratios = f"{clock:.2f} by the clock, {rate.busy_ms / one.busy_ms:.2f} by processors' time"
        print(f"{name:24} {rate.pictures_per_second:10.1f} {rate.busy_ms:8.1f}  {ratios}")
    print(f"two workers are {two.pictures_per_second / one.pictures_per_second:.2f} times one")
    print(f"most memory a worker had: {early:.0f} MB after {count // 10}, {late:.0f} MB after {count}")


if __name__ == "__main__":
    main()
