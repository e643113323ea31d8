"""Thresholds of the stages ``board``, ``grid`` and ``sides``: lines, lattices of squares, walls."""

from __future__ import annotations

from flowvision.vision.settings.threshold import SettingsGroup, setting, settings_group


@settings_group
class LineSettings(SettingsGroup):
    """How thin bright lines are told from all else in a view."""

    view_px: float = setting(
        540, "px", "shorter side of the working picture: grid lines of a phone are still 1.5 px wide there"
    )
    width: float = setting(
        0.011,
        "of the view's shorter side",
        "grid lines are 0.3 %, outlines up to 0.9 %, pipes of a 15×15 2.2 %",
    )
    step: float = setting(
        14.0,
        "brightness × 4",
        "the weakest line seen is 24 above its cell at half size; blurred glow stays below 8",
    )
    noise: float = setting(
        4.0, "of the median response", "noise of a photograph exceeds 4 times its median in 1 of 100 pixels"
    )
    share: float = setting(
        0.16, "of the median line response", "a border line on a bright glow keeps a quarter of its contrast"
    )
    run_length: float = setting(
        0.012, "of the view's shorter side", "shorter pieces are text and dot rims, not grid lines"
    )
    width_min_px: int = setting(
        3, "px", "a line of 1 px on the smallest views, with a blurred pixel on both sides"
    )
    run_min_px: int = setting(7, "px", "on small views a letter is as long as the fraction above")
    run_tilted_px: int = setting(
        5, "px", "a slanted line is a staircase: its vertical pieces are short, and Hough joins them"
    )
    sharpness_max: float = setting(
        8.0,
        "of the weakest line",
        "where a line lies is told by many of its pixels, not by a few bright ones",
    )


@settings_group
class LineWeightSettings(SettingsGroup):
    """How thick and bright one side of a cell is, which tells walls from plain lines."""

    step: float = setting(6.0, "brightness", "what a line stands above its surroundings at least")
    share: float = setting(
        0.12,
        "of its own brightness",
        "JPEG leaves waves of 0.09 on a pipe, a line on a bright tint stands out by 0.27",
    )
    brightness_max: float = setting(
        4.0,
        "times its height above its surroundings",
        "a line on the brightest tint stands out by 0.27 of its brightness; JPEG leaves what does so less",
    )
    thick: float = setting(
        2.0, "of the usual strength", "plain lines hardly reach it; what does is looked at again without JPEG"
    )
    places_min: int = setting(3, "places along a short side", "as many show beside a pipe that crosses it")
    strength_min: float = setting(
        1.0, "brightness × share of the width", "a side below it is hidden by a pipe or not there"
    )
    clear: float = setting(
        1.2, "times, between a side and a wall", "a fifth is as far as JPEG moves the strength of a side"
    )


@settings_group
class BoardSettings(SettingsGroup):
    """Which groups of lines may be a board."""

    size: float = setting(
        0.14, "of the picture's shorter side", "a board on a landscape desktop takes a third of the height"
    )
    margin: float = setting(
        0.06, "of the region's size", "space to see a border line that lies just outside the contour"
    )
    margin_wide: float = setting(
        0.35, "of the region's size", "two columns of a small board whose lines a photograph lost"
    )
    regions: int = setting(4, "boards", "beyond the four largest contours there are only buttons")
    likely: int = setting(16, "boards", "on this many it takes 20 ms to see whether cells hold anything")
    second_attempts: int = setting(
        6, "boards", "other dots are looked for on at most this many; each takes up to 70 ms"
    )
    regions_of_colour: int = setting(
        1,
        "boards",
        "the same in the channel of a colour, for groups of cells too: asked for boards full of tints, whose "
        "lines are most of what is seen (43 of 43)",
    )
    cell_alike: float = setting(0.25, "of a cell's area", "cells of one board are equal but for line widths")
    cell_gap: float = setting(
        0.2,
        "of a cell",
        "how far cells of one board are grown to touch: lines and gaps of tiles are narrower",
    )
    cell_gap_px: int = setting(3, "px", "the same for small cells, whose lines are as wide as large ones'")
    same_lines: float = setting(
        0.05, "of its line pixels", "a third of the colour channels differ by less from an earlier one"
    )
    other_size: float = setting(
        0.25, "of the board's area", "smaller groups of lines beside a board are buttons and banners"
    )
    other_fits: float = setting(
        0.95,
        "of the board's shorter side",
        "above and below, where no board as large fits in, none is looked for: most boards (237 of 251) have "
        "less space there",
    )
    other_beside: float = setting(
        0.5, "of the board's shorter side", "likewise on its left and right, where phones have no space"
    )
    other_margin: float = setting(
        0.03, "of its shorter side", "margin round another board, so that its border is cut out with it"
    )


