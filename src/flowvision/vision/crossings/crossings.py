"""Bridges and warps: places where paths cross one another or the board's edge.

A board read without them has no solution (0 of 220 published ones had one), so they are searched only when
the plain reading is refuted. A gate is a way out of a cell, through one of its sides; the ends of a row or a
column are the gates at which it begins and ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import cv2
import numpy as np
from msgspec import Struct

from flowvision.image.picture import brightest_channel
from flowvision.log import made_of
from flowvision.puzzle import boards
from flowvision.puzzle.boards import walls_and_warps
from flowvision.puzzle.layout import Board, Lattice, Place, Point
from flowvision.vision.crossings.drawn_pipes import cuts_of, flows_through, lab_of_flows
from flowvision.vision.dots.detection import Dots, Pairing
from flowvision.vision.kinds.fit import BoardGeometry, Side
from flowvision.vision.pixels.line_weight import ALONG, bands_at, third_strongest
from flowvision.vision.pixels.lines import AXES
from flowvision.vision.pixels.view import Floats, Gray, Mask, dilated, grid_points, median, sample
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


ACROSS = np.linspace(-0.15, 0.15, 25)
"""Steps across a side, with the ground at both ends, in cells."""
HIDDEN = 3
"""Places along a border of nine that may show nothing."""
ENDS = 3
"""Steps at each end that show the ground, clear of dots: an uneven line lies between."""


def has_line(geometry: BoardGeometry) -> Mask:
    """Return (sides,): whether a line, however thin, lies near its place above the grounds on both sides.

    It stands out by a share of what the lines between cells do, in a row at nearly all places along the side,
    unlike text; at most three of nine places show a line between cells that a pipe crosses.
    """
    fit = geometry.fit
    middles = np.array([side.middle for side in geometry.sides])
    line_rise = np.zeros(len(middles))
    rise_in_a_row = np.zeros(len(middles))
    for axis in AXES:
        is_on_axis = middles[:, axis] % 1 == 0
        bands = bands_at(fit.view, fit.frame, middles[is_on_axis], axis, ALONG, ACROSS)
        grounds = np.median(bands[:ENDS], axis=0), np.median(bands[-ENDS:], axis=0)
        rise = bands[ENDS:-ENDS] - np.maximum(*grounds)  # (steps, sides, places)
        line_rise[is_on_axis] = third_strongest(rise.max(axis=0))
        # In a row: at each place the line may lie one step to either side.
        rise_near = np.maximum(np.maximum(rise[:-2], rise[1:-1]), rise[2:])
        rise_in_a_row[is_on_axis] = np.partition(rise_near, HIDDEN, axis=2)[..., HIDDEN].max(axis=0)
    rows, cols = fit.size or (0, 0)
    is_inner = np.all((middles > 0) & (middles < (cols, rows)), axis=1)
    min_rise = max(CROSSINGS.bridge_step_min, CROSSINGS.border_seen * median(line_rise[is_inner]))
    return rise_in_a_row >= min_rise


def ink_shares(geometry: BoardGeometry, dots: Dots) -> Floats:
    """Return (cells,): the share of each cell's inside that thin lines cover, as bright as grid lines.

    0 in cells with a dot.
    """
    fit = geometry.fit
    centres = np.array(geometry.board.layout.centres)
    pitch_px = fit.pitch_px / fit.view.scale  # of the view
    steps = round(2 * INSIDE * pitch_px)
    axis = np.linspace(-INSIDE, INSIDE, steps)
    brightness = brightest_channel(sample(fit.view, fit.frame, centres, grid_points(axis, axis)))
    # The ground is the first quartile of brightness: two pipes hide two thirds of a cell.
    quartile = brightness.shape[1] // 4
    ground = np.partition(brightness, quartile, axis=1)[:, quartile].astype(np.float64)
    line_rise = sample(fit.view, fit.frame, centres, LINE_ACROSS).max(axis=(1, 2)) - ground
    rail_step = max(CROSSINGS.bridge_step_min, CROSSINGS.bridge_step * median(line_rise))
    width_px = max(3, round(CROSSINGS.bridge_width * pitch_px)) | 1  # odd
    brush = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width_px, width_px)), np.uint8)
    inked = np.zeros(len(centres))
    stands_out = (brightness > np.floor(ground + rail_step)[:, None]).view(np.uint8)
    stands_out[[dot.cell for dot in dots.dots]] = 0
    for cell in np.flatnonzero(stands_out.any(axis=1)):
        # Wide things are not rails: pipes with their soft edges, slopes of a glow.
        is_high = stands_out[cell].reshape(steps, steps)
        cell_value = brightness[cell].reshape(steps, steps)
        is_thin = is_high > _wide(is_high, brush)
        if is_thin.mean() >= CROSSINGS.bridge_ink:  # with less, as in most cells with a pipe, it is no bridge
            is_thin &= cv2.subtract(cell_value, _wide(cell_value, brush)) > rail_step
        inked[cell] = float(is_thin.mean())
    return inked


def _wide(patch: Gray, brush: Gray) -> Gray:
    """Return a patch (h, w) with only what the brush, a disc, fits into, and a pixel round it."""
    opened = cv2.morphologyEx(patch, cv2.MORPH_OPEN, brush)
    return dilated(np.asarray(opened, np.uint8), size_px=3)


WAYS = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""Steps out of a cell to the left, right, up and down."""
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
    sides = {side.middle: side for side in geometry.sides}
    ends = [] if geometry.fit.is_open and not _has_outline(lattice, sides) else _ends(lattice)
    border = {gate: sides[_middle(gate)].strength for gates in ends for gate in gates}
    warps, open_ends = _warps(border, ends, pipes, is_negative=geometry.fit.view.channel == "negative")
    # No warp leads over a side with a line, however thin, unless its pipe is drawn.
    lined = set[Point]()
    if warps:
        is_lined = zip(geometry.sides, has_line(geometry), strict=True)
        lined = {side.middle for side, is_seen in is_lined if is_seen}
    warps = [gates for gates in warps if lined.isdisjoint(map(_middle, gates)) or _joins(pipes, gates)]
    bridges = _bridges(dots, lattice, pipes)
    over_warps = _places(warps)
    over_all = _places(open_ends)
    walls, _ = walls_and_warps(geometry.board, lattice)
    for crossed, over, has_any, is_border_seen in (
        (bridges, (), bridges, True),
        ((), over_warps, over_warps, True),
        (bridges, over_warps, bridges and over_warps, True),
        (bridges, over_all, over_all, False),
    ):
        if has_any:
            board = boards.square(
                lattice.rows, lattice.cols, lattice.holes, walls, bridges=crossed, warps=over
            )
            yield Crossings(pairing, board, bridges=crossed, warps=over, seen=is_border_seen)


