"""Results of the later stages as pictures: dots, pairs, and the solution."""

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
    Floats,
    box_round,
    write,
)
from flowvision.debug.early_stages import banner, panels_of
from flowvision.debug.scene import Panel, Scene
from flowvision.image.picture import Bgr, Rgb
from flowvision.render.overlay import DOT, draw_solution
from flowvision.solvers import GaveUp, Solved, Unsolvable, has_one_strict_solution
from flowvision.vision.crossings.result import Crossings
from flowvision.vision.dots.result import Dots, Pairing
from flowvision.vision.reading import Reading
from flowvision.vision.walls.result import SideReading


@panels_of.register
def _(marks: Dots, scene: Scene) -> list[Panel]:
    sides = scene.sides
    layout, frame = sides.board.layout, sides.fit.frame
    middles = frame.to_px([cell.centre for cell in layout.cells])
    canvas = Canvas(scene.shot.bgr, _board_box(sides), 0.45)
    held = {dot.cell for dot in marks.dots}
    ring = scene.trail.model.ring if scene.trail.model else 0.0
    narrow_px = frame.narrow_px(layout.cells[0].centre)
    for cell, (x, y) in enumerate(middles.tolist()):
        if cell not in held:
            canvas.circle((x, y), ring * narrow_px, GREY, 1)
    for number, dot in enumerate(marks.dots):
        canvas.circle(dot.centre_px, dot.radius_px, _bgr(dot.rgb), -1)
        canvas.circle(dot.centre_px, dot.radius_px, WHITE, 2)
        canvas.text(str(number), dot.centre_px, WHITE, 0.9)
    odd = len(marks.dots) % 2
    caption = (
        f"{len(marks.dots)} dots{', an odd number' if odd else ''}, each in the colour it was read in; grey "
        "rings are where the other cells were looked at and found empty."
    )
    return [Panel("04-marks.png", "Dots", caption, canvas.bgr)]


@panels_of.register
def _(pairing: Pairing, scene: Scene) -> list[Panel]:
    marks, sides = scene.dots, scene.sides
    canvas = Canvas(scene.shot.bgr, _board_box(sides), 0.35)
    for (a, b), colour in zip(pairing.pairs, pairing.palette, strict=True):
        ends = [marks.dots[a], marks.dots[b]]
        canvas.line([dot.centre_px for dot in ends], WHITE, 5)
        canvas.line([dot.centre_px for dot in ends], _bgr(colour), 3)
        for dot in ends:
            canvas.circle(dot.centre_px, dot.radius_px, _bgr(colour), -1)
            canvas.circle(dot.centre_px, dot.radius_px, WHITE, 2)
    chart = _lab_chart(marks, pairing, canvas.bgr.shape[0])
    how = "provably the k-means optimum" if pairing.certified else "found by k-means and matching"
    caption = (
        f"{len(pairing.pairs)} pairs, {how}; on the right the dots by colour (Lab a across, b up). Margin "
        f"{pairing.margin:.1f}, at least {scene.settings.pairing.margin:g} wanted."
    )
    return [Panel("05-pairs.png", "Pairs by colour", caption, np.hstack((canvas.bgr, chart)))]


def _lab_chart(marks: Dots, pairing: Pairing, height: int) -> Bgr:
    """The dots on the Lab colour plane, partners joined."""
    chart = np.full((height, min(SIDE_PX, height), 3), 24, np.uint8)
    size = min(chart.shape[:2])
    middle, unit = np.array([chart.shape[1] / 2, height / 2]), size / 260

    def place(number: int) -> tuple[int, int]:
        _, a, b = marks.dots[number].lab
        x, y = middle + np.array([a, -b]) * unit
        return round(float(x)), round(float(y))

    for ring in (40, 80, 120):
        cv2.circle(chart, place_of(middle), round(ring * unit), (60, 60, 60), 1, cv2.LINE_AA)
    for (first, second), colour in zip(pairing.pairs, pairing.palette, strict=True):
        cv2.line(chart, place(first), place(second), WHITE, 2, cv2.LINE_AA)
        for number in (first, second):
            cv2.circle(chart, place(number), 11, WHITE, -1, cv2.LINE_AA)
            cv2.circle(chart, place(number), 9, _bgr(colour), -1, cv2.LINE_AA)
    for first, second in pairing.pairs:
        x, y = place(first)
        write(chart, f"{first} {second}", (x + 15, y + 6), WHITE, 0.5)
    write(chart, f"margin {pairing.margin:.1f}", (14, 28), WHITE, 0.6)
    return chart


