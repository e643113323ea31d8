"""Thresholds of other kinds of boards: hexagons, cells of any shape, circles; and of discs."""

from __future__ import annotations

from typing import Annotated

from flowvision.vision.settings.lines import LineGroups
from flowvision.vision.settings.threshold import SettingsGroup


class HexagonSettings(SettingsGroup, frozen=True, kw_only=True):
    """Which lattice of hexagons explains a region."""

    side: Annotated[
        float, "of a plain line", "the faintest side of a tinted hexagon; glow bars are parted by the outline"
    ] = 0.33
    sides: Annotated[
        int, "of six sides", "a letter or the rim may hide one; a pipe, seen itself, another"
    ] = 5
    wall: Annotated[float, "of a plain line", "outlines have 2.3 and more, plain sides up to 1.96"] = 2.13
    outline: Annotated[
        float, "of the outline", "walls have 0.79 of the fainter parts of it and more, plain sides up to 0.49"
    ] = 0.62
    quality: Annotated[
        float, "of the sides", "hexagons have 0.9 and more; laid over squares or glow, 0.6 at most"
    ] = 0.75
    match: Annotated[
        float, "of a perfect match", "hexagons have 0.3 and more when placed roughly, other lines below 0.2"
    ] = 0.2
    border: Annotated[
        float, "of a side", "outer sides show 0.76 and more of their length, letters beside the board 0.41"
    ] = 0.6
    period_peak: Annotated[
        float,
        "of the best period's score",
        "lower peaks are letters and pipes; the right height is among the first",
    ] = 0.3
    period_alike: Annotated[
        float, "of the height", "heights that differ by less become one when the lattice is placed"
    ] = 0.02
    line: Annotated[
        float, "of the widest line", "half-width of the lines that are matched: as thick as plain ones"
    ] = 0.35
    line_min: Annotated[
        float, "of a hexagon's width", "the same on large cells: a line is never thinner than 1 px in 50"
    ] = 0.02
    shown_min: Annotated[
        float, "of the strongest side", "an outline is up to eight times a plain line, so less is no line"
    ] = 0.05
    plain_spread: Annotated[
        float, "of the fainter sides", "plain lines differ by less; on small boards most sides are outline"
    ] = 1.75
    middle_shown: Annotated[
        float, "of the middle part of a side", "a wall shows all of it, a side that a pipe crosses nothing"
    ] = 0.5
    scraps: Annotated[
        int, "outer sides", "a cell with this many of them in scraps is a line of text beside the board"
    ] = 2
    upright: Annotated[
        float,
        "of the view's height",
        "the longest vertical line: boards of hexagons have 0.56 at most, squares without tilt 0.8 and more",
    ] = 0.6
    enough: Annotated[
        int,
        "cells",
        "with this many, seen as well as below, no other height nor any lattice of squares is tried",
    ] = 15
    sure: Annotated[float, "of the sides", "how well these are seen"] = 0.97
    thick: Annotated[float, "of a plain line", "outlines are two to three times as thick and brighter"] = 1.7


class FreeCellSettings(SettingsGroup, frozen=True, kw_only=True):
    """Which regions between lines are cells."""

    line_width: Annotated[
        float, "of the view's shorter side", "outlines of free boards are up to 1.5 % thick; their dots 5 %"
    ] = 0.02
    line_step: Annotated[float, "brightness", "slanted lines are softer: 40 above their cells at least"] = (
        18.0
    )
    line_min_px: Annotated[int, "px", "half of the width of lines on small views, which are blurred"] = 2
    side: Annotated[
        float, "of a cell's width", "cells that only touch at a corner meet over a line's width"
    ] = 0.2
    cell_px: Annotated[float, "px", "the root of the area of the smallest region that counts as a cell"] = 6.0
    scrap_area: Annotated[
        float,
        "of the median cell's area",
        "smaller ones are insides of letters; cells of real boards have 0.8 and more",
    ] = 0.1
    meeting: Annotated[
        float, "of the widest line", "how far from both regions a pixel of the line between them may lie"
    ] = 0.75
    outline: Annotated[
        float, "of the faint part of a side", "where a line runs into an outline it is as thick as this"
    ] = 2.0
    off_lattice: Annotated[
        float, "of the distance between neighbours", "how far a cell may lie from its place on a lattice"
    ] = 0.15
    contacts_min: Annotated[int, "sides", "fewer do not say how far apart rows and columns are"] = 4
    split_min: Annotated[
        int, "regions", "the fewest flows of a board: each joins its cells to one region when all are drawn"
    ] = 3
    joined_area: Annotated[
        float, "of a cell's width squared", "slim rhombs have 1.4, two cells that a pipe joins 2 and more"
    ] = 1.6
    piece: Annotated[
        float, "of a cell's width", "of a line as long as a cell, so much is seen beside a pipe at least"
    ] = 0.3
    gap: Annotated[
        float, "of a cell's width", "a pipe is 0.34 wide, and crosses a slanted side in up to 0.55 of it"
    ] = 0.7
    part_area: Annotated[float, "of a cell's width squared", "smaller parts of a region are no cells"] = 0.35


