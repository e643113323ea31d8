import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import solve_image
from flowvision.errors import BoardNotFoundError
from flowvision.image.picture import CropBox, Frame, Screenshot
from flowvision.puzzle import boards
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.vision.board import PicturePart, box_of, boxes_beside, parts_beside
from flowvision.vision.pixels.view import CHANNELS
from flowvision.vision.settings import BOARD
from tests.boards import LEVEL_5X5_PAIRS, pairs_of
from tests.drawing import COLOURS, LEVEL_5X5, WHITE, drawn_board, screenshot_of
from tests.seeing import changed_thresholds, find_boards, region_of
from tests.tools.synthetic import PHONES, THEMES, Style, draw_screenshot

CORNERS = np.array([(12, 140), (312, 140), (312, 440), (12, 440)])
"""Where ``screenshot_of`` draws a board of five cells of 60 px."""


def test_the_view_of_a_region_holds_the_board_and_little_more():
    margin = 400
    bgr = np.pad(screenshot_of(LEVEL_5X5), ((margin, margin), (0, 0), (0, 0)))
    view = next(find_boards(Screenshot(bgr))).view
    low, high = ((view.to_picture @ (*point, 1))[:2] - (0, margin) for point in ((0, 0), view.size))
    assert (low <= CORNERS.min(axis=0)).all()
    assert (high >= CORNERS.max(axis=0)).all()
    assert high[1] - low[1] < 400  # the board has 300


def test_a_board_below_buttons_is_the_best_region_and_none_comes_twice():
    bgr = screenshot_of(LEVEL_5X5)
    for x in (20, 120, 220):
        cv2.rectangle(bgr, (x, 40), (x + 40, 80), (160, 160, 160), 2)
    regions = list(find_boards(Screenshot(bgr)))
    assert np.abs(regions[0].corners_px - CORNERS).max() <= 3
    views = {(region.view.channel, region.view.to_picture.tobytes(), region.view.size) for region in regions}
    assert len(views) == len(regions) > 1


def test_a_board_that_touches_a_frame_is_found_by_its_cells():
    above = 100
    bgr = np.pad(screenshot_of(LEVEL_5X5), ((above, 500), (0, 500), (0, 0)))
    cv2.rectangle(bgr, (12, 20), (820, 1000), (160, 160, 160), 2)  # along the left of the board
    away = [np.abs(region.corners_px - CORNERS - (0, above)).max() for region in find_boards(Screenshot(bgr))]
    assert away[0] > 100  # the frame comes first
    assert min(away) <= 0.2 * 60  # of a cell


def test_lines_parted_by_pipes_are_one_board():
    bgr = screenshot_of(LEVEL_5X5)
    from_side_to_side = np.array([(0, 220), (162, 220), (162, 370), (324, 370)])
    cv2.polylines(bgr, [from_side_to_side], False, (0, 0, 0), 10)
    region = next(find_boards(Screenshot(bgr)))
    assert np.abs(region.corners_px - CORNERS).max() <= 3


@pytest.mark.parametrize("level", [0, 255])
def test_a_blank_picture_has_no_board(level):
    shorter = 300
    words = f"no grid is larger than {BOARD.size * shorter:.0f} pixels"
    with pytest.raises(BoardNotFoundError, match=words) as caught:
        next(find_boards(Screenshot(np.full((400, shorter, 3), level, np.uint8))))
    assert caught.value.evidence.groups == ()


def test_a_board_with_dark_lines_on_a_white_ground_is_read():
    bgr = drawn_board(LEVEL_5X5, 0.345, (80, 80), (12, 140), ground=WHITE, line=(60, 60, 60), line_px=2)
    reading = solve_image(bgr).reading
    assert pairs_of(reading.puzzle) == LEVEL_5X5_PAIRS
    assert {tuple(colour) for colour in reading.palette} <= {tuple(colour) for colour in COLOURS.values()}


def test_lines_lost_in_the_tint_of_played_cells_show_as_thin():
    """At half the size lines and tints are equally bright in their brightest channel."""
    board = boards.square(5, 5)
    puzzle, solution = random_puzzle(board, seed=0, colours=3)
    style = Style(THEMES["wide"], PHONES["small"], drawn=1.0, scale=0.5)
    reading = solve_image(draw_screenshot(board, puzzle, style, seed=0, solution=solution).screenshot).reading
    assert reading.board.graph == board.graph
    assert pairs_of(reading.puzzle) == pairs_of(puzzle)


