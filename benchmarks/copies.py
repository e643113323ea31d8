"""Boards of copies of the game: puzzles drawn as people program them, and read.

    python benchmarks/copies.py [COUNT [SEED]] [-v]

Draws the boards of ``tests/tools/copies.py``. Counts the boards read, refused and misread, in all and by
every trait; names every misreading, or all with ``-v``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import astuple, fields

import cv2

from data import options
from tests.tools.copies import Traits, case, outcome_of


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("count", nargs="?", type=int, default=200)
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("-v", action="store_true", dest="verbose")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    total: Counter[str] = Counter()
    by: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for number in range(chosen.seed, chosen.seed + chosen.count):
        text, traits, bgr = case(number)
        verdict = outcome_of(text, bgr)
        total[verdict] += 1
        for field, value in zip(fields(Traits), astuple(traits), strict=True):
            by[field.name][str(value)][verdict] += 1
        if chosen.verbose or verdict == "misread":
            print(verdict, number, traits, flush=True)
    for name, values in by.items():
        shares = (f"{value} {found['right']}/{found.total()}" for value, found in sorted(values.items()))
        print(f"{name}: {', '.join(shares)}")
    refused = chosen.count - total["right"] - total["misread"]
    print(dict(total.most_common()))
    print(f"right {total['right'] / chosen.count:.1%}, refused {refused}, misread {total['misread']}")


if __name__ == "__main__":
    main()
