"""Advice is tried before it is given: the picture is read once more with it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import suppress
from string import ascii_uppercase
from time import process_time
from typing import Any

from msgspec.structs import replace

from flowvision.advice import Advice, Change, Option, Without, is_whole
from flowvision.corrections.correction import SetCell
from flowvision.diagnosis.dots import faint_cells
from flowvision.diagnosis.seen import CUTTABLE, REFUSING, Seen, given_options
from flowvision.errors import FlowvisionError
from flowvision.log import Log, Step
from flowvision.reading.candidates import Candidate, warnings_of
from flowvision.reading.corrected import read_corrected
from flowvision.reading.doubt import Doubt, Mark, Trial, corners_of
from flowvision.reading.options import Options
from flowvision.reading.other_board import read_larger_board
from flowvision.reading.reading_run import ReadingRun
from flowvision.reading.refused import CROP_MARGIN, FEWEST_DOTS, SHARP_CELL_PX, crop_option, grid_option
from flowvision.solvers import has_one_strict_solution
from flowvision.vision.assembly import Reading

SECONDS = 2.2
"""CPU seconds from the beginning of the diagnosis to the end of all trials: a picture that is read takes
0.1 to 0.3 s, a refused one 1 s. It is checked between stages, of which one takes up to 0.5 s more: a
diagnosis may take 3."""
MOST_SECONDS = 10.0
"""Seconds of each trial, by the clock."""
OTHER_PITCH = 1.2
"""Largest ratio of cell widths in two readings of one board."""
MOST_GONE = 4
"""Number of dots whose colour is gone: they can be paired in three ways."""
FRAMABLE = *REFUSING, "lone-dots", "many-dots", "wrong-colour", "no-solution", "other-game", "left-out"
"""Codes that a column of buttons beside the board may have."""
SIZABLE = (*FRAMABLE, "no-board", "unknown")
"""Codes that a lattice of another size may have."""

Together = tuple[Advice, ...]
"""Options that are given together."""


def tried(seen: Seen, doubt: Doubt, began: float) -> Doubt:
    """Return the doubt with advice that helps; advice with values that does not is taken out."""
    end = began + SECONDS
    for together in (_framed if _is_cut(seen, doubt) else _to_try)(seen, doubt):
        if process_time() > end:
            break
        checked = read_with(seen, together, end)
        if checked is None or not has_one_strict_solution(checked.outcome):
            continue
        if _is_about(seen, together, checked):
            first = together[0]
            if isinstance(first, Without):
                doubt = _without(seen, doubt, first.name, checked.reading)
            return replace(
                doubt, advice=together, trial=Trial(checked.reading.size, warnings_of(checked.doubts))
            )
    is_kept = doubt.code == "two-boards" or not any(map(is_whole, doubt.advice))
    return replace(doubt, advice=doubt.advice if is_kept else ())


def _is_about(seen: Seen, together: Together, checked: Candidate) -> bool:
    """Return whether a board that is read without an option says that the option is wrong.

    Not a doubtful one, nor one of the given size, nor another one than that in the part
    given.
    """
    reading, first = checked.reading, together[0]
    lattice = reading.lattice
    if not isinstance(first, Without):
        return True
    if any(doubt.weight for doubt in checked.doubts):
        return False
    if lattice is None or lattice.tiling != "square":
        return True
    if first.name == "grid":
        return (lattice.rows, lattice.cols) != seen.options.rows_and_cols
    return first.name != "crop" or not _is_apart(seen, reading)


def _is_apart(seen: Seen, reading: Reading) -> bool:
    fit = seen.lattice
    if fit is None or seen.dots is None or len(seen.dots.dots) < FEWEST_DOTS:
        return False
    corners, own = reading.frame.to_px(reading.board.layout.corners), fit.outline_px()
    apart = (corners.max(axis=0) <= own.min(axis=0)) | (own.max(axis=0) <= corners.min(axis=0))
    times = reading.pitch_px / fit.pitch_px
    return bool(apart.any()) or max(times, 1 / times) > OTHER_PITCH


def _to_try(seen: Seen, doubt: Doubt) -> Iterator[Together]:
    facts, is_filtered = doubt.facts, doubt.code == "tinted"
    if is_filtered and not facts.get("grey"):
        yield from _for_faint_dots(seen)
    if doubt.advice and all(map(is_whole, doubt.advice)):
        yield doubt.advice
        if is_filtered:
            yield (Option("colours", str(facts["dots"] // 2 + 1)),)
    if doubt.code != "two-boards":
        for name in ("grid", "crop", "colours"):
            if name in given_options(seen.options):
                yield (Without(name),)
    if doubt.code == "wrong-colour" and "letter" in facts:
        yield from ((Change(place, facts["letter"]),) for place in facts["places"])
    if doubt.code == "many-dots" and seen.options.colours is None and len(seen.groups):
        yield (Option("colours", str(sum(map(len, seen.groups)) // 2)),)
    if doubt.code == "no-solution":
        yield from _for_no_solution(seen)
    if doubt.code in SIZABLE and seen.options.grid is None and (size := _other_size(seen)):
        yield (Option("grid", size),)
    yield from _framed(seen, doubt)


def _is_cut(seen: Seen, doubt: Doubt) -> bool:
    return doubt.code in CUTTABLE and seen.cut_line is not None and seen.cut_line.is_likely


def _framed(seen: Seen, doubt: Doubt) -> Iterator[Together]:
    sides = seen.cut_line.sides if seen.cut_line and _is_cut(seen, doubt) else ()
    is_narrow = "left" in sides or "right" in sides
    if doubt.code in FRAMABLE and seen.options.crop is None and not is_narrow:
        yield from _narrower(seen)


def _without(seen: Seen, doubt: Doubt, name: str, reading: Reading) -> Doubt:
    if doubt.code == "wrong-crop":
        return doubt
    given = given_options(seen.options)[name]
    marks: tuple[Mark, ...] = ()
    if name == "crop":
        x, y, width, height = map(float, given.split(","))
        marks = (Mark.of_box((x, y), (x + width, y + height), "the part given"),)
    is_hex = name == "grid" and reading.lattice is not None and reading.lattice.tiling == "hex"
    facts = {"option": name, "given": (Option(name, given),), "hexagons": is_hex}
    return Doubt("wrong-option", "decode", facts, marks)


def _for_no_solution(seen: Seen) -> Iterator[Together]:
    offered, reading = seen.error.details.get("repairs"), seen.reading
    if reading is None or offered is None or len(offered.found) != 1 or reading.lattice is None:
        return
    places, letters = reading.lattice.places, reading.letters
    changes = offered.found[0].changes
    meant = {change.meant: letters[change.flow] for change in changes}
    marks = {change.read: "." for change in changes} | meant
    yield tuple(Change(places[cell], mark) for cell, mark in marks.items())


def _for_faint_dots(seen: Seen) -> Iterator[Together]:
    cells = faint_cells(seen, MOST_GONE)
    if len(cells) not in (2, MOST_GONE):
        return
    used = {mark.letter for mark in seen.board.seen.values()}
    letters = [letter for letter in ascii_uppercase if letter not in used][:2]
    contrast = seen.discs.contrast
    for partner in sorted(cells[1:], key=lambda cell: abs(float(contrast[cell] - contrast[cells[0]]))):
        of = [letters[cell not in (cells[0], partner)] for cell in cells]
        yield tuple(Change(seen.place(cell), letter) for cell, letter in zip(cells, of, strict=True))


def _other_size(seen: Seen) -> str:
    choice = seen.choice
    return grid_option(choice) if choice is not None and choice.pitch_px >= SHARP_CELL_PX else ""


def _narrower(seen: Seen) -> Iterator[tuple[Option, Option]]:
    fit = seen.lattice
    if fit is None or fit.size is None or fit.size[0] == fit.size[1]:
        return
    (rows, cols), side = fit.size, min(fit.size)
    for end in (1, 0):
        x, y = end * (cols - side), end * (rows - side)
        corners = fit.frame.to_px(corners_of((x, y), (x + side, y + side)))
        crop = crop_option(corners, CROP_MARGIN * fit.pitch_px, seen.size_px)
        yield Option("crop", crop), Option("grid", f"{side}x{side}")


class TrialTimeUpError(Exception):
    """No ``FlowvisionError``, after which the reader would continue."""


def read_with(seen: Seen, together: Together, end: float) -> Candidate | None:
    """Read with other options; ``None`` on failure."""

    def watch(_: Step) -> None:
        if process_time() > end:
            raise TrialTimeUpError

    with suppress(FlowvisionError, TrialTimeUpError):
        options = _with(
            dataclasses.replace(seen.options, seconds=min(seen.options.seconds, MOST_SECONDS)), together
        )
        read = read_corrected if options.corrections else read_larger_board
        return read(ReadingRun.begin(seen.shot, options, Log(watch)))
    return None


def _with(options: Options, together: Together) -> Options:
    changed: dict[str, Any] = {}
    for item in together:
        if isinstance(item, Without):
            changed[item.name] = None
        elif isinstance(item, Option):
            crop = tuple(map(int, item.value.split(","))) if item.name == "crop" else ()
            changed[item.name] = crop or (int(item.value) if item.name == "colours" else item.value)
    cells = [(item.cell, item.mark) for item in together if isinstance(item, Change)]
    if cells:
        changed["corrections"] = tuple(SetCell(cell, mark) for cell, mark in cells if cell is not None)
    return dataclasses.replace(options, **changed)
