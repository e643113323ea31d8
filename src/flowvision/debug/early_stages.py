"""Results of the first stages as pictures: the input, where the board is, its lines, its cells and sides."""

from __future__ import annotations

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
    Panel,
    Scene,
    board_box,
    box_round,
    draw_shape,
    panels_of,
    write,
)
from flowvision.image.picture import PIXELS, Bgr, Floats, Screenshot
from flowvision.vision.board import BoardEvidence, BoardRegion
from flowvision.vision.grid.axis_lines import GridEvidence
from flowvision.vision.kinds.fit import BoardGeometry, DebugShape, Fit
from flowvision.vision.kinds.rectangular.fit import GridFit
from flowvision.vision.pixels.lines import AXES, line_width_px, thin_lines
from flowvision.vision.pixels.view import Channel, View, view_frame
from flowvision.words import count_of

AXIS_COLOURS: tuple[Colour, Colour] = (YELLOW, BLUE)
"""Vertical lines, horizontal lines."""
WHOLE_PX = 1600
"""The longer side of a picture of all that was given: its letters can be read."""
ROUND = 0.2
"""Margin that is shown round all contours, as a share of their extent."""
MERGE = 0.12
"""Hough lines nearer to one another are one line; a share of the smallest distance of lattice lines."""
MOST_LINES = 60
"""The strongest lines of an axis that are drawn; more would hide the board."""
SOBEL = (
    ("02-sobel-x.png", "Sobel-X", "vertical", "top"),
    ("02b-sobel-y.png", "Sobel-Y", "horizontal", "left"),
)
"""By axis: file and title of the picture of its lines, what these are called, where their profile is."""
PAPER = 24
"""Grey of the margins that profiles are drawn on."""
BARS_PX = 90
"""Width of the margin that a profile is drawn on."""


@panels_of.register
def _(shot: Screenshot, scene: Scene) -> list[Panel]:
    height, width = shot.bgr.shape[:2]
    canvas = Canvas(shot.bgr, side_px=min(WHOLE_PX, max(height, width)))
    caption = (
        f"The picture as it was given: {width} × {height} pixels, {shot.bgr.mean() / 255:.0%} of full "
        "brightness on average."
    )
    return [Panel("00-input.png", "Input", caption, canvas.bgr)]


@panels_of.register
def _(region: BoardRegion, scene: Scene) -> list[Panel]:
    seen = len(region.evidence.groups)
    channel = channel_name(region.view.channel)
    caption = (
        f"Thin lines in yellow; {count_of(seen, 'contour')} large enough for a board in blue, "
        f"the part that was looked at in green (score {region.score:.2f}, {channel})."
    )
    return [_board_panel(region.evidence, region.corners_px, caption, scene)]


@panels_of.register
def _(evidence: BoardEvidence, scene: Scene) -> list[Panel]:
    caption = "Thin lines in yellow: no contour round a group of them is large enough for a board."
    return [_board_panel(evidence, None, caption, scene)]


def _board_panel(evidence: BoardEvidence, corners: Floats | None, caption: str, scene: Scene) -> Panel:
    shown = [*evidence.groups, *([] if corners is None else [corners])]
    canvas = Canvas(scene.shot.bgr, box_round(np.concatenate(shown), ROUND) if shown else None, 0.6)
    canvas.tint(evidence.lines, evidence.to_picture, YELLOW)
    for group in evidence.groups:
        canvas.line(group, BLUE, 3, closed=True)
    if corners is not None:
        canvas.line(corners, GREEN, 5, closed=True)
    return Panel("01-board.png", "Contours and crop", caption, canvas.bgr)


