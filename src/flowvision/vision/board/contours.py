"""Where the board is: contours of the thin bright lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.errors import BoardNotFoundError
from flowvision.image.picture import Screenshot
from flowvision.vision.board.region import BoardEvidence, BoardRegion
from flowvision.vision.pixels.lines import AXES, line_mask, line_response, noise_step
from flowvision.vision.pixels.view import CHANNELS, Channel, Floats, Gray, PixelBox, View, shrink_of, view_of
from flowvision.vision.settings import Settings


def find_boards(
    shot: Screenshot, settings: Settings, channels: Sequence[Channel] = CHANNELS
) -> Iterator[BoardRegion]:
    """The regions that may hold a board, best first.

    A board's grid lines hang together: it is an outer contour of the thin-line mask, the one with
    most line pixels inside. Where other lines touch it (a window's frame, a page), its cells still
    are inner contours of one size, side by side. The best region comes again at the end, with a
    wider margin, in case its outermost lines were too faint for the contour. Then the same in every
    other channel: lines darker than their cells, or of their colour alone. No pixels are offered twice.
    Raises ``BoardNotFoundError`` when no contour is large enough.
    """
    offered: set[object] = set()
    for channel in channels:
        for region in _boards_drawn(shot, channel, settings):
            pixels = channel, region.view.size, *region.view.to_picture.ravel().tolist()
            if pixels not in offered:
                offered.add(pixels)
                yield region
    if not offered:
        view = view_of(shot, None, settings.lines.view_px)
        raise BoardNotFoundError(
            f"Looked for a board in {shot.name}: no group of grid lines spans "
            f"{settings.board.size:.0%} of the picture's {min(shot.bgr.shape[:2])} px.",
            None,
            BoardEvidence(thin_lines(view, settings), view.to_picture, ()),
        )


def whole_picture(shot: Screenshot, settings: Settings) -> BoardRegion:
    """The picture from edge to edge as a region: somebody cut the board out."""
    view = view_of(shot, None, settings.lines.view_px)
    height, width = shot.bgr.shape[:2]
    right, bottom = width - 1.0, height - 1.0
    corners = np.array([(0.0, 0.0), (right, 0.0), (right, bottom), (0.0, bottom)])
    evidence = BoardEvidence(thin_lines(view, settings), view.to_picture, (corners,))
    return BoardRegion(corners, 1.0, view, evidence)


def _boards_drawn(shot: Screenshot, channel: Channel, settings: Settings) -> Iterator[BoardRegion]:
    """The regions whose lines show in one channel."""
    view = view_of(shot, None, settings.lines.view_px, channel)
    lines = thin_lines(view, settings)
    size_px = settings.board.size * min(view.size)
    outer = _outer_boxes(lines, size_px)[: settings.board.regions]
    yield from _regions(shot, view, lines, outer, channel, settings)
    yield from _regions(shot, view, lines, _cell_boxes(lines, size_px, settings), channel, settings)
    wide = replace(settings, board=replace(settings.board, margin=settings.board.margin_wide))
    yield from _regions(shot, view, lines, outer[:1], channel, wide)


def _regions(
    shot: Screenshot,
    view: View,
    lines: Gray,
    boxes: list[tuple[PixelBox, int]],
    channel: Channel,
    settings: Settings,
) -> Iterator[BoardRegion]:
    """The regions in these boxes of view pixels, each looked at again at working size."""
    evidence = BoardEvidence(lines, view.to_picture, tuple(_corners(box, view) for box, _ in boxes))
    for (_, count), corners in zip(boxes, evidence.candidates, strict=True):
        yield BoardRegion(
            corners, count / boxes[0][1], _zoom(shot, view, corners, channel, settings), evidence
        )


def thin_lines(view: View, settings: Settings) -> Gray:
    """255 on the upright and level thin bright lines of a view."""
    shorter = min(view.size)
    width_px = max(3, round(settings.lines.width * shorter))
    run_px = max(7, round(settings.lines.run_length * shorter))
    masks = []
    for axis in AXES:
        response = line_response(view.gray, axis, width_px)
        step = noise_step(response, settings.lines.step, settings.lines.noise)
        masks.append(line_mask(response, axis, step, run_px))
    return np.asarray(cv2.bitwise_or(*masks))


def _outer_boxes(lines: Gray, size_px: float) -> list[tuple[PixelBox, int]]:
    """Bounding boxes of the outer contours and the line pixels inside, most first.

    Before them the box round the first and what overlaps it: pipes may part the lines of one board.
    """
    joined = cv2.dilate(lines, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for contour in contours:
        x, y, width, height = cv2.boundingRect(contour)
        if min(width, height) >= size_px:
            count = int(cv2.countNonZero(lines[y : y + height, x : x + width]))
            found.append((PixelBox(x, y, x + width, y + height), count))
    found.sort(key=lambda item: -item[1])
    whole = found[0][0] if found else PixelBox(0, 0, 0, 0)
    for (x0, y0, x1, y1), _ in found[1:]:
        if x0 < whole.x1 and whole.x0 < x1 and y0 < whole.y1 and whole.y0 < y1:
            whole = PixelBox(min(x0, whole.x0), min(y0, whole.y0), max(x1, whole.x1), max(y1, whole.y1))
    if found and whole != found[0][0]:
        x0, y0, x1, y1 = whole
        found.insert(0, (whole, int(cv2.countNonZero(lines[y0:y1, x0:x1]))))
    return found


def _cell_boxes(lines: Gray, size_px: float, settings: Settings) -> list[tuple[PixelBox, int]]:
    """Boxes round groups of inner contours of one size that lie side by side."""
    contours, tree = cv2.findContours(lines, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    if tree is None:
        return []
    inner = np.array(
        [cv2.boundingRect(contour) for contour, links in zip(contours, tree[0], strict=True) if links[3] >= 0]
    ).reshape(-1, 4)
    inner = inner[(inner[:, 2:] >= settings.grid.pitch_min_px).all(axis=1)]
    inner = inner[np.argsort(-inner[:, 2] * inner[:, 3])]
    found = []
    while len(inner) >= settings.grid.cells_min**2:
        areas = inner[:, 2] * inner[:, 3]
        alike = areas >= (1 - settings.board.cell_alike) * areas[0]
        group, inner = inner[alike], inner[~alike]
        if len(group) >= settings.grid.cells_min**2:
            found += _groups(group, lines.shape, size_px)
    return sorted(found, key=lambda item: -item[1])


def _groups(cells: NDArray[np.int_], shape: tuple[int, ...], size_px: float) -> list[tuple[PixelBox, int]]:
    """Boxes round the cells that hang together when each is grown by a fifth."""
    canvas = np.zeros(shape, np.uint8)
    for x, y, width, height in cells.tolist():
        dx, dy = max(3, width // 5), max(3, height // 5)
        canvas[max(0, y - dy) : y + height + dy, max(0, x - dx) : x + width + dx] = 255
    _, _, stats, _ = cv2.connectedComponentsWithStats(canvas, connectivity=4)
    return [
        (PixelBox(x, y, x + width, y + height), area)
        for x, y, width, height, area in stats[1:].tolist()
        if min(width, height) >= size_px
    ]


def _corners(box: PixelBox, view: View) -> Floats:
    """The corners of a box of view pixels, in picture pixels, clockwise from the top left."""
    x0, y0, x1, y1 = box.x0, box.y0, box.x1 - 1, box.y1 - 1
    points = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=np.float64)
    return points @ view.to_picture[:2, :2].T + view.to_picture[:2, 2]


def _zoom(shot: Screenshot, view: View, corners: Floats, channel: Channel, settings: Settings) -> View:
    """The region and a margin round it at working size; cut from the view of all where that is as large."""
    height, width = shot.bgr.shape[:2]
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    margin = settings.board.margin * min(x1 - x0, y1 - y0)
    box = PixelBox(
        max(0, int(x0 - margin)),
        max(0, int(y0 - margin)),
        min(width, int(x1 + margin) + 2),
        min(height, int(y1 + margin) + 2),
    )
    if shrink_of(box, settings.lines.view_px) == view.scale:
        return view.cut(box)
    return view_of(shot, box, settings.lines.view_px, channel)
