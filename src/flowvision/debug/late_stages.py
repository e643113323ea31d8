"""Results of the later stages as pictures: dots, which belong together, bridges and warps."""

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
    Panel,
    Scene,
    bgr_of,
    board_box,
    panels_of,
    write,
)
from flowvision.diagnosis.covered import covered_cells
from flowvision.diagnosis.discs import colour_groups
from flowvision.diagnosis.seen import near_misses
from flowvision.image.picture import Bgr, Floats
from flowvision.vision.crossings.crossings import Crossings
from flowvision.vision.dots.detection import Dots, Pairing

CHART_GROUND = 24
MARGIN_PX = 90
"""Round the chart of colours: room for labels."""


@panels_of.register
def _(marks: Dots, scene: Scene) -> list[Panel]:
    sides = scene.sides
    layout, frame = sides.board.layout, sides.fit.frame
    middles = frame.to_px([cell.centre for cell in layout.cells])
    canvas = Canvas(scene.shot.bgr, board_box(sides.board, sides.fit.frame), 0.45)
    held, covered = {dot.cell for dot in marks.dots}, covered_cells(sides, marks, scene.settings).cells
    ring = scene.trail.model.ring if scene.trail.model else 0.0
    narrow_px, near = frame.narrow_px(layout.cells[0].centre), set(near_misses(marks, scene.settings))
    for cell, middle in enumerate(middles):
        colour, width = (YELLOW, 2) if cell in near else (GREY, 1)
        if cell in covered:
            for arm in 0.3 * narrow_px * np.array(((1, 1), (1, -1))):
                canvas.line(np.stack((middle - arm, middle + arm)), RED, 4)
        elif cell not in held:
            canvas.circle(middle, ring * narrow_px, colour, width)
        if cell in near:
            canvas.text(f"{marks.evidence.cover[cell]:.2f}", middle, YELLOW, 0.6)
    lone = {group.dots[0] for group in colour_groups(marks) if len(group) == 1}
    for number, dot in enumerate(marks.dots):
        canvas.circle(dot.centre_px, marks.usual_radius_px, bgr_of(dot.rgb), -1)
        colour, width = (RED, 4) if number in lone else (WHITE, 2)
        canvas.circle(dot.centre_px, ring * narrow_px, colour, width)
        canvas.text(str(number + 1), dot.centre_px, WHITE, 0.9)
    caption = (
        f"{len(marks.dots)} dots, each in the colour it was read in, with the ring that was sampled "
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
    marks, sides = scene.dots, scene.sides
    canvas = Canvas(scene.shot.bgr, board_box(sides.board, sides.fit.frame), 0.35)
    for (a, b), colour in zip(pairing.pairs, pairing.palette, strict=True):
        ends = [marks.dots[a], marks.dots[b]]
        canvas.line([dot.centre_px for dot in ends], WHITE, 5)
        canvas.line([dot.centre_px for dot in ends], bgr_of(colour), 3)
    for number, dot in enumerate(marks.dots):
        canvas.circle(dot.centre_px, marks.usual_radius_px, bgr_of(dot.rgb), -1)
        canvas.circle(dot.centre_px, marks.usual_radius_px, WHITE, 2)
        canvas.text(str(number + 1), dot.centre_px, WHITE, 0.9)
    chart = _lab_chart(marks, pairing)
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


def _lab_chart(marks: Dots, pairing: Pairing) -> Bgr:
    """The dots on the Lab colour plane, as large as they spread; labels beside one another."""
    chart = np.full((SIDE_PX, SIDE_PX, 3), CHART_GROUND, np.uint8)
    plane = np.array([(a, -b) for _, a, b in (dot.lab for dot in marks.dots)])
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
    board, frame = crossings.board, scene.sides.fit.frame
    canvas = Canvas(scene.shot.bgr, board_box(scene.sides.board, frame), 0.45)
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
