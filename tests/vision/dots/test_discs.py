from collections.abc import Callable

import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.image.picture import Bgr, Rgb, Screenshot
from flowvision.render.paint import text
from flowvision.vision.dots.discs import disc_models
from tests.boards import LEVEL_5X5_DOTS, LEVEL_5X5_PAIRS, pairs_of
from tests.drawing import BLACK, COLOURS, LEFT, LEVEL_5X5, LEVEL_5X5_SOLVED, TOP, WHITE, clone_shot
from tests.seeing import AMPLE_TIME, assert_refused, geometry_of

EMPTY = sorted(set(range(25)) - LEVEL_5X5_DOTS)
PIECE = (90, 200, 30)
"""The colour of shapes that are no dots."""


def middle(cell: int, pitch: int = 60, corner: tuple[int, int] = (LEFT, TOP)) -> tuple[int, int]:
    """Return the pixel in the middle of a cell."""
    row, col = divmod(cell, 5)
    return corner[0] + col * pitch + pitch // 2, corner[1] + row * pitch + pitch // 2


def write_letters(bgr: Bgr, pitch: int, corner: tuple[int, int], size: int) -> None:
    """Write on each dot the letter of its colour; not by OpenCV, whose versions have different letters."""
    letters = "".join(LEVEL_5X5.split())
    for cell in LEVEL_5X5_DOTS:
        text(bgr, middle(cell, pitch, corner), letters[cell], size, Rgb(0, 0, 0), anchor="mm")


def clear_cells(bgr: Bgr) -> frozenset[int] | None:
    """Return the cells that hold a disc."""
    return disc_models(geometry_of(Screenshot(bgr)))[0].cells


def pairs_in(bgr: Bgr) -> set[frozenset[int]]:
    return pairs_of(solve_image(bgr, AMPLE_TIME).reading.puzzle)


@pytest.mark.sweep(at_landing=10)
@pytest.mark.parametrize(
    ("dot", "size", "how"),
    [
        *((dot, (60, 60), {"rim": rim}) for dot in (0.22, 0.28, 0.43) for rim in (None, BLACK, WHITE)),
        *((dot, (60, 60), {"rim": rim, "ground": WHITE}) for dot in (0.22, 0.43) for rim in (None, BLACK)),
        *((dot, size, {}) for dot in (0.25, 0.33) for size in ((75, 60), (60, 110), (140, 60))),
    ],
)
def test_dots_of_any_size_are_read(dot, size, how):
    assert pairs_in(clone_shot(LEVEL_5X5, dot, size, **how)) == LEVEL_5X5_PAIRS


ON_DARK, ON_GREY = {"ground": (61, 57, 51)}, {"ground": (164, 164, 164)}


@pytest.mark.sweep(at_landing=5)
@pytest.mark.parametrize(
    ("letter", "dot", "grey", "how"),
    [
        *((letter, 0.3, 66, ON_DARK | {"rim": rim}) for letter in "RGB" for rim in (BLACK, WHITE)),
        *((letter, dot, 150, ON_GREY) for letter in "RB" for dot in (0.22, 0.3)),
    ],
)
def test_dots_of_nearly_the_colour_of_the_ground_are_found_by_their_circles(letter, dot, grey, how):
    colours = {**COLOURS, letter: Rgb(grey, grey, grey)}
    assert pairs_in(clone_shot(LEVEL_5X5, dot, colours=colours, **how)) == LEVEL_5X5_PAIRS


@pytest.mark.sweep(at_landing=3)
@pytest.mark.parametrize("has_border", [False, True])
@pytest.mark.parametrize("quarter_turns", range(4))
def test_a_board_beside_a_toolbar_of_discs_is_refused(quarter_turns: int, has_border: bool) -> None:
    """The toolbar might be a sixth row with two pairs: a smaller board is not answered."""
    magenta, grey, ground, margin = (255, 0, 255), (128, 128, 128), (45, 30, 20), 40
    board = clone_shot(LEVEL_5X5, dot=0.35, ground=ground)
    bgr = cv2.copyMakeBorder(board, *4 * [margin], cv2.BORDER_CONSTANT, value=ground)
    left, top = LEFT + margin, TOP + margin
    for col, colour in {0: magenta, 1: magenta, 3: grey, 4: grey}.items():
        cv2.circle(bgr, (left + 60 * col + 30, top - 30), 21, colour, -1, cv2.LINE_AA)
    if has_border:
        cv2.line(bgr, (left, top - 60), (left + 300, top - 60), (120, 120, 120), 1)
    assert_refused(np.ascontiguousarray(np.rot90(bgr, quarter_turns)), AMPLE_TIME, code="doubtful-reading")


