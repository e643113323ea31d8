import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import solve_image
from flowvision.errors import FlowvisionError
from flowvision.image.picture import Bgr, Frame, Screenshot
from flowvision.puzzle.text import parse
from flowvision.reading.beyond import Lattice, disc_evidence, line_evidence
from tests.drawing import FIVE, screenshot_of
from tests.tools.synthetic import Style, draw_screenshot

CORNER = (70, 140)


def erased(text: str, border: str, pitch: int) -> Bgr:
    bgr = screenshot_of(text, pitch, CORNER)
    rows, cols = len(text.split()), len(text.split(maxsplit=1)[0])
    (x0, y0), (right, below) = CORNER, (pitch * cols, pitch * rows)
    at = pitch if border in ("left", "top") else (right if border == "right" else below) - pitch
    if border in ("left", "right"):
        bgr[y0 + 3 : y0 + below - 2, x0 + at - 3 : x0 + at + 4] = bgr[
            y0 + 3 : y0 + below - 2, x0 + at - 5 : x0 + at - 4
        ]
    else:
        bgr[y0 + at - 3 : y0 + at + 4, x0 + 3 : x0 + right - 2] = bgr[y0 + at - 5, x0 + 3 : x0 + right - 2]
    return bgr


DOUBTFUL = "doubtful-reading"


def size_of(bgr: Bgr) -> tuple[int, int] | str:
    try:
        lattice = solve_image(bgr).reading.lattice
    except FlowvisionError as error:
        return error.code
    return lattice.rows, lattice.cols


@pytest.mark.sweep(3)
@pytest.mark.parametrize("pitch", [24, 60])
@pytest.mark.parametrize("border", ["left", "right", "top", "bottom"])
def test_a_board_without_an_inner_line_is_read_whole_or_not_at_all(border: str, pitch: int) -> None:
    """The three columns before the erased line have one solution by chance."""
    assert size_of(erased(FIVE, border, pitch)) in (DOUBTFUL, (5, 5))


@pytest.mark.parametrize("border", ["right", "bottom"])
def test_a_cut_picture_of_a_part_is_refused(border: str) -> None:
    bgr = erased(FIVE, border, 60)
    bgr = bgr[:, : CORNER[0] + 290] if border == "right" else bgr[: CORNER[1] + 290]
    assert size_of(np.ascontiguousarray(bgr)) in (DOUBTFUL, (5, 5))


def fingertip(bgr: Bgr, pitch: int, left: float) -> Bgr:
    """A picture with a finger over all cells from a column on, in every row but the first."""
    cells = [(left, 1.4), (left + 0.5, 1.05), (5.0, 1.2), (6.0, 9.0), (left + 0.7, 9.0)]
    corners = np.round(np.array(cells) * pitch + CORNER).astype(np.int32)
    return np.asarray(cv2.fillPoly(bgr.copy(), [corners], (120, 150, 205)), np.uint8)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("pitch", [60, 80])
@pytest.mark.parametrize("left", [3.02, 3.06, 3.12])
def test_what_a_finger_leaves_of_a_board_is_not_the_whole(pitch: int, left: float) -> None:
    bgr = screenshot_of(FIVE, pitch, CORNER)
    assert size_of(fingertip(bgr, pitch, left)) in (DOUBTFUL, "odd-dots", "ambiguous-colours", (5, 5))


FOUR_ROWS = ".BGBY\n.....\n.G...\n...Y.\n"
"""The last rows of a board; they have one solution."""


def banner(bgr: Bgr, pitch: int, left: float) -> Bgr:
    """A picture with a banner over the first row of its board; so many cells of that are left in sight."""
    covered = bgr.copy()
    covered[: CORNER[1] + round(pitch * (1 - left)), 10:-10] = 40
    return covered


@pytest.mark.sweep(4)
@pytest.mark.parametrize("pitch", [40, 60, 100])
@pytest.mark.parametrize("left", [0.1, 0.15, 0.22, 0.3, 0.5, 0.7])
def test_what_a_banner_leaves_of_a_board_is_not_the_whole(pitch: int, left: float) -> None:
    bgr = screenshot_of("R.R..\n" + FOUR_ROWS, pitch, CORNER)
    assert size_of(bgr[CORNER[1] + pitch :].copy()) == (4, 5)
    assert size_of(banner(bgr, pitch, left)) == DOUBTFUL


@pytest.mark.parametrize("left", [0.1, 0.3, 0.6])
def test_what_the_edge_of_a_picture_leaves_is_not_the_whole(left: float) -> None:
    bgr = screenshot_of("R.R..\n" + FOUR_ROWS, 60, CORNER)
    assert size_of(bgr[CORNER[1] + round(60 * (1 - left)) :].copy()) in (DOUBTFUL, "unsolvable")


