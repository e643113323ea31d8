"""Panels, the pictures of the debug page, for the result of every stage, from the input to the solution.

The file names of panels order them. Points are x first, in pixels of the screenshot, which a canvas scales.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from flowvision.debug.canvas import (
    BLUE,
    DARK,
    GREEN,
    GREY,
    PAPER,
    RED,
    SIDE_PX,
    WHITE,
    YELLOW,
    Canvas,
    Colour,
    Panel,
    Scene,
    board_box,
    box_round,
    panels_of,
    write,
)
from flowvision.diagnosis.evidence import colour_groups, near_misses_of
from flowvision.image.picture import Bgr, Floats, Screenshot
from flowvision.puzzle.layout import Board
from flowvision.render.look import SEEN_DOT
from flowvision.render.overlay import draw_solution
from flowvision.solvers import CnfEvidence, GaveUp, Outcome, Solved, Unsolvable
from flowvision.vision.assembly import Reading
from flowvision.vision.board import BoardEvidence, BoardRegion
from flowvision.vision.crossings.crossings import Crossings
from flowvision.vision.dots.detection import Dots, Pairing
from flowvision.vision.grid.spacing import GridEvidence
from flowvision.vision.header import Header
from flowvision.vision.kinds.fit import BoardGeometry, Fit
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.pixels.lines import AXES, hough_lines, line_width_px, thin_lines
from flowvision.vision.pixels.view import Channel
from flowvision.vision.settings import DOTS, GRID, PAIRING
from flowvision.words import count_of

WHOLE_PX = 1600
"""Longer side of a picture of the whole input: its letters can be read."""
RIM_PX, BAR_PX = 90, 82
"""Width of the rim that holds the bars of a profile, and length of the longest bar."""
RINGS = range(20, 121, 20)
"""Distances from grey in the colour space Lab at which the chart of colours has rings."""
CHART_MARGIN_PX = 90
"""Margin round the dots of that chart."""
LABEL_PX = (75, 26)
"""Width and height of a label in that chart."""
PROOFS = {
    True: "With that solution forbidden, the clauses contradict each other: there is no other.",
    False: "With that solution forbidden, another one was found.",
    None: "Time ran out before another one was found or ruled out.",
}
AXIS_COLOURS: tuple[Colour, Colour] = (YELLOW, BLUE)
"""Vertical lines, horizontal lines."""
SOBEL = (
    ("02-sobel-x.png", "Sobel-X", "vertical", "top"),
    ("02b-sobel-y.png", "Sobel-Y", "horizontal", "left"),
)
"""By axis: file and title of the picture of its lines, their name, and the side of their profile."""


@panels_of.register
def input_panels(shot: Screenshot, scene: Scene) -> list[Panel]:
    """Draw the whole picture."""
    height, width = shot.bgr.shape[:2]
    canvas = Canvas(shot.bgr, side_px=min(WHOLE_PX, max(height, width)))
    caption = f"The picture as given: {width} × {height} pixels."
    return [Panel("00-input.png", "Input", caption, canvas.bgr)]


def channel_name(channel: Channel) -> str:
    """Return the name of the channel whose lines were searched."""
    return "the negative" if channel == "negative" else f"the {channel} channel"


@panels_of.register(BoardRegion)
@panels_of.register(BoardEvidence)
def board_panels(result: BoardRegion | BoardEvidence, scene: Scene) -> list[Panel]:
    """Draw thin lines, the contours round them, and the part that was searched, if there is one."""
    searched: list[Floats] = []
    if isinstance(result, BoardRegion):
        evidence, searched = result.evidence, [result.corners_px]
        contours = count_of(len(evidence.groups), "contour")
        channel = channel_name(result.view.channel)
        caption = (
            f"Thin lines in yellow; {contours} large enough for a board in blue, the part that was searched "
            f"in green: {result.score:.0%} of the best part's line pixels, {channel}."
        )
    else:
        evidence = result
        caption = "Thin lines in yellow: no contour round a group of them is large enough for a board."
    outlines = [*evidence.groups, *searched]
    box = box_round(np.concatenate(outlines), margin=0.2) if outlines else None
    canvas = Canvas(scene.shot.bgr, box, dim=0.6)
    canvas.tint(evidence.lines, evidence.to_picture, YELLOW)
    for group in evidence.groups:
        canvas.line(group, BLUE, width=3, closed=True)
    for corners in searched:
        canvas.line(corners, GREEN, width=5, closed=True)
    return [Panel("01-board.png", "Contours and crop", caption, canvas.bgr)]


@panels_of.register
def title_panels(header: Header, scene: Scene) -> list[Panel]:
    """Draw the text above the board."""
    size = "the size {1}x{0}".format(*header.size) if header.size else "no size"
    flows = count_of(header.flows, "flow") if header.flows else "no number of flows"
    canvas = Canvas(scene.shot.bgr, np.array(header.box_px, np.float64))
    return [Panel("01b-title.png", "Title", f"The text above the board: {size}, {flows}.", canvas.bgr)]


@panels_of.register
def lattice_panels(fit: GridFit, scene: Scene) -> list[Panel]:
    """Draw the lines of both axes, and the lattice that fits them."""
    canvas = _cells_of(fit, scene)
    vertical, horizontal = _draw_hough(canvas, fit.evidence)
    lines = f"{vertical} vertical lines (yellow), {horizontal} horizontal ones (blue)"
    pitch_px, error_px = f"{fit.pitch_px:.1f} px", f"{fit.residual_px:.2f} px"
    caption = f"Hough: {lines}; {fit.size_text()} of {pitch_px} (green), with a mean error of {error_px}."
    panel = Panel("03-grid.png", "Hough lines and lattice", caption, canvas.bgr)
    return [*_sobel_panels(fit.evidence, scene), panel]


@panels_of.register
def no_lattice_panels(evidence: GridEvidence, scene: Scene) -> list[Panel]:
    """Draw the lines of both axes where no lattice fits them."""
    canvas = scene.canvas()
    vertical, horizontal = _draw_hough(canvas, evidence)
    caption = (
        f"Lines by the Hough transform, also slanted ones: {vertical} nearer to vertical (yellow) and "
        f"{horizontal} nearer to horizontal (blue); none of them frame cells at even distances."
    )
    return [*_sobel_panels(evidence, scene), Panel("03-grid.png", "No lattice", caption, canvas.bgr)]


def _sobel_panels(evidence: GridEvidence, scene: Scene) -> list[Panel]:
    """Draw the lines of each axis, with the profile that the lattice is fitted to."""
    view, panels = evidence.view, []
    width_px = line_width_px(view)
    for axis, (file, title, lines, rim) in zip(AXES, SOBEL, strict=True):
        signed_response, _threshold = thin_lines(view, axis)
        response = np.clip(signed_response, 0, None).astype(np.float32)  # negative on dark lines
        strongest = float(np.percentile(response[::2, ::2], 99.5))  # one pixel may be an outlier
        strength = np.clip(response / max(1.0, strongest), 0, 1)
        # Thin lines are widened and lifted: the page shows the picture at a third of its width.
        widened = cv2.dilate(np.sqrt(strength), np.ones((3, 3), np.uint8))
        coloured = widened[..., None] * np.array(AXIS_COLOURS[axis])
        picture = Canvas(coloured.astype(np.uint8)).bgr
        sheet = _with_profile(picture, evidence.axes[axis].profile, axis)
        caption = (
            f"Where brightness rises and falls again within {width_px} pixels: {lines} lines. The bars along "
            f"the {rim} show how much of a line there is at each position."
        )
        panels.append(Panel(file, f"{title}: {lines} lines", caption, sheet))
    return panels


def _with_profile(bgr: Bgr, profile: Floats, axis: int) -> Bgr:
    """Return the picture with the profile (N,) of an axis as bars above it (0) or to its left (1)."""
    row = profile.astype(np.float32).reshape(1, -1)
    bars = cv2.resize(row, (bgr.shape[1 - axis], 1)).ravel()
    heights = np.round(bars / max(float(bars.max()), 1e-6) * BAR_PX)
    is_bar = np.arange(RIM_PX)[::-1, None] < heights  # (RIM_PX, side of the picture)
    rim = np.full((*is_bar.shape, 3), PAPER, np.uint8)
    rim[is_bar] = AXIS_COLOURS[axis]
    if axis == 0:
        return np.vstack((rim, bgr))
    return np.hstack((rim.swapaxes(0, 1), bgr))


def _draw_hough(canvas: Canvas, evidence: GridEvidence) -> list[int]:
    """Draw the lines of both axes; return how many there are: vertical, horizontal."""
    view, counts = evidence.view, []
    for axis, axis_evidence, spacings in zip(AXES, evidence.axes, evidence.spacings, strict=True):
        pitch = min((spacing.pitch for spacing in spacings), default=20.0)
        lines = hough_lines(axis_evidence.mask, axis, GRID.tilt_small)
        merged = _merged(lines[:60], pitch)  # more would hide the board
        length = view.size[1 - axis]
        for position, tilt in merged:
            lean = np.tan(tilt) * length / 2
            ends = np.array(((position - lean, 0.0), (position + lean, length)))
            if axis == 1:
                ends = ends[:, ::-1]
            (ends_px,) = cv2.perspectiveTransform(ends[None], view.to_picture)
            canvas.line(ends_px, AXIS_COLOURS[axis], width=2)
        counts.append(len(merged))
    return counts


def _merged(lines: Floats, pitch: float) -> list[tuple[float, float]]:
    """Return the strongest line at each position, by position: pairs like ``lines`` (N, 2), with its tilt."""
    min_distance_px = max(3.0, 0.12 * pitch)  # both edges of a line are found, and its slants
    strongest: list[tuple[float, float]] = []
    for position, tilt in lines.tolist():
        if all(abs(position - other) > min_distance_px for other, _ in strongest):
            strongest.append((position, tilt))
    return sorted(strongest)


@panels_of.register
def cells_panels(fit: Fit, scene: Scene) -> list[Panel]:
    """Draw the cells of a board that has no rows and columns of squares."""
    canvas = _cells_of(fit, scene)
    caption = f"{fit.size_text()}, {fit.pitch_px:.1f} px wide."
    return [Panel("03-grid.png", "Cells", caption, canvas.bgr)]


def _cells_of(fit: Fit, scene: Scene) -> Canvas:
    """Return a canvas with the cells of a fit."""
    canvas = scene.canvas(box_round(fit.outline_px()))
    canvas.cells(fit.cut_board().board, fit.frame, GREEN)
    return canvas


@panels_of.register
def sides_panels(geometry: BoardGeometry, scene: Scene) -> list[Panel]:
    """Draw cells with their open sides and walls."""
    layout, frame = geometry.board.layout, geometry.fit.frame
    canvas = scene.canvas(board_box(geometry.board, frame))
    canvas.cells(geometry.board, frame, GREY)
    for strokes in layout.strokes:
        for stroke in strokes:
            canvas.line(frame.to_px(stroke), GREEN, width=3)
    walls = [side for side in geometry.sides if not side.is_open]
    for side in walls:
        canvas.circle(frame.to_px(side.middle), 0.13 * geometry.fit.pitch_px, RED, cv2.FILLED)
    caption = f"{len(layout.cells)} cells; open sides in green, {len(walls)} walls in red."
    if geometry.board.lattice is None:
        caption += " `--set` takes the numbers of the cells."
        for number, cell in enumerate(layout.cells, 1):
            canvas.text(str(number), frame.to_px(cell.centre), WHITE, size=0.9)
    return [Panel("03b-sides.png", "Cells and sides", caption, canvas.bgr)]


@panels_of.register
def dots_panels(dots: Dots, scene: Scene) -> list[Panel]:
    """Draw the dots, the rings that were sampled, and cells that nearly hold a dot."""
    geometry, ring = dots.geometry, dots.hypothesis.model.ring
    layout, frame = geometry.board.layout, geometry.fit.frame
    canvas = scene.canvas(board_box(geometry.board, frame))
    dotted_cells = {dot.cell for dot in dots.dots}
    near_misses = set(near_misses_of(dots))
    ring_px = ring * frame.cell_width_px(layout.cells[0].centre)
    for cell, middle in enumerate(frame.to_px(layout.centres)):
        if cell in near_misses:
            canvas.circle(middle, ring_px, YELLOW, width=2)
            canvas.text(f"{dots.cover[cell]:.2f}", middle, YELLOW, size=0.6)
        elif cell not in dotted_cells:
            canvas.circle(middle, ring_px, GREY, width=1)
    lone_dots = {group.dots[0] for group in colour_groups(dots) if len(group) == 1}
    for number, dot in enumerate(dots.dots):
        colour, width = (RED, 4) if number in lone_dots else (WHITE, 2)
        canvas.circle(dot.centre_px, dots.usual_radius_px, dot.rgb.bgr, cv2.FILLED)
        canvas.circle(dot.centre_px, ring_px, colour, width)
        canvas.text(str(number + 1), dot.centre_px, WHITE, size=0.9)
    caption = (
        f"{len(dots.dots)} dots in the colours that were read, with the ring that was sampled "
        f"({ring:.3g} of a cell in radius); grey rings are empty cells."
    )
    if lone_dots:
        caption += " Red rings: no other dot has that colour."
    if near_misses:
        caption += (
            " Yellow: not quite a dot; the number is the share of the ring that it covers, "
            f"{DOTS.cover_min:g} is needed."
        )
    return [Panel("04-dots.png", "Dots", caption, canvas.bgr)]


@panels_of.register
def pairs_panels(pairing: Pairing, scene: Scene) -> list[Panel]:
    """Draw partners joined, on the board and in the plane of their colours."""
    if pairing.margin >= 0:
        nearer = f"Partners are nearer to each other than to others, by at least {pairing.margin:.1f} in Lab"
    else:
        nearer = (
            f"A dot is nearer to one of another pair than to its partner, by {-pairing.margin:.1f} in Lab"
        )
    clusters, needed = f"{len(pairing.pairs)} clusters of two dots", f"{PAIRING.margin:g} is needed"
    caption = (
        f"{clusters}: green to red across (a of the colour space Lab), blue to yellow upwards (b), numbered "
        f"as the dots; grey rings are {RINGS[0]} apart. {nearer} (the margin); {needed}."
    )
    return [Panel("05-clusters.png", "k-means clusters of colours", caption, _lab_chart(pairing))]


def _lab_chart(pairing: Pairing) -> Bgr:
    """Return a chart: dots as discs at their colours a and b of Lab, partners joined by a line."""
    colours = np.array([dot.lab for dot in pairing.dots.dots])
    plane = colours[:, 1:] * (1, -1)  # (dots, 2): a to the right, b upwards
    lowest, highest = plane.min(axis=0), plane.max(axis=0)
    extent = max(float(RINGS[0]), float((highest - lowest).max()))
    unit_px = (SIDE_PX - 2 * CHART_MARGIN_PX) / extent  # of a step in Lab
    grey_px = SIDE_PX / 2 - (lowest + highest) / 2 * unit_px
    places = (plane * unit_px + grey_px).round().astype(int).tolist()
    middle = grey_px.round().astype(int).tolist()
    chart = np.full((SIDE_PX, SIDE_PX, 3), PAPER, np.uint8)
    for ring in RINGS:
        cv2.circle(chart, middle, round(ring * unit_px), DARK, 1, cv2.LINE_AA)
    label_places: list[tuple[int, int]] = []
    for (first, second), colour in zip(pairing.pairs, pairing.palette, strict=True):
        ends = places[first], places[second]
        cv2.line(chart, *ends, WHITE, 2, cv2.LINE_AA)
        for end in ends:
            cv2.circle(chart, end, 15, WHITE, cv2.FILLED, cv2.LINE_AA)
            cv2.circle(chart, end, 12, colour.bgr, cv2.FILLED, cv2.LINE_AA)
        x, y = _free_place(max(ends), label_places)
        label_places.append((x, y))
        label = f"{first + 1}, {second + 1}"
        write(chart, label, (x + 22, y + 9), WHITE, size=0.85)
    write(chart, f"margin {pairing.margin:.1f}", (16, 34), WHITE, size=0.85)
    return chart


def _free_place(point: tuple[int, int], label_places: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the first place below a point of the chart at which a label covers no other."""
    x, y = point
    width, height = LABEL_PX
    beside = [other_y for other_x, other_y in label_places if abs(x - other_x) < width]
    while any(abs(y - other) < height for other in beside):
        y += height + 1
    return x, y


