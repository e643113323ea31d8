"""What may be wrong with a whole puzzle that was read and refused."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

from flowvision.debug.colour_findings import position_of
from flowvision.debug.colour_groups import listed
from flowvision.debug.finding import Finding, Seen
from flowvision.debug.marks import Mark
from flowvision.debug.places import RING_GROWN
from flowvision.palette import colour_name, letters_for
from flowvision.reading.repair import repairs_of
from flowvision.solvers import GaveUp, Limits, Solved, Unsolvable, solve
from flowvision.solvers.repairs import Repair
from flowvision.vision.reading import Reading

CLEAR = 0.9
"""Confidence: what was seen less well is named first."""
PICTURE_OF = {
    "lines": "03-grid.png",
    "dot": "04-marks.png",
    "colours": "05-clusters.png",
    "walls": "03b-sides.png",
}
SECONDS = 0.3
"""For each search, of repairs and with a colour left out; one board of the game takes milliseconds."""
TELLING = 2
"""Colours: where more can be left out, none of them says anything."""
COMPARE = "Compare dots, walls and size with the screen, and put right what differs, counted from 0:"
CHANGE = "--set ROW,COLUMN=LETTER"


def is_refuted(seen: Seen) -> Finding | None:
    """A whole puzzle was read, and refused."""
    trail, refusal = seen.scene.trail, seen.error.refusal
    reading = trail.reading
    if reading is None:
        return None
    if isinstance(trail.outcome, Unsolvable) or (refusal and refusal.check == "no solution"):
        return _without_solution(seen, reading)
    if isinstance(trail.outcome, GaveUp):
        says = f"No answer was found in time for what was read: {reading.size}."
        return Finding("07-solution.png", says, ("A board that is misread takes long; levels take "
            "milliseconds."),
                       CHANGE, then=COMPARE)  # fmt: skip
    says = f"What was read, {reading.size}, is not believed."
    if refusal and refusal.saw is not None and refusal.wanted is not None:
        says = (
            f"What was read, {reading.size}, was not seen well enough: {refusal.saw:.2f} of 1, "
            f"{refusal.wanted:g} wanted."
        )
    elif refusal:
        says = f"What was read, {reading.size}, is not believed: {refusal.check}; {refusal.why}."
    return Finding(_panel(reading), says, _weakest(reading), CHANGE, then=COMPARE, marks=_all_dots(reading))


def _without_solution(seen: Seen, reading: Reading) -> Finding:
    """The board as it was read has no solution: what change would give it one."""
    clear = reading.confidence >= CLEAR
    says = "The board was seen clearly, but what it shows has no solution."
    if not clear:
        says = f"What was read has no solution; {reading.weakest or 'some of it'} was not seen well."
    detail = f"Read: {reading.size}; confidence {reading.confidence:.2f} of 1. {_weakest(reading)}"
    rest = "Every level of the game has one, so the picture was altered or one thing was misread"
    mended = repairs_of(reading, SECONDS).found
    if mended:
        means = f"{rest}. With one change it has exactly one solution: {mended[0].text}"
        then, option, marks = "Compare the marked dots with the screen:", CHANGE, _changed(reading, mended[0])
    elif flows := needless_flows(reading, SECONDS):
        letters = letters_for(reading.palette)
        names = [colour_name(reading.palette[flow]) for flow in flows]
        means = (
            f"{rest}. Without {listed([f'the {name} dots' for name in names])} it has a solution. They are "
            + (f"{listed([_place(seen, reading, flow, end) for flow in flows for end in (0, 1)])}.")
        )
        then = (
            f"Look at the {listed(names)} dots first; say where one lies instead, counted from 0, "
            "and empty the cell where it was read with `--set ROW,COLUMN=.`:"
        )
        option = f"--set ROW,COLUMN={letters[flows[0]]}"
        marks = tuple(mark for flow in flows for mark in _dots_of(reading, flow))
    else:
        means = (
            f"{rest}. What it is, is not known: no dot moved by a cell, and no single colour "
            f"left out, mends it."
        )
        then, option, marks = COMPARE, CHANGE, _all_dots(reading)
    panel = "07-solution.png" if clear else _panel(reading)
    return Finding(panel, says, means, option, then=then, detail=detail, marks=marks)


def needless_flows(reading: Reading, seconds: float) -> list[int]:
    """The colours without whose dots the board has a solution; none where too many are like that."""
    end, found, puzzle = perf_counter() + seconds, list[int](), reading.puzzle
    for flow in range(len(puzzle.terminals)):
        left = end - perf_counter()
        if left <= 0:
            return []
        others = tuple(pair for n, pair in enumerate(puzzle.terminals) if n != flow)
        if others and isinstance(solve(replace(puzzle, terminals=others), limits=Limits(left)), Solved):
            found.append(flow)
    return found if len(found) <= TELLING else []


def _weakest(reading: Reading) -> str:
    if not reading.weakest:
        return ""
    return f"Seen least well: {reading.weakest}."


def _panel(reading: Reading) -> str:
    named = (panel for word, panel in PICTURE_OF.items() if word in reading.weakest)
    return next(named, "07-solution.png")


def _place(seen: Seen, reading: Reading, flow: int, end: int) -> str:
    if reading.lattice is None:
        x, y = reading.ends_px[flow][end]
        return f"at {x:.0f}, {y:.0f} pixels"
    return f"in {position_of(seen, reading.board.layout.cell_of[reading.puzzle.terminals[flow][end]])}"


def _dots_of(reading: Reading, flow: int) -> list[Mark]:
    narrow = reading.frame.narrow_px(reading.board.layout.cells[0].centre)
    name = colour_name(reading.palette[flow])
    return [Mark("ring", (end,), name, RING_GROWN * 0.35 * narrow) for end in reading.ends_px[flow]]


def _all_dots(reading: Reading) -> tuple[Mark, ...]:
    return tuple(mark for flow in range(len(reading.ends_px)) for mark in _dots_of(reading, flow))


def _changed(reading: Reading, mended: Repair) -> tuple[Mark, ...]:
    """The dots that were read, and the cells where they may lie."""
    cells, cell_of = reading.board.layout.cells, reading.board.layout.cell_of
    narrow, marks = reading.frame.narrow_px(cells[0].centre), list[Mark]()
    for change in mended.changes:
        name = colour_name(reading.palette[change.flow])
        for strand, words in ((change.read, name), (change.meant, f"{name}?")):
            x, y = reading.frame.to_px([cells[cell_of[strand]].centre])[0].tolist()
            marks.append(Mark("ring", ((x, y),), words, 0.45 * narrow))
    return tuple(marks)
