import cv2
import numpy as np
import pytest

from flowvision import Answer, pipeline, solve_image
from flowvision.doubts import CoveringBoard, FailedBoard, LowConfidence, SmallerBoard
from flowvision.image.picture import Bgr, CropBox, Screenshot
from flowvision.log import Log
from flowvision.reading import other_board, run
from flowvision.reading.options import Options
from flowvision.reading.other_board import BoxedBoard, Part, discs_beside, larger_of, other_failed
from flowvision.reading.run import Believed, ReadingRun
from flowvision.vision.board import box_of, parts_beside
from flowvision.vision.settings import DOTS, READING
from flowvision.words import Option
from tests import pictures
from tests.boards import LEVEL_5X5_PAIRS, pairs_of
from tests.drawing import COLOURS, CORNER, LEVEL_5X5, LINE, cell_middle, collage, reading_of, screenshot_of
from tests.seeing import candidate_of, changed_thresholds, refusal


def pitch_of(answer: Answer) -> float:
    return round(answer.reading.frame.cell_width_px((0.5, 0.5)))


@pytest.mark.sweep(at_landing=2)
@pytest.mark.parametrize("gap", [6, 30, 36, 60])
def test_another_board_that_cannot_be_read_takes_nothing_from_this_one(gap):
    bgr = _beside_one_without_a_dot(gap)
    answer = solve_image(bgr)
    assert pairs_of(answer.reading.puzzle) == LEVEL_5X5_PAIRS
    box = box_of(answer.reading.board, answer.reading.frame, Screenshot(bgr))
    assert box.x == screenshot_of(LEVEL_5X5).shape[1] + gap + CORNER[0]
    assert isinstance(answer.doubts[0], FailedBoard)


def test_no_option_lifts_the_confidence_beside_a_board_that_was_not_read():
    answer = solve_image(_beside_one_without_a_dot(gap=6))
    with changed_thresholds(READING, min_confidence=0.95):
        doubt = refusal(_beside_one_without_a_dot(gap=6), code="doubtful-reading").doubt
    assert doubt == LowConfidence(answer.reading.size, answer.confidence, wanted=0.95)


def _beside_one_without_a_dot(gap: int) -> Bgr:
    bad = screenshot_of(LEVEL_5X5.replace("R", ".", 1))
    return collage(bad, np.zeros((1, gap, 3), np.uint8), screenshot_of(LEVEL_5X5))


def read_with(pitch: int) -> BoxedBoard:
    """Return the first level, read with cells of this width at the upper left corner of a picture."""
    board = candidate_of(reading_of(LEVEL_5X5, pitch=pitch))
    believed = Believed(board.source, board.outcome, doubts=(), confidence=1.0)
    return BoxedBoard(believed, CropBox(0, 0, 5 * pitch, 5 * pitch))


@pytest.mark.parametrize(("pitch", "is_larger"), [(61, False), (64, True), (50, False)])
def test_a_board_must_be_clearly_larger(pitch: int, is_larger: bool) -> None:
    first, other = read_with(60), read_with(pitch)
    (expected, expected_box), (_, left_box) = (other, first) if is_larger else (first, other)
    best, box = larger_of(first, other)
    assert (best.source, box) == (expected.source, expected_box)
    assert best.doubts[0].other == Option("crop", f"0,0,{left_box.width},{left_box.height}")


@pytest.mark.sweep(at_landing=1)
@pytest.mark.parametrize("pitch", [40, 90])
def test_a_smaller_board_is_not_taken_for_a_larger_one_in_silence(pitch):
    """It lies below the larger one, which lacks a dot the second time."""
    with_whole, with_failed = (
        solve_image(collage(screenshot_of(text, pitch=120), screenshot_of(LEVEL_5X5, pitch), axis=0))
        for text in (LEVEL_5X5, LEVEL_5X5.replace("R", ".", 1))
    )
    assert [type(doubt) for doubt in with_whole.doubts] == [SmallerBoard]
    assert pitch_of(with_failed) == pitch
    assert with_failed.confidence < with_whole.confidence
    assert (with_failed.doubtful, with_whole.doubtful) == (True, False)
    x, y, width, height = map(int, with_failed.doubts[0].failed.value.split(","))
    assert (x, y, width, height) == pytest.approx((*CORNER, 5 * 120, 5 * 120), abs=3)


