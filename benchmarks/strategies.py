"""Cost of each strategy on a picture without a board, and its yield of boards.

    python benchmarks/strategies.py [FOLDER …] [--every N]

Solves every picture of the folders (as a rule those of the shared data) in this process, on one thread of
OpenCV, and times the attempts of every row of ``reading/strategies.py``: the CPU in ms that a picture spends
there which is refused, channel by channel, and after the stroke the boards whose accepted reading came from
that row. What was seen of a region is remembered, so whoever asks first pays; "all else" is finding regions,
cutting boards out of fits, their dots, their pairs, and the solver. The sums belong beside the rows.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import Any

import cv2
from msgspec.structs import replace

from data import shared_folder
from flowvision import FlowvisionError, Options, solve_image
from flowvision.log import Step, find_ancestor
from flowvision.reading import search, strategies
from flowvision.vision.assembly import Interpretation
from flowvision.vision.board import BoardRegion
from flowvision.vision.pixels.view import CHANNELS

TABLES = ("FITS", "WITHOUT_LINES", "DOTS")
FOLDERS = ("screenshots/images", "attacks/misreads")
Place = tuple[str, str]
"""A row, and the channel of the region."""


class Clock:
    """CPU in seconds that every row spends in each channel."""

    def __init__(self) -> None:
        self.spent: dict[Place, float] = defaultdict(float)

    def timed(self, row: Any) -> Any:
        """The row with an attempt that is timed: its own work, and that of whatever it yields."""

        def attempt(what: Any, *more: Any) -> Any:
            place = row.name, _channel(what)
            found = self._measured(place, lambda: row.attempt(what, *more))
            return self._each(place, found) if isinstance(found, Iterator) else found

        return replace(row, attempt=attempt)

    def _measured(self, place: Place, work: Callable[[], Any]) -> Any:
        start = process_time()
        try:
            return work()
        finally:
            self.spent[place] += process_time() - start

    def _each(self, place: Place, found: Iterator[Any]) -> Iterator[Any]:
        end = object()
        while (one := self._measured(place, lambda: next(found, end))) is not end:
            yield one


def _channel(what: Any) -> str:
    """In which channel the region was found that an attempt is about; circles have none."""
    region = getattr(what, "region", None) or find_ancestor(getattr(what, "geometry", None), BoardRegion)
    return region.view.channel if region else CHANNELS[0]


def rows_of(read: Interpretation) -> list[Place]:
    """Rows that led to a reading."""
    assert read.geometry is not None
    assert read.dots is not None
    names = [read.geometry.fit.strategy, read.dots.hypothesis.strategy]
    if read.crossings is not None:
        names.append("crossings")
    if read.ignored_walls:
        names.append("walls")
    return [(name, read.geometry.fit.region.view.channel) for name in names]


def measure(files: list[Path]) -> tuple[list[float], dict[Place, float], Counter[Place]]:
    """CPU of every refusal; the mean of each row and channel in them; boards by row and channel."""
    clock, boards, totals = Clock(), Counter[Place](), list[float]()
    costs: dict[Place, float] = defaultdict(float)
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
                for place, seconds in clock.spent.items():
                    costs[place] += seconds
            continue
        read = steps[-1].find(Interpretation)
        assert read is not None
        boards.update(rows_of(read))
    return totals, {place: spent / max(1, len(totals)) for place, spent in costs.items()}, boards


def report(totals: list[float], costs: dict[Place, float], boards: Counter[Place]) -> None:
    """Print the table: ms of a refusal / boards, by row and channel."""
    ordered = sorted(totals)
    print(
        f"{len(totals)} refusals, CPU: median {median(totals):.2f}, nine of ten "
        f"{ordered[int(0.9 * len(ordered))]:.2f}, worst {ordered[-1]:.2f}, mean {mean(totals):.2f} s"
    )
    known = [row.name for table in TABLES for row in getattr(strategies, table)]
    print(f"{'ms of a refusal / boards':24}" + "".join(f"{name:>14}" for name in (*CHANNELS, "sum")))
    for name in dict.fromkeys([*known, *(name for name, _ in boards)]):
        of = [(1000 * costs.get((name, channel), 0.0), boards[name, channel]) for channel in CHANNELS]
        of.append((sum(ms for ms, _ in of), sum(count for _, count in of)))
        print(f"{name:24}" + "".join(f"{ms:8.1f} /{count:4}" for ms, count in of))
    print(f"{'all else':24}{1000 * (mean(totals) - sum(costs.values())):8.1f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
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
