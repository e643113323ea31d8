"""Whether confidence means what it says: readings by their confidence, and how many of each are right.

    FLOWVISION_DATA=folder python benchmarks/calibration.py [EVERY]

Published levels of all kinds drawn as screenshots and then damaged as badly as it gets (a third of the size,
JPEG quality 8, blur, noise, dimmed to a quarter). Counts every reading that vision offered, before and after
the solver was asked. The levels are other people's and never part of this project.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from random import Random

import cv2
import numpy as np

from flowvision import FlowvisionError, Screenshot, read_image
from flowvision.events import Event
from flowvision.image.picture import Bgr, Frame
from flowvision.vision.reading import Reading
from round_trip import Case, cases, drawn, same

EDGES = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.001)
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

    def watch(event: Event) -> None:
        for result in event.trail:
            if isinstance(result, Reading):
                offered[id(result)] = result

    final: Scored = []
    with suppress(FlowvisionError):
        checked = read_image(Screenshot(bgr), observer=watch)
        final.append(("answer", checked.confidence, same(case.record, truth, checked.reading)))
    first = next(iter(offered.values()), None)
    return final + ([("reader", first.confidence, same(case.record, truth, first))] if first else [])


def main() -> None:
    """Score, then print a table per judge."""
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    rows: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    with ProcessPoolExecutor(2) as pool:
        for result in pool.map(scored, list(cases(every)), chunksize=8):
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
