"""Where paths cross: bridges, in which two flows pass over one another, and warps over the board's edge.

A board read without its bridges or warps has no solution (measured: none of 220 published ones has), so
this is looked for only when the plain reading is refuted.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from msgspec import Struct

from flowvision.puzzle import boards
from flowvision.puzzle.boards import walls_and_warps
from flowvision.puzzle.layout import Board, Lattice, Place
from flowvision.value import made_of
from flowvision.vision.crossings.drawn_pipes import flows_through
from flowvision.vision.dots.detection import Dots, Pairing
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.pixels.view import Floats, Gray, brightest_channel, median, sample
from flowvision.vision.settings import CrossingSettings, PipeSettings

Way = tuple[int, int]
"""Rows down and columns to the right, of one step."""
Gate = tuple[Place, Way]
"""A cell and a way out of it."""


class CrossingEvidence(Struct, frozen=True, eq=False):
    """What is seen of bridges and warps on a board, with the pairs of dots that its pipes may join.

    ``warps``: the two gates that each joins over the edge. ``ends``: both ends of every row and column, where
    no border is seen and all of them may be open; else empty. ``inked`` (cells,): the share of each cell's
    inside that is covered by thin lines, 0 to 1.
    """

    pairing: Pairing
    bridges: tuple[Place, ...]
    warps: tuple[tuple[Gate, Gate], ...]
    ends: tuple[tuple[Gate, Gate], ...]
    inked: Floats


class Crossings(Struct, frozen=True, eq=False):
    """The board with its bridges and warps.

    ``bridges``: their places. ``warps``: the two places that each joins over the edge. ``inked``: as in
    ``CrossingEvidence``.
    """

    pairing: Pairing
    board: Board
    bridges: tuple[Place, ...]
    warps: tuple[tuple[Place, Place], ...]
    inked: Floats
    seen: bool = True
    """False where the warps are assumed: no border is seen at all, so every end may be open."""

    source = made_of("pairing")


INSIDE = 0.4
"""How far from its middle a cell is sampled, clear of its lines; in widths of a cell."""
MIN_STEPS, MAX_STEPS = 9, 81
"""Points across the inside of a cell: as many as it has pixels, within these."""
GROUND_PART = 4
"""One in four points is darker than the colour taken for the ground: two pipes hide two thirds of a cell."""
LINE_ACROSS = np.column_stack((np.linspace(0.45, 0.55, 7), np.zeros(7)))
"""Points over the right side of a cell, one of which is on the line; in widths of a cell from its middle."""
MIN_WIDTH_PX = 3
"""The narrowest brush that takes away lines of a pixel."""


def ink_shares(geometry: BoardGeometry, dots: Dots, settings: CrossingSettings) -> Floats:
    """(cells,): the share of each cell's inside that thin lines cover, as bright as grid lines.

    0 where there is a dot, whose letter is no bridge.
    """
    fit = geometry.fit
    centres = np.array(geometry.board.layout.centres)
    pitch = fit.pitch_px / fit.view.scale
    steps = max(MIN_STEPS, min(MAX_STEPS, round(2 * INSIDE * pitch)))
    axis = np.linspace(-INSIDE, INSIDE, steps)
    offsets = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    value = brightest_channel(sample(fit.view, fit.frame, centres, offsets))
    part = value.shape[1] // GROUND_PART
    ground = np.partition(value, part, axis=1)[:, part].astype(np.float64)
    lines = sample(fit.view, fit.frame, centres, LINE_ACROSS).max(axis=(1, 2)) - ground
    step = max(settings.bridge_step_min, settings.bridge_step * median(lines))
    width = max(MIN_WIDTH_PX, round(settings.bridge_width * pitch)) | 1
    brush = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width)), np.uint8)
    inked = np.zeros(len(centres))
    stands_out = (value > np.floor(ground + step)[:, None]).view(np.uint8)
    stands_out[[dot.cell for dot in dots.dots]] = 0
    for cell in np.flatnonzero(stands_out.any(axis=1)):
        # What is wide is no rail: neither pipes with their soft edges nor the slopes of a glow.
        high, inside = stands_out[cell].reshape(steps, steps), value[cell].reshape(steps, steps)
        thin = high > _wide(high, brush)
        if thin.mean() >= settings.bridge_ink:  # with less, most cells with a pipe, it is no bridge anyway
            thin &= cv2.subtract(inside, _wide(inside, brush)) > step
        inked[cell] = float(thin.mean())
    return inked


def _wide(patch: Gray, brush: Gray) -> Gray:
    """A patch without what is thinner than the brush, and grown by a pixel."""
    opened = cv2.morphologyEx(patch, cv2.MORPH_OPEN, brush)
    return np.asarray(cv2.dilate(opened, np.ones((3, 3), np.uint8)), np.uint8)


LEFT, RIGHT, UP, DOWN = WAYS = ((0, -1), (0, 1), (-1, 0), (1, 0))
Pipes = Mapping[Gate, int | None]
"""The flow that is drawn out of each gate, if any."""
Ends = tuple[Gate, Gate]
"""Where a row or a column begins and where it ends."""


def find_crossings(
    pairing: Pairing, settings: CrossingSettings, pipe: PipeSettings
) -> CrossingEvidence | None:
    """What is seen of bridges and warps on a board of squares; ``None`` for other boards.

    A bridge has thin lines inside its cell, or pipes of two flows through opposite sides. A lattice beyond
    which lines go on has no warps, for it has lost rows or columns; unless an outline shows where it ends:
    then they are the arms of an opening, and tints that run out through it.
    """
    dots, geometry = pairing.dots, pairing.dots.geometry
    lattice = geometry.board.lattice
    if lattice is None or not geometry.fit.is_lattice:
        return None
    pipes = _pipes(geometry, lattice, pairing, pipe)
    inked = ink_shares(geometry, dots, settings)
    held = {dot.cell for dot in dots.dots}
    bridges = tuple(
        place
        for cell, place in enumerate(lattice.places)
        if cell not in held and (inked[cell] >= settings.bridge_ink or _is_crossed(place, pipes))
    )
    ends = _ends(lattice)
    if geometry.fit.is_open and not _is_outlined(geometry, ends):
        ends = []
    warps, open_ends = _warps(geometry, ends, pipes, settings)
    return CrossingEvidence(pairing, bridges, warps, open_ends, inked)


def bridges_alone(seen: CrossingEvidence) -> Crossings | None:
    """The board with the bridges that are seen; ``None`` where there are none."""
    return _crossings(seen, seen.bridges, ()) if seen.bridges else None


def warps_alone(seen: CrossingEvidence) -> Crossings | None:
    """The board with the warps that are seen; ``None`` where there are none."""
    return _crossings(seen, (), seen.warps) if seen.warps else None


def bridges_and_warps(seen: CrossingEvidence) -> Crossings | None:
    """The board with the bridges and the warps that are seen; ``None`` unless there are both."""
    return _crossings(seen, seen.bridges, seen.warps) if seen.bridges and seen.warps else None


def every_end_open(seen: CrossingEvidence) -> Crossings | None:
    """The board with a warp in every row and column; ``None`` where a border is seen."""
    return _crossings(seen, seen.bridges, seen.ends, seen=False) if seen.ends else None


def _crossings(
    evidence: CrossingEvidence, bridges: tuple[Place, ...], warps: tuple[Ends, ...], seen: bool = True
) -> Crossings:
    """The board with these bridges and warps."""
    board = evidence.pairing.dots.geometry.board
    lattice = board.lattice
    assert lattice is not None
    walls, _ = walls_and_warps(board, lattice)
    present = set(lattice.places)
    holes = [(r, c) for r in range(lattice.rows) for c in range(lattice.cols) if (r, c) not in present]
    joined = tuple((first[0], last[0]) for first, last in warps)
    whole = boards.square(lattice.rows, lattice.cols, holes, walls, bridges, joined)
    return Crossings(evidence.pairing, whole, bridges, joined, evidence.inked, seen)


def _warps(
    geometry: BoardGeometry, ends: list[Ends], pipes: Pipes, settings: CrossingSettings
) -> tuple[tuple[Ends, ...], tuple[Ends, ...]]:
    """The rows and columns that are warps, and those that may be because no border is seen.

    A warp has no border at both ends while the board has one elsewhere, or a pipe that leaves at one end and
    comes back at the other. Where dots and pipes hide the border as well, only the pipe shows it.
    """
    border = _border(geometry, ends)
    strongest = max((min(border[gate] for gate in gates) for gates in ends), default=0.0)
    drawn = [(first, last) for first, last in ends if _is_passed(pipes[first], pipes[last])]
    is_measured, has_border = geometry.fit.shows_border, strongest >= settings.border_missing
    # In a negative, lines may be gaps between tiles: these have no border even on boards without warps.
    is_borderless = is_measured and not has_border and geometry.fit.view.channel != "negative"
    open_below = settings.border_open * strongest if is_measured and has_border else -1.0
    warps = tuple(
        (first, last)
        for first, last in ends
        # On a board without a border, one pipe over the edge shows that all of it is open.
        if (is_borderless and drawn)
        or (first, last) in drawn
        or max(border[first], border[last]) < open_below
    )
    # A pipe that leaves and does not come back at the other end goes on where rows or columns were lost.
    is_lost = any(pipes[first] != pipes[last] for first, last in ends)
    may_be_open = is_borderless and not is_lost and len(warps) < len(ends)
    return warps, tuple(ends) if may_be_open else ()


def _is_passed(first: int | None, last: int | None) -> bool:
    """Whether pipes of one flow leave at two gates."""
    return first is not None and first == last


def _is_crossed(place: Place, pipes: Pipes) -> bool:
    """Whether pipes of two flows pass straight through a cell."""
    left, right, up, down = (pipes[place, way] for way in WAYS)
    return _is_passed(left, right) and _is_passed(up, down) and left != up


def _pipes(geometry: BoardGeometry, lattice: Lattice, pairing: Pairing, settings: PipeSettings) -> Pipes:
    """The flow that is drawn out of every gate."""
    gates = [(place, way) for place in lattice.places for way in WAYS]
    points = [
        ((c + 0.5, r + 0.5), (c + 0.5 + 0.5 * right, r + 0.5 + 0.5 * down)) for (r, c), (down, right) in gates
    ]
    through = flows_through(geometry.fit.view, geometry.fit.frame, points, pairing.palette, settings)
    return dict(zip(gates, through, strict=True))


def _ends(lattice: Lattice) -> list[Ends]:
    """Both ends of every row and column that has cells there."""
    present = set(lattice.places)
    rows = [(((r, 0), LEFT), ((r, lattice.cols - 1), RIGHT)) for r in range(lattice.rows)]
    cols = [(((0, c), UP), ((lattice.rows - 1, c), DOWN)) for c in range(lattice.cols)]
    return [(first, last) for first, last in rows + cols if first[0] in present and last[0] in present]


def _is_outlined(geometry: BoardGeometry, ends: list[Ends]) -> bool:
    """Whether most rows and columns end at an outline, as strong as a wall, and the others at neither end."""
    open_sides = {side.middle for side in geometry.sides if side.is_open}
    is_open = [
        [(c + 0.5 + 0.5 * right, r + 0.5 + 0.5 * down) in open_sides for (r, c), (down, right) in gates]
        for gates in ends
    ]
    return 2 * sum(not any(pair) for pair in is_open) > len(ends) and all(a == b for a, b in is_open)


def _border(geometry: BoardGeometry, ends: list[Ends]) -> dict[Gate, float]:
    """How strong the border is at every end: 1.0 for a plain grid line."""
    strength = {side.middle: side.strength for side in geometry.sides}
    return {
        ((r, c), (down, right)): strength[c + 0.5 + 0.5 * right, r + 0.5 + 0.5 * down]
        for gates in ends
        for (r, c), (down, right) in gates
    }
