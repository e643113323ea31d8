"""Pictures that are refused, each for one cause, drawn."""

import cv2
import numpy as np

from flowvision.image.picture import Bgr
from flowvision.puzzle import boards
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from tests.drawing import COLOURS, FIVE, NONE, random_text, screenshot_of
from tests.tools.synthetic import Style, draw_screenshot


def cut_board() -> Bgr:
    """The lower rows of the board lie beyond the picture."""
    return screenshot_of(FIVE, 120, (12, 300))[: 300 + 3 * 120 + 20]


def cut_hexagons(side: str, cut: float = 0.5) -> Bgr:
    """A board of hexagons that ends ``cut`` pitches beyond a side of the picture."""
    board = boards.hexagonal(7, 7)
    shot = draw_screenshot(board, random_puzzle(board, 1)[0], Style(), 1)
    corners = shot.frame.to_px(board.layout.corners)
    (x0, _), (x1, y1) = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
    cut_px = round(cut * shot.frame.pitch_px(board.layout.cells[0].centre))
    ends = {"left": np.s_[:, x0 + cut_px :], "right": np.s_[:, : x1 - cut_px], "bottom": np.s_[: y1 - cut_px]}
    return np.ascontiguousarray(shot.screenshot.bgr[ends[side]])


def hidden_dot() -> Bgr:
    """A notification lies over a dot."""
    bgr = screenshot_of(FIVE, 120, (12, 300))
    cv2.rectangle(bgr, (12 + 5, 305), (12 + 114, 414), (40, 40, 40), -1)
    cv2.putText(bgr, "Mail", (30, 370), cv2.FONT_HERSHEY_SIMPLEX, 1, (200, 200, 200), 2)
    return bgr


def empty_board() -> Bgr:
    """A level that has not appeared yet."""
    return screenshot_of(".....\n" * 5, 120, (12, 300))


