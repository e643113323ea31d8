"""Thresholds of the reader by stage.

Modules import the groups that they use. Lengths are fractions of the picture's shorter side or of the pitch
(the width of a cell); brightness is 0 to 255, colour distances are CIE Lab units. A comment gives the unit,
then the reason.
"""

from __future__ import annotations

from msgspec import Struct


class LineSettings(Struct, frozen=True):
    """Thin bright lines in a view."""

    view_px: float = 540  # px: shorter side of the working picture
    width: float = 0.011  # of the view's shorter side: grid lines are 0.3 %, outlines up to 0.9 %
    step: float = 14.0  # brightness × 4: the weakest line seen is 24 above its cell at half size
    noise: float = 4.0  # of the median response: a photograph's noise exceeds it in 1 of 100 pixels
    share: float = 0.16  # of the median line response: a border on a bright glow keeps a quarter
    run_length: float = 0.012  # of the view's shorter side: shorter pieces are text and dot rims
    width_min_px: int = 3  # px: a line of 1 px on the smallest views, with a blurred pixel on both sides
    run_min_px: int = 7  # px: on small views a letter is as long as the fraction above
    sharpness_max: float = 8.0  # of the weakest line: many pixels of a line locate it


class LineWeightSettings(Struct, frozen=True):
    """Weight of one side of a cell, which tells walls from plain lines."""

    step: float = 6.0  # brightness: what a line stands above its surroundings at least
    share: float = 0.12  # of its own brightness: JPEG leaves waves of 0.09 on a pipe
    # times its height above its surroundings: a line on the brightest tint stands out by 0.27 of its
    # brightness, JPEG artefacts by less
    brightness_per_rise_max: float = 4.0
    thick: float = 2.0  # of the usual strength: plain lines hardly reach it
    places_min: int = 3  # places along a short side: as many show beside a pipe that crosses it
    strength_min: float = 1.0  # brightness × share of the width: a side below it is hidden or missing
    clear: float = 1.2  # times, between a side and a wall: JPEG moves the strength of a side by a fifth


class BoardSettings(Struct, frozen=True):
    """Groups of lines that may be a board."""

    # of the picture's shorter side: a board on a landscape desktop takes a third of the height
    size: float = 0.14
    margin: float = 0.06  # of the region's size: space for a border line just outside the contour
    margin_wide: float = 0.35  # of it: half of each outer cell, where only lines between cells are thin
    regions: int = 4  # boards: beyond the four largest contours there are only buttons
    likely_max: int = 16  # boards: on this many it takes 0.2 s to see whether cells hold discs
    second_attempts: int = 6  # boards: other dots are searched on at most this many; each takes up to 70 ms
    regions_later: int = 2  # boards: the same in channels for boards that are played or of another colour
    same_lines: float = 0.05  # of its line pixels: a third of the later channels differ by less from another
    other_room: float = 0.35  # of the board's shorter side: room for another one beside, above or below it
    screen_room: float = 0.8  # of it: more than a screen of the game leaves above or below its board
    other_size: float = 0.1  # of the board's area: smaller groups of lines are buttons and banners
    other_small: float = 0.25  # of the board's area: banners show grids as well, so more dots are needed
    other_margin: float = 0.03  # of its shorter side: margin round another board