@pytest.mark.parametrize(("own_side_px", "min_dots"), [(900, READING.discs_beside), (500, DOTS.count_min)])
def test_a_failed_board_is_named_if_it_has_dots_enough_for_its_size(own_side_px: int, min_dots: int) -> None:
    """The failed board is 300 px wide: beside a board of 900 px it counts as much smaller."""
    ends_px = [end for pair in reading_of(LEVEL_5X5).ends_px for end in pair]
    for dots in (min_dots - 1, min_dots):
        bgr = screenshot_of(LEVEL_5X5, pitch=60)
        for x, y in ends_px[dots:]:
            cv2.circle(bgr, (round(x), round(y)), 24, (0, 0, 0), -1)
        failed = [step for step in refusal(bgr).steps if step.error]
        own_box = CropBox(0, bgr.shape[0], own_side_px, own_side_px)
        page = Screenshot(np.pad(bgr, ((0, 1000), (0, 0), (0, 0))))
        assert (other_failed(failed, own_box, [own_box], page) is not None) == (dots == min_dots)


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_board_of_other_light_beside_the_answer_is_named(is_whole: bool):
    """Dark lines on white show in none of the channels in which the other board was found."""
    large, small = 255 - screenshot_of(LEVEL_5X5, pitch=120), screenshot_of(LEVEL_5X5, pitch=60)
    page = collage(large, np.pad(small, ((150, 0), (0, 0), (0, 0))))
    if not is_whole:
        cv2.rectangle(page, (300, 300), (420, 900), (100, 120, 60), -1)
    answer = solve_image(page)
    assert pitch_of(answer) == (120 if is_whole else 60)
    assert isinstance(answer.doubts[-1], SmallerBoard if is_whole else FailedBoard)


def test_a_board_of_too_few_pairs_is_named_beside_the_answer():
    few = screenshot_of("B....\nR....\n..B..\n.R...\n.....\n")  # it has one solution
    answer = solve_image(collage(few, screenshot_of(LEVEL_5X5)))
    assert len(answer.reading.puzzle.terminals) == 5
    assert FailedBoard in map(type, answer.doubts)


def test_a_board_without_visible_lines_beside_the_answer_is_named_by_its_dots():
    without_lines = screenshot_of(LEVEL_5X5)
    without_lines[(without_lines == LINE).all(axis=2)] = 0
    x, y = cell_middle(0, 0)
    without_lines[y - 30 : y + 30, x - 30 : x + 30] = 0  # a dot is missing
    answer = solve_image(collage(without_lines, screenshot_of(LEVEL_5X5)))
    assert answer.reading.frame.to_px([(0, 0)])[0][0] > without_lines.shape[1]
    assert isinstance(answer.doubts[-1], FailedBoard)


def test_a_row_of_discs_beside_the_answer_is_no_board():
    row = np.zeros_like(screenshot_of(LEVEL_5X5))
    for number in range(6):
        cv2.circle(row, (40 + 48 * number, 290), 20, (0, 40 * number, 250 - 40 * number), -1, cv2.LINE_AA)
    assert solve_image(collage(row, screenshot_of(LEVEL_5X5))).warnings == ()


@pytest.mark.sweep(at_landing=2)
@pytest.mark.parametrize("pitch", [40, 80])
@pytest.mark.parametrize("crop", [None, (12, 300, 1051, 1051)])
def test_of_a_board_that_a_smaller_one_covers_no_part_is_advised(pitch, crop):
    bgr = pictures.laid_over(screenshot_of(pictures.SPOILT_SEVEN, pitch=150, corner=(12, 300)), pitch)
    answer = solve_image(bgr, Options(crop=crop))
    assert pitch_of(answer) == pitch
    (doubt,) = answer.doubts
    assert doubt == CoveringBoard(weight=doubt.weight)
    assert answer.confidence < 0.7


@pytest.mark.parametrize("dots", [1, 2])
def test_a_much_larger_board_is_named_though_most_of_its_dots_are_covered(dots: int) -> None:
    """With one of its dots left it is not named, with two it is."""
    large, small = screenshot_of(LEVEL_5X5, pitch=150), screenshot_of(LEVEL_5X5, pitch=40)
    for x, y in [end for pair in reading_of(LEVEL_5X5, pitch=150).ends_px for end in pair][dots:]:
        cv2.circle(large, (round(x), round(y)), 60, (0, 0, 0), -1)
    aside = np.pad(small, ((0, 0), (large.shape[1] - small.shape[1], 0), (0, 0)))
    answer = solve_image(collage(large, aside, axis=0))
    assert pitch_of(answer) == 40
    assert [doubt.code for doubt in answer.doubts] == ["two-boards"] * (dots > 1)


