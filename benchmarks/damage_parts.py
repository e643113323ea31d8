"""Changes after which a part of a board, or another board, looks like the whole one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import cv2
import numpy as np

import damage_content as content
import damage_signals as signal
from flowvision.image.picture import Bgr
from scenes import Change, Random, Scene

BORDERS = ("left", "right", "top", "bottom")
WIDTHS = (240, 480, 1080)
JPEG_60 = (cv2.IMWRITE_JPEG_QUALITY, 60)


def as_jpeg(bgr: Bgr) -> Bgr:
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", bgr, JPEG_60)[1], cv2.IMREAD_COLOR), np.uint8)


FINISHES: tuple[Callable[[Bgr], Bgr], ...] = (
    lambda bgr: bgr,
    as_jpeg,
    lambda bgr: np.asarray(cv2.GaussianBlur(bgr, (0, 0), 0.8), np.uint8),
)


def without_line(border: str, width: int, finish: Callable[[Bgr], Bgr]) -> Change:
    """The inner line next to a border erased, then the picture resized and finished."""

    def change(scene: Scene, random: Random) -> Bgr:
        bgr = content.without_line_beside(scene, border)
        factor = width / bgr.shape[1]
        how = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
        return finish(np.asarray(cv2.resize(bgr, None, fx=factor, fy=factor, interpolation=how)))

    return change


def cut(border: str, cells: float, change: Change | None = None) -> Change:
    """Cut off to so many cells inside a border, as it is or after another change."""

    def cut_off(scene: Scene, random: Random) -> Bgr:
        changed = scene if change is None else replace(scene, bgr=change(scene, random))
        return content.cut_off(changed, border, cells)

    return cut_off


def panel(border: str, left: float) -> Change:
    """A panel over a whole row or column but for so many cells of it, light or dark."""
    return lambda scene, random: content.covered(scene, border, 1 - left, int(random.choice((0, 40, 250))))


def tilted_without_pair(scene: Scene, random: Random) -> Bgr:
    """A pair erased, seen from slightly below."""
    return signal.tilted_away(replace(scene, bgr=content.erased_pair(scene, random)), random)


PARTS: tuple[Change, ...] = (
    *(without_line(border, *how) for *how, border in product(WIDTHS, FINISHES, BORDERS)),
    *(signal.strewn(percent / 100) for percent in (1, 2, 3, 4)),
    *(cut(border, 0.06) for border in BORDERS),
    *(cut(border, 0.06, content.swapped_dots) for border in BORDERS),
    *(panel(border, left) for left in (0.1, 0.3, 0.6) for border in BORDERS),
    tilted_without_pair,
)
"""Every way to damage a picture."""
