import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import solve_image
from flowvision.image.picture import Screenshot
from flowvision.puzzle.text import parse
from flowvision.vision.assembly import assemble
from flowvision.vision.dots.pairing import pair_dots
from flowvision.vision.settings import PAIRING
from tests.boards import places_of_pairs
from tests.drawing import COLOURS, FIVE, random_text, screenshot_of
from tests.seeing import dots_on, geometry_of

SERPENTINE = [(0, y) for y in range(15)] + [(1, 14 - y) for y in range(15)] + [(2, y) for y in range(15)]
"""Three columns walked down, up and down."""
CORNER = (12, 140)
"""Where ``screenshot_of`` puts a board."""


def read(bgr):
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
    corner, far = reading.frame.to_px([(0, 0), (cols, rows)])
    assert np.allclose(corner, CORNER, atol=2)
    assert np.allclose(far, np.add(CORNER, (cols * pitch, rows * pitch)), atol=2)


@pytest.mark.parametrize(
    ("pitch", "shrunk"),
    [(20, cv2.INTER_AREA), (24.5, cv2.INTER_AREA), (20.26, cv2.INTER_LANCZOS4), (21, cv2.INTER_LANCZOS4)],
)
def test_a_solved_board_of_small_cells_is_read_from_its_dots(pitch, shrunk):
    """Pipes along untinted cells outshine the lines: they look like a lattice half as wide."""
    upright = [[(c + x, y) for x, y in SERPENTINE] for c in (0, 3, 6)]
    level = [[(9 + y, r + x) for x, y in SERPENTINE if y < 6] for r in range(0, 15, 3)]
    large = round(6 * pitch)
    bgr = np.zeros((large * 23, large * 15 + 120, 3), np.uint8)
    cv2.putText(
        bgr, "15x15 Mania Level 7", (60 * 6, large * 4 - 60), cv2.FONT_HERSHEY_SIMPLEX, 3, (160, 120, 80), 9
    )
    for n in range(16):
        for start, end in (((0, n), (15, n)), ((n, 0), (n, 15))):
            cv2.line(bgr, *((60 + x * large, (4 + y) * large) for x, y in (start, end)), (94, 70, 48), 7)
    for path, colour in zip(upright + level, COLOURS.values(), strict=False):
        places = np.add(path, (0.5, 4.5)) * large + (60, 0)
        cv2.polylines(bgr, [places.astype(np.int32)], False, colour[::-1], large * 2 // 5)
        for end in (places[0], places[-1]):
            cv2.circle(bgr, end.astype(int).tolist(), large * 3 // 8, colour[::-1], -1)
    reading = solve_image(cv2.resize(bgr, None, fx=1 / 6, fy=1 / 6, interpolation=shrunk)).reading
    assert (reading.lattice.rows, reading.lattice.cols) == (15, 15)
    ends = {frozenset((path[0][::-1], path[-1][::-1])) for path in upright + level}
    assert places_of_pairs(reading) == ends


def test_a_board_in_perspective_is_rectified():
    text = random_text(8, 8, pairs=8, seed=3)
    upright = screenshot_of(text)
    height, width = upright.shape[:2]
    seen = np.array([(30, 20), (width - 10, 0), (width - 60, height - 30), (0, height)], np.float32)
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    photo = cv2.warpPerspective(upright, cv2.getPerspectiveTransform(flat, seen), (width, height))
    assert places_of_pairs(read(photo)) == pairs_in(text)


@pytest.mark.parametrize(("lost", "kept"), [("M", "P"), ("C", "W")])
def test_dots_of_two_colours_are_no_pair(lost, kept):
    text = random_text(9, 9, pairs=10)
    whole = read(screenshot_of(text))
    assert whole.confidence > 0.9
    for letter in (lost, kept):
        text = text.replace(letter, ".", 1)
    parted = read(screenshot_of(text))
    assert len(parted.puzzle.terminals) == 9
    assert parted.confidence < 0.3
    assert parted.weakest.startswith("the colours of the dots")


def test_a_reading_is_as_sure_as_what_was_seen_least_well():
    sides = geometry_of(Screenshot(screenshot_of(FIVE)))
    dots = dots_on(sides)
    pairing = pair_dots(dots)
    plain = assemble(pairing)
    assert plain.confidence > 0.9
    unclear_hypothesis = replace(dots.hypothesis, geometry=replace(sides, clarity=0.4))
    unclear = assemble(replace(pairing, dots=replace(dots, hypothesis=unclear_hypothesis)))
    assert (unclear.confidence, unclear.weakest, unclear.walls_confidence) == (0.4, "the walls", 0.4)
    cover = dots.cover.copy()
    cover[dots.dots[3].cell] = 0.7
    patchy = replace(dots, cover=cover)
    faint = assemble(replace(pairing, dots=patchy))
    assert (faint.confidence, faint.weakest) == (0.7, "the dot in row 2, column 3")
    doubts = dict(zip(np.ravel(pairing.pairs), np.ravel(faint.dot_doubts), strict=True))
    assert doubts.pop(3) == pytest.approx(0.3)
    assert max(doubts.values()) < 0.1
    close = assemble(replace(pairing, margins=(1.0, *pairing.margins[1:])))
    assert close.confidence == pytest.approx(1 - np.exp(-1 / PAIRING.margin_scale), abs=1e-3)
    assert close.weakest.startswith("the colours of the dots")
