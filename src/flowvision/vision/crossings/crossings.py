"""Bridges and warps: places where paths cross one another or the board's edge.

A board read without them has no solution (0 of 220 published ones had one), so they are searched only when
the plain reading is refuted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.log import made_of
from flowvision.puzzle import boards
from flowvision.puzzle.boards import walls_and_warps
from flowvision.puzzle.layout import Board, Lattice, Place, Point
from flowvision.vision.crossings.drawn_pipes import flows_through, lab_of_flows
from flowvision.vision.dots.detection import Dots, Pairing
from flowvision.vision.kinds.fit import BoardGeometry, Side
from flowvision.vision.pixels.line_weight import bands_at, third_strongest
from flowvision.vision.pixels.lines import AXES
from flowvision.vision.pixels.view import Floats, Gray, brightest_channel, median, sample
from flowvision.vision.settings import CROSSINGS

Gate = tuple[Place, tuple[int, int]]  # a cell, and rows down and columns to the right of a step out of it


class Crossings(Struct, frozen=True, eq=False):
    """The board with its bridges and warps.

    ``bridges``: their places. ``warps``: the two places that each joins over the edge. ``seen``: ``False``
    where no border is seen at all, so that every end may be open.
    """

    pairing: Pairing
    board: Board
    bridges: tuple[Place, ...]
    warps: tuple[tuple[Place, Place], ...]
    seen: bool = True

    source = made_of("pairing")


INSIDE = 0.4  # how far from its middle a cell is sampled, clear of its lines; in widths of a cell
LINE_ACROSS = np.column_stack((np.linspace(0.45, 0.55, 7), np.zeros(7)))
"""Points over the right side of a cell, one of which is on the line; in widths of a cell from its middle."""


ACROSS, ALONG = np.linspace(-0.15, 0.15, 25), np.linspace(-0.3, 0.3, 9)
"""Places across a side, with the ground at both ends, and along it, away from crossing lines; in cells."""
HIDDEN = 3
"""Places along a border of nine that may show nothing."""
ENDS = 3
"""Places at each end that show the ground, clear of dots: an uneven line lies between."""


def has_line(geometry: BoardGeometry) -> NDArray[np.bool_]:
    """Return (sides,): whether a line, however thin, lies near its place above the grounds on both sides.

    It stands out by a share of what the lines between cells do, in a row at nearly all places along the side,
    unlike text; at most three of nine places show a line between cells that a pipe crosses.
    """
    fit = geometry.fit
    middles = np.array([side.middle for side in geometry.sides])
    rise_at_places, rise_in_a_row = np.zeros(len(middles)), np.zeros(len(middles))
    for axis in AXES:
        is_on_axis = middles[:, axis] % 1 == 0
        bands = bands_at(fit.view, fit.frame, middles[is_on_axis], axis, ALONG, ACROSS)
        grounds = np.median(bands[:ENDS], axis=0), np.median(bands[-ENDS:], axis=0)
        rise = bands[ENDS:-ENDS] - np.maximum(*grounds)
        rise_at_places[is_on_axis] = third_strongest(rise.max(axis=0))
        rise_near = np.maximum(np.maximum(rise[:-2], rise[1:-1]), rise[2:])
        rise_in_a_row[is_on_axis] = np.partition(rise_near, HIDDEN, axis=2)[..., HIDDEN].max(axis=0)
    rows, cols = fit.size or (0, 0)
    is_inner = np.all((middles > 0) & (middles < (cols, rows)), axis=1)
    return rise_in_a_row >= max(
        CROSSINGS.bridge_step_min, CROSSINGS.border_seen * median(rise_at_places[is_inner])
    )


def ink_shares(geometry: BoardGeometry, dots: Dots) -> Floats:
    """Return (cells,): the share of each cell's inside that thin lines cover, as bright as grid lines."""
    fit = geometry.fit
    centres = np.array(geometry.board.layout.centres)
    pitch = fit.pitch_px / fit.view.scale
    steps = round(2 * INSIDE * pitch)
    axis = np.linspace(-INSIDE, INSIDE, steps)
    offsets = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    brightness = brightest_channel(sample(fit.view, fit.frame, centres, offsets))
    # The ground is the first quartile of brightness: two pipes hide two thirds of a cell.
    quartile = brightness.shape[1] // 4
    ground = np.partition(brightness, quartile, axis=1)[:, quartile].astype(np.float64)
    line_rise = sample(fit.view, fit.frame, centres, LINE_ACROSS).max(axis=(1, 2)) - ground
    rail_step = max(CROSSINGS.bridge_step_min, CROSSINGS.bridge_step * median(line_rise))
    width = max(3, round(CROSSINGS.bridge_width * pitch)) | 1
    brush = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width)), np.uint8)
    inked = np.zeros(len(centres))
    stands_out = (brightness > np.floor(ground + rail_step)[:, None]).view(np.uint8)
    stands_out[[dot.cell for dot in dots.dots]] = 0
    for cell in np.flatnonzero(stands_out.any(axis=1)):
        # Wide things are not rails: pipes with their soft edges, slopes of a glow.
        is_high, cell_value = stands_out[cell].reshape(steps, steps), brightness[cell].reshape(steps, steps)
        is_thin = is_high > _wide(is_high, brush)
        if is_thin.mean() >= CROSSINGS.bridge_ink:  # with less, as in most cells with a pipe, it is no bridge
            is_thin &= cv2.subtract(cell_value, _wide(cell_value, brush)) > rail_step
        inked[cell] = float(is_thin.mean())
    return inked


