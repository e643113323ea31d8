"""Boards of copies of the game: dots of any size, in cells of any proportions."""

from __future__ import annotations

import numpy as np
import pytest

from flowvision.image.picture import Bgr, Rgb, Screenshot
from flowvision.pipeline import read_image
from flowvision.reading.options import Options
from flowvision.vision.board import box_of
from flowvision.vision.dots.copies import DiscBoard, disc_board, filled_discs, rimmed_discs, wide_ring
from flowvision.vision.dots.detection import DotHypothesis, find_dots
from flowvision.vision.kinds.fit import BoardGeometry, DotModel
from flowvision.vision.pixels.discs import Discs, discs_round
from tests.drawing import COLOURS, FIVE
from tests.seeing import SETTINGS
from tests.vision.dots.copies import BLACK, HELD, PAIRS, WHITE, copy_of, sides_of

AMPLE = Options(seconds=600)
"""Copies are looked at last; a busy machine must not stop that."""


def models_of(discs: DiscBoard) -> list[DotModel]:
    """What its dots may look like, the likeliest first."""
    models = [make(discs, SETTINGS.dots) for make in (filled_discs, wide_ring, rimmed_discs)]
    return [model for model in models if model]


def discs_of(bgr: Bgr, sides: BoardGeometry) -> Discs:
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
    reading = read_image(copy_of(FIVE, dot, rim=rim, ground=ground), AMPLE).reading
    assert (reading.lattice.rows, reading.lattice.cols) == (5, 5)
    assert {frozenset(pair) for pair in reading.puzzle.terminals} == PAIRS


@pytest.mark.parametrize("pitch", [44, 60, 90])
def test_places_that_hold_a_disc_are_no_holes(pitch):
    """Four lines beside the bright rim of a large dot look as thick as those round a hole."""
    bgr = copy_of(FIVE, 0.43, (pitch, pitch), rim=WHITE, ground=BLACK)
    reading = read_image(bgr, AMPLE).reading
    assert len(reading.board.layout.cells) == 25
    assert {frozenset(pair) for pair in reading.puzzle.terminals} == PAIRS


@pytest.mark.parametrize("letter", "RGB")
@pytest.mark.parametrize("rim", [BLACK, WHITE])
def test_dots_of_nearly_the_colour_of_the_ground_are_told_by_their_rims(letter, rim):
    """One pair of them, on a grey ground; the other pairs alone are no puzzle."""
    colours = {**COLOURS, letter: Rgb(66, 66, 66)}
    bgr = copy_of(FIVE, 0.3, rim=rim, ground=(61, 57, 51), colours=colours)
    assert {frozenset(pair) for pair in read_image(bgr, AMPLE).reading.puzzle.terminals} == PAIRS


@pytest.mark.parametrize("dot", [0.25, 0.33])
@pytest.mark.parametrize("size", [(75, 60), (60, 110), (140, 60)])
def test_round_dots_in_long_cells_are_read(size, dot):
    """Rows and columns are told as of squares."""
    reading = read_image(copy_of(FIVE, dot, size), AMPLE).reading
    assert (reading.lattice.rows, reading.lattice.cols) == (5, 5)
    assert {frozenset(pair) for pair in reading.puzzle.terminals} == PAIRS


@pytest.mark.parametrize("dot", [0.22, 0.35, 0.43])
@pytest.mark.parametrize("rim", [None, BLACK])
def test_the_discs_in_the_cells_are_the_dots(dot, rim):
    """Their cells and colours; the ring at which these are taken lies inside them."""
    bgr = copy_of(FIVE, dot, rim=rim)
    sides = sides_of(bgr)
    discs = disc_board(sides, discs_of(bgr, sides), SETTINGS)
    for model in models_of(discs):
        assert model.known == HELD
        assert 0.5 * dot < model.ring < dot
        letters = "".join(FIVE.split())
        dots = find_dots(DotHypothesis(discs.sides, model), SETTINGS.dots).dots
        assert {one.cell for one in dots} == model.known
        for one in dots if model.known_only else ():
            assert np.abs(np.subtract(one.rgb, COLOURS[letters[one.cell]])).max() < 12


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
