"""Puzzles without a picture: read them from files, solve and report them, draw the search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from shutil import get_terminal_size
from time import perf_counter, sleep

from msgspec import Struct

from flowvision.colours import palette_for
from flowvision.contract import (
    Object,
    count_object,
    difficulty_object,
    error_object,
    hint_object,
    puzzle_object,
    repairs_object,
    with_hint,
)
from flowvision.errors import FlowvisionError, GaveUpError, PuzzleInvalidError, UnsolvableError
from flowvision.files import read_bytes
from flowvision.puzzle.check import faults_in_puzzle
from flowvision.puzzle.formats import InvalidPuzzle, puzzles_in, written
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.render.text import Depth, marked_text, solved_text
from flowvision.solvers import (
    GaveUp,
    Rules,
    Solved,
    TimeIsUpError,
    Unsolvable,
    has_one_strict_solution,
    solve,
)
from flowvision.solvers.backtracking import Step, steps
from flowvision.solvers.counting import common, count_solutions
from flowvision.solvers.deductions import difficulty
from flowvision.solvers.hints import FlowNames, Hint, hint_of, words_of
from flowvision.solvers.repairs import repairs
from flowvision.words import Call, Option, count_of
from flowvision.words import Hint as Sentence

RUNG_WORDS = (
    "at dots and pipes with one way out",
    "through cells with one way",
    "seen one step ahead",
    "seen further ahead",
    "by trial and error",
)
"""Words for the steps of each rung."""
CHECK = Sentence("Check its dots, walls and holes.")
CHECK_OR_REPAIR = Sentence("Check its dots, walls and holes; {} looks for a misplaced dot.", Option("repair"))
MAX_BYTES = 100_000_000
"""Largest file of puzzles: half a million levels of the game."""
VERDICTS = {
    True: "the only solution",
    False: "one of several solutions",
    None: "other solutions were not ruled out",
}
HOME, CLEAR, HIDE, SHOW = "\x1b[H", "\x1b[2J", "\x1b[?25l", "\x1b[?25h"
LINES_BELOW = 5
"""Lines of the terminal below a drawn search: its state, its end, and the prompt."""
FRAME_SECONDS = 1 / 30
FIRST_STEPS = 200
"""Steps drawn one by one; later on, thirty frames a second."""
Part = tuple[Object, str]
"""Fields of a report's JSON object, and the same in words."""


def read_puzzles(source: str) -> Iterator[NamedPuzzle | InvalidPuzzle]:
    """Read the puzzles of a file (``-``: standard input), in any form. Raises ``FlowvisionError``."""
    data = read_bytes(source)
    if len(data) > MAX_BYTES:
        megabytes = len(data) // 1_000_000
        raise PuzzleInvalidError(
            f"The file has {megabytes:,} MB; at most {MAX_BYTES // 1_000_000} are read.",
            "If it has one puzzle per line, split it: `split -l 100000 FILE`.",
        )
    if b"\0" in data[:1000]:
        from flowvision.image.codec import pixels_in

        solving = Call(f"flowvision {source}", f"solve_image({source!r})")
        hint = Sentence("It is a picture: {} solves it.", solving) if pixels_in(data) else None
        raise PuzzleInvalidError("This file holds no text.", hint or "Give a text file with a puzzle.")
    return puzzles_in(data.decode("utf-8-sig", "replace"), "" if source == "-" else Path(source).name)


class PuzzleReport(Struct, frozen=True):
    """Report on one puzzle: its JSON object, text or error, and the outcome or hint to draw."""

    name: str
    described: Object
    text: str = ""
    error: FlowvisionError | None = None
    outcome: Solved | None = None
    hint: Hint | None = None


class PuzzleOptions(Struct, frozen=True):
    """Solver and content of a report.

    ``count``: count up to this many solutions. ``hint``, ``write``, ``unsolved``: a hint for ``hint_of``, one
    of ``WRITTEN_FORMS``, or the dots alone, in place of the solution. ``repair``: without exactly one
    solution, find misplaced dots. ``rules``: the solutions that count, by default strict ones, or else free
    ones. ``depth``: colour bits of the terminal; 0 for letters alone.
    """

    solver: str = "sat"
    seconds: float = 30.0
    count: int | None = None
    hint: str | None = None
    difficulty: bool = False
    repair: bool = False
    write: str | None = None
    unsolved: bool = False
    rules: Rules | None = None
    depth: Depth = 0


