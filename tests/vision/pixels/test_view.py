import cv2
import numpy as np
import pytest

from flowvision.image.picture import Frame, Screenshot
from flowvision.vision.pixels.view import (
    PixelBox,
    colour_distance,
    is_inside,
    lab_of,
    sample,
    sample_brightest,
    shrink_of,
    view_of,
)

RANDOM = np.random.default_rng(5)
WIDTH, HEIGHT = 160, 230
SHOT = Screenshot(RANDOM.integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8))


BOXES = pytest.mark.parametrize("box", [(0, 0, WIDTH, HEIGHT), (13, 40, 151, 178), (0, 99, WIDTH, HEIGHT)])
"""Left, top, right and bottom."""
VIEWS = pytest.mark.parametrize("view_px", [50, 80, 200])


@BOXES
@VIEWS
def test_a_part_of_a_view_holds_its_box(box, view_px):
    view = view_of(SHOT, None, view_px)
    part = view.cut(view.part_in(box))
    low, high = ((part.to_picture @ (*point, 1))[:2] for point in ((0, 0), part.size))
    end = np.minimum(box[2:], np.array(view.size) * view.scale)
    assert (low <= np.array(box[:2]) + view.scale / 2).all()
    assert (high >= end - view.scale / 2 - 0.5).all()
    left, top, right, bottom = box
    assert part.rims == ((left == 0, right == WIDTH), (top == 0, bottom == HEIGHT))


@BOXES
@VIEWS
def test_a_part_of_a_view_has_its_pixels(box, view_px):
    view = view_of(SHOT, None, view_px)
    part = view.cut(view.part_in(box))
    first = part.to_picture @ (0, 0, 1)
    x, y = np.round((np.linalg.inv(view.to_picture) @ first)[:2]).astype(int)
    there = np.s_[y : y + part.size[1], x : x + part.size[0]]
    assert np.array_equal(view.bgr[there], part.bgr)
    assert np.array_equal(view.gray[there], part.gray)


@pytest.mark.parametrize(("width", "factor"), [(540, 1.0), (600, 1.0), (810, 1.5), (1080, 2.0), (1440, 2.0)])
def test_large_pictures_are_shrunk_by_whole_factors(width, factor):
    assert shrink_of(PixelBox(0, 0, width, 3000), view_px=540) == factor


@pytest.mark.parametrize(
    ("view_px", "times", "side"), [(540, 1, 240), (540, 3, 720), (90, 1, 120), (60, 1, 60)]
)
def test_points_of_a_view_lead_back_to_the_picture(view_px: int, times: int, side: int) -> None:
    """``side``: width of the view, of a box 240 pixels wide: as large, enlarged, or shrunk by 2 or 4."""
    centre, box = (131, 204), PixelBox(x0=40, y0=70, x1=280, y1=320)
    width = box.x1 - box.x0
    bgr = np.zeros((330, 300, 3), np.uint8)
    cv2.circle(bgr, centre, 20, (0, 255, 0), -1)
    view = view_of(Screenshot(bgr), box, view_px, times=times)
    assert view.size[0] == side
    assert view.scale == pytest.approx(width / side)
    y, x = (np.average(places, weights=view.gray) for places in np.indices(view.gray.shape))  # of the disc
    assert view.to_picture @ (x, y, 1) == pytest.approx((*centre, 1), abs=0.2)


def test_colours_are_those_of_opencv() -> None:
    colours = SHOT.bgr.reshape(-1, 3)[:999]
    expected = cv2.cvtColor((colours[None] / 255).astype(np.float32), cv2.COLOR_BGR2LAB)[0]
    np.testing.assert_allclose(lab_of(colours), expected, atol=0.5)
    apart = np.linalg.norm(expected - expected[0], axis=1)
    np.testing.assert_allclose(colour_distance(lab_of(colours), lab_of(colours[:1])), apart, atol=1)


BGR = RANDOM.integers(0, 256, (60, 80, 3), dtype=np.uint8)
FRAMES = {
    "upright": Frame.of_box(7.3, 4.8, 9.1, 8.7),
    "perspective": Frame((9.1, 0.7, 7.3, -0.4, 8.7, 4.8, 0.004, 0.007, 1.0)),
}
CENTRES = RANDOM.uniform(-1, 8, (12, 2))
OFFSETS = {
    "one for all": RANDOM.uniform(-0.4, 0.4, (9, 2)),
    "each its own": RANDOM.uniform(-0.4, 0.4, (12, 9, 2)),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("offsets", OFFSETS.values(), ids=OFFSETS)
def test_the_nearest_pixel_is_picked(frame, offsets):
    view = view_of(Screenshot(BGR), box=None, view_px=540)
    nine_by_centre = CENTRES[:, None, :] + offsets
    places = frame.to_px(nine_by_centre.reshape(-1, 2)).reshape(12, 9, 2)
    nearest = np.clip(np.round(places).astype(int), 0, (79, 59))  # the last column and row
    is_clear = (np.abs(places % 1 - 0.5) > 1e-3).all(axis=-1)  # not midway between two pixels
    picked = sample(view, frame, CENTRES, offsets)
    assert np.array_equal(picked[is_clear], BGR[nearest[..., 1], nearest[..., 0]][is_clear])
    inside = (np.round(places) == nearest).all(axis=-1)
    assert inside.any()
    assert not inside.all()
    assert np.array_equal(is_inside(view, frame, CENTRES, offsets)[is_clear], inside[is_clear])
    brightest = sample_brightest(view, frame, CENTRES, offsets)
    assert np.array_equal(brightest[is_clear], (picked.max(axis=-1) * inside)[is_clear])


@pytest.mark.parametrize("x", [-0.6, -0.4, 79.4, 79.6])
@pytest.mark.parametrize("y", [-0.6, -0.4, 59.4, 59.6])
def test_a_point_is_inside_up_to_half_a_pixel_beyond_the_outermost_ones(x, y):
    view = view_of(Screenshot(BGR), box=None, view_px=540)
    points = np.array([(40.0, 30.0), (x, y), (3.0, 57.0)])
    inside = is_inside(view, Frame.of_box(0, 0, 1, 1), points, np.zeros((1, 2)))[:, 0]
    is_near_enough = -0.5 < x < 79.5 and -0.5 < y < 59.5  # columns are 0 to 79, rows 0 to 59
    assert inside.tolist() == [True, is_near_enough, True]


def test_lines_are_thin_on_darker_and_on_brighter_ground_and_edges_are_not():
    bgr = np.zeros((200, 300, 3), np.uint8)
    bgr[:, 100:] = 60, 150, 60  # a tint
    bgr[:, 140:200] = 90, 220, 90  # a pipe
    bgr[99:101] = 63, 109, 63  # the line
    gray = view_of(Screenshot(bgr), box=None, view_px=300, channel="thin").gray
    on_black, on_tint, behind_pipe = 50, 120, 250
    assert gray[100, [on_black, on_tint, behind_pipe]].min() > 20
    assert not gray[50].any()  # edges alone


def test_a_gap_between_a_line_and_a_pipe_is_not_thin():
    bgr = np.zeros((200, 200, 3), np.uint8)
    bgr[:, 50:52] = 110  # the line
    bgr[:, 54:90] = 250  # the pipe
    gray = view_of(Screenshot(bgr), box=None, view_px=200, channel="thin").gray
    assert gray[100, 50:52].min() > 100
    assert not gray[100, 52:].any()
