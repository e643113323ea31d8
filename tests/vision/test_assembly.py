import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import solve_image
from flowvision.image.picture import Bgr, Screenshot
from flowvision.puzzle.text import parse
from flowvision.vision.assembly import assemble
from flowvision.vision.dots.pairing import pair_dots
from flowvision.vision.settings import PAIRING
from tests.boards import places_of_pairs
from tests.drawing import COLOURS, CORNER, FIVE, random_text, screenshot_of
from tests.seeing import dots_on, geometry_of

SERPENTINE = [(0, y) for y in range(15)] + [(1, 14 - y) for y in range(15)] + [(2, y) for y in range(15)]
"""Three columns walked down, up and down: column and row of each cell."""


def read(bgr):
    """Return the reading of a picture, without a solver."""
    return assemble(pair_dots(dots_on(geometry_of(Screenshot(bgr)))))


def pairs_in(text):
    return places_of_pairs(parse(text))


@pytest.mark.parametrize(
    ("rows", "cols", "pitch"),
    [(5, 5, 100), (8, 5, 70), (12, 14, 40), (15, 15, 36), (18, 15, 24), (5, 12, 44)],
)
def test_a_drawn_board_is_read_back(rows, cols, pitch):
    text = random_text(rows, cols, pairs=min(10, rows * cols // 6), seed=rows)
    reading = read(screenshot_of(text, pitch))
    assert (reading.lattice.rows, reading.lattice.cols) == (rows, cols)
    assert places_of_pairs(reading) == pairs_in(text)
    expected = np.add(CORNER, [(0, 0), (cols * pitch, rows * pitch)])
    assert np.allclose(reading.frame.to_px([(0, 0), (cols, rows)]), expected, atol=2)


SOLVED_PATHS = [
    *([(c + x, y) for x, y in SERPENTINE] for c in (0, 3, 6)),
    *([(9 + y, r + x) for x, y in SERPENTINE if y < 6] for r in range(0, 15, 3)),
]
"""Eight paths that cover 15 by 15 cells: column and row of each cell."""


def solved_without_tints(pitch: int) -> Bgr:
    """A solved board whose pipes outshine its lines, a cell from the left and four from the top."""
    bgr = np.zeros((pitch * 23, pitch * 15 + 120, 3), np.uint8)
    left, top, font = 60, 4 * pitch, cv2.FONT_HERSHEY_SIMPLEX
    cv2.putText(bgr, "15x15 Mania Level 7", (60 * 6, top - 60), font, 3, (160, 120, 80), 9)
    for n in range(16):
        for start, end in (((0, n), (15, n)), ((n, 0), (n, 15))):
            ends = ((left + x * pitch, top + y * pitch) for x, y in (start, end))
            cv2.line(bgr, *ends, (94, 70, 48), 7)
    for path, colour in zip(SOLVED_PATHS, COLOURS.values(), strict=False):
        middles = (np.add(path, 0.5) * pitch + (left, top)).astype(np.int32)
        cv2.polylines(bgr, [middles], False, colour[::-1], pitch * 2 // 5)
        for end in (middles[0], middles[-1]):
            cv2.circle(bgr, end.tolist(), pitch * 3 // 8, colour[::-1], -1)
    return bgr


@pytest.mark.parametrize(
    ("pitch", "interpolation"),
    [(20, cv2.INTER_AREA), (24.5, cv2.INTER_AREA), (20.26, cv2.INTER_LANCZOS4), (21, cv2.INTER_LANCZOS4)],
)
def test_a_solved_board_of_small_cells_is_read_from_its_dots(pitch, interpolation):
    """Pipes that outshine the lines look like a lattice half as wide."""
    large = solved_without_tints(round(6 * pitch))
    reading = solve_image(cv2.resize(large, None, fx=1 / 6, fy=1 / 6, interpolation=interpolation)).reading
    assert (reading.lattice.rows, reading.lattice.cols) == (15, 15)
    ends = {frozenset((path[0][::-1], path[-1][::-1])) for path in SOLVED_PATHS}
    assert places_of_pairs(reading) == ends


def test_a_board_in_perspective_is_rectified():
    text = random_text(8, 8, pairs=8, seed=3)
    upright = screenshot_of(text)
    height, width = upright.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    in_photo = np.array([(30, 20), (width - 10, 0), (width - 60, height - 30), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, in_photo)
    assert places_of_pairs(read(cv2.warpPerspective(upright, matrix, (width, height)))) == pairs_in(text)


@pytest.fixture(scope="module")
def clear_pairing():
    """The pairing of a board that is seen well."""
    pairing = pair_dots(dots_on(geometry_of(Screenshot(screenshot_of(FIVE)))))
    assert assemble(pairing).confidence > 0.9
    return pairing


def test_a_reading_is_as_sure_as_its_walls(clear_pairing):
    dots = clear_pairing.dots
    geometry = replace(dots.geometry, clarity=0.4)
    unclear_dots = replace(dots, hypothesis=replace(dots.hypothesis, geometry=geometry))
    reading = assemble(replace(clear_pairing, dots=unclear_dots))
    assert (reading.confidence, reading.weakest, reading.walls_confidence) == (0.4, "the walls", 0.4)


def test_a_reading_is_as_sure_as_its_faintest_dot(clear_pairing):
    dots, faint, cover = clear_pairing.dots, 3, clear_pairing.dots.cover.copy()
    cover[dots.dots[faint].cell] = 0.7
    reading = assemble(replace(clear_pairing, dots=replace(dots, cover=cover)))
    assert (reading.confidence, reading.weakest) == (0.7, "the dot in row 2, column 3")
    doubt_of = dict(zip(np.ravel(clear_pairing.pairs), np.ravel(reading.dot_doubts), strict=True))
    assert doubt_of.pop(faint) == pytest.approx(0.3)
    assert max(doubt_of.values()) < 0.1


def test_a_reading_is_as_sure_as_its_closest_colours(clear_pairing):
    margin = 1.0
    reading = assemble(replace(clear_pairing, margins=(margin, *clear_pairing.margins[1:])))
    assert reading.confidence == pytest.approx(1 - np.exp(-margin / PAIRING.margin_scale), abs=1e-3)
    assert reading.weakest.startswith("the colours of the dots")
