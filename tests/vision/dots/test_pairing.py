"""Pairing by colour: the certificate is never wrong, and clustering takes over when it fails."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowvision.errors import AmbiguousColoursError
from flowvision.vision.dots.pairing import (
    cluster_pairs,
    holds_certificate,
    mutual_neighbours,
    nearest_pairs,
    pair_dots,
)
from flowvision.vision.settings import PairingSettings
from tests.seeing import dots_of


def within(lab, clusters):
    """The k-means objective of a partition."""
    return sum(float(((lab[list(c)] - lab[list(c)].mean(axis=0)) ** 2).sum()) for c in clusters)


def partitions(items, count):
    """Every partition of ``items`` into ``count`` sets that are not empty."""
    if len(items) == count:
        yield [[item] for item in items]
        return
    if count == 1:
        yield [list(items)]
        return
    first, *rest = items
    for smaller in partitions(rest, count - 1):
        yield [[first], *smaller]
    for same in partitions(rest, count):
        for n in range(len(same)):
            yield [*same[:n], [first, *same[n]], *same[n + 1 :]]


@given(seed=st.integers(0, 2**16), noise=st.floats(0, 20))
def test_a_certified_pairing_is_the_k_means_optimum(seed, noise):
    """No partition of six dots into three clusters is better than a pairing with a certificate."""
    rng = np.random.default_rng(seed)
    lab = np.repeat(rng.uniform(0, 100, (3, 3)), 2, axis=0) + rng.normal(0, noise, (6, 3))
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=2)
    pairs = mutual_neighbours(apart)
    if pairs is None or not holds_certificate(apart, pairs):
        return
    best = min(within(lab, clusters) for clusters in partitions(range(6), 3))
    assert within(lab, pairs) <= best + 1e-9


@given(seed=st.integers(0, 2**16))
def test_shuffled_pairs_are_found_again(seed):
    """Colours 30 apart with a noise of 2 are paired rightly, whatever the order of the dots."""
    rng = np.random.default_rng(seed)
    grid = np.array([(x, y, z) for x in (20, 50, 80) for y in (-30, 0, 30) for z in (-30, 0, 30)], float)
    colours = rng.permutation(grid)[:8]
    order = rng.permutation(16)
    lab = (np.repeat(colours, 2, axis=0) + rng.normal(0, 2, (16, 3)))[order]
    pairing = pair_dots(dots_of(lab), PairingSettings())
    assert all(order[a] // 2 == order[b] // 2 for a, b in pairing.pairs)
    assert pairing.margin > 5


def test_clustering_pairs_what_neighbours_cannot():
    """A dot in a shadow is not its partner's nearest; two dots a colour still is the cheapest matching."""
    lab = np.array([(50, 0, 0), (62, 0, 0), (70, 0, 0), (71, 1, 0)], float)
    best = min(
        (float(np.sum((lab[list(p[::2])] - lab[list(p[1::2])]) ** 2)), p) for p in permutations(range(4))
    )
    expected = {frozenset(best[1][:2]), frozenset(best[1][2:])}
    assert {frozenset(pair) for pair in cluster_pairs(lab)} == expected


def test_equal_colours_are_refused():
    """Twelve red pieces have no partners: refuse, and name a dot."""
    with pytest.raises(AmbiguousColoursError, match="dot 1"):
        pair_dots(dots_of([(50, 60, 40)] * 4 + [(20, 5, 0)] * 4), PairingSettings())


def test_exact_colours_need_no_clustering_library():
    """On an undamaged screenshot the certificate holds."""
    lab = np.repeat([(53, 80, 67), (32, 79, -108), (88, -86, 83)], 2, axis=0)
    assert pair_dots(dots_of(lab), PairingSettings()).certified


@given(seed=st.integers(0, 2**16))
def test_a_dot_whose_nearest_is_another_ones_partner_is_refused_without_clustering(seed):
    """Whatever the pairs, some margin is negative: k-means could only find another reason to refuse."""
    lab = np.random.default_rng(seed).uniform(-60, 60, (8, 3))
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=2)
    if mutual_neighbours(apart) is not None:
        return
    pairs = nearest_pairs(apart)
    assert sorted(dot for pair in pairs for dot in pair) == list(range(8))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flowvision.vision.dots.pairing.cluster_pairs", None)
        with pytest.raises(AmbiguousColoursError):
            pair_dots(dots_of(lab), PairingSettings())


def test_the_nearest_two_are_paired_first():
    """Mutual neighbours stay together; what is left is paired however far apart."""
    lab = np.array([(0, 0, 0), (1, 0, 0), (3, 0, 0), (90, 0, 0)], float)
    assert nearest_pairs(np.abs(lab[:, None, 0] - lab[None, :, 0])) == [(0, 1), (2, 3)]
