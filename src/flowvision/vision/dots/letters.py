"""Letters in the dots, which the game draws for people who cannot tell their colours apart.

The letters of any two dots are compared by template matching: the correlation of their ink at the best of
several shifts.
"""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import PairingSettings

FINER = 2
"""Faces are enlarged so many times: dots lie between pixels."""
SHIFTS = (-2, -1, 0, 1, 2)
"""Enlarged pixels: how far two faces are moved against each other."""
MIN_LENGTH = 1e-9
"""Of a vector that is divided by its length."""


def unlikeness(faces: Floats, asked: PairingSettings) -> Floats | None:
    """(dots, dots), 0 to 1: how different the letters of any two dots are; ``None`` unless all dots have one.

    ``faces``: those of ``DotEvidence``. The result is one less the correlation of the ink, be it white or
    black.
    """
    ink = np.where(np.abs(faces) > asked.letter_ink, np.abs(faces), 0.0)
    share = (ink > 0).mean(axis=(1, 2))
    if not len(ink) or share.min() < asked.letter_share_min or share.max() > asked.letter_share_max:
        return None
    ink = np.stack([cv2.resize(one, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_LINEAR) for one in ink])
    best = np.zeros((len(ink), len(ink)))
    flat = _standard(ink)
    for down in SHIFTS:
        for right in SHIFTS:
            best = np.maximum(best, flat @ _standard(np.roll(ink, (down, right), axis=(1, 2))).T)
    return np.asarray(1 - np.clip(np.maximum(best, best.T), 0, 1))


def _standard(ink: Floats) -> Floats:
    """(dots, n · n): every face as a vector of mean 0 and length 1."""
    flat = ink.reshape(len(ink), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), MIN_LENGTH))