@panels_of.register
def _(fit: GridFit, scene: Scene) -> list[Panel]:
    vertical, horizontal = _lines_of(fit.evidence)
    shape, canvas = fit.debug_shape(), scene.canvas(box_round(fit.outline_px()))
    seen = f"Hough: {len(vertical)} vertical lines (yellow), {len(horizontal)} horizontal ones (blue)"
    caption = f"{seen}; {'' if fit.given else 'fitted to them '}{shape.caption}"
    draw_shape(canvas, shape)
    _draw_hough(canvas, fit.evidence.view, (vertical, horizontal))
    panel = Panel("03-grid.png", "Hough lines and lattice", caption, canvas.bgr)
    return [*_sobel_panels(fit.evidence, scene), panel]


@panels_of.register
def _(evidence: GridEvidence, scene: Scene) -> list[Panel]:
    vertical, horizontal = _lines_of(evidence)
    canvas = scene.canvas()
    _draw_hough(canvas, evidence.view, (vertical, horizontal))
    caption = (
        f"Lines by the Hough transform, also slanted ones: {len(vertical)} nearer to vertical (yellow) and "
        f"{len(horizontal)} nearer to horizontal (blue); none of them lie at even distances that frame cells."
    )
    return [*_sobel_panels(evidence, scene), Panel("03-grid.png", "No lattice", caption, canvas.bgr)]


def _sobel_panels(evidence: GridEvidence, scene: Scene) -> list[Panel]:
    """Line responses across either axis, each with its profile along the rim."""
    view = evidence.view
    width_px = line_width_px(view, scene.settings.lines)
    panels = []
    for axis, colour in zip(AXES, AXIS_COLOURS, strict=True):
        response = np.clip(thin_lines(view, axis, scene.settings.lines)[0], 0, None).astype(np.float32)
        strength = np.clip(response / max(1.0, float(np.percentile(response[::2, ::2], 99.5))), 0, 1)
        # Thin lines are widened and lifted: the picture is looked at when it is a third as wide as the page.
        wide = cv2.dilate(np.sqrt(strength), np.ones((3, 3), np.uint8))
        shown = wide[..., None] * np.array(colour, dtype=np.float32)
        file, title, lines, rim = SOBEL[axis]
        caption = (
            f"Where brightness rises and falls again within {width_px} pixels: {lines} lines. The bars along "
            f"the {rim} say how much of a line lies at each position."
        )
        sheet = _with_profile(_grown(shown, view), evidence.profiles[axis], axis)
        panels.append(Panel(file, f"{title}: {lines} lines", caption, sheet))
    return panels


def _grown(shown: Floats | np.ndarray, view: View) -> Bgr:
    """A view's picture at the usual size."""
    scale = SIDE_PX / max(view.size)
    pixels = np.asarray(np.clip(shown, 0, 255), dtype=np.uint8)
    return np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale), dtype=np.uint8)


def _with_profile(bgr: Bgr, profile: Floats, axis: int) -> Bgr:
    """The picture with the profile of an axis as bars: above it those of 0, to its left those of 1."""
    bars = cv2.resize(profile.astype(np.float32).reshape(1, -1), (bgr.shape[1 - axis], 1)).ravel()
    tall = np.round(bars / max(float(bars.max()), 1e-6) * (BARS_PX - 8)).astype(int)
    shown = np.arange(BARS_PX)[::-1, None] < tall
    rim = np.full((*shown.shape, 3), PAPER, np.uint8)
    rim[shown] = AXIS_COLOURS[axis]
    return np.vstack((rim, bgr)) if axis == 0 else np.hstack((rim.swapaxes(0, 1), bgr))


def _lines_of(evidence: GridEvidence) -> tuple[Floats, Floats]:
    """(N, 2) per axis: position and tilt of the lines, each once: what Hough finds of one line is merged."""
    first, second = (
        merged(lines[:MOST_LINES], min((s.pitch for s in spacings), default=20.0))
        for lines, spacings in zip(evidence.hough, evidence.spacings, strict=True)
    )
    return first, second