class GridSettings(Struct, frozen=True):
    """Lattices of squares."""

    pitch_min_px: float = 7.0  # px: a dot of a smaller cell has too few pixels to differ from a pipe
    pitch_small_px: float = 18.0  # px: cells of a smaller picture are looked at enlarged as well
    cells_min: int = 3  # cells: the smallest published boards are 3 cells high
    hough_share: float = 0.25  # of the view's length: half a board's height; text and buttons are far shorter
    tilt_small: float = 0.053  # radians: 3°: tilts at which a region may still be read as it is
    tilt_least: float = 0.006  # radians: 0.35°: a line leans over by its own width across a board
    tilt_large: float = 0.26  # radians: 15°: a photograph taken by hand; more needs `--rotate`
    peak_share: float = 0.15  # of the longest lines: the outermost lines of a round board have a fifth
    spacing: float = 0.07  # of the pitch: lines lie on the lattice to within 1 px in 16
    closure: float = 0.25  # of the pitch: a cell cut off by the picture's rim counts from here on
    side_cover: float = 0.45  # of a side beside a pipe: one of its two parts may be lost
    open_cover: float = 0.7  # of a side beside a pipe: lines run through outer cells without border
    score: float = 0.15  # 0 to 1: the right lattice scores 0.4 even in a photograph
    fits: int = 4  # lattices: the right one is first or second in all that was seen
    peaks: int = 400  # the highest of more: ten times the lines of the largest boards, and bounded memory
    peak_neighbours: int = 8  # peaks: the most false peaks between two lines that propose a pitch
    lines_min: int = 3  # lines: any two are evenly spaced
    line_slack: float = 0.03  # of the pitch: how far on both sides of its place a line may be
    side_seen: float = 0.18  # of the pitch: of a side cut off by the view, less than this says nothing
    runs_on: float = (
        0.5  # of the inner lines that continue past the block, and of the sides of a border that are hidden
    )
    runs_on_cost: float = 0.5  # of the score: the same lattice with all of its rows and columns scores more
    # power of the share of the view: a lattice of half of the view scores 0.84 of one of all
    area_power: float = 0.25
    off_lattice: float = 0.15  # of the pitch: how far off its place a circle or a cell of any shape may lie
    residual_max: float = 0.125  # of the pitch: lines that lie an eighth of a cell off are not on the lattice


class TintSettings(Struct, frozen=True):
    """Cells filled with a tint so strong that the lines between them are not seen."""

    value_min: float = 40.0  # brightness: tints that hide lines have 80 and more
    value_max: float = 190.0  # brightness: half of white and half of black has 128
    # Lab: half of what two tints, or a tint and the background, differ by; JPEG at small cells takes 8 of it
    alike: float = 10.0
    flat: float = 0.7  # of the corners of a cell: a pipe or a glow may reach one of four
    within: float = 0.7  # of a side: a side within one tint cannot be seen
    cells_min: int = 3  # cells: one finished flow fills three and more


class WallSettings(Struct, frozen=True):
    """Walls and holes."""

    strength: float = 2.8  # of the median side: outlines and walls have 3.3 to 9, plain lines up to 2.3
    complete: float = 0.8  # of the places along a side: true walls show at eight of nine, glare at 3 to 7
    # of what a usual stroke stands out by: tints and uneven light change lines by up to 0.6 of it; of what
    # an odd stroke differs by: JPEG changes plain strokes beside dots by up to 0.3 of it
    odd_colour: float = 0.75
    # times what a usual stroke stands out by: in a shrunk picture a thin line between two pixels is blurred
    sharper: float = 1.5
    usual_share: float = 0.5  # of the sides: on a solved board with tints every stroke has another colour
    few: int = 4  # walls: 99 % of the published boards with walls have as many and more
    outline_share: float = 0.75  # of the sides round a gap: round a hole nearly all are outline
    border_reach: float = 0.01  # of the board: how far beyond a board its border reaches


class HexagonSettings(Struct, frozen=True):
    """Lattices of hexagons."""

    side_strength_min: float = 0.33  # of a plain line: the faintest side of a tinted hexagon
    sides_min: int = 4  # of six sides: a letter or the rim may hide one, a pipe another
    wall_strength_min: float = 2.13  # of a plain line: outlines have 2.3 and more, plain sides up to 1.96
    wall_of_outline: float = 0.62  # of the outline: walls have 0.79 of the fainter parts of it and more
    # of the sides: hexagons have 0.9 and more; laid over squares or glow, 0.6 at most
    quality_min: float = 0.75
    match_min: float = 0.2  # of a perfect match: hexagons have 0.3 and more when placed roughly
    border_shown_min: float = 0.6  # of a side: outer sides show 0.76 and more of their length
    period_peak: float = 0.3  # of the best period's score: lower peaks are letters and pipes
    period_alike: float = 0.02  # of the height: heights nearer than that become one when placed
    # of the widest line: half-width of the lines that are matched: as thick as plain ones
    line_half_width: float = 0.35
    middle_shown: float = 0.5  # of the middle part of a side: a wall shows all of it, a crossed side nothing
    # outer sides: a cell with this many of them in scraps is a line of text beside the board
    scraps_of_text: int = 2
    vertical_line_max: float = 0.6  # of the view's height: the longest vertical line
    cells_sure: int = 15  # cells: with this many, seen as well as below
    quality_sure: float = 0.97  # of the sides: how well these are seen


