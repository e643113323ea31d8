"""Thresholds of the stages ``dots``, ``pairs``, ``crossings`` and ``pipes``."""

from __future__ import annotations

from typing import Annotated

from flowvision.vision.settings.threshold import SettingsGroup


class DotSettings(SettingsGroup, frozen=True, kw_only=True):
    """Which cells hold a dot."""

    ring: Annotated[
        float,
        "of the pitch",
        "inside a dot (0.35) but outside a pipe (0.17) and its head (0.25), clear of letters",
    ] = 0.283
    small_ring: Annotated[
        float,
        "of the pitch",
        "tried second: dots of copies of the game are as small as 0.24, their pipes 0.1",
    ] = 0.19
    free_ring: Annotated[
        float, "of a cell's width", "dots of hexagons and mixed boards are smaller: 0.26 of the cell's width"
    ] = 0.2
    hexagon_ring: Annotated[
        float, "of a hexagon's width", "inside a dot (0.285), outside the head of a pipe (0.205) and letters"
    ] = 0.25
    circle_ring: Annotated[
        float,
        "of a circle's radius",
        "inside the rim of a dot and the blurred one of a small ring, outside a pipe half as wide",
    ] = 0.6
    copy_ring: Annotated[
        float, "of a dot's radius", "a pipe through the cell is 0.6 of a dot wide and must not fill the ring"
    ] = 0.75
    outer_ring: Annotated[float, "of the pitch", "outside a dot (0.35), inside the cell's lines (0.5)"] = 0.41
    outline_ring: Annotated[
        float, "of the way to a cell's outline", "a dot reaches 0.7 of the way to the nearest side"
    ] = 0.85
    as_large: Annotated[
        float,
        "of the radius of others",
        "pipes that fill the ring in narrow cells are half as wide as dots, their heads 0.72, and 0.79 where "
        "the ring of their cell is of nearly their colour; dots themselves have 0.93",
    ] = 0.82
    cover: Annotated[
        float,
        "of the ring",
        "a pipe through the cell covers 0.4 of the ring, the head of one 0.2, a dot all of it",
    ] = 0.8
    rim_begins: Annotated[
        float, "of a ring", "between a dot of 7 px and its rim 0.62 have the colour of one; in letters 0.5"
    ] = 0.6
    contrast: Annotated[
        float,
        "Lab",
        "the darkest dot (navy) on a faded board stands out by 14, glow and tints inside a cell by 3",
    ] = 9.0
    clear: Annotated[
        float, "of the outer ring", "the pipe of a dot covers 0.13 of it, the round end of a glow bar 0.28"
    ] = 0.74
    clear_near: Annotated[
        float,
        "of the way to the background",
        "a pipe or a bar has the dot's own colour; the halo round a finger lies half-way to it",
    ] = 0.35
    letter_reach: Annotated[
        float, "of a dot's radius", "a letter in a dot reaches so far from its middle; that of the game 0.51"
    ] = 0.6
    value: Annotated[
        float, "of the brightest dot", "navy under night shift has 0.28, a letter's or line's shadow less"
    ] = 0.2
    count_min: Annotated[int, "dots", "no published level has a single pair; parts of boards often do"] = 4
    off_lattice: Annotated[
        float,
        "of the pitch",
        "how far from the middle of its cell a dot may lie; buttons beside a board lie anywhere",
    ] = 0.2
    alike_size: Annotated[float, "of the radius", "dots of one board differ by less"] = 0.12
    radius_max: Annotated[
        float, "of the pitch", "the lines round a large dot are seen as its rim; larger discs are no dots"
    ] = 0.55


class RimSettings(SettingsGroup, frozen=True, kw_only=True):
    """Whether lines look as thick as walls because large dots touch them."""

    radius: Annotated[
        float,
        "of a cell's width",
        "dots of the game measure 0.34 to 0.361, those that make lines beside them look thick 0.375 and more",
    ] = 0.368
    cell_min_px: Annotated[
        float, "px of the view", "in smaller cells the two sizes differ by less than a pixel"
    ] = 24.0
    clarity: Annotated[float, "0 to 1", "a board without walls that is this clear has none for certain"] = 0.9


