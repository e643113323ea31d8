"""Advice that is tried before it is given: the picture is read once more with what would be advised."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from string import ascii_uppercase
from time import process_time
from typing import Any, NamedTuple

from flowvision.corrections.correction import Correction, SetCell
from flowvision.diagnosis.cause import CUTTABLE, Advice, Cause, Mark, corners_of, given_options
from flowvision.diagnosis.dots import faint_cells, set_advice
from flowvision.diagnosis.seen import Seen
from flowvision.errors import FlowvisionError, GaveUpError
from flowvision.image.pixels import turned
from flowvision.log import Log, Step
from flowvision.puzzle.layout import Key
from flowvision.reading.attempts import RegionCache, lattice_of_cells
from flowvision.reading.candidates import CheckedReading
from flowvision.reading.corrected import read_corrected
from flowvision.reading.options import Options
from flowvision.reading.other_board import read_larger_board
from flowvision.reading.reading_run import ReadingRun
from flowvision.reading.refused import CROP_MARGIN, FEWEST_DOTS, SHARP_CELL_PX, crop_option, grid_option
from flowvision.solvers import has_one_strict_solution
from flowvision.vision.assembly import Reading
from flowvision.vision.pixels.view import Floats

SECONDS = 2.2
"""CPU time from the beginning of the diagnosis to the end of all that is tried: a picture that is read takes
0.1 to 0.3 s, a refused one 1 s. It is looked at between stages, of which one takes up to 0.5 s more: a
diagnosis may take 3."""
K_MEANS = 0.8
"""CPU seconds of these, kept for colours that are counted, whose clustering takes 0.7 to 1.4 s to import."""
MOST_SECONDS = 10.0
"""By the clock, for each of it."""
NEXT_CAUSE = ("two-boards",)
"""Causes whose advice is right also where another cause comes next."""
MOST_REGIONS = 3
"""Parts of a photograph whose cells may tell its size."""
OTHER_PITCH = 1.2
"""Times as wide: two readings of one board agree on its cells by more than this."""
MOST_GONE = 4
"""Dots whose colour is gone: they can be paired in three ways."""
FRAMABLE = (
    "lone-dot", "lone-dots", "many-dots", "wrong-colour", "no-solution", "few-colours", "left-out",
    "not-believed", "not-sure",
)  # fmt: skip
"""Causes that a column of buttons beside the board may have."""
SIZABLE = (*FRAMABLE, "no-lattice", "few-cells", "no-discs", "unknown")
"""Causes that a lattice of another size may have."""

Together = tuple[Advice, ...]
"""Options that are typed together."""


def tried(seen: Seen, cause: Cause, began: float) -> Cause:
    """The cause with advice of which it is known what comes of it; advice that does not help is taken out.

    ``began``: the CPU time of this process when the diagnosis did.
    """
    end = began + SECONDS
    for together in (_framed if _is_cut(seen, cause) else _to_try)(seen, cause):
        if process_time() > end - _import_seconds(seen.options, together):
            break
        came, checked = _come(seen, together, end)
        if came == "solved" and checked and _is_about(seen, together, checked):
            size, warnings = checked.reading.size, checked.warnings
            advice = tuple(replace(one, came=came, size=size, warnings=warnings) for one in together)
            if not together[0].value:
                cause = _without(seen, cause, together[0].option, checked.reading)
            elif together[0].option == "--crop" and cause.code in FRAMABLE:
                cause = _framing(seen, cause, advice[0])
            return replace(cause, advice=advice)
    is_kept = cause.code in NEXT_CAUSE or not any(one.is_whole for one in cause.advice)
    return replace(cause, advice=cause.advice if is_kept else ())


def _is_about(seen: Seen, together: Together, checked: CheckedReading) -> bool:
    """Whether a board that is read without an option says that the option is wrong.

    Not a doubtful one, nor one of as many squares as ``--grid`` says, nor another one than that in the part
    of ``--crop``.
    """
    reading, option, value = checked.reading, together[0].option, together[0].value
    lattice = reading.lattice
    if not value and checked.doubtful:
        return False
    if value or lattice is None or lattice.tiling != "square":
        return True
    if option == "--grid":
        return (lattice.rows, lattice.cols) != seen.options.rows_and_cols
    return option != "--crop" or not _is_apart(seen, reading)


def _is_apart(seen: Seen, reading: Reading) -> bool:
    """Whether a reading is of another board than the lattice with dots that was seen."""
    fit = seen.lattice
    if fit is None or seen.dots is None or len(seen.dots.dots) < FEWEST_DOTS:
        return False
    corners, own = reading.frame.to_px(reading.board.layout.corners), fit.outline_px()
    apart = (corners.max(axis=0) <= own.min(axis=0)) | (own.max(axis=0) <= corners.min(axis=0))
    times = reading.pitch_px / fit.pitch_px
    return bool(apart.any()) or max(times, 1 / times) > OTHER_PITCH


def _import_seconds(options: Options, together: Together) -> float:
    """CPU seconds that are kept for an import that options may need."""
    is_counted = options.colours is not None or any(one.option == "--colours" for one in together)
    return K_MEANS if is_counted and "sklearn.cluster" not in sys.modules else 0.0


def _to_try(seen: Seen, cause: Cause) -> Iterator[Together]:
    """Options that may help, the likeliest first."""
    if cause.code == "tinted":
        yield from _for_faint_dots(seen)
    if cause.advice and all(one.is_whole for one in cause.advice):
        yield cause.advice
        if cause.advice[0].option == "--colours" and cause.code == "tinted":
            yield (Advice("--colours", str(int(cause.advice[0].value) + 1)),)
    if cause.code not in NEXT_CAUSE:
        for option in ("--grid", "--crop", "--colours"):
            if option in given_options(seen.options):
                yield (Advice(option, ""),)
    if cause.code == "many-dots" and seen.options.colours is None and len(seen.groups):
        yield (Advice("--colours", str(sum(map(len, seen.groups)) // 2)),)
    if cause.code == "no-solution":
        yield from _for_no_solution(seen)
    if cause.code == "photograph":
        sizes = _sizes_at_an_angle(seen)
        yield from ((Advice("--grid", size),) for size in sizes if size != seen.options.grid)
    if cause.code in SIZABLE and seen.options.grid is None and (size := _other_size(seen)):
        yield (Advice("--grid", size),)
    yield from _framed(seen, cause)


def _is_cut(seen: Seen, cause: Cause) -> bool:
    """Whether a row or column is likely cut off, and no change to what is seen puts that right."""
    return cause.code in CUTTABLE and seen.cut_line is not None and seen.cut_line.is_likely


def _framed(seen: Seen, cause: Cause) -> Iterator[Together]:
    """Without what looks like more rows or columns; a part of a board that is cut may have one solution."""
    is_narrow = _is_cut(seen, cause) and seen.cut_line is not None and "column" in seen.cut_line.line
    if cause.code in FRAMABLE and seen.options.crop is None and not is_narrow:
        for part in _narrower(seen):  # buttons of a cell's size look like more cells, so the size is said too
            yield Advice("--crop", part.crop), Advice("--grid", f"{part.cells}x{part.cells}")


def _without(seen: Seen, cause: Cause, option: str, reading: Reading) -> Cause:
    """The cause is an option without which the board is read, where nothing more is known of it."""
    if cause.code == "wrong-crop":
        return cause
    given = given_options(seen.options)[option]
    marks: tuple[Mark, ...] = ()
    if option == "--crop":
        x, y, width, height = map(float, given.split(","))
        marks = (Mark.of_box((x, y), (x + width, y + height), "the part given"),)
    is_hex = option == "--grid" and reading.lattice is not None and reading.lattice.tiling == "hex"
    facts = {"option": option, "given": f"{option} {given}", "hexagons": is_hex}
    return Cause("wrong-option", "decode", facts, marks)


def _for_no_solution(seen: Seen) -> Iterator[Together]:
    """With the only change that gives the board a solution."""
    offered, reading = seen.error.details.get("repairs"), seen.reading
    if reading is None or offered is None or len(offered.found) != 1 or reading.lattice is None:
        return
    places, letters = reading.lattice.places, reading.letters
    changes = offered.found[0].changes
    meant = {change.meant: letters[change.flow] for change in changes}
    marks = {change.read: "." for change in changes} | meant
    yield tuple(set_advice(places[cell], mark) for cell, mark in marks.items())


def _sizes_at_an_angle(seen: Seen) -> Iterator[str]:
    """The sizes that the lattice of a photographed screen may have: square first, as boards are.

    At the edge of a screen lines are easily lost, so the longer side is the surer one.
    """
    tried = [one.region for one in seen.attempts]
    regions = {id(region): region for region in (seen.region, *tried) if region is not None}
    sizes = dict[str, None]()
    for region in [*regions.values()][:MOST_REGIONS]:
        with suppress(FlowvisionError):
            for fit in lattice_of_cells(RegionCache(region, seen.settings)):
                if fit.pitch_px >= SHARP_CELL_PX and fit.size is not None:
                    sizes |= dict.fromkeys((f"{max(fit.size)}x{max(fit.size)}", grid_option(fit)))
    yield from sizes


def _for_faint_dots(seen: Seen) -> Iterator[Together]:
    """With dots whose colour a filter took away, in every way to pair them, the most alike first."""
    cells = faint_cells(seen, MOST_GONE)
    if len(cells) not in (2, MOST_GONE):
        return
    used = {mark.letter for mark in seen.draft.seen.values()}
    letters = [letter for letter in ascii_uppercase if letter not in used][:2]
    contrast = seen.discs.contrast
    for partner in sorted(cells[1:], key=lambda cell: abs(float(contrast[cell] - contrast[cells[0]]))):
        of = [letters[cell not in (cells[0], partner)] for cell in cells]
        yield tuple(set_advice(seen.place(cell), letter) for cell, letter in zip(cells, of, strict=True))


def _other_size(seen: Seen) -> str:
    """The size of the reading that a person would choose, where that is another than the error is about."""
    choice = seen.choice
    if choice is None or choice.fit is None or choice.fit is seen.final_fit:
        return ""
    return grid_option(choice.fit) if choice.fit.pitch_px >= SHARP_CELL_PX else ""


class Part(NamedTuple):
    """A square that ``--crop`` cuts out of a lattice, ``cells`` wide; the rest: ``lines`` at a ``side``."""

    crop: str
    cells: int
    side: str
    lines: int
    rest_px: Floats


def _narrower(seen: Seen) -> Iterator[Part]:
    """The part of a lattice that is as wide as it is high, at either end: the rest may be buttons."""
    fit = seen.lattice
    if fit is None or fit.size is None or fit.size[0] == fit.size[1]:
        return
    (rows, cols), side = fit.size, min(fit.size)
    ends = ("right", "left") if cols > rows else ("bottom", "top")
    for end, name in enumerate(ends):
        x, y = end * (cols - side), end * (rows - side)
        corners = fit.frame.to_px(corners_of((x, y), (x + side, y + side)))
        crop = crop_option(corners, CROP_MARGIN * fit.pitch_px, seen.size_px)
        (x0, x1), (y0, y1) = _rest(end, cols, side), _rest(end, rows, side)
        rest = fit.frame.to_px(corners_of((x0, y0), (x1, y1)))
        yield Part(crop, side, name, abs(cols - rows), rest)


def _rest(end: int, count: int, side: int) -> tuple[int, int]:
    """The first and last line of what is left of ``count`` at the other end; all where nothing is cut off."""
    if count == side:
        return 0, count
    return (0, count - side) if end else (side, count)


def _framing(seen: Seen, cause: Cause, advice: Advice) -> Cause:
    """The cause is the rest of the lattice, without which the board is read."""
    part = next(one for one in _narrower(seen) if one.crop == advice.value)
    line = "row" if part.side in ("top", "bottom") else "column"
    strip = f"one more {line}" if part.lines == 1 else f"{part.lines} more {line}s"
    mark = Mark.of("box", part.rest_px, "no part of it")
    facts = {**cause.facts, "side": part.side, "strip": strip}
    return replace(cause, code="framing", facts=facts, marks=(mark,))


class TrialTimeUpError(Exception):
    """No ``FlowvisionError``: after one of those the reader goes on, but not after this."""


def _come(seen: Seen, together: Together, end: float) -> tuple[str, CheckedReading | None]:
    """The result of options: ``solved`` or ``several`` and what was read; the code of the error otherwise.

    ``end``: the CPU time of this process after which nothing more is tried.
    """

    def watch(_: Step) -> None:
        if process_time() > end:
            raise TrialTimeUpError

    shot, log = seen.shot, Log(watch)
    try:
        options = _with(replace(seen.options, seconds=min(seen.options.seconds, MOST_SECONDS)), together)
        for one in together:
            if one.option == "--rotate":
                shot = turned(shot, float(one.value))
        read = read_corrected if options.corrections else read_larger_board
        checked, _ = read(ReadingRun.begin(shot, options, log))
    except FlowvisionError as error:
        return error.code, None
    except TrialTimeUpError:
        return GaveUpError.code, None
    is_sure = has_one_strict_solution(checked.outcome)
    return ("solved" if is_sure else "several"), checked


def _with(options: Options, together: Together) -> Options:
    """The options with others added."""
    changed: dict[str, Any] = {}
    corrections: list[Correction] = []
    for one in together:
        match one.option:
            case "--grid":
                changed["grid"] = one.value or None
            case "--colours":
                changed["colours"] = int(one.value) if one.value else None
            case "--crop":
                changed["crop"] = tuple(map(int, one.value.split(","))) if one.value else None
            case "--set":
                place, mark = one.value.split("=")
                corrections.append(SetCell(_key(place), mark))
    if corrections:
        changed["corrections"] = tuple(corrections)
    return replace(options, **changed)


def _key(typed: str) -> Key:
    """A cell, from 0, of its name, from 1."""
    numbers = [int(part) - 1 for part in typed.split(",")]
    return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])
