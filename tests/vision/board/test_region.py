"""A region stays the same when its picture turns out to be a part of a larger one."""

from __future__ import annotations

import numpy as np

from flowvision.image.picture import Screenshot
from flowvision.vision.board import find_boards
from flowvision.vision.settings import Settings
from tests.drawing import FIVE, screenshot_of


def test_a_moved_region_lies_where_its_pixels_are():
    """Everything in picture pixels moves alike; what is in view pixels stays."""
    small = screenshot_of(FIVE)
    region = next(find_boards(Screenshot(small), Settings()))
    moved = region.moved(Screenshot(np.pad(small, ((70, 0), (30, 0), (0, 0)))), 30, 70)
    assert np.array_equal(moved.corners_px - (30, 70), region.corners_px)
    assert all(
        np.array_equal(after - (30, 70), before)
        for after, before in zip(moved.evidence.candidates, region.evidence.candidates, strict=True)
    )
    for before, after in ((region.view, moved.view), (region.evidence, moved.evidence)):
        points = np.array([(0, 0, 1), (17, 5, 1)])
        assert np.allclose(points @ after.to_picture.T, points @ before.to_picture.T + (30, 70, 0))
    assert moved.view.bgr is region.view.bgr
    assert moved.evidence.lines is region.evidence.lines
    assert moved.score == region.score


def test_a_region_of_a_part_is_that_of_the_whole():
    """Found in a part and moved, it has the corners that are found in the whole picture."""
    small = screenshot_of(FIVE)
    large = np.pad(small, ((70, 0), (30, 0), (0, 0)))
    own, whole = (next(find_boards(Screenshot(bgr), Settings())) for bgr in (small, large))
    assert np.abs(own.moved(Screenshot(large), 30, 70).corners_px - whole.corners_px).max() <= 1
