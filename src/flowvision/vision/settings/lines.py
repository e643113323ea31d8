"""Thresholds of the stages ``board``, ``grid`` and ``sides``: lines, lattices of squares, walls."""

from __future__ import annotations

from typing import Annotated

from flowvision.vision.settings.threshold import SettingsGroup


class LineSettings(SettingsGroup, frozen=True, kw_only=True):
    """How thin bright lines are told from all else in a view."""

    view_px: Annotated[
        float, "px", "shorter side of the working picture: grid lines of a phone are still 1.5 px wide there"
    ] = 540
    width: Annotated[
        float,
        "of the view's shorter side",
        "grid lines are 0.3 %, outlines up to 0.9 %, pipes of a 15×15 2.2 %",
    ] = 0.011
    step: Annotated[
        float,
        "brightness × 4",
        "the weakest line seen is 24 above its cell at half size; blurred glow stays below 8",
    ] = 14.0
    noise: Annotated[
        float, "of the median response", "noise of a photograph exceeds 4 times its median in 1 of 100 pixels"
    ] = 4.0
    share: Annotated[
        float, "of the median line response", "a border line on a bright glow keeps a quarter of its contrast"
    ] = 0.16
    run_length: Annotated[
        float, "of the view's shorter side", "shorter pieces are text and dot rims, not grid lines"
    ] = 0.012
    width_min_px: Annotated[
        int, "px", "a line of 1 px on the smallest views, with a blurred pixel on both sides"
    ] = 3
    run_min_px: Annotated[int, "px", "on small views a letter is as long as the fraction above"] = 7
    run_tilted_px: Annotated[
        int, "px", "a slanted line is a staircase: its vertical pieces are short, and Hough joins them"
    ] = 5
    sharpness_max: Annotated[
        float,
        "of the weakest line",
        "where a line lies is told by many of its pixels, not by a few bright ones",
    ] = 8.0


class LineWeightSettings(SettingsGroup, frozen=True, kw_only=True):
    """How thick and bright one side of a cell is, which tells walls from plain lines."""

    step: Annotated[float, "brightness", "what a line stands above its surroundings at least"] = 6.0
    share: Annotated[
        float,
        "of its own brightness",
        "JPEG leaves waves of 0.09 on a pipe, a line on a bright tint stands out by 0.27",
    ] = 0.12
    brightness_max: Annotated[
        float,
        "times its height above its surroundings",
        "a line on the brightest tint stands out by 0.27 of its brightness; JPEG leaves what does so less",
    ] = 4.0
    thick: Annotated[
        float,
        "of the usual strength",
        "plain lines hardly reach it; what does is looked at again without JPEG",
    ] = 2.0
    places_min: Annotated[int, "places along a short side", "as many show beside a pipe that crosses it"] = 3
    strength_min: Annotated[
        float, "brightness × share of the width", "a side below it is hidden by a pipe or not there"
    ] = 1.0
    clear: Annotated[
        float, "times, between a side and a wall", "a fifth is as far as JPEG moves the strength of a side"
    ] = 1.2


class BoardSettings(SettingsGroup, frozen=True, kw_only=True):
    """Which groups of lines may be a board."""

    size: Annotated[
        float, "of the picture's shorter side", "a board on a landscape desktop takes a third of the height"
    ] = 0.14
    margin: Annotated[
        float, "of the region's size", "space to see a border line that lies just outside the contour"
    ] = 0.06
    margin_wide: Annotated[
        float, "of the region's size", "two columns of a small board whose lines a photograph lost"
    ] = 0.35
    regions: Annotated[int, "boards", "beyond the four largest contours there are only buttons"] = 4
    likely: Annotated[int, "boards", "on this many it takes 20 ms to see whether cells hold anything"] = 16
    second_attempts: Annotated[
        int, "boards", "other dots are looked for on at most this many; each takes up to 70 ms"
    ] = 6
    regions_of_colour: Annotated[
        int,
        "boards",
        "the same in the channel of a colour, for groups of cells too: asked for boards full of tints, whose "
        "lines are most of what is seen (43 of 43)",
    ] = 1
    cell_alike: Annotated[float, "of a cell's area", "cells of one board are equal but for line widths"] = (
        0.25
    )
    cell_gap: Annotated[
        float,
        "of a cell",
        "how far cells of one board are grown to touch: lines and gaps of tiles are narrower",
    ] = 0.2
    cell_gap_px: Annotated[int, "px", "the same for small cells, whose lines are as wide as large ones'"] = 3
    same_lines: Annotated[
        float, "of its line pixels", "a third of the colour channels differ by less from an earlier one"
    ] = 0.05
    other_size: Annotated[
        float, "of the board's area", "smaller groups of lines beside a board are buttons and banners"
    ] = 0.25
    other_fits: Annotated[
        float,
        "of the board's shorter side",
        "above and below, where no board as large fits in, none is looked for: most boards (237 of 251) have "
        "less space there",
    ] = 0.95
    other_beside: Annotated[
        float, "of the board's shorter side", "likewise on its left and right, where phones have no space"
    ] = 0.5
    other_margin: Annotated[
        float, "of its shorter side", "margin round another board, so that its border is cut out with it"
    ] = 0.03


