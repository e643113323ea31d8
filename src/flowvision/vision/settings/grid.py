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
    hough_lines: int = threshold(
        80, "lines", "the strongest of each direction: twice those of the largest boards; bounds time"
    )
    tilt_lines: int = threshold(3, "lines", "two lines agree by chance, three show how their tilt changes")
    tilt_base: float = threshold(
        0.25, "of the distance of the outermost lines", "lines nearer than that say little about the change"
    )
    refine_near_px: float = threshold(
        4.0, "px", "Hough bins are a quarter of a degree wide, 4 px over a board; then half of it"
    )
    refine_share: float = threshold(
        0.1, "of a line's length", "fewer pixels than that would fit a line to text or noise"
    )
    turn_min_px: float = threshold(1.0, "px", "a board that would move by less is upright already")
    peaks: int = threshold(
        400, "peaks", "the highest of more: ten times the lines of the largest boards, and bounded memory"
    )
    peak_neighbours: int = threshold(
        8, "peaks", "so many false peaks may lie between two lines that propose a pitch"
    )
    lines_min: int = threshold(3, "lines", "any two are evenly spaced")
    half_score: float = threshold(
        0.5,
        "of the score",
        "every second line: the others may be pipes half-way between, as likely as not",
    )
    line_slack: float = threshold(
        0.03,
        "of the pitch",
        "how far on both sides of its place a line is looked for: the rounding, and half of its width",
    )
    side_seen: float = threshold(
        0.18, "of the pitch", "of a side cut off by the view, less than this says nothing"
    )
    rim_cover: float = threshold(
        0.5, "of a side", "a border just beyond the view counts where its half shows on the rim"
    )
    grow_share: float = threshold(
        0.6, "of the inner lines", "most lines run through an outer cell whose border was cut off"
    )
    runs_on: float = threshold(
        0.5, "of the inner lines", "where half of the lines go on, the lattice has lost rows or columns"
    )
    runs_on_cost: float = threshold(
        0.5, "of the score", "the same lattice with all of its rows and columns scores more"
    )
    area_power: float = threshold(
        0.25, "power of the share of the view", "a lattice of half of the view scores 0.84 of one of all"
    )
    residual_max: float = threshold(
        0.125,
        "of the pitch",
        "lines that lie an eighth of a cell off are not on the lattice: confidence is 0 from there",
    )


@settings_group
class TintSettings(SettingsGroup):
    """Cells filled with a tint so strong that the lines between them are not seen."""

    value_min: float = threshold(
        40.0, "brightness", "tints that hide lines have 80 and more; glow and faint tints stay below 35"
    )
    value_max: float = threshold(
        190.0, "brightness", "half of white and half of black has 128; what is brighter is a light ground"
    )
    alike: float = threshold(7.0, "Lab", "a tint is flat but for dithering and JPEG noise")
    flat: float = threshold(
        0.7, "of the corners of a cell", "a pipe that turns or a glow behind the board may reach one of four"
    )
    step: float = threshold(10.0, "Lab", "two tints, or a tint and the ground, differ by 20 and more")
    carried_on: float = threshold(
        0.7, "of a side", "a side within one tint cannot be seen: it counts for less than one that is"
    )
    cells_min: int = threshold(3, "cells", "one finished flow fills three and more")