def report(item: NamedPuzzle | InvalidPuzzle, options: PuzzleOptions) -> PuzzleReport:
    """Solve one puzzle and report the result; errors of the puzzle are part of the report."""
    if isinstance(item, InvalidPuzzle):
        return PuzzleReport(item.name, error_object(item.name, item.error), error=item.error)
    try:
        if options.write and options.write != "level":  # which has the solution too
            return PuzzleReport(item.name, {}, written(item, options.write))
        outcome = solve(item.puzzle, options.solver, options.seconds, item.board, options.rules)
        if isinstance(outcome, Solved):
            return _solved(item, outcome, options)
        error = error_of(outcome, CHECK if options.repair else CHECK_OR_REPAIR)
    except FlowvisionError as wrong:
        return PuzzleReport(item.name, error_object(item.name, wrong, item), error=wrong)
    described = error_object(item.name, error, item)
    described |= {"reason": outcome.reason, "seconds": {"solve": round(outcome.seconds, 6)}}
    more, text = _repaired(item, options) if options.repair else ({}, "")
    return PuzzleReport(item.name, described | more, text, error)


def _solved(named: NamedPuzzle, outcome: Solved, options: PuzzleOptions) -> PuzzleReport:
    """Return the report on a solved puzzle, with all that the options ask for."""
    described = puzzle_object(named, outcome)
    if options.hint:
        return _hinted(named, outcome, described, options)
    if options.write:
        return PuzzleReport(named.name, {}, written(named, "level", outcome.solution))
    parts: list[Part] = [({}, _text(named, outcome, options))]
    if options.count:
        parts.append(_counted(named, options))
    if options.difficulty:
        parts.append(_graded(named, outcome, options))
    if options.repair:
        is_good = has_one_strict_solution(outcome)
        parts.append(({}, "nothing to repair") if is_good else _repaired(named, options))
    for more, _ in parts:
        described |= more
    return PuzzleReport(named.name, described, "\n".join(text for _, text in parts), outcome=outcome)


def _board(
    named: NamedPuzzle,
    puzzle: Puzzle,
    solution: Solution,
    depth: Depth,
    shown_edges: Collection[int] | None = None,
) -> str:
    """Draw a board with its solution in text, or with these edges of it alone."""
    palette = palette_for(named.letters) if depth else None
    return solved_text(named.board, puzzle, solution, named.letters, palette, depth, shown_edges)


def _text(named: NamedPuzzle, outcome: Solved, options: PuzzleOptions) -> str:
    """Draw the solved board and say if there are other solutions, or draw the dots alone."""
    if options.unsolved and options.depth:
        return _board(named, named.puzzle, outcome.solution, options.depth, shown_edges=())
    if options.unsolved:
        return written(named, "text")
    board = _board(named, named.puzzle, outcome.solution, options.depth)
    touching = "; a path touches itself" if outcome.rules == "free" else ""
    if options.rules == "free":
        touching = ", counting those in which a path touches itself"
    verdict, milliseconds = VERDICTS[outcome.unique], 1000 * outcome.seconds
    text = f"{board}\n{verdict}{touching}, {milliseconds:.1f} ms"
    if not outcome.second:
        return text
    flow_of, second_flow_of = outcome.solution.flow_of, outcome.second.flow_of
    differing = {strand: flow for strand, flow in second_flow_of.items() if flow_of.get(strand) != flow}
    if not differing:
        return f"{text}\nanother has the same flows in the same cells, joined differently"
    cells = count_of(len(differing), "cell")
    return f"{text}\nanother differs in {cells}:\n{_marked(named, differing, '.')}"


def error_of(outcome: Unsolvable | GaveUp, hint: Sentence = CHECK) -> FlowvisionError:
    """Return the error about a puzzle without a solution, or without one in time."""
    if isinstance(outcome, GaveUp):
        return GaveUpError(f"No answer: {outcome.reason}.")
    why = f": {outcome.reason}." if outcome.reason else "."
    return UnsolvableError(f"The puzzle has no solution{why}", hint)


def solved(named: NamedPuzzle, seconds: float, rules: Rules | None = None) -> Solved:
    """Return the outcome of a puzzle that has a solution. Raises ``FlowvisionError`` for others."""
    outcome = solve(named.puzzle, seconds=seconds, board=named.board, rules=rules)
    if isinstance(outcome, Solved):
        return outcome
    raise error_of(outcome)


def _counted(named: NamedPuzzle, options: PuzzleOptions) -> Part:
    """Return the number of solutions, and the cells that are the same in all of them."""
    count = count_solutions(named.puzzle, options.count or 1, options.seconds, options.rules)
    number = count_of(count.number, "solution")
    sentence = number if count.complete else f"at least {number}"
    if count.number < 2:
        return count_object(named.board, count, shared=None), sentence
    try:
        shared = common(named.puzzle, options.seconds, options.rules) or {}
    except TimeIsUpError:
        return count_object(
            named.board, count, shared=None
        ), f"{sentence}; the shared cells were not found in time"
    counted = count_object(named.board, count, shared)
    return counted, f"{sentence}; the same in all of them:\n{_marked(named, shared, '?')}"