class CircleSettings(SettingsGroup, frozen=True, kw_only=True):
    """What is a circle, what is a disc, and which circles lie on one board."""

    step: Annotated[
        float,
        "Sobel response",
        "a rim this clear is an edge for certain, and one half as clear where it goes on from there",
    ] = 80.0
    roundness: Annotated[
        float, "0 to 1", "how much of a circle is seen; pipes that leave a dot hide a tenth each"
    ] = 0.8
    roundness_of_discs: Annotated[float, "0 to 1", "where the filling of the circle is checked as well"] = 0.7
    count_max: Annotated[int, "circles", "four large boards of rings; a photograph of leaves has more"] = 400
    edges_max: Annotated[
        float,
        "of the pixels",
        "with more edges it is noise or a pattern, and takes half a minute; real pictures have up to 0.13",
    ] = 0.18
    concentric: Annotated[
        float,
        "of the radius",
        "a ring has an inner and an outer circle; other circles have middles further apart",
    ] = 0.5
    grid_view_px: Annotated[
        float, "px", "shorter side of the view from which circles of a few pixels are enlarged"
    ] = 180.0
    prefilter_view_px: Annotated[
        float,
        "px",
        "shorter side of the view from which it is looked at in half its size first: circles are too small "
        "there in smaller ones, where all of them take 20 ms",
    ] = 500.0
    prefilter_middle: Annotated[
        float,
        "of each side of the view",
        "its middle is looked at in full size as well: rings of up to 5 px are lost at half of it",
    ] = 0.4
    prefilter_many: Annotated[
        int,
        "circles",
        "in the middle of boards of small rings; of 37 pictures without a board one has this many",
    ] = 12
    disc_cell_px: Annotated[
        float,
        "px",
        "width of a cell where discs are looked for; with 60, 1 board of small dots in 20 is lost",
    ] = 80.0
    prefilter_min: Annotated[
        int,
        "cells with a disc",
        "looked at one by one; boards have 4 and more, as many as there are discs in the end",
    ] = 3
    noise: Annotated[
        float,
        "of the median derivative",
        "that of noise exceeds 4 times its median in 1 of 100 pixels; most of a screenshot has none",
    ] = 4.0
    smooth_px: Annotated[
        float, "px", "standard deviation of the blur that takes noise away and leaves the rims of small discs"
    ] = 0.7
    disc_radius_max: Annotated[
        float, "of the pitch", "dots have up to 0.55; without a limit circles take twice as long"
    ] = 0.7
    disc_view_max_px: Annotated[
        float, "px", "shorter side of the largest view where circles are looked for: bounds time"
    ] = 1200.0
    beside: Annotated[
        float, "of a part's longer side", "how far beside a part of a board its other dots are looked for"
    ] = 0.5
    beside_cells: Annotated[
        float, "cells", "at least so far: beside a part of three cells as far as beside one of five"
    ] = 2.5
    inside: Annotated[float, "of the radius", "a ring here is all of the colour of a disc"] = 0.6
    outside: Annotated[
        float,
        "of the radius",
        "a ring here hardly is: the round end of a bar covers 0.3 of it, a pipe that leaves a dot 0.13",
    ] = 1.25
    faint: Annotated[
        float, "Lab", "grey on grey tiles differs by 5.5; only circles as large as clearer dots count"
    ] = 4.0
    outside_faint: Annotated[
        float, "of the radius", "a ring here is clear of the lines round a large dot, which differ by more"
    ] = 1.12
    alike_size: Annotated[
        float, "of the radius", "circles of one board differ by less; a ring's inner and outer circle by more"
    ] = 0.2
    beside_near: Annotated[
        float,
        "of the usual distance",
        "with a circle in every cell neighbours are nearer; boards side by side are told apart",
    ] = 1.6
    beside_oblong: Annotated[
        float,
        "of the usual distance",
        "cells may be nearly twice as wide as high; a palette lies further off",
    ] = 1.9
    beside_far: Annotated[
        float, "of the usual distance", "dots alone lie further apart than circles in every cell"
    ] = 3.2
    off_lattice: Annotated[float, "of the pitch", "how far from the middle of its cell a circle may lie"] = (
        0.15
    )
    on_lattice: Annotated[
        float, "of the circles side by side", "how many lie on the lattice; the others are buttons or letters"
    ] = 0.8
    line_step: Annotated[
        float, "of the faintest line", "JPEG noise beside a ring stays below this contrast"
    ] = 2.0
    ruled: Annotated[
        float,
        "of the length of all sides",
        "a grid shows more even in a photograph; JPEG blocks and pipes show 0.1",
    ] = 0.3


class KindGroups(LineGroups, frozen=True, kw_only=True):
    """The groups of lattices of squares, and those of the other kinds of boards."""

    hexagons: HexagonSettings = HexagonSettings()
    free_cells: FreeCellSettings = FreeCellSettings()
    circles: CircleSettings = CircleSettings()
