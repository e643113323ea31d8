"""What is seen of bridges and warps agrees with itself, and with what was drawn."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from types import SimpleNamespace

import numpy as np
import pytest

from flowvision.puzzle import boards
from flowvision.puzzle.boards import walls_and_warps
from flowvision.puzzle.layout import Board
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.render.synthetic import Style, draw_screenshot
from flowvision.vision.crossings.crossings import (
    CrossingEvidence,
    Crossings,
    bridges_alone,
    bridges_and_warps,
    every_end_open,
    find_crossings,
    warps_alone,
)
from flowvision.vision.dots.detection import DotHypothesis, find_dots
from flowvision.vision.dots.pairing import pair_dots
from tests import seeing
from tests.seeing import SETTINGS

BRIDGES = ((1, 3), (4, 2))
WARPS = (((3, 0), (3, 5)), ((0, 1), (5, 1)))
DRAWN = boards.square(6, 6, [(0, 5)], [((2, 2), (2, 3))], BRIDGES, WARPS)


@pytest.fixture(scope="module")
def seen() -> CrossingEvidence:
    """What is seen on a board with two bridges, two warps, a wall and a hole."""
    shot = draw_screenshot(DRAWN, random_puzzle(DRAWN, 2)[0], Style(), 2).screenshot
    sides = seeing.sides_of(shot)
    dots = find_dots(DotHypothesis(sides, sides.fit.usual_dots(SETTINGS.dots)), SETTINGS.dots)
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
    assert set(seen.bridges) == set(BRIDGES)
    assert {(first[0], last[0]) for first, last in seen.warps} == set(WARPS)
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
    rails = [seen.pairing.dots.geometry.board.lattice.places.index(place) for place in BRIDGES]
    others = np.setdiff1d(np.arange(len(seen.inked)), rails)
    assert seen.inked[rails].min() > seen.inked[others].max()


def test_the_board_has_what_the_crossings_say(seen: CrossingEvidence) -> None:
    """A second strand in every bridge, an edge over the rim for every warp; walls and holes stay."""
    for made, bridges, warps in (
        (bridges_alone(seen), BRIDGES, ()),
        (warps_alone(seen), (), WARPS),
        (bridges_and_warps(seen), BRIDGES, WARPS),
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
    with pytest.raises(FrozenInstanceError):
        seen.bridges = ()
    with pytest.raises(FrozenInstanceError):
        bridges_alone(seen).seen = False
