"""Doubts about dots and their colours: missing, too small, without a partner, too many, alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from flowvision.advice import Change, Option
from flowvision.diagnosis.cells import BLOT, EDGE, ColourGroup, counts_in_words
from flowvision.diagnosis.seen import SOME, Seen, near_misses
from flowvision.diagnosis.surface import cast
from flowvision.reading.beyond import discs_without_dot, squares_of
from flowvision.reading.doubt import Doubt, Mark
from flowvision.vision.assembly import Interpretation
from flowvision.vision.dots.detection import Pairing

INKED = (0.04, 0.6)
"""Share of the middle of a cell that a letter or a digit covers, at least and at most."""
SMALL_BOARD = 20
"""Cells of the game's smallest boards, five by five without a few holes."""
FEWEST = 6
"""Dots from which on few colours are telling."""
CROWDED = 4
"""Dots per colour; most colours have as many in other games."""
FAINT, MOST_FAINT = 2.0, 2
"""Contrast (Lab) and number of discs: noise and glow reach 1.0; more discs are something else."""
RING_GROWN = 1.35
"""Radius of a mark that leaves its dot visible, in radii of the dot."""
CAST, MANY, FEW = 0.5, 10, 3
"""Share of the brightest channel that a filter leaves of the darkest. Number of dots: fewer may
lack a colour. Number of colours that a filter leaves."""
MOST_OTHERS = 4
"""Number of cells with a mark from which on pipes are drawn."""
MOST_SETS = 8
"""Number of dots to advise letters for, one by one."""


