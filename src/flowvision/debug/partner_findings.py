"""What may be wrong with the pairs: other colours, something over the board, dots without a partner."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flowvision.debug.colour_findings import SOME_CELLS
from flowvision.debug.colour_groups import ColourGroup, counts_in_words, listed
from flowvision.debug.discs import EDGE
from flowvision.debug.finding import Finding, Seen
from flowvision.debug.late_stages import near_misses
from flowvision.debug.marks import Mark
from flowvision.debug.places import cell_rings, letter_of, place_to_set, rings, where_cell, where_dot
from flowvision.solvers import Unsolvable
from flowvision.vision.kinds.rectangular.fit import GridFit

FEWEST = 6
"""Dots: from so many on few colours are telling."""
CROWDED = 4
"""Dots of each colour, on average: another game."""
COLOURLESS = 30
"""Between the channels of a pixel: pictures without colours differ by less, compressed ones as well."""
FAINT, MOST_FAINT = 2.0, 2
"""Lab, and cells: noise and glow in empty cells make discs of 1.0 at most; more discs are something else."""
THIRDS = ("upper", "", "lower"), ("left", "", "right")


def are_of_few_colours(seen: Seen) -> Finding | None:
    """All dots are of a few colours, many of each."""
    count, groups = sum(len(group) for group in seen.groups), seen.groups
    if count < FEWEST or len(groups) * CROWDED > count or seen.scene.trail.reading is not None:
        return None
    if _is_colourless(seen):
        return Finding(
            "04-marks.png",
            f"The picture has no colours: all {count} dots are grey, so nothing says which belong together.",
            then="Take the screenshot in colour: without a filter, a grey scale setting or a printer.",
            marks=rings(seen, range(count)),
        )
    how = f"have one colour, {groups[0].name}" if len(groups) == 1 else f"have only {len(groups)} colours"
    return Finding(
        "04-marks.png",
        f"Not this game: {'all ' if len(groups) == 1 else ''}{count} dots {how}.",
        f"Found: {counts_in_words(groups)}. In this game every colour has exactly two dots.",
        then="Use a screenshot of a level of Flow Free, or of a game with the same rules.",
        marks=rings(seen, range(count)),
    )


def is_covered(seen: Seen) -> Finding | None:
    """Something lies over cells, and dots lack their partners or the rest has no solution."""
    lone = _lone(seen)
    is_refuted = isinstance(seen.scene.trail.outcome, Unsolvable)
    if not len(seen.covered) or not (lone or is_refuted or _is_odd(seen)):
        return None
    count = len(seen.covered)
    what = f"{count} cells {_region(seen)}" if count > 1 else f"the cell {_covered_name(seen)}"
    lacks = f": {_dots(lone)} no partner" if lone else ""
    places = seen.covered.places
    place = f"{places[0][0]},{places[0][1]}" if count == 1 and places else "ROW,COLUMN"
    option = f"--set {place}={letter_of(seen, lone[0].dots[0])}" if lone else ""
    return Finding(
        "04-marks.png",
        f"Something covers {what}{lacks}.",
        f"{sum(map(len, seen.groups))} dots were found; what lies under the marked part cannot be seen.",
        option,
        then="Take the screenshot again with nothing over the board (no notification, finger or menu)"
        + (", or say what is under it, rows and columns counted from 0:" if lone else "."),
        marks=(
            *(Mark.of("area", outline) for outline in seen.covered.outlines_px),
            *rings(seen, (group.dots[0] for group in lone)),
        ),
    )


def is_recoloured(seen: Seen) -> Finding | None:
    """One colour has three dots and another one: nothing is missing, a colour is wrong."""
    crowds, lone = _crowds(seen), _lone(seen)
    if not crowds or len(crowds) != len(lone) or any(len(group) != 3 for group in crowds):
        return None
    if len(crowds) > 1:
        says = f"Dots have wrong colours: {counts_in_words([*crowds, *lone])}; every colour has two."
        means = "Nothing is missing, the number of dots is even. The suspects are marked."
    else:
        (crowd,), (one,) = crowds, lone
        says = f"3 dots are {crowd.name} and only 1 is {one.name}, but every colour has two."
        where = listed([where_dot(seen, n) for n in crowd.dots])
        means = (
            f"Nothing is missing: {sum(map(len, seen.groups))} dots were found. One of the {crowd.name} ones "
            f"should be {one.name}: {where}; the {one.name} one is {where_dot(seen, one.dots[0])}."
        )
    suspects = [n for group in (*crowds, *lone) for n in group.dots]
    return Finding(
        "04-marks.png",
        says,
        means,
        f"--set ROW,COLUMN={letter_of(seen, lone[0].dots[0])}",
        then=(
            "Compare the marked dots with the screen and say which one it is, rows and columns "
            "counted from 0:"
        ),
        marks=rings(seen, suspects),
    )


def lack_a_partner(seen: Seen) -> Finding | None:
    """Colours have one dot, and nothing says where the other is."""
    lone, marks = _lone(seen), seen.scene.trail.dots
    if not lone or marks is None:
        return None
    count = len(marks.dots)
    near = near_misses(marks, seen.scene)
    first = lone[0]
    if len(lone) == 1:
        says = (
            f"The {first.name} dot {where_dot(seen, first.dots[0])} has no partner: no second one was seen."
        )
    else:
        named = [f"{group.name} ({where_dot(seen, group.dots[0])})" for group in lone]
        says = f"{len(lone)} dots have no partner: {listed(named)}."
    means = [f"{count} dots were found, and nothing seems to cover the board."]
    if len(lone) == 2:
        means.append("If these two belong together, one of them was read in a wrong colour.")
    faint = [] if near else _faint(seen)
    if near:
        where = listed([where_cell(seen, cell) for cell in near], 3)
        means.append(f"Something that is not quite a dot is {where}.")
    elif faint:
        where = listed([where_cell(seen, cell) for cell in faint])
        means.append(
            f"The trace of a disc is {where}, hardly darker or brighter than the ground: was a dot there?"
        )
    elif edge := _ends_at(seen):
        means.append(f"The picture ends right {edge} the board: perhaps a row of it is cut off.")
    else:
        missing = "the other one is" if len(lone) == 1 else "the others are"
        means.append(f"The other cells look empty: why {missing} not seen is not known.")
    near = near or faint
    place = place_to_set(seen, near[0]) if len(near) == 1 else "ROW,COLUMN"
    return Finding(
        "04-marks.png",
        says,
        " ".join(means),
        f"--set {place}={letter_of(seen, first.dots[0])}",
        "dots.cover",
        float(marks.evidence.cover[near].max()) if near else None,
        "Take the screenshot again, or look for what is missing on the screen and say where it is, rows and "
        "columns counted from 0:",
        _covers_said(seen, near),
        (*rings(seen, (group.dots[0] for group in lone)), *cell_rings(seen, near)),
    )


def are_too_many(seen: Seen) -> Finding | None:
    """A colour has more than two dots, and none lacks its partner."""
    crowds = _crowds(seen)
    if not crowds:
        return None
    most = max(crowds, key=len)
    return Finding(
        "04-marks.png",
        f"{len(most)} dots are {most.name}, but every colour has exactly two.",
        f"They are {listed([where_dot(seen, n) for n in most.dots])}. Something round may have been "
        f"taken for a dot, or "
        "another game is shown.",
        "--set ROW,COLUMN=.",
        "pairing.margin",
        None,
        "Compare the marked dots with the screen; take away what is none, rows and columns counted from 0:",
        marks=rings(seen, most.dots),
    )


def _is_unpaired(seen: Seen) -> bool:
    marks, trail = seen.scene.trail.dots, seen.scene.trail
    return marks is not None and len(marks.dots) >= SOME_CELLS and trail.reading is None


def _is_odd(seen: Seen) -> bool:
    return _is_unpaired(seen) and len(seen.scene.dots.dots) % 2 == 1


def _lone(seen: Seen) -> list[ColourGroup]:
    return [group for group in seen.groups if len(group) == 1] if _is_unpaired(seen) else []


def _crowds(seen: Seen) -> list[ColourGroup]:
    return [group for group in seen.groups if len(group) > 2] if _is_unpaired(seen) else []


def _dots(lone: Sequence[ColourGroup]) -> str:
    names = listed([group.name for group in lone], 5)
    return f"the {names} dot has" if len(lone) == 1 else f"{len(lone)} dots ({names}) have"


def _covered_name(seen: Seen) -> str:
    if seen.covered.places:
        row, col = seen.covered.places[0]
        return f"in row {row + 1}, column {col + 1}"
    return where_cell(seen, next(iter(seen.covered.cells)))


def _region(seen: Seen) -> str:
    """Where the covered cells lie on the board, such as ``at its lower right``."""
    corners = [cell.outline for cell in seen.scene.sides.board.layout.cells]
    board = np.concatenate([seen.scene.sides.fit.frame.to_px(outline) for outline in corners])
    middle = np.concatenate(seen.covered.outlines_px).mean(axis=0)
    share = (middle - board.min(axis=0)) / np.ptp(board, axis=0)
    across, down = (min(2, max(0, int(3 * part))) for part in share.tolist())
    words = " ".join(filter(None, (THIRDS[0][down], THIRDS[1][across])))
    return f"at the {words} of the board" if words else "in the middle of the board"


def _ends_at(seen: Seen) -> str:
    """Where the picture ends within a cell of the board, above or below it."""
    fit = seen.scene.trail.fit
    if not isinstance(fit, GridFit):
        return ""
    rows = fit.frame.to_px([(0, 0), (fit.cols, 0), (fit.cols, fit.rows), (0, fit.rows)])[:, 1]
    if seen.scene.shot.bgr.shape[0] - rows.max() < fit.pitch_px:
        return "below"
    return "above" if rows.min() < fit.pitch_px else ""


def _is_colourless(seen: Seen) -> bool:
    pixels = seen.scene.shot.bgr[::4, ::4].astype(np.int16)
    return float(np.percentile(np.ptp(pixels, axis=2), 99.9)) < COLOURLESS


def _faint(seen: Seen) -> list[int]:
    """The empty cells with a disc that differs a little from the ground: of a dot that was wiped away."""
    held = {dot.cell for dot in seen.scene.dots.dots}
    is_faint = (seen.discs.radius > 0) & (seen.discs.radius < EDGE) & (seen.discs.contrast >= FAINT)
    found = [cell for cell in np.flatnonzero(is_faint).tolist() if cell not in held]
    return found if len(found) <= MOST_FAINT else []


def _covers_said(seen: Seen, near: Sequence[int]) -> str:
    """How much of the ring of a dot the cells cover that come near to having one."""
    cover = seen.scene.dots.evidence.cover
    parts = [f"{where_cell(seen, cell)} {cover[cell]:.2f}" for cell in near]
    wanted = seen.scene.settings.dots.cover
    return f"Covered of the ring that a dot fills: {listed(parts)}; {wanted:g} wanted." if near else ""
