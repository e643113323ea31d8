"""Advice is tried before it is given: the picture is read once more with it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import suppress
from time import process_time
from typing import Any

from msgspec.structs import replace

from flowvision.corrections import SetCell
from flowvision.diagnosis import Diagnosis, given_options
from flowvision.errors import FlowvisionError
from flowvision.image.pixels import CropBox, are_apart, lies_in
from flowvision.log import Log, Step
from flowvision.reading.candidates import Candidate, warnings_of
from flowvision.reading.corrected import read_corrected
from flowvision.reading.doubt import Doubt, Trial
from flowvision.reading.options import Options
from flowvision.reading.other_board import read_larger_board
from flowvision.reading.reading_run import LEAST_SECONDS, ReadingRun
from flowvision.solvers import has_one_strict_solution
from flowvision.vision.board import box_of
from flowvision.words import Advice, Change, Option, Without, is_whole

SECONDS = 2.2
"""CPU seconds from the beginning of the diagnosis to the end of all trials: a picture that is read takes
0.1 to 0.3 s, a refused one 1 s. It is checked between stages, of which one takes up to 0.5 s more: a
diagnosis may take 3."""
MAX_SECONDS = 10.0
"""Wall time of each trial, in seconds."""

Together = tuple[Advice, ...]
"""Options that are given together."""


def tried(case: Diagnosis, doubt: Doubt, began: float) -> Doubt:
    """Return the doubt with tested advice; of advice that can be tried only what helped is kept."""
    if doubt.trial is not None:
        return doubt
    for together in _to_try(case, doubt):
        if case.seconds <= LEAST_SECONDS or process_time() > began + SECONDS:
            break
        checked = read_with(case, together, began + SECONDS)
        if checked is None or not has_one_strict_solution(checked.outcome):
            continue
        if isinstance(together[0], Without):
            if not _is_about(case, together[0], checked):
                continue
            doubt = _without(case, doubt, together[0].name, checked)
        return replace(doubt, advice=together, trial=Trial(checked.reading.size, warnings_of(checked.doubts)))
    is_kept = doubt.code == "two-boards" or not any(map(is_whole, doubt.advice))
    return replace(doubt, advice=doubt.advice if is_kept else ())


def _to_try(case: Diagnosis, doubt: Doubt) -> Iterator[Together]:
    facts = doubt.facts
    if doubt.advice and all(map(is_whole, doubt.advice)):
        yield doubt.advice
    if doubt.code != "two-boards":
        # Without a size, a part of the board would be read where the part given ends inside it.
        given = given_options(case.options)
        yield from ((Without(name),) for name in given if name != "grid" or "crop" not in given)
    if doubt.code == "many-dots" and "letter" in facts:
        yield from ((Change(place, facts["letter"]),) for place in facts["places"])
    elif doubt.code == "many-dots" and case.options.colours is None:
        yield (Option("colours", str(sum(map(len, case.groups)) // 2)),)


def _is_about(case: Diagnosis, left_out: Without, checked: Candidate) -> bool:
    """Return true if a board read without an option shows that the option is wrong.

    It does not if it is doubtful, has the given size, or lies beside the given part.
    """
    reading, crop = checked.reading, case.options.crop
    if any(doubt.weight for doubt in checked.doubts):
        return False
    if left_out.name == "grid" and reading.lattice is not None and reading.lattice.tiling == "square":
        return (reading.lattice.rows, reading.lattice.cols) != case.options.rows_and_cols
    if left_out.name == "crop" and crop is not None and lies_in(case.shot, crop):
        return not are_apart(CropBox(*crop), box_of(reading.board, reading.frame, case.shot))
    return True


def _without(case: Diagnosis, doubt: Doubt, name: str, checked: Candidate) -> Doubt:
    if doubt.option == "crop":
        return doubt
    given, lattice = given_options(case.options)[name], checked.reading.lattice
    facts: dict[str, Any] = {"option": name, "given": (Option(name, given),)}
    if name == "grid" and lattice is not None:
        facts |= {"hexagons": lattice.tiling == "hex", "lines_rows": lattice.rows, "lines_cols": lattice.cols}
    return Doubt("wrong-option", "decode", facts)


class TrialTimeUpError(Exception):
    """No ``FlowvisionError``, after which the reader would continue."""


def read_with(case: Diagnosis, together: Together, end: float) -> Candidate | None:
    """Read with other options; ``None`` on failure."""

    def watch(_: Step) -> None:
        if process_time() > end:
            raise TrialTimeUpError

    with suppress(FlowvisionError, TrialTimeUpError):
        limited = dataclasses.replace(case.options, seconds=min(case.seconds, MAX_SECONDS))
        options = followed(limited, together)
        read = read_corrected if options.corrections else read_larger_board
        return read(ReadingRun.begin(case.shot, options, Log(watch)))
    return None


def followed(options: Options, together: Together) -> Options:
    """Return the options with advice in them."""
    changed: dict[str, Any] = {}
    for item in together:
        match item:
            case Without(name):
                changed[name] = None
            case Option("crop", value):
                changed["crop"] = tuple(map(int, value.split(",")))
            case Option(name, value):
                changed[name] = int(value) if name == "colours" else value
            case Change(cell, mark) if cell is not None:
                changed["corrections"] = (*changed.get("corrections", ()), SetCell(cell, mark))
    return dataclasses.replace(options, **changed)
