"""What may be wrong with the dots: too small, something else, none, or left out."""

from __future__ import annotations

import numpy as np

from flowvision.debug.colour_findings import SOME_CELLS, position_of
from flowvision.debug.finding import Finding, Seen
from flowvision.debug.marks import Mark

INKED = (0.04, 0.6)
"""Of the middle of a cell: so much of it is covered by a letter or a digit."""

SMALL_BOARD = 20
"""Cells: fewer than those of the game's smallest boards, five by five less a few holes."""


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
        f"The dots are too small: {len(cells)} cells hold discs that are {2 * radius:.0%} as wide "
        f"as their cells.",
        f"Dots are looked for from {2 * model.ring:.0%} on.",
        "",
        "dots.ring",
        radius,
        "Use the game itself, or a copy of it with larger dots.",
        f"The ring in which dots are looked for: {model.ring:.3g} of a cell in radius; the discs: "
        f"{radius:.2g}.",
        _cell_marks(seen, cells.tolist()),
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
    dots = f"{found} dots were found." if found else "No dots were found."
    marks = _cell_marks(seen, np.flatnonzero((seen.discs.ink >= low) & (seen.discs.ink <= high)).tolist())
    if inked < SOME_CELLS and count < SMALL_BOARD:
        return Finding(
            "04-marks.png",
            f"No board was found: what looks most like one has {count} cells without dots.",
            "The smallest boards of the game have 25 cells. It may be another game, or a menu.",
            "",
            "dots.contrast",
            then="Take the screenshot with a level open.",
        )
    if inked < SOME_CELLS:
        return Finding(
            "04-marks.png",
            f"The board is empty: {f'only {found}' if found else 'none'} of its {count} cells "
            f"hold{'s' if found < 2 else ''} a dot.",
            "The level may not have appeared yet when the picture was taken; or it is another game.",
            "",
            "dots.contrast",
            then="Take the screenshot when all dots are there.",
        )
    return Finding(
        "04-marks.png",
        f"Letters, symbols or pieces instead of dots: {inked} of {count} cells hold something that "
        f"is no round dot.",
        f"{dots} Another game, or a board written in letters.",
        "",
        "dots.cover",
        cover,
        "Use a screenshot of the game itself, with round dots.",
        f"Of what is in the cells, {how}.",
        marks,
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
        "They differ from the others in something else than size; in what is not known.",
        "--set ROW,COLUMN=LETTER",
        then="If they are dots, say so, rows and columns counted from 0:",
        marks=_cell_marks(seen, alike),
    )


def _cell_marks(seen: Seen, cells: list[int]) -> tuple[Mark, ...]:
    """Rings round what is in the middles of cells."""
    frame, found = seen.scene.sides.fit.frame, seen.scene.sides.board.layout.cells
    middles = frame.to_px([found[n].centre for n in cells]).tolist() if cells else []
    narrow = frame.narrow_px(found[0].centre)
    return tuple(Mark("ring", ((x, y),), "", 0.42 * narrow) for x, y in middles)


def _lacks_dots(seen: Seen) -> bool:
    marks = seen.scene.trail.dots
    is_early = seen.scene.trail.pairing is None and seen.scene.trail.sides is not None
    return marks is not None and is_early and len(marks.dots) < seen.scene.settings.dots.count_min


def _cover(seen: Seen) -> float:
    """The most that a cell which stands out covers of its ring, of those that are no dots."""
    marks = seen.scene.dots
    others = np.delete(marks.evidence.cover, [dot.cell for dot in marks.dots])
    contrast = np.delete(marks.evidence.contrast, [dot.cell for dot in marks.dots])
    return float(others[contrast >= seen.scene.settings.dots.contrast].max(initial=0.0))
