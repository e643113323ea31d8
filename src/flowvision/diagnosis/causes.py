"""Causes of refusals, each before its consequences: the first one found is the heaviest doubt."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

from msgspec.structs import replace

from flowvision.diagnosis import Diagnosis, dots, edges, given_options, picture, puzzle
from flowvision.diagnosis.trials import tried
from flowvision.errors import FlowvisionError
from flowvision.reading.doubt import Doubt
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.words import COMMAND, Change, Option

CAUSES: tuple[Callable[[Diagnosis], Doubt | None], ...] = (
    edges.is_outside,
    picture.is_faint,
    edges.is_of_another_size,
    picture.is_too_small,
    picture.is_unclear,
    picture.is_no_board,
    edges.is_covered_beside,
    edges.are_two_boards,
    dots.are_of_few_colours,
    edges.is_cut,
    edges.is_covered,
    dots.are_no_dots,
    dots.is_tinted,
    dots.are_alike,
    edges.is_cut_at_line,
    dots.lack_a_partner,
    dots.are_too_many,
    puzzle.is_refuted,
)


def heaviest_doubt(case: Diagnosis, began: float | None = None) -> Doubt:
    """Return one cause: other evidence mostly follows from it."""
    began = process_time() if began is None else began
    doubt = next((found for look in CAUSES if (found := look(case)) is not None), unknown(case.final))
    doubt = tried(case, doubt, began)
    given, geometry = given_options(case.options), case.find(BoardGeometry)
    advice = [
        item
        for item in doubt.advice
        if not isinstance(item, Option) or item.name not in given or item.value not in ("", given[item.name])
    ]
    if geometry is not None and geometry.board.lattice is None:
        advice = [replace(item, by_number=True) if isinstance(item, Change) else item for item in advice]
    return replace(doubt, advice=tuple(advice))


def unknown(error: FlowvisionError) -> Doubt:
    """Return a doubt that repeats the raised error, without a known cause."""
    message, hint = error.origin.words(COMMAND)
    return Doubt("unknown", "decode", {"message": message, "hint": hint})