def merged(lines: Floats, pitch: float) -> Floats:
    """(M, 2): of lines that lie closer than a part of the pitch the strongest, in the order of positions.

    ``lines`` (N, 2): position and tilt, the strongest first.
    """
    kept: list[Floats] = []
    for line in lines:
        if all(abs(line[0] - other[0]) > max(3.0, MERGE * pitch) for other in kept):
            kept.append(line)
    return np.array(sorted(kept, key=lambda line: float(line[0]))).reshape(-1, 2)


def _draw_hough(canvas: Canvas, view: View, lines: tuple[Floats, Floats]) -> None:
    for axis, found in zip(AXES, lines, strict=True):
        for number, (position, tilt) in enumerate(found, 1):
            ends = _hough_ends(view, axis, position, tilt)
            canvas.line(ends, AXIS_COLOURS[axis], 2)
            height, width = canvas.bgr.shape[:2]
            x, y = canvas.at(ends)[0].tolist()
            at = min(max(x, 4.0), width - 40.0), min(max(y, 24.0), height - 8.0)
            write(canvas.bgr, str(number), at, WHITE, 0.8)


def _hough_ends(view: View, axis: int, position: float, tilt: float) -> Floats:
    """Both ends of a line across a view, in picture pixels."""
    half = view.size[1 - axis] / 2
    ends = np.array([(position - np.tan(tilt) * half, 0.0), (position + np.tan(tilt) * half, 2 * half)])
    ends = ends if axis == 0 else ends[:, ::-1]
    homogeneous = np.column_stack((ends, np.ones(2))) @ view.to_picture.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])


@panels_of.register
def _(fit: Fit, scene: Scene) -> list[Panel]:
    shape = fit.debug_shape()
    if shape.labels is None:
        canvas = scene.canvas(box_round(fit.outline_px()))
        draw_shape(canvas, shape)
    else:
        canvas = _regions(fit, shape)
    return [Panel("03-grid.png", shape.title, shape.caption, canvas.bgr)]


def _regions(fit: Fit, shape: DebugShape) -> Canvas:
    """The fit's view, each region in a shade of its own, and the links between neighbours."""
    labels = np.asarray(shape.labels)
    shades = np.random.default_rng(0).integers(70, 220, (int(labels.max()) + 1, 3), dtype=np.uint8)
    shades[0] = 0
    canvas = Canvas(np.asarray(shades[labels], dtype=np.uint8))
    canvas.bgr[:] = cv2.addWeighted(canvas.bgr, 0.6, Canvas(fit.view.bgr).bgr, 0.6, 0)
    in_view = view_frame(PIXELS, fit.view)
    for link in shape.links:
        canvas.line(in_view.to_px(link), WHITE, 1)
    return canvas


@panels_of.register
def _(geometry: BoardGeometry, scene: Scene) -> list[Panel]:
    layout, frame = geometry.board.layout, geometry.fit.frame
    canvas = scene.canvas(board_box(geometry.board, frame))
    for cell in layout.cells:
        canvas.line(frame.to_px(cell.outline), GREY, 2, closed=True)
    for strokes in layout.strokes:
        for stroke in strokes:
            canvas.line(frame.to_px(stroke), GREEN, 3)
    walls = [side for side in geometry.sides if not side.is_open]
    for side in walls:
        canvas.circle(frame.to_px(side.middle), 0.13 * geometry.fit.pitch_px, RED, -1)
    if geometry.board.lattice is None:
        for number, cell in enumerate(layout.cells, 1):
            canvas.text(str(number), frame.to_px(cell.centre), WHITE, 0.9)
    numbered = " Numbers are what `--set` calls the cells." if geometry.board.lattice is None else ""
    caption = f"{len(layout.cells)} cells; open sides in green, {len(walls)} walls in red.{numbered}"
    return [Panel("03b-sides.png", "Cells and sides", caption, canvas.bgr)]


def channel_name(channel: Channel) -> str:
    """The name of the channel in which lines were looked for."""
    return "the negative" if channel == "negative" else f"the {channel} channel"
