"""The backtracking search, drawn in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from shutil import get_terminal_size
from time import perf_counter, sleep

from flowvision.puzzle.check import faults_in_puzzle
from flowvision.puzzle.formats import InvalidPuzzle
from flowvision.puzzle.layout import Lattice, NamedPuzzle
from flowvision.render.text import marked_text
from flowvision.solvers.backtracking import steps
from flowvision.solvers.base import Rules
from flowvision.words import count_of

HOME, CLEAR, HIDE, SHOW = "\x1b[H", "\x1b[2J", "\x1b[?25l", "\x1b[?25h"
EXTRA_LINES = 5
"""Lines below the board."""
FRAME_SECONDS = 1 / 30
FIRST_STEPS = 200
"""Steps drawn one by one; later on, thirty frames a second."""


def watch_search(item: NamedPuzzle | InvalidPuzzle, seconds: float, write: Callable[[str], object]) -> None:
    """Draw the search on a lattice until a solution, its end, or the limit; ``write`` takes ANSI codes."""
    if isinstance(item, InvalidPuzzle) or item.board.lattice is None or faults_in_puzzle(item.puzzle):
        return
    lattice = item.board.lattice
    lines = get_terminal_size().lines
    if lattice.rows + EXTRA_LINES > lines:
        write(f"Not drawn: the terminal has {lines} lines, and {lattice.rows + EXTRA_LINES} are needed.\n")
        return
    deadline = perf_counter() + seconds
    write(HIDE + CLEAR)
    try:
        end = _watch(item, lattice, "strict", deadline, write)
        if end == "no solution":
            end = _watch(item, lattice, "free", deadline, write)
        write(f"\n{end}")
    finally:
        write(f"{SHOW}\n\n")


def _watch(
    item: NamedPuzzle, lattice: Lattice, rules: Rules, deadline: float, write: Callable[[str], object]
) -> str:
    cell_of = item.board.layout.cell_of
    marks = {
        cell_of[dot]: _coloured(item.letters[flow], flow, bold=True) for dot, flow in item.puzzle.dots.items()
    }
    goals = {cell_of[b]: marks[cell_of[b]] for _, b in item.puzzle.terminals}
    drawn = 0.0
    for number, step in enumerate(steps(item.puzzle, rules), 1):
        cell = cell_of[step.strand]
        if step.kind == "back":
            marks.pop(cell)
            marks |= {cell: goals[cell]} if cell in goals else {}
        elif step.kind == "grow" and cell not in goals:
            marks[cell] = _coloured(item.letters[step.flow], step.flow)
        now = perf_counter()
        if number <= FIRST_STEPS or step.solution or now - drawn > FRAME_SECONDS:
            state = f"{count_of(number, 'step')}, {rules} rules\x1b[K"
            write(f"{HOME}{marked_text(lattice, marks, '·')}\n\n{state}")
            drawn = now
        if step.solution:
            return "solved"
        if now > deadline:
            return "out of time"
        if number <= FIRST_STEPS:
            sleep(FRAME_SECONDS)
    return "no solution"


def _coloured(letter: str, flow: int, bold: bool = False) -> str:
    """Colour a letter in one of fifteen terminal colours."""
    return f"\x1b[{'1;' if bold else ''}38;5;{flow % 15 + 1}m{letter}\x1b[0m"
