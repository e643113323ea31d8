"""Thresholds of the stage ``board``: which part of the picture holds one."""

from __future__ import annotations

from flowvision.vision.settings.threshold import SettingsGroup, settings_group, threshold


@settings_group
class BoardSettings(SettingsGroup):
    """Which groups of lines may be a board."""

    size: float = threshold(
        0.14, "of the picture's shorter side", "a board on a landscape desktop takes a third of the height"
    )
    margin: float = threshold(
        0.06, "of the region's size", "room to see a border line that lies just outside the contour"
    )
    margin_wide: float = threshold(
        0.35, "of the region's size", "two columns of a small board whose lines a photograph lost"
    )
    regions: int = threshold(4, "boards", "beyond the four largest contours there are only buttons")
    regions_of_colour: int = threshold(
        1,
        "boards",
        "the same in the channel of a colour, for groups of cells too: asked for boards full of tints, whose "
        "lines are most of what is seen (43 of 43)",
    )
    cell_alike: float = threshold(
        0.25, "of a cell's area", "cells of one board are equal but for line widths"
    )
    cell_gap: float = threshold(
        0.2,
        "of a cell",
        "how far cells of one board are grown to touch: lines and gaps of tiles are narrower",
    )
    cell_gap_px: int = threshold(3, "px", "the same for small cells, whose lines are as wide as large ones'")
    same_lines: float = threshold(
        0.05, "of its line pixels", "a third of the colour channels differ by less from an earlier one"
    )
    other_size: float = threshold(
        0.25, "of the board's area", "smaller groups of lines beside a board are buttons and banners"
    )
    other_margin: float = threshold(
        0.03, "of its shorter side", "room round another board, so that its border is cut out with it"
    )
