"""Every way to pair dots whose colours look alike, and no other."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision.vision.dots import pairing
from flowvision.vision.dots.pairing import alternatives
from flowvision.vision.settings import PairingSettings
from tests.seeing import dots_of

ASKED = PairingSettings()


def all_pairings(count: int) -> set[frozenset[frozenset[int]]]:
    """Every way to pair so many dots, by way of all their orders."""
    return {
        frozenset(frozenset(order[n : n + 2]) for n in range(0, count, 2))
        for order in permutations(range(count))
    }


def pairs_of(pairing) -> frozenset[frozenset[int]]:
    """The pairs, in no order."""
    return frozenset(map(frozenset, pairing.pairs))


@pytest.mark.parametrize(("alike", "ways"), [(1, 1), (2, 3), (3, 15)])
def test_dots_that_look_alike_are_paired_in_every_way(alike, ways):
    """Once each; the others, whose colours are clear, always the same."""
    lab = [(60, 0, 0)] * (2 * alike) + [(40, 70, 0)] * 2 + [(40, -70, 0)] * 2
    found = alternatives(dots_of(lab), ASKED, 64)
    assert found.complete
    assert len(found.pairings) == len({pairs_of(one) for one in found.pairings}) == ways
    assert found.doubtful == (tuple(range(2 * alike)) if alike > 1 else ())
    sure = {frozenset((2 * alike, 2 * alike + 1)), frozenset((2 * alike + 2, 2 * alike + 3))}
    assert all(sure <= pairs_of(one) for one in found.pairings)


@settings(max_examples=30)
@given(seed=st.integers(0, 2**16), spread=st.floats(1, 40))
def test_the_first_is_the_cheapest_matching_of_all(seed, spread):
    """And whatever costs less than the next is among them; six dots have fifteen pairings."""
    lab = np.random.default_rng(seed).normal(50, spread, (6, 3))
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=2)
    cost = {way: sum(apart[tuple(pair)] ** 2 for pair in way) for way in all_pairings(6)}
    found = alternatives(dots_of(lab), ASKED, 64)
    assert cost[pairs_of(found.pairings[0])] == pytest.approx(min(cost.values()))
    costs = [cost[pairs_of(one)] for one in found.pairings]
    assert costs == sorted(costs)


def test_two_groups_are_paired_independently():
    """Three ways each: nine."""
    lab = [(60, 0, 0)] * 4 + [(40, 70, 0)] * 4
    assert len(alternatives(dots_of(lab), ASKED, 64).pairings) == 9


@pytest.mark.parametrize("dots", [10, 60, 200])
def test_too_many_ways_are_not_tried(dots):
    """Of ten dots there are 945, of more there is no end: it is said at once."""
    found = alternatives(dots_of([(50, 0, 0)] * dots), ASKED, 256)
    assert not found.complete
    assert len(found.pairings) == 1
    assert len(found.doubtful) == dots


def test_margins_are_to_dots_of_other_groups():
    """What colours do tell: the two that look alike are 60 and more from the third."""
    found = alternatives(dots_of([(60, 0, 0)] * 2 + [(63, 0, 0)] * 2 + [(60, 64, 0)] * 2), ASKED, 64)
    assert len(found.pairings) == 3
    assert all(one.margin > 60 for one in found.pairings)
    assert found.closest.margin == pytest.approx(3)


def test_hundreds_of_dots_of_one_colour_are_given_up_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No way to pair them is listed: their number would have hundreds of digits."""
    tried = []
    monkeypatch.setattr(pairing, "_matchings", lambda *some: tried.append(some) or iter(()))
    found = alternatives(dots_of([(50, 0, 0)] * 400), ASKED, 256)
    assert not found.complete
    assert len(found.pairings) == 1
    assert not tried
