from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import solve_image
from flowvision.doubts import LeftOut, RunsOn
from flowvision.errors import FlowvisionError
from flowvision.image.picture import Bgr, Frame, Screenshot
from flowvision.puzzle.text import parse
from flowvision.reading import beyond
from flowvision.reading.beyond import Lattice
from flowvision.solvers import solve
from tests.boards import LEVEL_5X5_DOTS
from tests.drawing import LEVEL_5X5, LINE, screenshot_of
from tests.seeing import assert_refused, refusal
from tests.tools.synthetic import Style, draw_screenshot

CORNER = LEFT, TOP = (70, 140)
DOUBT = "doubtful-reading"
DOTS = sorted(divmod(cell, 5) for cell in LEVEL_5X5_DOTS)
FOUR_ROWS = ".BGBY\n.....\n.G...\n...Y.\n"
"""The last rows of a board; they have one solution."""
IN_THE_MIDDLE = ".....\n....P\n.CG..\nPG.C.\n.....\n"
"""Its inner rows and columns are a board, with a dot to the left and to the right."""
SIX_ROWS = "......\n......\n.BR...\nGYBR..\n......\nYG....\n"
FIVE_ROWS = "R.R..\n" + FOUR_ROWS
LINES_GO_ON = 2
"""How many times as clearly as past the other borders lines continue past one, at least."""


def size_of(bgr: Bgr) -> tuple[int, int] | str:
    """Return the rows and columns of a picture's board, or the code of its refusal."""
    try:
        lattice = solve_image(np.ascontiguousarray(bgr)).reading.lattice
    except FlowvisionError as error:
        return error.code
    return lattice.rows, lattice.cols


def erased(quarter_turns: int, pitch: int) -> Bgr:
    """A board without the line before its last column; its three whole ones have one solution by chance."""
    bgr = np.rot90(screenshot_of(LEVEL_5X5, pitch, CORNER), quarter_turns).copy()
    x0, y0 = CORNER[:: -1 if quarter_turns % 2 else 1]
    rows, x = slice(y0 + 3, y0 + 5 * pitch - 2), x0 + 4 * pitch
    bgr[rows, x - 3 : x + 4] = bgr[rows, x - 5 : x - 4]
    return bgr


def cut(quarter_turns: int) -> Bgr:
    bgr = erased(quarter_turns, pitch=60)
    return bgr[:, : CORNER[quarter_turns % 2] + 290]


def with_inverted_row(quarter_turns: int) -> Bgr:
    """A board whose first row is inverted, so that nothing of it looks like a cell."""
    bgr = screenshot_of(FIVE_ROWS, pitch=60, corner=CORNER)
    row = bgr[TOP + 2 : TOP + 58, LEFT:-LEFT]
    row[:] = 255 - row
    return np.rot90(bgr, quarter_turns).copy()


def under_a_finger(pitch: int, left: float) -> Bgr:
    """A finger over all cells from a column on, in every row but the first."""
    cells = [(left, 1.4), (left + 0.5, 1.05), (5.0, 1.2), (6.0, 9.0), (left + 0.7, 9.0)]
    corners = np.round(np.array(cells) * pitch + CORNER).astype(np.int32)
    return cv2.fillPoly(screenshot_of(LEVEL_5X5, pitch, CORNER), [corners], (120, 150, 205))


def under_a_banner(left: float, pitch: int = 60) -> Bgr:
    """A banner over the first row, of which this share is left in sight."""
    bgr = screenshot_of(FIVE_ROWS, pitch, CORNER)
    bgr[: TOP + round(pitch * (1 - left)), 10:-10] = 40
    return bgr


def at_the_edge(left: float) -> Bgr:
    return screenshot_of(FIVE_ROWS, pitch=60, corner=CORNER)[TOP + round(60 * (1 - left)) :]


