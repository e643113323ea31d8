"""Thresholds of the stage ``grid`` where no plain lattice explains a region."""

from __future__ import annotations

from flowvision.vision.settings.threshold import SettingsGroup, settings_group, threshold


@settings_group
class HexagonSettings(SettingsGroup):
    """Which lattice of hexagons explains a region."""

    side: float = threshold(
        0.33, "of a plain line", "the faintest side of a tinted hexagon; glow bars are parted by the outline"
    )
    sides: int = threshold(
        5, "of six sides", "a letter or the rim may hide one; a pipe, seen itself, another"
    )
    wall: float = threshold(2.13, "of a plain line", "outlines have 2.3 and more, plain sides up to 1.96")
    outline: float = threshold(
        0.62, "of the outline", "walls have 0.79 of the fainter parts of it and more, plain sides up to 0.49"
    )
    quality: float = threshold(
        0.75, "of the sides", "hexagons have 0.9 and more; laid over squares or glow, 0.6 at most"
    )
    match: float = threshold(
        0.2, "of a perfect match", "hexagons have 0.3 and more when placed roughly, other lines below 0.2"
    )
    border: float = threshold(
        0.6, "of a side", "outer sides show 0.76 and more of their length, letters beside the board 0.41"
    )


@settings_group
class FreeCellSettings(SettingsGroup):
    """Which regions between lines are cells."""

    line_width: float = threshold(
        0.02, "of the view's shorter side", "outlines of free boards are up to 1.5 % thick; their dots 5 %"
    )
    line_step: float = threshold(
        18.0, "brightness", "slanted lines are softer: 40 above their cells at least"
    )
    side: float = threshold(
        0.2, "of a cell's width", "cells that only touch at a corner meet over a line's width"
    )
    cell_px: float = threshold(6.0, "px", "the root of the area of the smallest region that counts as a cell")
