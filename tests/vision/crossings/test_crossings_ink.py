"""Thin lines inside cells are told from pipes, glow and dots."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Screenshot
from flowvision.vision.crossings.crossings import ink_shares
from flowvision.vision.dots.detection import Dot, DotEvidence, Dots
from tests import seeing
from tests.drawing import random_text, screenshot_of
from tests.seeing import SETTINGS

LINE = (63, 109, 63)
"""The colour of grid lines, BGR."""
NO_EVIDENCE = DotEvidence(np.zeros(0), np.zeros(0), lambda: np.zeros((0, 1, 1)))
NO_DOTS = Dots((), NO_EVIDENCE, None)
EMPTY = random_text(5, 5, pairs=0)


def shares_of(bgr: np.ndarray, dots: Dots = NO_DOTS) -> np.ndarray:
    """(5, 5): the share of each cell that thin lines cover."""
    return ink_shares(seeing.sides_of(Screenshot(bgr)), dots, SETTINGS.crossings).reshape(5, 5)


def cell_corner(row: int, col: int, pitch: int) -> tuple[int, int]:
    """Where a cell begins."""
    return 12 + col * pitch, 140 + row * pitch


@pytest.mark.parametrize("pitch", [40, 60, 100])
@pytest.mark.parametrize("colour", [LINE, (0, 80, 0), (200, 200, 200)])
def test_thin_lines_count_by_their_area(pitch, colour):
    """Two rails across a cell, as of a bridge; other cells have none."""
    bgr, width = screenshot_of(EMPTY, pitch), max(1, pitch // 30)
    x, y = cell_corner(1, 2, pitch)
    for share in (0.3, 0.7):
        bgr[y : y + pitch, x + round(share * pitch) : x + round(share * pitch) + width] = colour
    shares = shares_of(bgr)
    assert shares[1, 2] == pytest.approx(2 * width / (0.8 * pitch), abs=0.04)
    assert shares[1, 2] > SETTINGS.crossings.bridge_ink
    shares[1, 2] = 0
    assert not shares.any()


def test_what_is_wide_or_faint_is_no_line():
    """A pipe, a glow that is fainter than a grid line, and its slope."""
    pitch = 60
    bgr = screenshot_of(EMPTY, pitch)
    x, y = cell_corner(1, 1, pitch)
    cv2.line(bgr, (x - 30, y + 30), (x + 90, y + 30), (0, 0, 255), 20, cv2.LINE_AA)
    x, y = cell_corner(2, 2, pitch)
    bgr[y + 10 : y + 12, x + 10 : x + 50] = (0, 40, 0)
    x, y = cell_corner(3, 3, pitch)
    bgr[y + 2 : y + 58, x + 2 : x + 58, 2] = np.linspace(0, 90, 56).astype(np.uint8)
    assert shares_of(bgr).max() < SETTINGS.crossings.bridge_ink


def test_what_stands_on_a_dot_is_no_bridge():
    """The letter of the colour-blind mode is as thin as a rail."""
    pitch = 60
    bgr = screenshot_of(EMPTY, pitch)
    x, y = cell_corner(1, 1, pitch)
    cv2.line(bgr, (x + 20, y + 10), (x + 20, y + 50), (255, 255, 255), 2)
    dot = Dot(6, (x + 30.0, y + 30.0), (50.0, 0.0, 0.0), (9, 9, 9))
    assert shares_of(bgr)[1, 1] > 0
    assert not shares_of(bgr, Dots((dot,), NO_EVIDENCE, None)).any()
