"""Dots that a reading missed, told from what else stands on a board and beside it."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
import pytest

from flowvision.errors import FlowvisionError
from flowvision.image.picture import Screenshot
from flowvision.pipeline import read_image
from flowvision.puzzle import boards
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.reading import search
from flowvision.reading.missed_dots import (
    are_missed_dots,
    are_of_another_board,
    dot_like_places,
    misses_dots,
    places_without_dot,
    share_unexplained,
)
from flowvision.solvers import Solved, has_one_strict_solution, solve
from flowvision.vision.assembly import Interpretation
from tests.drawing import COLOURS, FIVE, PART, reading_of, screenshot_of
from tests.seeing import SETTINGS
from tests.tools.synthetic import PHONES, PlayedPath, Style, draw_screenshot

ASKED = SETTINGS.reading, SETTINGS.dots

CORNER = (200, 200)


def discs_at(*places: tuple[float, float], radius: float = 20.0) -> np.ndarray:
    """Discs in the middles of cells of boards that ``reading_of`` makes; and on all dots of ``PART``."""
    dots = [(r, c) for r, line in enumerate(PART.split()) for c, letter in enumerate(line) if letter != "."]
    return np.array(
        [(12 + (c + 0.5) * 60, 140 + (r + 0.5) * 60, 20.0) for r, c in dots]
        + [(12 + (c + 0.5) * 60, 140 + (r + 0.5) * 60, radius) for r, c in places]
    )


def test_missed_dots_are_noticed():
    """Two discs like its dots in cells without one, or on the lattice beside it."""
    reading = reading_of(PART, pitch=60, corner=(12, 140))
    assert not are_missed_dots(reading, discs_at(), *ASKED)
    assert are_missed_dots(reading, discs_at((2, 1), (2, 2)), *ASKED)
    assert are_missed_dots(reading, discs_at((0, 4), (2, 2)), *ASKED)
    assert are_missed_dots(reading, discs_at((0, 4), (6, 0)), *ASKED)


def test_what_is_no_missed_dot():
    """One alone, discs of another size, off the lattice, far away; or where the dots are no discs at all."""
    reading = reading_of(PART, pitch=60, corner=(12, 140))
    assert not are_missed_dots(reading, discs_at((2, 1)), *ASKED)
    assert not are_missed_dots(reading, discs_at((2, 1), (2, 2), radius=26.0), *ASKED)
    assert not are_missed_dots(reading, discs_at((2.5, 1), (2, 1.6), (-1.5, 0), (0, 4.4)), *ASKED)
    assert not are_missed_dots(reading, discs_at((0, 6), (2, 6), (9, 0), (9, 1)), *ASKED)
    assert not are_missed_dots(reading, discs_at((2, 1), (2, 2))[-4:], *ASKED)
    assert not are_missed_dots(reading, np.empty((0, 3)), *ASKED)


def test_a_row_of_buttons_is_no_rest_of_the_board():
    """It is on the lattice only here and there, by chance; the rest of a board is on it throughout."""
    reading = reading_of(PART, pitch=60, corner=(12, 140))
    assert not are_missed_dots(reading, discs_at(*((5.1, 1.13 * n) for n in range(8))), *ASKED)
    assert are_missed_dots(reading, discs_at(*((5.1, n) for n in range(3))), *ASKED)
    assert are_missed_dots(reading, discs_at((2, 1), (2, 2), *((5.1, 1.13 * n) for n in range(8))), *ASKED)


def with_discs(*places: tuple[float, float], radius: float = 0.345, pitch: int = 60) -> Screenshot:
    """``PART``, and white discs at places on and beside it."""
    bgr = screenshot_of(PART, pitch, CORNER)
    for row, col in places:
        middle = CORNER[0] + round((col + 0.5) * pitch), CORNER[1] + round((row + 0.5) * pitch)
        cv2.circle(bgr, middle, round(radius * pitch), COLOURS["W"], -1, cv2.LINE_AA)
    return Screenshot(bgr)


@pytest.mark.parametrize("pitch", [30, 60, 140])
def test_the_prefilter_sees_every_disc_that_may_be_a_dot(pitch):
    """Wherever on the lattice and round it, a little off or a little larger too; none where none is drawn."""
    reading = reading_of(PART, pitch=pitch, corner=CORNER)
    rng = np.random.default_rng(pitch)
    places = places_without_dot(reading, *ASKED)
    assert not dot_like_places(reading, places, with_discs(pitch=pitch), SETTINGS).any()
    for _ in range(20):
        row, col = rng.choice([(2, 0), (2, 1), (2, 2), (3, 2), (1, -1), (5, 0)])
        off = rng.uniform(-0.15, 0.15, 2)
        shot = with_discs((row + off[0], col + off[1]), radius=0.345 * rng.uniform(0.9, 1.1), pitch=pitch)
        assert np.count_nonzero(dot_like_places(reading, places, shot, SETTINGS)) == 1


def test_two_discs_that_were_not_read_are_missed_dots():
    """In the picture itself; one of them may be a button."""
    reading = reading_of(PART, pitch=60, corner=CORNER)
    assert misses_dots(reading, with_discs((2, 0), (2, 2)), SETTINGS)
    assert misses_dots(reading, with_discs((1, -1), (5, 0)), SETTINGS)
    assert not misses_dots(reading, with_discs((2, 0)), SETTINGS)
    assert not misses_dots(reading, with_discs((2, 0), (2, 2), radius=0.25), SETTINGS)


@pytest.mark.parametrize(
    "rings",
    [((0, 220, 255), (40, 110, 255), (200, 120, 255)), ((80, 255, 180), (200, 200, 200), (200, 120, 255))],
)
def test_dots_of_several_colours_are_missed(rings):
    """Rings of other sizes than the dots, off their middles; one of them alone may be a sticker."""
    reading, shot = reading_of(PART, pitch=60, corner=CORNER), with_discs()
    for row, col in ((2, 1), (2, 2)):
        assert not misses_dots(reading, shot, SETTINGS)
        x, y = CORNER[0] + 60 * col + 28, CORNER[1] + 60 * row + 31
        for radius, colour in zip((26, 20, 13), rings, strict=True):
            x += 1
            cv2.circle(shot.bgr, (x, y), radius, colour, -1, cv2.LINE_AA)
    assert misses_dots(reading, shot, SETTINGS)


@pytest.mark.parametrize("noise", [0, 15])
def test_dots_further_from_a_small_part_are_missed(noise):
    """Two rows and columns away, as the rest of the board is played and shows no lines; in noise as well."""
    text = "R..\n.G.\nGR.\n"
    bgr = screenshot_of(text, 60, CORNER)
    for row, col, away in ((-2, 1, 1), (1, -2, -1), (-2, -1, -1)):
        x, y = CORNER[0] + 60 * col + 30, CORNER[1] + 60 * row + 30
        cv2.line(bgr, (x, y), (x + 60 * away, y), (0, 140, 255), 20, cv2.LINE_AA)
        cv2.circle(bgr, (x, y), 21, (0, 140, 255), -1, cv2.LINE_AA)
    grain = np.random.default_rng(0).normal(0, noise, bgr.shape)
    shot = Screenshot(np.clip(bgr + grain, 0, 255).astype(np.uint8))
    assert misses_dots(reading_of(text, pitch=60, corner=CORNER), shot, SETTINGS)


def test_circles_are_not_looked_for_where_no_place_has_a_disc(monkeypatch: pytest.MonkeyPatch):
    """Pipes fill no rings, nor do their bends and ends: most boards that are not read surely are in play."""
    reading, shot = reading_of(PART, pitch=60, corner=CORNER), with_discs()
    places = [(2, 0), (2, 2), (3, 2), (3, 1), (4, 0)]
    points = [(CORNER[0] + 60 * col + 30, CORNER[1] + 60 * row + 30) for row, col in places]
    cv2.polylines(shot.bgr, [np.array(points)], False, COLOURS["B"][::-1], 20, cv2.LINE_AA)
    cv2.circle(shot.bgr, points[-1], 15, COLOURS["B"][::-1], -1, cv2.LINE_AA)
    monkeypatch.setattr(cv2, "HoughCircles", None)
    assert not misses_dots(reading, shot, SETTINGS)


def test_the_middles_of_rings_are_no_dots():
    """They are as large as dots and show the ground; in another colour they are."""
    reading, shot = reading_of(PART, pitch=60, corner=CORNER), with_discs()
    for filled, is_missed in (((0, 0, 0), False), ((200, 40, 160), True)):
        for row, col in ((2, 0), (2, 2), (3, 1)):
            centre = CORNER[0] + 60 * col + 30, CORNER[1] + 60 * row + 30
            cv2.circle(shot.bgr, centre, 20, filled, -1, cv2.LINE_AA)
            cv2.circle(shot.bgr, centre, 24, (110, 110, 110), 8, cv2.LINE_AA)
        assert misses_dots(reading, shot, SETTINGS) == is_missed


def test_a_part_with_one_solution_is_not_believed(monkeypatch: pytest.MonkeyPatch):
    """However it came about: the picture shows more dots of the same size on the same lattice."""
    shot = Screenshot(screenshot_of(FIVE))
    part, whole = reading_of(PART, 0.8), reading_of(FIVE, 0.8)
    for offered in ([part], [part, whole]):
        readings = [Interpretation(reading, None) for reading in offered]
        monkeypatch.setattr(search, "interpretations", lambda *_, these=readings: iter(these))
        if len(offered) == 2:
            assert read_image(shot).reading is whole
        else:
            with pytest.raises(FlowvisionError):
                read_image(shot)


def played(size: int, seed: int, flows: int) -> np.ndarray:
    """A small screenshot of a board on which some of the flows are drawn."""
    board = boards.square(size, size)
    puzzles = (random_puzzle(board, seed + 100 * n, size) for n in range(100))
    puzzle, solution = next(made for made in puzzles if has_one_strict_solution(solve(made[0])))
    pipes = [PlayedPath(flow, path, True) for flow, path in enumerate(solution.paths[:flows])]
    style = Style(phone=PHONES["galaxy"], drawn=0.0)
    bgr = draw_screenshot(board, puzzle, style, seed, pipes=pipes).screenshot.bgr[500:1900]
    return cv2.resize(bgr, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)


@pytest.mark.parametrize("seed", [0, 3])
def test_a_half_played_board_lost_in_grain_beside_the_answer_is_named(seed: int):
    """No line of it is seen, but its discs; so are letters and buttons round it, which are smaller."""
    clean, other, grain = played(5, seed, 0), played(6, seed + 50, 3), np.random.default_rng(seed)
    other = np.clip(other + grain.normal(0, 30, other.shape), 0, 255).astype(np.uint8)
    (warning,) = read_image(np.hstack((clean, other))).warnings
    assert "another board in the picture that could not be read" in warning


@pytest.mark.parametrize("seed", range(3))
def test_dots_between_the_places_are_of_another_board(seed: int):
    """As many as two pairs, of one size; one pair may be buttons, and those on the lattice are its own."""
    reading = reading_of(PART, pitch=60, corner=(12, 140))
    between = [(0.45, 0.45), (0.45, 2.45), (1.45, 1.45), (2.45, 0.45)]
    drawn = np.random.default_rng(seed).permutation(len(between))
    discs = discs_at(*(between[n] for n in drawn))
    assert are_of_another_board(reading, discs, *ASKED)
    assert not are_of_another_board(reading, discs[:-1], *ASKED)
    assert not are_of_another_board(reading, discs_at(*between, radius=8.0), *ASKED)
    assert not are_of_another_board(reading, discs_at((2, 1), (2, 2), (0, 4), (1, 1)), *ASKED)


@pytest.mark.parametrize("seed", range(4))
def test_what_stands_out_and_is_no_dot_is_measured(seed: int):
    """None on a board alone, with pipes or without; discs between its cells are found by it."""
    bgr = played(6, seed, 3)
    answer = read_image(bgr)
    assert share_unexplained(answer.reading, Screenshot(bgr), SETTINGS) < SETTINGS.reading.mixed / 2
    pitch = answer.reading.frame.pitch_px(answer.reading.board.layout.cells[0].centre)
    corners = [cell.outline[0] for cell in answer.reading.board.layout.cells[::7]]
    for x, y in answer.reading.frame.to_px(corners):
        cv2.circle(bgr, (round(x), round(y)), round(0.34 * pitch), (170, 255, 200), -1, cv2.LINE_AA)
    assert share_unexplained(answer.reading, Screenshot(bgr), SETTINGS) > SETTINGS.reading.mixed
    assert misses_dots(answer.reading, Screenshot(bgr), SETTINGS)


@pytest.mark.parametrize("letters", [None, "white", "black"])
def test_pipes_on_a_board_with_letters_are_explained(letters: Literal["white", "black"] | None):
    """The colour of a flow is that of its dots, not of the letters on them: nothing stands out."""
    made = parse(FIVE)
    outcome = solve(made.puzzle)
    assert isinstance(outcome, Solved)
    pipes = [PlayedPath(flow, path, True) for flow, path in enumerate(outcome.solution.paths[:4])]
    shown = draw_screenshot(made.board, made.puzzle, Style(letters=letters), 3, pipes=pipes).screenshot
    reading = read_image(shown).reading
    assert share_unexplained(reading, shown, SETTINGS) < SETTINGS.reading.mixed / 2
