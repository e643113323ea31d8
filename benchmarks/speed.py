"""How long a screenshot takes, as ratios to bare decode and encode by OpenCV in the same run.

    python benchmarks/speed.py [SHOT...]     default: the rectangular samples

Cold: ``flowvision SHOT`` against ``python -c`` that imports cv2, decodes the picture and writes it as PNG.
Warm: solving and encoding in one process against decoding and encoding alone.
Runs of both kinds take turns, so that what else the machine does weighs on both.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

from data import ROOT, as_opencv
from flowvision import solve_image
from flowvision.image.codec import encode

BARE = "import sys, cv2; cv2.imwrite(sys.argv[2], cv2.imread(sys.argv[1]))"
COLD_ROUNDS, WARM_ROUNDS = 15, 15


def taking_turns(works: Sequence[Callable[[], object]], rounds: int) -> list[list[float]]:
    """Milliseconds of every round of every piece of work, in turn; a first round is not counted."""
    times: list[list[float]] = [[] for _ in works]
    for number in range(rounds + 1):
        for work, taken in zip(works, times, strict=True):
            start = perf_counter()
            work()
            if number:
                taken.append(1000 * (perf_counter() - start))
    return times


def command(*arguments: str) -> Callable[[], object]:
    """A run of this Python with these arguments."""
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def report(kind: str, shot: Path, ours: list[float], bare: list[float]) -> float:
    """Print one line; the ratio of the medians."""
    mine, theirs = statistics.median(ours), statistics.median(bare)
    print(f"{kind:5} {mine:8.1f} ms {theirs:8.1f} ms {mine / theirs:7.2f}   {shot.name}", flush=True)
    return mine / theirs


def main() -> None:
    """Measure every picture, cold and warm."""
    shots = [Path(name) for name in sys.argv[1:]] or sorted((ROOT / "samples").glob("[01][0-9].png"))
    shots = [shot for shot in shots if not shot.stem.endswith(".solved")]
    if not shots:
        sys.exit("Nothing to measure: name some screenshots, or make samples with `flowvision sample`.")
    print("        flowvision        bare   ratio")
    cold, warm = [], []
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out.png"
        for shot in shots:
            data = shot.read_bytes()
            ours, bare = taking_turns(
                [
                    command("-m", "flowvision", str(shot), "--force", "-o", out),
                    command("-c", BARE, str(shot), out),
                ],
                COLD_ROUNDS,
            )
            cold.append(report("cold", shot, ours, bare))
            ours, bare = taking_turns(
                [lambda d=data: encode(solve_image(d).picture), lambda d=data: as_opencv(d)],  # type: ignore[misc]
                WARM_ROUNDS,
            )
            warm.append(report("warm", shot, ours, bare))
    for kind, ratios in (("cold", cold), ("warm", warm)):
        print(f"{kind}: median ratio {statistics.median(ratios):.2f}, worst {max(ratios):.2f}")


if __name__ == "__main__":
    main()