class GridSettings(SettingsGroup, frozen=True, kw_only=True):
    """Which lattice of squares explains a region."""

    pitch_min_px: Annotated[
        float, "px", "a dot of a smaller cell has too few pixels to be told from a pipe"
    ] = 7.0
    pitch_small_px: Annotated[
        float, "px", "cells of a smaller picture are looked at enlarged as well, where nothing was believed"
    ] = 18.0
    cells_min: Annotated[int, "cells", "the smallest published boards are 3 cells high"] = 3
    hough_share: Annotated[
        float, "of the view's length", "half a board's height; text and buttons are far shorter"
    ] = 0.25
    tilt_small: Annotated[float, "radians", "3°: tilts at which a region may still be read as it is"] = 0.053
    tilt_least: Annotated[float, "radians", "0.35°: a line leans over by its own width across a board"] = (
        0.006
    )
    tilt_large: Annotated[float, "radians", "15°: a photograph taken by hand; more needs `--rotate`"] = 0.26
    tilt_alike: Annotated[float, "radians", "lines of a family follow their common tilt to within 0.7°"] = (
        0.012
    )
    peak_share: Annotated[
        float, "of the longest lines", "the outermost lines of a round board are a fifth of the longest"
    ] = 0.15
    spacing: Annotated[float, "of the pitch", "lines lie on the lattice to within 1 px in 16"] = 0.07
    closure: Annotated[
        float, "of the pitch", "a cell cut off by the picture's rim counts from here on: its dot would show"
    ] = 0.25
    side_cover: Annotated[
        float,
        "of a side beside a pipe",
        "one of its two parts may be lost; text and buttons rarely frame a cell",
    ] = 0.45
    open_cover: Annotated[
        float, "of a side beside a pipe", "lines run through outer cells without border; text covers half"
    ] = 0.7
    reach_cover: Annotated[
        float, "of a side beside a pipe", "cells without a border show whole lines; pieces of buttons 0.8"
    ] = 0.85
    score: Annotated[
        float, "0 to 1", "the right lattice scores 0.4 even in a photograph, every other one below 0.12"
    ] = 0.15
    whole: Annotated[
        float,
        "0 to 1",
        "screenshots score 0.8 and more; every second line, or pipes taken for lines, below 0.6",
    ] = 0.7
    fits: Annotated[int, "lattices", "the right one is first or second in all that was seen"] = 4
    hough_lines: Annotated[
        int, "lines", "the strongest of each direction: twice those of the largest boards; bounds time"
    ] = 80
    tilt_lines: Annotated[int, "lines", "two lines agree by chance, three show how their tilt changes"] = 3
    tilt_base: Annotated[
        float, "of the distance of the outermost lines", "lines nearer than that say little about the change"
    ] = 0.25
    refine_near_px: Annotated[
        float, "px", "Hough bins are a quarter of a degree wide, 4 px over a board; then half of it"
    ] = 4.0
    refine_share: Annotated[
        float, "of a line's length", "fewer pixels than that would fit a line to text or noise"
    ] = 0.1
    turn_min_px: Annotated[float, "px", "a board that would move by less is upright already"] = 1.0
    extended_off: Annotated[
        float, "of the pitch", "thick lines, and parts of a few cells, put the edges of a region so far off"
    ] = 0.2
    extended_part: Annotated[
        float, "of the cells", "3x3 of a 7x5 were seen under pipes; fewer agree with a region by chance"
    ] = 0.2
    peaks: Annotated[
        int, "peaks", "the highest of more: ten times the lines of the largest boards, and bounded memory"
    ] = 400
    peak_neighbours: Annotated[
        int, "peaks", "the most false peaks between two lines that propose a pitch"
    ] = 8
    lines_min: Annotated[int, "lines", "any two are evenly spaced"] = 3
    half_score: Annotated[
        float, "of the score", "every second line: the others may be pipes half-way between, as likely as not"
    ] = 0.5
    line_slack: Annotated[
        float,
        "of the pitch",
        "how far on both sides of its place a line is looked for: the rounding, and half of its width",
    ] = 0.03
    side_seen: Annotated[
        float, "of the pitch", "of a side cut off by the view, less than this says nothing"
    ] = 0.18
    rim_cover: Annotated[
        float, "of a side", "a border just beyond the view counts where its half shows on the rim"
    ] = 0.5
    grow_share: Annotated[
        float, "of the inner lines", "most lines run through an outer cell whose border was cut off"
    ] = 0.6
    bare: Annotated[
        float,
        "of the usual row",
        "letters and buttons look like some of the lines that end at a board's border",
    ] = 0.5
    bare_rows: Annotated[int, "rows", "a header and a row of buttons; more are no accident"] = 2
    runs_on: Annotated[
        float, "of the inner lines", "where half of the lines go on, the lattice has lost rows or columns"
    ] = 0.5
    runs_on_cost: Annotated[
        float, "of the score", "the same lattice with all of its rows and columns scores more"
    ] = 0.5
    area_power: Annotated[
        float, "power of the share of the view", "a lattice of half of the view scores 0.84 of one of all"
    ] = 0.25
    residual_max: Annotated[
        float,
        "of the pitch",
        "lines that lie an eighth of a cell off are not on the lattice: confidence is 0 from there",
    ] = 0.125


