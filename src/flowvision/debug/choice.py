"""The reading that a person would choose among all that were seen, whichever came furthest."""

from __future__ import annotations

from collections.abc import Iterable

from flowvision.debug.attempts import Attempt

FEWEST_DOTS = 4
"""A person believes no board with fewer."""
WITH_DOTS, OPEN, SHARDS = 2.0, 0.7, 0.5
"""Factors of a fit's score: it has dots; its lines go on; its cells are of any shape, as lines make them."""


def choice_of(attempts: Iterable[Attempt]) -> Attempt | None:
    """The attempt whose lattice is the clearest, regular cells and those with dots before others."""
    return max(attempts, key=appeal_of, default=None)


def leaves_out_dots(choice: Attempt, others: Iterable[Attempt]) -> bool:
    """Whether dots that another lattice shows lie beyond the one of ``choice``: it is a part of the board."""
    fit = choice.fit
    if fit is None or fit.size is None:
        return False
    rows, cols = fit.size
    for other in others:
        dots = other.trail.dots
        if dots is None or other is choice or other.fit is None or other.fit.size is None:
            continue
        if len(dots.dots) > choice.dots:
            places = fit.frame.to_cells([dot.centre_px for dot in dots.dots])
            inside = ((places >= 0) & (places <= (cols, rows))).all(axis=1)
            if inside.any() and not inside.all():
                return True
    return False


def grid_option(attempt: Attempt | None) -> str:
    """How `--grid` says the columns and rows of an attempt; empty where it has none."""
    fit = attempt.fit if attempt else None
    return f"{fit.size[1]}x{fit.size[0]}" if fit and fit.size else ""


def appeal_of(attempt: Attempt) -> float:
    """How much an attempt looks like a board."""
    fit = attempt.fit
    assert fit is not None
    score = fit.score * (WITH_DOTS if attempt.dots >= FEWEST_DOTS else 1.0)
    if not fit.is_regular:
        return score * SHARDS
    return score * (OPEN if fit.is_open else 1.0)
