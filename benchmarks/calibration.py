"""Calibration: the weights of what lies beyond a board, and the share of answers that is right.

    python benchmarks/calibration.py [COUNT] [--first 0] [--damages 300]

Reads COUNT boards with each damage of ``outer_rows.py``, and other damaged pictures (``damages.py``, one and
two; ``damage_parts.py``), drawn ones and real ones where these are at hand. Those with even numbers fit the
log-odds of ``reading/doubts.py``, that a reading with one solution is a part of its board; all others check
them. Then the answers by their confidence; right is one that solves the true board.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
from sklearn.linear_model import LogisticRegression

import outer_rows
from damage import keeps_place
from damage_parts import PARTS
from damages import DAMAGES
from flowvision import Answer, solve_image
from flowvision.errors import FlowvisionError
from flowvision.image.picture import Bgr, Screenshot
from flowvision.log import Step
from flowvision.reading.beyond import Evidence, evidence_of, lattice_of
from flowvision.reading.run import Candidate
from flowvision.solvers import Solved, has_one_strict_solution
from flowvision.vision.assembly import Interpretation
from scenes import Change, Random, Scene, drawn_scene, is_right_answer, real_boards, real_scene

EDGES = (0.0, 0.6, 0.8, 0.95, 0.99, 1.001)
PRIOR = 0.1
"""Strength of the prior that weights are small, so that a sign without a counter-example has a finite one."""


def twice(scene: Scene, random: Random) -> Bgr:
    """Two damages; the first leaves the board where it is."""
    keeping = [one for one in DAMAGES if keeps_place(one)]
    first, last = keeping[random.integers(len(keeping))], DAMAGES[random.integers(len(DAMAGES))]
    bgr = np.ascontiguousarray(first.apply(scene, random))
    return last.apply(replace(scene, bgr=bgr), random)


CLASSES: dict[str, Change] = {
    "as it is": lambda scene, _: scene.bgr,
    "one damage": lambda scene, random: DAMAGES[random.integers(len(DAMAGES))].apply(scene, random),
    "two damages": twice,
    "a part": lambda scene, random: PARTS[random.integers(len(PARTS))](scene, random),
}
"""What is done to a picture, by the name of its table."""


def pictures(given: argparse.Namespace) -> Iterator[tuple[str, int, Scene]]:
    """Yield the class, the number and the damaged scene of every picture."""
    for number in range(given.first, given.first + given.count):
        for damage in outer_rows.DAMAGES.values():
            yield "outer row", number, outer_rows.scene_of(number, damage)
    count = len(real_boards())
    for number in range(given.first, given.first + given.damages):
        scene = real_scene(number // 2 % count) if number % 2 and count else drawn_scene(number // 2 % 60)
        name = list(CLASSES)[number // 2 % len(CLASSES)]
        bgr = CLASSES[name](scene, np.random.default_rng((1, number)))
        yield name, number // 8, replace(scene, bgr=np.ascontiguousarray(bgr))


def settled(scene: Scene) -> tuple[Answer | None, list[tuple[Evidence, bool]]]:
    """The answer to a scene; and of each reading with one solution its evidence, and whether it is a part."""
    shot, seen = Screenshot(scene.bgr), list[tuple[Evidence, bool]]()

    def watch(step: Step) -> None:
        if isinstance(step.source, Interpretation) and isinstance(step.result, Solved):
            on = lattice_of(step.source, shot)
            if on is not None and has_one_strict_solution(step.result):
                is_right = is_right_answer(Candidate(step.source, step.result), scene.truth)
                is_part = not is_right and len(on.cells) < len(scene.truth.board.layout.cells)
                if is_right or is_part:
                    seen.append((evidence_of(step.source, on), is_part))

    with suppress(FlowvisionError):
        return solve_image(shot, observer=watch), seen[:1]
    return None, seen[:1]


def fitted(evidence: np.ndarray, is_part: np.ndarray) -> np.ndarray:
    """Log-odds, the constant first."""
    scale = evidence.std(axis=0) + 1e-9
    model = LogisticRegression(C=1 / PRIOR, max_iter=5000).fit(evidence / scale, is_part)
    return np.append(model.intercept_, model.coef_[0] / scale)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=20, help="boards a damage of an outer row [20]")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one [0]")
    parser.add_argument("--damages", type=int, default=300, help="other damaged pictures [300]")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    rows: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    seen: tuple[list[tuple[Evidence, bool]], ...] = ([], [])
    for name, number, scene in pictures(given):
        answer, evidence = settled(scene)
        seen[number % 2].extend(evidence)
        if answer is not None:
            rows[name].append((answer.confidence, is_right_answer(answer, scene.truth)))
    (signs, parts), (others, others_are) = (
        (np.array([one for one, _ in half]), np.array([part for _, part in half])) for half in seen
    )
    weights = fitted(signs, parts)
    print(", ".join(("constant", *Evidence._fields)) + ":", *np.round(weights, 2))
    likely = weights[0] + others @ weights[1:] >= 0
    print(f"of {others_are.sum()} other parts {(likely & others_are).sum()} are told,", end=" ")
    print(f"of {(~others_are).sum()} whole boards {(likely & ~others_are).sum()} refused")
    for name, answers in [*rows.items(), ("all", [one for made in rows.values() for one in made])]:
        print(f"\n| {name} | answers | right |\n|---|---|---|")
        for low, high in pairwise(EDGES):
            inside = [right for confidence, right in answers if low <= confidence < high]
            if inside:
                print(f"| {low:.2f} to {min(high, 1):.2f} | {len(inside)} | {np.mean(inside):.1%} |")


if __name__ == "__main__":
    main()
