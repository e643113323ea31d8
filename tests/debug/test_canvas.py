import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.debug import canvas as drawing
from flowvision.debug.canvas import SIDE_PX, WHITE, Canvas, Scene, box_round, cause_panel
from flowvision.doubts import Mark, Unclear
from flowvision.image.picture import Screenshot
from flowvision.reading.covers import corners_of


@given(st.integers(20, 400), st.integers(20, 400), st.data())
def test_a_place_on_the_canvas_is_that_of_its_pixel(width: int, height: int, data: st.DataObject) -> None:
    x, y = data.draw(st.integers(5, width - 6)), data.draw(st.integers(5, height - 6))
    near, bgr = np.array([x - 5.0, y - 5.0, x + 6.0, y + 6.0]), np.zeros((height, width, 3), np.uint8)
    bgr[y, x] = WHITE
    canvas = Canvas(bgr, near)
    rows, cols = np.nonzero(canvas.bgr[..., 0] > 128)
    assert max(canvas.bgr.shape) == SIDE_PX
    assert canvas.at([(x, y)])[0] == pytest.approx((cols.mean(), rows.mean()), abs=1)


def test_a_tint_lies_on_its_mask() -> None:
    bgr, mask_of_half_size = np.zeros((100, 100, 3), np.uint8), np.zeros((50, 50), np.uint8)
    mask_of_half_size[:25] = 255
    canvas = Canvas(bgr)
    to_picture = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])  # each pixel covers two by two
    canvas.tint(mask_of_half_size, to_picture, WHITE)
    middle, margin = SIDE_PX // 2, 20
    assert canvas.bgr[margin : middle - margin, margin:-margin].min() == WHITE[0]
    assert canvas.bgr[middle + margin :].max() == 0
    assert bgr.max() == 0


def test_a_box_outside_the_picture_shows_all_of_it() -> None:
    grey, outside = np.full((40, 20, 3), 90, np.uint8), np.array([[500.0, 500.0], [600.0, 600.0]])
    canvas = Scene(Screenshot(grey), None).canvas(box_round(outside))
    assert canvas.bgr.shape == (SIDE_PX, SIDE_PX // 2, 3)
    assert canvas.bgr.min() == canvas.bgr.max()


@pytest.mark.parametrize("kind", ["ring", "line", "box"])
def test_marks_lie_where_they_say(kind: str) -> None:
    low, high, margin = 200, 400, 10
    corners = tuple(map(tuple, corners_of((low, low), (high, high)).tolist()))
    mark = Mark(kind, ((300.0, 300.0),) if kind == "ring" else corners, radius_px=100.0)  # type: ignore[arg-type]
    shot = Screenshot(np.full((880, 880, 3), 90, np.uint8))  # with its margin it is not scaled
    bgr = cause_panel(Unclear(marks=(mark,)), Scene(shot, None)).bgr[margin:-margin, margin:-margin]
    colour = drawing.BLUE if kind == "box" else drawing.RED
    is_mark = np.abs(np.subtract(bgr, colour, dtype=float)).max(axis=2) < 110
    rows, cols = np.nonzero(is_mark)
    np.testing.assert_allclose(
        (rows.min(), cols.min(), rows.max(), cols.max()), (low, low, high, high), atol=6
    )
    is_left_side_drawn = is_mark[280:320, low - 10 : low + 10].any()
    assert is_left_side_drawn == (kind != "line")
