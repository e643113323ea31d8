"""Thresholds of other kinds of boards: hexagons, cells of any shape, circles; and of discs."""

from __future__ import annotations

from flowvision.vision.settings.lines import LineGroups
from flowvision.vision.settings.threshold import SettingsGroup, setting, settings_group


@settings_group
class HexagonSettings(SettingsGroup):
    """Which lattice of hexagons explains a region."""

    side: float = setting(
        0.33, "of a plain line", "the faintest side of a tinted hexagon; glow bars are parted by the outline"
    )
    sides: int = setting(5, "of six sides", "a letter or the rim may hide one; a pipe, seen itself, another")
    wall: float = setting(2.13, "of a plain line", "outlines have 2.3 and more, plain sides up to 1.96")
    outline: float = setting(
        0.62, "of the outline", "walls have 0.79 of the fainter parts of it and more, plain sides up to 0.49"
    )
    quality: float = setting(
        0.75, "of the sides", "hexagons have 0.9 and more; laid over squares or glow, 0.6 at most"
    )
    match: float = setting(
        0.2, "of a perfect match", "hexagons have 0.3 and more when placed roughly, other lines below 0.2"
    )
    border: float = setting(
        0.6, "of a side", "outer sides show 0.76 and more of their length, letters beside the board 0.41"
    )
    period_peak: float = setting(
        0.3,
        "of the best period's score",
        "lower peaks are letters and pipes; the right height is among the first",
    )
    period_alike: float = setting(
        0.02, "of the height", "heights that differ by less become one when the lattice is placed"
    )
    line: float = setting(
        0.35, "of the widest line", "half-width of the lines that are matched: as thick as plain ones"
    )
    line_min: float = setting(
        0.02, "of a hexagon's width", "the same on large cells: a line is never thinner than 1 px in 50"
    )
    shown_min: float = setting(
        0.05, "of the strongest side", "an outline is up to eight times a plain line, so less is no line"
    )
    plain_spread: float = setting(
        1.75, "of the fainter sides", "plain lines differ by less; on small boards most sides are outline"
    )
    middle_shown: float = setting(
        0.5, "of the middle part of a side", "a wall shows all of it, a side that a pipe crosses nothing"
    )
    scraps: int = setting(
        2, "outer sides", "a cell with this many of them in scraps is a line of text beside the board"
    )
    upright: float = setting(
        0.6,
        "of the view's height",
        "the longest vertical line: boards of hexagons have 0.56 at most, squares without tilt 0.8 and more",
    )
    enough: int = setting(
        15,
        "cells",
        "with this many, seen as well as below, no other height nor any lattice of squares is tried",
    )
    sure: float = setting(0.97, "of the sides", "how well these are seen")
    thick: float = setting(1.7, "of a plain line", "outlines are two to three times as thick and brighter")


@settings_group
class FreeCellSettings(SettingsGroup):
    """Which regions between lines are cells."""

    line_width: float = setting(
        0.02, "of the view's shorter side", "outlines of free boards are up to 1.5 % thick; their dots 5 %"
    )
    line_step: float = setting(18.0, "brightness", "slanted lines are softer: 40 above their cells at least")
    line_min_px: int = setting(2, "px", "half of the width of lines on small views, which are blurred")
    side: float = setting(
        0.2, "of a cell's width", "cells that only touch at a corner meet over a line's width"
    )
    cell_px: float = setting(6.0, "px", "the root of the area of the smallest region that counts as a cell")
    scrap_area: float = setting(
        0.1,
        "of the median cell's area",
        "smaller ones are insides of letters; cells of real boards have 0.8 and more",
    )
    meeting: float = setting(
        0.75, "of the widest line", "how far from both regions a pixel of the line between them may lie"
    )
    outline: float = setting(
        2.0, "of the faint part of a side", "where a line runs into an outline it is as thick as this"
    )
    off_lattice: float = setting(
        0.15, "of the distance between neighbours", "how far a cell may lie from its place on a lattice"
    )
    contacts_min: int = setting(4, "sides", "fewer do not say how far apart rows and columns are")
    split_min: int = setting(
        3, "regions", "the fewest flows of a board: each joins its cells to one region when all are drawn"
    )
    joined_area: float = setting(
        1.6, "of a cell's width squared", "slim rhombs have 1.4, two cells that a pipe joins 2 and more"
    )
    piece: float = setting(
        0.3, "of a cell's width", "of a line as long as a cell, so much is seen beside a pipe at least"
    )
    gap: float = setting(
        0.7, "of a cell's width", "a pipe is 0.34 wide, and crosses a slanted side in up to 0.55 of it"
    )
    part_area: float = setting(0.35, "of a cell's width squared", "smaller parts of a region are no cells")


