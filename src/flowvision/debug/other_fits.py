"""Boards that are no lattices of squares as pictures, and the cells and sides of every board."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.debug.canvas import GREEN, GREY, RED, WHITE, YELLOW, Canvas, box_round
from flowvision.debug.panels import draw_lattice, grid_corners, panels_of
from flowvision.debug.scene import Panel, Scene
from flowvision.puzzle import boards
from flowvision.vision.pixels.sampling import view_frame
from flowvision.vision.special.fits import CellFit, CircleFit, HexagonFit
from flowvision.vision.walls.result import SideReading


@panels_of.register
def _(fit: HexagonFit, scene: Scene) -> list[Panel]:
    canvas = scene.canvas()
    rows, cols = fit.cells.shape
    board = boards.hexagonal(rows, cols)
    for cell, (r, c) in zip(board.layout.cells, board.lattice.places if board.lattice else (), strict=True):
        canvas.line(fit.frame.to_px(cell.outline), GREEN if fit.cells[r, c] else GREY, 2, closed=True)
    caption = (
        f"A lattice of hexagons {fit.pitch_px:.1f} px wide: {fit.count} of them are cells (green), "
        f"{fit.shown[fit.cells].mean():.0%} of their sides are seen."
    )
    return [Panel("03-grid.png", "Hexagons", caption, canvas.bgr)]


@panels_of.register
def _(fit: CircleFit, scene: Scene) -> list[Panel]:
    canvas = scene.canvas(points_px=grid_corners(fit))
    draw_lattice(canvas, fit.frame, fit.rows, fit.cols, GREEN)
    for x, y, radius in fit.circles.tolist():
        canvas.circle((x, y), radius, YELLOW)
    caption = (
        f"No lines, but {len(fit.circles)} circles of one size (yellow) on a lattice of {fit.rows} rows and "
        f"{fit.cols} columns of {fit.pitch_px:.1f} px, with a mean error of {fit.residual_px:.2f} px; every "
        "other cell shows a pipe."
    )
    return [Panel("03-grid.png", "Rows and columns", caption, canvas.bgr)]


@panels_of.register
def _(fit: CellFit, scene: Scene) -> list[Panel]:
    rng = np.random.default_rng(0)
    shades = rng.integers(70, 220, (int(fit.labels.max()) + 1, 3), dtype=np.uint8)
    shades[0] = 0
    regions = np.asarray(shades[fit.labels], dtype=np.uint8)
    canvas = Canvas(regions)
    canvas.bgr[:] = cv2.addWeighted(canvas.bgr, 0.6, Canvas(fit.view.bgr).bgr, 0.6, 0)
    frame = view_frame(fit.frame, fit.view)
    for contact in fit.contacts:
        ends = [fit.centres[contact.a], contact.middle, fit.centres[contact.b]]
        canvas.line(frame.to_px(ends), WHITE, 1)
    caption = f"{fit.cells} cells between thin lines, {len(fit.contacts)} sides in common (white)."
    if not fit.cells:
        caption = "The regions between thin lines: too few of them lie side by side."
    return [Panel("03-grid.png", "Cells of any shape", caption, canvas.bgr)]


@panels_of.register
def _(sides: SideReading, scene: Scene) -> list[Panel]:
    layout, frame = sides.board.layout, sides.fit.frame
    outlines = [frame.to_px(cell.outline) for cell in layout.cells]
    canvas = Canvas(scene.shot.bgr, box_round(np.concatenate(outlines)), 0.45)
    for outline in outlines:
        canvas.line(outline, GREY, 1, closed=True)
    for strokes in layout.strokes:
        for stroke in strokes:
            canvas.line(frame.to_px(stroke), GREEN, 1)
    walls = 0
    for side in sides.sides:
        if side.is_open:
            continue
        walls += 1
        at = tuple(frame.to_px([side.middle])[0].tolist())
        canvas.circle((at[0], at[1]), 0.08 * sides.fit.pitch_px, RED, -1)
        canvas.text(f"{side.strength:.1f}", (at[0], at[1]), WHITE, 0.35)
    caption = (
        f"{len(layout.cells)} cells; open sides in green, {walls} closed ones in red with how strong they "
        "are (1.0 is a plain grid line)."
    )
    return [Panel("03b-sides.png", "Cells and sides", caption, canvas.bgr)]