@panels_of.register
def crossings_panels(crossings: Crossings, scene: Scene) -> list[Panel]:
    """Draw bridges and warps."""
    board, geometry = crossings.board, crossings.pairing.dots.geometry
    frame = geometry.fit.frame
    canvas = scene.canvas(board_box(geometry.board, frame))
    cell_at = dict(zip(board.lattice.places if board.lattice else (), board.layout.cells, strict=False))
    for place in crossings.bridges:
        canvas.line(frame.to_px(cell_at[place].outline), YELLOW, width=4, closed=True)
        canvas.text("bridge", frame.to_px(cell_at[place].centre), YELLOW, size=0.5)
    for edge, strokes in enumerate(board.layout.strokes):
        for stub in strokes if board.layout.is_warp(edge) else ():
            canvas.line(frame.to_px(stub), GREEN, width=5)
    caption = (
        f"{len(crossings.bridges)} bridges (yellow): cells with thin marks inside, or crossed by pipes of "
        f"two flows. {len(crossings.warps)} warps (green): rows and columns open at both ends."
    )
    return [Panel("05b-crossings.png", "Bridges and warps", caption, canvas.bgr)]


@panels_of.register
def solved_panels(outcome: Solved, scene: Scene) -> list[Panel]:
    """Draw the formula and the solution."""
    reading, solved = scene.reading, scene.solved
    if solved is None:
        shot = scene.shot.bgr
        solved = draw_solution(shot, reading.board, outcome.solution, reading.frame, reading.palette)
    caption = f"Found and checked in {outcome.seconds * 1000:.1f} ms. {PROOFS[outcome.unique]}"
    canvas = Canvas(solved, side_px=min(WHOLE_PX, max(solved.shape[:2])))
    return [
        *_cnf(outcome, reading, scene),
        Panel("07-solution.png", "Solution and proof", caption, canvas.bgr),
    ]