@pytest.mark.parametrize("dot", [0.22, 0.28, 0.38])
def test_letters_in_all_dots_hide_none(dot: float) -> None:
    bgr = clone_shot(LEVEL_5X5, dot, size=(90, 90), rim=BLACK)
    write_letters(bgr, pitch=90, corner=(LEFT, TOP), size=22)
    assert clear_cells(bgr) == LEVEL_5X5_DOTS
    assert pairs_in(bgr) == LEVEL_5X5_PAIRS


PITCH, ROOM = 50, 30


def jagged(dot: float, pipe_px: int = 0, oval: float = 1.0) -> Bgr:
    """The first level with hard edges and white lines of a pixel; ``dot``: radius, in cells.

    ``pipe_px``: the width of its pipes, 0 for none; ``oval``: the dots' height, of their width.
    """
    bgr = np.zeros((5 * PITCH + 1 + 2 * ROOM, 5 * PITCH + 1 + 2 * ROOM, 3), np.uint8)
    for n in range(6):
        bgr[ROOM + n * PITCH, ROOM:-ROOM] = bgr[ROOM:-ROOM, ROOM + n * PITCH] = 255
    letters = "".join(LEVEL_5X5_SOLVED.split())
    neighbours = [(cell, cell + 1) for cell in range(25) if cell % 5 < 4]
    neighbours += [(cell, cell + 5) for cell in range(20)]
    for a, b in neighbours if pipe_px else ():
        if letters[a] == letters[b]:
            cv2.line(bgr, jagged_middle(a), jagged_middle(b), COLOURS[letters[a]][::-1], pipe_px)
    axes = round(dot * PITCH), round(dot * oval * PITCH)
    for cell in LEVEL_5X5_DOTS:
        cv2.ellipse(bgr, jagged_middle(cell), axes, 0, 0, 360, COLOURS[letters[cell]][::-1], -1)
    return bgr


def jagged_middle(cell: int) -> tuple[int, int]:
    return middle(cell, PITCH, (ROOM, ROOM))


@pytest.mark.parametrize("beside", [(0, 0), (9, -6)])
@pytest.mark.parametrize("dot", [0.2, 0.28, 0.36])
def test_discs_of_any_size_are_found_also_beside_the_middles(dot, beside):
    """``beside``: pixels from the middle of a cell of 60 px."""
    bgr = clone_shot(LEVEL_5X5, dot=0.0)
    for cell in LEVEL_5X5_DOTS:
        x, y = middle(cell)
        cv2.circle(bgr, (x + beside[0], y + beside[1]), round(60 * dot), (40, 60, 220), -1, cv2.LINE_AA)
    assert clear_cells(bgr) == LEVEL_5X5_DOTS


@pytest.mark.parametrize("noise", [5, 8])
@pytest.mark.parametrize("dot", [0.1, 0.25, 0.41, 0.45])
def test_discs_are_found_through_noise(noise, dot):
    bgr = clone_shot(LEVEL_5X5, dot)
    noisy = np.clip(bgr + np.random.default_rng(0).normal(0, noise, bgr.shape), 0, 255).astype(np.uint8)
    assert clear_cells(noisy) == LEVEL_5X5_DOTS


KNEE = np.array([(-30, 0), (0, 0), (0, 30)])
WIDE_KNEE = np.array([(-29, -12), (12, -12), (12, 29), (-12, 29), (-12, 12), (-29, 12)])
DRAWN: dict[str, Callable[[Bgr, int, int], object]] = {
    "knee": lambda bgr, x, y: cv2.polylines(bgr, [np.add(KNEE, (x, y))], False, PIECE, 22),
    "wide knee": lambda bgr, x, y: cv2.fillPoly(bgr, [np.add(WIDE_KNEE, (x, y))], PIECE),
    "end of a bar": lambda bgr, x, y: cv2.line(bgr, (x, y), (x + 30, y), PIECE, 14),
    "ring": lambda bgr, x, y: cv2.circle(bgr, (x, y), 12, PIECE, 6),
    "thick ring": lambda bgr, x, y: cv2.circle(bgr, (x, y), 12, PIECE, 10),
}
"""By the name of a shape: draws it at the middle of a cell."""


@pytest.mark.parametrize(
    ("dot", "shapes"),
    [(0.2, ("knee", "end of a bar", "ring")), (0.33, ("wide knee", "wide knee", "thick ring"))],
)
def test_other_shapes_are_no_discs(dot, shapes):
    """``shapes``: those in empty cells, in turn."""
    bgr = clone_shot(LEVEL_5X5, dot)
    for cell in EMPTY:
        DRAWN[shapes[cell % 3]](bgr, *middle(cell))
    assert clear_cells(bgr) == LEVEL_5X5_DOTS


