from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
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
from tests.seeing import assert_refused, dots_of
from tests.tools.synthetic import CURRENT, Style, Theme, draw_screenshot


def cost_of(lab, clusters):
    """Return the k-means objective of a partition."""
    return sum(float(((lab[list(c)] - lab[list(c)].mean(axis=0)) ** 2).sum()) for c in clusters)


def distances_in(lab):
    """Return how far each colour is from each other one."""
    lab = np.asarray(lab, float)
    return np.linalg.norm(lab[:, None] - lab[None], axis=2)


def partitions(items, count):
    """Yield every way to part items into this many clusters."""
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
    pairs = mutual_neighbours(distances_in(lab))
    if pairs is None or not holds_certificate(distances_in(lab), pairs):
        return
    best = min(cost_of(lab, clusters) for clusters in partitions(range(6), count=3))
    assert cost_of(lab, pairs) <= best + 1e-9


@given(seed=st.integers(0, 2**16))
def test_shuffled_pairs_are_found_again(seed):
    rng = np.random.default_rng(seed)
    grid = np.array([(x, y, z) for x in (20, 50, 80) for y in (-30, 0, 30) for z in (-30, 0, 30)], float)
    eight_colours, order = rng.permutation(grid)[:8], rng.permutation(16)
    in_pairs = np.repeat(eight_colours, 2, axis=0) + rng.normal(0, 2, (16, 3))
    pairing = pair_dots(dots_of(in_pairs[order]))
    assert all(order[a] // 2 == order[b] // 2 for a, b in pairing.pairs)
    assert pairing.margin > 5


def test_clustering_pairs_what_neighbours_cannot():
    lab = np.array([(50, 0, 0), (62, 0, 0), (70, 0, 0), (71, 1, 0)], float)
    assert mutual_neighbours(distances_in(lab)) is None
    best = min(all_pairings(4), key=lambda way: cost_of(lab, way))
    assert frozenset(map(frozenset, cluster_pairs(lab))) == best


def test_equal_colours_are_refused():
    with pytest.raises(AmbiguousColoursError):
        pair_dots(dots_of([(50, 60, 40)] * 4 + [(20, 5, 0)] * 4))


@given(seed=st.integers(0, 2**16))
def test_a_dot_whose_nearest_is_the_partner_of_another_is_refused_without_clustering(seed):
    lab = np.random.default_rng(seed).uniform(-60, 60, (8, 3))
    assume(mutual_neighbours(distances_in(lab)) is None)
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


@pytest.mark.parametrize(("pairs_alike", "ways"), [(1, 1), (2, 3), (3, 15)])
def test_dots_that_look_alike_are_paired_in_every_way(pairs_alike, ways):
    alike = 2 * pairs_alike
    lab = [(60, 0, 0)] * alike + [(40, 70, 0)] * 2 + [(40, -70, 0)] * 2
    result = alternatives(dots_of(lab), upper=64)
    assert result.complete
    assert len(result.pairings) == len(set(map(pairs_of, result.pairings))) == ways
    assert result.doubtful == (tuple(range(alike)) if pairs_alike > 1 else ())
    sure = {frozenset((alike, alike + 1)), frozenset((alike + 2, alike + 3))}
    assert all(sure <= pairs_of(pairing) for pairing in result.pairings)


@settings(max_examples=30)
@given(seed=st.integers(0, 2**16), spread=st.floats(1, 40))
def test_the_first_is_the_cheapest_matching_of_all(seed, spread):
    """Colours are spread as those of pairs are; of six colours without partners it may be another."""
    rng = np.random.default_rng(seed)
    lab = np.repeat(rng.normal(50, spread, (3, 3)), 2, axis=0) + rng.normal(0, spread / 4, (6, 3))
    distances = distances_in(lab)
    cost_of_way = {way: sum(distances[tuple(pair)] ** 2 for pair in way) for way in all_pairings(6)}
    costs = [cost_of_way[pairs_of(pairing)] for pairing in alternatives(dots_of(lab), upper=64).pairings]
    assert costs[0] == pytest.approx(min(cost_of_way.values()))
    assert costs == sorted(costs)


@pytest.mark.parametrize("dots", [10, 60, 200])
def test_too_many_ways_are_not_tried(dots):
    result = alternatives(dots_of([(50, 0, 0)] * dots), upper=256)
    assert not result.complete
    assert len(result.pairings) == 1
    assert len(result.doubtful) == dots


def test_margins_are_to_dots_of_other_groups():
    four_reds, greens = [(60, 0, 0)] * 2 + [(63, 0, 0)] * 2, [(60, 64, 0)] * 2
    result = alternatives(dots_of(four_reds + greens), upper=64)
    assert len(result.pairings) == 3
    assert all(pairing.margin > 60 for pairing in result.pairings)
    assert result.closest.margin == pytest.approx(3)


@pytest.mark.parametrize(("seed", "ink"), [(1, "white"), (2, "black")])
def test_a_picture_without_colours_is_read_by_its_letters_alone(seed, ink):
    """A grey print of a board in the colour-blind mode."""
    board = boards.square(7, 7)
    puzzle, solution = unique_puzzle(board, seed, colours=6)
    grey = Theme("grey", (Rgb(128, 128, 128),) * 6, CURRENT.lines, CURRENT.glow)
    with_letters, without = (
        draw_screenshot(board, puzzle, Style(grey, letters=letters), seed, solution).screenshot
        for letters in (ink, None)
    )
    assert terminal_pairs(solve_image(with_letters).reading.puzzle) == terminal_pairs(puzzle)
    assert_refused(without)
