"""Cells that a pipe joins: it hides the middle of the line between them.

Lines are continued over gaps as wide as a pipe; a region that falls apart then is as many cells.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from flowvision.vision.pixels.view import Floats, Gray
from flowvision.vision.settings import FreeCellSettings

Labels = NDArray[np.int32]
DIRECTIONS = 24  # directions in which lines are continued, over half a turn
BESIDE = np.ones((3, 3), np.uint8)
CROSS = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
MOST_JOINED = 64  # regions: no board has more flows; of a pattern that falls apart there are hundreds
SMALL_PX = 24.0  # width of a cell at the size at which lines are continued: a pipe is 8 pixels wide


def split(labels: Labels, count: int, mask: Gray, free: FreeCellSettings) -> tuple[Labels, int]:
    """Return the regions, with those that a pipe joins split; and the next free number."""
    areas = np.bincount(labels.ravel(), minlength=count)[1:]
    if len(areas) < free.split_min:
        return labels, count
    usual = _middle(2 * _depths(labels, count), areas)
    if areas.max() <= free.joined_area * usual**2:
        return labels, count
    factor = max(1, int(usual / SMALL_PX))
    lines = _carried_on(_shrunk(mask, factor), usual / factor, free)
    over = lines.repeat(factor, axis=0).repeat(factor, axis=1)[: mask.shape[0], : mask.shape[1]]
    between = cv2.bitwise_and((labels > 0).astype(np.uint8), cv2.bitwise_not(over))
    most, found = cv2.connectedComponents(between, connectivity=4)
    parts = np.asarray(found, np.int32)
    sizes = np.bincount(parts.ravel(), minlength=most)[1:]
    whole = np.zeros(most, np.int32)
    whole[parts.ravel()] = labels.ravel()
    whole = whole[1:]
    is_cell = sizes >= free.part_area * usual**2
    number = np.bincount(whole[is_cell], minlength=count)
    is_cell &= number[whole] > 1
    if not 0 < np.count_nonzero(number > 1) <= MOST_JOINED:
        return labels, count
    return _renumbered(labels, parts, whole, is_cell, number)


def _renumbered(
    labels: Labels,
    parts: Labels,
    whole: NDArray[np.int32],
    is_cell: NDArray[np.bool_],
    number: NDArray[np.int_],
) -> tuple[Labels, int]:
    """Renumber the regions: a pixel of one that fell apart belongs to the nearest of its cells."""
    is_kept = number <= 1
    is_kept[0] = False
    renumber = np.zeros(len(number), np.int32)
    renumber[is_kept] = np.arange(1, is_kept.sum() + 1)
    made, first = renumber[labels], int(is_kept.sum()) + 1
    of_part = np.zeros(len(is_cell) + 1, np.int32)
    of_part[1:][is_cell] = np.arange(first, first + is_cell.sum())
    for region in np.flatnonzero(number > 1).tolist():
        # One by one: across a line the nearest cell may be one of another region.
        x, y, width, height = cv2.boundingRect((labels == region).astype(np.uint8))
        part = np.s_[y : y + height, x : x + width]
        inside = labels[part] == region
        seeds = np.where(inside, of_part[parts[part]], 0)
        _, nearest = cv2.distanceTransformWithLabels(
            (seeds == 0).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
        )
        of_seed = np.zeros(int(nearest.max()) + 1, np.int32)
        of_seed[nearest[seeds > 0]] = seeds[seeds > 0]
        made[part][inside] = of_seed[nearest[inside]]
    return made, first + int(is_cell.sum())


def _depths(labels: Labels, count: int) -> Floats:
    """Return (count - 1,): how far the deepest pixel of every region lies from its rim."""
    distance = cv2.distanceTransform((labels > 0).astype(np.uint8), cv2.DIST_L2, 3)
    # Of all pixels those that no neighbour exceeds: regions do not touch side by side.
    deepest = distance >= cv2.dilate(distance, CROSS)
    # Of the distances' own type: with a cast in between NumPy takes 28 times as long.
    most = np.zeros(count, distance.dtype)
    np.maximum.at(most, labels[deepest], distance[deepest])
    return most[1:].astype(np.float64)


def _middle(values: Floats, weights: NDArray[np.int_]) -> float:
    order = np.argsort(values)
    upto = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(upto, upto[-1] / 2)])


def _shrunk(mask: Gray, factor: int) -> Gray:
    grown = cv2.dilate(mask, np.ones((factor, factor), np.uint8), anchor=(0, 0))
    return np.asarray(grown[::factor, ::factor])


def _carried_on(mask: Gray, cell_px: float, free: FreeCellSettings) -> Gray:
    made = mask.copy()
    for turn in range(DIRECTIONS):
        angle = np.pi * turn / DIRECTIONS
        pieces = cv2.morphologyEx(mask, cv2.MORPH_OPEN, _bar(free.piece * cell_px, angle))
        # Two pieces of one line may lie a pixel beside each other.
        closed = cv2.morphologyEx(
            cv2.dilate(pieces, BESIDE), cv2.MORPH_CLOSE, _bar(free.gap * cell_px, angle)
        )
        made = np.asarray(cv2.bitwise_or(made, closed), np.uint8)
    return made


def _bar(length_px: float, angle: float) -> Gray:
    half = max(1, round(length_px / 2))
    bar = np.zeros((2 * half + 1, 2 * half + 1), np.uint8)
    x, y = round(half * np.cos(angle)), round(half * np.sin(angle))
    cv2.line(bar, (half - x, half - y), (half + x, half + y), 1)
    return bar
