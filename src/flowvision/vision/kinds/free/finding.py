"""Boards of any outline: cells are the regions between thin bright lines.

Two cells are neighbours where their regions meet across a line, unless that is as thick as a wall. Labels
(h, w) number the regions, from 1; 0 is the ground: lines and all else. A count of labels includes 0.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.errors import GridNotFoundError
from flowvision.vision.board import BoardRegion
from flowvision.vision.kinds.free.fit import CellFit, Contact
from flowvision.vision.pixels.lines import Lines, free_lines
from flowvision.vision.pixels.view import Floats, Gray, Singles, block_maxima, bounds_of, dilated
from flowvision.vision.settings import FREE_CELLS, GRID, WALLS
from flowvision.words import count_of

Labels = NDArray[np.int32]
DIRECTIONS = 24  # directions in which lines are continued, over half a turn
WOBBLE = 0.03  # of a cell's width: how far pixels of an outline may lie from its straight sides
SMALL_PX = 24.0  # width of a cell at the size at which lines are continued: a pipe is 8 pixels wide


def fit_cells(region: BoardRegion) -> CellFit:
    """Return the cells of a region, whatever their shape, and the sides they share.

    Raises ``GridNotFoundError`` when too few regions are connected.
    """
    view = region.view
    min_cells = GRID.cells_min**2
    lines = free_lines(view)
    labels, count = _split(*_regions(lines.mask), lines.mask)
    sides = _sides(_contacts(labels, lines, _line_weights(lines, view.gray), count), labels)
    chosen = _largest_group(labels, sides, count)
    areas = np.bincount(labels.ravel(), minlength=count)[chosen]
    chosen = chosen[areas >= FREE_CELLS.scrap_area * np.median(areas)]
    chosen_labels = frozenset(chosen.tolist())
    inner_sides = [side for side in sides if chosen_labels.issuperset((side.a, side.b))]
    if len(chosen) < min_cells or not inner_sides:
        raise GridNotFoundError(
            f"Cells of any shape: found {count_of(len(chosen), 'region')} between thin lines that share "
            f"{count_of(len(inner_sides), 'side')}; at least {min_cells} side by side are needed."
        )
    return _measured(region, labels, chosen, inner_sides, lines)


def _regions(mask: Gray) -> tuple[Labels, int]:
    """Return the labels of closed regions between lines, and the number of labels.

    Those that touch the view's rim are open, and tiny ones no cells. ``mask`` (h, w): 255 on lines.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats(255 - mask, connectivity=4)
    height, width = mask.shape
    x, y, w, h, area = stats.T
    is_kept = (x > 0) & (y > 0) & (x + w < width) & (y + h < height)
    is_kept &= (area >= FREE_CELLS.cell_px**2) & (np.minimum(w, h) > 1)
    is_kept[0] = False
    label_count = int(is_kept.sum()) + 1
    new_label = np.zeros(count, np.int32)
    new_label[is_kept] = np.arange(1, label_count)
    return new_label[labels], label_count


def _split(labels: Labels, count: int, mask: Gray) -> tuple[Labels, int]:
    """Return the labels and their number after regions of several cells are split.

    Lines are continued over gaps as wide as a pipe. ``mask`` (h, w): 255 on lines.
    """
    areas = np.bincount(labels.ravel(), minlength=count)[1:]
    if not areas.size:
        return labels, count
    from_line_px = cv2.distanceTransform((labels > 0).astype(np.uint8), cv2.DIST_L2, 3)
    # The largest distance in each region, of pixels that no neighbour exceeds: ``maximum.at`` is slow.
    is_deepest = from_line_px >= cv2.dilate(from_line_px, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)))
    depths_px = np.zeros(count, from_line_px.dtype)
    np.maximum.at(depths_px, labels[is_deepest], from_line_px[is_deepest])
    # The median over all pixels of regions: small ones count less.
    usual_width_px = 2 * float(np.median(np.repeat(depths_px[1:], areas)))
    is_joined = np.append(False, areas > FREE_CELLS.joined_area * usual_width_px**2)
    if not is_joined.any():
        return labels, count
    factor = max(1, int(usual_width_px / SMALL_PX))
    lines = _continued(block_maxima(mask, factor), usual_width_px / factor)
    continued_mask = lines.repeat(factor, axis=0).repeat(factor, axis=1)[: mask.shape[0], : mask.shape[1]]
    part_labels, part_count = _regions(np.where(is_joined[labels], mask | continued_mask, mask))
    for region in np.flatnonzero(is_joined).tolist():
        # One by one: across a line the nearest cell may be one of another region.
        box = bounds_of(np.equal(labels, region))
        inside = labels[box] == region
        nearest_part, _ = _grown(np.where(inside, part_labels[box], 0))
        part_labels[box][inside] = nearest_part[inside]
    return part_labels, part_count