class TintSettings(SettingsGroup, frozen=True, kw_only=True):
    """Cells filled with a tint so strong that the lines between them are not seen."""

    value_min: Annotated[
        float, "brightness", "tints that hide lines have 80 and more; glow and faint tints stay below 35"
    ] = 40.0
    value_max: Annotated[
        float, "brightness", "half of white and half of black has 128; what is brighter is a light background"
    ] = 190.0
    alike: Annotated[float, "Lab", "a tint is flat but for dithering and JPEG noise"] = 7.0
    flat: Annotated[
        float,
        "of the corners of a cell",
        "a pipe that turns or a glow behind the board may reach one of four",
    ] = 0.7
    step: Annotated[float, "Lab", "two tints, or a tint and the background, differ by 20 and more"] = 10.0
    carried_on: Annotated[
        float, "of a side", "a side within one tint cannot be seen: it counts for less than one that is"
    ] = 0.7
    cells_min: Annotated[int, "cells", "one finished flow fills three and more"] = 3


class WallSettings(SettingsGroup, frozen=True, kw_only=True):
    """Which sides are walls, and which places are holes."""

    strength: Annotated[
        float, "of the median side", "outlines and walls have 3.3 to 9, plain lines up to 2.3"
    ] = 2.8
    complete: Annotated[
        float,
        "of the places along a side",
        "true walls show at eight of nine and more (99.3 % in damaged pictures), glare and halos at 3 to 7",
    ] = 0.8
    rise: Annotated[
        float,
        "of a plain line's height above its background",
        "walls rise by 1.7 and more above theirs; in glare, which lights the background, lines by 0.4 to 0.8",
    ] = 1.0
    whole: Annotated[
        float,
        "of the places along a side",
        "a wall that hides a solution is doubted where any place is amiss",
    ] = 1.0
    few: Annotated[int, "walls", "99 % of the published boards with walls have as many and more"] = 4
    outline_share: Annotated[
        float, "of the sides round a gap", "round a hole nearly all are outline, round a lost line hardly any"
    ] = 0.75
    border_reach: Annotated[
        float, "of the board", "how far beyond a board its border reaches; text begins at 0.016"
    ] = 0.01


class LineGroups(SettingsGroup, frozen=True, kw_only=True):
    """The groups of lines, and of what lines enclose."""

    lines: LineSettings = LineSettings()
    line_weight: LineWeightSettings = LineWeightSettings()
    board: BoardSettings = BoardSettings()
    grid: GridSettings = GridSettings()
    tints: TintSettings = TintSettings()
    walls: WallSettings = WallSettings()
