"""Bridges and warps are read back as they were drawn, and plain boards have none."""

from __future__ import annotations

from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision.image.picture import Screenshot
from flowvision.pipeline import read_image
from flowvision.puzzle import boards
from flowvision.puzzle.boards import walls_and_warps
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.reading.strategies import CROSSINGS
from flowvision.solvers import Solved, has_one_strict_solution, solve
from flowvision.vision.crossings.crossings import (
    CrossingEvidence,
    Crossings,
    bridges_alone,
    bridges_and_warps,
    every_end_open,
    find_crossings,
    ink_shares,
    warps_alone,
)
from flowvision.vision.dots.detection import Dot, DotEvidence, DotHypothesis, Dots, Pairing, find_dots
from flowvision.vision.dots.pairing import pair_dots
from flowvision.vision.kinds.rectangular.fit import GridFit
from tests import seeing
from tests.boards import WARPED, puzzle_on, warp_ends
from tests.drawing import COLOURS, FIVE, random_text, screenshot_of
from tests.seeing import SETTINGS
from tests.tools.synthetic import PHONES, THEMES, Style, draw_screenshot

BRIDGES = [{(2, 2)}, {(1, 3), (4, 2)}, {(3, 3)}]
WARPS = [
    {((2, 0), (2, 5))},
    {((0, 1), (5, 1)), ((3, 0), (3, 5))},
    {((r, 0), (r, 5)) for r in range(6)} | {((0, c), (5, c)) for c in range(6)},
]
STYLES = [
    Style(),
    Style(THEMES["old"], line=1, quality=40, scale=0.6),
    Style(THEMES["wide"], drawn=0.5, letters="white"),
    Style(drawn=1.0, dim=0.7),
]


def solvable(board, seed):
    """A puzzle on the board with one solution, and none on a plain board, as published levels are."""
    plain = boards.square(board.lattice.rows, board.lattice.cols)
    while True:
        puzzle, solution = random_puzzle(board, seed, 6)
        outcome = solve(puzzle)
        if has_one_strict_solution(outcome):
            without = solve(Puzzle(plain.graph, puzzle.terminals))
            if board is plain or not isinstance(without, Solved):
                return puzzle, solution
        seed += 1


def crossings_of(shot) -> list[Crossings]:
    """What the stage sees in the best fit."""
    geometry = seeing.geometry_of(shot)
    dots = find_dots(DotHypothesis(geometry, geometry.fit.usual_dots(SETTINGS.dots)), SETTINGS.dots)
    return offered(pair_dots(dots, SETTINGS.pairing))


def offered(pairing: Pairing) -> list[Crossings]:
    """All that is offered of what is seen."""
    seen = find_crossings(pairing, SETTINGS.crossings, SETTINGS.pipes)
    found = [strategy.attempt(seen) for strategy in CROSSINGS] if seen else []
    return [crossings for crossings in found if crossings]


@pytest.mark.sweep(4)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("bridges", BRIDGES)
def test_bridges_are_read_back(bridges, style):
    """One or several, by their rails or by the pipes that cross in them."""
    board = boards.square(6, 6, bridges=bridges)
    puzzle, solution = solvable(board, 1)
    reading = read_image(draw_screenshot(board, puzzle, style, 2, solution).screenshot).reading
    assert (reading.board.lattice, reading.board.graph) == (board.lattice, board.graph)
    assert pairs(reading.puzzle) == pairs(puzzle)


@pytest.mark.parametrize("quality", [30, 50, 70])
def test_the_soft_edges_of_pipes_are_no_bridges(quality):
    """JPEG draws them out, on the dim lines of a played board by more than half of what a line stands out."""
    board = boards.square(6, 6, bridges={(2, 2)})
    puzzle, solution = solvable(board, 1)
    style = Style(THEMES["wide"], drawn=1.0, dim=0.65, quality=quality, letters="white")
    seen = crossings_of(draw_screenshot(board, puzzle, style, 2, solution).screenshot)
    assert {crossings.bridges for crossings in seen} == {((2, 2),)}