@settings_group
class GridSettings(SettingsGroup):
    """Which lattice of squares explains a region."""

    pitch_min_px: float = setting(
        7.0, "px", "a dot of a smaller cell has too few pixels to be told from a pipe"
    )
    pitch_small_px: float = setting(
        18.0, "px", "cells of a smaller picture are looked at enlarged as well, where nothing was believed"
    )
    cells_min: int = setting(3, "cells", "the smallest published boards are 3 cells high")
    hough_share: float = setting(
        0.25, "of the view's length", "half a board's height; text and buttons are far shorter"
    )
    tilt_small: float = setting(0.053, "radians", "3°: tilts at which a region may still be read as it is")
    tilt_least: float = setting(0.006, "radians", "0.35°: a line leans over by its own width across a board")
    tilt_large: float = setting(0.26, "radians", "15°: a photograph taken by hand; more needs `--rotate`")
    tilt_alike: float = setting(0.012, "radians", "lines of a family follow their common tilt to within 0.7°")
    peak_share: float = setting(
        0.15, "of the longest lines", "the outermost lines of a round board are a fifth of the longest"
    )
    spacing: float = setting(0.07, "of the pitch", "lines lie on the lattice to within 1 px in 16")
    closure: float = setting(
        0.25, "of the pitch", "a cell cut off by the picture's rim counts from here on: its dot would show"
    )
    side_cover: float = setting(
        0.45,
        "of a side beside a pipe",
        "one of its two parts may be lost; text and buttons rarely frame a cell",
    )
    open_cover: float = setting(
        0.7, "of a side beside a pipe", "lines run through outer cells without border; text covers half"
    )
    reach_cover: float = setting(
        0.85, "of a side beside a pipe", "cells without a border show whole lines; pieces of buttons 0.8"
    )
    score: float = setting(
        0.15, "0 to 1", "the right lattice scores 0.4 even in a photograph, every other one below 0.12"
    )
    whole: float = setting(
        0.7,
        "0 to 1",
        "screenshots score 0.8 and more; every second line, or pipes taken for lines, below 0.6",
    )
    fits: int = setting(4, "lattices", "the right one is first or second in all that was seen")
    hough_lines: int = setting(
        80, "lines", "the strongest of each direction: twice those of the largest boards; bounds time"
    )
    tilt_lines: int = setting(3, "lines", "two lines agree by chance, three show how their tilt changes")
    tilt_base: float = setting(
        0.25, "of the distance of the outermost lines", "lines nearer than that say little about the change"
    )
    refine_near_px: float = setting(
        4.0, "px", "Hough bins are a quarter of a degree wide, 4 px over a board; then half of it"
    )
    refine_share: float = setting(
        0.1, "of a line's length", "fewer pixels than that would fit a line to text or noise"
    )
    turn_min_px: float = setting(1.0, "px", "a board that would move by less is upright already")
    extended_off: float = setting(
        0.2, "of the pitch", "thick lines, and parts of a few cells, put the edges of a region so far off"
    )
    extended_part: float = setting(
        0.2, "of the cells", "3x3 of a 7x5 were seen under pipes; fewer agree with a region by chance"
    )
    peaks: int = setting(
        400, "peaks", "the highest of more: ten times the lines of the largest boards, and bounded memory"
    )
    peak_neighbours: int = setting(8, "peaks", "the most false peaks between two lines that propose a pitch")
    lines_min: int = setting(3, "lines", "any two are evenly spaced")
    half_score: float = setting(
        0.5, "of the score", "every second line: the others may be pipes half-way between, as likely as not"
    )
    line_slack: float = setting(
        0.03,
        "of the pitch",
        "how far on both sides of its place a line is looked for: the rounding, and half of its width",
    )
    side_seen: float = setting(
        0.18, "of the pitch", "of a side cut off by the view, less than this says nothing"
    )
    rim_cover: float = setting(
        0.5, "of a side", "a border just beyond the view counts where its half shows on the rim"
    )
    grow_share: float = setting(
        0.6, "of the inner lines", "most lines run through an outer cell whose border was cut off"
    )
    bare: float = setting(
        0.5,
        "of the usual row",
        "letters and buttons look like some of the lines that end at a board's border",
    )
    bare_rows: int = setting(2, "rows", "a header and a row of buttons; more are no accident")
    runs_on: float = setting(
        0.5, "of the inner lines", "where half of the lines go on, the lattice has lost rows or columns"
    )
    runs_on_cost: float = setting(
        0.5, "of the score", "the same lattice with all of its rows and columns scores more"
    )
    area_power: float = setting(
        0.25, "power of the share of the view", "a lattice of half of the view scores 0.84 of one of all"
    )
    residual_max: float = setting(
        0.125,
        "of the pitch",
        "lines that lie an eighth of a cell off are not on the lattice: confidence is 0 from there",
    )