def torn(bgr: Bgr, pitch: int, left: float, by: float) -> Bgr:
    """A picture of which all above the second row, and so many cells of its first one, is moved sideways."""
    moved, end = bgr.copy(), CORNER[1] + round(pitch * (1 - left))
    moved[:end] = np.roll(bgr[:end], round(by * pitch), axis=1)
    return moved


@pytest.mark.sweep(3)
@pytest.mark.parametrize("by", [0.2, 0.3, 0.5])
@pytest.mark.parametrize("left", [0.1, 0.15, 0.3])
def test_what_a_tear_leaves_of_a_board_is_not_the_whole(left: float, by: float) -> None:
    bgr = screenshot_of("R.R..\n" + FOUR_ROWS, 60, CORNER)
    assert size_of(torn(bgr, 60, left, by)) == DOUBTFUL


@pytest.mark.parametrize(("axis", "are_seen"), [(0, True), (1, False)])
def test_openings_at_two_borders_say_nothing_of_the_others(axis: int, are_seen: bool) -> None:
    on = on_lattice(banner(screenshot_of("R.R..\n" + FOUR_ROWS, 60, CORNER), 60, 0.1), 4, 5, (70, 200))
    openings = ([((row, 0), (row, 4)) for row in range(4)], [((0, col), (3, col)) for col in range(5)])[axis]
    assert (line_evidence(replace(on, openings=tuple(openings))) > 2) == are_seen


def on_lattice(bgr: Bgr, rows: int, cols: int, corner: tuple[int, int] = CORNER) -> Lattice:
    """The first rows and columns of a board in a drawn picture."""
    cells = tuple((row, col) for row in range(rows) for col in range(cols))
    return Lattice(Screenshot(bgr), rows, cols, cells, Frame.of_box(*corner, 60, 60), 60.0, "brightest")


def test_lines_that_end_on_their_own_ground_are_no_cells() -> None:
    """They are the lines of the game's icon."""
    bgr = screenshot_of(FIVE, 60, (140, 140))
    for n in range(1, 5):
        bgr[139 + 60 * n : 141 + 60 * n, 132:448] = bgr[132:448, 139 + 60 * n : 141 + 60 * n] = (63, 109, 63)
    checked = solve_image(screenshot_of(FIVE, 60, (140, 140)))
    assert solve_image(bgr).reading.board == checked.reading.board


@pytest.mark.parametrize(("cols", "is_part"), [(5, False), (4, True), (3, True)])
@pytest.mark.parametrize("light", [0, 60, 140, 200])
def test_lines_and_discs_beyond_are_seen_at_any_strength(cols: int, light: int, is_part: bool) -> None:
    bgr = screenshot_of(FIVE, 60, CORNER)
    x = CORNER[0] + 60 * cols + 3
    bgr[:, x:] = bgr[:, x:] * (1 - light / 255) + light
    on = on_lattice(bgr, 5, cols)
    assert (line_evidence(on) > 2) == is_part
    dots = [(row, col) for row, col in parsed_dots() if col < cols]
    assert (disc_evidence(on, dots) > 0.1) == is_part


def parsed_dots() -> list[tuple[int, int]]:
    return [
        (row, col) for row, line in enumerate(FIVE.split()) for col, mark in enumerate(line) if mark != "."
    ]


@pytest.mark.parametrize("shift", [0.15, 0.2, 0.5, 0.77])
def test_lines_beyond_a_tear_are_seen(shift: float) -> None:
    bgr = screenshot_of(FIVE, 60, CORNER)
    bgr[:, CORNER[0] + 180 :] = np.roll(bgr[:, CORNER[0] + 180 :], round(60 * shift), axis=0)
    assert line_evidence(on_lattice(bgr, 5, 3)) > 2


def test_a_cut_board_with_swapped_dots_is_not_opened_all_round() -> None:
    """With every row and column open it has exactly one solution, by chance."""
    bgr = screenshot_of("....\nG...\n.RB.\nGB.R\n", 60, CORNER)
    assert size_of(bgr[CORNER[1] + 4 : CORNER[1] + 236, CORNER[0] + 4 : CORNER[0] + 236].copy()) == DOUBTFUL


@pytest.mark.parametrize("height", [4.9, 5.0, 6.0])
def test_a_board_without_a_solution_gives_no_row_away(height: float) -> None:
    """Without its last row, which has no dots, it has exactly one solution."""
    bgr = screenshot_of("G....\nY..GB\n..B.R\nY...R\n.....\n", 60, CORNER)
    assert size_of(bgr[: CORNER[1] + round(60 * height)].copy()) == "unsolvable"


