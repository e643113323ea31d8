"""Results of the first stages as pictures: where the board is, its lines, its cells and sides.

``panels_of`` draws any result; every stage registers what it finds. Nothing else draws evidence.
"""

from __future__ import annotations

from functools import singledispatch

import cv2
import numpy as np

from flowvision.debug.canvas import (
    BLUE,
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
from flowvision.debug.scene import Panel, Scene
from flowvision.image.picture import Bgr, Frame
from flowvision.puzzle import boards
from flowvision.vision.board.region import BoardEvidence, BoardRegion
from flowvision.vision.grid.fit import GridEvidence, GridFit
from flowvision.vision.pixels.lines import AXES, line_response, line_width_px
from flowvision.vision.pixels.sampling import view_frame
from flowvision.vision.pixels.view import View
from flowvision.vision.special.fits import CellFit, CircleFit, HexagonFit
from flowvision.vision.walls.result import SideReading

AXIS_COLOURS: tuple[Colour, Colour] = (YELLOW, BLUE)
"""Upright lines, level lines."""
HOUGH_LINES = 60
"""The strongest lines of an axis that are drawn; more would hide the board."""


@singledispatch
def panels_of(result: object, scene: Scene) -> list[Panel]:
    """The debug pictures of a result, or of the evidence of a stage that failed."""
    return []


@panels_of.register
def _(region: BoardRegion, scene: Scene) -> list[Panel]:
    seen = len(region.evidence.candidates)
    caption = (
        f"Thin bright lines in yellow; {seen} part{'s' if seen != 1 else ''} large enough for a "
        f"board in blue, the one looked at in green (score {region.score:.2f})."
    )
    return [_board_panel(region.evidence, region.corners_px, caption, scene)]


@panels_of.register
def _(evidence: BoardEvidence, scene: Scene) -> list[Panel]:
    caption = "Thin bright lines in yellow: no group of them is large enough for a board."
    return [_board_panel(evidence, None, caption, scene)]


def _board_panel(evidence: BoardEvidence, corners: Floats | None, caption: str, scene: Scene) -> Panel:
    canvas = Canvas(scene.shot.bgr, dim=0.6)
    canvas.tint(evidence.lines, evidence.to_picture, YELLOW)
    for candidate in evidence.candidates:
        canvas.line(candidate, BLUE, 3, closed=True)
    if corners is not None:
        canvas.line(corners, GREEN, 5, closed=True)
    return Panel("01-board.png", "Where the board is", caption, canvas.bgr)


@panels_of.register
def _(fit: GridFit, scene: Scene) -> list[Panel]:
    caption = (
        f"{fit.rows} rows and {fit.cols} columns of {fit.pitch_px:.1f} px in green, fitted to the lines "
        f"found (thin) with a mean error of {fit.residual_px:.2f} px; score {fit.score:.2f}"
        f"{'' if fit.closed else '; lines go on beyond its edge'}."
    )
    canvas = scene.canvas(points_px=_grid_corners(fit))
    _draw_hough(canvas, fit.evidence)
    _draw_lattice(canvas, fit.frame, fit.rows, fit.cols, GREEN)
    return [_sobel_panel(fit.evidence, scene), Panel("03-grid.png", "Rows and columns", caption, canvas.bgr)]


@panels_of.register
def _(evidence: GridEvidence, scene: Scene) -> list[Panel]:
    upright, level = (len(lines) for lines in evidence.hough)
    canvas = scene.canvas()
    _draw_hough(canvas, evidence)
    caption = (
        f"{upright} upright (yellow) and {level} level (blue) lines, "
        "but no even spacing of them frames cells from edge to edge."
    )
    return [_sobel_panel(evidence, scene), Panel("03-grid.png", "No lattice", caption, canvas.bgr)]


def _sobel_panel(evidence: GridEvidence, scene: Scene) -> Panel:
    """Line responses of both axes, with the line profiles along the top and the left."""
    view = evidence.view
    width_px = line_width_px(view, scene.settings.lines)
    canvas = np.zeros((view.size[1], view.size[0], 3), np.float32)
    for axis, colour in zip(AXES, AXIS_COLOURS, strict=True):
        response = np.clip(line_response(view.gray, axis, width_px), 0, None).astype(np.float32)
        strength = np.clip(response / max(1.0, float(np.percentile(response, 99.5))), 0, 1)
        canvas += strength[..., None] * np.array(colour, dtype=np.float32)
    shown = np.asarray(np.clip(canvas, 0, 255), dtype=np.uint8)
    scale = SIDE_PX / max(view.size)
    shown = np.asarray(cv2.resize(shown, None, fx=scale, fy=scale), dtype=np.uint8)
    caption = (
        "Where brightness rises and falls again within a line's width (Sobel): across in yellow, down in "
        "blue. The margins show how much of a line lies at each position."
    )
    return Panel("02-sobel.png", "Thin lines", caption, _with_profiles(shown, evidence.profiles))


def _with_profiles(bgr: Bgr, profiles: tuple[Floats, Floats], margin: int = 90) -> Bgr:
    """The picture with one profile above it and the other one to its left."""
    height, width = bgr.shape[:2]
    sheet = np.full((height + margin, width + margin, 3), 24, np.uint8)
    sheet[margin:, margin:] = bgr
    for axis, (profile, colour) in enumerate(zip(profiles, AXIS_COLOURS, strict=True)):
        length = (width, height)[axis]
        bars = cv2.resize(profile.astype(np.float32).reshape(1, -1), (length, 1)).ravel()
        tall = np.round(bars / max(float(bars.max()), 1e-6) * (margin - 8)).astype(int)
        shown = np.arange(margin)[::-1, None] < tall[None, :]
        if axis == 0:
            sheet[:margin, margin:][shown] = colour
        else:
            sheet[margin:, :margin][shown.T] = colour
    return sheet


def _draw_hough(canvas: Canvas, evidence: GridEvidence) -> None:
    for axis, lines in zip(AXES, evidence.hough, strict=True):
        for position, tilt in lines[:HOUGH_LINES]:
            canvas.line(_hough_ends(evidence.view, axis, position, tilt), AXIS_COLOURS[axis], 1)


def _hough_ends(view: View, axis: int, position: float, tilt: float) -> Floats:
    """Both ends of a line across a view, in picture pixels."""
    half = view.size[1 - axis] / 2
    ends = np.array([(position - np.tan(tilt) * half, 0.0), (position + np.tan(tilt) * half, 2 * half)])
    ends = ends if axis == 0 else ends[:, ::-1]
    homogeneous = np.column_stack((ends, np.ones(2))) @ view.to_picture.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])


