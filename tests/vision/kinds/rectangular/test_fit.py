import cv2
import numpy as np
import pytest

from flowvision.image.picture import Screenshot
from flowvision.vision.grid.side_coverage import SideCoverage
from flowvision.vision.kinds.rectangular.fit import (
    GridFit,
    hole_places,
    notch_places,
    side_places,
    without_faint_rim,
)
from flowvision.vision.kinds.rectangular.lattice import fits_in
from flowvision.vision.pixels.line_weight import third_strongest
from flowvision.vision.pixels.lines import AXES, hough_lines
from flowvision.vision.pixels.view import view_of
from flowvision.vision.settings import GRID
from tests import seeing
from tests.drawing import CORNER, LEVEL_5X5, PITCH, drawn_board, random_text, screenshot_of
from tests.seeing import geometry_of, lines_in, region_of


def fit_of(bgr: np.ndarray):
    """Return the best lattice of a picture."""
    return next(fits_in(lines_in(region_of(bgr))))


def test_lost_lines_make_a_lattice_unsure():
    bgr = screenshot_of(LEVEL_5X5)
    whole = fit_of(bgr).quality
    assert whole > 0.97
    line_x, line_y = np.add(CORNER, (2 * PITCH, 2 * PITCH)).tolist()
    bgr[line_y - PITCH : line_y + PITCH, line_x - 2 : line_x + 2] = 0  # two upright sides
    bgr[line_y - 2 : line_y + 2, line_x - PITCH : line_x] = 0  # a level one
    sides, lost = 2 * 5 * 6, 3
    assert whole - fit_of(bgr).quality == pytest.approx(lost / sides, abs=0.02)


@pytest.mark.parametrize("axis", AXES)
def test_hough_lines_are_those_of_the_picture(axis):
    evidence = fit_of(screenshot_of(LEVEL_5X5)).evidence
    places, tilts = hough_lines(evidence.axes[axis].mask, axis, GRID.tilt_small).T
    cells = (places - CORNER[axis]) / PITCH
    assert np.abs(tilts).max() <= GRID.tilt_small
    assert set(np.round(cells).astype(int).tolist()) == set(range(6))
    assert np.abs(cells - np.round(cells)).max() < 0.1


def lattice(rows: int, cols: int) -> tuple[SideCoverage, tuple[np.ndarray, np.ndarray]]:
    """Return a lattice of which every side is seen; and which sides are strong, upright and level: none."""
    shapes = (rows, cols + 1), (rows + 1, cols)
    cover = SideCoverage(*(np.ones(shape) for shape in shapes))
    return cover, (np.zeros(shapes[0], bool), np.zeros(shapes[1], bool))


def holes_in(cover: SideCoverage, strong: tuple[np.ndarray, np.ndarray]) -> set[tuple[int, int]]:
    """Return row and column of each hole."""
    return {(row, col) for row, col in np.argwhere(hole_places(cover, strong)).tolist()}


@pytest.mark.sweep(at_landing=5)
@pytest.mark.parametrize("seed", range(20))
def test_a_rectangle_within_an_outline_is_a_hole(seed):
    rng, (cover, (upright, level)) = np.random.default_rng(seed), lattice(6, 7)
    (top, bottom), (left, right) = (
        sorted(rng.choice(size + 1, 2, replace=False).tolist()) for size in (6, 7)
    )
    cover.vertical[top:bottom, left + 1 : right] = cover.horizontal[top + 1 : bottom, left:right] = 0
    upright[top:bottom, [left, right]] = level[[top, bottom], left:right] = True
    expected = {(row, col) for row in range(top, bottom) for col in range(left, right)}
    assert holes_in(cover, (upright, level)) == expected


@pytest.mark.parametrize("is_one_side_strong", [False, True])
def test_cells_between_which_lines_were_lost_are_no_hole(is_one_side_strong):
    cover, (upright, level) = lattice(5, 5)
    cover.vertical[1:3, 2] = cover.horizontal[2, 1:3] = 0
    upright[1, 1] = is_one_side_strong
    assert holes_in(cover, (upright, level)) == set()


