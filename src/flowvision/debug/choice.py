"""The reading that a person would choose among all that were seen, whichever came furthest."""

from __future__ import annotations

from collections.abc import Iterable

from flowvision.debug.attempts import Attempt
from flowvision.vision.grid.fit import GridFit
from flowvision.vision.special.fits import CellFit, CircleFit

FEWEST_DOTS = 4
"""A person believes no board with fewer."""
WITH_DOTS, OPEN, SHARDS = 2.0, 0.7, 0.5
"""Factors of a fit's score: it has dots; its lines go on; its cells are of any shape, as lines make them."""


def choice_of(attempts: Iterable[Attempt]) -> Attempt | None:
    """The attempt whose lattice is the clearest, regular cells and those with dots before others."""
    return max(attempts, key=appeal_of, default=None)


def grid_option(attempt: Attempt | None) -> str:
    """How `--grid` says the columns and rows of an attempt; empty where it has none."""
    fit = attempt.fit if attempt else None
    return f"{fit.cols}x{fit.rows}" if isinstance(fit, GridFit | CircleFit) else ""


def appeal_of(attempt: Attempt) -> float:
    """How much an attempt looks like a board."""
    fit = attempt.fit
    assert fit is not None
    score = fit.score * (WITH_DOTS if attempt.dots >= FEWEST_DOTS else 1.0)
    if isinstance(fit, CellFit):
        return score * SHARDS
    return score * (OPEN if isinstance(fit, GridFit) and not fit.closed else 1.0)
