"""Boards of copies of the game: dots of any size, in cells of any proportions."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from flowvision.image.picture import Bgr, Rgb, Screenshot
from flowvision.pipeline import read_image
from flowvision.puzzle.text import parse
from flowvision.vision.board.boxes import box_of
from flowvision.vision.board.contours import find_boards
from flowvision.vision.dots.detection import find_dots
from flowvision.vision.dots.disc_models import DiscBoard, disc_board, filled_discs, rimmed_discs, wide_ring
from flowvision.vision.dots.models import usual_dots
from flowvision.vision.dots.result import DotModel
from flowvision.vision.dots.rims import radii_of, without_rim_walls
from flowvision.vision.pixels.circles import Discs, discs_round
from flowvision.vision.special.free_cells import fit_cells
from flowvision.vision.special.free_lattice import lattice_of
from flowvision.vision.walls.result import SideReading
from tests import seeing
from tests.drawing import COLOURS, FIVE
from tests.seeing import SETTINGS

LEFT, TOP = 30, 50
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
PAIRS = {frozenset(pair) for pair in parse(FIVE).puzzle.terminals}


def copy_of(
    text: str,
    dot: float,
    size: tuple[int, int] = (60, 60),
    rim: tuple[int, int, int] | None = None,
    ground: tuple[int, int, int] = (45, 30, 20),
    walls: tuple[tuple[int, int], ...] = (),
    colours: dict[str, Rgb] = COLOURS,
) -> Bgr:
    """A board as a copy of the game may draw it; ``dot`` in widths of a narrow cell.

    ``walls``: thick lines on the right of these places.
    """
    lines, (wide, high) = text.split(), size
    unit = min(size)
    shape = (len(lines) * high + 2 * TOP, len(lines[0]) * wide + 2 * LEFT, 3)
    bgr = np.full(shape, ground, np.uint8)
    for r in range(len(lines) + 1):
        ends = [(LEFT, TOP + r * high), (LEFT + len(lines[0]) * wide, TOP + r * high)]
        cv2.line(bgr, *ends, (120, 120, 120), 1)
    for c in range(len(lines[0]) + 1):
        ends = [(LEFT + c * wide, TOP), (LEFT + c * wide, TOP + len(lines) * high)]
        cv2.line(bgr, *ends, (120, 120, 120), 1)
    for r, c in walls:
        x = LEFT + (c + 1) * wide
        cv2.line(bgr, (x, TOP + r * high), (x, TOP + (r + 1) * high), (230, 230, 230), 5)
    for r, line in enumerate(lines):
        for c, letter in enumerate(line):
            if letter != ".":
                at = LEFT + round((c + 0.5) * wide), TOP + round((r + 0.5) * high)
                cv2.circle(bgr, at, round(dot * unit), colours[letter][::-1], -1, cv2.LINE_AA)
                if rim:
                    cv2.circle(bgr, at, round(dot * unit), rim, max(2, unit // 20), cv2.LINE_AA)
    return bgr


def sides_of(bgr: Bgr) -> SideReading:
    """The first board seen in a picture."""
    return seeing.sides_of(Screenshot(bgr))


def models_of(discs: DiscBoard) -> list[DotModel]:
    """What its dots may look like, the likeliest first."""
    models = [make(discs, SETTINGS.dots) for make in (filled_discs, wide_ring, rimmed_discs)]
    return [model for model in models if model]


def discs_of(bgr: Bgr, sides: SideReading) -> Discs:
    """The discs on a board."""
    shot = Screenshot(bgr)
    return discs_round(shot, box_of(sides.board, sides.fit.frame, shot), sides.fit.pitch_px, SETTINGS)


@pytest.mark.parametrize("ground", [(45, 30, 20), WHITE])
@pytest.mark.parametrize("rim", [None, BLACK, WHITE])
@pytest.mark.parametrize("dot", [0.22, 0.28, 0.43])
def test_dots_of_any_size_are_read(dot, rim, ground):
    """Small ones and those that reach to the lines, with or without a rim, on dark and on light ground."""
    if rim == ground:
        pytest.skip("a rim that is not seen")
    reading = read_image(copy_of(FIVE, dot, rim=rim, ground=ground)).reading
    assert (reading.lattice.rows, reading.lattice.cols) == (5, 5)
    assert {frozenset(pair) for pair in reading.puzzle.terminals} == PAIRS


@pytest.mark.parametrize("pitch", [44, 60, 90])
def test_places_that_hold_a_disc_are_no_holes(pitch):
    """Four lines beside the bright rim of a large dot look as thick as those round a hole."""
    bgr = copy_of(FIVE, 0.43, (pitch, pitch), rim=WHITE, ground=BLACK)
    reading = read_image(bgr).reading
    assert len(reading.board.layout.cells) == 25
    assert {frozenset(pair) for pair in reading.puzzle.terminals} == PAIRS


@pytest.mark.parametrize("letter", "RGB")
@pytest.mark.parametrize("rim", [BLACK, WHITE])
def test_dots_of_nearly_the_colour_of_the_ground_are_told_by_their_rims(letter, rim):
    """One pair of them, on a grey ground; the other pairs alone are no puzzle."""
    colours = {**COLOURS, letter: Rgb(66, 66, 66)}
    bgr = copy_of(FIVE, 0.3, rim=rim, ground=(61, 57, 51), colours=colours)
    assert {frozenset(pair) for pair in read_image(bgr).reading.puzzle.terminals} == PAIRS


@pytest.mark.parametrize("dot", [0.25, 0.33])
@pytest.mark.parametrize("size", [(75, 60), (60, 110), (140, 60)])
def test_round_dots_in_long_cells_are_read(size, dot):
    """Rows and columns are told as of squares."""
    reading = read_image(copy_of(FIVE, dot, size)).reading
    assert (reading.lattice.rows, reading.lattice.cols) == (5, 5)
    assert {frozenset(pair) for pair in reading.puzzle.terminals} == PAIRS


@pytest.mark.parametrize("size", [(60, 60), (110, 60), (60, 130)])
def test_cells_found_one_by_one_have_rows_and_columns(size):
    """Of squares and of oblongs, in the order of reading."""
    region = next(find_boards(Screenshot(copy_of("R....\n" * 4, 0.0, size)), SETTINGS))
    found = lattice_of(fit_cells(region, SETTINGS), SETTINGS.free_cells)
    assert found is not None
    assert (found[0].tiling, found[0].rows, found[0].cols) == ("square", 4, 5)
    assert list(found[0].places) == sorted(found[0].places)


@pytest.mark.parametrize("dot", [0.22, 0.35, 0.43])
@pytest.mark.parametrize("rim", [None, BLACK])
def test_the_discs_in_the_cells_are_the_dots(dot, rim):
    """Their cells and colours; the ring at which these are taken lies inside them."""
    bgr = copy_of(FIVE, dot, rim=rim)
    sides = sides_of(bgr)
    discs = disc_board(sides, discs_of(bgr, sides), SETTINGS)
    for model in models_of(discs):
        assert model.known == {cell for pair in PAIRS for cell in pair}
        assert 0.5 * dot < model.ring < dot
        letters = "".join(FIVE.split())
        marks = find_dots(discs.sides, model, SETTINGS).dots
        assert {mark.cell for mark in marks} == model.known
        for mark in marks if model.known_only else ():
            assert np.abs(np.subtract(mark.rgb, COLOURS[letters[mark.cell]])).max() < 12


def test_too_few_discs_of_one_size_are_no_dots():
    """Buttons beside the board, discs of all sizes, and circles of the colour of the ground alone."""
    sides = sides_of(copy_of(FIVE, 0.3))
    x, y = sides.fit.frame.to_px([cell.centre for cell in sides.board.layout.cells])[:4].T
    none, four = np.empty((0, 3)), np.column_stack((x, y, np.full(4, 18.0)))
    assert not disc_board(sides, Discs(none, none), SETTINGS)
    assert not disc_board(sides, Discs(np.column_stack((x, y - 200, np.full(4, 18.0))), none), SETTINGS)
    assert not disc_board(sides, Discs(np.column_stack((x, y, (5.0, 8.0, 13.0, 20.0))), none), SETTINGS)
    assert not disc_board(sides, Discs(none, four), SETTINGS)
    discs = disc_board(sides, Discs(four, none), SETTINGS)
    assert [model.name for model in models_of(discs)] == ["filled disc", "wide ring"]


def with_walls(sides: SideReading, *pairs: tuple[int, int]) -> SideReading:
    """The same board, with walls seen between these cells."""
    from flowvision.puzzle import boards

    place = sides.board.lattice.places
    walls = [(place[a], place[b]) for a, b in pairs]
    board = boards.square(5, 5, (), walls)
    return replace(sides, board=board, clarity=0.6)


def test_walls_beside_large_dots_are_their_rims():
    """Where all of them are; beside dots of the game's size a wall is a wall, and others make it doubtful."""
    beside, apart = (5, 10), (10, 11)  # the dots are in cells 0, 2, 4, 7, 9, 16, 18, 21 to 23
    beside = (0, 1)
    large, usual = (sides_of(copy_of(FIVE, dot)) for dot in (0.45, 0.35))
    for sides, expected in ((large, 40), (usual, 39)):
        walled = with_walls(sides, beside)
        discs = disc_board(walled, discs_of(copy_of(FIVE, 0.4), walled), SETTINGS)
        marks = find_dots(discs.sides, filled_discs(discs, SETTINGS.dots), SETTINGS)
        mended = without_rim_walls(walled, marks, SETTINGS)
        assert mended is not None
        assert len(mended.board.graph.edges) == expected
    discs = disc_board(large, discs_of(copy_of(FIVE, 0.45), large), SETTINGS)
    marks = find_dots(discs.sides, filled_discs(discs, SETTINGS.dots), SETTINGS)
    assert without_rim_walls(with_walls(large, beside, apart), marks, SETTINGS) is None
    only_apart = with_walls(large, apart)
    assert without_rim_walls(only_apart, marks, SETTINGS) is only_apart


