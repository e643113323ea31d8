"""Calibration of confidence: readings by their confidence, and the share that is right.

    FLOWVISION_DATA=folder python benchmarks/calibration.py [EVERY] [--scenes 300] [--jobs 2]

Published levels of all kinds drawn as screenshots and then damaged as badly as it gets (a third of the size,
JPEG quality 8, blur, noise, dimmed to a quarter). Counts every reading that vision offered, before and after
the solver was asked. The levels are other people's and never part of this project.

Then, by class, the answers to boards drawn by the project and real ones: as they are, with one and with two
of the damages of ``damages.py``, and changed by ``damage_parts.py``, where a part may look like the whole.
Right is an answer that solves the true board; a wrong one may be of another board in the same picture.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from itertools import chain, pairwise
from random import Random

import cv2
import numpy as np
from msgspec.structs import replace

from damage import keeps_place
from damage_parts import CHANGES
from damages import DAMAGES
from flowvision import solve_image
from flowvision.errors import FlowvisionError
from flowvision.image.picture import Bgr, Frame, Screenshot
from flowvision.log import Step
from flowvision.vision.assembly import Interpretation, Reading
from round_trip import Case, cases, drawn, same
from scenes import Scene, drawn_scene, is_right_answer, real_boards, real_scene

EDGES = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.001)
PARTS = [change for changes in CHANGES.values() for change in changes.values()]
Scored = list[tuple[str, float, bool]]


def damaged(bgr: Bgr, random: Random) -> tuple[Bgr, float]:
    """A picture after several kinds of damage at once, and its scale."""
    scale = random.choice((1.0, 0.6, 0.4, 0.33))
    bgr = np.asarray(cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    if random.random() < 0.4:
        bgr = np.asarray(cv2.GaussianBlur(bgr, (0, 0), random.uniform(0.5, 2.0)), np.uint8)
    noise = np.random.default_rng(random.randrange(9999)).normal(0, random.choice((0, 0, 8, 16)), bgr.shape)
    bgr = np.clip(bgr * random.choice((1.0, 1.0, 0.5, 0.25)) + noise, 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, random.choice((8, 15, 30, 80))])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8), scale


def scored(case: Case) -> Scored:
    """Every reading offered for one damaged picture: by whom, how sure, whether right."""
    cv2.setNumThreads(1)
    shot = drawn(case)
    bgr, scale = damaged(shot.screenshot.bgr, Random(case.seed))
    moved = np.diag([scale, scale, 1.0]) @ np.reshape(shot.frame.matrix, (3, 3))
    truth = replace(shot, frame=Frame(tuple(float(n) for n in moved.ravel())))
    offered: dict[int, Reading] = {}

    def watch(step: Step) -> None:
        interpretation = step.find(Interpretation)
        if interpretation is not None:
            offered[id(interpretation.reading)] = interpretation.reading

    final: Scored = []
    with suppress(FlowvisionError):
        checked = solve_image(Screenshot(bgr), observer=watch)
        final.append(("answer", checked.confidence, same(case.record, truth, checked.reading)))
    first = next(iter(offered.values()), None)
    return final + ([("reader", first.confidence, same(case.record, truth, first))] if first else [])


def twice(scene: Scene, random: np.random.Generator) -> Bgr:
    """Two damages; the first leaves the board where it is."""
    keeping = [one for one in DAMAGES if keeps_place(one)]
    first, last = keeping[random.integers(len(keeping))], DAMAGES[random.integers(len(DAMAGES))]
    bgr = np.ascontiguousarray(first.apply(scene, random))
    return last.apply(replace(scene, bgr=bgr), random)


CLASSES: dict[str, Callable[[Scene, np.random.Generator], Bgr]] = {
    "as it is": lambda scene, _: scene.bgr,
    "one damage": lambda scene, random: DAMAGES[random.integers(len(DAMAGES))].apply(scene, random),
    "two damages": twice,
    "a part": lambda scene, random: PARTS[random.integers(len(PARTS))](scene, random),
}
"""What is done to a picture, by the name of its table."""


def scored_by_class(number: int) -> Scored:
    """The answers to one scene with something of each class done to it: how sure, whether right."""
    cv2.setNumThreads(1)
    count, made = len(real_boards()), []
    scene = real_scene(number // 2 % count) if number % 2 and count else drawn_scene(number // 2 % 60)
    for place, (name, change) in enumerate(CLASSES.items()):
        bgr = np.ascontiguousarray(change(scene, np.random.default_rng((place, number))))
        with suppress(FlowvisionError):
            checked = solve_image(Screenshot(bgr))
            made.append((name, checked.confidence, is_right_answer(checked, scene.truth)))
    return made


def main() -> None:
    """Score, then print a table per judge and per class."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("every", nargs="?", type=int, default=15, help="every EVERY-th level [15]")
    parser.add_argument("--scenes", type=int, default=300, help="scenes of which each class has one [300]")
    parser.add_argument("--jobs", type=int, default=2, help="processes [2]")
    given = parser.parse_args()
    rows: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    with ProcessPoolExecutor(given.jobs) as pool:
        of_levels = pool.map(scored, list(cases(given.every)), chunksize=8)
        of_scenes = pool.map(scored_by_class, range(given.scenes), chunksize=4)
        for result in chain(of_levels, of_scenes):
            for judge, confidence, right in result:
                rows[judge].append((confidence, right))
    for judge, all_of_it in rows.items():
        print(f"\n| {judge} | readings | right |\n|---|---|---|")
        for low, high in pairwise(EDGES):
            inside = [right for confidence, right in all_of_it if low <= confidence < high]
            if inside:
                print(f"| {low:.2f} to {min(high, 1):.2f} | {len(inside)} | {np.mean(inside):.1%} |")


if __name__ == "__main__":
    main()
