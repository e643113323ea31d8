"""Published levels of every kind, drawn as screenshots in three themes and read back.

    FLOWVISION_DATA=folder python benchmarks/round_trip.py [--every 10] [--keep FOLDER]

The levels are other people's and never part of this project. Each is drawn with any phone, pack colour, size,
compression, letters and state of play; a miss is printed with its seed, and its picture kept where asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from msgspec.structs import replace

from data import keep_picture, levels, options
from flowvision import solve_image
from flowvision.errors import FlowvisionError
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.solvers import Solved, solve
from flowvision.vision.assembly import Reading
from tests.tools.synthetic import THEMES, SyntheticShot, draw_screenshot, random_style

KINDS = ("square", "rect", "shaped", "bridge", "hex", "warp")
LOOKS = ("current", "old", "wide")


@dataclass(frozen=True)
class Case:
    """One level in one theme."""

    kind: str
    record: NamedPuzzle
    look: str
    seed: int


def cases(every: int) -> Iterator[Case]:
    """Every ``every``-th level of each kind in each theme that has enough colours."""
    for kind in KINDS:
        for number, record in enumerate(levels(f"official_{kind}")):
            for look in LOOKS if number % every == 0 else ():
                if len(record.puzzle.terminals) <= len(THEMES[look].palette):
                    yield Case(kind, record, look, 3 * number + LOOKS.index(look))


def drawn(case: Case) -> SyntheticShot:
    """The level as a screenshot."""
    style = replace(random_style(case.seed), theme=THEMES[case.look])
    outcome = solve(case.record.puzzle, seconds=10)
    assert isinstance(outcome, Solved)
    return draw_screenshot(case.record.board, case.record.puzzle, style, case.seed, outcome.solution)


def verdict(case: Case) -> tuple[str, str]:
    """``exact``, ``refused`` or ``misread``, and why."""
    cv2.setNumThreads(1)
    shot = drawn(case)
    try:
        checked = solve_image(shot.screenshot)
    except FlowvisionError as error:
        return "refused", f"{error.code} at {error.stage}: {error.message}"
    if same(case.record, shot, checked.reading):
        return "exact", ""
    return ("misread" if not checked.warnings else "doubted"), " ".join(checked.warnings)


def same(record: NamedPuzzle, shot: SyntheticShot, reading: Reading) -> bool:
    """Return whether the cells are where they were drawn, with the same neighbours, strands and pairs."""
    true = shot.frame.to_px(record.board.layout.centres)
    seen = reading.frame.to_px(reading.board.layout.centres)
    if len(true) != len(seen):
        return False
    away = np.linalg.norm(true[:, None] - seen[None], axis=2)
    nearest = away.argmin(axis=0)
    pitch = shot.frame.pitch_px(record.board.layout.cells[0].centre)
    if len(set(nearest.tolist())) != len(true) or away.min(axis=0).max() > 0.35 * pitch:
        return False
    number = dict(enumerate(nearest.tolist()))

    def joined(board: object, names: dict[int, int]) -> Counter[frozenset[int]]:
        cell_of = board.layout.cell_of  # type: ignore[attr-defined]
        return Counter(
            frozenset((names[cell_of[a]], names[cell_of[b]]))
            for a, b in board.graph.edges  # type: ignore[attr-defined]
        )

    own = {n: n for n in range(len(true))}
    pairs = {frozenset(number[reading.board.layout.cell_of[s]] for s in p) for p in reading.puzzle.terminals}
    return (
        reading.board.graph.size == record.board.graph.size
        and joined(reading.board, number) == joined(record.board, own)
        and pairs == {frozenset(pair) for pair in record.puzzle.terminals}
    )


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--every", type=int, default=10, help="only every N-th level [10]")
    parser.add_argument("--kind", choices=KINDS, help="only this kind")
    parser.add_argument("--keep", type=Path, help="write the pictures of misses there")
    given = parser.parse_args()
    todo = [case for case in cases(given.every) if given.kind in (None, case.kind)]
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    with ProcessPoolExecutor(2) as pool:
        for case, (what, why) in zip(todo, pool.map(verdict, todo, chunksize=8), strict=True):
            counts[case.kind][what] += 1
            if what != "exact":
                print(
                    f"{what}: {case.kind} {case.record.name} {case.look} seed {case.seed}: {why}", flush=True
                )
                if given.keep:
                    name = f"{case.kind}-{case.record.name}-{case.look}"
                    keep_picture(given.keep, name, drawn(case).screenshot.bgr)
    for kind, count in counts.items():
        if count:
            print(f"{kind:8} {count['exact']:5} of {count.total():5} exact  {dict(count)}")
    every = sum(counts.values(), Counter())
    print(f"all      {every['exact']:5} of {every.total():5} exact = {every['exact'] / every.total():.2%}")


if __name__ == "__main__":
    main()
