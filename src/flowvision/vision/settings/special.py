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
    period_peak: float = threshold(
        0.3,
        "of the best period's score",
        "lower peaks are letters and pipes; the right height is among the first",
    )
    period_alike: float = threshold(
        0.02, "of the height", "heights that differ by less become one when the lattice is placed"
    )
    line: float = threshold(
        0.35, "of the widest line", "half-width of the lines that are matched: as thick as plain ones"
    )
    line_min: float = threshold(
        0.02, "of a hexagon's width", "the same on large cells: a line is never thinner than 1 px in 50"
    )
    shown_min: float = threshold(
        0.05, "of the strongest side", "an outline is up to eight times a plain line, so less is no line"
    )
    plain_spread: float = threshold(
        1.75, "of the fainter sides", "plain lines differ by less; on small boards most sides are outline"
    )
    middle_shown: float = threshold(
        0.5,
        "of the middle part of a side",
        "a wall shows all of it, a side that a pipe crosses nothing",
    )
    scraps: int = threshold(
        2, "outer sides", "a cell with so many of them in scraps is a line of text beside the board"
    )
    upright: float = threshold(
        0.6,
        "of the view's height",
        "the longest upright line: boards of hexagons have 0.56 at most, squares without tilt 0.8 and more",
    )
    enough: int = threshold(
        15,
        "cells",
        "with so many, seen as well as below, no other height nor any lattice of squares is tried",
    )
    sure: float = threshold(0.97, "of the sides", "how well these are seen")
    thick: float = threshold(1.7, "of a plain line", "outlines are two to three times as thick and brighter")


@settings_group
class FreeCellSettings(SettingsGroup):
    """Which regions between lines are cells."""

    line_width: float = threshold(
        0.02, "of the view's shorter side", "outlines of free boards are up to 1.5 % thick; their dots 5 %"
    )
    line_step: float = threshold(
        18.0, "brightness", "slanted lines are softer: 40 above their cells at least"
    )
    line_min_px: int = threshold(2, "px", "half of the width of lines on small views, which are blurred")
    side: float = threshold(
        0.2, "of a cell's width", "cells that only touch at a corner meet over a line's width"
    )
    cell_px: float = threshold(6.0, "px", "the root of the area of the smallest region that counts as a cell")
    meeting: float = threshold(
        0.75, "of the widest line", "how far from both regions a pixel of the line between them may lie"
    )
    outline: float = threshold(
        2.0, "of the faint part of a side", "where a line runs into an outline it is as thick as this"
    )
    off_lattice: float = threshold(
        0.15, "of the distance between neighbours", "how far a cell may lie from its place on a lattice"
    )
    contacts_min: int = threshold(4, "sides", "fewer do not say how far apart rows and columns are")