@pytest.mark.parametrize("walls", range(5))
def test_a_cell_among_walls_is_a_hole_only_when_it_is_closed(walls):
    cover, (upright, level) = lattice(5, 5)
    for sides, place in ((upright, (2, 2)), (upright, (2, 3)), (level, (2, 2)), (level, (3, 2)))[:walls]:
        sides[place] = True
    assert holes_in(cover, (upright, level)) == ({(2, 2)} if walls == 4 else set())


def test_outer_sides_far_weaker_than_a_line_are_not_seen():
    cover, _ = lattice(4, 5)
    upright, level = np.ones((4, 6)), np.ones((5, 5))
    weak_inside, weak_left, weak_below, unknown = (1, 3), (2, 0), (4, 2), (0, 0)
    upright[weak_inside] = upright[weak_left] = upright[unknown] = level[weak_below] = 0.1
    cover.vertical[unknown] = np.nan
    kept = without_faint_rim(cover, (upright, level))
    assert [tuple(place) for place in np.argwhere(kept.vertical == 0).tolist()] == [weak_left]
    assert [tuple(place) for place in np.argwhere(kept.horizontal == 0).tolist()] == [weak_below]
    assert np.isnan(kept.vertical[unknown])
    assert cover.vertical[weak_left] == 1  # what was given is left alone


def test_a_board_whose_outline_alone_or_every_line_is_strong_is_not_all_hole():
    cover, (upright, level) = lattice(4, 5)
    every_line = np.ones_like(upright), np.ones_like(level)
    assert holes_in(cover, every_line) == set()
    cover.vertical[:, 1:-1] = cover.horizontal[1:-1] = 0
    upright[:, [0, -1]] = level[[0, -1]] = True
    assert holes_in(cover, (upright, level)) == set()


LEFT, TOP = CORNER


def board_of(rows: int, cols: int) -> np.ndarray:
    """Return the lines of a board, in grey."""
    brightest = screenshot_of(random_text(rows, cols, pairs=0)).max(axis=2)
    return np.repeat(brightest[..., None], 3, axis=2)


def strengths(bgr: np.ndarray, fit: GridFit, channel: str = "brightest") -> list[np.ndarray]:
    """Return how strong upright and level sides are."""
    view = view_of(Screenshot(bgr), box=None, view_px=10_000, channel=channel)
    return [third_strongest(side_places(view, fit, axis)) for axis in AXES]


def assert_equal(a: list[np.ndarray], b: list[np.ndarray]) -> None:
    assert all(np.array_equal(*arrays) for arrays in zip(a, b, strict=True))


def lattice_of(bgr: np.ndarray) -> GridFit:
    return seeing.geometry_of(Screenshot(bgr)).fit