def torn(left: float, by: float) -> Bgr:
    """All above the second row, and this share of the first one, is moved sideways."""
    bgr, end = screenshot_of(FIVE_ROWS, pitch=60, corner=CORNER), TOP + round(60 * (1 - left))
    bgr[:end] = np.roll(bgr[:end], round(by * 60), axis=1)
    return bgr


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize(
    ("draw", "args"), [*((erased, args) for args in product(range(4), (24, 60))), (cut, (0,)), (cut, (3,))]
)
def test_a_board_without_an_inner_line_is_read_whole(draw: Callable[..., Bgr], args: tuple[int, ...]) -> None:
    assert size_of(draw(*args)) == (5, 5)


@pytest.mark.sweep(at_landing=3)
@pytest.mark.parametrize(("pitch", "left"), [(60, 3.02), *product((60, 80), (3.06, 3.12))])
def test_dots_under_a_finger_leave_others_alone(pitch: int, left: float) -> None:
    assert refusal(under_a_finger(pitch, left), code="odd-dots").cause.code == "lone-dots"


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("left", [0.1, 0.15, 0.22, 0.3, 0.5, 0.7])
@pytest.mark.parametrize("pitch", [40, 60, 100])
def test_a_board_runs_on_under_a_banner(left: float, pitch: int) -> None:
    assert refusal(under_a_banner(left, pitch), code=DOUBT).cause.code == "runs-on"


@pytest.mark.parametrize(("left", "code"), [(0.1, DOUBT), (0.3, "unsolvable"), (0.6, "unsolvable")])
def test_a_board_at_the_edge_is_cut_off(left: float, code: str) -> None:
    assert refusal(np.ascontiguousarray(at_the_edge(left)), code=code).cause.code == "cut-off"


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("left", [0.1, 0.15, 0.3])
@pytest.mark.parametrize("by", [0.2, 0.3, 0.5])
def test_a_board_with_a_tear_is_refused(left: float, by: float) -> None:
    """The rest has solutions by chance, in some of which a path touches itself."""
    assert_refused(torn(left, by), code=DOUBT)


@pytest.mark.sweep(at_landing=2)
@pytest.mark.parametrize("shift_px", [12, 20, 30, 45, 50, 54])
def test_a_column_that_was_torn_off_makes_no_stepped_board(shift_px: int) -> None:
    """Its cells still touch the others, and the puzzle that they make has one solution by chance."""
    lines = zip(SIX_ROWS.split(), "N....N", strict=True)
    bgr = screenshot_of("\n".join(line + dot for line, dot in lines), pitch=60, corner=CORNER)
    assert size_of(bgr) == (6, 7)
    bgr[:, LEFT + 360 :] = np.roll(bgr[:, LEFT + 360 :], shift_px, axis=0)
    assert size_of(bgr) == DOUBT


@pytest.mark.parametrize(
    ("bgr", "cause"),
    [
        pytest.param(under_a_banner(0.15), "runs-on", id="banner"),
        pytest.param(at_the_edge(0.1), "cut-off", id="edge"),
        pytest.param(torn(0.1, by=0.3), "runs-on", id="tear"),
    ],
)
def test_trust_does_not_settle_where_a_board_ends(bgr: Bgr, cause: str) -> None:
    """It hides no doubt either."""
    assert "trust" not in refusal(bgr, code=DOUBT).cause.seen
    assert cause in [doubt.code for doubt in solve_image(bgr, trust=True).doubts]


def test_the_rest_of_a_board_is_read_alone() -> None:
    assert size_of(screenshot_of(FIVE_ROWS, pitch=60, corner=CORNER)[TOP + 60 :]) == (4, 5)


def on_lattice(bgr: Bgr, rows: int, cols: int, corner: tuple[int, int] = CORNER) -> Lattice:
    """The first rows and columns of a board in a drawn picture."""
    cells = tuple((row, col) for row in range(rows) for col in range(cols))
    return Lattice(
        Screenshot(bgr), rows, cols, cells, Frame.of_box(*corner, 60, 60), pitch_px=60.0, channel="brightest"
    )


