import cv2
import numpy as np
import pytest

from flowvision.image.picture import Frame, Rgb
from flowvision.puzzle import boards
from flowvision.render.ground import (
    SOFT_EDGE,
    circle_of,
    inside_of,
    share_of_circle,
    smooth_ground,
    whole_dot,
)
from flowvision.render.look import PlacedBoard

RED, BLACK = Rgb(255, 0, 0), Rgb(0, 0, 0)
NARROW_PX = 90.0
"""The width of cells that is given; a drawn one is wider, so that it is not cut off."""


RED_BGR = (0, 0, 255)


def cell_with(draw) -> np.ndarray:
    """Return a black cell of 120 px on which something was drawn."""
    bgr = np.zeros((120, 120, 3), np.uint8)
    draw(bgr)
    return bgr


@pytest.mark.parametrize("has_pipe", [False, True])
@pytest.mark.parametrize("radius", [22, 31, 38])
def test_a_round_dot_has_a_middle_and_a_radius(radius, has_pipe):
    centre = (60, 58)

    def draw(bgr):
        cv2.circle(bgr, centre, radius, RED_BGR, -1, cv2.LINE_AA)
        if has_pipe:
            cv2.rectangle(bgr, (45, 58), (75, 119), RED_BGR, -1)  # from the middle down to the side

    dot = whole_dot(cell_with(draw), centre, (RED, BLACK), NARROW_PX, alone=not has_pipe)
    middle, measured = circle_of(dot)
    np.testing.assert_allclose(middle, centre, atol=1)
    assert measured == pytest.approx(radius, abs=1.5)
    _, inner = circle_of(inside_of(dot, NARROW_PX))
    soft_edge_px = round(SOFT_EDGE * NARROW_PX)
    assert inner == pytest.approx(measured - soft_edge_px, abs=0.6)


def test_circles_inside_and_outside_a_dot_tell_its_size():
    centre, radius = (60, 58), 31
    bgr = cell_with(lambda bgr: cv2.circle(bgr, centre, radius, RED_BGR, -1, cv2.LINE_AA))
    shares = share_of_circle(bgr, np.array([centre]), [RED], (radius - 3, radius + 3))
    assert shares.tolist() == [[1, 0]]


def test_a_dot_outside_the_picture_has_no_pixels():
    dot = whole_dot(cell_with(lambda bgr: None), (-200, 60), (RED, BLACK), NARROW_PX)
    assert not inside_of(dot, NARROW_PX).mask.size


@pytest.mark.parametrize("has_red_sides", [False, True])
@pytest.mark.parametrize("radius", [26, 33])
def test_what_a_letter_encloses_is_not_the_dot(radius, has_red_sides):
    """The letter is a black square; red lines may enclose the dot in turn."""

    def draw(bgr):
        cv2.circle(bgr, (60, 60), radius, RED_BGR, -1, cv2.LINE_AA)
        half = round(0.55 * radius)
        cv2.rectangle(bgr, (60 - half, 60 - half), (60 + half, 60 + half), (0, 0, 0), 4)
        if has_red_sides:
            cv2.rectangle(bgr, (15, 15), (105, 105), RED_BGR, 3)

    dot = whole_dot(cell_with(draw), (60, 60), (RED, BLACK), NARROW_PX)
    middle, measured = circle_of(dot)
    np.testing.assert_allclose(middle, (60, 60), atol=1)
    assert measured == pytest.approx(radius, abs=1.5)


@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(lambda bgr: cv2.ellipse(bgr, (60, 60), (38, 24), 0, 0, 360, RED_BGR, -1), id="oval"),
        pytest.param(lambda bgr: cv2.rectangle(bgr, (30, 30), (90, 90), RED_BGR, -1), id="square"),
    ],
)
def test_other_shapes_are_no_circles(draw):
    dot = whole_dot(cell_with(draw), (60, 60), (RED, BLACK), NARROW_PX)
    assert circle_of(dot) is None


def test_the_ground_of_a_cell_is_interpolated_from_those_round_it():
    pitch, (row, col), board = 60, (1, 3), boards.square(4, 5)
    y, x = np.mgrid[: 5 * pitch, : 6 * pitch]
    bgr = np.stack([x / 2, y / 2, np.full(x.shape, 50)], axis=2).astype(np.uint8)
    placed = PlacedBoard(board, Frame.of_box(0, 0, pitch, pitch))
    hidden = board.lattice.places.index((row, col))
    rows, cols = (slice(number * pitch, (number + 1) * pitch) for number in (row, col))
    ground_in = smooth_ground(bgr, placed, set(range(len(board.layout.cells))) - {hidden})
    differences = np.abs(ground_in((rows, cols)).astype(int) - bgr[rows, cols])
    assert (differences <= 2 / 3 * np.ptp(bgr[rows, cols], axis=(0, 1))).all()