def were_miscounted(seen: Seen) -> Doubt | None:
    """Detect a wrong number of colours: more or fewer dots, all with partners."""
    colours, count = seen.options.colours, len(seen.dots.dots) if seen.dots else 0
    if colours is None or not count or seen.reading is not None or count == 2 * colours:
        return None
    if count % 2 or lone_colours(seen) or _crowds(seen):
        return None
    facts = {
        "dots": count,
        "colours": colours,
        "wanted": 2 * colours,
        "pairs": count // 2,
        "option": "colours",
    }
    return Doubt(
        "wrong-option", "dots", facts, rings(seen, range(count)), (Option("colours", str(count // 2)),)
    )


def look_alike(seen: Seen) -> Doubt | None:
    """Detect dots that can be paired in several ways despite a given number of colours."""
    details = seen.error.details
    if "alike" not in details or seen.dots is None:
        return None
    alike, pairs = details["alike"], details["pairs"]
    letters = dict.fromkeys(seen.letter_of(n) for pair in pairs for n in pair)
    advice: tuple[Change, ...] = (Change(),)
    if len(alike) <= MOST_SETS:
        lettered = zip(pairs, letters, strict=False)
        advice = tuple(Change(seen.place_of_dot(n), letter) for pair, letter in lettered for n in pair)
    facts = {
        "places": [seen.place_of_dot(n) for n in alike],
        "ways": details["ways"],
        details["why"]: details["number"] or True,
    }
    return Doubt("alike-dots", "pairs", facts, rings(seen, alike), advice)


def are_smaller(seen: Seen) -> Doubt | None:
    """Detect discs that are smaller than the sampled ring."""
    if not _lacks_dots(seen) or seen.model is None:
        return None
    cells = seen.discs.cells(seen.settings.dots)
    radius = float(np.median(seen.discs.radius[cells])) if len(cells) else 1.0
    if len(cells) < SOME or radius >= seen.model.ring:
        return None
    facts = {"small": len(cells), "width": 2 * radius}
    marks = cell_rings(seen, cells.tolist(), "")
    return Doubt("no-dots", "dots", facts, marks, threshold="dots.ring", saw=radius)


def are_no_discs(seen: Seen) -> Doubt | None:
    """Detect empty cells, or marks that are not discs."""
    if not _lacks_dots(seen) or seen.dots is None:
        return None
    low, high = INKED
    inked = np.flatnonzero((seen.discs.ink >= low) & (seen.discs.ink <= high)).tolist()
    cells, found = len(seen.discs.ink), len(seen.dots.dots)
    facts: dict[str, Any] = {"cells": cells, "dots": found, "none": not found}
    if len(inked) >= SOME:
        facts["inked"] = len(inked)
        return Doubt(
            "other-game", "dots", facts, cell_rings(seen, inked, ""), threshold="dots.cover", saw=_cover(seen)
        )
    if cells < SMALL_BOARD:
        return Doubt("no-board", "dots", facts | {"small": True}, threshold="dots.contrast")
    return Doubt("no-dots", "dots", facts | {"few": found}, threshold="dots.contrast")


def are_of_few_colours(seen: Seen) -> Doubt | None:
    """Detect many dots of few colours."""
    count, groups = sum(len(group) for group in seen.groups), seen.groups
    crowded = sum(len(group) >= CROWDED for group in groups)
    if count < FEWEST or 2 * crowded <= len(groups) or seen.reading is not None:
        return None
    if seen.is_colourless:
        return grey(seen)
    if seen.options.colours is not None:  # more were counted by hand, which look alike
        return None
    if all(len(group) % 2 == 0 for group in groups) and is_tinted(seen):  # pairs that a filter made alike
        return None
    facts = {"dots": count, "colours": len(groups), "counts": counts_in_words(groups)}
    return Doubt("other-game", "dots", facts, rings(seen, range(count), has_labels=False))


def grey(seen: Seen) -> Doubt:
    """Return the doubt that colours do not tell dots apart."""
    count = len(seen.dots.dots) if seen.dots else 0
    advice = (Option("colours", str(count // 2)),) if count % 2 == 0 else ()
    marks = rings(seen, range(count), has_labels=False)
    return Doubt("tinted", "dots", {"dots": count, "grey": True}, marks, advice)


def is_tinted(seen: Seen) -> Doubt | None:
    """Detect a filter that removed most of a colour, so that dots lack pairs or a solution."""
    light = dict(zip(("blue", "green", "red"), cast(seen.shot.bgr), strict=True))
    least = min(light, key=lambda name: light[name])
    count = len(seen.dots.dots) if seen.dots else 0
    if light[least] < CAST and count >= MANY and len(seen.groups) >= FEW:
        advice = (Option("colours", str(count // 2)),)
        return Doubt("tinted", "pairs", {"name": least, "dots": count}, rings(seen, range(count)), advice)
    return grey(seen) if seen.is_colourless and lone_colours(seen) else None


def is_recoloured(seen: Seen) -> Doubt | None:
    """Detect three dots of one colour and one of another: one has a wrong colour."""
    crowds, lone = _crowds(seen), lone_colours(seen)
    if not crowds or len(crowds) != len(lone) or any(len(group) != 3 for group in crowds):
        return None
    facts: dict[str, Any] = {"counts": counts_in_words([*crowds, *lone])}
    if len(crowds) == 1:
        facts |= {
            "three": crowds[0].name,
            "one": lone[0].name,
            "places": [seen.place_of_dot(n) for n in crowds[0].dots],
            "place": seen.place_of_dot(lone[0].dots[0]),
            "letter": seen.letter_of(lone[0].dots[0]),
        }
    suspects = [n for group in (*crowds, *lone) for n in group.dots]
    return Doubt("wrong-colour", "dots", facts, rings(seen, suspects))


def lack_a_partner(seen: Seen) -> Doubt | None:
    """Detect colours with one dot."""
    lone, dots = lone_colours(seen), seen.dots
    if not lone or dots is None:
        return None
    near = near_misses(dots, seen.settings)
    faint = [] if near else faint_cells(seen, MOST_FAINT)
    odd, others = ([], []) if near or faint else (_odd_dots(seen), _other_marks(seen))
    places = [seen.place_of_dot(group.dots[0]) for group in lone]
    facts: dict[str, Any] = {
        "dots": len(dots.dots),
        "lone": len(lone),
        "names": [group.name for group in lone],
        "places": places,
        "name": lone[0].name if len(lone) == 1 else None,
        "at": places[0],
        "several": len(lone) > 1,
        "near": [seen.place(cell) for cell in near],
        "faint": [seen.place(cell) for cell in faint],
        "odd": [seen.place(cell) for cell in odd],
        "others": [seen.place(cell) for cell in others] if len(others) <= MOST_OTHERS else [],
    }
    suspects = near or faint or odd
    place = seen.place(suspects[0]) if len(suspects) == 1 else None
    sought = next((group for group in lone if dots.dots[group.dots[0]].cell not in odd), lone[0])
    return Doubt(
        "lone-dots",
        "dots",
        facts,
        (*rings(seen, (group.dots[0] for group in lone)), *cell_rings(seen, suspects, "a dot?")),
        (Change(place, seen.letter_of(sought.dots[0])),),
        threshold="dots.cover",
        saw=float(dots.evidence.cover[near].max()) if near else None,
    )


def are_too_many(seen: Seen) -> Doubt | None:
    """Detect a colour with more than two dots, with no dot alone."""
    crowds = _crowds(seen)
    if not crowds:
        return None
    most = max(crowds, key=len)
    facts = {"count": len(most), "name": most.name, "places": [seen.place_of_dot(n) for n in most.dots]}
    return Doubt("many-dots", "dots", facts, rings(seen, most.dots), (Change(None, "."),))


def were_left_out(seen: Seen) -> Doubt | None:
    """Detect discs in cells that were read as empty."""
    read = seen.find(Interpretation)
    on = squares_of(read, seen.shot) if read and seen.dots else None
    if on is None or seen.dots is None:
        return None
    held = [on.cells[dot.cell] for dot in seen.dots.dots]
    cells = [place for place in discs_without_dot(on, held, seen.settings.reading) if place in on.cells]
    marks = cell_rings(seen, [on.cells.index(place) for place in cells], "")
    facts = {"count": len(cells), "places": cells}
    return Doubt("left-out", "dots", facts, marks, (Change(),)) if cells else None


def are_alike(seen: Seen) -> Doubt | None:
    """Detect two pairs of nearly one colour."""
    pairing = seen.pairing
    if pairing is None or pairing.margin >= seen.settings.pairing.margin:
        return None
    closest = np.argsort(pairing.margins)[:4].tolist() if pairing.margins and seen.dots else []
    facts = {"margin": pairing.margin, "places": [seen.place_of_dot(n) for n in closest]}
    marks = rings(seen, closest)
    return Doubt(
        "alike-dots", "pairs", facts, marks, (Change(),), threshold="pairing.margin", saw=pairing.margin
    )


def rings(seen: Seen, dots: Iterable[int], has_labels: bool = True) -> tuple[Mark, ...]:
    """Return rings around dots, with the names of their colours where useful."""
    if seen.dots is None:
        return ()
    name = {n: group.name if has_labels else "" for group in seen.groups for n in group.dots}
    found, radius_px = seen.dots.dots, RING_GROWN * seen.dots.usual_radius_px
    return tuple(Mark("ring", (found[n].centre_px,), name[n], radius_px) for n in dots)


def cell_rings(seen: Seen, cells: Sequence[int], label: str) -> tuple[Mark, ...]:
    """Return rings round the middles of cells."""
    frame, all_cells = seen.geometry.fit.frame, seen.geometry.board.layout.cells
    radius_px = 0.43 * frame.cell_width_px(all_cells[0].centre)
    middles = frame.to_px([all_cells[n].centre for n in cells]).tolist()
    return tuple(Mark("ring", ((x, y),), label, radius_px) for x, y in middles)


def _lacks_dots(seen: Seen) -> bool:
    is_early = seen.find(Pairing) is None
    return seen.dots is not None and is_early and len(seen.dots.dots) < seen.settings.dots.count_min


def _cover(seen: Seen) -> float:
    assert seen.dots is not None
    held, evidence = [dot.cell for dot in seen.dots.dots], seen.dots.evidence
    others, contrast = np.delete(evidence.cover, held), np.delete(evidence.contrast, held)
    return float(others[contrast >= seen.settings.dots.contrast].max(initial=0.0))


def _is_unpaired(seen: Seen) -> bool:
    return seen.dots is not None and len(seen.dots.dots) >= SOME and seen.reading is None


def is_odd(seen: Seen) -> bool:
    """Return whether one of many dots has no partner."""
    count = len(seen.dots.dots) if seen.dots else 0
    return _is_unpaired(seen) and count >= FEWEST and count % 2 == 1


def lone_facts(seen: Seen) -> dict[str, Any]:
    """Return the number of unpaired dots whose colour no other dot has, and its names."""
    groups = lone_colours(seen)
    return {"lone": len(groups), "names": [group.name for group in groups]}


def lone_marks(seen: Seen) -> tuple[Mark, ...]:
    """Return rings round these dots."""
    return rings(seen, (group.dots[0] for group in lone_colours(seen)))


def lone_colours(seen: Seen) -> list[ColourGroup]:
    """Return the colours of one unpaired dot."""
    return [group for group in seen.groups if len(group) == 1] if _is_unpaired(seen) else []


def _crowds(seen: Seen) -> list[ColourGroup]:
    return [group for group in seen.groups if len(group) > 2] if _is_unpaired(seen) else []


def _odd_dots(seen: Seen) -> list[int]:
    held = [dot.cell for dot in seen.dots.dots] if seen.dots else []
    radius = seen.discs.radius[held]
    is_odd_one = np.abs(radius / max(0.01, float(np.median(radius))) - 1) > seen.settings.dots.alike_size
    found = [cell for cell, is_one in zip(held, is_odd_one.tolist(), strict=True) if is_one]
    return found if len(found) <= MOST_FAINT else []


def _other_marks(seen: Seen) -> list[int]:
    held = {dot.cell for dot in seen.dots.dots} if seen.dots else set()
    is_mark = (seen.discs.ink >= INKED[0]) & (seen.discs.contrast >= BLOT)
    return [cell for cell in np.flatnonzero(is_mark).tolist() if cell not in held]


def faint_cells(seen: Seen, most: int) -> list[int]:
    """Return empty cells with a faint disc: the trace of an erased dot.

    Empty if there are more than ``most``, which are something else.
    """
    assert seen.dots is not None
    held = {dot.cell for dot in seen.dots.dots}
    radius = seen.discs.radius
    usual = max(0.01, float(np.median(radius[list(held)]))) if held else 1.0
    is_alike = np.abs(radius / usual - 1) <= seen.settings.dots.alike_size
    is_faint = is_alike & (radius < EDGE) & (seen.discs.contrast >= FAINT)
    found = [cell for cell in np.flatnonzero(is_faint).tolist() if cell not in held]
    return found if len(found) <= most else []