def _continued(mask: Gray, cell_px: float) -> Gray:
    """Return a mask (h, w) of lines with gaps in straight ones closed, as where pipes cross them.

    ``cell_px``: the width of a cell.
    """
    result = mask.copy()
    for angle in np.linspace(0, np.pi, DIRECTIONS, endpoint=False):
        pieces = cv2.morphologyEx(mask, cv2.MORPH_OPEN, _bar(FREE_CELLS.piece * cell_px, angle))
        # Two pieces of one line may lie a pixel beside each other.
        thick = dilated(np.asarray(pieces, np.uint8), size_px=3)
        closed = cv2.morphologyEx(thick, cv2.MORPH_CLOSE, _bar(FREE_CELLS.gap * cell_px, angle))
        result = np.maximum(result, closed)
    return result


def _bar(length_px: float, angle: float) -> Gray:
    """Return a kernel: a straight line of this length, about, at this angle in radians; 1 on the line."""
    half = max(1, round(length_px / 2))
    bar = np.zeros((2 * half + 1, 2 * half + 1), np.uint8)
    x, y = round(half * np.cos(angle)), round(half * np.sin(angle))
    cv2.line(bar, (half - x, half - y), (half + x, half + y), 1)
    return bar


def _grown(labels: Labels) -> tuple[Labels, Singles]:
    """Return the label of the nearest region of every pixel (h, w), and how far away it is, in pixels."""
    is_ground = (labels == 0).astype(np.uint8)
    distance_px, nearest_pixel = cv2.distanceTransformWithLabels(
        is_ground, cv2.DIST_L2, cv2.DIST_MASK_5, labelType=cv2.DIST_LABEL_PIXEL
    )
    label_of_pixel = np.zeros(int(nearest_pixel.max()) + 1, np.int32)
    label_of_pixel[nearest_pixel[is_ground == 0]] = labels[is_ground == 0]
    return label_of_pixel[nearest_pixel], np.asarray(distance_px, np.float32)


def _line_weights(lines: Lines, gray: Gray) -> Singles:
    """Return (h, w): brightness of lines times their share of a pixel, wherever they stand out at all."""
    bright, above = (dilated(image, size_px=3).astype(np.float32) for image in (gray, lines.above))
    return np.asarray(lines.above * (bright / np.maximum(above, 1)), np.float32)


class _Meetings(NamedTuple):
    """Pairs of neighbouring pixels (N,) near a line, whose nearest regions differ.

    ``pair``: both regions as one number, the smaller one times the number of labels plus the larger one.
    ``x``, ``y``: between both pixels. ``strength``: that of the line there.
    """

    pair: NDArray[np.int64]
    x: Floats
    y: Floats
    strength: Floats


