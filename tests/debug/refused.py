"""Pictures that are refused, each for one cause, drawn."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.image.picture import Bgr
from tests.drawing import COLOURS, FIVE, NONE, screenshot_of

SEVEN = "....RT.\n....KM.\n..M....\n.....T.\n...P...\n.PO..OK\n......R\n"


def cut_board() -> Bgr:
    """The lower rows of the board lie beyond the picture."""
    return screenshot_of(FIVE, 120, (12, 300))[: 300 + 3 * 120 + 20]


def hidden_dot() -> Bgr:
    """A notification lies over a dot."""
    bgr = screenshot_of(FIVE, 120, (12, 300))
    cv2.rectangle(bgr, (12 + 5, 305), (12 + 114, 414), (40, 40, 40), -1)
    cv2.putText(bgr, "Mail", (30, 370), cv2.FONT_HERSHEY_SIMPLEX, 1, (200, 200, 200), 2)
    return bgr


def letters() -> Bgr:
    """Letters instead of dots."""
    bgr = screenshot_of(".....\n" * 5, 120, (12, 300))
    for r, row in enumerate(FIVE.split()):
        for c, letter in enumerate(row):
            if letter != ".":
                at = (12 + 120 * c + 35, 300 + 120 * r + 85)
                cv2.putText(bgr, letter, at, cv2.FONT_HERSHEY_SIMPLEX, 2.4, COLOURS[letter][::-1], 6)
    return bgr


def empty_board() -> Bgr:
    """A level that has not appeared yet."""
    return screenshot_of(".....\n" * 5, 120, (12, 300))


def menu() -> Bgr:
    """Buttons."""
    bgr = np.zeros((1000, 540, 3), np.uint8)
    for n, words in enumerate(("Play", "Packs", "Daily puzzle", "Settings", "Help")):
        cv2.rectangle(bgr, (70, 250 + n * 110), (470, 330 + n * 110), (200, 120, 60), 3)
        cv2.putText(bgr, words, (165, 300 + n * 110), cv2.FONT_HERSHEY_SIMPLEX, 1, (255, 255, 255), 3)
    return bgr


def wallpaper() -> Bgr:
    """Shards between bright lines."""
    rng = np.random.default_rng(1)
    height, width = 800, 450
    points = rng.uniform(0, 1, (90, 2)) * (width, height)
    y, x = np.mgrid[:height:2, :width:2]
    apart = np.sort(np.hypot(x[..., None] - points[:, 0], y[..., None] - points[:, 1]), axis=2)
    ground = np.stack([80 + 60 * np.sin(x / 100 + k) + 30 * np.cos(y / 75 - k) for k in range(3)], -1)
    shown = np.where((apart[..., 1] - apart[..., 0] < 3)[..., None], 230, ground).astype(np.uint8)
    return np.asarray(cv2.resize(shown, (width, height)), np.uint8)


def two_boards() -> Bgr:
    """Two boards, neither of which has a solution."""
    upper, lower = (
        screenshot_of(NONE, 150, (60, 140)),
        screenshot_of("R..G\n.B..\n..B.\nG..R\n", 120, (60, 140)),
    )
    width = max(upper.shape[1], lower.shape[1])
    both = [np.pad(one, ((0, 0), (0, width - one.shape[1]), (0, 0))) for one in (upper, lower)]
    return np.concatenate(both)


def counters() -> Bgr:
    """Another game: pieces of two colours all over the board."""
    return screenshot_of("RGRGR\nGRGRG\nRGRGR\nGRGRG\nRGRGG\n", 120, (12, 300))
