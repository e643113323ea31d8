"""Thresholds of the stage ``grid`` for lattices of squares."""

from __future__ import annotations

from flowvision.vision.settings.threshold import SettingsGroup, settings_group, threshold


@settings_group
class GridSettings(SettingsGroup):
    """Which lattice of squares explains a region."""

    pitch_min_px: float = threshold(
        7.0, "px", "a dot of a smaller cell has too few pixels to be told from a pipe"
    )
    cells_min: int = threshold(3, "cells", "the smallest published boards are 3 cells high")
    hough_share: float = threshold(
        0.25, "of the view's length", "half a board's height; text and buttons are far shorter"
    )
    tilt_small: float = threshold(0.053, "radians", "3°: tilts the upright fit may still be asked about")
    tilt_least: float = threshold(
        0.006, "radians", "0.35°: a line leans over by its own width across a board"
    )
    tilt_large: float = threshold(0.26, "radians", "15°: a photograph taken by hand; more needs `--rotate`")
    tilt_alike: float = threshold(
        0.012, "radians", "lines of a family follow their common tilt to within 0.7°"
    )
    peak_share: float = threshold(
        0.15, "of the longest lines", "the outermost lines of a round board are a fifth of the longest"
    )
    spacing: float = threshold(0.07, "of the pitch", "lines lie on the lattice to within 1 px in 16")
    closure: float = threshold(
        0.25, "of the pitch", "a cell cut off by the picture's rim counts from here on: its dot would show"
    )
    side_cover: float = threshold(
        0.45,
        "of a side beside a pipe",
        "one of its two parts may be lost; text and buttons rarely frame a cell",
    )
    open_cover: float = threshold(
        0.7, "of a side beside a pipe", "lines run through outer cells without border; text covers half"
    )
    reach_cover: float = threshold(
        0.85, "of a side beside a pipe", "cells without a border show whole lines; pieces of buttons 0.8"
    )
    score: float = threshold(
        0.15, "0 to 1", "the right lattice scores 0.4 even in a photograph, every other one below 0.12"
    )
    fits: int = threshold(4, "lattices", "the right one is first or second in all that was seen")