@pytest.mark.parametrize("width", [4, 6, 8])
def test_thicker_lines_are_stronger_by_their_width(width):
    plain = board_of(5, 5)
    thick, fit, plain_width = plain.copy(), lattice_of(plain), 3
    x = LEFT + 2 * PITCH
    thick[TOP + PITCH + 2 : TOP + 2 * PITCH - 1, x - width // 2 : x + width - width // 2] = plain.max()
    (upright, level), (upright_before, level_before) = strengths(thick, fit), strengths(plain, fit)
    ratio = upright / upright_before
    assert ratio[1, 2] == pytest.approx(width / plain_width, rel=0.25)
    ratio[1, 2] = 1
    assert ratio == pytest.approx(1.0, rel=0.05)
    assert level == pytest.approx(level_before, rel=0.05)


def test_dark_lines_count_by_how_far_they_are_from_white():
    bgr = board_of(5, 4)
    fit = lattice_of(bgr)
    assert_equal(strengths(bgr, fit), strengths(255 - bgr, fit, "negative"))


def test_what_lies_beyond_the_border_does_not_count():
    plain, gap = board_of(5, 5), 6
    fit, bright_around = lattice_of(plain), plain.copy()
    bright_around[: TOP - gap] = bright_around[TOP + 5 * PITCH + gap :] = 255
    bright_around[:, LEFT + 5 * PITCH + gap :] = 255
    assert_equal(strengths(plain, fit), strengths(bright_around, fit))


NOTCHES = {
    "corners": [(0, 0), (0, 5), (4, 0), (4, 5)],
    "one corner": [(0, 0)],
    "a step": [(0, 0), (0, 1), (1, 0)],
    "the middle of an edge": [(0, 2), (0, 3)],
}


def lines_round(rows: int, cols: int, missing: set[tuple[int, int]]) -> SideCoverage:
    """Return the sides of all places but the missing ones."""
    upright, level = np.zeros((rows, cols + 1)), np.zeros((rows + 1, cols))
    for row in range(rows):
        for col in range(cols):
            if (row, col) not in missing:
                upright[row, [col, col + 1]] = level[[row, row + 1], col] = 1
    return SideCoverage(upright, level)


@pytest.mark.parametrize("missing", NOTCHES.values(), ids=NOTCHES)
def test_places_that_the_lines_leave_out_at_the_border_are_holes(missing):
    cover = lines_round(5, 6, set(missing))
    found = notch_places(cover, (cover.vertical, cover.horizontal))
    assert [tuple(place) for place in np.argwhere(found).tolist()] == sorted(missing)


@pytest.mark.parametrize("opened", [[(2, 0), (2, -1)], [(0, 0)]])
def test_with_another_gap_in_the_border_there_are_no_notches(opened):
    """It may be open to warps, or the lines of the border are lost."""
    cover = lines_round(5, 6, {(0, 0), (0, 5)} if opened[0][0] else set())
    for side in opened:
        cover.vertical[side] = 0
    assert not notch_places(cover, (cover.vertical, cover.horizontal)).any()


@pytest.mark.parametrize("pitch", [36, 60, 100])
@pytest.mark.parametrize(("ground", "line", "glow"), [(20, 90, 0), (255, 150, 0), (20, 90, 40)])
def test_a_board_whose_thin_lines_leave_out_its_corners_has_holes_there(pitch, ground, line, glow):
    bgr = drawn_board(LEVEL_5X5, 0.3, (pitch, pitch), (pitch, pitch), ground=(ground,) * 3, line=(line,) * 3)
    end = 6 * pitch
    for x, inner_x in ((pitch, 2 * pitch), (end, end - pitch)):
        for y, inner_y in ((pitch, 2 * pitch), (end, end - pitch)):
            left, top = min(x, inner_x), min(y, inner_y)
            bgr[top : top + pitch + 1, left : left + pitch + 1] = ground
            cv2.line(bgr, (inner_x, y), (inner_x, inner_y), (line,) * 3, 1)
            cv2.line(bgr, (x, inner_y), (inner_x, inner_y), (line,) * 3, 1)
    columns = np.abs(np.arange(bgr.shape[1]) - 1.5 * pitch) / pitch
    bgr[..., 0] += np.round(glow * np.clip(1 - columns, 0, 1)).astype(np.uint8)  # over the left corners
    lattice = geometry_of(Screenshot(bgr)).board.lattice
    assert lattice is not None
    assert set(lattice.holes) == {(0, 0), (0, 4), (4, 0), (4, 4)}


@pytest.mark.parametrize("radius", [0.2, 0.43])
def test_a_corner_with_a_dot_is_no_hole(radius):
    bgr = drawn_board(LEVEL_5X5, radius, (60, 60), (60, 60), line=(90, 90, 90))
    cv2.rectangle(bgr, (30, 30), (62, 119), (0, 0, 0), -1)
    cv2.rectangle(bgr, (30, 30), (119, 62), (0, 0, 0), -1)
    cv2.circle(bgr, (90, 90), round(60 * radius), (0, 0, 255), -1)
    lattice = geometry_of(Screenshot(bgr)).board.lattice
    assert lattice is not None
    assert not lattice.holes