class FreeCellSettings(Struct, frozen=True):
    """Regions between lines that are cells."""

    line_width: float = 0.02  # of the view's shorter side: outlines of free boards are up to 1.5 % thick
    line_step: float = 18.0  # brightness: slanted lines are softer: 40 above their cells at least
    # of a cell's width: cells that only touch at a corner meet over a line's width
    side_length_min: float = 0.2
    cell_px: float = 6.0  # px: the root of the area of the smallest region that counts as a cell
    scrap_area: float = 0.1  # of the median cell's area: smaller ones are insides of letters
    joined_area: float = 1.6  # of a cell's width squared: slim rhombs have 1.4, two joined cells 2 and more
    piece: float = 0.3  # of a cell's width: of a line as long as a cell
    gap: float = 0.7  # of a cell's width: a pipe is 0.34 wide, and crosses a slanted side in up to 0.55 of it


class CircleSettings(Struct, frozen=True):
    """Circles, discs, and boards of circles."""

    step: float = 80.0  # Sobel response: a rim this clear is an edge for certain
    roundness: float = 0.8  # 0 to 1: how much of a circle is seen; pipes that leave a dot hide a tenth each
    roundness_of_discs: float = 0.7  # 0 to 1: where the filling of the circle is checked as well
    count_max: int = 400  # circles: four large boards of rings; a photograph of leaves has more
    edges_max: float = 0.18  # of the pixels: with more edges it is noise or a pattern
    concentric: float = 0.5  # of the radius: a ring has an inner and an outer circle
    grid_view_px: float = 180.0  # shorter side of the view from which circles of a few pixels are enlarged
    prefilter_view_px: float = 500.0  # px: shorter side of views that are searched at half size first
    prefilter_middle: float = 0.4  # of each side of the view: its middle is searched at full size as well
    prefilter_many: int = 12  # circles: in the middle of boards of small rings
    disc_view_max_px: float = 1200.0  # px: shorter side of the largest view in the search for circles
    inside: float = 0.6  # of the radius: a ring here is all of the colour of a disc
    outside: float = 1.25  # of the radius: a ring here hardly is: the round end of a bar covers 0.3 of it
    alike_size: float = 0.2  # of the radius: circles of one board differ by less
    sizes_tried: int = 3  # sizes of circles: dots beside buttons, and beside the rounded corners of tiles
    beside_near: float = 1.6  # of the usual distance: with a circle in every cell neighbours are nearer
    beside_oblong: float = 1.9  # of the usual distance: cells may be nearly twice as wide as high
    beside_far: float = 3.2  # of the usual distance: dots alone lie further apart than circles in every cell
    on_lattice: float = 0.8  # of the circles side by side: how many lie on the lattice
    ruled_share_min: float = (
        0.25  # of all sides between cells: walls are fewer, lines that a solution leaves in view more
    )


class DotSettings(Struct, frozen=True):
    """Dots of a board."""

    ring: float = 0.283  # of the pitch: inside a dot (0.35) but outside a pipe (0.17) and its head (0.25)
    free_ring: float = 0.2  # of a cell's width: dots of hexagons and mixed boards are smaller
    outer_ring: float = 0.41  # of the pitch: outside a dot (0.35), inside the cell's lines (0.5)
    cover_min: float = 0.8  # of the ring: a pipe through the cell covers 0.4 of the ring, the head of one 0.2
    contrast: float = 9.0  # Lab: the darkest dot (navy) on a faded board stands out by 14
    clear_share_min: float = 0.74  # of the outer ring: the pipe of a dot covers 0.13 of it
    clear_near: float = 0.35  # of the way to the background: a pipe or a bar has the dot's own colour
    value_share_min: float = 0.2  # of the brightest dot: navy under night shift has 0.28
    count_min: int = 4  # dots: no published level has a single pair; parts of boards often do
    alike_size: float = 0.25  # of the radius: dots with and without their rim differ by less
    oblong: float = 1.1  # of a cell's shorter side: mean of both, up to which a dot may fill the game's ring
    faint: float = 4.0  # Lab: grey on grey tiles differs by 5.5; only discs as large as clearer ones count


