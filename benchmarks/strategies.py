"""Cost of each strategy on a picture without a board, and its yield of boards.

    python benchmarks/strategies.py [FOLDER …] [--every N]

Solves every picture of the folders (as a rule those of the shared data) in this process, on one thread of
OpenCV, and times the attempts of every row of ``reading/strategies.py``: the CPU in ms that a refused picture
spends there, and the boards whose accepted reading came from that row. Regions have caches, so the first
attempt pays; "all else" is finding regions, cutting boards out of fits, their dots, their pairs, and the
solver.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

import cv2
import numpy as np
from msgspec.structs import replace

from data import options, shared_folder
from flowvision import FlowvisionError, Options, solve_image
from flowvision.log import Step
from flowvision.reading import search, strategies
from flowvision.vision.assembly import Interpretation

TABLES = ("FITS", "WITHOUT_LINES", "DOT_MODELS")
FOLDERS = ("screenshots/images", "attacks/misreads")


class Clock:
    """CPU in seconds that every row spends."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)

    def timed(self, row: Any) -> Any:
        """Return the row with a timed attempt, with the work of all that it yields."""

        def attempt(*what: Any) -> Any:
            found = self._measured(row.name, lambda: row.attempt(*what))
            return self._each(row.name, found) if isinstance(found, Iterator) else found

        return replace(row, attempt=attempt)

    def _measured(self, name: str, work: Callable[[], Any]) -> Any:
        start = process_time()
        try:
            return work()
        finally:
            self.spent[name] += process_time() - start

    def _each(self, name: str, found: Iterator[Any]) -> Iterator[Any]:
        end = object()
        while (one := self._measured(name, lambda: next(found, end))) is not end:
            yield one


def rows_of(read: Interpretation) -> list[str]:
    """Return the rows that led to a reading."""
    assert read.geometry is not None
    assert read.dots is not None
    names = [read.geometry.fit.strategy, read.dots.hypothesis.strategy]
    return names + ["crossings"] * (read.crossings is not None) + ["walls"] * bool(read.ignored_walls)


def measure(files: list[Path]) -> tuple[list[float], Counter[str], Counter[str]]:
    """Return the CPU of every refusal, the CPU of each row in them, and the boards by row."""
    clock, boards, costs, totals = Clock(), Counter[str](), Counter[str](), list[float]()
    for table in TABLES:
        setattr(search, table, tuple(clock.timed(row) for row in getattr(strategies, table)))
    for file in files:
        clock.spent.clear()
        steps, start = list[Step](), process_time()
        try:
            solve_image(file, Options(seconds=300), steps.append)
        except FlowvisionError as error:
            if error.stage != "decode":
                totals.append(process_time() - start)
                costs.update(clock.spent)
            continue
        read = steps[-1].find(Interpretation)
        assert read is not None
        boards.update(rows_of(read))
    return totals, costs, boards


def report(totals: list[float], costs: Counter[str], boards: Counter[str]) -> None:
    """Print the table: ms of a refusal, and boards, by row."""
    count = max(1, len(totals))
    low, high, most = np.percentile(totals or [0.0], (50, 90, 100))
    print(f"{len(totals)} refusals, CPU: median {low:.2f}, nine of ten {high:.2f}, worst {most:.2f} s")
    known = [row.name for table in TABLES for row in getattr(strategies, table)]
    print(f"{'':24}{'ms of a refusal':>16}{'boards':>8}")
    for name in dict.fromkeys([*known, *boards]):
        print(f"{name:24}{1000 * costs[name] / count:16.1f}{boards[name]:8}")
    print(f"{'all else':24}{1000 * (sum(totals) - costs.total()) / count:16.1f}")


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("folders", nargs="*", type=Path, help="of pictures [those of the shared data]")
    parser.add_argument("--every", type=int, default=1, help="only every N-th picture [1]")
    given = parser.parse_args()
    shared = shared_folder()
    if not given.folders and shared is None:
        raise SystemExit("No pictures: name a folder, or set FLOWVISION_DATA.")
    folders = given.folders or [shared / name for name in FOLDERS if shared]
    files = [file for folder in folders for file in sorted(folder.iterdir()) if file.is_file()]
    cv2.setNumThreads(1)
    report(*measure(files[:: given.every]))


if __name__ == "__main__":
    main()