AT_LEFT_AND_RIGHT = tuple(((row, 0), (row, 4)) for row in range(4))
ABOVE_AND_BELOW = tuple(((0, col), (3, col)) for col in range(5))


@pytest.mark.parametrize(
    ("openings", "are_lines_seen"),
    [
        pytest.param(AT_LEFT_AND_RIGHT, True, id="left and right"),
        pytest.param(ABOVE_AND_BELOW, False, id="above and below"),
    ],
)
def test_openings_at_two_borders_say_nothing_of_the_others(openings: Any, are_lines_seen: bool) -> None:
    """A banner hides the row above; openings at the left and right do not explain its lines."""
    on = replace(on_lattice(under_a_banner(0.1), rows=4, cols=5, corner=(LEFT, TOP + 60)), openings=openings)
    assert (beyond.line_evidence(on) > LINES_GO_ON) == are_lines_seen


@pytest.mark.parametrize(("reach_px", "fading"), [(8, 0), (60, 1 / 90)])
def test_lines_beyond_a_board_that_end_or_fade_are_no_cells(reach_px: int, fading: float) -> None:
    """They are the lines of the game's icon. ``fading``: the share of their colour lost a pixel."""
    low, pitch = 140, 60
    high = low + 5 * pitch
    bgr = screenshot_of(LEVEL_5X5, pitch, (low, low))
    for away in range(reach_px):
        shade = ((1 - away * fading) * np.array(LINE)).astype(np.uint8)
        for inner_line in range(low + pitch, high, pitch):
            width = slice(inner_line - 1, inner_line + 1)
            for outside in (low - 1 - away, high + 1 + away):
                bgr[width, outside] = bgr[outside, width] = shade
    assert size_of(bgr) == (5, 5)


@pytest.mark.parametrize(("cols", "is_part"), [(5, False), (4, True), (3, True)])
@pytest.mark.parametrize("light", [0, 60, 140, 200])
def test_lines_and_discs_beyond_are_seen_at_any_strength(cols: int, light: int, is_part: bool) -> None:
    bgr = screenshot_of(LEVEL_5X5, pitch=60, corner=CORNER)
    x = LEFT + 60 * cols + 3  # beside the line behind these columns
    bgr[:, x:] = bgr[:, x:] * (1 - light / 255) + light
    on = on_lattice(bgr, rows=5, cols=cols)
    assert (beyond.line_evidence(on) > LINES_GO_ON) == is_part
    assert (beyond.disc_evidence(on, [(row, col) for row, col in DOTS if col < cols]) > 0.1) == is_part


@pytest.mark.parametrize(
    ("text", "is_part"), [(IN_THE_MIDDLE, True), (IN_THE_MIDDLE.replace("P", "."), False)]
)
def test_discs_beyond_several_borders_count_together(text: str, is_part: bool) -> None:
    """Left and right of the board in the middle is one disc, or none."""
    bgr = screenshot_of(text, pitch=60, corner=CORNER)
    inner = on_lattice(bgr, rows=3, cols=3, corner=(LEFT + 60, TOP + 60))
    dots_of_inner = [(1, 0), (1, 1), (2, 0), (2, 2)]
    assert (beyond.disc_evidence(inner, dots_of_inner) > 0.5) == is_part


@pytest.mark.parametrize("shift", [0.15, 0.2, 0.5, 0.77])
def test_lines_beyond_a_tear_are_seen(shift: float) -> None:
    """Right of the third column the picture is moved down by a ``shift`` in cells."""
    bgr, tear = screenshot_of(LEVEL_5X5, pitch=60, corner=CORNER), LEFT + 3 * 60
    bgr[:, tear:] = np.roll(bgr[:, tear:], round(60 * shift), axis=0)
    assert beyond.line_evidence(on_lattice(bgr, rows=5, cols=3)) > LINES_GO_ON


@pytest.mark.parametrize("rows", [3, 5])
def test_lines_between_the_border_and_keys_are_seen(rows: int) -> None:
    """Two inner lines are enough."""
    bgr = screenshot_of(LEVEL_5X5, pitch=60, corner=CORNER)
    bgr[:, LEFT + 3 * 60 + 5 :] = 95  # but for 5 pixels
    assert beyond.line_evidence(on_lattice(bgr, rows, cols=3)) > LINES_GO_ON


