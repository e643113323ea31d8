"""Thresholds of belief: whether a reading is of the whole board, and how sure its answer is.

The checks of ``reading/verdict.py`` and ``confidence_of`` use them.
"""

from __future__ import annotations

from typing import Annotated

from flowvision.vision.settings.threshold import SettingsGroup


class ReadingSettings(SettingsGroup, frozen=True, kw_only=True):
    """What a reading must show to be believed, and how sure its answer is."""

    readings: Annotated[int, "readings", "the right one is among the first few or not there at all"] = 40
    min_confidence: Annotated[float, "0 to 1", "of answers below it, on damaged pictures, none was right"] = (
        0.6
    )
    min_confidence_if_not_unique: Annotated[
        float, "0 to 1", "a reading without exactly one solution needs a reader this sure"
    ] = 0.75
    min_reading_confidence: Annotated[
        float, "0 to 1", "the weakest right reading, a photograph, has 0.57"
    ] = 0.55
    warn_below: Annotated[float, "0 to 1", "right readings with one solution have 0.95 and more"] = 0.9
    repair_seconds: Annotated[float, "s", "four times what the largest boards of the game take"] = 1.0
    repair_doubt: Annotated[float, "0 to 1", "dots of undamaged screenshots have less than 0.15"] = 0.3
    part: Annotated[
        float, "times the cells", "a board with this many times fewer cells than another is a part of it"
    ] = 1.5
    share_of_time: Annotated[
        float,
        "of the time limit",
        "for one reading: a right one takes milliseconds, a wrong one must not use up that of the next",
    ] = 1 / 15
    doubt_left: Annotated[
        float,
        "of the reader's doubt",
        "what exactly one solution leaves: of 552 wrong boards that other readers returned, 3 had just one",
    ] = 0.1
    without_walls: Annotated[
        float, "of the reader's confidence", "for the only solution once walls that were seen are left out"
    ] = 0.95
    resolved_pairing: Annotated[
        float,
        "of the reader's confidence",
        "for dots that were paired by the solution: of ways to pair dots that look alike, 1 to 4 of 100 that "
        "are wrong have one solution",
    ] = 0.8
    ways: Annotated[
        int, "pairings", "four colours that look alike make 105, a pair and a triple 45; each takes 4 ms"
    ] = 256
    ways_seconds: Annotated[float, "s", "for all of them: five times what they take"] = 5.0
    assumed: Annotated[
        float,
        "of the reader's confidence",
        "for openings of the border that are assumed, as no border is seen",
    ] = 0.95
    crossing_itself: Annotated[
        float,
        "of the reader's confidence",
        "where a path crosses itself at a bridge: on 100 published levels with 157 bridges none does",
    ] = 0.8
    assumed_max: Annotated[
        int, "openings", "of more, lines that reach out must be seen: 45 of 120 published boards have up to 3"
    ] = 3
    about_as_sure: Annotated[
        float,
        "of the reader's confidence",
        "a lattice with more cells that is so sure is nearer to the board",
    ] = 0.9
    unexplained: Annotated[
        float,
        "of the confidence",
        "lost where all inner lines seem to go on beyond a border, in part where some do",
    ] = 0.15
    left_out: Annotated[
        float,
        "of the reader's confidence",
        "for a board with a disc that was read as no dot, or two square dots",
    ] = 0.8
    repaired: Annotated[float, "of the reader's confidence", "for a board that was changed in one thing"] = (
        0.8
    )
    one_of_several: Annotated[
        float,
        "of the reader's confidence",
        "for a board with several solutions; few published levels have them",
    ] = 0.8
    touching_itself: Annotated[
        float, "of the reader's confidence", "where a path touches itself, as in no published level"
    ] = 0.6
    larger: Annotated[
        float,
        "of the area",
        "boards of one size are measured to within that, and then the first one is meant",
    ] = 1.05
    much_larger: Annotated[
        float, "of the area", "round the board that was read, what is so much larger is no misread look at it"
    ] = 2.0
    not_read: Annotated[
        float,
        "of the confidence",
        "another board could not be read: of 36 such answers it was meant 29 times",
    ] = 0.69
    discs_beside: Annotated[int, "discs", "three pairs: fewer are buttons; most boards show ten and more"] = 6
    mixed: Annotated[
        float, "of the board", "of a board alone 0.005 and less; of one mixed with another picture 0.05"
    ] = 0.01
    discs_apart: Annotated[
        float, "of the board's shorter side", "buttons and palettes of colours stand in one row"
    ] = 0.5
    room_round: Annotated[
        float,
        "of the picture's width and height",
        "a board that fills more leaves no room for the dots round it",
    ] = 0.85
    dots_min: Annotated[
        int, "dots", "both of a pair; one alone may be a button, or look like a dot by chance"
    ] = 2
    pairs_min: Annotated[
        int,
        "pairs",
        "each of 10,011 published levels has this many; whatever was wrongly taken for one had two",
    ] = 3
    few_pairs_cells: Annotated[
        int, "cells", "boards of up to 4x4 cells, which only copies have, may have two pairs"
    ] = 16
    beside: Annotated[
        int, "rows or columns", "the rest of a board begins this near to it; buttons are further away"
    ] = 3
    lines_beyond: Annotated[
        float,
        "of the inner lines",
        "nearly all go on beyond the border of a part; letters, buttons, warps look like up to half of them",
    ] = 0.7
    border_cut: Annotated[
        float,
        "of a cell",
        "beyond the edge of the picture; borders that are just cut away lie 0.05 beyond it",
    ] = 0.15
    border_unseen: Annotated[
        float,
        "of the confidence",
        "where the picture ends before the border; of 75 such answers 73 were right",
    ] = 0.95
    lacks_line: Annotated[
        float,
        "of the confidence",
        "where the picture ends right at a board that is not square: so do none of 253 right answers, and "
        "three of four wrong ones, of boards cut off at a line",
    ] = 0.8
    lines_as_strong: Annotated[
        float, "of the lines inside", "blurred and compressed, lines that go on are as strong as those inside"
    ] = 0.5
    reaches_out: Annotated[
        float, "of the lines inside", "lines beside openings fade out beyond the border, within a cell"
    ] = 0.3
    line_min: Annotated[
        float, "brightness", "lines inside that are fainter tell nothing of what lies beyond"
    ] = 4.0
    dot_step: Annotated[
        float,
        "of the channel that differs most",
        "a dot and the corners of its cell; navy on black is 159, a faded dot 40",
    ] = 30.0
    right_beside: Annotated[
        int,
        "rows or columns",
        "the rest of a board that was read surely begins right beside it; further on another board does",
    ] = 1
    prefilter_px: Annotated[
        float, "px", "width of a cell in the view where dots are looked for first: they have a radius of 8 px"
    ] = 24.0
    prefilter_inside: Annotated[
        float, "of the radius", "a ring just inside a disc; the bend of a pipe fills a smaller one"
    ] = 0.85
    prefilter_outside: Annotated[float, "of the radius", "a ring just outside a disc"] = 1.15
    covered: Annotated[
        float, "Lab", "a hand or a banner over cells without lines; glow and faint tints differ by up to 12"
    ] = 20.0
    dot_radius_min: Annotated[
        float, "of a cell's width", "dots have their colour at least so far from their middles"
    ] = 0.2
