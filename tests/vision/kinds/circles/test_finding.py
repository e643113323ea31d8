import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.image.codec import decode, encode
from flowvision.image.picture import Bgr, Frame, Screenshot
from flowvision.puzzle.text import parse
from flowvision.solvers import solve
from flowvision.vision.kinds.circles.finding import circle_boards, is_ruled
from flowvision.vision.pixels.view import view_of
from tests.boards import LEVEL_5X5_PAIRS, pairs_of
from tests.drawing import (
    BLACK,
    COLOURS,
    LEVEL_5X5,
    PITCH,
    RING_MARGIN,
    WHITE,
    random_text,
    ring_middle,
    rings_shot,
)
from tests.seeing import assert_refused, region_of


def draw_paths(bgr: Bgr, text: str, first: tuple[int, int], pitch: int, pipe_px: int, dot_px: int) -> None:
    """Draw the solution of a board on a picture; ``first``: the middle of its first cell."""
    given = parse(text)
    for letter, path in zip(given.letters, solve(given.puzzle).solution.paths, strict=True):
        places = [given.board.lattice.places[strand] for strand in path.vertices]
        points, colour = [(first[0] + c * pitch, first[1] + r * pitch) for r, c in places], COLOURS[letter]
        if pipe_px:
            cv2.polylines(bgr, [np.array(points)], False, colour[::-1], pipe_px, cv2.LINE_AA)
        for end in (points[0], points[-1]):
            cv2.circle(bgr, end, dot_px, colour[::-1], -1, cv2.LINE_AA)