def _graded(named: NamedPuzzle, outcome: Solved, options: PuzzleOptions) -> Part:
    """Return the difficulty for a person."""
    if not outcome.unique:
        return {"difficulty": None}, "difficulty: none; only puzzles with exactly one solution have one"
    try:
        result = difficulty(named.puzzle, outcome.solution, options.seconds)
    except TimeIsUpError:
        return {"difficulty": None}, f"difficulty: not found within {options.seconds:g} s"
    steps_taken = [(count, words) for count, words in zip(result.steps, RUNG_WORDS, strict=True) if count]
    counts = [f"{count_of(count, 'step')} {words}" for count, words in steps_taken]
    described = {"difficulty": difficulty_object(result)}
    return described, f"difficulty: {result.grade} ({', '.join(counts)})"


def _hinted(named: NamedPuzzle, outcome: Solved, described: Object, options: PuzzleOptions) -> PuzzleReport:
    """Return the report with a hint instead of the solution."""
    puzzle, board = named.puzzle, named.board
    hint = hint_of(puzzle, outcome.solution, named.letters, options.hint or "", seconds=options.seconds)
    words = words_of(hint, puzzle, board, FlowNames(named.letters))
    if not outcome.unique:
        words.append("Another solution may differ here.")
    drawn = _board(named, puzzle, outcome.solution, options.depth, frozenset(hint.edges))
    described = with_hint(described, hint_object(board, hint, words))
    return PuzzleReport(named.name, described, "\n".join([drawn, *words]), outcome=outcome, hint=hint)


def _repaired(named: NamedPuzzle, options: PuzzleOptions) -> Part:
    """Return the changes of dots that give the puzzle one solution."""
    result = repairs(named.board, named.puzzle, seconds=options.seconds)
    paragraphs = []
    for repair in result.found:
        board = _board(named, repair.puzzle, repair.outcome.solution, options.depth)
        paragraphs.append(f"{repair.text} Then the only solution is:\n{board}")
    if not result.found:
        paragraphs.append(
            "No dot moved by one cell, and no two dots swapped, give a board with exactly one solution."
        )
    if not result.complete:
        paragraphs.append("Time ran out before all of these were tried.")
    return repairs_object(named.board, result), "\n".join(paragraphs)


def _marked(named: NamedPuzzle, flow_of: Mapping[int, int], empty: str) -> str:
    """Draw a board with the letters of flows on these strands, and ``empty`` in other cells."""
    cell_of = named.board.layout.cell_of
    marks = {cell_of[strand]: named.letters[flow] for strand, flow in flow_of.items()}
    return marked_text(named.board, marks, empty)


def watch_search(item: NamedPuzzle | InvalidPuzzle, seconds: float, write: Callable[[str], object]) -> None:
    """Draw the search on a lattice until a solution, its end, or the limit; ``write`` takes ANSI codes."""
    if isinstance(item, InvalidPuzzle) or item.board.lattice is None or faults_in_puzzle(item.puzzle):
        return
    lines, needed = get_terminal_size().lines, item.board.lattice.rows + LINES_BELOW
    if needed > lines:
        write(f"Not drawn: the terminal has {lines} lines, and {needed} are needed.\n")
        return
    deadline = perf_counter() + seconds
    write(HIDE + CLEAR)
    try:
        end = _watch(item, "strict", deadline, write)
        if end == "no solution":
            end = _watch(item, "free", deadline, write)
        write(f"\n{end}")
    finally:
        write(f"{SHOW}\n\n")


def _watch(item: NamedPuzzle, rules: Rules, deadline: float, write: Callable[[str], object]) -> str:
    """Draw a search by backtracking in the terminal, step by step; return how it ended."""
    grown, drawn_at = list[Step](), 0.0
    for number, step in enumerate(steps(item.puzzle, rules), 1):
        if step.kind == "grow":
            grown.append(step)
        elif step.kind == "back":
            grown.pop()
        now = perf_counter()
        if number <= FIRST_STEPS or step.solution or now - drawn_at > FRAME_SECONDS:
            state = f"{count_of(number, 'step')}, {rules} rules\x1b[K"
            write(f"{HOME}{_grown_text(item, grown)}\n\n{state}")
            drawn_at = now
        if step.solution:
            return "solved"
        if now > deadline:
            return "out of time"
        if number <= FIRST_STEPS:
            sleep(FRAME_SECONDS)
    return "no solution"


def _grown_text(item: NamedPuzzle, grown: Sequence[Step]) -> str:
    """Return the board with the pipes that have grown; dots are bold."""
    cell_of = item.board.layout.cell_of
    marks = {}
    for step in grown:
        marks[cell_of[step.strand]] = _coloured(item.letters[step.flow], step.flow)
    for dot, flow in item.puzzle.dots.items():
        marks[cell_of[dot]] = _coloured(item.letters[flow], flow, weight="1;")
    return marked_text(item.board, marks, "·")


def _coloured(letter: str, flow: int, weight: str = "") -> str:
    """Return a letter in an ANSI colour for its flow; ``weight``: such as ``1;`` for bold."""
    colour = flow % 15 + 1  # of the first 16; 0 is black
    return f"\x1b[{weight}38;5;{colour}m{letter}\x1b[0m"
