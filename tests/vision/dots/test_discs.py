import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.image.picture import Bgr, Rgb, Screenshot
from flowvision.render.paint import text
from flowvision.vision.dots.discs import disc_models
from tests.boards import FIVE_PAIRS, pairs_of
from tests.drawing import BLACK, COLOURS, FIVE, FIVE_SOLVED, LEFT, TOP, WHITE, copy_of
from tests.seeing import AMPLE, geometry_of, refusal

HELD = frozenset(cell for pair in FIVE_PAIRS for cell in pair)
"""The cells of the first level that hold a dot."""


def write_letters(bgr: Bgr, pitch: int, corner: tuple[int, int], size: int) -> None:
    """Write on each dot the letter of its colour; not by OpenCV, whose versions have different letters."""
    for cell in HELD:
        row, col = divmod(cell, 5)
        at = corner[0] + pitch * col + pitch // 2, corner[1] + pitch * row + pitch // 2
        text(bgr, at, FIVE.split()[row][col], size, Rgb(0, 0, 0), "mm")


def clear_cells(bgr: Bgr) -> frozenset[int] | None:
    return disc_models(geometry_of(Screenshot(bgr)))[0].cells


def pairs_in(bgr: Bgr) -> set[frozenset[int]]:
    return pairs_of(solve_image(bgr, AMPLE).reading.puzzle)


@pytest.mark.sweep(10)
@pytest.mark.parametrize(
    ("dot", "size", "how"),
    [
        *((dot, (60, 60), {"rim": rim}) for dot in (0.22, 0.28, 0.43) for rim in (None, BLACK, WHITE)),
        *((dot, (60, 60), {"rim": rim, "ground": WHITE}) for dot in (0.22, 0.43) for rim in (None, BLACK)),
        *((dot, size, {}) for dot in (0.25, 0.33) for size in ((75, 60), (60, 110), (140, 60))),
    ],
)
def test_dots_of_any_size_are_read(dot, size, how):
    assert pairs_in(copy_of(FIVE, dot, size, **how)) == FIVE_PAIRS


@pytest.mark.parametrize(
    ("letter", "dot", "grey", "how"),
    [
        *((letter, 0.3, 66, {"rim": BLACK, "ground": (61, 57, 51)}) for letter in "RGB"),
        *((letter, 0.3, 66, {"rim": WHITE, "ground": (61, 57, 51)}) for letter in "RGB"),
        *((letter, dot, 150, {"ground": (164, 164, 164)}) for letter in "RB" for dot in (0.22, 0.3)),
    ],
)
def test_dots_of_nearly_the_colour_of_the_ground_are_found_by_their_circles(letter, dot, grey, how):
    colours = {**COLOURS, letter: Rgb(grey, grey, grey)}
    assert pairs_in(copy_of(FIVE, dot, colours=colours, **how)) == FIVE_PAIRS


@pytest.mark.sweep(3)
@pytest.mark.parametrize("has_border", [False, True])
@pytest.mark.parametrize("turns", range(4))
def test_discs_beside_a_board_are_no_row_of_it(turns: int, has_border: bool) -> None:
    bgr = cv2.copyMakeBorder(copy_of(FIVE, 0.35), 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(45, 30, 20))
    left, top = LEFT + 40, TOP + 40
    for col, colour in enumerate([(255, 0, 255), (255, 0, 255), None, (128, 128, 128), (128, 128, 128)]):
        if colour:
            cv2.circle(bgr, (left + 60 * col + 30, top - 30), 21, colour, -1, cv2.LINE_AA)
    if has_border:
        cv2.line(bgr, (left, top - 60), (left + 300, top - 60), (120, 120, 120), 1)
    refusal(np.ascontiguousarray(np.rot90(bgr, turns)), AMPLE, code="doubtful-reading")


@pytest.mark.parametrize("dot", [0.22, 0.28, 0.38])
def test_letters_in_all_dots_hide_none(dot: float) -> None:
    bgr = copy_of(FIVE, dot, (90, 90), rim=BLACK)
    write_letters(bgr, 90, (LEFT, TOP), 22)
    assert clear_cells(bgr) == HELD
    assert pairs_in(bgr) == FIVE_PAIRS


PITCH, ROOM = 50, 30


def jagged(dot: float, pipe_px: int = 0, oval: float = 1.0) -> Bgr:
    """The first level with hard edges and white lines of a pixel; ``dot``: radius, in cells.

    ``pipe_px``: the width of its pipes, 0 for none; ``oval``: the dots' height, of their width.
    """
    bgr = np.zeros((5 * PITCH + 1 + 2 * ROOM, 5 * PITCH + 1 + 2 * ROOM, 3), np.uint8)
    for n in range(6):
        bgr[ROOM + n * PITCH, ROOM:-ROOM] = bgr[ROOM:-ROOM, ROOM + n * PITCH] = 255

    def middle(row: int, col: int) -> tuple[int, int]:
        return ROOM + col * PITCH + PITCH // 2, ROOM + row * PITCH + PITCH // 2

    rows = FIVE_SOLVED.split()
    for r, c in np.ndindex(5, 5) if pipe_px else ():
        for to in ((r, c + 1), (r + 1, c)):
            if max(to) < 5 and rows[r][c] == rows[to[0]][to[1]]:
                cv2.line(bgr, middle(r, c), middle(*to), COLOURS[rows[r][c]][::-1], pipe_px)
    axes = round(dot * PITCH), round(dot * oval * PITCH)
    for r, c in (divmod(cell, 5) for cell in HELD):
        cv2.ellipse(bgr, middle(r, c), axes, 0, 0, 360, COLOURS[rows[r][c]][::-1], -1)
    return bgr