@panels_of.register
def refused_panels(reading: Reading, scene: Scene) -> list[Panel]:
    """Draw a refused board beside the picture."""
    return [_refuted(reading, scene, "Refused: the board as read, beside the picture")]


@panels_of.register(Unsolvable)
@panels_of.register(GaveUp)
def unsolved_panels(outcome: Unsolvable | GaveUp, scene: Scene) -> list[Panel]:
    """Draw the formula, and the unsolved board beside the picture."""
    words = "No solution" if isinstance(outcome, Unsolvable) else "No answer in time"
    return [*_cnf(outcome, scene.reading, scene), _refuted(scene.reading, scene, words)]


def _cnf(outcome: Outcome, reading: Reading, scene: Scene) -> list[Panel]:
    """Draw the sides of the board as the variables of the formula, those of the solution thick.

    Without evidence of the solver there is no panel.
    """
    evidence = outcome.evidence
    if evidence is None:
        return []
    board, frame = reading.board, reading.frame
    canvas = Canvas(np.zeros_like(scene.shot.bgr), board_box(board, frame))
    colour_of: dict[int, Colour] = {}
    if isinstance(outcome, Solved):
        for path, colour in zip(outcome.solution.paths, reading.palette, strict=True):
            colour_of |= dict.fromkeys(path.edges, colour.bgr)
    for edge, strokes in enumerate(board.layout.strokes):
        width = 12 if edge in colour_of else 2
        for stroke in strokes:
            canvas.line(frame.to_px(stroke), colour_of.get(edge, GREY), width)
    for cell in board.layout.cells:
        radius_px = 0.05 * frame.cell_width_px(cell.centre)
        canvas.circle(frame.to_px(cell.centre), radius_px, WHITE, cv2.FILLED)
    caption = _formula_caption(evidence, board, outcome.seconds, isinstance(outcome, Solved))
    return [Panel("06-cnf.png", "CNF", caption, canvas.bgr)]


