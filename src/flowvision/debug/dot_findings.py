"""What may be wrong with the dots, and with the puzzle that they make."""

from __future__ import annotations

import numpy as np

from flowvision.debug.colour_findings import ALONE, SOME_CELLS, nearest_colours, position_of
from flowvision.debug.finding import Finding, Seen
from flowvision.debug.late_stages import near_misses

INKED = (0.04, 0.6)
"""Of the middle of a cell: so much of it is covered by a letter or a digit."""
DOUBTED = 0.9
"""Confidence: what was seen less well is looked at first."""
PICTURE_OF = {
    "lines": "03-grid.png",
    "dot": "04-marks.png",
    "colours": "05-clusters.png",
    "walls": "03b-sides.png",
}


def are_smaller(seen: Seen) -> Finding | None:
    """The discs on the board are smaller than the ring in which dots are looked for."""
    model = seen.scene.trail.model
    if not _lacks_dots(seen) or model is None:
        return None
    cells = seen.discs.cells(seen.scene.settings.dots)
    radius = float(np.median(seen.discs.radius[cells])) if len(cells) else 1.0
    if len(cells) < SOME_CELLS or radius >= model.ring:
        return None
    return Finding(
        "04-marks.png",
        f"The ring in which dots are looked for is wider than the dots: {model.ring:.3g} of a cell, while "
        f"{len(cells)} cells hold discs of {radius:.2g}.",
        "A copy of the game with small dots, or a picture in which cells are drawn larger.",
        "",
        "dots.ring",
        radius,
    )


def are_no_discs(seen: Seen) -> Finding | None:
    """Something is in the cells, but it is no disc."""
    if not _lacks_dots(seen):
        return None
    low, high = INKED
    inked = int(np.count_nonzero((seen.discs.ink >= low) & (seen.discs.ink <= high)))
    count, cover = len(seen.discs.ink), _cover(seen)
    found = len(seen.scene.dots.dots)
    how = "none of it reaches the ring that a dot fills"
    if cover > 0:
        wanted = seen.scene.settings.dots.cover
        how = f"it covers at most {cover:.2f} of the ring that a dot fills, {wanted:g} wanted"
    if inked < SOME_CELLS:
        return Finding(
            "04-marks.png",
            f"The cells are empty: of {count} cells {found or 'none'} hold{'' if found > 1 else 's'} a dot.",
            "A level that has not appeared yet, a board covered by something, or another game.",
            "",
            "dots.contrast",
        )
    return Finding(
        "04-marks.png",
        f"{inked} of {count} cells hold something that is no dot: {how}. {found or 'No'} dots were found.",
        "Letters, digits, symbols or pieces: another game, or something lies over the board.",
        "",
        "dots.cover",
        cover,
    )


def lack_a_partner(seen: Seen) -> Finding | None:
    """A colour has one dot, so another one is hidden or was missed."""
    marks = seen.scene.trail.dots
    if marks is None or len(marks.dots) < SOME_CELLS or seen.scene.trail.reading is not None:
        return None
    nearest, crowd = nearest_colours(marks)
    if int(crowd.max()) > 2 + len(marks.dots) // 8:
        return None
    alone = np.flatnonzero(nearest > max(ALONE, 3 * float(np.median(nearest))))
    if not len(alone):
        return None
    where = " and ".join(f"dot {n} in {position_of(seen, marks.dots[n].cell)}" for n in alone[:3].tolist())
    near = near_misses(marks, seen.scene)
    closest = _nearest_miss(seen, near) if near else ""
    return Finding(
        "04-marks.png",
        f"{len(marks.dots)} dots were found, and {where} {'are' if len(alone) > 1 else 'is'} alone in "
        f"{'their colours' if len(alone) > 1 else 'its colour'}: every colour has two dots.{closest}",
        "The partner is hidden (a notification, a finger, a banner), cut off, or was missed.",
        "",
        "dots.cover",
        float(marks.evidence.cover[near].max()) if near else None,
    )


