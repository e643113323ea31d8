"""The text above a board is read surely, or not at all."""

from random import Random

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Bgr, Rgb
from flowvision.vision.header import Header, read_header, unit_vectors
from flowvision.vision.pixels.view import Floats
from tests.tools.synthetic import draw_chrome

BOARD = 8.0, 420.0, 1072.0, 1484.0
OUTLINE: Floats = np.array([BOARD[:2], BOARD[2:]])
SIZES = ("5x5", "8x10", "12x15", "9x9", "7x6", "11x14")


def page(size: str, flows: tuple[int, int], seed: int = 1) -> Bgr:
    """A screen of which the board is still to be drawn."""
    canvas = np.zeros((1920, 1080, 3), np.uint8)
    draw_chrome(canvas, BOARD, flows, size, Rgb(255, 130, 0), Random(seed))
    return canvas


def values(header: Header) -> tuple[tuple[int, int] | None, int | None]:
    """Return the size, rows first, and the number of flows."""
    return header.size, header.flows


@pytest.mark.parametrize(("title", "flows"), [(title, 4 + 2 * n) for n, title in enumerate(SIZES)])
def test_size_and_flows_are_read(title: str, flows: int) -> None:
    cols, rows = map(int, title.split("x"))
    header = read_header(page(title, (flows // 2, flows)), OUTLINE)
    assert values(header) == ((rows, cols), flows)


def test_unit_vectors_have_mean_0_and_length_1_each() -> None:
    vectors = unit_vectors(np.array([(0, 10, 20, 90), (7, 5, 5, 7)], np.uint8))
    assert vectors.mean(axis=1) == pytest.approx([0, 0], abs=1e-6)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1])


@pytest.mark.parametrize("scale", [0.35, 0.5, 1.7])
def test_of_shrunk_and_enlarged_pictures_nothing_wrong_is_read(scale: float) -> None:
    for flows, title in enumerate(SIZES, 5):
        cols, rows = map(int, title.split("x"))
        bgr = page(title, (0, flows))
        scaled = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        header = read_header(np.asarray(scaled, np.uint8), scale * OUTLINE)
        assert header.size in (None, (rows, cols))
        assert header.flows in (None, flows)


def test_light_pages_have_dark_text() -> None:
    header = read_header(255 - page("8x8", (2, 9)), OUTLINE)
    assert values(header) == ((8, 8), 9)


@pytest.mark.parametrize("words", ["level 1/12", "12:30", "moves: 7", "2x12", "1x1", "best 10", "0x5x5"])
def test_other_numbers_are_no_size_and_no_flows(words: str) -> None:
    bgr = np.zeros((1920, 1080, 3), np.uint8)
    for x, y in ((40, 120), (40, 380), (500, 250)):
        cv2.putText(bgr, words, (x, y), cv2.FONT_HERSHEY_DUPLEX, 1.6, (255, 255, 255), 3, cv2.LINE_AA)
    assert values(read_header(bgr, OUTLINE)) == (None, None)


def test_text_above_another_board_or_the_picture_is_not_read() -> None:
    _, top, _, _ = BOARD
    bgr = page("5x5", (0, 6))
    assert values(read_header(bgr, OUTLINE, above_px=top - 5)) == (None, None)
    assert values(read_header(bgr, OUTLINE - (0, top))) == (None, None)


def test_noise_of_more_pieces_than_have_labels_says_nothing() -> None:
    bgr = np.zeros((1000, 1000, 3), np.uint8)
    bgr[:600:2, ::2] = 255  # every second pixel above the board
    assert values(read_header(bgr, np.array([(100.0, 600.0), (1000.0, 1000.0)]))) == (None, None)