def _wide(patch: Gray, brush: Gray) -> Gray:
    opened = cv2.morphologyEx(patch, cv2.MORPH_OPEN, brush)
    return np.asarray(cv2.dilate(opened, np.ones((3, 3), np.uint8)), np.uint8)


WAYS = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""Out of a cell to the left, right, up and down."""
Pipes = Mapping[Gate, int | None]  # the flow that is drawn out of each gate, if any
Ends = tuple[Gate, Gate]  # where a row or a column begins and where it ends


def crossings_of(pairing: Pairing) -> Iterator[Crossings]:
    """Yield the board with bridges that are seen, with warps, with both, then with every end open.

    Only for squares. A bridge has thin lines inside its cell, or pipes of two flows through opposite sides. A
    lattice whose lines continue past it has lost rows or columns, so it has no warps, unless an outline shows
    where it ends: then these lines are the arms of an opening.
    """
    dots, geometry = pairing.dots, pairing.dots.geometry
    lattice = geometry.board.lattice
    if lattice is None or not geometry.fit.is_lattice:
        return
    pipes = _pipes(geometry, lattice, pairing)
    bridges = _bridges(dots, lattice, pipes)
    sides = {side.middle: side for side in geometry.sides}
    ends = [] if geometry.fit.is_open and not _has_outline(lattice, sides) else _ends(lattice)
    border = {gate: sides[_middle(gate)].strength for gates in ends for gate in gates}
    may_be, open_ends = _warps(border, ends, pipes, geometry.fit.view.channel == "negative")
    lined = {side.middle for side, is_seen in zip(geometry.sides, has_line(geometry), strict=True) if is_seen}
    warps = tuple(gates for gates in may_be if lined.isdisjoint(map(_middle, gates)) or _joins(pipes, gates))
    walls, _ = walls_and_warps(geometry.board, lattice)
    for crossed, joined, has_any, is_seen in (
        (bridges, (), bridges, True),
        ((), warps, warps, True),
        (bridges, warps, bridges and warps, True),
        (bridges, open_ends, open_ends, False),
    ):
        if has_any:
            over = tuple((first[0], last[0]) for first, last in joined)
            board = boards.square(lattice.rows, lattice.cols, lattice.holes, walls, crossed, over)
            yield Crossings(pairing, board, crossed, over, is_seen)


def _bridges(dots: Dots, lattice: Lattice, pipes: Pipes) -> tuple[Place, ...]:
    """Return the places with the rails of a bridge, or with pipes both ways."""
    inked, held = ink_shares(dots.geometry, dots), {dot.cell for dot in dots.dots}
    return tuple(
        place
        for cell, place in enumerate(lattice.places)
        if cell not in held and (inked[cell] >= CROSSINGS.bridge_ink or _is_crossed(place, pipes))
    )


def _has_outline(lattice: Lattice, sides: Mapping[Point, Side]) -> bool:
    """Return whether most rows and columns are closed at both ends, and the others open at both."""
    is_open = [[sides[_middle(gate)].is_open for gate in gates] for gates in _ends(lattice)]
    closed = sum(not any(pair) for pair in is_open)
    return 2 * closed > len(is_open) and all(first == last for first, last in is_open)


def _warps(
    border: Mapping[Gate, float], ends: list[Ends], pipes: Pipes, is_negative: bool
) -> tuple[tuple[Ends, ...], tuple[Ends, ...]]:
    """Return the pairs of ends that a warp joins, and those that it may join where no border is seen."""
    strongest = max((min(border[gate] for gate in gates) for gates in ends), default=0.0)
    drawn = [gates for gates in ends if _joins(pipes, gates)]
    has_border = strongest >= CROSSINGS.border_missing
    # In a negative, lines may be gaps between tiles: these have no border even on boards without warps.
    is_borderless = not has_border and not is_negative
    if is_borderless and drawn:
        warps = tuple(ends)  # one pipe over the edge shows that all of it is open
    else:
        open_below = CROSSINGS.border_open * strongest if has_border else -1.0
        warps = tuple(
            pair for pair in ends if pair in drawn or max(border[gate] for gate in pair) < open_below
        )
    # A pipe that leaves and does not come back at the other end continues where rows or columns were lost.
    is_lost = any(pipes[first] != pipes[last] for first, last in ends)
    may_be_open = is_borderless and not is_lost and len(warps) < len(ends)
    return warps, tuple(ends) if may_be_open else ()


def _joins(pipes: Pipes, gates: Ends) -> bool:
    """Return whether a pipe passes through both gates."""
    return _is_passed(*map(pipes.get, gates))


def _is_passed(first: int | None, last: int | None) -> bool:
    return first is not None and first == last


def _is_crossed(place: Place, pipes: Pipes) -> bool:
    left, right, up, down = (pipes[place, direction] for direction in WAYS)
    return _is_passed(left, right) and _is_passed(up, down) and left != up


def _pipes(geometry: BoardGeometry, lattice: Lattice, pairing: Pairing) -> Pipes:
    """Return the flow whose pipe passes each side of each cell, if any."""
    gates = [(place, direction) for place in lattice.places for direction in WAYS]
    gate_strokes = [((c + 0.5, r + 0.5), _middle(((r, c), direction))) for (r, c), direction in gates]
    fit, flows = geometry.fit, lab_of_flows(pairing.palette)
    flow_at_gates = flows_through(fit.view, fit.frame, gate_strokes, flows)
    return dict(zip(gates, flow_at_gates, strict=True))


def _middle(gate: Gate) -> Point:
    """Return the middle of the side through which a gate leads, in cell units."""
    (row, col), (down, right) = gate
    return col + 0.5 + 0.5 * right, row + 0.5 + 0.5 * down


def _ends(lattice: Lattice) -> list[Ends]:
    """Return the first and the last cell of each row and column that has both, with the ways out."""
    cells_present, (left, right, up, down) = set(lattice.places), WAYS
    rows = [(((r, 0), left), ((r, lattice.cols - 1), right)) for r in range(lattice.rows)]
    cols = [(((0, c), up), ((lattice.rows - 1, c), down)) for c in range(lattice.cols)]
    return [
        (first, last) for first, last in rows + cols if first[0] in cells_present and last[0] in cells_present
    ]
