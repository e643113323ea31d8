"""Pairs of dots: k-means clustering of their colours, with exactly two dots per cluster.

Most boards need no clustering. With n dots and n/2 clusters, the pairing of mutual nearest neighbours is the
k-means optimum whenever D² > Σ dᵢ² (dᵢ: the distance inside pair i, D: the smallest distance between dots of
different pairs): any other partition puts two dots of different pairs together, which alone costs D²/2, while
the pairing costs Σ dᵢ²/2. Where colours look alike and their number is known, ``alternatives`` lists ways.

Dots have numbers; distances (dots, dots) are of their colours in Lab. A stranger is a dot of another pair.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, product
from math import prod

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from flowvision.errors import AmbiguousColoursError
from flowvision.image.picture import Rgb
from flowvision.vision.dots.detection import Dots, Pairing
from flowvision.vision.dots.letters import unlikeness
from flowvision.vision.pixels.view import Floats, colour_distance, connected_groups, to_others
from flowvision.vision.settings import PAIRING

Pairs = list[tuple[int, int]]
LONE_MARGIN = 100.0  # Lab: of a dot without strangers


def pair_dots(dots: Dots) -> Pairing:
    """Return the dots in pairs, by colour (CIE Lab distance), and by their letters where colours are close.

    Raises ``AmbiguousColoursError`` when a dot has another partner that looks as good.
    """
    pairing = closest_pairing(dots)[0]
    if pairing.margin < PAIRING.margin:
        dot = int(np.argmin(pairing.margins))
        raise AmbiguousColoursError(
            f"Some dots have too similar colours: dot {dot + 1} looks as much like another pair "
            f"(margin {pairing.margin:.1f}, at least {PAIRING.margin:g} needed).",
            evidence=pairing,
        )
    return pairing


def closest_pairing(dots: Dots) -> tuple[Pairing, Floats]:
    """Return the closest pairing, and the distances (dots, dots): of letters too where these helped."""
    lab = np.array([dot.lab for dot in dots.dots])
    distances_lab = colour_distance(lab[:, None], lab)
    pairs = mutual_neighbours(distances_lab)
    if pairs is None:
        # In any clustering some dot's partner is not its nearest: refused, unless letters decide. The first
        # pairs are arbitrary.
        pairs = swap_better(distances_lab, [(n, n + 1) for n in range(0, len(lab), 2)])
    elif not holds_certificate(distances_lab, pairs):
        pairs = cluster_pairs(lab)
    pairing = _pairing(dots, distances_lab, pairs)
    if pairing.margin < PAIRING.letters_below:
        letter_unlikeness = unlikeness(dots.faces())
        if letter_unlikeness is not None:
            distances_lab = np.hypot(distances_lab, PAIRING.letters_weight * letter_unlikeness)
            pairs = mutual_neighbours(distances_lab) or swap_better(distances_lab, pairs)
            pairing = replace(_pairing(dots, distances_lab, pairs), lettered=True)
    return pairing, distances_lab


def _pairing(
    dots: Dots, distances_lab: Floats, pairs: Pairs, group_of: Mapping[int, Sequence[int]] | None = None
) -> Pairing:
    """Return a pairing with the margin of each dot: distance to the nearest stranger less that to its own.

    ``distances_lab``: of ``closest_pairing``, of letters too where these helped. ``group_of``: by dot, dots
    that are no strangers to it: the solution told them apart; both dots of a pair have the same. Margins of
    dots without strangers are ``LONE_MARGIN``.
    """
    found_dots = dots.dots
    group_of = group_of or {}
    to_strangers = distances_lab.copy()
    for a, b in pairs:
        no_strangers = [a, b, *group_of.get(a, ())]
        to_strangers[a, no_strangers] = to_strangers[b, no_strangers] = np.inf
    margins = to_strangers.min(axis=1) - _to_partners(distances_lab, pairs)
    margins[np.isinf(margins)] = LONE_MARGIN
    palette = tuple(  # the mean of both, rounded up
        Rgb(*((p + q + 1) // 2 for p, q in zip(found_dots[a].rgb, found_dots[b].rgb, strict=True)))
        for a, b in pairs
    )
    return Pairing(dots, tuple(pairs), palette, tuple(margins.tolist()), resolved=tuple(sorted(group_of)))


def _to_partners(distances_lab: Floats, pairs: Pairs) -> Floats:
    """Return (dots,): the distance of each dot to its partner."""
    to_partners = np.zeros(len(distances_lab))
    for a, b in pairs:
        to_partners[[a, b]] = distances_lab[a, b]
    return to_partners


def mutual_neighbours(distances_lab: Floats) -> Pairs | None:
    """Return the pairs of mutual nearest neighbours; ``None`` where a dot is left over."""
    nearest = to_others(distances_lab).argmin(axis=1)
    if not np.array_equal(nearest[nearest], np.arange(len(distances_lab))):
        return None
    return [(a, b) for a, b in enumerate(nearest.tolist()) if a < b]


def holds_certificate(distances_lab: Floats, pairs: Pairs) -> bool:
    """Return whether these pairs are provably the k-means optimum."""
    pair_cost = sum(float(distances_lab[pair]) ** 2 for pair in pairs)
    to_strangers = to_others(distances_lab)
    for a, b in pairs:
        to_strangers[a, b] = to_strangers[b, a] = np.inf
    return float(to_strangers.min()) ** 2 > pair_cost


def cluster_pairs(lab: Floats) -> Pairs:
    """Return pairs of colours (dots, 3), clustered by k-means (Lloyd 1982).

    Then exactly two dots are assigned to each cluster, at the lowest sum of squared distances.
    """
    # Imported only here: they take 0.3 s and 0.9 s, and few screenshots need them.
    from scipy.optimize import linear_sum_assignment
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    count = len(lab) // 2
    with warnings.catch_warnings():
        # scikit-learn warns of fewer colours than pairs; the margin shows that already.
        warnings.simplefilter("ignore", ConvergenceWarning)
        centres = KMeans(count, n_init=10, random_state=0).fit(lab).cluster_centers_
    # Each centre twice: two seats per cluster, of which every dot gets one.
    cost = ((lab[:, None, :] - np.repeat(centres, 2, axis=0)[None]) ** 2).sum(axis=2)
    _, seat_of_dot = linear_sum_assignment(cost)
    dots_by_seat = np.argsort(seat_of_dot)
    distances_lab = colour_distance(lab[:, None], lab)
    return swap_better(distances_lab, [(a, b) for a, b in dots_by_seat.reshape(-1, 2).tolist()])


def swap_better(distances_lab: Floats, pairs: Sequence[tuple[int, int]]) -> Pairs:
    """Return pairs after partners of two pairs are exchanged while that reduces the squared distances."""
    cost = distances_lab**2
    pairs = list(pairs)
    has_improved = True
    while has_improved:
        has_improved = False
        for i in range(len(pairs)):
            for j in range(i):
                (a, b), (c, d) = pairs[i], pairs[j]
                cost_now = cost[a, b] + cost[c, d]
                for first, second in (((a, c), (b, d)), ((a, d), (b, c))):
                    if cost[first] + cost[second] < cost_now - 1e-9:  # less is a rounding error
                        pairs[i], pairs[j] = first, second
                        has_improved = True
                        break
    return sorted((min(pair), max(pair)) for pair in pairs)


DEAD_ENDS = 20  # attempts for each pairing to list, dead ends included; after more the search is given up


class Alternatives(Struct, frozen=True, eq=False):
    """Pairings that colours allow; ``doubtful``: numbers of the dots in which they differ.

    ``closest``: the best by colour alone. ``pairings``: closest first. ``complete``: all are listed;
    otherwise there are more than requested, and only one is listed.
    """

    closest: Pairing
    pairings: tuple[Pairing, ...]
    doubtful: tuple[int, ...]
    complete: bool


def alternatives(dots: Dots, upper: int) -> Alternatives:
    """Return the pairings of an even number of dots, by the sum of squared distances within pairs.

    At most ``upper`` of them. A dot may be a partner that is at most ``PAIRING.doubt`` further away than in
    the closest pairing. Letters count where all dots show one.
    """
    closest, distances_lab = closest_pairing(dots)
    pairs = swap_better(distances_lab, closest.pairs)
    to_partner = _to_partners(distances_lab, pairs)
    may_pair = distances_lab <= np.maximum(to_partner[:, None], to_partner) + PAIRING.doubt
    all_groups = (tuple(np.flatnonzero(is_member).tolist()) for is_member in connected_groups(may_pair))
    groups = [group for group in all_groups if len(group) > 2]
    np.fill_diagonal(may_pair, False)
    partners = [np.flatnonzero(row).tolist() for row in may_pair]
    matchings_of_groups = [_matchings_of(group, partners, upper) for group in groups]
    is_complete = all(matchings_of_groups) and prod(map(len, matchings_of_groups)) <= upper
    group_of = {dot: group for group in groups for dot in group}
    all_pairs = [pairs]
    if is_complete:
        sure_pairs = [pair for pair in pairs if pair[0] not in group_of]
        all_pairs = [
            sorted(chain(sure_pairs, *pairs_of_groups)) for pairs_of_groups in product(*matchings_of_groups)
        ]
    all_pairs.sort(key=lambda some_pairs: sum(float(distances_lab[pair]) ** 2 for pair in some_pairs))
    pairings = tuple(
        replace(_pairing(dots, distances_lab, some_pairs, group_of), lettered=closest.lettered)
        for some_pairs in all_pairs
    )
    return Alternatives(closest, pairings, doubtful=tuple(sorted(group_of)), complete=is_complete)


def _matchings_of(group: Sequence[int], partners: Sequence[Sequence[int]], upper: int) -> list[Pairs]:
    """Return all ways to pair a group of dots; none if there are more than ``upper``.

    ``partners``: by dot, the dots that may be its partner.
    """
    if len(group) > 64:  # published boards have 44 dots in all; time grows with the cube
        return []
    attempts = list(islice(_matchings(frozenset(group), partners), DEAD_ENDS * upper + 1))
    matchings = [pairs for pairs in attempts if pairs is not None]
    return matchings if len(matchings) <= upper and len(attempts) <= DEAD_ENDS * upper else []


def _matchings(unpaired: frozenset[int], partners: Sequence[Sequence[int]]) -> Iterator[Pairs | None]:
    """Yield each way to pair the dots that are left; ``None`` for every dead end; arguments as above."""
    if not unpaired:
        yield []
        return
    # The dot with the fewest choices first, to find dead ends early.
    dot = min(unpaired, key=lambda candidate: (len(unpaired.intersection(partners[candidate])), candidate))
    choices = sorted(unpaired.intersection(partners[dot]))
    if not choices:
        yield None
    for partner in choices:
        for later_pairs in _matchings(unpaired - {dot, partner}, partners):
            yield None if later_pairs is None else [(min(dot, partner), max(dot, partner)), *later_pairs]