class PairingSettings(Struct, frozen=True):
    """Pairs of dots."""

    margin: float = 1.5  # Lab: below this, the next dot looks as good a partner
    doubt: float = 12.0  # Lab: where the number of colours is known
    letters_below: float = 8.0  # Lab: undamaged colours are 10 apart and more
    letters_weight: float = 100.0  # Lab: the most alike letters, E and F, differ by 0.1
    letter_ink: float = 30.0  # brightness: letters are white or black on colours between
    letter_share_min: float = 0.04  # of the middle of a dot: a speck covers less than a letter
    letter_share_max: float = 0.6  # of the middle of a dot: a disc covers more than a letter
    letter_likeness: float = 0.7  # correlation: letters of other fonts have 0.83 and more with ours, blurred
    unlike: float = 12.0  # Lab: two dots of a pair differ by up to 6 where all others are equal
    unlike_times: float = 4.0  # times the next pair's difference: up to 24 in a photograph with 4 elsewhere
    margin_scale: float = 4.0  # Lab: confidence in a margin: 0.63 in one of 4


class CrossingSettings(Struct, frozen=True):
    """Bridges and warps."""

    border_open: float = 0.5  # of the strongest border: an opening shows only the ends of lines beside it
    border_missing: float = 0.6  # of a plain grid line: below this there is no border to see an opening in
    border_seen: float = 0.25  # of a plain line's height: a line a quarter as thick is one, made smaller
    bridge_ink: float = 0.02  # of the inside of a cell: the rails of a bridge cover 0.05
    bridge_step: float = 0.5  # of a grid line's brightness: the rails of a bridge are as bright as grid lines
    bridge_step_min: float = 12.0  # brightness: what stands out by less is noise
    bridge_width: float = 0.2  # of the pitch: rails are thinner, pipes 0.33 wide


class PipeSettings(Struct, frozen=True):
    """Pipes that are drawn through the side of a cell."""

    alike: float = 16.0  # Lab: a pipe is as flat as a dot and has its colour
    solid_share_min: float = 0.7  # of its width: the rest may be soft edges or another line


class ReadingSettings(Struct, frozen=True):
    """Conditions of a believed reading, and its confidence."""

    readings: int = 40  # readings: the right one is among the first few or not there at all
    min_confidence: float = 0.6  # 0 to 1: of answers below it, on damaged pictures, none was right
    seen_surely: float = 0.75  # 0 to 1: dots that are not doubted together with walls
    seen_well: float = 0.55  # 0 to 1: the search continues past a reading that was seen less well
    warn_below: float = 0.9  # 0 to 1: right readings with one solution have 0.95 and more
    part_ratio: float = 1.5  # times the cells: a board with that many times fewer cells is a part of another
    share_of_time: float = 1 / 15  # of the time limit: for one reading: a right one takes milliseconds
    doubt_left: float = 0.1  # of the reader's doubt: what exactly one solution leaves
    pairings_max: int = 256  # pairings: four colours that look alike make 105, a pair and a triple 45
    pairings_seconds: float = 5.0  # s: for all of them: five times what they take
    larger: float = 1.05  # of the area: boards of one size are measured to within that
    much_larger: float = 2.0  # of the area: round the board that was read
    discs_beside: int = 6  # discs: three pairs: fewer are buttons; most boards show ten and more
    discs_apart: float = 0.5  # of the board's shorter side: buttons and palettes of colours stand in one row
    # of the picture's width and height: a board that fills more leaves no room for the dots round it
    room_round: float = 0.85
    dots_min: int = 2  # dots: both of a pair; one alone may be a button, or look like a dot by chance


LINES = LineSettings()
LINE_WEIGHT = LineWeightSettings()
BOARD = BoardSettings()
GRID = GridSettings()
TINTS = TintSettings()
WALLS = WallSettings()
HEXAGONS = HexagonSettings()
FREE_CELLS = FreeCellSettings()
CIRCLES = CircleSettings()
DOTS = DotSettings()
PAIRING = PairingSettings()
CROSSINGS = CrossingSettings()
PIPES = PipeSettings()
READING = ReadingSettings()
