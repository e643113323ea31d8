"""Every way to pair the dots that their colours allow, where some colours are too close to tell.

The number of pairs is known. Where two or more of them look alike, in an overexposed
photograph or without one of its channels, their dots are a group that can be paired in several ways: four
dots in 3, six in 15.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, product
from math import prod

import numpy as np

from flowvision.value import value_type
from flowvision.vision.dots.pairing import (
    MARGIN_OF_ONE_PAIR,
    Pairs,
    closest_pairing,
    cluster_pairs,
    palette_of,
    swap_better,
)
from flowvision.vision.dots.result import Dots, Pairing
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import PairingSettings

DEAD_ENDS = 20
"""Times as many as the pairings that are wanted: then they are too many to be looked for."""


@value_type(eq=False)
class Alternatives:
    """The pairings that colours allow, and ``doubtful``: the numbers of the dots they differ in.

    ``closest``: as it would be without them. ``pairings``: the closest first. ``complete``: these are all of
    them; otherwise, of more than were asked for, one alone is there.
    """

    closest: Pairing
    pairings: tuple[Pairing, ...]
    doubtful: tuple[int, ...]
    complete: bool


def alternatives(dots: Dots, settings: PairingSettings, upper: int) -> Alternatives:
    """The pairings of an even number of dots, by the sum of squared distances within pairs.

    A dot may be the partner that is no more than ``settings.doubt`` further away than the closest pairing has
    it. The first of all is the minimum-cost perfect matching: k-means with exactly two dots a cluster.
    Letters have their say where all dots show one.
    """
    closest, apart = closest_pairing(dots, settings)
    pairs = list(closest.pairs)
    if closest.margin < 0:
        pairs = (
            swap_better(apart, pairs)
            if closest.lettered
            else cluster_pairs(np.array([d.lab for d in dots.dots]))
        )
    partners = _partners(apart, pairs, settings.doubt)
    groups = [group for group in _groups(partners) if len(group) > 2]
    ways = [_matchings_of(group, partners, upper) for group in groups]
    complete = all(ways) and prod(map(len, ways)) <= upper
    doubtful = frozenset(dot for group in groups for dot in group)
    sure = [pair for pair in pairs if pair[0] not in doubtful]
    whole = [[*sure, *chain(*some)] for some in product(*ways)] if complete else [pairs]
    whole.sort(key=lambda some: sum(float(apart[pair]) ** 2 for pair in some))
    group_of = {dot: group for group in groups for dot in group}
    made = tuple(_pairing(sorted(some), dots, apart, group_of, closest) for some in whole)
    return Alternatives(closest, made, tuple(sorted(doubtful)), complete)


def _partners(apart: Floats, pairs: Pairs, doubt: float) -> dict[int, tuple[int, ...]]:
    """Per dot, all those that may be its partner."""
    within = np.zeros(len(apart))
    for a, b in pairs:
        within[[a, b]] = apart[a, b]
    may_be = apart <= np.maximum(within[:, None], within) + doubt
    np.fill_diagonal(may_be, False)
    return {dot: tuple(np.flatnonzero(row).tolist()) for dot, row in enumerate(may_be)}


def _groups(partners: Mapping[int, Sequence[int]]) -> list[tuple[int, ...]]:
    """The dots that may be partners, over others or at once: the connected components."""
    left, groups = set(partners), []
    while left:
        group, reached = set[int](), [min(left)]
        while reached:
            dot = reached.pop()
            if dot not in group:
                group.add(dot)
                reached += partners[dot]
        left -= group
        groups.append(tuple(sorted(group)))
    return groups


def _matchings_of(group: Sequence[int], partners: Mapping[int, Sequence[int]], upper: int) -> list[Pairs]:
    """All ways to pair the dots of a group; none where there are more than ``upper``."""
    tried = list(islice(_matchings(frozenset(group), partners), DEAD_ENDS * upper + 1))
    found = [pairs for pairs in tried if pairs is not None]
    return found if len(found) <= upper and len(tried) <= DEAD_ENDS * upper else []


def _matchings(left: frozenset[int], partners: Mapping[int, Sequence[int]]) -> Iterator[Pairs | None]:
    """The perfect matchings of these dots; ``None`` for every attempt that leaves a dot alone."""
    if not left:
        yield []
        return
    # The one with the least choice first: dead ends are seen early.
    dot = min(left, key=lambda one: (len(left.intersection(partners[one])), one))
    others = sorted(left.intersection(partners[dot]))
    if not others:
        yield None
    for other in others:
        for rest in _matchings(left - {dot, other}, partners):
            yield None if rest is None else [(min(dot, other), max(dot, other)), *rest]


def _pairing(
    pairs: Pairs, dots: Dots, apart: Floats, group_of: Mapping[int, Sequence[int]], closest: Pairing
) -> Pairing:
    """The pairing, with margins to the nearest dot of no other group: what colours do tell."""
    margins = np.zeros(len(apart))
    for a, b in pairs:
        strangers = apart[[a, b]].copy()
        strangers[:, [a, b, *group_of.get(a, ())]] = np.inf
        margins[[a, b]] = strangers.min(axis=1) - apart[a, b]
    # Where all dots are of one group there are no others to mistake them for.
    margins = np.minimum(margins, MARGIN_OF_ONE_PAIR)
    found = tuple(map(float, margins))
    return Pairing(
        dots,
        tuple(pairs),
        palette_of(dots.dots, pairs),
        min(found),
        closest.certified and tuple(pairs) == closest.pairs,
        found,
        closest.lettered,
        tuple(sorted(group_of)),
    )