def laid_over(picture: Bgr, pitch: int) -> Bgr:
    """A small screenshot in the middle of a larger picture."""
    small, bgr = screenshot_of(FIVE, pitch, (12, 80)), picture.copy()
    y, x = ((np.array(bgr.shape) - small.shape) // 2)[:2].tolist()
    bgr[y : y + len(small), x : x + small.shape[1]] = small
    return bgr


def advertisement() -> Bgr:
    """Another game of seven rows and columns."""
    return screenshot_of("RGRGRGR\nGRGRGRG\nRGRGRGG\nGRGRGRG\n" + 3 * "RGRGGGR\n", 150, (12, 300))


def menu() -> Bgr:
    bgr = np.zeros((1000, 540, 3), np.uint8)
    for n, words in enumerate(("Play", "Packs", "Daily puzzle", "Settings", "Help")):
        cv2.rectangle(bgr, (70, 250 + n * 110), (470, 330 + n * 110), (200, 120, 60), 3)
        cv2.putText(bgr, words, (165, 300 + n * 110), cv2.FONT_HERSHEY_SIMPLEX, 1, (255, 255, 255), 3)
    return bgr


def wallpaper() -> Bgr:
    """Shards between bright lines."""
    rng = np.random.default_rng(1)
    height, width = 800, 450
    points = rng.uniform(0, 1, (90, 2)) * (width, height)
    y, x = np.mgrid[:height:2, :width:2]
    apart = np.sort(np.hypot(x[..., None] - points[:, 0], y[..., None] - points[:, 1]), axis=2)
    ground = np.stack([80 + 60 * np.sin(x / 100 + k) + 30 * np.cos(y / 75 - k) for k in range(3)], -1)
    shown = np.where((apart[..., 1] - apart[..., 0] < 3)[..., None], 230, ground).astype(np.uint8)
    return np.asarray(cv2.resize(shown, (width, height)), np.uint8)


def two_boards() -> Bgr:
    """Two boards, neither of which has a solution."""
    upper, lower = (
        screenshot_of(NONE, 150, (60, 140)),
        screenshot_of("R..G\n.B..\n..B.\nG..R\n", 120, (60, 140)),
    )
    width = max(upper.shape[1], lower.shape[1])
    both = [np.pad(one, ((0, 0), (0, width - one.shape[1]), (0, 0))) for one in (upper, lower)]
    return np.concatenate(both)


def counters() -> Bgr:
    """Another game: pieces of two colours all over the board."""
    return screenshot_of("RGRGR\nGRGRG\nRGRGR\nGRGRG\nRGRGG\n", 120, (12, 300))


def erased_dot() -> Bgr:
    return screenshot_of(FIVE.replace("R", ".", 1), 120, (12, 300))


def recoloured_dot() -> Bgr:
    """A green dot has the colour of the yellow ones."""
    return screenshot_of(FIVE.replace("G", "Y", 1), 120, (12, 300))


def grey_board() -> Bgr:
    """A board in greys, of which two colours are as bright: what is read as pairs has no solution."""
    known = parse(random_text(8, 8, 7, seed=13))
    bgr = draw_screenshot(known.board, known.puzzle, Style(), 13).screenshot.bgr
    return np.asarray(cv2.cvtColor(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)


def moved_dot() -> Bgr:
    """A blue dot lies in another cell, and no single step of a dot puts it right."""
    return screenshot_of("R.G.Y\n....O\n.B...\n.G.Y.\n.RBO.\n", 120, (12, 300))


def discs() -> Bgr:
    """Another game: numbered discs of one colour."""
    return screenshot_of("M.M..\n..M.M\n.M...\nM...M\n..M..\n", 120, (12, 300))


def tilted() -> Bgr:
    """The board is tilted by a third of a right angle, and runs out of the picture left and right."""
    bgr = screenshot_of(random_text(9, 9, 9, seed=5), 100, (20, 500))
    height, width = bgr.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 30, 1)
    return np.asarray(cv2.warpAffine(bgr, turn, (width, height)), np.uint8)


def photo() -> Bgr:
    rng = np.random.default_rng(2)
    y, x = np.mgrid[:900, :600]
    seen = np.stack([90 + 70 * np.sin(x / 150 + k) + 40 * np.cos(y / 110 - k) for k in range(3)], -1)
    for _ in range(60):
        at, axes = rng.integers(0, (600, 900)).tolist(), rng.integers(10, 90, 2).tolist()
        colour = rng.uniform(20, 230, 3).tolist()
        cv2.ellipse(seen, at, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1)
    soft = cv2.GaussianBlur(seen, (0, 0), 1.2) + rng.normal(0, 7, seen.shape)
    return np.asarray(np.clip(soft, 0, 255), np.uint8)


def banner_below_words() -> Bgr:
    """A bright bar lies over most of the last row; above the board stand words of the game."""
    bgr = screenshot_of(FIVE, 120, (12, 300))
    cv2.rectangle(bgr, (0, 794), (bgr.shape[1], 910), (30, 30, 220), -1)
    cv2.rectangle(bgr, (12, 185), (12 + 4 * 120, 295), (60, 60, 60), -1)
    return bgr


def boxes(*cells: tuple[int, int], colours: bool = False) -> Bgr:
    """Boxes lie over the dots of these cells, a little wider than dots are, grey or in their ``colours``."""
    bgr = screenshot_of(FIVE, 120, (12, 300))
    for row, col in cells:
        x, y = 12 + 120 * col + 60, 300 + 120 * row + 60
        colour = COLOURS[FIVE.split()[row][col]][::-1] if colours else (110, 110, 110)
        cv2.rectangle(bgr, (x - 42, y - 42), (x + 42, y + 42), colour, -1)
    return bgr


def small_board_beside() -> Bgr:
    """A large board without a solution, and a small one beside it."""
    large, small = screenshot_of(SPOILT_SEVEN, 100, (12, 200)), screenshot_of(FIVE, 40, (20, 450))
    beside = np.zeros((len(large), small.shape[1], 3), np.uint8)
    beside[: len(small)] = small[: len(large)]
    return np.hstack((large, beside))


SPOILT_SEVEN = "....RB.\n....YM.\n..M....\n.....B.\n...O...\n.PO..OY\n......R\n"
"""The second level of a sample with a dot of a wrong colour: three are orange."""
LACKING = ".YR..\nYP...\n..N..\nN....\nP.R..\n"
"""All of its dots lie in the first four columns, which have no solution, and one where a dot is moved."""


def without_column(side: str) -> Bgr:
    """A screenshot without the column of the board at that side, in which no dot lies."""
    bgr = screenshot_of(LACKING, 120, (12, 300))[:, : 12 + 4 * 120 + 2]
    return np.ascontiguousarray(bgr if side == "right" else bgr[:, ::-1])


def two_red_pairs() -> Bgr:
    return screenshot_of(FIVE.replace("O", "R"), 120, (12, 300))
