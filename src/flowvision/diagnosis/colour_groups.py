"""The dots by colour: how many there are of each, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from flowvision.corrections.draft import SAME_COLOUR
from flowvision.palette import colour_name
from flowvision.value import value_type
from flowvision.vision.dots.detection import Dots


@value_type
class ColourGroup:
    """The dots (by their numbers) of one colour, and what that is called."""

    name: str
    dots: tuple[int, ...]

    def __len__(self) -> int:
        """How many there are."""
        return len(self.dots)


def colour_groups(marks: Dots) -> tuple[ColourGroup, ...]:
    """All dots by colour, in the order of their first dots; shades of one name are told apart by number."""
    if not marks.dots:
        return ()
    lab = np.array([dot.lab for dot in marks.dots])
    near = np.linalg.norm(lab[:, None] - lab, axis=2) < SAME_COLOUR
    label = np.arange(len(lab))
    for n in range(len(lab)):
        for other in np.flatnonzero(near[n]).tolist():
            label[label == label[other]] = label[n]
    found = [
        ColourGroup(colour_name(marks.dots[members[0]].rgb), tuple(members))
        for members in (np.flatnonzero(label == one).tolist() for one in dict.fromkeys(label.tolist()))
    ]
    count, seen, named = Counter(group.name for group in found), Counter[str](), []
    for group in found:
        seen[group.name] += 1
        is_shade = count[group.name] > 1 and seen[group.name] > 1
        named.append(replace(group, name=f"another {group.name}") if is_shade else group)
    return tuple(named)


def counts_in_words(groups: Sequence[ColourGroup]) -> str:
    """How many dots there are of each colour, such as ``3 yellow, 1 green``."""
    ranked = sorted(groups, key=len, reverse=True)
    return ", ".join(f"{len(group)} {group.name}" for group in ranked)