def _formula_caption(evidence: CnfEvidence, board: Board, seconds: float, is_solved: bool) -> str:
    """Return the numbers of variables and clauses, and the solver's effort, in words."""
    sides, ways = len(board.graph.edges), board.graph.size
    # A variable for each side, one for the rule, the others for the binary digits of colours.
    digits = count_of((evidence.variables - sides - 1) // ways, "binary digit")
    thick = " (thick and coloured)" if is_solved else ""
    twice = ", a bridge counted twice" if ways > len(board.layout.cells) else ""
    variables = (
        f"{evidence.variables:,} variables: {sides:,} lines, each true if a path crosses that side{thick}; "
        f"not drawn, {digits} of the colour in each of {ways:,} cells{twice}, and a switch for the rule that "
        "no path touches itself."
    )
    effort = f"{evidence.conflicts:,} conflicts, {evidence.decisions:,} decisions, {seconds * 1000:.1f} ms"
    forbidden = (
        f"{evidence.loops_cut} loops without a dot and {evidence.touches_cut} paths that touch themselves"
    )
    return f"{variables} {evidence.clauses:,} clauses for Minisat; {effort}; {forbidden} were ruled out."


def _refuted(reading: Reading, scene: Scene, words: str) -> Panel:
    """Draw the picture beside the board as it was read."""
    layout, box = reading.board.layout, board_box(reading.board, reading.frame)
    picture = Canvas(scene.shot.bgr, box)
    drawn = Canvas(np.zeros_like(scene.shot.bgr), box)
    drawn.cells(reading.board, reading.frame, GREY)
    for pair, colour in zip(reading.puzzle.terminals, reading.palette, strict=True):
        for strand in pair:
            centre = layout.cell_at(strand).centre
            radius_px = SEEN_DOT * reading.frame.cell_width_px(centre)
            drawn.circle(reading.frame.to_px(centre), radius_px, colour.bgr, cv2.FILLED)
    flows = len(reading.puzzle.terminals)
    caption = (
        f"Left: the picture. Right: the board as read, {len(layout.cells)} cells and {flows} pairs of dots."
    )
    return Panel("07-solution.png", words, caption, np.hstack((picture.bgr, drawn.bgr)))
