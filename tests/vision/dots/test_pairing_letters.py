"""Letters tell dots apart that colours do not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from flowvision.errors import AmbiguousColoursError
from flowvision.image.picture import Rgb
from flowvision.pipeline import read_image
from flowvision.puzzle import boards
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.synthetic import Style, draw_screenshot
from flowvision.render.themes import CURRENT, Theme
from flowvision.solvers import has_one_strict_solution, solve
from flowvision.vision.dots.pairing import unlikeness
from flowvision.vision.settings import PairingSettings

ASKED = PairingSettings()


def faces_of(words: str, seed: int) -> np.ndarray:
    """Letters drawn into squares, each a little off its place."""
    rng = np.random.default_rng(seed)
    faces = np.zeros((len(words), 21, 21), np.uint8)
    for face, letter in zip(faces, words, strict=True):
        place = (4 + int(rng.integers(2)), 16 + int(rng.integers(2)))
        cv2.putText(face, letter, place, cv2.FONT_HERSHEY_SIMPLEX, 0.55, 200, 2)
    return faces + rng.normal(0, 5, faces.shape)


@pytest.mark.parametrize("seed", range(5))
def test_the_same_letter_is_most_alike(seed):
    """Every letter's nearest is its like, and letters are quite unlike one another."""
    words = "ABCDEFGH"
    unlike = unlikeness(faces_of(words + words, seed), ASKED) + np.diag(np.full(16, 9.0))
    assert np.array_equal(unlike.argmin(axis=1), (np.arange(16) + 8) % 16)


def test_without_letters_there_is_no_verdict():
    """Neither for plain dots, nor where one dot alone has none, nor for no dots."""
    assert unlikeness(np.zeros((4, 21, 21)), ASKED) is None
    assert unlikeness(np.concatenate((faces_of("ABA", 1), np.zeros((1, 21, 21)))), ASKED) is None
    assert unlikeness(np.zeros((0, 21, 21)), ASKED) is None


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("ink", ["white", "black"])
def test_a_picture_without_colours_is_read_by_its_letters(seed, ink):
    """A grey print of a board in the colour-blind mode; without letters it is refused, not guessed."""
    board = boards.square(7, 7)
    number = seed
    while True:
        puzzle, solution = random_puzzle(board, number, 6)
        outcome = solve(puzzle)
        if has_one_strict_solution(outcome):
            break
        number += 10
    grey = Theme("grey", (Rgb(128, 128, 128),) * 6, CURRENT.lines, CURRENT.glow)
    shot = draw_screenshot(board, puzzle, Style(grey, letters=ink), seed, solution).screenshot
    reading = read_image(shot).reading
    assert {frozenset(p) for p in reading.puzzle.terminals} == {frozenset(p) for p in puzzle.terminals}
    if (seed, ink) == (1, "white"):
        with pytest.raises(AmbiguousColoursError):
            read_image(draw_screenshot(board, puzzle, Style(grey), seed, solution).screenshot)
