import numpy as np
import pytest

from flowvision import solve_image
from flowvision.errors import BoardNotFoundError
from flowvision.image.picture import Screenshot
from flowvision.image.pixels import cut_out, turned
from flowvision.reading.options import Options
from tests.boards import FIVE_PAIRS, pairs_of
from tests.drawing import FIVE, page_of, screenshot_of

SMALL = "....\n.B.R\n.G.B\nR..G\n"


@pytest.mark.parametrize("degrees", [90, 180, -90, -45.5])
def test_turning_loses_nothing(degrees):
    shot = Screenshot(screenshot_of(FIVE))
    there = turned(shot, degrees)
    back = turned(there, -degrees)
    height, width = shot.bgr.shape[:2]
    y, x = ((b - a) // 2 for b, a in zip(back.bgr.shape, (height, width), strict=False))
    middle = back.bgr[y : y + height, x : x + width].astype(int)
    assert (np.abs(middle - shot.bgr).max(axis=2) > 60).mean() < (0.03 if degrees % 90 else 1e-9)


@pytest.mark.parametrize("degrees", [30, -40])
def test_a_board_at_a_slant_is_read_once_it_is_turned(degrees):
    slanted = turned(Screenshot(screenshot_of(FIVE)), degrees)
    assert pairs_of(solve_image(slanted, Options(rotate=-degrees)).reading.puzzle) == FIVE_PAIRS


def test_the_part_is_read_and_the_whole_is_drawn_on():
    one, other = screenshot_of(FIVE), screenshot_of("RG.\nB..\nBGR\n", 80)
    both = page_of(other, one)
    options = Options(crop=(other.shape[1], 0, one.shape[1], len(one)))
    answer = solve_image(both, options)
    assert pairs_of(answer.reading.puzzle) == FIVE_PAIRS
    assert answer.picture.shape == both.shape
    changed = (answer.picture != both).any(axis=2)
    assert changed[:, other.shape[1] :].any()
    assert not changed[:, : other.shape[1]].any()
    plain = solve_image(one).reading
    for (a, b), (c, d) in zip(answer.reading.ends_px, plain.ends_px, strict=True):
        assert np.allclose(np.array([a, b]) - (other.shape[1], 0), [c, d], atol=1.5)


@pytest.mark.parametrize("box", [(-1, 0, 10, 10), (0, 0, 5000, 10), (10, 10, 0, 4), (320, 0, 10, 10)])
def test_a_part_outside_the_picture_is_refused(box):
    with pytest.raises(BoardNotFoundError, match="324 × 580"):
        cut_out(Screenshot(screenshot_of(FIVE)), box)
    with pytest.raises(BoardNotFoundError):
        solve_image(screenshot_of(FIVE), Options(crop=box))
