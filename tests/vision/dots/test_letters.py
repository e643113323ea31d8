import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.corrections import SetCell
from flowvision.image.picture import Rgb
from flowvision.palette import letters_for
from flowvision.puzzle import boards
from flowvision.render.look import Look
from flowvision.render.paint import text
from flowvision.vision.dots.letters import unlikeness
from tests.boards import unique_puzzle
from tests.tools.synthetic import PHONES, Style, draw_screenshot

BOARD = boards.square(6, 6)
BLACK = Rgb(0, 0, 0)


def lettered(seed: int, board=BOARD, flows: int = 5, **style):
    """A board with letters on its dots, and by cell the letter that is drawn there."""
    puzzle, _ = unique_puzzle(board, seed, flows)
    how = Style(**({"phone": PHONES["small"], "chrome": False, "letters": "both"} | style))
    shot = draw_screenshot(board, puzzle, how, seed)
    return shot, {dot: "ABCDEFGHIJ"[flow] for dot, flow in puzzle.dots.items()}


def read_letters(reading) -> dict[int, str]:
    """Return the letter that was read in each cell with a dot."""
    return {dot: reading.letters[flow] for dot, flow in reading.puzzle.dots.items()}


@pytest.mark.parametrize(
    ("seed", "board", "flows", "style"),
    [
        (1, BOARD, 5, {}),
        (2, BOARD, 4, {"letters": "black"}),
        (3, boards.square(8, 8), 8, {"phone": PHONES["full-hd"], "quality": 70}),
        (4, boards.square(9, 9), 9, {"scale": 0.6}),
        (5, boards.hexagonal(5, 5), 5, {}),
    ],
)
def test_drawn_letters_are_read(seed, board, flows, style):
    shot, drawn = lettered(seed, board, flows, **style)
    reading = solve_image(shot.screenshot).reading
    assert reading.names
    assert read_letters(reading) == drawn


def test_without_letters_on_dots_letters_are_those_of_colours():
    shot, _ = lettered(1, letters=None)
    reading = solve_image(shot.screenshot).reading
    assert reading.names == ()
    assert reading.letters == letters_for(reading.palette)


@pytest.mark.parametrize("words", ["ABCDD", "12345", "ABCDZ", "AAAAA", "ABCD."])
def test_letters_that_do_not_name_flows_in_order_are_not_believed(words):
    """``words``: what stands on both dots of each flow."""
    shot, letter_of = lettered(1, letters=None)
    bgr, pitch = shot.screenshot.bgr.copy(), shot.frame.pitch_px((3, 3))
    for dot, letter in letter_of.items():
        at = shot.frame.to_px(BOARD.layout.cells[dot].centre)[0].tolist()
        text(bgr, at, words["ABCDE".index(letter)], 0.36 * pitch, BLACK, "mm")
    assert solve_image(bgr).reading.names == ()


def test_letters_that_were_read_are_those_of_every_output():
    shot, letter_of = lettered(1)
    answer = solve_image(shot.screenshot)
    rows, grid = str(answer).splitlines(), answer.to_dict()["board"]["grid"]
    places = {dot: BOARD.lattice.places[dot] for dot in letter_of}
    assert {dot: rows[r][c] for dot, (r, c) in places.items()} == letter_of
    assert {dot: grid[r][c] for dot, (r, c) in places.items()} == letter_of


def test_letters_are_drawn_along_pipes_and_not_on_dots_that_have_some():
    shot, _ = lettered(1)
    plain, with_letters = (solve_image(shot.screenshot, look=Look(letters=has)) for has in (False, True))
    changed = (with_letters.picture != plain.picture).any(axis=2)
    assert changed.any()
    rows, cols = np.indices(changed.shape)
    for x, y in np.reshape(plain.reading.ends_px, (-1, 2)):
        on_dot = np.hypot(cols - x, rows - y) < 0.3 * shot.frame.pitch_px((3, 3))
        assert not changed[on_dot].any()


def test_corrections_mean_the_letters_that_were_read():
    shot, letter_of = lettered(1)
    dot = next(dot for dot, letter in letter_of.items() if letter == "B")
    unchanged = SetCell(BOARD.lattice.places[dot], "B")
    assert read_letters(solve_image(shot.screenshot, corrections=(unchanged,)).reading) == letter_of


def drawn_faces(words: str, seed: int) -> np.ndarray:
    """Return noisy pictures of these letters, each a little off its place."""
    rng = np.random.default_rng(seed)
    faces = np.zeros((len(words), 21, 21), np.uint8)
    for face, letter in zip(faces, words, strict=True):
        place = (4 + int(rng.integers(2)), 16 + int(rng.integers(2)))
        cv2.putText(face, letter, place, cv2.FONT_HERSHEY_SIMPLEX, 0.55, 200, 2)
    return faces + rng.normal(0, 5, faces.shape)


@pytest.mark.parametrize("seed", range(5))
def test_the_same_letter_is_most_alike(seed):
    words = "ABCDEFGH"
    difference = unlikeness(drawn_faces(words + words, seed))
    np.fill_diagonal(difference, np.inf)  # each to itself
    partners = [*range(8, 16), *range(8)]
    assert difference.argmin(axis=1).tolist() == partners