@pytest.mark.parametrize("beside", [(0.0, 0.0), (0.15, -0.1)])
@pytest.mark.parametrize("dot", [0.2, 0.28, 0.36])
def test_discs_of_any_size_are_found_also_beside_the_middles(dot, beside):
    bgr = copy_of(FIVE, 0.0)
    for cell in HELD:
        row, col = divmod(cell, 5)
        at = round(LEFT + 60 * (col + 0.5 + beside[0])), round(TOP + 60 * (row + 0.5 + beside[1]))
        cv2.circle(bgr, at, round(60 * dot), (40, 60, 220), -1, cv2.LINE_AA)
    assert clear_cells(bgr) == HELD


@pytest.mark.parametrize("noise", [5, 8])
@pytest.mark.parametrize("dot", [0.1, 0.25, 0.41, 0.45])
def test_discs_are_found_through_noise(noise, dot):
    bgr = copy_of(FIVE, dot)
    noisy = np.clip(bgr + np.random.default_rng(0).normal(0, noise, bgr.shape), 0, 255).astype(np.uint8)
    assert clear_cells(noisy) == HELD


def test_knees_ends_of_bars_and_thick_rings_are_no_discs():
    bgr = copy_of(FIVE, 0.2)
    for cell in sorted(set(range(25)) - HELD):
        x, y = LEFT + 60 * (cell % 5) + 30, TOP + 60 * (cell // 5) + 30
        match cell % 3:
            case 0:
                cv2.polylines(bgr, [np.array([(x - 30, y), (x, y), (x, y + 30)])], False, (90, 200, 30), 22)
            case 1:
                cv2.line(bgr, (x, y), (x + 30, y), (90, 200, 30), 14)
            case 2:
                cv2.circle(bgr, (x, y), 12, (90, 200, 30), 6)
    assert clear_cells(bgr) == HELD


def test_wide_knees_and_rings_with_a_small_hole_are_no_discs():
    bgr = copy_of(FIVE, 0.33)
    for cell in sorted(set(range(25)) - HELD):
        x, y = LEFT + 60 * (cell % 5) + 30, TOP + 60 * (cell // 5) + 30
        if cell % 3 < 2:
            cv2.rectangle(bgr, (x - 29, y - 12), (x + 12, y + 12), (90, 200, 30), -1)
            cv2.rectangle(bgr, (x - 12, y - 12), (x + 12, y + 29), (90, 200, 30), -1)
        else:
            cv2.circle(bgr, (x, y), 12, (90, 200, 30), 10)
    assert clear_cells(bgr) == HELD


def test_dots_are_found_within_a_rim_below_a_gloss_and_at_the_end_of_a_wide_pipe():
    bgr = copy_of(FIVE, 0.28, rim=BLACK)
    for cell in HELD:
        row, col = divmod(cell, 5)
        x, y = LEFT + 60 * col + 30, TOP + 60 * row + 30
        if cell % 2:
            cv2.circle(bgr, (x - 6, y - 6), 4, (225, 225, 225), -1, cv2.LINE_AA)
        else:
            colour = bgr[y, x].tolist()
            cv2.rectangle(bgr, (x, y - 12), (x + 29, y + 12), colour, -1)
    assert clear_cells(bgr) == HELD


@pytest.mark.sweep(4)
@pytest.mark.parametrize("pipe_px", [0, 1, 3])
@pytest.mark.parametrize("dot", [0.12, 0.2, 0.3, 0.41, 0.45])
def test_jagged_dots_and_thin_pipes_are_read(dot, pipe_px):
    assert pairs_in(jagged(dot, pipe_px)) == FIVE_PAIRS


def test_ovals_are_read():
    bgr = jagged(0.44, 3, 0.8)
    assert pairs_in(bgr) == FIVE_PAIRS
    write_letters(bgr, PITCH, (ROOM, ROOM), 20)
    assert pairs_in(bgr) == FIVE_PAIRS


@pytest.mark.parametrize("dot", [0.22, 0.25])
def test_dots_filled_by_their_letters_are_all_found(dot):
    bgr = jagged(dot)
    for cell in HELD:
        at = ROOM + cell % 5 * PITCH + PITCH // 2, ROOM + cell // 5 * PITCH + PITCH // 2
        cv2.circle(bgr, at, round(dot * PITCH), BLACK, 1, cv2.LINE_AA)
    write_letters(bgr, PITCH, (ROOM, ROOM), 18)
    assert clear_cells(bgr) == HELD
