"""Every damage by name, and whether it takes the look of a board alone, or hides or loses a part of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import damage_content as content
import damage_overlays as over
import damage_signals as signal
from scenes import Change

Loss = Literal["look", "some", "lost"]
"""``look``: nothing is covered, and dots of a pair are still alike. ``some``: a part may be covered, too
small, or of another colour than its like. ``lost``: something that the answer needs is gone or false."""


@dataclass(frozen=True)
class Damage:
    """One thing that may happen to a picture."""

    name: str
    loss: Loss
    apply: Change


DAMAGES = (
    Damage("as it is", "look", lambda scene, _: scene.bgr),
    # Over the board
    Damage("white pointer", "some", over.white_pointer),
    Damage("black pointer", "some", over.black_pointer),
    Damage("pointing hand", "some", over.hand_pointer),
    Damage("touch halo", "some", over.touch_halo),
    Damage("soft halo", "some", over.soft_halo),
    Damage("coloured halo", "some", over.coloured_halo),
    Damage("touch mark", "some", over.touch_mark),
    Damage("finger", "lost", over.finger),
    Damage("shadow", "some", over.shadow),
    Damage("banner above", "look", over.banner_above),
    Damage("banner over the first row", "lost", over.banner_over),
    Damage("toast", "some", over.toast),
    Damage("glare", "some", over.glare),
    Damage("strip of glare", "some", over.glare_strip),
    Damage("watermark", "some", over.watermark),
    Damage("faint watermark", "look", over.faint_watermark),
    Damage("large watermark", "some", over.large_watermark),
    Damage("caption", "some", over.caption),
    Damage("circle by pen", "some", over.pen_circle),
    Damage("chat head", "some", over.chat_head),
    Damage("hair", "look", over.hair),
    Damage("scratches", "look", over.scratches),
    Damage("dead lines", "look", over.dead_lines),
    Damage("cracked glass", "look", over.crack),
    Damage("drops of water", "some", over.drops),
    Damage("smear", "look", over.smear),
    Damage("selection frame", "look", over.selection),
    # The pixels
    Damage("80 px wide", "some", signal.wide(80)),
    Damage("90 px wide", "some", signal.wide(90)),
    Damage("100 px wide", "some", signal.wide(100)),
    Damage("120 px wide", "some", signal.wide(120)),
    Damage("160 px wide", "some", signal.wide(160)),
    Damage("pixelated", "some", signal.pixelated),
    Damage("resampled", "look", signal.resampled),
    Damage("narrower", "look", signal.stretched(0.8, 1.0)),
    Damage("flatter", "look", signal.stretched(1.0, 0.75)),
    Damage("4 levels", "some", signal.posterised(4)),
    Damage("8 levels", "look", signal.posterised(8)),
    Damage("halftone", "some", signal.halftone),
    Damage("dithered", "some", signal.dithered),
    Damage("256 colours", "some", signal.few_colours),
    Damage("no blue", "lost", signal.without_channel(0)),
    Damage("no green", "lost", signal.without_channel(1)),
    Damage("no red", "lost", signal.without_channel(2)),
    Damage("hues turned", "look", signal.hue_turned),
    Damage("hue gradient 30°", "some", signal.hue_gradient(30)),
    Damage("hue gradient 90°", "lost", signal.hue_gradient(90)),
    Damage("grey", "lost", signal.grey),
    Damage("sepia", "some", signal.sepia),
    Damage("negative", "look", signal.inverted),
    Damage("brightened", "look", signal.gamma(0.6)),
    Damage("darkened", "look", signal.gamma(1.8)),
    Damage("washed out", "look", signal.washed_out),
    Damage("bright above, dark below", "some", signal.light_gradient),
    Damage("vignette", "look", signal.vignette),
    Damage("noise 10", "look", signal.noisy(10)),
    Damage("noise 30", "some", signal.noisy(30)),
    Damage("salt and pepper", "some", signal.strewn(0.02)),
    Damage("JPEG twice", "look", signal.jpeg_twice),
    Damage("WebP 5", "look", signal.webp),
    Damage("soft colours", "look", signal.soft_colours),
    Damage("scan lines", "look", signal.scan_lines),
    Damage("waves", "look", signal.stripes),
    Damage("blurred 1/40", "look", signal.blurred(0.025)),
    Damage("blurred 1/16", "some", signal.blurred(0.0625)),
    Damage("moved", "look", signal.moved),
    Damage("sharpened", "look", signal.sharpened),
    Damage("painted", "some", signal.painted),
    Damage("interlaced", "look", signal.interlaced),
    Damage("colour fringes", "look", signal.colour_fringes),
    Damage("barrel", "look", signal.barrel),
    Damage("sheared", "look", signal.sheared),
    Damage("tilted away", "look", signal.tilted_away),
    # The board
    Damage("torn a little", "some", content.torn(0.04)),
    Damage("torn", "lost", content.torn(0.3)),
    Damage("torn by a cell", "lost", content.torn(1.0)),
    Damage("two frames mixed", "lost", content.frames_mixed),
    Damage("lost row", "lost", content.lost_row),
    Damage("lost column", "lost", content.lost_column),
    Damage("doubled row", "lost", content.doubled_row),
    Damage("lost pixels", "look", content.lost_pixels),
    Damage("erased dot", "lost", content.erased_dot),
    Damage("erased pair", "lost", content.erased_pair),
    Damage("moved dot", "lost", content.moved_dot),
    Damage("added dot", "lost", content.added_dot),
    Damage("swapped dots", "lost", content.swapped_dots),
    Damage("erased line", "some", content.erased_line),
    Damage("two boards beside", "look", content.two_beside),
    Damage("two boards above", "look", content.two_above),
    Damage("nested", "look", content.nested),
    Damage("picture in picture", "some", content.picture_in_picture),
    Damage("phone", "look", content.phone_frame),
    Damage("round corners", "look", content.round_corners),
    Damage("cut inside the border", "some", content.cut(0.06)),
    Damage("half a column cut off", "lost", content.cut(0.5)),
    Damage("a row and a half cut off", "lost", content.cut_below),
    Damage("faded into the next", "some", content.faded),
    Damage("board alone", "look", content.board_alone),
)
"""Beyond those of ``robustness.py``."""
