"""The letters on the dots of the game's colour-blind mode: A, B, C … , one for each of its colours."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.vision.dots.detection import Pairing
from flowvision.vision.dots.pairing import inked
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import PairingSettings

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BOX = 20
"""Pixels across the square in which letters are compared."""
SOFT = 1.2
"""Standard deviation, in the same pixels, by which they are blurred first: fonts differ in weight."""
DRAWN_PX = 60
"""Height of the letters that others are compared with."""
GLANCE = 2
"""Dots that are looked at first: nearly all pictures have no letters."""


def letters_on(pairing: Pairing, settings: PairingSettings) -> tuple[str, ...]:
    """The letter of each pair of dots; none at all unless every dot shows one without a doubt.

    The game takes as many letters as there are pairs, from A on. So each dot is read as the one of these that
    it is most like; both dots of a pair must be read as the same, and every pair as another.
    """
    pairs, evidence = pairing.pairs, pairing.dots.evidence
    if len(pairs) > len(ALPHABET) or inked(evidence.faces(GLANCE), settings) is None:
        return ()
    inks = inked(evidence.faces(), settings)
    if inks is None:
        return ()
    seen = np.stack([_shape(inks[dot]) for pair in pairs for dot in pair])
    like = seen @ _alphabet()[: len(pairs)].T
    if like.max(axis=1).min() < settings.letter_likeness:
        return ()
    first, second = like.argmax(axis=1).reshape(-1, 2).T
    if (first != second).any() or len(set(first.tolist())) < len(pairs):
        return ()
    return tuple(ALPHABET[letter] for letter in first.tolist())


@lru_cache(1)
def _alphabet() -> Floats:
    """(26, BOX · BOX): the capital letters as ``_shape`` has them."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(size=DRAWN_PX)
    shapes = []
    for letter in ALPHABET:
        drawn = Image.new("L", (2 * DRAWN_PX, 2 * DRAWN_PX))
        ImageDraw.Draw(drawn).text((DRAWN_PX, DRAWN_PX), letter, fill=255, font=font, anchor="mm")
        shapes.append(_shape(np.asarray(drawn, np.float64)))
    return np.stack(shapes)


def _shape(ink: Floats) -> Floats:
    """(BOX · BOX,): what is inked, as large as fits and no wider than it was, of mean 0 and length 1."""
    rows, columns = (np.flatnonzero((ink > ink.max() / 2).any(axis=axis)) for axis in (1, 0))
    part = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float32)
    scale = (BOX - 4) / max(part.shape)
    height, width = (max(1, round(length * scale)) for length in part.shape)
    box: NDArray[np.float32] = np.zeros((BOX, BOX), np.float32)
    top, left = (BOX - height) // 2, (BOX - width) // 2
    box[top : top + height, left : left + width] = cv2.resize(
        part, (width, height), interpolation=cv2.INTER_AREA
    )
    flat = np.asarray(cv2.GaussianBlur(box, (0, 0), SOFT), np.float64).ravel()
    flat -= flat.mean()
    return np.asarray(flat / max(float(np.linalg.norm(flat)), 1e-9))
