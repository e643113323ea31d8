from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowvision import solve_image
from flowvision.errors import AmbiguousColoursError
from flowvision.image.picture import Rgb
from flowvision.puzzle import boards
from flowvision.vision.dots.pairing import (
    alternatives,
    cluster_pairs,
    holds_certificate,
    mutual_neighbours,
    pair_dots,
)
from tests.boards import pairs_of as terminal_pairs
from tests.boards import unique_puzzle
from tests.seeing import dots_of, refusal
from tests.tools.synthetic import CURRENT, Style, Theme, draw_screenshot


def within(lab, clusters):
    """The k-means objective of a partition."""
    return sum(float(((lab[list(c)] - lab[list(c)].mean(axis=0)) ** 2).sum()) for c in clusters)


def partitions(items, count):
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
    rng = np.random.default_rng(seed)
    grid = np.array([(x, y, z) for x in (20, 50, 80) for y in (-30, 0, 30) for z in (-30, 0, 30)], float)
    colours = rng.permutation(grid)[:8]
    order = rng.permutation(16)
    lab = (np.repeat(colours, 2, axis=0) + rng.normal(0, 2, (16, 3)))[order]
    pairing = pair_dots(dots_of(lab))
    assert all(order[a] // 2 == order[b] // 2 for a, b in pairing.pairs)
    assert pairing.margin > 5


def test_clustering_pairs_what_neighbours_cannot():
    lab = np.array([(50, 0, 0), (62, 0, 0), (70, 0, 0), (71, 1, 0)], float)
    best = min(
        (float(np.sum((lab[list(p[::2])] - lab[list(p[1::2])]) ** 2)), p) for p in permutations(range(4))
    )
    expected = {frozenset(best[1][:2]), frozenset(best[1][2:])}
    assert {frozenset(pair) for pair in cluster_pairs(lab)} == expected


def test_equal_colours_are_refused():
    with pytest.raises(AmbiguousColoursError):
        pair_dots(dots_of([(50, 60, 40)] * 4 + [(20, 5, 0)] * 4))


@given(seed=st.integers(0, 2**16))
def test_a_dot_whose_nearest_is_another_ones_partner_is_refused_without_clustering(seed):
    lab = np.random.default_rng(seed).uniform(-60, 60, (8, 3))
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=2)
    if mutual_neighbours(apart) is not None:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flowvision.vision.dots.pairing.cluster_pairs", None)
        with pytest.raises(AmbiguousColoursError):
            pair_dots(dots_of(lab))


def all_pairings(count: int) -> set[frozenset[frozenset[int]]]:
    return {
        frozenset(frozenset(order[n : n + 2]) for n in range(0, count, 2))
        for order in permutations(range(count))
    }


def pairs_of(pairing) -> frozenset[frozenset[int]]:
    return frozenset(map(frozenset, pairing.pairs))


@pytest.mark.parametrize(("alike", "ways"), [(1, 1), (2, 3), (3, 15)])
def test_dots_that_look_alike_are_paired_in_every_way(alike, ways):
    lab = [(60, 0, 0)] * (2 * alike) + [(40, 70, 0)] * 2 + [(40, -70, 0)] * 2
    found = alternatives(dots_of(lab), 64)
    assert found.complete
    assert len(found.pairings) == len({pairs_of(one) for one in found.pairings}) == ways
    assert found.doubtful == (tuple(range(2 * alike)) if alike > 1 else ())
    sure = {frozenset((2 * alike, 2 * alike + 1)), frozenset((2 * alike + 2, 2 * alike + 3))}
    assert all(sure <= pairs_of(one) for one in found.pairings)


@settings(max_examples=30)
@given(seed=st.integers(0, 2**16), spread=st.floats(1, 40))
def test_the_first_is_the_cheapest_matching_of_all(seed, spread):
    lab = np.random.default_rng(seed).normal(50, spread, (6, 3))
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=2)
    cost = {way: sum(apart[tuple(pair)] ** 2 for pair in way) for way in all_pairings(6)}
    found = alternatives(dots_of(lab), 64)
    assert cost[pairs_of(found.pairings[0])] == pytest.approx(min(cost.values()))
    costs = [cost[pairs_of(one)] for one in found.pairings]
    assert costs == sorted(costs)


@pytest.mark.parametrize("dots", [10, 60, 200])
def test_too_many_ways_are_not_tried(dots):
    found = alternatives(dots_of([(50, 0, 0)] * dots), 256)
    assert not found.complete
    assert len(found.pairings) == 1
    assert len(found.doubtful) == dots


def test_margins_are_to_dots_of_other_groups():
    # Four reds, 3 apart, have three pairings; the greens are 64 away from all of them.
    found = alternatives(dots_of([(60, 0, 0)] * 2 + [(63, 0, 0)] * 2 + [(60, 64, 0)] * 2), 64)
    assert len(found.pairings) == 3
    assert all(one.margin > 60 for one in found.pairings)
    assert found.closest.margin == pytest.approx(3)


@pytest.mark.parametrize(("seed", "ink"), [(1, "white"), (2, "black"), (3, "white")])
def test_a_picture_without_colours_is_read_by_its_letters(seed, ink):
    """A grey print of a board in the colour-blind mode."""
    board = boards.square(7, 7)
    puzzle, solution = unique_puzzle(board, seed, 6)
    grey = Theme("grey", (Rgb(128, 128, 128),) * 6, CURRENT.lines, CURRENT.glow)
    shot = draw_screenshot(board, puzzle, Style(grey, letters=ink), seed, solution).screenshot
    reading = solve_image(shot).reading
    assert terminal_pairs(reading.puzzle) == terminal_pairs(puzzle)
    plain = draw_screenshot(board, puzzle, Style(grey), seed, solution).screenshot
    refusal(plain)
