"""Letters on dots, drawn for the colour-blind: compare them, and recognise them.

A face is a square of pixels in the middle of a dot. Ink is how much a pixel differs from its dot.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import lru_cache

import cv2
import numpy as np

from flowvision.image.picture import Frame
from flowvision.vision.header import fitted, unit_vectors
from flowvision.vision.pixels.view import Floats, Gray, Numbers, View, bounds_of, grid_points, sample
from flowvision.vision.settings import PAIRING

Faces = Callable[..., Floats]
"""``faces_of`` the dots of a board, all of them or the first few: sampled when it is called."""
FACE, FACE_REACH = 31, 0.21
"""Pixels across the face of a dot, and its extent as a share of the pitch: letters are 0.36 high."""
SOFT_PX = 1.2  # standard deviation of the blur of letters, as fonts differ in weight
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def faces_of(view: View, frame: Frame, centres: Floats, colours: Floats, first: int | None = None) -> Floats:
    """Return (dots, FACE, FACE): the brightness of each pixel of a face less that of its dot.

    ``centres`` (dots, 2): in cell units. ``colours`` (dots, 3): BGR. ``first``: number of dots, from the
    first one; ``None``: all.
    """
    centres, colours = centres[:first], colours[:first]
    if not len(centres):
        return np.zeros((0, FACE, FACE))
    axis = np.linspace(-FACE_REACH, FACE_REACH, FACE)
    offsets = grid_points(axis, axis)
    face_bgr = sample(view, frame, centres, offsets)
    # Channel by channel: NumPy's mean over so short an axis takes five times as long.
    channel_sums = np.add(face_bgr[..., 0], face_bgr[..., 1], dtype=np.uint16) + face_bgr[..., 2]
    faces = channel_sums / 3 - colours.mean(axis=1, keepdims=True)
    # Further out, in the corners, no letter reaches, and small dots have ended.
    faces[:, np.hypot(*offsets.T) > 1.12 * FACE_REACH] = 0
    return np.asarray(faces.reshape(-1, FACE, FACE))


def unlikeness(faces: Floats) -> Floats | None:
    """Return (dots, dots), 0 to 1: how much letters on faces differ; ``None`` unless all dots have one."""
    ink = inked(faces)
    if ink is None:
        return None
    shapes = _shapes(ink)
    return 1 - (shapes @ shapes.T).clip(0, 1)


def inked(faces: Floats) -> Floats | None:
    """Return (dots, n, n): the ink of pixels that may be a letter, else 0; ``None`` unless all dots have one.

    ``faces`` (dots, n, n): of ``faces_of``.
    """
    ink = np.abs(faces)
    ink[ink <= PAIRING.letter_ink] = 0.0
    share = np.count_nonzero(ink, axis=(1, 2)) / FACE**2
    if not len(ink) or share.min() < PAIRING.letter_share_min or share.max() > PAIRING.letter_share_max:
        return None
    return ink


def letters_on(pairs: Sequence[tuple[int, int]], faces: Faces) -> tuple[str, ...]:
    """Return the letter of each pair of dots; nothing unless every dot clearly shows one."""
    # Two dots are checked first: nearly all pictures have no letters.
    if len(pairs) > len(ALPHABET) or _likely_letters(faces(2), len(pairs)) is None:
        return ()
    letter_of = _likely_letters(faces(), len(pairs))
    if letter_of is None:
        return ()
    first, second = letter_of[np.transpose(pairs)]  # (pairs,) each: of both dots of a pair
    if (first != second).any() or len(set(first.tolist())) < len(pairs):
        return ()
    return tuple(ALPHABET[letter] for letter in first.tolist())


def _likely_letters(faces: Floats, count: int) -> Numbers | None:
    """Return (dots,): the number of each face's letter, below ``count``; ``None`` unless all are clear."""
    inks = inked(faces)
    if inks is None:
        return None
    likeness = _shapes(inks) @ _alphabet()[:count].T
    return likeness.argmax(axis=1) if likeness.max(axis=1).min() >= PAIRING.letter_likeness else None


@lru_cache(1)
def _alphabet() -> Floats:
    """Return the capital letters in Pillow's default font, a row each, in the form of ``_shapes``."""
    return unit_vectors(np.load(os.path.join(os.path.dirname(__file__), "alphabet.npy")).reshape(26, -1))


def _shapes(inks: Floats) -> Floats:
    """Return letters (N, pixels), in one size, as vectors of mean 0 and length 1; ``inks`` (N, n, n)."""
    # Blurred, as fonts differ in weight; as channels of one picture this takes half the time.
    letter_images = np.stack([fitted(_letter(ink)) for ink in inks], axis=-1)
    blurred = cv2.GaussianBlur(letter_images.astype(np.float32), (0, 0), SOFT_PX)
    return unit_vectors(blurred.reshape(-1, len(inks)).T)


def _letter(ink: Floats) -> Gray:
    """Return the part of an ink (n, n) that bounds its strong pixels: above half of the strongest."""
    return ink[bounds_of(ink > ink.max() / 2)].astype(np.uint8)