def test_lines_of_an_empty_row_beyond_tinted_cells_are_seen() -> None:
    """Lines of tinted cells are darker than these, those of empty cells brighter."""
    bgr, below = screenshot_of(LEVEL_5X5, pitch=60, corner=CORNER), TOP + 61
    bgr[below:-TOP] = 255 - bgr[below:-TOP]
    grid = replace(on_lattice(bgr, rows=4, cols=5, corner=(LEFT, TOP + 60)), channel="negative")
    assert beyond.line_evidence(grid) > LINES_GO_ON


def mosaic(bgr: Bgr) -> Bgr:
    small = cv2.resize(bgr, (bgr.shape[1] // 20, bgr.shape[0] // 20))
    return cv2.resize(small, bgr.shape[1::-1])


CHANGES: dict[str, Callable[[Bgr], Bgr]] = {
    "blurred": lambda bgr: cv2.GaussianBlur(bgr, (0, 0), 12),
    "smeared": lambda bgr: cv2.blur(bgr, (25, 1)),
    "inverted": lambda bgr: 255 - bgr,
    "mosaic": mosaic,
    "faint": lambda bgr: cv2.addWeighted(bgr, 0.2, np.full_like(bgr, 120), 0.8, 0),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_dots_beyond_a_border_keep_some_colour(change: Callable[[Bgr], Bgr]) -> None:
    """Whatever is done to the first row, its two red dots differ from the ground round them."""
    bgr, end = screenshot_of(FIVE_ROWS, pitch=60, corner=CORNER), TOP + 60
    assert beyond.colour_evidence(on_lattice(bgr, rows=5, cols=5)) < 0.1
    bgr[: end - 2] = change(bgr[: end - 2])
    assert beyond.colour_evidence(on_lattice(bgr, rows=4, cols=5, corner=(LEFT, end))) > 0.5


PURPLE, GREEN = (200, 0, 200), (0, 140, 0)
COLOURED_CELLS: dict[str, dict[int, tuple[int, int, int]]] = {
    "keys": dict.fromkeys(range(5), PURPLE),
    "three buttons": dict.fromkeys((0, 2, 4), PURPLE),
    "two colours": {0: PURPLE, 3: GREEN},
}


@pytest.mark.parametrize("cells", COLOURED_CELLS.values(), ids=list(COLOURED_CELLS))
def test_colours_below_a_board_that_are_no_pair_say_nothing(cells: dict[int, tuple[int, int, int]]) -> None:
    """``cells``: the columns below the board that are coloured."""
    bgr, end = screenshot_of(LEVEL_5X5, pitch=60, corner=CORNER), TOP + 5 * 60
    for col, colour in cells.items():
        bgr[end + 10 : end + 50, LEFT + 60 * col + 10 : LEFT + 60 * col + 50] = colour
    assert beyond.colour_evidence(on_lattice(bgr, rows=5, cols=5)) == 0


def test_the_edge_of_a_coloured_panel_below_a_board_says_nothing() -> None:
    bgr, end = screenshot_of(LEVEL_5X5, pitch=60, corner=CORNER), TOP + 5 * 60
    bgr[end + 30 :, : LEFT + 210] = PURPLE
    assert beyond.colour_evidence(on_lattice(bgr, rows=5, cols=5)) < 0.1


@pytest.mark.parametrize("gap", [0.0, 0.2, 0.4, 0.6])
@pytest.mark.parametrize("larger", [1.0, 1.3])
def test_a_pair_of_a_row_that_was_moved_away_or_magnified_is_seen(gap: float, larger: float) -> None:
    """The first row, with one pair, is magnified about its own middle, and moved up by a gap in cells."""
    bgr, end = screenshot_of(FIVE_ROWS, pitch=60, corner=CORNER), TOP + 60
    middle_of_row = LEFT + 5 * 60 // 2, end - 60 // 2
    change = cv2.getRotationMatrix2D(middle_of_row, angle=0, scale=larger)
    change[1, 2] -= 60 * gap  # upwards
    changed = cv2.warpAffine(bgr, change, bgr.shape[1::-1])
    bgr[: end - 2] = changed[: end - 2]
    grid, dots = (
        on_lattice(bgr, rows=4, cols=5, corner=(LEFT, end)),
        [(row - 1, col) for row, col in DOTS if row],
    )
    assert beyond.pair_evidence(grid, dots) > 0.5


@pytest.mark.parametrize(
    ("left", "is_half"), [(20, True), (60, False), (1, False)], ids=["most of a cell", "none", "all of it"]
)
def test_a_panel_that_ends_within_a_cell_makes_no_dot(left: int, is_half: bool) -> None:
    bgr = screenshot_of(LEVEL_5X5, pitch=60, corner=CORNER)
    bgr[TOP + 121 : TOP + 180, LEFT + left : LEFT + 60] = 255
    cells = beyond.half_cells(on_lattice(bgr, 5, 5), [*DOTS, (2, 0)])
    assert cells == (((2, 0),) if is_half else ())


def below_a_board(colours: Sequence[tuple[int, int, int]]) -> float:
    """The evidence of discs in these colours below a board, as large as its dots."""
    bgr = screenshot_of(LEVEL_5X5, pitch=60, corner=CORNER)
    for n, colour in enumerate(colours):
        cv2.circle(bgr, (LEFT + 30 + 90 * n, TOP + 350), 21, colour, -1, cv2.LINE_AA)
    return beyond.pair_evidence(on_lattice(bgr, rows=5, cols=5), DOTS)


@pytest.mark.parametrize(
    "colours", [((200, 0, 0), (0, 0, 200)), ((200, 0, 0),), ((0, 0, 200),) * 3, ((40, 40, 40),) * 2]
)
def test_other_discs_beyond_a_border_are_no_pair(colours: tuple[tuple[int, int, int], ...]) -> None:
    """Two colours, one disc, a row of buttons, and a pair as faint as the ground."""
    assert below_a_board(colours) == 0


def test_a_pair_beyond_a_border_may_be_faint() -> None:
    """Glass and veils take most of its contrast."""
    assert below_a_board([(0, 75, 0)] * 2) > 0.25


@pytest.mark.parametrize("height", [4.9, 5.0, 6.0])
def test_a_board_without_a_solution_gives_no_row_away(height: float) -> None:
    """Without its last row, which has no dots, it has exactly one solution."""
    bgr = screenshot_of("G....\nY..GB\n..B.R\nY...R\n.....\n", pitch=60, corner=CORNER)
    assert size_of(bgr[: TOP + round(60 * height)]) == "unsolvable"


@pytest.mark.parametrize("gap", [0, 12, 30])
def test_a_board_beside_what_looks_like_dots_is_read(gap: int) -> None:
    bgr = screenshot_of(LEVEL_5X5, pitch=60, corner=CORNER)
    for n in range(4):
        cv2.circle(bgr, (LEFT + 30 + 74 * n, TOP + 330 + gap), 21, (255, 255, 255), -1, cv2.LINE_AA)
    assert size_of(bgr) == (5, 5)


def test_a_pair_of_dots_right_beside_a_board_is_missed() -> None:
    part = screenshot_of(LEVEL_5X5, pitch=60, corner=CORNER)
    part[:, LEFT + 3 * 60 + 2 :] = 0
    assert size_of(part) == (5, 3)
    for row in (1, 3):
        cv2.circle(part, (LEFT + 210, TOP + 60 * row + 30), 21, (255, 0, 255), -1, cv2.LINE_AA)
    assert size_of(part) == DOUBT


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("pitch", [24, 60, 130])
@pytest.mark.parametrize("radius", [0.24, 0.27, 0.4, 0.45])
@pytest.mark.parametrize("colour", [(20, 20, 230), (150, 200, 90)])
def test_a_disc_that_was_read_as_no_dot_is_a_doubt(
    pitch: int, radius: float, colour: tuple[int, ...]
) -> None:
    bgr = screenshot_of(LEVEL_5X5, pitch, CORNER)
    plain = solve_image(bgr)
    cv2.circle(bgr, (LEFT + 3 * pitch // 2, TOP + pitch // 2), round(radius * pitch), colour, -1, cv2.LINE_AA)
    answer = solve_image(bgr)
    assert not plain.warnings
    assert [doubt.places for doubt in answer.doubts if isinstance(doubt, LeftOut)] == [((0, 1),)]
    assert answer.confidence <= 0.85 * plain.confidence


@pytest.mark.parametrize("seed", range(6))
def test_pipes_and_what_lies_on_their_ends_are_no_discs(seed: int) -> None:
    """On the end of a pipe that is being drawn lie the halo of a finger, a mouse pointer, both or neither."""
    made, style = parse(LEVEL_5X5), Style(drawn=0.4 + seed / 10, finger=seed % 2 == 1, pointer=seed % 3 == 1)
    solution = solve(made.puzzle).solution
    shown = draw_screenshot(made.board, made.puzzle, style, seed, solution).screenshot
    assert not any(doubt.code == "left-out" for doubt in solve_image(shown).doubts)


@pytest.mark.parametrize(("more_px", "is_doubted"), [(0, True), (30, False)])
def test_a_board_a_column_off_the_middle_may_be_a_part(more_px: int, is_doubted: bool) -> None:
    """Screens show boards in their middle; the last column is black here."""
    bgr = screenshot_of("R..RM\n...G.\nGB.B.\n...Y.\nYO.OM\n", pitch=60, corner=(12, 140))
    bgr[:, 12 + 4 * 60 + 2 :] = 0
    answer = solve_image(np.pad(bgr, ((0, 0), (0, more_px), (0, 0))))
    assert answer.size == (4, 5)
    assert ("runs-on" in [doubt.code for doubt in answer.doubts]) == is_doubted


@pytest.mark.parametrize(("left", "aside_px"), [(0.6, 40), (0.8, 90)])
def test_hexagons_found_one_by_one_that_may_be_a_part_are_refused(left: float, aside_px: int) -> None:
    """All below ``left``, in cells from the lower end, is moved aside; the rows above have one solution."""
    named = parse("hex\n.....\n.C.A.\n..AC.\nB...B\nY...Y\n")
    shot = draw_screenshot(named.board, named.puzzle, Style(chrome=False), seed=1)
    bgr = shot.screenshot.bgr.copy()
    below = shot.frame.to_px(named.board.layout.corners)[:, 1].max()
    end = round(below) - round(left * shot.frame.pitch_px(named.board.layout.cells[0].centre))
    bgr[end:] = np.roll(bgr[end:], aside_px, axis=1)
    assert_refused(bgr, code=DOUBT)


@pytest.mark.parametrize("quarter_turns", range(4))
def test_a_border_of_holes_is_doubted(quarter_turns: int) -> None:
    error = refusal(with_inverted_row(quarter_turns), code=DOUBT)
    assert isinstance(error.cause, RunsOn)
    assert sorted((error.cause.rows, error.cause.cols)) == [4, 5]


@pytest.mark.parametrize("side", range(4))
def test_evidence_is_measured_where_a_border_has_no_cells(side: int) -> None:
    axis, is_last = divmod(side, 2)
    empty_row_or_column = 4 * is_last
    grid = on_lattice(screenshot_of(LEVEL_5X5, pitch=60, corner=CORNER), rows=5, cols=5)
    grid = replace(grid, cells=tuple(place for place in grid.cells if place[axis] != empty_row_or_column))
    assert beyond.has_empty_border(grid)
    assert beyond.line_evidence(grid) > 0
    assert beyond.disc_evidence(grid, [place for place in DOTS if place in grid.cells]) >= 0
