"""Thresholds of belief: whether a reading is of the whole board, and how sure its answer is.

The checks of ``reading/verdict.py`` and ``confidence_of`` use them.
"""

from __future__ import annotations

from flowvision.vision.settings.threshold import SettingsGroup, setting, settings_group


@settings_group
class ReadingSettings(SettingsGroup):
    """What a reading must show to be believed, and how sure its answer is."""

    readings: int = setting(40, "readings", "the right one is among the first few or not there at all")
    min_confidence: float = setting(0.6, "0 to 1", "of answers below it, on damaged pictures, none was right")
    min_confidence_if_not_unique: float = setting(
        0.75, "0 to 1", "a reading without exactly one solution needs a reader this sure"
    )
    min_reading_confidence: float = setting(
        0.55, "0 to 1", "the weakest right reading, a photograph, has 0.57"
    )
    warn_below: float = setting(0.9, "0 to 1", "right readings with one solution have 0.95 and more")
    repair_seconds: float = setting(1.0, "s", "four times what the largest boards of the game take")
    repair_doubt: float = setting(0.3, "0 to 1", "dots of undamaged screenshots have less than 0.15")
    part: float = setting(
        1.5, "times the cells", "a board with this many times fewer cells than another is a part of it"
    )
    share_of_time: float = setting(
        1 / 15,
        "of the time limit",
        "for one reading: a right one takes milliseconds, a wrong one must not use up that of the next",
    )
    doubt_left: float = setting(
        0.1,
        "of the reader's doubt",
        "what exactly one solution leaves: of 552 wrong boards that other readers returned, 3 had just one",
    )
    without_walls: float = setting(
        0.95, "of the reader's confidence", "for the only solution once walls that were seen are left out"
    )
    resolved_pairing: float = setting(
        0.8,
        "of the reader's confidence",
        "for dots that were paired by the solution: of ways to pair dots that look alike, 1 to 4 of 100 that "
        "are wrong have one solution",
    )
    ways: int = setting(
        256, "pairings", "four colours that look alike make 105, a pair and a triple 45; each takes 4 ms"
    )
    ways_seconds: float = setting(5.0, "s", "for all of them: five times what they take")
    assumed: float = setting(
        0.95,
        "of the reader's confidence",
        "for openings of the border that are assumed, as no border is seen",
    )
    crossing_itself: float = setting(
        0.8,
        "of the reader's confidence",
        "where a path crosses itself at a bridge: on 100 published levels with 157 bridges none does",
    )
    assumed_max: int = setting(
        3, "openings", "of more, lines that reach out must be seen: 45 of 120 published boards have up to 3"
    )
    about_as_sure: float = setting(
        0.9, "of the reader's confidence", "a lattice with more cells that is so sure is nearer to the board"
    )
    unexplained: float = setting(
        0.15,
        "of the confidence",
        "lost where all inner lines seem to go on beyond a border, in part where some do",
    )
    left_out: float = setting(
        0.8,
        "of the reader's confidence",
        "for a board with a disc that was read as no dot, or two square dots",
    )
    repaired: float = setting(0.8, "of the reader's confidence", "for a board that was changed in one thing")
    one_of_several: float = setting(
        0.8,
        "of the reader's confidence",
        "for a board with several solutions; few published levels have them",
    )
    touching_itself: float = setting(
        0.6, "of the reader's confidence", "where a path touches itself, as in no published level"
    )
    larger: float = setting(
        1.05, "of the area", "boards of one size are measured to within that, and then the first one is meant"
    )
    much_larger: float = setting(
        2.0, "of the area", "round the board that was read, what is so much larger is no misread look at it"
    )
    not_read: float = setting(
        0.69, "of the confidence", "another board could not be read: of 36 such answers it was meant 29 times"
    )
    discs_beside: int = setting(6, "discs", "three pairs: fewer are buttons; most boards show ten and more")
    mixed: float = setting(
        0.01, "of the board", "of a board alone 0.005 and less; of one mixed with another picture 0.05"
    )
    discs_apart: float = setting(
        0.5, "of the board's shorter side", "buttons and palettes of colours stand in one row"
    )
    room_round: float = setting(
        0.85,
        "of the picture's width and height",
        "a board that fills more leaves no room for the dots round it",
    )
    dots_min: int = setting(
        2, "dots", "both of a pair; one alone may be a button, or look like a dot by chance"
    )
    pairs_min: int = setting(
        3,
        "pairs",
        "each of 10,011 published levels has this many; whatever was wrongly taken for one had two",
    )
    few_pairs_cells: int = setting(
        16, "cells", "boards of up to 4x4 cells, which only copies have, may have two pairs"
    )
    beside: int = setting(
        3, "rows or columns", "the rest of a board begins this near to it; buttons are further away"
    )
    lines_beyond: float = setting(
        0.7,
        "of the inner lines",
        "nearly all go on beyond the border of a part; letters, buttons, warps look like up to half of them",
    )
    border_cut: float = setting(
        0.15, "of a cell", "beyond the edge of the picture; borders that are just cut away lie 0.05 beyond it"
    )
    border_unseen: float = setting(
        0.95,
        "of the confidence",
        "where the picture ends before the border; of 75 such answers 73 were right",
    )
    lacks_line: float = setting(
        0.8,
        "of the confidence",
        "where the picture ends right at a board that is not square: so do none of 253 right answers, and "
        "three of four wrong ones, of boards cut off at a line",
    )
    lines_as_strong: float = setting(
        0.5, "of the lines inside", "blurred and compressed, lines that go on are as strong as those inside"
    )
    reaches_out: float = setting(
        0.3, "of the lines inside", "lines beside openings fade out beyond the border, within a cell"
    )
    line_min: float = setting(
        4.0, "brightness", "lines inside that are fainter tell nothing of what lies beyond"
    )
    dot_step: float = setting(
        30.0,
        "of the channel that differs most",
        "a dot and the corners of its cell; navy on black is 159, a faded dot 40",
    )
    right_beside: int = setting(
        1,
        "rows or columns",
        "the rest of a board that was read surely begins right beside it; further on another board does",
    )
    prefilter_px: float = setting(
        24.0, "px", "width of a cell in the view where dots are looked for first: they have a radius of 8 px"
    )
    prefilter_inside: float = setting(
        0.85, "of the radius", "a ring just inside a disc; the bend of a pipe fills a smaller one"
    )
    prefilter_outside: float = setting(1.15, "of the radius", "a ring just outside a disc")
    covered: float = setting(
        20.0, "Lab", "a hand or a banner over cells without lines; glow and faint tints differ by up to 12"
    )
    dot_radius_min: float = setting(
        0.2, "of a cell's width", "dots have their colour at least so far from their middles"
    )
