"""Boards that their user points at: cut out, turned, counted."""

from __future__ import annotations

import numpy as np
import pytest

from flowvision import solve_image
from flowvision.errors import BoardNotFoundError, FlowvisionError
from flowvision.image.picture import Screenshot
from flowvision.image.pixels import cut_out, turned
from flowvision.pipeline import read_image
from flowvision.reading.options import Options
from tests.drawing import COLOURS, FIVE, reading_of, screenshot_of

SMALL = "....\n.B.R\n.G.B\nR..G\n"
PAIRS = {frozenset(pair) for pair in reading_of(FIVE).puzzle.terminals}


def pairs(checked):
    """The pairs of a reading, in no order."""
    return {frozenset(pair) for pair in checked.reading.puzzle.terminals}


@pytest.mark.parametrize("degrees", [90, 180, -90, -45.5])
def test_turning_loses_nothing(degrees):
    """The whole picture is there, and turning back brings every pixel near to where it was."""
    shot = Screenshot(screenshot_of(FIVE))
    there = turned(shot, degrees)
    back = turned(there, -degrees)
    height, width = shot.bgr.shape[:2]
    y, x = ((b - a) // 2 for b, a in zip(back.bgr.shape, (height, width), strict=False))
    middle = back.bgr[y : y + height, x : x + width].astype(int)
    assert (np.abs(middle - shot.bgr).max(axis=2) > 60).mean() < (0.03 if degrees % 90 else 1e-9)


@pytest.mark.parametrize("degrees", [30, -40])
def test_a_board_at_a_slant_is_read_once_it_is_turned(degrees):
    """More than a photograph's tilt needs to be said; then it is read."""
    slanted = turned(Screenshot(screenshot_of(FIVE)), degrees)
    assert pairs(read_image(slanted, Options(rotate=-degrees))) == PAIRS


def test_the_part_is_read_and_the_whole_is_drawn_on():
    """Two boards in one picture: the one in the part, drawn where it lies in the whole picture."""
    one, other = screenshot_of(FIVE), screenshot_of("RG.\nB..\nBGR\n", 80)
    height = max(len(one), len(other))
    both = np.zeros((height, one.shape[1] + other.shape[1], 3), np.uint8)
    both[: len(other), : other.shape[1]] = other
    both[: len(one), other.shape[1] :] = one
    options = Options(crop=(other.shape[1], 0, one.shape[1], len(one)))
    answer = solve_image(both, options)
    assert pairs(answer) == PAIRS
    assert answer.picture.shape == both.shape
    changed = (answer.picture != both).any(axis=2)
    assert changed[:, other.shape[1] :].any()
    assert not changed[:, : other.shape[1]].any()
    plain = read_image(one).reading
    for (a, b), (c, d) in zip(answer.reading.ends_px, plain.ends_px, strict=True):
        assert np.allclose(np.array([a, b]) - (other.shape[1], 0), [c, d], atol=1.5)


def test_a_board_without_lines_is_read_once_it_is_counted():
    """Nothing but dots: the part from edge to edge, and its rows and columns, are enough."""
    picture = np.zeros((340, 340, 3), np.uint8)
    import cv2

    for r, row in enumerate(FIVE.split()):
        for c, letter in enumerate(row):
            if letter in COLOURS:
                cv2.circle(picture, (50 + 60 * c, 50 + 60 * r), 20, COLOURS[letter][::-1], -1, cv2.LINE_AA)
    with pytest.raises(FlowvisionError):
        read_image(picture)
    assert pairs(read_image(picture, Options(crop=(20, 20, 300, 300), grid="5x5"))) == PAIRS


@pytest.mark.parametrize("box", [(-1, 0, 10, 10), (0, 0, 5000, 10), (10, 10, 0, 4), (320, 0, 10, 10)])
def test_a_part_outside_the_picture_is_refused(box):
    """With the size of the picture in the message."""
    with pytest.raises(BoardNotFoundError, match="324 × 580"):
        cut_out(Screenshot(screenshot_of(FIVE)), box)
    with pytest.raises(BoardNotFoundError):
        read_image(screenshot_of(FIVE), Options(crop=box))


@pytest.mark.parametrize("rim", [20, 0])
@pytest.mark.parametrize("order", [1, -1])
def test_of_two_boards_the_larger_is_read(order, rim):
    """Whichever comes first; the warning says so, and how to read the other."""
    large, small = screenshot_of(FIVE, 70)[140 - rim :], screenshot_of(SMALL, 50)[140 - rim :]
    large, small = large[: 5 * 70 + 2 * rim + 4], small[: 4 * 50 + 2 * rim + 4]
    assert pairs(read_image(large)) == PAIRS
    width = max(large.shape[1], small.shape[1])
    padded = [np.pad(bgr, ((20, rim), (0, width - bgr.shape[1]), (0, 0))) for bgr in (large, small)]
    picture = np.vstack(padded[::order])
    checked = read_image(picture)
    assert pairs(checked) == PAIRS
    assert "two boards" in checked.warnings[-1]
    crop = tuple(map(int, checked.warnings[-1].split("--crop ")[1].rstrip("`.").split(",")))
    other = read_image(picture, Options(crop=crop)).reading
    assert (other.lattice.rows, other.lattice.cols) == (4, 4)