def test_dots_are_found_below_a_gloss_and_at_the_end_of_a_wide_pipe():
    bgr = clone_shot(LEVEL_5X5, dot=0.28, rim=BLACK)
    for cell in LEVEL_5X5_DOTS:
        x, y = middle(cell)
        if cell % 2:
            cv2.circle(bgr, (x - 6, y - 6), 4, (225, 225, 225), -1, cv2.LINE_AA)
        else:
            cv2.rectangle(bgr, (x, y - 12), (x + 29, y + 12), bgr[y, x].tolist(), -1)
    assert clear_cells(bgr) == LEVEL_5X5_DOTS


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("pipe_px", [0, 1, 3])
@pytest.mark.parametrize("dot", [0.12, 0.2, 0.3, 0.41, 0.45])
def test_jagged_dots_and_thin_pipes_are_read(dot, pipe_px):
    assert pairs_in(jagged(dot, pipe_px)) == LEVEL_5X5_PAIRS


@pytest.mark.parametrize("has_letters", [False, True])
def test_ovals_are_read(has_letters):
    bgr = jagged(0.44, pipe_px=3, oval=0.8)
    if has_letters:
        write_letters(bgr, PITCH, (ROOM, ROOM), size=20)
    assert pairs_in(bgr) == LEVEL_5X5_PAIRS


@pytest.mark.parametrize("dot", [0.22, 0.25])
def test_dots_filled_by_their_letters_are_all_found(dot):
    bgr = jagged(dot)
    for cell in LEVEL_5X5_DOTS:
        cv2.circle(bgr, jagged_middle(cell), round(dot * PITCH), BLACK, 1, cv2.LINE_AA)
    write_letters(bgr, PITCH, (ROOM, ROOM), size=18)
    assert clear_cells(bgr) == LEVEL_5X5_DOTS


ARCS = {10: (-1, -1, 0), 12: (1, -1, 90), 24: (1, 1, 180), 13: (-1, 1, 270)}
"""By empty cell: the corner that a quarter of a circle is round (right, below), and its first degree."""


@pytest.mark.parametrize("half_px", [8, 12])
def test_pipes_that_bend_in_an_arc_are_no_dots(half_px: int) -> None:
    bgr = clone_shot(LEVEL_5X5, dot=0.3)
    for cell, (right, below, first_degree) in ARCS.items():
        x, y = middle(cell)
        corner = x + 30 * right, y + 30 * below
        cv2.ellipse(bgr, corner, (30, 30), first_degree, 0, 90, PIECE, 2 * half_px, cv2.LINE_AA)
    assert clear_cells(bgr) == LEVEL_5X5_DOTS


def test_of_each_colour_the_largest_two_discs_are_dots() -> None:
    """A pipe that ends between dots looks like a smaller dot of their colour."""
    bgr, red, blue = clone_shot(LEVEL_5X5, dot=0.3), COLOURS["R"][::-1], COLOURS["B"][::-1]
    red_end, blue_end = 10, 12
    cv2.line(bgr, middle(0), middle(red_end), red, 28, cv2.LINE_AA)
    cv2.line(bgr, middle(7), middle(blue_end), blue, 28, cv2.LINE_AA)
    models = disc_models(geometry_of(Screenshot(bgr)))
    assert models[0].cells == LEVEL_5X5_DOTS | {red_end, blue_end}
    assert models[-1].cells == LEVEL_5X5_DOTS
    assert pairs_in(bgr) == LEVEL_5X5_PAIRS


def test_larger_discs_that_are_no_dots_hide_none() -> None:
    bgr = clone_shot(LEVEL_5X5, dot=0.24)
    for cell in (1, 5, 10, 14, 15, 24):
        cv2.circle(bgr, middle(cell), 24, (70, 60, 60), -1, cv2.LINE_AA)
    assert LEVEL_5X5_DOTS in [model.cells for model in disc_models(geometry_of(Screenshot(bgr)))]


def test_a_large_symbol_hides_no_dot() -> None:
    bgr = clone_shot(LEVEL_5X5, dot=0.38)
    for cell in LEVEL_5X5_DOTS:
        cv2.drawMarker(bgr, middle(cell), BLACK, cv2.MARKER_CROSS, 26, 12)
    assert clear_cells(bgr) == LEVEL_5X5_DOTS


def test_no_discs_are_left_out_that_are_of_another_colour() -> None:
    bgr = clone_shot(LEVEL_5X5, dot=0.3)
    for cell, letter in {10: "C", 13: "P"}.items():
        cv2.circle(bgr, middle(cell), 15, COLOURS[letter][::-1], -1, cv2.LINE_AA)
    assert LEVEL_5X5_DOTS not in [model.cells for model in disc_models(geometry_of(Screenshot(bgr)))]


@pytest.mark.parametrize("stretch", [1, 2])
def test_in_oblong_cells_round_dots_are_clear_and_oblong_ones(stretch: int) -> None:
    bgr = clone_shot(LEVEL_5X5, dot=0.3, size=(120 // stretch, 60))
    assert clear_cells(cv2.resize(bgr, None, fx=stretch, fy=1)) == LEVEL_5X5_DOTS
