"""Results of the later stages as pictures: dots and their pairs, bridges and warps, the answer."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.debug.canvas import (
    GREEN,
    GREY,
    RED,
    SIDE_PX,
    WHITE,
    YELLOW,
    Canvas,
    Colour,
    Panel,
    Scene,
    banner,
    bgr_of,
    board_box,
    panels_of,
    write,
)
from flowvision.debug.early_stages import PAPER, WHOLE_PX
from flowvision.diagnosis.cells import colour_groups, covered_cells
from flowvision.diagnosis.seen import near_misses
from flowvision.image.picture import Bgr, Floats
from flowvision.render.look import SEEN_DOT
from flowvision.render.overlay import draw_solution
from flowvision.solvers import GaveUp, Outcome, Solved, Unsolvable, has_one_strict_solution
from flowvision.solvers.base import CnfEvidence
from flowvision.vision.assembly import Reading
from flowvision.vision.crossings.crossings import Crossings
from flowvision.vision.dots.detection import Dots, Pairing

MARGIN_PX = 90
"""Round the chart of colours: room for labels."""


@panels_of.register
def _(dots: Dots, scene: Scene) -> list[Panel]:
    geometry, ring = dots.geometry, dots.hypothesis.model.ring
    layout, frame = geometry.board.layout, geometry.fit.frame
    middles = frame.to_px(layout.centres)
    canvas = scene.canvas(board_box(geometry.board, frame))
    held, covered = {dot.cell for dot in dots.dots}, covered_cells(geometry, dots, scene.settings).cells
    cell_width_px, near = frame.cell_width_px(layout.cells[0].centre), set(near_misses(dots, scene.settings))
    for cell, middle in enumerate(middles):
        colour, width = (YELLOW, 2) if cell in near else (GREY, 1)
        if cell in covered:
            for arm in 0.3 * cell_width_px * np.array(((1, 1), (1, -1))):
                canvas.line(np.stack((middle - arm, middle + arm)), RED, 4)
        elif cell not in held:
            canvas.circle(middle, ring * cell_width_px, colour, width)
        if cell in near:
            canvas.text(f"{dots.evidence.cover[cell]:.2f}", middle, YELLOW, 0.6)
    lone = {group.dots[0] for group in colour_groups(dots) if len(group) == 1}
    for number, dot in enumerate(dots.dots):
        canvas.circle(dot.centre_px, dots.usual_radius_px, bgr_of(dot.rgb), -1)
        colour, width = (RED, 4) if number in lone else (WHITE, 2)
        canvas.circle(dot.centre_px, ring * cell_width_px, colour, width)
        canvas.text(str(number + 1), dot.centre_px, WHITE, 0.9)
    caption = (
        f"{len(dots.dots)} dots, each in the colour it was read in, with the ring that was sampled "
        f"({ring:.3g} of a cell in radius); grey rings are cells that were found empty."
    )
    if lone:
        caption += " Red rings: no other dot has that colour."
    if covered:
        caption += f" Red crosses: {len(covered)} cells that something covers."
    if near:
        caption += (
            " Yellow: what stands out, but is no dot; the number is how much of the ring it covers, "
            f"{scene.settings.dots.cover:g} wanted."
        )
    return [Panel("04-dots.png", "Dots", caption, canvas.bgr)]


@panels_of.register
def _(pairing: Pairing, scene: Scene) -> list[Panel]:
    dots, geometry = pairing.dots, pairing.dots.geometry
    canvas = Canvas(scene.shot.bgr, board_box(geometry.board, geometry.fit.frame), 0.35)
    for (a, b), colour in zip(pairing.pairs, pairing.palette, strict=True):
        ends = [dots.dots[a], dots.dots[b]]
        canvas.line([dot.centre_px for dot in ends], WHITE, 5)
        canvas.line([dot.centre_px for dot in ends], bgr_of(colour), 3)
    for number, dot in enumerate(dots.dots):
        canvas.circle(dot.centre_px, dots.usual_radius_px, bgr_of(dot.rgb), -1)
        canvas.circle(dot.centre_px, dots.usual_radius_px, WHITE, 2)
        canvas.text(str(number + 1), dot.centre_px, WHITE, 0.9)
    chart = _lab_chart(dots, pairing)
    how = "provably the k-means optimum" if pairing.certified else "found by k-means and matching"
    nearer = (
        f"Partners are at least {pairing.margin:.1f} nearer to each other than to others"
        if pairing.margin >= 0
        else f"A dot is {-pairing.margin:.1f} nearer to one of another pair than to its partner"
    )
    caption = (
        f"{len(pairing.pairs)} clusters of two dots, {how}: green to red across (a of the colour space Lab), "
        f"blue to yellow upwards (b); the numbers are those on the board. {nearer} (the margin); "
        f"{scene.settings.pairing.margin:g} is wanted."
    )
    return [
        Panel("05-clusters.png", "k-means clusters of colours", caption, chart),
        Panel("05-dots.png", "The same dots on the board", "Partners are joined.", canvas.bgr),
    ]


def _lab_chart(dots: Dots, pairing: Pairing) -> Bgr:
    """The dots on the Lab colour plane, as large as they spread; labels beside one another."""
    chart = np.full((SIDE_PX, SIDE_PX, 3), PAPER, np.uint8)
    plane = np.array([(a, -b) for _, a, b in (dot.lab for dot in dots.dots)])
    low, high = plane.min(axis=0), plane.max(axis=0)
    unit = (SIDE_PX - 2 * MARGIN_PX) / max(20.0, float((high - low).max()))
    points = (plane - (low + high) / 2) * unit + SIDE_PX / 2
    centre = -(low + high) / 2 * unit + SIDE_PX / 2
    for ring in (20, 40, 60, 80, 100, 120):
        cv2.circle(chart, _place(centre), round(ring * unit), (60, 60, 60), 1, cv2.LINE_AA)
    for (first, second), colour in zip(pairing.pairs, pairing.palette, strict=True):
        cv2.line(chart, _place(points[first]), _place(points[second]), WHITE, 2, cv2.LINE_AA)
        for number in (first, second):
            cv2.circle(chart, _place(points[number]), 15, WHITE, -1, cv2.LINE_AA)
            cv2.circle(chart, _place(points[number]), 12, bgr_of(colour), -1, cv2.LINE_AA)
    taken: list[tuple[float, float]] = []
    for pair in pairing.pairs:
        labels = [(str(number + 1), points[number]) for number in pair]
        if np.linalg.norm(points[pair[0]] - points[pair[1]]) < 60:
            labels = [(f"{pair[0] + 1}, {pair[1] + 1}", points[list(pair)].mean(axis=0))]
        for words, at in labels:
            x, y = float(at[0]) + 22, float(at[1]) + 9
            while any(abs(x - other) < 75 and abs(y - height) < 26 for other, height in taken):
                y += 27
            taken.append((x, y))
            write(chart, words, (x, y), WHITE, 0.85)
    write(chart, f"margin {pairing.margin:.1f}", (16, 34), WHITE, 0.85)
    return chart


def _place(point: Floats) -> tuple[int, int]:
    """A point in whole pixels."""
    return round(float(point[0])), round(float(point[1]))


@panels_of.register
def _(crossings: Crossings, scene: Scene) -> list[Panel]:
    board, geometry = crossings.board, crossings.pairing.dots.geometry
    frame = geometry.fit.frame
    canvas = scene.canvas(board_box(geometry.board, frame))
    at = dict(zip(board.lattice.places if board.lattice else (), board.layout.cells, strict=False))
    for place in crossings.bridges:
        canvas.line(frame.to_px(at[place].outline), YELLOW, 4, closed=True)
        canvas.text("bridge", frame.to_px(at[place].centre), YELLOW, 0.5)
    for strokes in board.layout.strokes:
        for stub in strokes if len(strokes) > 1 else ():
            canvas.line(frame.to_px(stub), GREEN, 5)
    caption = (
        f"{len(crossings.bridges)} bridges (yellow): cells with thin marks inside, or crossed by pipes of "
        f"two flows. {len(crossings.warps)} warps (green): rows and columns open at both ends."
    )
    return [Panel("05b-crossings.png", "Bridges and warps", caption, canvas.bgr)]


UNIQUE = {True: "the only one", False: "not the only one", None: "perhaps not the only one"}
RULES = {"strict": " in which no path touches itself", "free": "; a path may touch itself"}
BAR_PX = 340
"""The longest bar of clauses."""


@panels_of.register
def _(outcome: Solved, scene: Scene) -> list[Panel]:
    reading = scene.reading
    drawn = draw_solution(scene.shot.bgr, reading.board, outcome.solution, reading.frame, reading.palette)
    canvas = Canvas(drawn, board_box(reading.board, reading.frame))
    words = f"Solution: {UNIQUE[outcome.unique]}{RULES[outcome.rules]}"
    proof = {
        True: " With that solution forbidden the clauses contradict each other: there is no other.",
        False: " With that solution forbidden another one was found.",
        None: " The time was up before another one was found or ruled out.",
    }[outcome.unique]
    caption = f"{words}, found and checked in {outcome.seconds * 1000:.1f} ms.{proof}"
    colour = GREEN if has_one_strict_solution(outcome) else RED
    sheet = banner(canvas.bgr, words, colour)
    solved = drawn if scene.solved is None else scene.solved
    overlay = Canvas(solved, side_px=min(WHOLE_PX, max(solved.shape[:2])))
    return [
        *_cnf(outcome, reading, scene),
        Panel("07-solution.png", "Solution and proof", caption, sheet),
        Panel("08-overlay.png", "Overlay", "The solution drawn over the picture.", overlay.bgr),
    ]


@panels_of.register
def _(reading: Reading, scene: Scene) -> list[Panel]:
    return [_refuted(reading, scene, "Refused: what was read, beside the picture")]


@panels_of.register(Unsolvable)
@panels_of.register(GaveUp)
def _(outcome: Unsolvable | GaveUp, scene: Scene) -> list[Panel]:
    words = "No solution" if isinstance(outcome, Unsolvable) else "No answer in time"
    return [*_cnf(outcome, scene.reading, scene), _refuted(scene.reading, scene, words)]


def cnf_words(evidence: CnfEvidence, outcome: Outcome) -> str:
    """The size of the formula and the effort of its search, in a sentence."""
    variables, clauses = (sum(n for _, n in kinds) for kinds in (evidence.variables, evidence.clauses))
    return (
        f"{variables:,} variables and {clauses:,} clauses for {evidence.solver}; {evidence.conflicts:,} "
        f"conflicts, {evidence.decisions:,} decisions, {outcome.seconds * 1000:.1f} ms; {evidence.loops_cut} "
        f"loops without a dot and {evidence.touches_cut} paths beside themselves were cut off on the way."
    )


def _cnf(outcome: Outcome, reading: Reading, scene: Scene) -> list[Panel]:
    """The variables where they lie on the board, and the clauses by rule."""
    evidence = outcome.evidence
    if evidence is None:
        return []
    board, frame = reading.board, reading.frame
    canvas = Canvas(np.zeros_like(scene.shot.bgr), board_box(reading.board, reading.frame))
    colour_of: dict[int, Colour] = {}
    if isinstance(outcome, Solved):
        for path, colour in zip(outcome.solution.paths, reading.palette, strict=True):
            colour_of |= dict.fromkeys(path.edges, bgr_of(colour))
    for edge, strokes in enumerate(board.layout.strokes):
        for stroke in strokes:
            canvas.line(frame.to_px(stroke), colour_of.get(edge, GREY), 12 if edge in colour_of else 2)
    for cell in board.layout.cells:
        canvas.circle(frame.to_px(cell.centre), 0.05 * frame.cell_width_px(cell.centre), WHITE, -1)
    sheet = np.full((max(canvas.bgr.shape[0], 560), canvas.bgr.shape[1], 3), PAPER, np.uint8)
    sheet[: canvas.bgr.shape[0]] = canvas.bgr
    caption = (
        "Every line is a variable: whether a path crosses that side"
        f"{' (thick and coloured: true)' if colour_of else ''}. {cnf_words(evidence, outcome)}"
    )
    return [Panel("06-cnf.png", "CNF", caption, np.vstack((sheet, _bars(evidence, sheet.shape[1]))))]


def _bars(evidence: CnfEvidence, width: int) -> Bgr:
    """How many clauses each rule has, as bars."""
    rows = evidence.clauses
    sheet = np.full((30 + 74 * len(rows), width, 3), PAPER, np.uint8)
    most = max((count for _, count in rows), default=1) or 1
    for number, (name, count) in enumerate(rows):
        top = 20 + 74 * number
        write(sheet, f"{count:,} clauses: {name.replace('×', 'x')}", (14, top + 18), WHITE, 0.9)
        sheet[top + 30 : top + 50, 14 : 16 + round(count / most * min(BAR_PX, width - 30))] = YELLOW
    return sheet


def _refuted(reading: Reading, scene: Scene, words: str) -> Panel:
    """The puzzle as it was read, drawn cleanly beside the picture it was read from."""
    layout, box = reading.board.layout, board_box(reading.board, reading.frame)
    seen, drawn = Canvas(scene.shot.bgr, box), Canvas(np.zeros_like(scene.shot.bgr), box)
    for cell in layout.cells:
        drawn.line(reading.frame.to_px(cell.outline), GREY, 2, closed=True)
    for pair, colour in zip(reading.puzzle.terminals, reading.palette, strict=True):
        for strand in pair:
            centre = layout.cell_at(strand).centre
            radius_px = SEEN_DOT * reading.frame.cell_width_px(centre)
            drawn.circle(reading.frame.to_px(centre), radius_px, bgr_of(colour), -1)
    flows = len(reading.puzzle.terminals)
    caption = f"Left: the picture. Right: what was read, {len(layout.cells)} cells and {flows} pairs of dots."
    sheet = banner(np.hstack((seen.bgr, drawn.bgr)), words, RED)
    return Panel("07-solution.png", words, caption, sheet)
