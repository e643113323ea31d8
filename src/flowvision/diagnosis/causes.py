"""Causes of a refusal, each before its consequences: the first one found is the heaviest doubt."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

from msgspec.structs import replace

from flowvision.advice import COMMAND, Change, Option
from flowvision.diagnosis import dots, edges, hidden, picture, puzzle
from flowvision.diagnosis.seen import CUTTABLE, Seen, given_options
from flowvision.diagnosis.trials import tried
from flowvision.errors import FlowvisionError
from flowvision.reading.doubt import Doubt
from flowvision.vision.kinds.fit import BoardGeometry

CAUSES: tuple[Callable[[Seen], Doubt | None], ...] = (
    edges.is_outside,
    picture.is_faint,
    edges.is_of_another_size,
    picture.is_too_small,
    picture.is_blurred,
    picture.is_blocky,
    picture.is_strewn,
    picture.is_no_board,
    picture.is_of_a_screen,
    edges.are_two_boards,
    edges.are_twins,
    dots.are_of_few_colours,
    edges.is_cut,
    dots.look_alike,
    hidden.is_behind_a_window,
    dots.are_smaller,
    dots.are_no_discs,
    dots.is_tinted,
    hidden.is_covered_beside,
    hidden.is_covered,
    picture.is_compressed,
    dots.is_recoloured,
    dots.lack_a_partner,
    dots.are_too_many,
    dots.were_miscounted,
    dots.were_left_out,
    dots.are_alike,
    edges.runs_on,
    puzzle.is_refuted,
)


def heaviest_doubt(seen: Seen, began: float | None = None) -> Doubt:
    """Return one cause: other evidence mostly follows from it."""
    began = process_time() if began is None else began
    doubt = next((found for look in CAUSES if (found := look(seen)) is not None), unknown(seen.final))
    doubt = _perhaps_cut(seen, tried(seen, doubt, began))
    given, geometry = given_options(seen.options), seen.find(BoardGeometry)
    advice = [
        item
        for item in doubt.advice
        if not isinstance(item, Option) or item.name not in given or item.value not in ("", given[item.name])
    ]
    if geometry is not None and geometry.board.lattice is None:
        advice = [replace(item, by_number=True) if isinstance(item, Change) else item for item in advice]
    return replace(doubt, advice=tuple(advice))


def _perhaps_cut(seen: Seen, doubt: Doubt) -> Doubt:
    facts, cut = doubt.facts, seen.cut_line
    is_told = doubt.trial or facts.get("near") or facts.get("faint")
    if cut is None or is_told or doubt.code not in CUTTABLE or not facts.get("dots", True):
        return doubt
    return (
        edges.likely_cut(seen, cut, doubt)
        if cut.is_likely
        else replace(doubt, facts={**facts, "cut": cut.words})
    )


def unknown(error: FlowvisionError) -> Doubt:
    """Return the error as it was raised, without a known cause."""
    message, hint = error.origin.words(COMMAND)
    return Doubt("unknown", "decode", {"message": message, "hint": hint})
