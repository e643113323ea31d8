"""All that is not as it should be, in the order of the stages: the first is what to look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from flowvision.debug import colour_findings, dot_findings, line_findings
from flowvision.debug.choice import grid_option
from flowvision.debug.finding import Finding, Seen

LOOKS: tuple[Callable[[Seen], Finding | None], ...] = (
    line_findings.shows_nothing,
    line_findings.has_no_contour,
    line_findings.has_no_lattice,
    line_findings.is_of_another_size,
    line_findings.are_shards,
    line_findings.are_two_boards,
    line_findings.is_cut,
    dot_findings.are_smaller,
    dot_findings.are_no_discs,
    dot_findings.lack_a_partner,
    colour_findings.are_too_many,
    dot_findings.are_odd,
    colour_findings.is_odd_couple,
    dot_findings.were_left_out,
    colour_findings.are_alike,
    line_findings.runs_on,
    dot_findings.is_refuted,
)
"""What is looked for, the cause before its consequences."""


def findings_of(seen: Seen) -> tuple[Finding, ...]:
    """What is not as it should be, the most telling first; never empty."""
    found = [finding for look in LOOKS if (finding := look(seen)) is not None]
    if not found:
        found = [Finding("00-input.png", seen.final.message)]
    if (
        seen.choice is not None
        and seen.choice.fit is not seen.final_fit
        and (size := grid_option(seen.choice))
    ):
        found[0] = replace(found[0], option=f"--grid {size}")
    return tuple(found)
