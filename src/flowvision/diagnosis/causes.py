"""Causes of refusals, each before its consequences, and their advice, which is tried before it is given.

``case``: the diagnosis of the picture. ``together``: options that are given together, as one piece of advice.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from flowvision.corrections import SetCell
from flowvision.diagnosis import evidence
from flowvision.doubts import (
    Covered,
    Crossings,
    CutOff,
    Doubt,
    Late,
    LoneDots,
    ManyDots,
    NoBoard,
    NoSolution,
    NotReadWith,
    RefusedBoard,
    RunsOn,
    Title,
    TwoBoards,
    Unknown,
    Unsure,
    Walls,
    WrongOption,
)
from flowvision.errors import FlowvisionError
from flowvision.image.picture import CropBox, are_apart, lies_in
from flowvision.log import Log, ObserverError, Step
from flowvision.reading.covers import corners_of
from flowvision.reading.options import Options
from flowvision.reading.run import LEAST_SECONDS, Believed, Candidate, ReadingRun
from flowvision.reading.title import size_typed
from flowvision.solvers import GaveUp, has_one_strict_solution
from flowvision.solvers.reasons import reasons
from flowvision.solvers.repairs import Repair, Repairs, repairs
from flowvision.vision.assembly import Reading
from flowvision.vision.board import box_of, box_round
from flowvision.vision.kinds.fit import Fit
from flowvision.words import COMMAND, Advice, Change, Option, Part, Without, is_whole

if TYPE_CHECKING:
    from flowvision.diagnosis import Diagnosis

SECONDS = 2.2
"""CPU seconds from the beginning of the diagnosis to the end of all trials: a picture that is read takes
0.1 to 0.3 s, a refused one 1 s. It is checked between stages, of which one takes up to 0.5 s more: a
diagnosis may take 3."""
CLEAR = 0.9
"""Confidence below which a part is named first."""
OF_FRAME = (CutOff, RunsOn, Covered, TwoBoards, Crossings, Walls, Title)
"""Doubts about where the board ends and which sides are open, which trust does not settle."""
REPAIR_SECONDS = 0.3
"""Seconds for each search for repairs; one board of the game takes milliseconds."""


def detect_refuted(case: Diagnosis) -> Doubt | None:
    """Detect a whole puzzle that was read and refused."""
    reading, candidate = case.reading, case.find(Candidate)
    doubt = case.error.doubt
    if reading is None:
        return None
    if reading.confidence < evidence.BELIEVED and doubt is None:
        return evidence.no_board(case)
    weakest = Part() if reading.confidence >= CLEAR else reading.weakest or Part("some of it")
    if case.is_refuted:
        return _without_solution(case, reading, weakest)
    if candidate is not None and isinstance(candidate.outcome, GaveUp):
        return Late(reading.size, weakest, advice=(Option("limit"),))
    if doubt is None:
        return None
    is_framed = not any(isinstance(item, OF_FRAME) for item in case.error.doubts)
    may_trust = is_framed and reading.lines_confidence >= CLEAR
    board = RefusedBoard(reading.size, weakest, case.error.doubts[1:], may_trust)
    marks = doubt.marks or evidence.rings(case, range(case.count))
    return replace(doubt, board=board, marks=marks, advice=doubt.advice or (Change(),))


def _without_solution(case: Diagnosis, reading: Reading, weakest: Part) -> NoSolution:
    """Return the doubt about a board without a solution, and the change that gives it one."""
    marks = evidence.rings(case, range(case.count))
    reason = "" if weakest else "; ".join(reasons(reading.puzzle, reading.board))
    cause = NoSolution(reading.size, weakest, reason, marks=marks, advice=(Change(),))
    offered = repairs_of(reading, REPAIR_SECONDS)
    if not offered.found:
        return cause
    first, *others = offered.found
    cause = replace(cause, change=first.text, others=len(others))
    return cause if others else replace(cause, advice=_advice_of(reading, first), reads=reading.size)


def repairs_of(reading: Reading, seconds: float) -> Repairs:
    """Return the changes of one or two dots that give a reading one solution, the doubtful dots first."""
    pairs = zip(reading.puzzle.terminals, reading.dot_doubts, strict=False)
    doubt_of = {dot: doubt for pair, two in pairs for dot, doubt in zip(pair, two, strict=True)}
    return repairs(reading.board, reading.puzzle, doubt_of, seconds)


def _advice_of(reading: Reading, repair: Repair) -> tuple[Change, ...]:
    """Return the corrections that make a repair."""
    meant = {change.meant: reading.letters[change.flow] for change in repair.changes}
    marks = {change.read: "." for change in repair.changes} | meant
    key_of = reading.board.key_of
    return tuple(Change(key_of(dot), mark) for dot, mark in marks.items())


OF_THE_OUTLINE = (NoBoard, LoneDots, Unsure, Late)
"""Causes that may come of a lattice whose surroundings were read as a part of the board."""
CROP_MARGIN = 0.1
"""Pitches round a lattice that is cropped to."""

CAUSES: tuple[Callable[[Diagnosis], Doubt | None], ...] = (
    evidence.detect_outside,
    evidence.detect_faint,
    evidence.detect_other_size,
    evidence.detect_too_small,
    evidence.detect_unclear,
    evidence.detect_covered,
    evidence.detect_no_board,
    evidence.detect_grey,
    evidence.detect_few_colours,
    evidence.detect_other_marks,
    evidence.detect_other_title,
    evidence.detect_cut,
    evidence.detect_no_dots,
    evidence.detect_alike,
    evidence.detect_too_many,
    evidence.detect_lone,
    detect_refuted,
)

Together = tuple[Advice, ...]
"""Options that are given together."""


def heaviest_doubt(case: Diagnosis) -> Doubt:
    """Return one cause: other evidence mostly follows from it."""
    doubts = (detect(case) for detect in CAUSES)
    return next(filter(None, doubts), unknown(case.final))


def unknown(error: FlowvisionError) -> Unknown:
    """Return a doubt that repeats the raised error, without a known cause."""
    return Unknown(*error.origin.words(COMMAND))


def tried(case: Diagnosis, doubt: Doubt, began: float) -> Doubt:
    """Return the doubt with tested advice; of advice that can be tried only what helped is kept.

    ``began``: CPU seconds at which the diagnosis did.
    """
    end = began + SECONDS
    for together in () if doubt.reads else _to_try(case, doubt):
        if case.seconds_left <= LEAST_SECONDS or process_time() > end:
            break
        checked = read_with(case, together, end)
        if checked is None or not has_one_strict_solution(checked.outcome):
            continue
        left_out = [item.name for item in together if isinstance(item, Without)]
        if left_out and not _shows_they_are_wrong(case, left_out, checked):
            continue
        if left_out and not isinstance(doubt, WrongOption):
            values = case.options.given
            doubt = NotReadWith(tuple(Option(name, values[name]) for name in left_out))
        return replace(doubt, advice=together, reads=checked.reading.size)
    return replace(doubt, advice=_advice_left(case, doubt))


def _advice_left(case: Diagnosis, doubt: Doubt) -> Together:
    """Return the advice that no trial refuted, without options that are given already."""
    if not doubt.reads and any(map(is_whole, doubt.advice)):
        return ()
    return tuple(
        item for item in doubt.advice if not isinstance(item, Option) or item.name not in case.options.given
    )


def _to_try(case: Diagnosis, doubt: Doubt) -> Iterator[Together]:
    """Yield the options to try, the advice of the doubt first."""
    if doubt.advice and all(map(is_whole, doubt.advice)):
        yield doubt.advice
    if isinstance(doubt, LoneDots) and len(doubt.places) == 1 and not doubt.near:
        # It may be no dot: of 510 boards without a whole pair none has exactly one solution.
        yield (Change(doubt.places[0], "."),)
    given_options = case.options.given
    if case.lattice is not None and not given_options:
        yield from _parts_to_try(case, case.lattice, isinstance(doubt, OF_THE_OUTLINE))
    # The size is not left out alone while a crop is given, which may end inside the board.
    yield from ((Without(name),) for name in given_options if name != "grid" or "crop" not in given_options)
    if {"grid", "crop"} <= given_options.keys():
        yield Without("crop"), Without("grid")
    if isinstance(doubt, ManyDots) and case.options.colours is None:
        yield (Option("colours", str(case.count // 2)),)


def _parts_to_try(case: Diagnosis, fit: Fit, has_doubtful_outline: bool) -> Iterator[Together]:
    """Yield parts of a lattice without its last or its first row or column, then all of it.

    They have the size in the title, or with a doubtful outline are square.
    """
    assert fit.size is not None
    side = min(fit.size)
    size = case.titled_size or ((side, side) if has_doubtful_outline else fit.size)
    rows_left, cols_left = np.subtract(fit.size, size).tolist()
    is_one_smaller = {rows_left, cols_left} == {0, 1}
    for first in ((0, 0), (rows_left, cols_left)) if is_one_smaller else ():
        yield _cropped_to(case, fit, first, size)
    if has_doubtful_outline:
        yield _cropped_to(case, fit, (0, 0), fit.size)


def _cropped_to(case: Diagnosis, fit: Fit, first: tuple[int, int], size: tuple[int, int]) -> Together:
    """Return the options that read a part of a lattice alone, at its size."""
    (row, col), (rows, cols) = first, size
    corners = corners_of((col, row), (col + cols, row + rows))
    box = box_round(fit.frame.to_px(corners), CROP_MARGIN * fit.pitch_px, case.shot)
    crop = ",".join(map(str, box))
    return Option("crop", crop), Option("grid", size_typed(size))


def _shows_they_are_wrong(case: Diagnosis, left_out: Sequence[str], checked: Believed) -> bool:
    """Return true if a board that was read without some options shows that they are wrong.

    It does not if it is doubtful, or has the size that was left out. Of a crop that was left out it must be
    about the same part of the picture: a board elsewhere says nothing of it.
    """
    reading, crop, lattice = checked.reading, case.options.crop, checked.reading.lattice
    has_size = lattice is not None and lattice.size == case.options.rows_and_cols
    if any(doubt.weight for doubt in checked.doubts) or ("grid" in left_out and has_size):
        return False
    # A crop outside the picture is wrong, wherever the board lies.
    if "crop" not in left_out or crop is None or not lies_in(case.shot, crop):
        return True
    return not are_apart(CropBox(*crop), box_of(reading.board, reading.frame, case.shot))


def read_with(case: Diagnosis, together: Together, end: float) -> Believed | None:
    """Read with other options; ``None`` on failure, or after ``end`` in CPU seconds."""

    def watch(_: Step) -> None:
        """End the reading after a step; the log raises it as an ``ObserverError``."""
        if process_time() > end:
            raise TimeoutError

    with suppress(FlowvisionError, ObserverError):
        limited = dataclasses.replace(case.options, seconds=case.seconds_left)
        return case.read(ReadingRun.begin(case.shot, followed(limited, together), Log(watch)))
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