@pytest.mark.parametrize("dim", [1.0, 0.65])
def test_the_slope_of_a_glow_is_no_bridge(dim):
    """Beside a line it is half as bright as that, as are the rails of a bridge, and as narrow as they are."""
    board = boards.square(6, 6, bridges={(2, 2)})
    puzzle, solution = solvable(board, 1)
    shot = draw_screenshot(board, puzzle, Style(THEMES["wide"], dim=dim), 2, solution)
    dots = {board.layout.cell_of[dot] for pair in puzzle.terminals for dot in pair}
    pitch = int(shot.frame.pitch_px((3, 3)))
    bgr, slope = shot.screenshot.bgr.copy(), np.linspace(0, 90 * dim, pitch // 3).astype(np.uint8)
    for cell in set(range(36)) - dots - {14}:
        x, y = np.round(shot.frame.to_px([board.layout.cells[cell].centre])[0]).astype(int).tolist()
        strip = bgr[y - pitch // 2 : y + pitch // 2, x + pitch // 2 - len(slope) : x + pitch // 2]
        strip[:, :, 2] = np.maximum(strip[:, :, 2], slope)
    seen = crossings_of(Screenshot(bgr))
    assert {crossings.bridges for crossings in seen} == {((2, 2),)}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("style", STYLES[:3])
@pytest.mark.parametrize("warps", WARPS)
def test_warps_are_read_back(warps, style):
    """A row, a row and a column, or all of them."""
    board = boards.square(6, 6, warps=warps)
    puzzle, solution = solvable(board, 1)
    reading = read_image(draw_screenshot(board, puzzle, style, 2, solution).screenshot).reading
    assert reading.lattice is not None
    assert set(walls_and_warps(reading.board, reading.lattice)[1]) == warps
    assert pairs(reading.puzzle) == pairs(puzzle)


def test_a_plain_board_has_neither():
    """Whatever is drawn on it; at most, where tints hide the border, all ends are offered as open."""
    board = boards.square(7, 6)
    puzzle, solution = solvable(board, 4)
    for style in STYLES:
        shot = draw_screenshot(board, puzzle, style, 2, solution).screenshot
        assert all(not one.bridges and len(one.warps) == 13 for one in crossings_of(shot))
        assert not crossings_of(shot) or style.drawn == 1


def test_all_ends_are_weighed_without_a_border():
    """A board cut out inside its border may be open all round: that is offered, after what is seen."""
    board = parse("AB...\n.....\n..C..\n.A...\nBC...\n").board
    puzzle, _ = random_puzzle(board, 3)
    shot = draw_screenshot(board, puzzle, Style(), 2).screenshot
    x0, y0, x1, y1 = (round(v) for v in draw_box(board, puzzle))
    inner = type(shot)(shot.bgr[y0 + 8 : y1 - 8, x0 + 8 : x1 - 8].copy())
    assert [len(one.warps) for one in crossings_of(inner)] == [10]


def test_nothing_is_guessed_where_a_border_cannot_be_seen_or_a_pipe_leaves():
    """Dark lines on a light ground have no border that is measured; a pipe that leaves must come back."""
    bgr = screenshot_of(FIVE)
    light = np.full_like(bgr, 220)
    lines = (bgr == (63, 109, 63)).all(axis=2)
    light[lines] = 0
    dots = bgr.any(axis=2) & ~lines
    light[dots] = bgr[dots]
    assert crossings_of(Screenshot(light)) == []
    inner = bgr[143:-143, 15:-15].copy()
    assert [len(one.warps) for one in crossings_of(Screenshot(inner))] == [10]
    left = inner.copy()
    cv2.line(left, (267, 87), (294, 87), COLOURS["O"][::-1], 20)
    assert crossings_of(Screenshot(left)) == []
    cv2.line(left, (0, 87), (27, 87), COLOURS["O"][::-1], 20)
    assert crossings_of(Screenshot(left))


@pytest.mark.parametrize(("played", "count"), [(0.0, 0), (1.0, 1)])
def test_a_lattice_that_was_carried_on_has_the_openings_that_pipes_pass(played: float, count: int) -> None:
    """Nothing is known of its border: where that looks open, dots and pipes may hide it."""
    board = boards.square(6, 6, warps=WARPS[0])
    puzzle, solution = solvable(board, 1)
    geometry = seeing.geometry_of(draw_screenshot(board, puzzle, Style(drawn=played), 2, solution).screenshot)
    assert isinstance(geometry.fit, GridFit)
    carried_on = replace(geometry, fit=replace(geometry.fit, part=geometry.fit))
    for one, warps in ((geometry, 1), (carried_on, count)):
        dots = find_dots(DotHypothesis(one, one.fit.usual_dots(SETTINGS.dots)), SETTINGS.dots)
        assert [len(seen.warps) for seen in offered(pair_dots(dots, SETTINGS.pairing))] == [warps] * (
            warps > 0
        )


def draw_box(board, puzzle):
    """Where the board lies in the picture that ``Style()`` draws."""
    frame = draw_screenshot(board, puzzle, Style(), 2).frame
    return frame.to_px([(0, 0), (5, 5)]).ravel().tolist()


def pairs(puzzle):
    """The pairs of dots, in no order."""
    return {frozenset(pair) for pair in puzzle.terminals}


LINE = (63, 109, 63)
"""The colour of grid lines, BGR."""
NO_EVIDENCE = DotEvidence(np.zeros(0), np.zeros(0), lambda: np.zeros((0, 1, 1)))
NO_DOTS = Dots((), NO_EVIDENCE, None)
EMPTY = random_text(5, 5, pairs=0)


def shares_of(bgr: np.ndarray, dots: Dots = NO_DOTS) -> np.ndarray:
    """(5, 5): the share of each cell that thin lines cover."""
    return ink_shares(seeing.geometry_of(Screenshot(bgr)), dots, SETTINGS.crossings).reshape(5, 5)


def cell_corner(row: int, col: int, pitch: int) -> tuple[int, int]:
    """Where a cell begins."""
    return 12 + col * pitch, 140 + row * pitch


@pytest.mark.sweep(4)
@pytest.mark.parametrize("pitch", [40, 60, 100])
@pytest.mark.parametrize("colour", [LINE, (0, 80, 0), (200, 200, 200)])
def test_thin_lines_count_by_their_area(pitch, colour):
    """Two rails across a cell, as of a bridge; other cells have none."""
    bgr, width = screenshot_of(EMPTY, pitch), max(1, pitch // 30)
    x, y = cell_corner(1, 2, pitch)
    for share in (0.3, 0.7):
        bgr[y : y + pitch, x + round(share * pitch) : x + round(share * pitch) + width] = colour
    shares = shares_of(bgr)
    assert shares[1, 2] == pytest.approx(2 * width / (0.8 * pitch), abs=0.04)
    assert shares[1, 2] > SETTINGS.crossings.bridge_ink
    shares[1, 2] = 0
    assert not shares.any()


def test_what_is_wide_or_faint_is_no_line():
    """A pipe, a glow that is fainter than a grid line, and its slope."""
    pitch = 60
    bgr = screenshot_of(EMPTY, pitch)
    x, y = cell_corner(1, 1, pitch)
    cv2.line(bgr, (x - 30, y + 30), (x + 90, y + 30), (0, 0, 255), 20, cv2.LINE_AA)
    x, y = cell_corner(2, 2, pitch)
    bgr[y + 10 : y + 12, x + 10 : x + 50] = (0, 40, 0)
    x, y = cell_corner(3, 3, pitch)
    bgr[y + 2 : y + 58, x + 2 : x + 58, 2] = np.linspace(0, 90, 56).astype(np.uint8)
    assert shares_of(bgr).max() < SETTINGS.crossings.bridge_ink


def test_what_stands_on_a_dot_is_no_bridge():
    """The letter of the colour-blind mode is as thin as a rail."""
    pitch = 60
    bgr = screenshot_of(EMPTY, pitch)
    x, y = cell_corner(1, 1, pitch)
    cv2.line(bgr, (x + 20, y + 10), (x + 20, y + 50), (255, 255, 255), 2)
    dot = Dot(6, (x + 30.0, y + 30.0), (50.0, 0.0, 0.0), (9, 9, 9))
    assert shares_of(bgr)[1, 1] > 0
    assert not shares_of(bgr, Dots((dot,), NO_EVIDENCE, None)).any()


PLAYED_STYLES = [
    Style(),
    Style(THEMES["old"], drawn=0.5, letters="white"),
    Style(THEMES["wide"], drawn=0.8, quality=60, scale=0.6),
    Style(drawn=1.0, dim=0.7, phone=PHONES["iphone-15"]),
]


@pytest.mark.sweep(8)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("style", PLAYED_STYLES, ids=lambda style: f"{style.theme.name}-{style.drawn}")
@pytest.mark.parametrize("name", WARPED)
def test_boards_with_openings_are_read_back(name, style, seed):
    """Cells, walls, openings and pairs."""
    board = WARPED[name]
    puzzle, solution = puzzle_on(board, 10 * seed)
    reading = read_image(draw_screenshot(board, puzzle, style, seed, solution).screenshot).reading
    assert reading.board.lattice == board.lattice
    assert walls_and_warps(reading.board, reading.board.lattice) == walls_and_warps(board, board.lattice)
    assert {frozenset(pair) for pair in reading.puzzle.terminals} == {frozenset(p) for p in puzzle.terminals}


def test_a_glow_that_ends_at_the_rim_is_no_border():
    """It rises there from black as a line does; but the corner beside it is a hole all the same."""
    board = WARPED["corners"]
    puzzle, _ = puzzle_on(board, 0)
    shot = draw_screenshot(board, puzzle, Style(), 0).screenshot
    bottom = shot.bgr[1150:1700, :24]
    bottom[:] = np.maximum(bottom, (60, 0, 0))
    assert read_image(shot).reading.board.lattice == board.lattice


@pytest.mark.sweep(4)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("style", [Style(drawn=1.0), Style(THEMES["old"], drawn=1.0, scale=0.5, quality=80)])
def test_a_pipe_and_its_tint_run_out_through_an_opening(style, seed):
    """The lines beside them seem to go on beyond the board; its outline shows where it ends."""
    board = boards.square(5, 5, (), (), (), warp_ends(5, (2,), ()))
    puzzle, solution = puzzle_on(board, 10 * seed)
    shot = draw_screenshot(board, puzzle, style, seed, solution)
    room = round(shot.frame.pitch_px((0.5, 0.5)))
    bgr = np.pad(shot.screenshot.bgr, ((0, 0), (room, room), (0, 0)))
    for begin, way in ((0, -1), (5, 1)):
        (x0, y0), (_, y1) = np.round(shot.frame.to_px([(begin, 2), (begin, 3)])).astype(int).tolist()
        inside = bgr[y0 - 1 : y1 + 2, x0 + room - way * room // 6].astype(float)
        fade = np.linspace(1, 0, room)[::way]
        left = x0 + room if way == 1 else x0
        out = np.s_[y0 - 1 : y1 + 2, left : left + room]
        bgr[out] = np.maximum(bgr[out], inside[:, None] * fade[None, :, None])
    reading = read_image(bgr).reading
    assert walls_and_warps(reading.board, reading.board.lattice) == walls_and_warps(board, board.lattice)
    assert {frozenset(pair) for pair in reading.puzzle.terminals} == {frozenset(p) for p in puzzle.terminals}


BRIDGES_DRAWN = ((1, 3), (4, 2))
WARPS_DRAWN = (((3, 0), (3, 5)), ((0, 1), (5, 1)))
DRAWN = boards.square(6, 6, [(0, 5)], [((2, 2), (2, 3))], BRIDGES_DRAWN, WARPS_DRAWN)


@pytest.fixture(scope="module")
def seen() -> CrossingEvidence:
    """What is seen on a board with two bridges, two warps, a wall and a hole."""
    shot = draw_screenshot(DRAWN, random_puzzle(DRAWN, 2)[0], Style(), 2).screenshot
    geometry = seeing.geometry_of(shot)
    dots = find_dots(DotHypothesis(geometry, geometry.fit.usual_dots(SETTINGS.dots)), SETTINGS.dots)
    pairing = pair_dots(dots, SETTINGS.pairing)
    found = find_crossings(pairing, SETTINGS.crossings, SETTINGS.pipes)
    assert found is not None
    return found


def pairing_on(board: Board) -> SimpleNamespace:
    """Of pairs of dots no more than the board that they stand on."""
    return SimpleNamespace(dots=SimpleNamespace(geometry=SimpleNamespace(board=board)))


def assumed(board: Board, bridges=(), warps=(), ends=()) -> CrossingEvidence:
    """Evidence that was not seen in any picture."""
    return CrossingEvidence(pairing_on(board), bridges, warps, ends, np.zeros(len(board.layout.cells)))


def test_the_evidence_names_what_was_drawn(seen: CrossingEvidence) -> None:
    """Bridges by their places, warps by both ends; the board itself has neither yet."""
    assert set(seen.bridges) == set(BRIDGES_DRAWN)
    assert {(first[0], last[0]) for first, last in seen.warps} == set(WARPS_DRAWN)
    assert (
        len(seen.pairing.dots.geometry.board.layout.cell_of)
        == len(seen.pairing.dots.geometry.board.layout.cells)
        == 35
    )
    assert (
        walls_and_warps(seen.pairing.dots.geometry.board, seen.pairing.dots.geometry.board.lattice)[1] == ()
    )


def test_gates_lead_off_the_board_opposite_each_other(seen: CrossingEvidence) -> None:
    """A step out of either leaves rows and columns; the ways are opposite, along one row or column."""
    lattice = seen.pairing.dots.geometry.board.lattice
    assert seen.warps
    for first, last in (*seen.warps, *seen.ends):
        for (row, col), (down, right) in (first, last):
            assert (row, col) in lattice.places
            assert not (0 <= row + down < lattice.rows and 0 <= col + right < lattice.cols)
        assert first[1] == (-last[1][0], -last[1][1])
        assert first[0][0] == last[0][0] or first[0][1] == last[0][1]


def test_ink_is_a_share_of_every_cell(seen: CrossingEvidence) -> None:
    """From 0 to 1; the rails of a bridge are more than any cell without one has."""
    assert seen.inked.shape == (len(seen.pairing.dots.geometry.board.layout.cells),)
    assert ((seen.inked >= 0) & (seen.inked <= 1)).all()
    rails = [seen.pairing.dots.geometry.board.lattice.places.index(place) for place in BRIDGES_DRAWN]
    others = np.setdiff1d(np.arange(len(seen.inked)), rails)
    assert seen.inked[rails].min() > seen.inked[others].max()


def test_the_board_has_what_the_crossings_say(seen: CrossingEvidence) -> None:
    """A second strand in every bridge, an edge over the rim for every warp; walls and holes stay."""
    for made, bridges, warps in (
        (bridges_alone(seen), BRIDGES_DRAWN, ()),
        (warps_alone(seen), (), WARPS_DRAWN),
        (bridges_and_warps(seen), BRIDGES_DRAWN, WARPS_DRAWN),
    ):
        assert isinstance(made, Crossings)
        assert (set(made.bridges), set(made.warps), made.seen) == (set(bridges), set(warps), True)
        layout, lattice = made.board.layout, made.board.lattice
        assert {lattice.places[cell] for cell in layout.cell_of[len(layout.cells) :]} == set(bridges)
        walls, joined = walls_and_warps(made.board, lattice)
        assert walls == (((2, 2), (2, 3)),)
        assert set(map(frozenset, joined)) == set(map(frozenset, warps))
        assert lattice == DRAWN.lattice
        assert made.inked is seen.inked
    assert bridges_and_warps(seen).board == DRAWN


def test_what_is_not_there_makes_no_crossings() -> None:
    """A plain board has no bridges alone, no warps alone, and not both when there is one of them."""
    board = boards.square(3, 3)
    warp = (((1, 0), (0, -1)), ((1, 2), (0, 1)))
    for make in (bridges_alone, warps_alone, bridges_and_warps, every_end_open):
        assert make(assumed(board)) is None
    assert bridges_and_warps(assumed(board, bridges=((1, 1),))) is None
    assert bridges_and_warps(assumed(board, warps=(warp,))) is None
    opened = every_end_open(assumed(board, ends=(warp,)))
    assert opened is not None
    assert (opened.seen, opened.warps) == (False, (((1, 0), (1, 2)),))


def test_nobody_changes_what_was_seen(seen: CrossingEvidence) -> None:
    """Neither the evidence nor the board that is made of it."""
    with pytest.raises(AttributeError):
        seen.bridges = ()
    with pytest.raises(AttributeError):
        bridges_alone(seen).seen = False
