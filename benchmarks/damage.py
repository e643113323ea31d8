"""Damaged pictures of boards: read right, refused, or wrong, with a warning and without.

    python benchmarks/damage.py [STRIDE] [--count 40] [--only NAME]… [--keep FOLDER]
    python benchmarks/damage.py --pairs 5000 --triples 5000 [--first 0]

Every kind of damage is done to COUNT pictures, every STRIDE-th of which is read: boards drawn by the
project, and two of five real ones where these are at hand (FLOWVISION_DATA). The same each time, in one
process. An answer is right when its paths solve the true board, whatever was read; the board may still
differ, in its walls, say. A row a damage: the share of right answers; of these, boards that differ (with a
warning, in silence); refused; wrong answers (with a warning, in silence). The last column must stay 0. Where
only the look is damaged, 90 % should be answered.

``--pairs``, ``--triples``: so many pictures with two or three damages instead, each chosen by its number
alone; at most one of them, the last, changes where the board lies. ``--first``: the number of the first one.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from damages import DAMAGES, Damage
from data import keep_picture, options
from flowvision import solve_image
from flowvision.errors import FlowvisionError
from flowvision.image.picture import Screenshot
from scenes import Scene, drawn_scene, is_right_answer, is_same_board, real_boards, real_scene, scenes

Verdict = Counter[tuple[str, str]]
COLUMNS = ("right", "differs, said", "differs", "refused", "wrong, said", "wrong")


def verdict(scene: Scene, bgr: np.ndarray) -> tuple[str, str]:
    """One of ``COLUMNS``, and what was said."""
    try:
        checked = solve_image(Screenshot(bgr))
    except FlowvisionError as error:
        return "refused", error.code  # its message would take a diagnosis: as long as the picture
    warnings = " ".join(checked.warnings)
    if not is_right_answer(checked, scene.truth):
        return ("wrong, said" if warnings else "wrong"), f"{checked!r} {warnings}"
    if not is_same_board(checked, scene.truth):
        return ("differs, said" if warnings else "differs"), f"{checked!r} {warnings}"
    return "right", warnings


def measured(damage: Damage, count: int, stride: int, keep: Path | None) -> Counter[str]:
    """Count the outcomes of the pictures with one damage; wrong ones are named, and kept on request."""
    found: Counter[str] = Counter()
    seed = zlib.crc32(damage.name.encode())
    for number, scene in scenes(count, seed, stride):
        bgr = np.ascontiguousarray(damage.apply(scene, np.random.default_rng((seed, number))))
        what, why = verdict(scene, bgr)
        found[what] += 1
        if what not in ("right", "refused"):
            print(f"  {what}: {damage.name} {number} ({scene.name}): {why}", flush=True)
        if what != "right":
            keep_picture(keep, f"{what}-{damage.name}-{number}", bgr)
    return found


@cache
def keeps_place(damage: Damage) -> bool:
    """Return whether a picture keeps its size, so that another damage still finds the board."""
    scene = drawn_scene(0)
    return damage.apply(scene, np.random.default_rng(0)).shape == scene.bgr.shape


def combined(number: int, parts: int) -> Counter[str]:
    """Count the outcome of the picture of that number, with several damages."""
    random = np.random.default_rng((parts, number))
    is_real = number % 5 in (1, 3) and bool(real_boards())
    scene = real_scene(number % len(real_boards())) if is_real else drawn_scene(number % 60)
    keeping = [one for one in DAMAGES if keeps_place(one)]
    last = DAMAGES[int(random.integers(len(DAMAGES)))]
    others = [one for one in keeping if one is not last]
    chosen = [others[n] for n in random.choice(len(others), parts - 1, replace=False)] + [last]
    for damage in chosen:
        scene = replace(scene, bgr=np.ascontiguousarray(damage.apply(scene, random)))
    what, why = verdict(scene, scene.bgr)
    if what not in ("right", "refused"):
        names = ", ".join(damage.name for damage in chosen)
        print(f"  {what}: {parts} damages, {number} ({scene.name}; {names}): {why}", flush=True)
    return Counter([what])


def row(name: str, loss: str, found: Counter[str]) -> str:
    answered = found["right"] + found["differs, said"] + found["differs"]
    cells = [
        name, loss, str(found.total()), f"{100 * answered / max(1, found.total()):.0f} %",
        *(str(found[column]) for column in COLUMNS[1:]),
    ]  # fmt: skip
    return f"{cells[0]:26} {cells[1]:5}" + "".join(f"{cell:>9}" for cell in cells[2:])


def total(rows: Iterable[tuple[Damage, Counter[str]]], loss: str | None) -> Counter[str]:
    """The sum of all damages, or of those with that loss."""
    return sum((found for damage, found in rows if loss in (None, damage.loss)), Counter[str]())


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("stride", nargs="?", type=int, default=1, help="read every STRIDE-th picture [1]")
    parser.add_argument("--count", type=int, default=40, help="pictures a damage [40]")
    parser.add_argument("--only", action="append", help="this damage alone (several times: these)")
    parser.add_argument("--keep", type=Path, help="write the pictures that were not read right there")
    parser.add_argument("--pairs", type=int, default=0, help="pictures with two damages [0]")
    parser.add_argument("--triples", type=int, default=0, help="pictures with three damages [0]")
    parser.add_argument("--first", type=int, default=0, help="the number of the first of these [0]")
    given = parser.parse_args()
    chosen = [damage for damage in DAMAGES if not given.only or damage.name in given.only]
    cv2.setNumThreads(1)
    for parts, many in ((2, given.pairs), (3, given.triples)):
        numbers = range(given.first, given.first + many)
        found = sum((combined(number, parts) for number in numbers), Counter[str]())
        print(row(f"{parts} damages", "", found)) if many else None
    if given.pairs or given.triples:
        return
    rows = [(one, measured(one, given.count, given.stride, given.keep)) for one in chosen]
    heads = ("damage", "loses", "pictures", "answered", *COLUMNS[1:])
    print("; ".join(heads))
    for damage, found in rows:
        print(row(damage.name, damage.loss, found))
    for loss in ("look", "some", "lost"):
        print(row(f"all that lose: {loss}", loss, total(rows, loss)))
    print(row("all", "", total(rows, None)))


if __name__ == "__main__":
    main()