def test_later_channels_offer_their_best_regions_alone() -> None:
    """Of these channels ``thin`` and ``green`` are later ones; a smaller board at the right comes second."""
    bgr = np.pad(screenshot_of(LEVEL_5X5), ((0, 0), (0, 330), (0, 0)))
    (left, top), (right, bottom) = CORNERS[0], CORNERS[2]
    left_of_small, side = 380, 150
    small = cv2.resize(bgr[top:bottom, left:right], (side, side), interpolation=cv2.INTER_AREA)
    bgr[top : top + side, left_of_small : left_of_small + side] = small
    is_second_found = {}
    with changed_thresholds(BOARD, regions_later=1):
        for channel in ("brightest", "thin", "green"):
            lefts = [region.corners_px[0, 0] for region in find_boards(Screenshot(bgr), (channel,))]
            is_second_found[channel] = max(lefts) > left_of_small - 30
    assert is_second_found == {"brightest": True, "thin": False, "green": False}


def test_another_board_is_searched_where_a_third_of_this_one_fits():
    """Above and below the first box are 60 pixels, a fifth of its height."""
    shot = Screenshot(np.zeros((400, 300, 3), np.uint8))
    nearly_all, a_corner = CropBox(0, 60, 300, 280), CropBox(0, 0, 100, 100)
    assert parts_beside(nearly_all, shot) == []
    assert parts_beside(a_corner, shot) == [CropBox(100, 0, 200, 400), CropBox(0, 100, 300, 300)]
    # Beside a box without area as well.
    assert all(min(part.width, part.height) > 0 for part in parts_beside(CropBox(0, 0, 0, 9), shot))


def test_above_and_below_the_board_of_a_screen_no_small_board_is_searched():
    """A screen of the game leaves up to 0.8 of its board there: 140 of 100 pixels are more, 60 are not."""
    shot, board = Screenshot(np.zeros((300, 200, 3), np.uint8)), CropBox(0, 140, 100, 100)
    right, above = CropBox(100, 0, 100, 300), CropBox(0, 0, 200, 140)
    assert parts_beside(board, shot, is_screen=True) == [right, above]
    assert parts_beside(board, shot) == [right, above, CropBox(0, 240, 200, 60)]


def test_a_crop_shows_what_its_pixels_alone_would():
    bgr, shift = screenshot_of(LEVEL_5X5), np.array((30, 70))
    around = Screenshot(np.pad(bgr, ((70, 9), (30, 9), (0, 0))))
    part = next(PicturePart(around, (*shift.tolist(), *bgr.shape[1::-1])).regions(CHANNELS))
    alone = next(find_boards(Screenshot(bgr)))
    assert np.array_equal(part.corners_px - shift, alone.corners_px)
    assert (part.score, part.view.rims) == (alone.score, alone.view.rims)
    for of_alone, of_part in ((alone.view, part.view), (alone.evidence, part.evidence)):
        assert np.allclose(of_part.to_picture[:2, :2], of_alone.to_picture[:2, :2])
        assert np.allclose(of_part.to_picture[:2, 2], of_alone.to_picture[:2, 2] + shift)
    assert np.array_equal(part.view.bgr, alone.view.bgr)
    assert np.array_equal(part.evidence.lines, alone.evidence.lines)


SHOT = Screenshot(np.zeros((600, 400, 3), np.uint8))


def test_a_box_holds_its_board_and_no_more():
    rows, cols, pitch = 4, 3, 40
    box = box_of(boards.square(rows, cols), Frame.of_box(20.5, 100.25, pitch, pitch), SHOT)
    begun_pixel = 1
    assert box == CropBox(20, 100, cols * pitch + begun_pixel, rows * pitch + begun_pixel)


def corners(x: float, y: float, size: float) -> np.ndarray:
    """Return (4, 2): the corners of a square."""
    return np.array([(x, y), (x + size, y), (x + size, y + size), (x, y + size)], np.float64)


@pytest.mark.parametrize(("size", "is_large"), [(100, True), (40, False)])
def test_large_groups_of_lines_beside_a_board_may_be_another(size, is_large):
    board, beside, whole = corners(10, 10, 150), corners(200, 300, size), region_of(SHOT.bgr)
    evidence = replace(whole.evidence, groups=(board, beside))
    boxes = boxes_beside(replace(whole, corners_px=board, evidence=evidence), SHOT)
    assert len(boxes) == is_large
    for box in boxes:
        assert box.x < 200 < 200 + size < box.x + box.width
        assert box.y < 300 < 300 + size < box.y + box.height
