"""Moving pictures as data."""

from __future__ import annotations

import numpy as np

from tests.image.clips import small_clip


def test_patches_are_laid_one_over_the_other() -> None:
    """Every whole picture is the one before with its own box on it."""
    clip = small_clip()
    shown = [canvas.copy() for canvas, _ in clip.pictures()]
    assert clip.size == (67, 45)
    assert clip.seconds == 3.2
    assert np.array_equal(shown[0], clip.patches[0].bgr)
    changed = np.argwhere((shown[2] != shown[1]).any(axis=2))
    assert changed.min(axis=0).tolist() == [7, 15]
    assert changed.max(axis=0).tolist() == [12, 24]


def test_the_first_picture_is_not_drawn_on() -> None:
    """Looking at a clip leaves it as it was."""
    clip = small_clip()
    before = clip.patches[0].bgr.copy()
    assert len(list(clip.pictures())) == 4
    assert np.array_equal(clip.patches[0].bgr, before)
