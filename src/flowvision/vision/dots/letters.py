"""Letters in the dots, for those who cannot tell their colours apart: which dots carry the same one."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.vision.pixels.view import Floats

INK_STEP = 30.0
"""Brightness: letters are white or black on colours between; anti-aliased edges lie lower."""
MIN_INK, MAX_INK = 0.04, 0.6
"""Of the middle of a dot: a letter covers more than a speck and less than a disc."""
FINER = 2
"""Faces are enlarged so many times: dots lie between pixels."""
SHIFTS = (-2, -1, 0, 1, 2)
"""Enlarged pixels: how far two faces are moved against each other."""


def unlikeness(faces: Floats) -> Floats | None:
    """(dots, dots), 0 to 1: how different the letters of any two dots are; ``None`` where dots have none.

    ``faces``: those of ``DotEvidence``. One less the correlation of the ink, white or black, at the best
    of several shifts.
    """
    ink = np.where(np.abs(faces) > INK_STEP, np.abs(faces), 0.0)
    share = (ink > 0).mean(axis=(1, 2))
    if not len(ink) or share.min() < MIN_INK or share.max() > MAX_INK:
        return None
    ink = np.stack([cv2.resize(one, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_LINEAR) for one in ink])
    best = np.zeros((len(ink), len(ink)))
    flat = _standard(ink)
    for down in SHIFTS:
        for right in SHIFTS:
            best = np.maximum(best, flat @ _standard(np.roll(ink, (down, right), axis=(1, 2))).T)
    return np.asarray(1 - np.clip(np.maximum(best, best.T), 0, 1))


def _standard(ink: Floats) -> Floats:
    """(dots, n · n): mean 0, length 1."""
    flat = ink.reshape(len(ink), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-9))