@pytest.mark.parametrize("has_side_buttons", [False, True])
def test_rows_of_buttons_above_and_below_a_board_are_no_board(has_side_buttons: bool) -> None:
    board = screenshot_of(LEVEL_5X5, pitch=60, corner=(80, 140))
    bgr = np.pad(board, ((0, 120), (0, 40), (0, 0)))
    above, below, left = 60, 500, 40
    for x in (left, 230, 420):
        for y in (above, below):
            cv2.circle(bgr, (x, y), 14, (200, 60 + x // 4, 90), -1, cv2.LINE_AA)
    for y in (200, 380) if has_side_buttons else ():
        cv2.circle(bgr, (left, y), 14, (0, 140, 250), -1, cv2.LINE_AA)
    assert bool(solve_image(bgr).warnings) == has_side_buttons


def test_the_board_that_is_read_is_not_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    bgr = screenshot_of(LEVEL_5X5)
    whole = CropBox(0, 0, bgr.shape[1], bgr.shape[0])
    monkeypatch.setattr(other_board, "_boxes_to_read", lambda *_: [whole])
    answer = solve_image(bgr)
    assert (answer.warnings, answer.other_board) == ((), None)


@pytest.mark.parametrize(("seconds_a_look", "looks"), [(1.0, 4), (100.0, 1)])
def test_boards_beside_use_no_time_of_their_own(monkeypatch, seconds_a_look, looks):
    """All looks have the deadline of the first, after the 30 s that a reading may take."""
    now, deadlines, read_board = [0.0], list[float](), other_board.read_board

    def look(reading_run: ReadingRun) -> object:
        deadlines.append(reading_run.deadline)
        try:
            return read_board(reading_run)
        finally:
            now[0] += seconds_a_look

    for module in (pipeline, other_board):
        monkeypatch.setattr(module, "read_board", look)
    monkeypatch.setattr(run, "perf_counter", lambda: now[0])
    board, grid = screenshot_of(LEVEL_5X5, pitch=60), screenshot_of(".....\n" * 5, pitch=40)
    solve_image(collage(board, grid, grid))
    assert deadlines == pytest.approx([30.0] * looks, abs=1)  # less what decoding took


@pytest.mark.parametrize("noise", [0.0, 0.01, 0.02])
def test_discs_of_one_size_are_seen_among_others_and_in_noise(noise: float):
    """``noise``: the share of pixels that are black or white."""
    reading = reading_of(LEVEL_5X5)
    radius, left, top, pitch_x, pitch_y = 25, 480, 120, 90, 110
    page = np.zeros((600, 800, 3), np.uint8)
    for number in range(8):
        row, col = divmod(number, 3)
        colour = list(COLOURS.values())[number % 4]
        cv2.circle(page, (left + pitch_x * col, top + pitch_y * row), radius, colour, -1, cv2.LINE_AA)
    for number in range(12):
        above_or_below = 30 + 520 * (number % 2)
        cv2.circle(page, (420 + 30 * number, above_or_below), 7, (220,) * 3, -1, cv2.LINE_AA)
    chance = np.random.default_rng(1).random(page.shape[:2])
    page[chance < noise / 2] = 0
    page[chance > 1 - noise / 2] = 255
    shot = Screenshot(page)
    own = box_of(reading.board, reading.frame, shot)
    parts = [Part(box, other_board._view_of(box, shot)) for box in parts_beside(own, shot)]
    box = discs_beside(own, parts, reading, shot)
    margin = radius / other_board.DOT_RADIUS  # half a cell
    expected = left - margin, top - margin, 2 * pitch_x + 2 * margin, 2 * pitch_y + 2 * margin
    assert (box.x, box.y, box.width, box.height) == pytest.approx(expected, abs=8)


def test_a_board_that_was_read_in_the_end_has_not_failed() -> None:
    """The larger board has failed, unless its box is among those of boards that were read."""
    large, small = (
        screenshot_of(pictures.SPOILT_SEVEN, pitch=86, corner=(12, 300)),
        screenshot_of(LEVEL_5X5, pitch=80, corner=(12, 300)),
    )
    run = ReadingRun.begin(Screenshot(collage(large, small)), Options(), Log())
    best = other_board.read_board(run)
    own = box_of(best.reading.board, best.reading.frame, run.shot)
    ended = other_board._not_believed(run.log)
    failed = other_board.other_failed(ended, own, [own], run.shot)
    assert failed.width == pytest.approx(7 * 86, abs=3)
    assert other_board.other_failed(ended, own, [own, failed], run.shot) is None
