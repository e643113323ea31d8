"""Walls that are only the rims of large dots, and dots measured to a fraction of a pixel."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision.puzzle import boards
from flowvision.puzzle.boards import walls_and_warps
from flowvision.vision.dots.detection import DotHypothesis, Dots, find_dots
from flowvision.vision.dots.rim_walls import radii_of, without_rim_walls, without_walls
from flowvision.vision.kinds.fit import BoardGeometry, DotModel
from tests.drawing import COLOURS, FIVE
from tests.seeing import SETTINGS
from tests.vision.dots.copies import BLACK, HELD, LEFT, TOP, copy_of, geometry_of

BESIDE, APART = (0, 1), (10, 11)
"""Cells side by side: one of them with a dot of the first level, and both without."""


def with_walls(geometry: BoardGeometry, *pairs: tuple[int, int]) -> BoardGeometry:
    """The same board, with walls seen between these cells."""
    place = geometry.board.lattice.places
    board = boards.square(5, 5, (), [(place[a], place[b]) for a, b in pairs])
    return replace(geometry, board=board, clarity=0.6)


def dots_of(geometry: BoardGeometry, radius: float) -> Dots:
    """The dots of the first level, drawn with this radius."""
    return find_dots(DotHypothesis(geometry, DotModel(0.6 * radius, "corners", HELD, True)), SETTINGS.dots)


def test_walls_beside_large_dots_are_their_rims():
    """All walls go where all stand beside large dots; where dots are of the game's size none does."""
    for radius, edges in ((0.45, 40), (0.35, 39)):
        sides = with_walls(geometry_of(copy_of(FIVE, radius)), BESIDE)
        mended = without_rim_walls(dots_of(sides, radius), SETTINGS)
        assert len(mended.geometry.board.graph.edges) == edges


def test_a_wall_apart_from_large_dots_is_real_or_the_board_uncertain():
    """Alone it is left as it is; with one beside a dot nobody can tell which are real."""
    geometry = geometry_of(copy_of(FIVE, 0.45))
    dots = dots_of(geometry, 0.45)
    assert without_rim_walls(dots.on(with_walls(geometry, BESIDE, APART)), SETTINGS) is None
    apart = with_walls(geometry, APART)
    assert without_rim_walls(dots.on(apart), SETTINGS).geometry is apart


@pytest.mark.parametrize("radius", [0.4, 0.43])
def test_a_wall_seen_from_end_to_end_is_no_rim(radius):
    """Though dots are large and the only wall stands beside one: a rim touches the middle of a side alone."""
    geometry = geometry_of(copy_of(FIVE, radius, size=(80, 80), walls=((0, 0),)))
    lattice = geometry.board.lattice
    assert walls_and_warps(geometry.board, lattice)[0] == (tuple(lattice.places[cell] for cell in BESIDE),)
    assert without_rim_walls(dots_of(geometry, radius), SETTINGS).geometry is geometry


def test_without_walls_rims_have_no_say_in_how_clear_a_board_is():
    """Sides beside dots are as strong as a wall nearly: the others alone tell that there is none."""
    geometry = geometry_of(copy_of(FIVE, 0.35))
    places = {geometry.board.lattice.places[cell] for cell in HELD}
    strong = tuple(
        side._replace(strength=SETTINGS.walls.strength)
        if places & {(int(y), int(x)), (int(y - 0.5), int(x)), (int(y), int(x - 0.5))}
        else side._replace(strength=1.0)
        for side in geometry.sides
        for x, y in [side.middle]
    )
    cells, weight = set(geometry.board.lattice.places), SETTINGS.line_weight
    unclear = replace(geometry, sides=strong, clarity=0.5)
    assert without_walls(unclear, unclear.board.lattice, cells, places, SETTINGS.walls, weight).clarity == 1.0
    assert without_walls(unclear, unclear.board.lattice, cells, set(), SETTINGS.walls, weight).clarity == 0.5


@pytest.mark.sweep(5)
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
    geometry = geometry_of(bgr)
    measured = radii_of(geometry, dots_of(geometry, radius))
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
    walled = with_walls(geometry_of(bgr), BESIDE, APART)
    dots = find_dots(DotHypothesis(walled, walled.fit.usual_dots(SETTINGS.dots)), SETTINGS.dots)
    assert without_rim_walls(dots.on(walled), SETTINGS).geometry is walled