def _places(ends: Sequence[Ends]) -> tuple[tuple[Place, Place], ...]:
    """Return the cells at the ends of rows and columns."""
    return tuple((first, last) for (first, _), (last, _) in ends)


def _bridges(dots: Dots, lattice: Lattice, pipes: Pipes) -> tuple[Place, ...]:
    """Return the places without a dot that show the rails of a bridge, or pipes of two flows both ways."""
    inked = ink_shares(dots.geometry, dots)
    with_dot = {dot.cell for dot in dots.dots}
    return tuple(
        place
        for cell, place in enumerate(lattice.places)
        if cell not in with_dot and (inked[cell] >= CROSSINGS.bridge_ink or _is_crossed(place, pipes))
    )


def _has_outline(lattice: Lattice, sides: Mapping[Point, Side]) -> bool:
    """Return whether most rows and columns are closed at both ends, and the others open at both."""
    is_open = [[sides[_middle(gate)].is_open for gate in gates] for gates in _ends(lattice)]
    closed_count = sum(not any(both) for both in is_open)
    return 2 * closed_count > len(is_open) and all(first == last for first, last in is_open)


def _warps(
    border: Mapping[Gate, float], ends: Sequence[Ends], pipes: Pipes, is_negative: bool
) -> tuple[Sequence[Ends], Sequence[Ends]]:
    """Return the pairs of ends that a warp joins, and those that it may join where no border is seen.

    ``border``: by gate, the strength of its side, 1.0 for a plain line. ``is_negative``: lines are darker
    than cells.
    """
    strongest = max((min(border[gate] for gate in gates) for gates in ends), default=0.0)
    drawn = [gates for gates in ends if _joins(pipes, gates)]
    has_border = strongest >= CROSSINGS.border_missing
    # In a negative, lines may be gaps between tiles: these have no border even on boards without warps.
    is_borderless = not has_border and not is_negative
    if is_borderless and drawn:
        warps = ends  # one pipe over the edge shows that all of it is open
    elif has_border:
        open_below = CROSSINGS.border_open * strongest
        warps = [
            gates for gates in ends if gates in drawn or max(border[gate] for gate in gates) < open_below
        ]
    else:
        warps = drawn
    # A pipe that leaves and does not come back at the other end continues where rows or columns were lost.
    is_lost = any(pipes[first] != pipes[last] for first, last in ends)
    may_be_open = is_borderless and not is_lost and len(warps) < len(ends)
    return warps, ends if may_be_open else ()


def _joins(pipes: Pipes, gates: Ends) -> bool:
    """Return whether a pipe passes through both gates."""
    return _is_passed(*map(pipes.get, gates))


def _is_passed(first: int | None, last: int | None) -> bool:
    """Return whether one flow is drawn through both of two gates."""
    return first is not None and first == last


def _is_crossed(place: Place, pipes: Pipes) -> bool:
    """Return whether pipes of two flows lead straight through a cell."""
    left, right, up, down = (pipes[place, direction] for direction in WAYS)
    return _is_passed(left, right) and _is_passed(up, down) and left != up


def _pipes(geometry: BoardGeometry, lattice: Lattice, pairing: Pairing) -> Pipes:
    """Return the flow whose pipe is drawn out of each cell on each of its sides, if any."""
    gates = [((row, col), way) for row, col in lattice.places for way in WAYS]
    strokes = [((col + 0.5, row + 0.5), _middle(((row, col), way))) for (row, col), way in gates]
    fit = geometry.fit
    flow_at = flows_through(cuts_of(fit.view, fit.frame, strokes), lab_of_flows(pairing.palette))
    return {gate: flow_at.get(number) for number, gate in enumerate(gates)}


def _middle(gate: Gate) -> Point:
    """Return the middle of the side through which a gate leads, in cell units."""
    (row, col), (down, right) = gate
    return col + 0.5 + 0.5 * right, row + 0.5 + 0.5 * down


def _ends(lattice: Lattice) -> list[Ends]:
    """Return the ends of each row and column that reaches from edge to edge of the lattice."""
    left, right, up, down = WAYS
    rows = [(((row, 0), left), ((row, lattice.cols - 1), right)) for row in range(lattice.rows)]
    cols = [(((0, col), up), ((lattice.rows - 1, col), down)) for col in range(lattice.cols)]
    places = set(lattice.places)
    return [gates for gates in rows + cols if places.issuperset(place for place, _ in gates)]