@pytest.mark.parametrize("pitch", [30, 44, 60, 120])
@pytest.mark.parametrize("radius", [0.3, 0.345, 0.38, 0.42])
def test_dots_are_measured_to_a_fraction_of_a_pixel(radius, pitch):
    """Whatever their colours, with a pipe or without; discs are drawn by their share of every pixel."""
    bgr = copy_of(FIVE, 0.0, (pitch, pitch))
    y, x = np.indices(bgr.shape[:2])
    for row, line in enumerate(FIVE.split()):
        for col, letter in enumerate(line):
            if letter != ".":
                at = LEFT + (col + 0.5) * pitch, TOP + (row + 0.5) * pitch
                if letter in "RG":
                    begin, end = (round(at[0]), round(at[1])), (round(at[0] - pitch / 2), round(at[1]))
                    cv2.line(bgr, begin, end, COLOURS[letter][::-1], pitch // 6)
                inside = np.clip(radius * pitch + 0.5 - np.hypot(x - at[0], y - at[1]), 0, 1)[..., None]
                bgr = np.round((1 - inside) * bgr + inside * np.array(COLOURS[letter][::-1])).astype(np.uint8)
    held = frozenset(cell for pair in PAIRS for cell in pair)
    sides, model = sides_of(bgr), DotModel("drawn", 0.6 * radius, "corners", held, True)
    measured = radii_of(sides, find_dots(sides, model, SETTINGS))
    assert np.abs(measured - radius).max() < 0.01


@pytest.mark.parametrize("pitch", [26, 30, 46, 60, 120])
def test_dots_of_the_game_reach_no_lines(pitch):
    """In small cells their edges are blurred, and glow may end beside them: the walls there are walls."""
    bgr = copy_of(FIVE, 0.345, (pitch, pitch), ground=BLACK)
    glow = np.zeros_like(bgr)
    for place in (0.8, 2.8, 4.2):
        x = LEFT + round(place * pitch)
        glow[:, x : x + 3 * pitch // 5] = (24, 24, 0)
    bgr = np.asarray(cv2.GaussianBlur(np.maximum(bgr, glow), (0, 0), 0.6), np.uint8)
    walled = with_walls(sides_of(bgr), (0, 1), (10, 11))
    dots = find_dots(walled, usual_dots(walled.fit, SETTINGS.dots), SETTINGS)
    assert without_rim_walls(walled, dots, SETTINGS) is walled


@pytest.mark.parametrize("light", [False, True])
def test_walls_between_dots_are_kept(light):
    """Bright ones on dark ground, and dark ones on a light one."""
    bgr = copy_of(FIVE, 0.35, ground=BLACK, walls=((2, 0), (3, 3)))
    sides = sides_of(255 - bgr if light else bgr)
    assert len(sides.board.graph.edges) == 38
