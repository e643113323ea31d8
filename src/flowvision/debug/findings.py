"""What is not as it should be: causes are looked for in order, and the first that is found is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from flowvision.debug import (
    colour_findings,
    dot_findings,
    edge_findings,
    line_findings,
    outcome_findings,
    partner_findings,
    picture_findings,
)
from flowvision.debug.choice import grid_option
from flowvision.debug.finding import Finding, Seen
from flowvision.errors import without_debug_advice

LOOKS: tuple[Callable[[Seen], Finding | None], ...] = (
    picture_findings.shows_nothing,
    line_findings.has_no_such_lattice,
    line_findings.is_of_another_size,
    picture_findings.is_too_small,
    picture_findings.is_blurred,
    picture_findings.is_no_board,
    line_findings.are_two_boards,
    edge_findings.is_tilted_out,
    edge_findings.is_cut,
    dot_findings.are_smaller,
    dot_findings.are_no_discs,
    partner_findings.are_of_few_colours,
    partner_findings.is_covered,
    partner_findings.is_recoloured,
    partner_findings.lack_a_partner,
    partner_findings.are_too_many,
    dot_findings.were_left_out,
    colour_findings.are_alike,
    line_findings.runs_on,
    outcome_findings.is_refuted,
)
"""What is looked for, the cause before its consequences: the first that is found is told."""


def findings_of(seen: Seen) -> tuple[Finding, ...]:
    """What is not as it should be: the cause alone, for what else is seen mostly follows from it."""
    cause = next((finding for look in LOOKS if (finding := look(seen)) is not None), None)
    if cause is None:
        hint = without_debug_advice(seen.final.hint)
        cause = Finding("00-input.png", seen.final.message, "The cause is not known.", then=hint)
    size = grid_option(seen.choice)
    if seen.choice is not None and seen.choice.fit is not seen.final_fit and size and not cause.option:
        cause = replace(cause, option=f"--grid {size}")
    return (cause,)
