"""Letters on dots, drawn for the colour-blind: compare them, and recognise them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.image.picture import Frame
from flowvision.vision.pixels.view import Floats, View, sample
from flowvision.vision.settings import PAIRING

Faces = Callable[..., Floats]
"""``faces_of`` the dots of a board, all of them or the first few: sampled when it is called."""
FACE, FACE_REACH = 31, 0.21
"""Pixels across the face of a dot, and its extent as a share of the pitch: letters are 0.36 high."""
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BOX = 20  # pixels across the square in which letters are compared


def faces_of(view: View, frame: Frame, centres: Floats, colours: Floats, first: int | None = None) -> Floats:
    """Return (dots, FACE, FACE): brightness of the pixels in the middle of each dot, relative to the dot."""
    centres, colours = centres[:first], colours[:first]
    if not len(centres):
        return np.zeros((0, FACE, FACE))
    axis = np.linspace(-FACE_REACH, FACE_REACH, FACE)
    offsets = np.column_stack((np.tile(axis, FACE), np.repeat(axis, FACE)))
    seen = sample(view, frame, centres, offsets)
    # Channel by channel: NumPy's mean over so short an axis takes five times as long.
    sums = np.add(seen[..., 0], seen[..., 1], dtype=np.uint16) + seen[..., 2]
    faces = sums / 3 - colours.mean(axis=1, keepdims=True)
    # Letters reach into the corners by so much, inside small dots.
    faces[:, np.hypot(*offsets.T) > 1.12 * FACE_REACH] = 0
    return np.asarray(faces.reshape(-1, FACE, FACE))


def unlikeness(faces: Floats) -> Floats | None:
    """Return (dots, dots), 0 to 1: how much letters differ; ``None`` unless all dots have one."""
    ink = inked(faces)
    if ink is None:
        return None
    shapes = _shapes(ink)
    return 1 - (shapes @ shapes.T).clip(0, 1)


def inked(faces: Floats) -> Floats | None:
    """Return the pixels that may be a letter, 0 elsewhere; ``None`` unless all dots have one."""
    ink = np.abs(faces)
    ink[ink <= PAIRING.letter_ink] = 0.0
    share = np.count_nonzero(ink, axis=(1, 2)) / FACE**2
    if not len(ink) or share.min() < PAIRING.letter_share_min or share.max() > PAIRING.letter_share_max:
        return None
    return np.asarray(ink)


def _standard(ink: Floats) -> Floats:
    """Return (N, n · n): squares of pixels (N, n, n), each as a vector of mean 0 and length 1."""
    flat = ink.reshape(len(ink), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-9))


def letters_on(pairs: Sequence[tuple[int, int]], faces: Faces) -> tuple[str, ...]:
    """Return the letter of each pair of dots; nothing unless every dot clearly shows one."""
    # Two dots are checked first: nearly all pictures have no letters.
    if len(pairs) > len(ALPHABET) or inked(faces(2)) is None:
        return ()
    inks = inked(faces())
    if inks is None:
        return ()
    like = _shapes(inks[np.ravel(pairs)]) @ _alphabet()[: len(pairs)].T
    if like.max(axis=1).min() < PAIRING.letter_likeness:
        return ()
    first, second = like.argmax(axis=1).reshape(-1, 2).T
    if (first != second).any() or len(set(first.tolist())) < len(pairs):
        return ()
    return tuple(ALPHABET[letter] for letter in first.tolist())


@lru_cache(1)
def _alphabet() -> Floats:
    """Return (26, BOX · BOX): the capital letters in Pillow's default font, in the form of ``_shapes``."""
    return _standard(np.load(os.path.join(os.path.dirname(__file__), "alphabet.npy")).astype(np.float64))


def _shapes(inks: Floats) -> Floats:
    """Return the inked part of each picture (``_box``) as a vector (N, BOX · BOX) of mean 0 and length 1."""
    # Blurred, as fonts differ in weight; as channels of one picture this takes half the time.
    boxes = np.stack([_box(ink) for ink in inks], axis=-1)
    soft = cv2.GaussianBlur(boxes, (0, 0), 1.2).reshape(BOX, BOX, -1)
    return _standard(soft.transpose(2, 0, 1).astype(np.float64))


def _box(ink: Floats) -> NDArray[np.float32]:
    rows, columns = (np.flatnonzero((ink > ink.max() / 2).any(axis=axis)) for axis in (1, 0))
    part = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float32)
    scale = (BOX - 4) / max(part.shape)
    height, width = (max(1, round(length * scale)) for length in part.shape)
    box: NDArray[np.float32] = np.zeros((BOX, BOX), np.float32)
    top, left = (BOX - height) // 2, (BOX - width) // 2
    box[top : top + height, left : left + width] = cv2.resize(
        part, (width, height), interpolation=cv2.INTER_AREA
    )
    return box
