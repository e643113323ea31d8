"""Time of a screenshot, as ratios to bare decoding and encoding by OpenCV in the same run.

    python benchmarks/speed.py [SHOT...]

Cold: ``flowvision SHOT``, the command as it is installed, against ``python -c`` that imports cv2, decodes the
picture and writes it as PNG; both compiled before, as installed packages are, and with one thread for
matrices. Warm: solving and encoding in one process against decoding and encoding alone. By the clock, and by
the time that processors were busy. Runs of both kinds take turns, so that what else the machine does weighs
on both.
"""

from __future__ import annotations

import compileall
import os
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

from data import ROOT, as_opencv, busy_seconds, options
from flowvision import solve_image
from flowvision.image.codec import encode

BARE = "import sys, cv2; cv2.imwrite(sys.argv[2], cv2.imread(sys.argv[1]))"
INSTALLED = str(Path(sysconfig.get_path("scripts")) / "flowvision")
COLD_ROUNDS, WARM_ROUNDS = 15, 15


Times = dict[str, list[float]]
"""Milliseconds of every round, by how they were measured."""


def taking_turns(works: Sequence[Callable[[], object]], rounds: int) -> list[Times]:
    """The times of every round of every piece of work, in turn; a first round is not counted."""
    times: list[Times] = [{"clock": [], "processors": []} for _ in works]
    for number in range(rounds + 1):
        for work, taken in zip(works, times, strict=True):
            start, busy = perf_counter(), busy_seconds()
            work()
            if number:
                taken["clock"].append(1000 * (perf_counter() - start))
                taken["processors"].append(1000 * (busy_seconds() - busy))
    return times


def command(*words: str) -> Callable[[], object]:
    alone = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    return lambda: subprocess.run(words, check=True, capture_output=True, env=alone)


def report(kind: str, shot: Path, ours: Times, bare: Times) -> dict[str, float]:
    """Print a line for each way to measure; the ratios of the medians."""
    ratios = {}
    for way in ours:
        mine, theirs = statistics.median(ours[way]), statistics.median(bare[way])
        ratios[way] = mine / theirs
        print(
            f"{kind:5}{way:11}{mine:8.1f} ms {theirs:8.1f} ms {mine / theirs:7.2f}   {shot.name}", flush=True
        )
    return ratios


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("shots", nargs="*", type=Path, metavar="SHOT", help="[the rectangular samples]")
    shots = parser.parse_args().shots or sorted((ROOT / "samples").glob("[01][0-9].png"))
    shots = [shot for shot in shots if not shot.stem.endswith(".solved")]
    if not shots:
        sys.exit("Nothing to measure: name some screenshots.")
    compileall.compile_dir(ROOT / "src", quiet=1)
    print("                flowvision        bare   ratio")
    found: dict[str, list[dict[str, float]]] = {"cold": [], "warm": []}
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out.png"
        for shot in shots:
            data = shot.read_bytes()
            ours, bare = taking_turns(
                [
                    command(INSTALLED, shutil.copy(shot, folder)),
                    command(sys.executable, "-c", BARE, str(shot), out),
                ],
                COLD_ROUNDS,
            )
            found["cold"].append(report("cold", shot, ours, bare))
            ours, bare = taking_turns(
                [lambda d=data: encode(solve_image(d).picture), lambda d=data: as_opencv(d)],  # type: ignore[misc]
                WARM_ROUNDS,
            )
            found["warm"].append(report("warm", shot, ours, bare))
    for kind, rows in found.items():
        for way in rows[0]:
            ratios = [row[way] for row in rows]
            print(f"{kind}, by {way}: median ratio {statistics.median(ratios):.2f}, worst {max(ratios):.2f}")


if __name__ == "__main__":
    main()