@settings_group
class CircleSettings(SettingsGroup):
    """What is a circle, what is a disc, and which circles lie on one board."""

    step: float = setting(
        80.0,
        "Sobel response",
        "a rim this clear is an edge for certain, and one half as clear where it goes on from there",
    )
    roundness: float = setting(
        0.8, "0 to 1", "how much of a circle is seen; pipes that leave a dot hide a tenth each"
    )
    roundness_of_discs: float = setting(0.7, "0 to 1", "where the filling of the circle is checked as well")
    count_max: int = setting(400, "circles", "four large boards of rings; a photograph of leaves has more")
    edges_max: float = setting(
        0.18,
        "of the pixels",
        "with more edges it is noise or a pattern, and takes half a minute; real pictures have up to 0.13",
    )
    concentric: float = setting(
        0.5,
        "of the radius",
        "a ring has an inner and an outer circle; other circles have middles further apart",
    )
    grid_view_px: float = setting(
        180.0, "px", "shorter side of the view from which circles of a few pixels are enlarged"
    )
    prefilter_view_px: float = setting(
        500.0,
        "px",
        "shorter side of the view from which it is looked at in half its size first: circles are too small "
        "there in smaller ones, where all of them take 20 ms",
    )
    prefilter_middle: float = setting(
        0.4,
        "of each side of the view",
        "its middle is looked at in full size as well: rings of up to 5 px are lost at half of it",
    )
    prefilter_many: int = setting(
        12,
        "circles",
        "in the middle of boards of small rings; of 37 pictures without a board one has this many",
    )
    disc_cell_px: float = setting(
        80.0, "px", "width of a cell where discs are looked for; with 60, 1 board of small dots in 20 is lost"
    )
    prefilter_min: int = setting(
        3,
        "cells with a disc",
        "looked at one by one; boards have 4 and more, as many as there are discs in the end",
    )
    noise: float = setting(
        4.0,
        "of the median derivative",
        "that of noise exceeds 4 times its median in 1 of 100 pixels; most of a screenshot has none",
    )
    smooth_px: float = setting(
        0.7, "px", "standard deviation of the blur that takes noise away and leaves the rims of small discs"
    )
    disc_radius_max: float = setting(
        0.7, "of the pitch", "dots have up to 0.55; without a limit circles take twice as long"
    )
    disc_view_max_px: float = setting(
        1200.0, "px", "shorter side of the largest view where circles are looked for: bounds time"
    )
    beside: float = setting(
        0.5, "of a part's longer side", "how far beside a part of a board its other dots are looked for"
    )
    beside_cells: float = setting(
        2.5, "cells", "at least so far: beside a part of three cells as far as beside one of five"
    )
    inside: float = setting(0.6, "of the radius", "a ring here is all of the colour of a disc")
    outside: float = setting(
        1.25,
        "of the radius",
        "a ring here hardly is: the round end of a bar covers 0.3 of it, a pipe that leaves a dot 0.13",
    )
    faint: float = setting(
        4.0, "Lab", "grey on grey tiles differs by 5.5; only circles as large as clearer dots count"
    )
    outside_faint: float = setting(
        1.12, "of the radius", "a ring here is clear of the lines round a large dot, which differ by more"
    )
    alike_size: float = setting(
        0.2, "of the radius", "circles of one board differ by less; a ring's inner and outer circle by more"
    )
    beside_near: float = setting(
        1.6,
        "of the usual distance",
        "with a circle in every cell neighbours are nearer; boards side by side are told apart",
    )
    beside_oblong: float = setting(
        1.9, "of the usual distance", "cells may be nearly twice as wide as high; a palette lies further off"
    )
    beside_far: float = setting(
        3.2, "of the usual distance", "dots alone lie further apart than circles in every cell"
    )
    off_lattice: float = setting(0.15, "of the pitch", "how far from the middle of its cell a circle may lie")
    on_lattice: float = setting(
        0.8, "of the circles side by side", "how many lie on the lattice; the others are buttons or letters"
    )
    line_step: float = setting(
        2.0, "of the faintest line", "JPEG noise beside a ring stays below this contrast"
    )
    ruled: float = setting(
        0.3,
        "of the length of all sides",
        "a grid shows more even in a photograph; JPEG blocks and pipes show 0.1",
    )


@settings_group
class KindGroups(LineGroups):
    """The groups of lattices of squares, and those of the other kinds of boards."""

    hexagons: HexagonSettings = HexagonSettings()
    free_cells: FreeCellSettings = FreeCellSettings()
    circles: CircleSettings = CircleSettings()
