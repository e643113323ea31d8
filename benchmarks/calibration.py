"""Calibration: the weights of what lies beyond a board, and the share of answers that is right.

    python benchmarks/calibration.py FILE [--seconds 150] [--first 0]

Reads pictures of known boards for so many seconds of the processor, from the number ``--first`` on, and adds
a line a picture to FILE: boards as they are, with one or two damages (``damages.py``), cut
(``damage_parts.py``), half played, of copies, and four in ten with a damaged outer row (``outer_rows.py``).
Every second board is real where such are at hand. ``--seconds 0`` takes what FILE holds. Boards with even
numbers fit the log-odds of ``reading/doubts.py``, that a reading with one solution is a part of its board;
the others check them. Then the answers by their confidence; right is one that solves the true board.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import count, pairwise
from pathlib import Path
from time import process_time
from typing import Any

import cv2
import numpy as np
from sklearn.linear_model import LogisticRegression

import outer_rows
import played
from damage import keeps_place
from damage_parts import PARTS
from damages import DAMAGES
from data import levels, options
from flowvision import solve_image
from flowvision.errors import FlowvisionError
from flowvision.image.picture import Bgr, Screenshot
from flowvision.log import Step
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.text import parse
from flowvision.reading.beyond import Evidence, evidence_of, lattice_of
from flowvision.reading.run import Candidate
from flowvision.solvers import Solved, has_one_strict_solution
from flowvision.vision.assembly import Interpretation
from scenes import Change, Random, Scene, drawn_scene, is_right_answer, real_boards, real_scene
from tests.tools import copies

EDGES = (0.0, 0.6, 0.8, 0.95, 0.99, 1.001)
PRIOR = 0.1
"""Strength of the prior that weights are small, so that a sign without a counter-example has a finite one."""
ROWS = 4
"""Damaged outer rows a number."""
Shown = tuple[str, Bgr, NamedPuzzle]
"""A picture: its class, its pixels and its true board."""


def twice(scene: Scene, random: Random) -> Bgr:
    """Two damages; the first leaves the board where it is."""
    first = _keeping_place()[random.integers(len(_keeping_place()))]
    last = DAMAGES[random.integers(len(DAMAGES))]
    return last.apply(replace(scene, bgr=np.ascontiguousarray(first.apply(scene, random))), random)


@cache
def _keeping_place() -> list[Any]:
    return [one for one in DAMAGES if keeps_place(one)]


CHANGES: dict[str, Change] = {
    "as it is": lambda scene, _: scene.bgr,
    "one damage": lambda scene, random: DAMAGES[random.integers(len(DAMAGES))].apply(scene, random),
    "two damages": twice,
    "a part": lambda scene, random: PARTS[random.integers(len(PARTS))](scene, random),
}
"""What is done to a picture, by the name of its class."""


def pictures(number: int) -> Iterator[Shown]:
    """Yield the pictures of a number."""
    for turn in range(ROWS):
        name = list(outer_rows.DAMAGES)[(ROWS * number + turn) % len(outer_rows.DAMAGES)]
        scene = outer_rows.scene_of(number, outer_rows.DAMAGES[name])
        yield f"outer row {name}", scene.bgr, scene.truth
    known = len(real_boards())
    scene = real_scene(number // 2 % known) if number % 2 and known else drawn_scene(number)
    for name, change in CHANGES.items():
        yield name, change(scene, np.random.default_rng((1, number))), scene.truth
    text, _, bgr = copies.case(number)
    yield "copy", bgr, parse(text)
    if known and (half_played := played.case(_records(), number)):
        yield "half played", half_played[2], half_played[0]


@cache
def _records() -> list[NamedPuzzle]:
    return levels("official_square")


def looked_at(bgr: Bgr, truth: NamedPuzzle) -> dict[str, object]:
    """Return what is said of a picture, and the evidence of the first reading with one solution."""
    shot, seen = Screenshot(np.ascontiguousarray(bgr)), dict[str, object]()

    def watch(step: Step) -> None:
        if "evidence" in seen or not isinstance(step.source, Interpretation):
            return
        if isinstance(step.result, Solved) and has_one_strict_solution(step.result):
            grid = lattice_of(step.source, shot)
            is_right = is_right_answer(Candidate(step.source, step.result), truth)
            is_part = grid is not None and len(grid.cells) < len(truth.board.layout.cells)
            if grid is not None and (is_right or is_part):
                seen.update(evidence=evidence_of(step.source, grid), is_part=not is_right)

    with suppress(FlowvisionError):
        answer = solve_image(shot, observer=watch)
        doubts = [doubt.code for doubt in answer.doubts]
        seen.update(confidence=answer.confidence, is_right=is_right_answer(answer, truth), doubts=doubts)
    return seen


def fitted(evidence: np.ndarray, is_part: np.ndarray) -> np.ndarray:
    """Return log-odds, the constant first."""
    scale = evidence.std(axis=0) + 1e-9
    model = LogisticRegression(C=1 / PRIOR, max_iter=5000).fit(evidence / scale, is_part)
    return np.append(model.intercept_, model.coef_[0] / scale)


def report_weights(lines: list[dict[str, Any]]) -> None:
    """Print the log-odds that even numbers fit, and what they say of odd ones."""
    known = [line for line in lines if "evidence" in line]
    signs, is_part, is_even = (
        np.array([take(line) for line in known])
        for take in (lambda x: x["evidence"], lambda x: x["is_part"], lambda x: x["number"] % 2 == 0)
    )
    weights = fitted(signs[is_even], is_part[is_even])
    print(", ".join(("constant", *Evidence._fields)) + ":", *np.round(weights, 2))
    chances = 1 / (1 + np.exp(-(weights[0] + signs[~is_even] @ weights[1:])))
    others = is_part[~is_even]
    for least in (0.02, 0.05, 0.15, 0.5):
        told = chances >= least
        print(f"from {least}: {(told & others).sum()} of {others.sum()} other parts,", end=" ")
        print(f"{(told & ~others).sum()} of {(~others).sum()} whole boards")


def report_answers(lines: list[dict[str, Any]]) -> None:
    """Print how many of the answers in each range of confidence are right."""
    print("\n| confidence | answers | right |\n|---|---|---|")
    for low, high in pairwise(EDGES):
        inside = [line["is_right"] for line in lines if low <= line.get("confidence", -1) < high]
        if inside:
            print(f"| {low:.2f} to {min(high, 1):.2f} | {len(inside)} | {sum(inside)} |")


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("file", type=Path, help="what was measured, a JSON object a line")
    parser.add_argument(
        "--seconds", type=float, default=150, help="of the processor, for more pictures [150]"
    )
    parser.add_argument("--first", type=int, default=0, help="the number of the first ones [0]")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    end = process_time() + given.seconds
    with given.file.open("a") as file:
        for number in count(given.first):
            for name, bgr, truth in pictures(number) if process_time() < end else ():
                line = {"class": name, "number": number, **looked_at(bgr, truth)}
                print(json.dumps(line), file=file, flush=True)
            if process_time() >= end:
                break
    lines = [json.loads(line) for line in given.file.read_text().splitlines()]
    report_weights(lines)
    report_answers(lines)


if __name__ == "__main__":
    main()