def tints(text: str, pitch: int = 60) -> Bgr:
    """The solution of a board as pipes, each on cells tinted in its colour, without any line."""
    named = parse(text)
    lattice = named.board.lattice
    bgr = np.zeros((lattice.rows * pitch, lattice.cols * pitch, 3), np.uint8)
    for letter, path in zip(named.letters, solve(named.puzzle).solution.paths, strict=True):
        for r, c in (lattice.places[strand] for strand in path.vertices):
            tint = np.array(COLOURS[letter][::-1]) // 3 + 40
            bgr[r * pitch : (r + 1) * pitch, c * pitch : (c + 1) * pitch] = tint
    width_px = round(0.33 * pitch)
    draw_paths(bgr, text, (pitch // 2, pitch // 2), pitch, width_px, width_px)
    return bgr


def found_in(bgr: Bgr) -> list[tuple[int, int]]:
    """Return rows and columns of each board of circles."""
    return [(fit.rows, fit.cols) for fit in circle_boards(region_of(bgr))]


def pairs_in(bgr: Bgr) -> set[frozenset[int]]:
    return pairs_of(solve_image(bgr).reading.puzzle)


def above_buttons() -> Bgr:
    """Rings above buttons that are as large."""
    bgr = np.pad(rings_shot(LEVEL_5X5), ((0, 60), (0, 0), (0, 0)))
    for x in (75, 160, 240, 310):
        cv2.circle(bgr, (x, 405), 16, (200, 200, 200), -1, cv2.LINE_AA)
    return bgr


def icon(room: float) -> Bgr:
    """A solved board as an icon: faint lines that fade out beyond it, no border; ``room`` in cells."""
    pitch, margin = 80, round(room * 80)
    bgr = np.full((5 * pitch + 2 * margin, 5 * pitch + 2 * margin, 3), (80, 60, 40), np.uint8)
    for place in range(margin % pitch, len(bgr), pitch):
        bgr[place, :] = bgr[:, place] = (105, 85, 65)
    first = margin + pitch // 2
    draw_paths(bgr, LEVEL_5X5, (first, first), pitch, round(0.34 * pitch), round(0.42 * pitch))
    return bgr


def panel(text: str, look: str, room: int = 50, page: int = 20) -> Bgr:
    """Dots without lines on a ground: plain, of two colours, or rounded tiles; buttons below."""
    rows, pitch = text.split(), 60
    bgr = np.full((len(rows) * pitch + 2 * room, len(rows[0]) * pitch + 2 * room, 3), page, np.uint8)
    for r, c in np.ndindex(len(rows), len(rows[0])):
        if rows[r][c] == "#":
            continue
        x, y = room + c * pitch, room + r * pitch
        if look == "tiles":
            middle = (x + 17, y + 17), (x + pitch - 17, y + pitch - 17)
            cv2.rectangle(bgr, *middle, (60, 50, 45), 28, cv2.LINE_AA)
            bgr[y + 17 : y + 43, x + 17 : x + 43] = 60, 50, 45
        else:
            bgr[y : y + pitch, x : x + pitch] = (60, 50, 45) if look == "plain" or (r + c) % 2 else 45
        if (letter := rows[r][c]) in COLOURS:
            cv2.circle(bgr, (x + 30, y + 30), 18, COLOURS[letter][::-1], -1, cv2.LINE_AA)
    for number in range(8 if room > 20 else 0):
        cv2.circle(bgr, (room + 40 * number, len(bgr) - 20), 13, (200, 200, 200), -1, cv2.LINE_AA)
    return bgr


def assert_read(bgr: Bgr) -> None:
    """Check that the first level is read from a picture, and from it as a JPEG."""
    assert found_in(bgr) == [(5, 5)]
    assert pairs_in(bgr) == LEVEL_5X5_PAIRS
    assert pairs_in(decode(encode(bgr, ".jpg")).bgr) == LEVEL_5X5_PAIRS


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("pitch", [36, 60, 130])
@pytest.mark.parametrize("ground", [BLACK, WHITE, (70, 50, 40)])
def test_a_board_of_rings_is_read(pitch: int, ground: tuple[int, int, int]) -> None:
    assert_read(rings_shot(LEVEL_5X5, pitch, ground=ground, shake=0.03))


@pytest.mark.parametrize("size", [(90, 50), (50, 120)])
def test_a_board_of_rings_in_oblong_cells_is_read(size: tuple[int, int]) -> None:
    assert_read(rings_shot(LEVEL_5X5, *size))


@pytest.mark.sweep(at_landing=2)
@pytest.mark.parametrize("pitch", [36, 60, 130])
def test_a_board_of_tints_is_read(pitch: int) -> None:
    assert_read(tints(LEVEL_5X5, pitch))


@pytest.mark.sweep(at_landing=2)
@pytest.mark.parametrize("room", [0.0, 0.25, 0.4])
def test_an_icon_is_read(room: float) -> None:
    assert_read(icon(room))


def test_rings_above_buttons_are_read() -> None:
    assert_read(above_buttons())


@pytest.mark.sweep(at_landing=3)
@pytest.mark.parametrize(("look", "room"), [("plain", 50), ("two colours", 50), ("tiles", 50), ("plain", 10)])
def test_a_board_on_a_panel_is_read(look: str, room: int) -> None:
    assert_read(panel(LEVEL_5X5, look, room=room))


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("colour", [(110, 110, 110), COLOURS["R"][::-1]])
def test_a_bar_right_beside_the_board_is_no_part_of_it(colour, turns):
    padding, height = 80, 40
    bgr = np.pad(rings_shot(LEVEL_5X5), ((padding, 0), (0, 0), (0, 0)))
    x, y = ring_middle(0, 1)
    bottom = y + padding - height  # right above the first row of rings
    bgr[bottom - height : bottom, x - 20 : x + 160] = colour
    assert found_in(np.ascontiguousarray(np.rot90(bgr, turns))) == [(5, 5)]


def test_tinted_cells_without_a_dot_are_cells_and_black_places_holes():
    pitch, dots_in_third_row = 60, LEVEL_5X5.split()[2].strip(".")
    assert not dots_in_third_row
    solved = tints(LEVEL_5X5, pitch)
    bgr = np.zeros((8 * pitch, 7 * pitch, 3), np.uint8)
    bgr[pitch : pitch + len(solved), pitch : pitch + len(solved)] = solved
    assert found_in(bgr) == [(5, 5)]
    bgr[pitch + 1 : 2 * pitch - 1, pitch + 1 : 3 * pitch - 1] = 0  # the first two cells, but for their edges
    (fit,) = circle_boards(region_of(bgr))
    assert fit.holes == ((0, 0), (0, 1))


def test_a_board_on_a_ground_that_does_not_end_is_not_guessed() -> None:
    for sides in ([(0, 60), (0, 0)], [(60, 60), (60, 60)]):
        bgr = np.pad(panel(LEVEL_5X5, "plain", room=0), [*sides, (0, 0)], mode="edge")
        assert found_in(bgr) == []


def test_places_where_the_page_shows_are_holes() -> None:
    text = "#R..#\n.G.Y.\n..RG.\n#.Y..\n"
    bgr = panel(text, "plain")
    (fit,) = circle_boards(region_of(bgr))
    assert (fit.rows, fit.cols, fit.holes) == (4, 5, ((0, 0), (0, 4), (3, 0)))
    assert len(fit.cut_board().board.layout.cells) == 17
    bgr[50:110, 50:110] = 90, 60, 30  # another ground, on which no circle was found
    assert found_in(bgr) == []


@pytest.mark.parametrize(("rows", "cols"), [(4, 9), (8, 5), (12, 12)])
def test_the_lattice_lies_where_it_was_drawn(rows, cols):
    pitch = 45
    (fit,) = circle_boards(region_of(rings_shot(random_text(rows, cols, pairs=4), pitch, shake=0.03)))
    assert (fit.rows, fit.cols) == (rows, cols)
    assert fit.quality > 0.75
    places = list(np.ndindex(rows, cols))
    drawn_px = [ring_middle(r, c, pitch, pitch) for r, c in places]
    middles_px = fit.frame.to_px([(c + 0.5, r + 0.5) for r, c in places])
    assert np.abs(middles_px - drawn_px).max() < 0.05 * pitch
    assert np.abs(fit.region.corners_px[0] - RING_MARGIN).max() < 0.05 * pitch


EMPTY = [(r, c) for r, row in enumerate(LEVEL_5X5.split()) for c, letter in enumerate(row) if letter == "."]


@pytest.mark.parametrize(
    "covered", [EMPTY, [(4, 0)], [(2, 2)]], ids=["all empty cells", "a corner", "the middle"]
)
def test_nothing_is_guessed_about_cells_that_show_nothing(covered):
    picture = rings_shot(LEVEL_5X5)
    for r, c in covered:
        cv2.circle(picture, ring_middle(r, c), 25, BLACK, -1)
    assert found_in(picture) == []
    assert_refused(picture, code="board-not-found")


def test_a_dot_beyond_the_rectangle_refuses_it():
    bgr = np.pad(rings_shot(LEVEL_5X5), ((0, 120), (0, 0), (0, 0)))
    assert found_in(bgr) == [(5, 5)]
    for row in (5, 6):
        cv2.circle(bgr, ring_middle(row, 2), 16, COLOURS["R"][::-1], -1, cv2.LINE_AA)
    assert found_in(bgr) == []


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_single_line_makes_it_another_kind_of_board(colour):
    bgr = tints(LEVEL_5X5)
    assert found_in(bgr) == [(5, 5)]
    cv2.line(bgr, (120, 62), (120, 118), colour, 4)  # between two cells of the second row
    assert found_in(bgr) == []


def test_of_two_boards_the_first_is_read_and_the_other_is_named():
    second = LEVEL_5X5[::-1].strip() + "\n"
    bgr = np.hstack((rings_shot(LEVEL_5X5), rings_shot(second)))
    assert found_in(bgr) == [(5, 5), (5, 5)]
    answer = solve_image(bgr)
    assert pairs_of(answer.reading.puzzle) == LEVEL_5X5_PAIRS
    crop = tuple(map(int, answer.doubts[-1].other.value.split(",")))
    assert pairs_of(solve_image(bgr, crop=crop).reading.puzzle) == pairs_of(parse(second).puzzle)


GROUND = (70, 60, 50)


def played_rings(text: str, ring_px: int, pipe: float, dot: float = 0.38) -> Bgr:
    """The solution of a board as pipes over rings, all as large as the dots.

    Half a cell lies beside it. ``pipe``: its width, ``dot``: radius, in cells.
    """
    rows, radius = text.split(), round(dot * PITCH)
    bgr = np.full(((len(rows) + 1) * PITCH, (len(rows[0]) + 1) * PITCH, 3), GROUND, np.uint8)
    for r, c in np.ndindex(len(rows), len(rows[0])):
        cv2.circle(bgr, ((c + 1) * PITCH, (r + 1) * PITCH), radius, WHITE, ring_px, cv2.LINE_AA)
    draw_paths(bgr, text, (PITCH, PITCH), PITCH, round(pipe * PITCH), radius)
    return bgr


@pytest.mark.parametrize(
    ("ring_px", "pipe", "dot"),
    [(2, 0.2, 0.38), (2, 0.46, 0.38), (2, 0.5, 0.38), (3, 0.0, 0.43), (3, 0.5, 0.43), (4, 0.5, 0.43)],
)
def test_dots_differ_from_pipes_over_rings(ring_px: int, pipe: float, dot: float) -> None:
    assert pairs_in(played_rings(LEVEL_5X5, ring_px, pipe, dot)) == LEVEL_5X5_PAIRS


@pytest.mark.parametrize("dot", [0.33, 0.38])
@pytest.mark.parametrize("sides", [["left"], ["right"], ["left", "right", "top", "bottom"]])
def test_pipes_along_a_frame_are_of_the_board(dot: float, sides: list[str]) -> None:
    bgr, away_px, width_px = played_rings(LEVEL_5X5, ring_px=2, pipe=0.5, dot=dot), 12, 18
    framed = bgr[away_px:-away_px, away_px:-away_px]
    first, last = np.s_[:width_px], np.s_[1 - width_px :]
    strips = {
        "left": framed[:, first],
        "right": framed[:, last],
        "top": framed[first],
        "bottom": framed[last],
    }
    for side in sides:
        strips[side][:] = 64, 96, 128
    bgr = cv2.copyMakeBorder(bgr, PITCH, PITCH, PITCH, PITCH, cv2.BORDER_CONSTANT, value=GROUND)
    assert pairs_in(bgr) == LEVEL_5X5_PAIRS


@pytest.mark.parametrize("radius_px", [12, 14])
def test_small_rings_on_a_tall_page_are_noticed(radius_px: int) -> None:
    rows, cols, grey = 10, 8, (60, 60, 60)
    bgr = np.full((1100, 770, 3), 250, np.uint8)
    dots = {(row, 3 * row % cols): letter for row, letter in enumerate("RGBYO" * 2)}
    for row, col in np.ndindex(rows, cols):
        at, letter = (170 + PITCH * col, 250 + PITCH * row), dots.get((row, col))
        colour, width = (COLOURS[letter][::-1], -1) if letter else (grey, 1)
        cv2.circle(bgr, at, radius_px, colour, width, cv2.LINE_AA)
    assert found_in(bgr) == [(rows, cols)]


def circles(ground: int = 0, radius: int = 18, width: int = -1) -> np.ndarray:
    """Five by five circles on a ground of this brightness; ``width``: of their line, -1 for discs."""
    bgr = np.full((360, 360, 3), ground, np.uint8)
    for row, col in np.ndindex(5, 5):
        cv2.circle(bgr, (60 + col * PITCH, 60 + row * PITCH), radius, (120, 140, 130), width, cv2.LINE_AA)
    return bgr


def ruled(bgr: np.ndarray) -> bool:
    """Tell if lines are seen between the circles."""
    return is_ruled(
        view_of(Screenshot(bgr), box=None, view_px=360), Frame.of_box(30, 30, PITCH, PITCH), (5, 5)
    )


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("ground", [0, 60, 255])
@pytest.mark.parametrize(("radius", "width"), [(18, -1), (18, 2), (27, -1), (26, 3), (27, 4)])
def test_circles_alone_are_not_ruled(ground, radius, width):
    assert not ruled(circles(ground, radius, width))


@pytest.mark.parametrize(("ground", "line"), [(0, 90), (60, 0), (255, 120)])
def test_a_grid_is_noticed(ground, line):
    bgr = circles(ground)
    for place in range(30, 331, PITCH):
        cv2.line(bgr, (30, place), (330, place), (line,) * 3, 2)
        cv2.line(bgr, (place, 30), (place, 330), (line,) * 3, 2)
    assert ruled(bgr)
