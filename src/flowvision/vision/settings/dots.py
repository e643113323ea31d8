"""Thresholds of the stages ``dots``, ``pairs``, ``crossings`` and ``pipes``."""

from __future__ import annotations

from flowvision.vision.settings.threshold import SettingsGroup, setting, settings_group


@settings_group
class DotSettings(SettingsGroup):
    """Which cells hold a dot."""

    ring: float = setting(
        0.283,
        "of the pitch",
        "inside a dot (0.35) but outside a pipe (0.17) and its head (0.25), clear of letters",
    )
    small_ring: float = setting(
        0.19, "of the pitch", "tried second: dots of copies of the game are as small as 0.24, their pipes 0.1"
    )
    free_ring: float = setting(
        0.2, "of a cell's width", "dots of hexagons and mixed boards are smaller: 0.26 of the cell's width"
    )
    hexagon_ring: float = setting(
        0.25, "of a hexagon's width", "inside a dot (0.285), outside the head of a pipe (0.205) and letters"
    )
    circle_ring: float = setting(
        0.6,
        "of a circle's radius",
        "inside the rim of a dot and the blurred one of a small ring, outside a pipe half as wide",
    )
    copy_ring: float = setting(
        0.75, "of a dot's radius", "a pipe through the cell is 0.6 of a dot wide and must not fill the ring"
    )
    outer_ring: float = setting(0.41, "of the pitch", "outside a dot (0.35), inside the cell's lines (0.5)")
    outline_ring: float = setting(
        0.85, "of the way to a cell's outline", "a dot reaches 0.7 of the way to the nearest side"
    )
    as_large: float = setting(
        0.82,
        "of the radius of others",
        "pipes that fill the ring in narrow cells are half as wide as dots, their heads 0.72, and 0.79 where "
        "the ring of their cell is of nearly their colour; dots themselves have 0.93",
    )
    cover: float = setting(
        0.8,
        "of the ring",
        "a pipe through the cell covers 0.4 of the ring, the head of one 0.2, a dot all of it",
    )
    rim_begins: float = setting(
        0.6, "of a ring", "between a dot of 7 px and its rim 0.62 have the colour of one; in letters 0.5"
    )
    contrast: float = setting(
        9.0,
        "Lab",
        "the darkest dot (navy) on a faded board stands out by 14, glow and tints inside a cell by 3",
    )
    clear: float = setting(
        0.74, "of the outer ring", "the pipe of a dot covers 0.13 of it, the round end of a glow bar 0.28"
    )
    clear_near: float = setting(
        0.35,
        "of the way to the background",
        "a pipe or a bar has the dot's own colour; the halo round a finger lies half-way to it",
    )
    letter_reach: float = setting(
        0.6, "of a dot's radius", "a letter in a dot reaches so far from its middle; that of the game 0.51"
    )
    value: float = setting(
        0.2, "of the brightest dot", "navy under night shift has 0.28, a letter's or line's shadow less"
    )
    count_min: int = setting(4, "dots", "no published level has a single pair; parts of boards often do")
    off_lattice: float = setting(
        0.2,
        "of the pitch",
        "how far from the middle of its cell a dot may lie; buttons beside a board lie anywhere",
    )
    alike_size: float = setting(0.12, "of the radius", "dots of one board differ by less")
    radius_max: float = setting(
        0.55, "of the pitch", "the lines round a large dot are seen as its rim; larger discs are no dots"
    )


@settings_group
class RimSettings(SettingsGroup):
    """Whether lines look as thick as walls because large dots touch them."""

    radius: float = setting(
        0.368,
        "of a cell's width",
        "dots of the game measure 0.34 to 0.361, those that make lines beside them look thick 0.375 and more",
    )
    cell_min_px: float = setting(
        24.0, "px of the view", "in smaller cells the two sizes differ by less than a pixel"
    )
    clarity: float = setting(0.9, "0 to 1", "a board without walls that is this clear has none for certain")


@settings_group
class PairingSettings(SettingsGroup):
    """Which dots belong together."""

    margin: float = setting(
        1.5, "Lab", "below this, the next dot looks as good a partner; undamaged screenshots have 10 and more"
    )
    doubt: float = setting(
        12.0,
        "Lab",
        "where the number of colours is known: a dot this much further away may be the partner; those of "
        "undamaged screenshots are 10 and more, and there the closest pairs are tried alone first",
    )
    letters_below: float = setting(
        8.0, "Lab", "undamaged colours are 10 apart and more: letters are looked at only below this"
    )
    letters_dots: int = setting(
        60,
        "dots",
        "26 letters tell 26 pairs apart; more that have something in them are a texture, which takes seconds",
    )
    letters_weight: float = setting(
        100.0, "Lab", "the most alike letters, E and F, differ by 0.1, one letter from itself by half of that"
    )
    letter_ink: float = setting(
        30.0, "brightness", "letters are white or black on colours between; anti-aliased edges lie lower"
    )
    letter_share_min: float = setting(0.04, "of the middle of a dot", "a speck covers less than a letter")
    letter_share_max: float = setting(0.6, "of the middle of a dot", "a disc covers more than a letter")
    letter_likeness: float = setting(
        0.7, "correlation", "letters of other fonts have 0.83 and more with ours, blurred; other marks less"
    )
    unlike: float = setting(
        12.0, "Lab", "two dots of a pair differ by up to 6 on a screenshot where all others are equal"
    )
    unlike_times: float = setting(
        4.0,
        "times the next pair's difference",
        "two dots of a pair differ by up to 24 in a photograph where those of other pairs differ by 4",
    )
    crowd_apart: float = setting(
        6.0, "Lab", "pieces of one colour differ by up to 4 in a JPEG; six dots of a board are further apart"
    )
    crowd_min: int = setting(
        12,
        "dots",
        "on fewer, bad light may make so many alike; of as many pieces one may be unlike all others",
    )
    crowd_alone: int = setting(
        4, "dots", "boards have six dots of three pairs, also where every empty cell shows a disc"
    )
    margin_scale: float = setting(
        4.0,
        "Lab",
        "confidence in a margin: 0.63 in one of 4, 0.92 in one of 10 as undamaged screenshots have",
    )


@settings_group
class CrossingSettings(SettingsGroup):
    """Where bridges and warps are."""

    border_open: float = setting(
        0.5, "of the strongest border", "an opening shows nothing but the ends of the lines beside it"
    )
    border_missing: float = setting(
        0.6, "of a plain grid line", "below this there is no border to see an opening in"
    )
    bridge_ink: float = setting(
        0.02, "of the inside of a cell", "the rails of a bridge cover 0.05, JPEG noise and glow nothing"
    )
    bridge_step: float = setting(
        0.5, "of a grid line's brightness", "the rails of a bridge are as bright as grid lines, glow is not"
    )
    bridge_step_min: float = setting(12.0, "brightness", "what stands out by less is noise")
    bridge_width: float = setting(0.2, "of the pitch", "rails are thinner, pipes 0.33 wide")


@settings_group
class PipeSettings(SettingsGroup):
    """Whether a pipe is drawn through the side of a cell."""

    alike: float = setting(
        16.0,
        "Lab",
        "a pipe is as flat as a dot and has its colour; lines and tints of the same hue are further away",
    )
    share: float = setting(
        0.7,
        "of the points looked at",
        "the others may lie on the soft edges of the pipe or on the line below",
    )
    ground_near: float = setting(
        0.5,
        "of the way to the background",
        "a pipe of nearly the background's colour is nearer to that of its flow",
    )
    ground_apart: float = setting(
        5.0, "Lab", "how far a pipe is from the background at least; JPEG makes a dark one vary by 2"
    )