def are_odd(seen: Seen) -> Finding | None:
    """An odd number of dots, and no telling which."""
    marks = seen.scene.trail.dots
    if marks is None or len(marks.dots) % 2 == 0 or len(marks.dots) < SOME_CELLS:
        return None
    return Finding(
        "04-marks.png",
        f"{len(marks.dots)} dots were found, an odd number: they come in pairs.",
        "One is hidden or was missed, or something round was taken for a dot.",
    )


def were_left_out(seen: Seen) -> Finding | None:
    """Discs as large as the dots stand in cells that were read as empty."""
    trail, settings = seen.scene.trail, seen.scene.settings
    if trail.reading is None or trail.dots is None or trail.sides is None:
        return None
    held = [dot.cell for dot in trail.dots.dots]
    usual = float(np.median(seen.discs.radius[held]))
    cells = [n for n in seen.discs.cells(settings.dots).tolist() if n not in held]
    alike = [n for n in cells if abs(seen.discs.radius[n] / max(usual, 0.01) - 1) <= settings.dots.alike_size]
    if not alike:
        return None
    where = ", ".join(position_of(seen, n) for n in alike[:3])
    return Finding(
        "04-marks.png",
        f"{len(alike)} cells hold a disc as large as the dots but were read as empty: {where}.",
        "Dots were missed: something lies over them, or they differ from the others.",
    )


def is_refuted(seen: Seen) -> Finding | None:
    """A whole puzzle was read, and refused."""
    reading, refusal = seen.scene.trail.reading, seen.error.refusal
    if reading is None:
        return None
    says = f"What was read, {reading.size}, has no solution, and every level of the game has one."
    if refusal and refusal.saw is not None and refusal.wanted is not None:
        seen_wanted = f"{refusal.saw:.2f}, {refusal.wanted:g} wanted"
        says = f"What was read, {reading.size}, was not seen well enough: {seen_wanted}."
    elif refusal and refusal.check != "no solution":
        says = f"What was read, {reading.size}, is not believed: {refusal.check}; {refusal.why}."
    panel = "07-solution.png"
    if reading.weakest and reading.confidence < DOUBTED:
        says += f" Seen least well ({reading.confidence:.2f} of 1): {reading.weakest}."
        panel = next((name for word, name in PICTURE_OF.items() if word in reading.weakest), panel)
    return Finding(panel, says, "Something was misread: compare dots, walls and size with the picture.")


def _lacks_dots(seen: Seen) -> bool:
    marks = seen.scene.trail.dots
    is_early = seen.scene.trail.pairing is None and seen.scene.trail.sides is not None
    return marks is not None and is_early and len(marks.dots) < seen.scene.settings.dots.count_min


def _nearest_miss(seen: Seen, near: list[int]) -> str:
    """The cell without a dot that comes nearest to having one, in a sentence."""
    cover, wanted = seen.scene.dots.evidence.cover, seen.scene.settings.dots.cover
    best = max(near, key=lambda cell: float(cover[cell]))
    if cover[best] >= wanted:
        return (
            f" {position_of(seen, best).capitalize()} comes nearest: its ring is even, but it was ruled out: "
            "too "
            "dark, too large, or like what is round it."
        )
    how = f"{cover[best]:.2f} of its ring is even, {wanted:g} wanted"
    return f" {position_of(seen, best).capitalize()} comes nearest: {how}."


def _cover(seen: Seen) -> float:
    """The most that a cell which stands out covers of its ring, of those that are no dots."""
    marks = seen.scene.dots
    others = np.delete(marks.evidence.cover, [dot.cell for dot in marks.dots])
    contrast = np.delete(marks.evidence.contrast, [dot.cell for dot in marks.dots])
    return float(others[contrast >= seen.scene.settings.dots.contrast].max(initial=0.0))
