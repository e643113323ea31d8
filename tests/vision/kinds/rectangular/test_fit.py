import numpy as np
import pytest

from flowvision.image.picture import Screenshot
from flowvision.vision.grid.side_coverage import SideCoverage
from flowvision.vision.kinds.rectangular.fit import GridFit, hole_places, side_places, without_faint_rim
from flowvision.vision.kinds.rectangular.lattice import fits_in
from flowvision.vision.pixels.line_weight import third_strongest
from flowvision.vision.pixels.lines import AXES, hough_lines
from flowvision.vision.pixels.view import view_of
from flowvision.vision.settings import GRID
from tests import seeing
from tests.drawing import FIVE, random_text, screenshot_of
from tests.seeing import lines_in, region_of


def fit_of(bgr: np.ndarray):
    return next(fits_in(lines_in(region_of(bgr))))


def test_lost_lines_make_a_lattice_unsure():
    bgr = screenshot_of(FIVE)
    whole = fit_of(bgr).quality
    assert whole > 0.97
    bgr[200:320, 130:134] = 0
    bgr[258:262, 72:130] = 0
    lost = fit_of(bgr).quality
    sides = 5 * 6 + 5 * 6
    assert whole - lost == pytest.approx(3 / sides, abs=0.02)


def test_hough_lines_are_those_of_the_picture():
    fit = fit_of(screenshot_of(FIVE))
    for axis, start in zip(AXES, (12, 140), strict=True):
        places, tilts = hough_lines(fit.evidence.axes[axis].mask, axis, GRID.tilt_small).T
        steps = (places - start) / 60
        assert np.abs(tilts).max() <= GRID.tilt_small
        assert set(np.round(steps).astype(int).tolist()) == set(range(6))
        assert np.abs(steps - np.round(steps)).max() < 0.1


def lattice(rows: int, cols: int) -> tuple[SideCoverage, tuple[np.ndarray, np.ndarray]]:
    """A lattice of which every side is seen, and none is strong."""
    shapes = (rows, cols + 1), (rows + 1, cols)
    cover = SideCoverage(*(np.ones(shape) for shape in shapes))
    return cover, (np.zeros(shapes[0], bool), np.zeros(shapes[1], bool))


def holes_in(cover: SideCoverage, strong: tuple[np.ndarray, np.ndarray]) -> set[tuple[int, int]]:
    found = hole_places(cover, strong)
    return {(row, col) for row, col in np.argwhere(found).tolist()}


@pytest.mark.sweep(5)
@pytest.mark.parametrize("seed", range(20))
def test_a_rectangle_within_an_outline_is_a_hole(seed):
    rng = np.random.default_rng(seed)
    cover, strong = lattice(6, 7)
    (r0, r1), (c0, c1) = (sorted(rng.choice(size + 1, 2, replace=False).tolist()) for size in (6, 7))
    cover.vertical[r0:r1, c0 + 1 : c1] = cover.horizontal[r0 + 1 : r1, c0:c1] = 0
    strong[0][r0:r1, [c0, c1]] = strong[1][[r0, r1], c0:c1] = True
    assert holes_in(cover, strong) == {(row, col) for row in range(r0, r1) for col in range(c0, c1)}


def test_cells_between_which_lines_were_lost_are_no_hole():
    cover, strong = lattice(5, 5)
    cover.vertical[1:3, 2] = cover.horizontal[2, 1:3] = 0
    assert holes_in(cover, strong) == set()
    strong[0][1, 1] = True
    assert holes_in(cover, strong) == set()


@pytest.mark.parametrize("walls", range(5))
def test_a_cell_among_walls_is_a_hole_only_when_it_is_closed(walls):
    cover, strong = lattice(5, 5)
    for array, place in (
        (strong[0], (2, 2)), (strong[0], (2, 3)), (strong[1], (2, 2)), (strong[1], (3, 2))
    )[:walls]:  # fmt: skip
        array[place] = True
    assert holes_in(cover, strong) == ({(2, 2)} if walls == 4 else set())


def test_outer_sides_far_weaker_than_a_line_are_not_seen():
    cover, _ = lattice(4, 5)
    cover.vertical[0, 0] = np.nan
    strength = np.full((4, 6), 1.0), np.full((5, 5), 1.0)
    strength[0][0, 0] = strength[0][2, 0] = strength[0][1, 3] = strength[1][4, 2] = 0.1
    kept = without_faint_rim(cover, strength)
    faint = {(2, 0)}, {(4, 2)}
    for side, gone in zip((kept.vertical, kept.horizontal), faint, strict=True):
        assert {(row, col) for row, col in np.argwhere(side == 0).tolist()} == gone
    assert np.isnan(kept.vertical[0, 0])
    assert cover.vertical[2, 0] == 1


@pytest.mark.parametrize("lines", [0, 1])
def test_a_board_is_never_all_hole(lines):
    cover, strong = lattice(4, 5)
    cover.vertical[:, 1:-1] = cover.horizontal[1:-1] = lines
    strong[0][:, [0, -1]] = strong[1][[0, -1]] = True
    if lines:
        strong[0][:], strong[1][:] = True, True
    assert holes_in(cover, strong) == set()


PITCH, LEFT, TOP = 60, 12, 140


def board_of(rows: int, cols: int) -> np.ndarray:
    return np.repeat(screenshot_of(random_text(rows, cols, pairs=0), PITCH).max(axis=2)[..., None], 3, axis=2)


def strengths(bgr: np.ndarray, fit: GridFit, channel: str = "brightest") -> list[np.ndarray]:
    view = view_of(Screenshot(bgr), None, 10_000, channel)
    return [third_strongest(side_places(view, fit, axis)) for axis in AXES]


def lattice_of(bgr: np.ndarray) -> GridFit:
    return seeing.geometry_of(Screenshot(bgr)).fit


@pytest.mark.parametrize("width", [4, 6, 8])
def test_thicker_lines_are_stronger_by_their_width(width):
    plain = board_of(5, 5)
    thick, fit = plain.copy(), lattice_of(plain)
    x = LEFT + 2 * PITCH
    thick[TOP + PITCH + 2 : TOP + 2 * PITCH - 1, x - width // 2 : x + width - width // 2] = plain.max()
    before, after = strengths(plain, fit), strengths(thick, fit)
    ratio = after[0] / before[0]
    assert ratio[1, 2] == pytest.approx(width / 3, rel=0.25)
    ratio[1, 2] = 1
    assert ratio == pytest.approx(1.0, rel=0.05)
    assert after[1] == pytest.approx(before[1], rel=0.05)


def test_dark_lines_count_by_how_far_they_are_from_white():
    bgr = board_of(5, 4)
    fit = lattice_of(bgr)
    for one, other in zip(strengths(bgr, fit), strengths(255 - bgr, fit, "negative"), strict=True):
        assert np.array_equal(one, other)


def test_what_lies_beyond_the_border_does_not_count():
    plain = board_of(5, 5)
    fit, beside = lattice_of(plain), plain.copy()
    gap = 6
    beside[: TOP - gap] = beside[TOP + 5 * PITCH + gap :] = 255
    beside[:, LEFT + 5 * PITCH + gap :] = 255
    for one, other in zip(strengths(plain, fit), strengths(beside, fit), strict=True):
        assert np.array_equal(one, other)
