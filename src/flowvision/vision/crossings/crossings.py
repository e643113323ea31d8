"""Where paths cross: bridges, in which two flows pass over one another, and warps over the board's edge.

A board read without its bridges or warps has no solution (measured: none of 220 published ones has), so
this is asked only when the plain reading is refuted.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from flowvision.puzzle import boards
from flowvision.puzzle.layout import Lattice, Place
from flowvision.puzzle.text import sides_of
from flowvision.vision.crossings.drawn_pipes import flows_through
from flowvision.vision.crossings.result import CrossingEvidence, Crossings, Gate
from flowvision.vision.dots.result import Dots, Pairing
from flowvision.vision.grid.fit import GridFit
from flowvision.vision.pixels.sampling import sample
from flowvision.vision.pixels.view import Floats, Gray, brightest_channel
from flowvision.vision.settings import Settings
from flowvision.vision.walls.result import SideReading

LEFT, RIGHT, UP, DOWN = WAYS = ((0, -1), (0, 1), (-1, 0), (1, 0))
Pipes = Mapping[Gate, int | None]
"""The flow that is drawn out of each gate, if any."""
INSIDE = 0.4
"""Of a cell: how far from its middle ink is looked for, clear of its lines."""
LEAST_STEP = 12.0
"""Brightness: below this it is noise."""


def find_crossings(
    sides: SideReading, dots: Dots, pairing: Pairing, settings: Settings
) -> CrossingEvidence | None:
    """What is seen of bridges and warps on a board of squares; ``None`` for other boards.

    A bridge has thin marks inside its cell, or pipes of two flows through opposite sides. A row or column
    is a warp where its border is missing at both ends and seen elsewhere, or where a pipe leaves at one
    end and comes back at the other. Without any border, all ends may be open. A lattice beyond which more
    cells are seen does not end at openings: it has lost rows or columns.
    """
    lattice = sides.board.lattice
    if lattice is None or not isinstance(sides.fit, GridFit):
        return None
    pipes = _pipes(sides, lattice, pairing, settings.dots.alike)
    inked = _inked(sides, dots, settings)
    bridges = _bridges(lattice, dots, pipes, inked, settings)
    ends = _ends(lattice) if sides.fit.closed else []
    border = _border(sides, ends)
    shown = [min(border[gate] for gate in gates) for gates in ends]
    usual = max(shown, default=0.0)
    drawn = [(first, last) for first, last in ends if _passed(pipes[first], pipes[last])]
    # Lines darker than their cells may be gaps between tiles, which have no border: that none is seen says
    # nothing.
    missing = usual < settings.crossings.border_missing and sides.fit.view.channel != "negative"
    open_below = -1.0 if missing else settings.crossings.border_open * usual
    warps = tuple(
        (first, last)
        for first, last in ends
        # One pipe over the edge, and no border anywhere: then all of it is open.
        if (missing and drawn) or (first, last) in drawn or max(border[first], border[last]) < open_below
    )
    # What leaves at an opening comes back at the other end; else rows or columns were lost there.
    left = any(pipes[first] != pipes[last] for first, last in ends)
    may_be_open = missing and not left and len(warps) < len(ends)
    return CrossingEvidence(sides.board, bridges, warps, tuple(ends) if may_be_open else (), inked)


def bridges_alone(seen: CrossingEvidence) -> Crossings | None:
    """The board with the bridges that are seen."""
    return _crossings(seen, seen.bridges, ()) if seen.bridges else None


def warps_alone(seen: CrossingEvidence) -> Crossings | None:
    """The board with the warps that are seen."""
    return _crossings(seen, (), seen.warps) if seen.warps else None


def bridges_and_warps(seen: CrossingEvidence) -> Crossings | None:
    """The board with both."""
    return _crossings(seen, seen.bridges, seen.warps) if seen.bridges and seen.warps else None


def every_end_open(seen: CrossingEvidence) -> Crossings | None:
    """The board with a warp in every row and column, where no border is seen at all."""
    return _crossings(seen, seen.bridges, seen.ends, seen=False) if seen.ends else None


def _crossings(
    evidence: CrossingEvidence,
    bridges: tuple[Place, ...],
    warps: tuple[tuple[Gate, Gate], ...],
    seen: bool = True,
) -> Crossings:
    """The board with these bridges and warps."""
    board, lattice = evidence.board, evidence.board.lattice
    assert lattice is not None
    walls, _ = sides_of(board, lattice)
    present = set(lattice.places)
    holes = [(r, c) for r in range(lattice.rows) for c in range(lattice.cols) if (r, c) not in present]
    joined = tuple((first[0], last[0]) for first, last in warps)
    whole = boards.square(lattice.rows, lattice.cols, holes, walls, bridges, joined)
    return Crossings(whole, bridges, joined, evidence.inked, seen)


def _passed(first: int | None, last: int | None) -> bool:
    """Whether one pipe leaves at both ends."""
    return first is not None and first == last


def _bridges(
    lattice: Lattice, dots: Dots, pipes: Pipes, inked: Floats, settings: Settings
) -> tuple[Place, ...]:
    held = {dot.cell for dot in dots.dots}
    return tuple(
        place
        for cell, place in enumerate(lattice.places)
        if cell not in held and (inked[cell] >= settings.crossings.bridge_ink or _is_crossed(place, pipes))
    )


def _is_crossed(place: Place, pipes: Pipes) -> bool:
    """Whether pipes of two flows pass straight through a cell."""
    left, right, up, down = (pipes[place, way] for way in WAYS)
    return _passed(left, right) and _passed(up, down) and left != up


def _pipes(sides: SideReading, lattice: Lattice, pairing: Pairing, alike: float) -> dict[Gate, int | None]:
    gates = [(place, way) for place in lattice.places for way in WAYS]
    points = [
        ((c + 0.5, r + 0.5), (c + 0.5 + 0.5 * right, r + 0.5 + 0.5 * down)) for (r, c), (down, right) in gates
    ]
    through = flows_through(sides.fit.view, sides.fit.frame, points, pairing.palette, alike)
    return dict(zip(gates, through, strict=True))


def _ends(lattice: Lattice) -> list[tuple[Gate, Gate]]:
    """Both ends of every row and column whose end cells are there."""
    present = set(lattice.places)
    rows = [(((r, 0), LEFT), ((r, lattice.cols - 1), RIGHT)) for r in range(lattice.rows)]
    cols = [(((0, c), UP), ((lattice.rows - 1, c), DOWN)) for c in range(lattice.cols)]
    return [(first, last) for first, last in rows + cols if first[0] in present and last[0] in present]


def _border(sides: SideReading, ends: list[tuple[Gate, Gate]]) -> dict[Gate, float]:
    """How strong the border is at every end: 1.0 for a plain grid line."""
    strength = {middle: value for middle, value, _ in sides.sides}
    return {
        ((r, c), (down, right)): strength[c + 0.5 + 0.5 * right, r + 0.5 + 0.5 * down]
        for gates in ends
        for (r, c), (down, right) in gates
    }


def _inked(sides: SideReading, dots: Dots, settings: Settings) -> Floats:
    """Per cell: the share of its inside that stands out from it as a grid line does, and as thin as one.

    0 where there is a dot: that is no bridge, whatever stands on it.
    """
    fit = sides.fit
    centres = np.array([cell.centre for cell in sides.board.layout.cells])
    pitch = fit.pitch_px / fit.view.scale
    steps = max(9, min(81, round(2 * INSIDE * pitch)))
    axis = np.linspace(-INSIDE, INSIDE, steps)
    offsets = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    value = brightest_channel(sample(fit.view, fit.frame, centres, offsets))
    quarter = value.shape[1] // 4  # two pipes hide two thirds of a cell
    ground = np.partition(value, quarter, axis=1)[:, quarter].astype(np.float64)
    across = np.column_stack((np.linspace(0.45, 0.55, 7), np.zeros(7)))
    lines = sample(fit.view, fit.frame, centres, across).max(axis=(1, 2)) - ground
    step = max(LEAST_STEP, settings.crossings.bridge_step * float(np.median(lines)))
    width = max(3, round(settings.crossings.bridge_width * pitch)) | 1
    brush = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width)), np.uint8)
    inked = np.zeros(len(centres))
    stands_out = (value > np.floor(ground + step)[:, None]).view(np.uint8)
    stands_out[[dot.cell for dot in dots.dots]] = 0
    for cell in np.flatnonzero(stands_out.any(axis=1)):
        # What is wide is no mark: not pipes with their soft edges, nor the slopes of a glow.
        high, inside = stands_out[cell].reshape(steps, steps), value[cell].reshape(steps, steps)
        thin = (high > _wide(high, brush)) & (cv2.subtract(inside, _wide(inside, brush)) > step)
        inked[cell] = float(thin.mean())
    return inked


def _wide(patch: Gray, brush: Gray) -> Gray:
    """A patch without what is thinner than the brush, and a pixel more of all else."""
    opened = cv2.morphologyEx(patch, cv2.MORPH_OPEN, brush)
    return np.asarray(cv2.dilate(opened, np.ones((3, 3), np.uint8)), np.uint8)