def test_lines_that_fade_beyond_a_board_are_no_cells() -> None:
    bgr = screenshot_of(FIVE, 60, (140, 140))
    for n in range(1, 5):
        for away in range(60):
            shade = tuple(int((1 - away / 90) * part) for part in (63, 109, 63))
            for at in (139 - away, 441 + away):
                bgr[139 + 60 * n : 141 + 60 * n, at] = bgr[at, 139 + 60 * n : 141 + 60 * n] = shade
    assert size_of(bgr) == (5, 5)


@pytest.mark.parametrize("gap", [0, 12, 30])
def test_a_board_beside_what_looks_like_dots_is_read(gap: int) -> None:
    bgr = screenshot_of(FIVE, 60, CORNER)
    for n in range(4):
        cv2.circle(bgr, (CORNER[0] + 30 + 74 * n, CORNER[1] + 330 + gap), 21, (255, 255, 255), -1, 16)
    assert size_of(bgr) == (5, 5)


def test_a_pair_of_dots_right_beside_a_board_is_missed() -> None:
    bgr = screenshot_of(FIVE, 60, CORNER)
    part = bgr.copy()
    part[:, CORNER[0] + 182 :] = 0
    assert size_of(part) == (5, 3)
    for row, colour in ((1, (255, 0, 255)), (3, (255, 0, 255))):
        cv2.circle(part, (CORNER[0] + 210, CORNER[1] + 60 * row + 30), 21, colour, -1, cv2.LINE_AA)
    assert size_of(part) == DOUBTFUL


@pytest.mark.sweep(4)
@pytest.mark.parametrize("pitch", [24, 60, 130])
@pytest.mark.parametrize("radius", [0.24, 0.27, 0.4, 0.45])
@pytest.mark.parametrize("colour", [(20, 20, 230), (150, 200, 90)])
def test_a_disc_that_was_read_as_no_dot_is_said(
    pitch: int, radius: float, colour: tuple[int, int, int]
) -> None:
    bgr = screenshot_of(FIVE, pitch, CORNER)
    plain = solve_image(bgr)
    row, col = next((r, c) for r, line in enumerate(FIVE.split()) for c, one in enumerate(line) if one == ".")
    middle = CORNER[0] + round((col + 0.5) * pitch), CORNER[1] + round((row + 0.5) * pitch)
    cv2.circle(bgr, middle, round(radius * pitch), colour, -1, cv2.LINE_AA)
    answer = solve_image(bgr)
    assert not plain.warnings
    assert [doubt.facts["places"] for doubt in answer.doubts if doubt.code == "left-out"] == [[(row, col)]]
    assert answer.confidence <= 0.85 * plain.confidence


@pytest.mark.parametrize("seed", range(6))
def test_pipes_their_ends_and_glows_are_no_discs(seed: int) -> None:
    made, style = parse(FIVE), Style(drawn=0.4 + seed / 10, finger=seed % 2 == 1, pointer=seed % 3 == 1)
    shown = draw_screenshot(made.board, made.puzzle, style, seed).screenshot
    assert not any(doubt.code == "left-out" for doubt in solve_image(shown).doubts)


@pytest.mark.parametrize(("more_px", "is_said"), [(0, True), (30, False)])
def test_a_board_a_column_off_the_middle_may_be_a_part(more_px: int, is_said: bool) -> None:
    """Screens show boards in their middle; the last column is black here."""
    bgr = screenshot_of("R..RM\n...G.\nGB.B.\n...Y.\nYO.OM\n", 60, (12, 140))
    bgr[:, 12 + 4 * 60 + 2 :] = 0
    answer = solve_image(np.pad(bgr, ((0, 0), (0, more_px), (0, 0))))
    assert answer.size == (4, 5)
    assert ("runs-on" in [doubt.code for doubt in answer.doubts]) == is_said


@pytest.mark.parametrize(("left", "aside_px"), [(0.6, 40), (0.8, 90)])
def test_hexagons_found_one_by_one_may_be_a_part(left: float, aside_px: int) -> None:
    """Most of the last row is moved aside; the others have one solution."""
    made = parse("hex\n.....\n.C.A.\n..AC.\nB...B\nY...Y\n")
    shot = draw_screenshot(made.board, made.puzzle, Style(), 1)
    bgr = shot.screenshot.bgr.copy()
    below = shot.frame.to_px(made.board.layout.corners)[:, 1].max()
    end = round(below) - round(left * shot.frame.pitch_px(made.board.layout.cells[0].centre))
    bgr[end:] = np.roll(bgr[end:], aside_px, axis=1)
    answer = solve_image(bgr)
    assert answer.size == (5, 4)
    assert "runs-on" in [doubt.code for doubt in answer.doubts]