def _draw_lattice(canvas: Canvas, frame: Frame, rows: int, cols: int, colour: Colour) -> None:
    for r in range(rows + 1):
        canvas.line(frame.to_px([(0, r), (cols, r)]), colour, 2)
    for c in range(cols + 1):
        canvas.line(frame.to_px([(c, 0), (c, rows)]), colour, 2)


def _grid_corners(fit: GridFit | CircleFit) -> Floats:
    return fit.frame.to_px([(0, 0), (fit.cols, 0), (fit.cols, fit.rows), (0, fit.rows)])


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
    canvas = scene.canvas(points_px=_grid_corners(fit))
    _draw_lattice(canvas, fit.frame, fit.rows, fit.cols, GREEN)
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
    for middle, strength, is_open in sides.sides:
        if is_open:
            continue
        walls += 1
        at = tuple(frame.to_px([middle])[0].tolist())
        canvas.circle((at[0], at[1]), 0.08 * sides.fit.pitch_px, RED, -1)
        canvas.text(f"{strength:.1f}", (at[0], at[1]), WHITE, 0.35)
    caption = (
        f"{len(layout.cells)} cells; open sides in green, {walls} closed ones in red with how strong they "
        "are (1.0 is a plain grid line)."
    )
    return [Panel("03b-sides.png", "Cells and sides", caption, canvas.bgr)]


def banner(bgr: Bgr, words: str, colour: Colour) -> Bgr:
    """The picture with a line of words above it."""
    sheet = np.full((bgr.shape[0] + 44, bgr.shape[1], 3), 24, np.uint8)
    sheet[44:] = bgr
    write(sheet, words, (12, 29), colour, 0.6)
    return sheet
