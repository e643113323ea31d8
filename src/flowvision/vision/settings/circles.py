"""Thresholds of circles: dots of copies of the game, and boards that show circles but no lines."""

from __future__ import annotations

from flowvision.vision.settings.threshold import SettingsGroup, settings_group, threshold


@settings_group
class CircleSettings(SettingsGroup):
    """What is a circle, what is a disc, and which circles lie on one board."""

    step: float = threshold(
        80.0,
        "Sobel response",
        "a rim this clear is an edge for certain, and one half as clear where it goes on from there",
    )
    roundness: float = threshold(
        0.8, "0 to 1", "how much of a circle is seen; pipes that leave a dot hide a tenth each"
    )
    roundness_of_discs: float = threshold(
        0.7, "0 to 1", "the same where what the circle is filled with is asked as well"
    )
    count_max: int = threshold(400, "circles", "four large boards of rings; a photograph of leaves has more")
    edges_max: float = threshold(
        0.18,
        "of the pixels",
        "with more edges it is noise or a pattern, and takes half a minute; real pictures have up to 0.13",
    )
    concentric: float = threshold(
        0.5,
        "of the radius",
        "a ring has an inner and an outer circle; other circles have middles further apart",
    )
    grid_view_px: float = threshold(
        180.0, "px", "shorter side of the view from which circles of a few pixels are enlarged"
    )
    disc_cell_px: float = threshold(
        80.0, "px", "width of a cell where discs are looked for; with 60, 1 board of small dots in 20 is lost"
    )
    glance_min: int = threshold(
        3,
        "cells with a disc",
        "looked at one by one; boards have 4 and more, as many as there are discs in the end",
    )
    noise: float = threshold(
        4.0,
        "of the median derivative",
        "that of noise exceeds 4 times its median in 1 of 100 pixels; most of a screenshot has none",
    )
    smooth_px: float = threshold(
        0.7, "px", "standard deviation of the blur that takes noise away and leaves the rims of small discs"
    )
    disc_radius_max: float = threshold(
        0.7,
        "of the pitch",
        "dots have up to 0.55; without a limit circles take twice as long",
    )
    disc_view_max_px: float = threshold(
        1200.0, "px", "shorter side of the largest view where circles are looked for: bounds time"
    )
    beside: float = threshold(
        0.5, "of a part's longer side", "how far beside a part of a board its other dots are looked for"
    )
    inside: float = threshold(0.6, "of the radius", "a ring here is all of the colour of a disc")
    outside: float = threshold(
        1.25,
        "of the radius",
        "a ring here hardly is: the round end of a bar covers 0.3 of it, a pipe that leaves a dot 0.13",
    )
    alike_size: float = threshold(
        0.2, "of the radius", "circles of one board differ by less; a ring's inner and outer circle by more"
    )
    beside_near: float = threshold(
        1.6,
        "of the usual distance",
        "with a circle in every cell neighbours are nearer; boards side by side are told apart",
    )
    beside_far: float = threshold(
        3.2, "of the usual distance", "dots alone lie further apart than circles in every cell"
    )
    off_lattice: float = threshold(
        0.15, "of the pitch", "how far from the middle of its cell a circle may lie"
    )
    on_lattice: float = threshold(
        0.8, "of the circles side by side", "how many lie on the lattice; the others are buttons or letters"
    )
    line_step: float = threshold(
        2.0, "of the faintest line", "JPEG noise beside a ring stays below this contrast"
    )
    ruled: float = threshold(
        0.3,
        "of the length of all sides",
        "a grid shows more even in a photograph; JPEG blocks and pipes show 0.1",
    )