def _contacts(labels: Labels, lines: Lines, weights: Singles, count: int) -> list[Contact]:
    """Return the sides at which two regions meet, in pixels; ``count``: of labels."""
    meetings = _meetings(labels, lines, weights, count)
    if not meetings.pair.size:
        return []
    order = np.lexsort((meetings.strength, meetings.pair))  # by pair, then by strength
    pair, x, y, strength = (column[order] for column in meetings)
    first_of_pair = np.flatnonzero(np.diff(pair, prepend=-1))
    pixel_count = np.diff(first_of_pair, append=pair.size)
    # Midway between its ends: a pipe may hide more of one half of a side than of the other.
    low_x, low_y = (np.minimum.reduceat(along, first_of_pair) for along in (x, y))
    high_x, high_y = (np.maximum.reduceat(along, first_of_pair) for along in (x, y))
    a, b = divmod(pair[first_of_pair], count)
    middles = zip(((low_x + high_x) / 2).tolist(), ((low_y + high_y) / 2).tolist(), strict=True)
    lengths = np.hypot(high_x - low_x, high_y - low_y)
    strengths = strength[first_of_pair + pixel_count // 5]  # a fifth of a side's pixels are fainter
    columns = a.tolist(), b.tolist(), middles, lengths.tolist(), strengths.tolist()
    return [Contact(*row) for row in zip(*columns, strict=True)]


def _meetings(labels: Labels, lines: Lines, weights: Singles, count: int) -> _Meetings:
    """Return where regions meet across lines, side by side and one above the other; ``count``: of labels.

    ``weights``: of ``_line_weights``.
    """
    nearest_label, distance_px = _grown(labels)
    # A window as long as it is wide sums a line's cross-section once per pixel of its length.
    width = lines.width_px
    line_strength = cv2.boxFilter(weights, -1, (width, width), normalize=False) / width
    is_near_line = (lines.mask > 0) & (distance_px <= width)
    by_direction = []
    for before, behind, between_x, between_y in (
        (np.s_[:, :-1], np.s_[:, 1:], 0.5, 0.0),
        (np.s_[:-1], np.s_[1:], 0.0, 0.5),
    ):
        y, x = np.nonzero(
            (nearest_label[before] != nearest_label[behind]) & (is_near_line[before] | is_near_line[behind])
        )
        labels_there = nearest_label[before][y, x], nearest_label[behind][y, x]
        pair = np.minimum(*labels_there).astype(np.int64) * count + np.maximum(*labels_there)
        strength = np.maximum(line_strength[before][y, x], line_strength[behind][y, x])
        by_direction.append((pair, x + between_x, y + between_y, strength))
    return _Meetings._make(np.concatenate(columns) for columns in zip(*by_direction, strict=True))


def _sides(contacts: list[Contact], labels: Labels) -> list[Contact]:
    """Return the contacts that are open sides: long enough, and not as strong as walls."""
    widths_px = np.sqrt(np.bincount(labels.ravel()))
    long_contacts = [
        contact
        for contact in contacts
        if contact.length
        >= FREE_CELLS.side_length_min * float(min(widths_px[contact.a], widths_px[contact.b]))
    ]
    if not long_contacts:
        return []
    usual_strength = float(np.median([contact.strength for contact in long_contacts]))
    return [contact for contact in long_contacts if contact.strength <= WALLS.strength * usual_strength]


def _largest_group(labels: Labels, contacts: list[Contact], count: int) -> NDArray[np.int_]:
    """Return the labels of the connected group with the largest area; ``count``: of labels."""
    # A group has the number of its lowest label, which spreads over its contacts.
    groups = np.arange(count)
    groups_before = np.full(count, -1)
    a, b = np.array([(contact.a, contact.b) for contact in contacts] or [(0, 0)]).T
    while not np.array_equal(groups, groups_before):
        groups_before = groups.copy()
        lower_group = np.minimum(groups[a], groups[b])
        np.minimum.at(groups, a, lower_group)
        np.minimum.at(groups, b, lower_group)
    areas = np.bincount(labels.ravel(), minlength=count)
    group_areas = np.bincount(groups[1:], weights=areas[1:], minlength=1)
    return np.flatnonzero(groups == int(group_areas.argmax()))


def _explained(labels: Labels, chosen: NDArray[np.int_], lines: Lines) -> float:
    """Return the share of the lines' pixels that lie in or round the regions with the chosen labels."""
    reach_px = 2 * lines.width_px + 1
    is_chosen = dilated(np.isin(labels, chosen).astype(np.uint8), reach_px)
    lines_of_chosen = cv2.bitwise_and(lines.mask, lines.mask, mask=is_chosen)
    return cv2.countNonZero(lines_of_chosen) / max(1, cv2.countNonZero(lines.mask))


def _pixels(labels: Labels, chosen: NDArray[np.int_]) -> list[tuple[NDArray[np.int_], NDArray[np.int_]]]:
    """Return rows (N,) and columns (N,) of the pixels of each chosen label; all are sorted once."""
    pixel_numbers = np.flatnonzero(labels)
    pixel_labels = labels.ravel()[pixel_numbers]
    by_label = np.argsort(pixel_labels, kind="stable")
    first = np.searchsorted(pixel_labels[by_label], chosen, "left")
    last = np.searchsorted(pixel_labels[by_label], chosen, "right")
    return [
        divmod(pixel_numbers[by_label[start:end]], labels.shape[1])
        for start, end in zip(first, last, strict=True)
    ]


def _measured(
    region: BoardRegion, labels: Labels, chosen: NDArray[np.int_], contacts: list[Contact], lines: Lines
) -> CellFit:
    """Return the fit of the chosen regions; lengths become widths of the median cell."""
    areas = np.bincount(labels.ravel(), minlength=int(chosen.max()) + 1)[chosen]
    unit = float(np.sqrt(np.median(areas)))
    middles, spreads, outlines = [], [], []
    for label, (ys, xs) in zip(chosen.tolist(), _pixels(labels, chosen), strict=True):
        middles.append((float(xs.mean()) / unit, float(ys.mean()) / unit))
        spreads.append(np.cov((xs, ys)))
        x0, y0 = int(xs.min()), int(ys.min())
        mask = (labels[y0 : ys.max() + 1, x0 : xs.max() + 1] == label).astype(np.uint8)
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=(x0, y0))
        longest = max(contours, key=len)
        outline = cv2.approxPolyDP(longest, epsilon=WOBBLE * unit, closed=True).reshape(-1, 2)
        outlines.append(tuple((float(px) / unit, float(py) / unit) for px, py in outline))
    # The variance along a side of an oblong is a twelfth of its length squared. Each of the shapes
    # (cells, 2, 2) makes a unit square as long and wide as the cell.
    variances, axes = np.linalg.eigh(np.array(spreads))
    lengths = np.sqrt(12 * variances)[:, :, None] * np.eye(2)
    shapes = axes @ lengths @ axes.transpose(0, 2, 1) / unit
    number_of = {label: number for number, label in enumerate(chosen.tolist())}
    sides = tuple(
        Contact(
            number_of[contact.a],
            number_of[contact.b],
            (contact.middle[0] / unit, contact.middle[1] / unit),
            contact.length / unit,
            contact.strength,
        )
        for contact in contacts
    )
    # The strength of a side is the brightness of its line times its thickness: here that of one pixel.
    grain = float(np.median(region.view.gray[lines.mask > 0]))
    return CellFit(
        tuple(middles),
        tuple(outlines),
        shapes,
        sides,
        region,
        explained=_explained(labels, chosen, lines),
        grain=grain,
        frame=region.view.placed(np.diag([unit, unit, 1.0])),
        pitch_px=unit * region.view.scale,
    )
