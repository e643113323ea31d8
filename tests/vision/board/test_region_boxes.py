"""Boxes round boards hold them whole and lie in the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flowvision.image.picture import Frame, Screenshot
from flowvision.puzzle import boards
from flowvision.vision.board import box_of, boxes_beside, whole_picture
from flowvision.vision.settings import Settings

SETTINGS = Settings()
SHOT = Screenshot(np.zeros((600, 400, 3), np.uint8))


def test_a_box_holds_its_board_and_no_more():
    """To the pixel on each side."""
    board = boards.square(4, 3)
    box = box_of(board, Frame.of_box(20.5, 100.25, 40.0, 40.0), SHOT)
    assert box == (20, 100, 121, 161)
    assert (box.x, box.y, box.width, box.height) == box


def test_a_board_cut_off_by_the_picture_has_a_box_inside_it():
    """A box is what ``--crop`` takes: it must lie in the picture."""
    board = boards.square(20, 20)
    assert box_of(board, Frame.of_box(-30, -30, 40.0, 40.0), SHOT) == (0, 0, 400, 600)


def corners(x: float, y: float, size: float) -> np.ndarray:
    """Of a square."""
    return np.array([(x, y), (x + size, y), (x + size, y + size), (x, y + size)], np.float64)


def region_with(own: np.ndarray, *others: np.ndarray):
    """A region beside other groups of lines."""
    region = whole_picture(SHOT, SETTINGS.lines)
    evidence = replace(region.evidence, candidates=(own, *others))
    return replace(region, corners_px=own, evidence=evidence)


@pytest.mark.parametrize(("size", "found"), [(100, True), (60, False)])
def test_large_groups_of_lines_beside_a_board_may_be_another(size, found):
    """Small ones are buttons. There is room round it for a border that was not seen."""
    region = region_with(corners(10, 10, 150), corners(200, 300, size))
    boxes = boxes_beside(region, SHOT, SETTINGS.board)
    assert len(boxes) == found
    for box in boxes:
        assert box.x < 200 < 200 + size < box.x + box.width
        assert box.y < 300 < 300 + size < box.y + box.height


def test_groups_that_overlap_a_board_are_parts_of_it():
    """Only what lies wholly beside it may be another board."""
    region = region_with(corners(10, 10, 200), corners(100, 100, 200), corners(0, 0, 390))
    assert boxes_beside(region, SHOT, SETTINGS.board) == []
