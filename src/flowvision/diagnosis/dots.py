"""Doubts about dots and their colours: missing, without a partner, too many, alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from flowvision.corrections import SAME_COLOUR
from flowvision.diagnosis import Diagnosis
from flowvision.palette import colour_name
from flowvision.reading.doubt import Doubt, Mark
from flowvision.vision.dots.detection import Dots, cell_widths
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.pixels.view import Floats, lab_of, ring, sample
from flowvision.vision.settings import DOTS, PAIRING
from flowvision.words import Change

RADII = (*np.arange(0.05, 0.36, 0.025), 0.46)
"""Radii at which cells are sampled, in cell widths: over letters and digits, and on the rim."""
POINTS = 16
"""Points on each of these rings."""
INKED = (0.04, 0.6)
"""Share of the middle of a cell that a letter or a digit covers, at least and at most."""
FEWEST = 6
"""Fewest dots at which few colours are a sign of another game."""
CROWDED = 4
"""Dots per colour; most colours have as many in other games."""
RING_GROWN = 1.35
"""Radius of a mark that leaves its dot visible, in radii of the dot."""
NEARLY = 0.4
"""Largest share of a ring of one colour in a prominent cell without a dot."""


class ColourGroup(Struct, frozen=True):
    """Dots of one colour, by number, and its name."""

    name: str
    dots: tuple[int, ...]

    def __len__(self) -> int:
        """Their number."""
        return len(self.dots)


def colour_groups(dots: Dots) -> tuple[ColourGroup, ...]:
    """Group all dots by colour, in the order of their first dots."""
    lab = np.array([dot.lab for dot in dots.dots]).reshape(-1, 3)
    near = np.linalg.norm(lab[:, None] - lab, axis=2) < SAME_COLOUR
    alike = np.linalg.matrix_power(near, max(1, len(near)))
    members = dict.fromkeys(tuple(np.flatnonzero(row).tolist()) for row in alike)
    return tuple(ColourGroup(colour_name(dots.dots[group[0]].rgb), group) for group in members)


def ink_of(geometry: BoardGeometry) -> Floats:
    """Return the share of the middle of each cell that differs from the colour of its rim."""
    centres = np.array(geometry.board.layout.centres)
    offsets = cell_widths(geometry.shapes) * np.concatenate([ring(radius, POINTS) for radius in RADII])
    lab = lab_of(sample(geometry.fit.view, geometry.fit.frame, centres, offsets))
    seen = lab.reshape(len(centres), -1, 3)
    ground = np.median(seen[:, -POINTS:], axis=1)
    return np.asarray((np.linalg.norm(seen - ground[:, None], axis=2) >= DOTS.contrast).mean(axis=1))


def are_no_dots(case: Diagnosis) -> Doubt | None:
    """Detect empty cells, or marks that are not discs."""
    dots = case.dots
    if dots is None or case.pairing or len(dots.dots) >= DOTS.count_min:
        return None
    ink, found = ink_of(case.geometry), len(dots.dots)
    inked = np.flatnonzero((ink >= INKED[0]) & (ink <= INKED[1])).tolist()
    facts = {"cells": len(ink), "dots": found}
    if len(inked) >= DOTS.count_min:
        facts["inked"] = len(inked)
        return Doubt("other-game", "dots", facts, cell_rings(case, inked, ""))
    return Doubt("no-dots", "dots", facts)


def are_of_few_colours(case: Diagnosis) -> Doubt | None:
    """Detect many dots of few colours."""
    count, groups = case.count, case.groups
    crowded = sum(len(group) >= CROWDED for group in groups)
    if count < FEWEST or 2 * crowded <= len(groups) or case.reading is not None:
        return None
    if case.options.colours is not None:  # more were counted by hand, which look alike
        return None
    facts = {"dots": count, "colours": len(groups)}
    return Doubt("other-game", "dots", facts, rings(case, range(count), has_labels=False))


def lack_a_partner(case: Diagnosis) -> Doubt | None:
    """Detect colours with one dot."""
    lone, dots = lone_colours(case), case.dots
    if not lone or dots is None:
        return None
    near = near_misses(dots)
    facts = {
        **lone_facts(case),
        "dots": len(dots.dots),
        "near": [case.geometry.board.key_of(cell) for cell in near],
    }
    advice = Change(facts["near"][0] if len(near) == 1 else None, case.letter_of(lone[0].dots[0]))
    marks = (*lone_marks(case), *cell_rings(case, near, "a dot?"))
    return Doubt("lone-dots", "dots", facts, marks, (advice,))


def are_too_many(case: Diagnosis) -> Doubt | None:
    """Detect a colour with more than two dots; beside one dot alone, one of them may have its colour."""
    crowds, lone = crowds_of(case), lone_colours(case)
    if not crowds:
        return None
    largest, mark = max(crowds, key=len), "."
    places = [case.place_of_dot(n) for n in largest.dots]
    facts: dict[str, Any] = {"count": len(largest), "name": largest.name, "places": places}
    if len(lone) == 1:
        facts |= {"one": lone[0].name, "at": case.place_of_dot(lone[0].dots[0])}
        mark = case.letter_of(lone[0].dots[0])
    return Doubt(
        "many-dots", "dots", facts, rings(case, largest.dots) + lone_marks(case), (Change(None, mark),)
    )


def are_alike(case: Diagnosis) -> Doubt | None:
    """Detect dots that can be paired in several ways, or two pairs of nearly one colour."""
    alike, pairing = case.error.details.get("alike", ()), case.pairing
    are_in_twos = not (lone_colours(case) or crowds_of(case))
    if not alike and pairing and pairing.margin < PAIRING.margin and are_in_twos:
        alike = np.argsort(pairing.margins)[: DOTS.count_min].tolist()
    if not alike:
        return None
    facts = {"places": [case.place_of_dot(n) for n in alike]}
    return Doubt("alike-dots", "pairs", facts, rings(case, alike), (Change(),))


def rings(case: Diagnosis, dots: Iterable[int], has_labels: bool = True) -> tuple[Mark, ...]:
    """Return rings around dots, with the names of their colours where useful."""
    if case.dots is None:
        return ()
    name = {n: group.name if has_labels else "" for group in case.groups for n in group.dots}
    found, radius_px = case.dots.dots, RING_GROWN * case.dots.usual_radius_px
    return tuple(Mark("ring", (found[n].centre_px,), name[n], radius_px) for n in dots)


def cell_rings(case: Diagnosis, cells: Sequence[int], label: str) -> tuple[Mark, ...]:
    """Return rings round the middles of cells."""
    frame, all_cells = case.geometry.fit.frame, case.geometry.board.layout.cells
    radius_px = 0.43 * frame.cell_width_px(all_cells[0].centre)
    middles = frame.to_px([all_cells[n].centre for n in cells]).tolist()
    return tuple(Mark("ring", ((x, y),), label, radius_px) for x, y in middles)


def _is_unpaired(case: Diagnosis) -> bool:
    return case.count >= DOTS.count_min and case.reading is None


def lone_facts(case: Diagnosis) -> dict[str, Any]:
    """Return the number, colours and places of unpaired dots whose colour no other dot has."""
    groups = lone_colours(case)
    return {
        "lone": len(groups),
        "names": [group.name for group in groups],
        "places": [case.place_of_dot(group.dots[0]) for group in groups],
    }


def lone_marks(case: Diagnosis) -> tuple[Mark, ...]:
    """Return rings round these dots."""
    return rings(case, (group.dots[0] for group in lone_colours(case)))


def lone_colours(case: Diagnosis) -> list[ColourGroup]:
    """Return the colours of one unpaired dot."""
    return [group for group in case.groups if len(group) == 1] if _is_unpaired(case) else []


def crowds_of(case: Diagnosis) -> list[ColourGroup]:
    """Return the colours of more than two unpaired dots."""
    return [group for group in case.groups if len(group) > 2] if _is_unpaired(case) else []


def near_misses(dots: Dots) -> list[int]:
    """Return the cells that stand out as a dot does but do not fill the ring."""
    evidence = dots.evidence
    near = (evidence.contrast >= DOTS.contrast) & (evidence.cover >= NEARLY)
    return sorted(set(np.flatnonzero(near).tolist()) - {dot.cell for dot in dots.dots})