@settings_group
class TintSettings(SettingsGroup):
    """Cells filled with a tint so strong that the lines between them are not seen."""

    value_min: float = setting(
        40.0, "brightness", "tints that hide lines have 80 and more; glow and faint tints stay below 35"
    )
    value_max: float = setting(
        190.0, "brightness", "half of white and half of black has 128; what is brighter is a light background"
    )
    alike: float = setting(7.0, "Lab", "a tint is flat but for dithering and JPEG noise")
    flat: float = setting(
        0.7, "of the corners of a cell", "a pipe that turns or a glow behind the board may reach one of four"
    )
    step: float = setting(10.0, "Lab", "two tints, or a tint and the background, differ by 20 and more")
    carried_on: float = setting(
        0.7, "of a side", "a side within one tint cannot be seen: it counts for less than one that is"
    )
    cells_min: int = setting(3, "cells", "one finished flow fills three and more")


@settings_group
class WallSettings(SettingsGroup):
    """Which sides are walls, and which places are holes."""

    strength: float = setting(
        2.8, "of the median side", "outlines and walls have 3.3 to 9, plain lines up to 2.3"
    )
    complete: float = setting(
        0.8,
        "of the places along a side",
        "true walls show at eight of nine and more (99.3 % in damaged pictures), glare and halos at 3 to 7",
    )
    rise: float = setting(
        1.0,
        "of a plain line's height above its background",
        "walls rise by 1.7 and more above theirs; in glare, which lights the background, lines by 0.4 to 0.8",
    )
    whole: float = setting(
        1.0, "of the places along a side", "a wall that hides a solution is doubted where any place is amiss"
    )
    few: int = setting(4, "walls", "99 % of the published boards with walls have as many and more")
    outline_share: float = setting(
        0.75, "of the sides round a gap", "round a hole nearly all are outline, round a lost line hardly any"
    )
    border_reach: float = setting(
        0.01, "of the board", "how far beyond a board its border reaches; text begins at 0.016"
    )


@settings_group
class LineGroups(SettingsGroup):
    """The groups of lines, and of what lines enclose."""

    lines: LineSettings = LineSettings()
    line_weight: LineWeightSettings = LineWeightSettings()
    board: BoardSettings = BoardSettings()
    grid: GridSettings = GridSettings()
    tints: TintSettings = TintSettings()
    walls: WallSettings = WallSettings()