class PairingSettings(SettingsGroup, frozen=True, kw_only=True):
    """Which dots belong together."""

    margin: Annotated[
        float,
        "Lab",
        "below this, the next dot looks as good a partner; undamaged screenshots have 10 and more",
    ] = 1.5
    doubt: Annotated[
        float,
        "Lab",
        "where the number of colours is known: a dot this much further away may be the partner; those of "
        "undamaged screenshots are 10 and more, and there the closest pairs are tried alone first",
    ] = 12.0
    letters_below: Annotated[
        float, "Lab", "undamaged colours are 10 apart and more: letters are looked at only below this"
    ] = 8.0
    letters_dots: Annotated[
        int,
        "dots",
        "26 letters tell 26 pairs apart; more that have something in them are a texture, which takes seconds",
    ] = 60
    letters_weight: Annotated[
        float, "Lab", "the most alike letters, E and F, differ by 0.1, one letter from itself by half of that"
    ] = 100.0
    letter_ink: Annotated[
        float, "brightness", "letters are white or black on colours between; anti-aliased edges lie lower"
    ] = 30.0
    letter_share_min: Annotated[float, "of the middle of a dot", "a speck covers less than a letter"] = 0.04
    letter_share_max: Annotated[float, "of the middle of a dot", "a disc covers more than a letter"] = 0.6
    letter_likeness: Annotated[
        float, "correlation", "letters of other fonts have 0.83 and more with ours, blurred; other marks less"
    ] = 0.7
    unlike: Annotated[
        float, "Lab", "two dots of a pair differ by up to 6 on a screenshot where all others are equal"
    ] = 12.0
    unlike_times: Annotated[
        float,
        "times the next pair's difference",
        "two dots of a pair differ by up to 24 in a photograph where those of other pairs differ by 4",
    ] = 4.0
    crowd_apart: Annotated[
        float,
        "Lab",
        "pieces of one colour differ by up to 4 in a JPEG; six dots of a board are further apart",
    ] = 6.0
    crowd_min: Annotated[
        int,
        "dots",
        "on fewer, bad light may make so many alike; of as many pieces one may be unlike all others",
    ] = 12
    crowd_alone: Annotated[
        int, "dots", "boards have six dots of three pairs, also where every empty cell shows a disc"
    ] = 4
    margin_scale: Annotated[
        float,
        "Lab",
        "confidence in a margin: 0.63 in one of 4, 0.92 in one of 10 as undamaged screenshots have",
    ] = 4.0


class CrossingSettings(SettingsGroup, frozen=True, kw_only=True):
    """Where bridges and warps are."""

    border_open: Annotated[
        float, "of the strongest border", "an opening shows nothing but the ends of the lines beside it"
    ] = 0.5
    border_missing: Annotated[
        float, "of a plain grid line", "below this there is no border to see an opening in"
    ] = 0.6
    bridge_ink: Annotated[
        float, "of the inside of a cell", "the rails of a bridge cover 0.05, JPEG noise and glow nothing"
    ] = 0.02
    bridge_step: Annotated[
        float, "of a grid line's brightness", "the rails of a bridge are as bright as grid lines, glow is not"
    ] = 0.5
    bridge_step_min: Annotated[float, "brightness", "what stands out by less is noise"] = 12.0
    bridge_width: Annotated[float, "of the pitch", "rails are thinner, pipes 0.33 wide"] = 0.2


class PipeSettings(SettingsGroup, frozen=True, kw_only=True):
    """Whether a pipe is drawn through the side of a cell."""

    alike: Annotated[
        float,
        "Lab",
        "a pipe is as flat as a dot and has its colour; lines and tints of the same hue are further away",
    ] = 16.0
    share: Annotated[
        float,
        "of the points looked at",
        "the others may lie on the soft edges of the pipe or on the line below",
    ] = 0.7
    ground_near: Annotated[
        float,
        "of the way to the background",
        "a pipe of nearly the background's colour is nearer to that of its flow",
    ] = 0.5
    ground_apart: Annotated[
        float, "Lab", "how far a pipe is from the background at least; JPEG makes a dark one vary by 2"
    ] = 5.0
