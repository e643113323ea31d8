"""Which dots belong together: k-means with exactly two dots a colour.

With n dots and n/2 clusters, the k-means optimum is the pairing of mutual nearest neighbours
whenever D² > Σ dᵢ² (dᵢ: the distance inside pair i, D: the smallest distance between dots of
different pairs): any other partition puts two dots of different pairs together, which alone costs
D²/2, while the pairing costs Σ dᵢ²/2. Only when this certificate fails is a clustering library needed.
"""

from __future__ import annotations

import warnings

import numpy as np

from flowvision.errors import AmbiguousColoursError
from flowvision.image.picture import Rgb
from flowvision.vision.dots.result import Dot, Dots, Pairing
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import Settings

Pairs = list[tuple[int, int]]


def pair_dots(marks: Dots, settings: Settings) -> Pairing:
    """Pair the dots by colour (CIE Lab distance), and by their letters where colours are close.

    Raises ``AmbiguousColoursError`` when a dot has another partner that looks as good.
    """
    lab = np.array([dot.lab for dot in marks.dots])
    apart = np.linalg.norm(lab[:, None, :] - lab[None, :, :], axis=2)
    pairs = mutual_neighbours(apart)
    certified = pairs is not None and holds_certificate(apart, pairs)
    if pairs is None or not certified:
        pairs = cluster_pairs(lab)
    margins, lettered = _margins(apart, pairs), False
    if margins.min() < settings.pairing.letters_below:
        from flowvision.vision.dots.letters import unlikeness

        unlike = unlikeness(marks.evidence.faces())
        if unlike is not None:
            apart = np.hypot(apart, settings.pairing.letters_weight * unlike)
            pairs = mutual_neighbours(apart) or _swap_better(apart, pairs)
            certified, lettered = False, True
            margins = _margins(apart, pairs)
    dot, margin = int(margins.argmin()), float(margins.min())
    palette = _palette(marks.dots, pairs)
    pairing = Pairing(tuple(pairs), palette, margin, certified, tuple(map(float, margins)), lettered)
    if margin < settings.pairing.margin:
        raise AmbiguousColoursError(
            f"Paired {len(marks.dots)} dots by colour, but dot {dot} looks as much like another pair: "
            f"margin {margin:.1f}, at least {settings.pairing.margin:g} wanted.",
            None,
            pairing,
        )
    return pairing


def mutual_neighbours(apart: Floats) -> Pairs | None:
    """The pairs of dots that are each other's nearest; ``None`` unless that pairs them all."""
    others = apart + np.diag(np.full(len(apart), np.inf))
    nearest = others.argmin(axis=1)
    if not np.array_equal(nearest[nearest], np.arange(len(apart))):
        return None
    return [(i, int(j)) for i, j in enumerate(nearest) if i < j]


def holds_certificate(apart: Floats, pairs: Pairs) -> bool:
    """Whether these pairs are provably the k-means optimum."""
    within = sum(float(apart[pair]) ** 2 for pair in pairs)
    return _closest_stranger(apart, pairs) ** 2 > within


def cluster_pairs(lab: Floats) -> Pairs:
    """k-means (Lloyd 1982, by scikit-learn), then exactly two dots a cluster at least cost.

    The assignment of dots to cluster places is the minimum-cost matching (Kuhn 1955); centres and
    assignment are improved in turn until nothing changes.
    """
    # Imported only here: 0.3 s and 0.9 s, and most screenshots never need them.
    from scipy.optimize import linear_sum_assignment
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    count = len(lab) // 2
    with warnings.catch_warnings():
        # Fewer different colours than pairs: the margin will say so.
        warnings.simplefilter("ignore", ConvergenceWarning)
        centres = KMeans(count, n_init=10, random_state=0).fit(lab).cluster_centers_
    labels = np.full(len(lab), -1)
    for _ in range(50):
        cost = ((lab[:, None, :] - np.repeat(centres, 2, axis=0)[None]) ** 2).sum(axis=2)
        assigned = linear_sum_assignment(cost)[1] // 2
        if np.array_equal(assigned, labels):
            break
        labels = assigned
        centres = np.array([lab[labels == k].mean(axis=0) for k in range(count)])
    pairs = [tuple(np.flatnonzero(labels == k).tolist()) for k in range(count)]
    apart = np.linalg.norm(lab[:, None, :] - lab[None, :, :], axis=2)
    return _swap_better(apart, sorted((int(a), int(b)) for a, b in pairs))


def _swap_better(apart: Floats, pairs: Pairs) -> Pairs:
    """Exchange partners between two pairs as long as that brings them closer."""
    apart, pairs, better = apart**2, list(pairs), True
    while better:
        better = False
        for i in range(len(pairs)):
            for j in range(i):
                (a, b), (c, d) = pairs[i], pairs[j]
                now = apart[a, b] + apart[c, d]
                for first, second in (((a, c), (b, d)), ((a, d), (b, c))):
                    if apart[first] + apart[second] < now - 1e-9:
                        pairs[i], pairs[j] = first, second
                        better = True
                        break
    return sorted((min(pair), max(pair)) for pair in pairs)


def _closest_stranger(apart: Floats, pairs: Pairs) -> float:
    """The smallest distance between dots of different pairs."""
    strangers = apart + np.diag(np.full(len(apart), np.inf))
    for a, b in pairs:
        strangers[a, b] = strangers[b, a] = np.inf
    return float(strangers.min())


def _margins(apart: Floats, pairs: Pairs) -> Floats:
    """How much every dot prefers its partner to the next best."""
    partner = np.empty(len(apart), int)
    for a, b in pairs:
        partner[a], partner[b] = b, a
    if len(pairs) == 1:
        return np.full(2, 100.0)
    dots = np.arange(len(apart))
    strangers = apart.copy()
    strangers[dots, dots] = strangers[dots, partner] = np.inf
    return np.asarray(strangers.min(axis=1) - apart[dots, partner])


def _palette(dots: tuple[Dot, ...], pairs: Pairs) -> tuple[Rgb, ...]:
    """The mean colour of each pair."""
    return tuple(
        Rgb(*((p + q + 1) // 2 for p, q in zip(dots[a].rgb, dots[b].rgb, strict=True))) for a, b in pairs
    )
