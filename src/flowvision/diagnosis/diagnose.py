"""The one cause of a refusal: looked for in order, and the first that is found is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import process_time

from flowvision.diagnosis import dots, framing, hidden, puzzle
from flowvision.diagnosis.advice import tried
from flowvision.diagnosis.cause import CUTTABLE, Cause, given_options
from flowvision.diagnosis.seen import Seen
from flowvision.errors import FlowvisionError
from flowvision.reading.options import Options
from flowvision.vision.kinds.fit import BoardGeometry

CAUSES: tuple[Callable[[Seen], Cause | None], ...] = (
    framing.is_outside,
    framing.is_faint,
    framing.shows_nothing,
    framing.is_of_another_size,
    framing.is_too_small,
    framing.is_blurred,
    framing.is_blocky,
    framing.is_strewn,
    framing.is_no_board,
    framing.is_of_a_screen,
    framing.are_two_boards,
    framing.is_tilted_out,
    framing.are_twins,
    dots.are_of_few_colours,
    framing.is_cut,
    dots.look_alike,
    hidden.is_behind_a_window,
    dots.are_smaller,
    dots.are_no_discs,
    dots.is_tinted,
    hidden.is_covered_beside,
    hidden.is_covered,
    framing.is_compressed,
    dots.is_recoloured,
    dots.lack_a_partner,
    dots.are_too_many,
    dots.were_miscounted,
    dots.were_left_out,
    dots.are_alike,
    framing.runs_on,
    puzzle.is_refuted,
)
"""The causes that are looked for, each before its consequences."""


def diagnose(seen: Seen, began: float | None = None) -> Cause:
    """Why a picture was refused: one cause, for what else is seen mostly follows from it.

    ``began``: the CPU time of this process when the diagnosis did, if that was before this.
    """
    began = process_time() if began is None else began
    cause = next((found for look in CAUSES if (found := look(seen)) is not None), unknown(seen.final))
    cause = _unless_given(_perhaps_cut(seen, tried(seen, cause, began)), seen.options)
    geometry = seen.find(BoardGeometry)
    if geometry is None or geometry.board.lattice is not None:
        return cause
    by_number = (replace(one, value=one.value.replace("ROW,COLUMN", "CELL")) for one in cause.advice)
    return replace(cause, advice=tuple(by_number))


def _perhaps_cut(seen: Seen, cause: Cause) -> Cause:
    """The cause with the row or column that may be cut off; where one likely is, that is the cause."""
    facts, cut = cause.facts, seen.cut_line
    is_told = any(one.came for one in cause.advice) or facts.get("near") or facts.get("faint")
    if cut is None or is_told or cause.code not in CUTTABLE or not facts.get("dots", True):
        return cause
    if cut.is_likely:
        return framing.likely_cut(seen, cut, cause)
    told = {"edge": cut.edge, "line": cut.line, "cut": cut.words, "nothing": False}
    return replace(cause, facts={**facts, **told})


def _unless_given(cause: Cause, options: Options) -> Cause:
    """The cause without the advice to give what was given: an option with that value, or with any."""
    given = given_options(options)
    advice = [one for one in cause.advice if one.option not in given or one.is_new(given[one.option])]
    return replace(cause, advice=tuple(advice))


def unknown(error: FlowvisionError) -> Cause:
    """The cause is not known: the error as it was raised."""
    return Cause("unknown", "decode", {"message": error.stage_message, "todo": error.stage_hint})