def place_of(point: Floats) -> tuple[int, int]:
    """A point in whole pixels."""
    return round(float(point[0])), round(float(point[1]))


@panels_of.register
def _(crossings: Crossings, scene: Scene) -> list[Panel]:
    board, frame = crossings.board, scene.sides.fit.frame
    canvas = Canvas(scene.shot.bgr, _board_box(scene.sides), 0.45)
    at = {
        place: board.layout.cells[n] for n, place in enumerate(board.lattice.places if board.lattice else ())
    }
    for place in crossings.bridges:
        canvas.line(frame.to_px(at[place].outline), YELLOW, 4, closed=True)
        canvas.text("bridge", tuple(frame.to_px([at[place].centre])[0].tolist()), YELLOW, 0.5)
    for strokes in board.layout.strokes:
        for stub in strokes if len(strokes) > 1 else ():
            canvas.line(frame.to_px(stub), GREEN, 5)
    caption = (
        f"{len(crossings.bridges)} bridges (yellow): cells with thin marks inside, or crossed by pipes of "
        f"two flows. {len(crossings.warps)} warps (green): rows and columns open at both ends."
    )
    return [Panel("05b-crossings.png", "Bridges and warps", caption, canvas.bgr)]


@panels_of.register
def _(outcome: Solved, scene: Scene) -> list[Panel]:
    reading = scene.reading
    drawn = draw_solution(scene.shot.bgr, reading.board, outcome.solution, reading.frame, reading.palette)
    canvas = Canvas(drawn, _reading_box(reading))
    unique = {True: "the only one", False: "not the only one", None: "perhaps not the only one"}
    words = f"Solution: {unique[outcome.unique]} under {outcome.rules} rules"
    caption = f"{words}, found and checked in {outcome.seconds * 1000:.1f} ms."
    colour = GREEN if has_one_strict_solution(outcome) else RED
    return [Panel("06-solution.png", "Solution", caption, banner(canvas.bgr, words, colour))]


@panels_of.register
def _(reading: Reading, scene: Scene) -> list[Panel]:
    return [_refuted(reading, scene, "Refused: what was read, beside the picture")]


@panels_of.register(Unsolvable)
@panels_of.register(GaveUp)
def _(outcome: Unsolvable | GaveUp, scene: Scene) -> list[Panel]:
    words = "No solution" if isinstance(outcome, Unsolvable) else "No answer in time"
    return [_refuted(scene.reading, scene, words)]


def _refuted(reading: Reading, scene: Scene, words: str) -> Panel:
    """The puzzle as it was read, drawn cleanly beside the picture it was read from."""
    seen = Canvas(scene.shot.bgr, _reading_box(reading))
    drawn = Canvas(np.zeros_like(scene.shot.bgr), _reading_box(reading))
    for cell in reading.board.layout.cells:
        drawn.line(reading.frame.to_px(cell.outline), GREY, 2, closed=True)
    layout = reading.board.layout
    for pair, colour in zip(reading.puzzle.terminals, reading.palette, strict=True):
        for strand in pair:
            centre = layout.cells[layout.cell_of[strand]].centre
            x, y = reading.frame.to_px([centre])[0].tolist()
            drawn.circle((x, y), DOT * reading.frame.narrow_px(centre), _bgr(colour), -1)
    flows = len(reading.puzzle.terminals)
    caption = f"Left: the picture. Right: what was read, {len(layout.cells)} cells and {flows} pairs of dots."
    sheet = banner(np.hstack((seen.bgr, drawn.bgr)), words, RED)
    return Panel("06-solution.png", words, caption, sheet)


def _board_box(sides: SideReading) -> Floats:
    outlines = [sides.fit.frame.to_px(cell.outline) for cell in sides.board.layout.cells]
    return box_round(np.concatenate(outlines))


def _reading_box(reading: Reading) -> Floats:
    outlines = [reading.frame.to_px(cell.outline) for cell in reading.board.layout.cells]
    return box_round(np.concatenate(outlines))


def _bgr(colour: Rgb) -> Colour:
    return colour.blue, colour.green, colour.red
