"""Hints: the easiest next step and its reason, all forced steps, or whole flows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from itertools import chain, takewhile, zip_longest

from msgspec import Struct

from flowvision.colours import letter_named
from flowvision.errors import GaveUpError, PuzzleInvalidError
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle, Solution
from flowvision.solvers import SECONDS, TimeIsUpError
from flowvision.solvers.deductions import Deduction, Fault, Rung, deductions
from flowvision.words import COMMAND, Form, listed, quoted, whole_number

HEADLINES = {
    "forced": "These steps are forced.",
    "search": "No rule finds the next step; this one takes trial and error.",
    "flow-drawn": "This flow is drawn already.",
    "all-drawn": "Nothing left to draw.",
}
"""First sentence of a hint by its code; a single step begins with its reason."""
LISTED = 12
"""Largest number of reasons in words."""


class Hint(Struct, frozen=True):
    """Edges of the solution with their flows, and the deductions that lead to them.

    ``code``: the rung of a single step, such as ``way-out``, a key of ``HEADLINES``, or ``several-flows``, to
    be drawn in the order given. ``starts``: per edge, the strand that its pipe comes from.
    """

    code: str
    edges: tuple[int, ...] = ()
    flows: tuple[int, ...] = ()
    starts: tuple[int, ...] = ()
    reasons: tuple[Deduction, ...] = ()


class FlowNames(Struct, frozen=True):
    """Names of the flows: their letters, and their colours where these are known."""

    letters: Sequence[str]
    colours: Sequence[str] = ()

    def of(self, flow: int, thing: str = "") -> str:
        """Name a flow, or its ``thing``, such as ``the pink dot K``."""
        colour = self.colours[flow] if flow < len(self.colours) else ""
        letter = self.letters[flow] if self.letters[flow] != "?" else ""
        return " ".join(word for word in ("the", colour, thing or "flow", letter) if word)


def hint_of(
    puzzle: Puzzle,
    solution: Solution,
    letters: Sequence[str],
    kind: str,
    drawn: Collection[int] = (),
    seconds: float = SECONDS,
    colours: Sequence[str] = (),
) -> Hint:
    """Return a hint: ``next``, ``forced``, ``flow``, a flow's letter or colour, or a number of flows.

    ``drawn``: edges that are drawn already. ``colours``: of the flows; by default those of their letters.
    Raises ``PuzzleInvalidError`` for another kind, ``GaveUpError`` after the limit.
    """
    word = kind.lower()
    try:
        if word in ("next", "forced"):
            return _next_steps(puzzle, solution, drawn, seconds, all_forced=word == "forced")
        flow = _flow_named(kind, letters, colours)
        if flow is not None:
            return flow_hint(solution, flow, drawn)
        count = 1 if word == "flow" else whole_number(kind)
        if count:
            return easiest_flows(puzzle, solution, count, drawn, seconds)
    except TimeIsUpError:
        raise GaveUpError(f"No hint within {seconds:g} s.") from None
    names = zip_longest(letters, colours)
    flows = [f"{letter} ({colour})" if colour else letter for letter, colour in names]
    others = "`next`, `forced`, `flow`, or a number of flows"
    hint = f"The board's flows are {listed(flows, between=', ')}; other hints: {others}."
    raise PuzzleInvalidError(f"There is no flow {quoted(kind)}.", hint)


def _flow_named(name: str, letters: Sequence[str], colours: Sequence[str]) -> int | None:
    """Return the flow of this letter, in either case, or of this colour; ``None`` without one.

    ``colours``: of the flows; without them a colour means its letter in the game.
    """
    # What was typed, and the names of the flows among which it is searched.
    by_colour = (name.lower(), colours) if colours else (letter_named(name) or "", letters)
    for typed, names in ((name, letters), (name.upper(), letters), by_colour):
        if typed not in ("", "?") and typed in names:
            return list(names).index(typed)
    return None


def _next_steps(
    puzzle: Puzzle, solution: Solution, drawn: Collection[int], seconds: float, all_forced: bool
) -> Hint:
    """Return the hint about the next step, or about all that are forced."""
    steps = deductions(puzzle, solution, drawn, seconds)
    first = next(steps, None)
    if first is None:
        return Hint("all-drawn")
    chosen, code = [first], first.rung.code
    if all_forced and first.rung <= Rung.WAY_THROUGH:
        chosen += takewhile(lambda step: step.rung <= Rung.WAY_THROUGH, steps)
        code = "forced"
    flow_of, edges = solution.flow_of, tuple(edge for step in chosen for edge in step.edges)
    starts = tuple(chain.from_iterable(_starts(puzzle, step) for step in chosen))
    flows = tuple(flow_of[start] for start in starts)
    return Hint(code, edges, flows, starts, tuple(chosen))


def _starts(puzzle: Puzzle, step: Deduction) -> tuple[int, ...]:
    """Return, per edge, the strand that its pipe comes from: the end of a pipe, or the way into a cell."""
    graph, edge, strand = puzzle.graph, step.edges[0], step.strand
    if strand is None:
        return (graph.edges[edge][0],)
    return (graph.other_end(edge, strand), strand) if len(step.edges) == 2 else (strand,)


def flow_hint(solution: Solution, flow: int, drawn: Collection[int] = ()) -> Hint:
    """Return the rest of one flow."""
    path = solution.paths[flow]
    missing = [
        (edge, start) for edge, start in zip(path.edges, path.vertices, strict=False) if edge not in drawn
    ]
    if not missing:
        return Hint("flow-drawn")
    edges, starts = zip(*missing, strict=True)
    return Hint("whole-flow", edges, (flow,) * len(edges), starts)


def easiest_flows(
    puzzle: Puzzle, solution: Solution, count: int, drawn: Collection[int] = (), seconds: float = SECONDS
) -> Hint:
    """Return the next flows that are not drawn yet, in the order in which a person would finish them."""
    order = play_order(puzzle, solution, drawn, seconds)
    hints = [flow_hint(solution, flow, drawn) for flow in order]
    chosen = [hint for hint in hints if hint.edges][:count]
    if not chosen:
        return Hint("all-drawn")
    steps = chain.from_iterable(zip(hint.edges, hint.flows, hint.starts, strict=True) for hint in chosen)
    return Hint("several-flows", *zip(*steps, strict=True))


def play_order(
    puzzle: Puzzle, solution: Solution, drawn: Collection[int] = (), seconds: float = SECONDS
) -> tuple[int, ...]:
    """Return all flows in the order in which deductions finish them.

    Flows finished by the same deduction are sorted by length, unfinished ones by missing edges.
    """
    found_by = dict.fromkeys(drawn, 0)
    with suppress(TimeIsUpError):
        for number, step in enumerate(deductions(puzzle, solution, drawn, seconds), 1):
            found_by |= dict.fromkeys(step.edges, number)

    def rank(flow: int) -> tuple[int, int, int]:
        """Order flows: those found first, then those with few edges missing, then short ones."""
        edges = solution.paths[flow].edges
        missing = sum(edge not in found_by for edge in edges)
        after_all = len(puzzle.graph.edges)
        finished_by = after_all if missing else max(found_by[edge] for edge in edges)
        return finished_by, missing, len(edges)

    return tuple(sorted(range(len(solution.paths)), key=rank))


def words_of(
    hint: Hint, puzzle: Puzzle, board: Board, names: FlowNames, short_form: Form | None = None
) -> list[str]:
    """Return a hint in sentences: a headline, then the reason for every step.

    ``short_form``: how to write cells for a board that shows the step; its own cells become directions.
    """
    headline = [HEADLINES[hint.code]] if hint.code in HEADLINES else []
    flows = [names.of(flow) for flow in dict.fromkeys(hint.flows)]
    if hint.code == "whole-flow":
        headline = [f"{_capital(flows[0])}, from dot to dot."]
    elif hint.code == "several-flows":
        subject = "The easiest flows, in order" if len(flows) > 1 else "The easiest flow"
        headline = [f"{subject}: {listed(flows, between=', ')}."]
    wording = _Wording(hint, puzzle, board, names, short_form)
    reasons = [wording.sentence(step) for step in hint.reasons]
    hidden = len(reasons) - LISTED
    if hidden > 1:
        reasons[LISTED:] = [f"And {hidden} more."]
    return headline + reasons


def strands_named(hint: Hint, puzzle: Puzzle) -> set[int]:
    """Return the strands that the words of a hint mention."""
    strands: set[int] = set()
    for step in hint.reasons:
        edges = [*step.edges, *(edge for edge, _ in step.refuted)]
        strands.update(*(puzzle.graph.edges[edge] for edge in edges))
        strands.update(fault.strand for _, fault in step.refuted)
    return strands


class _Wording:
    """Sentences about the deductions of one hint."""

    def __init__(
        self, hint: Hint, puzzle: Puzzle, board: Board, names: FlowNames, short_form: Form | None
    ) -> None:
        self.board, self.names, self.puzzle = board, names, puzzle
        self.is_short, self.form = short_form is not None, short_form or COMMAND
        self.flow_at = dict(zip(hint.edges, hint.flows, strict=True))
        self.dots = puzzle.dots

    def sentence(self, step: Deduction) -> str:
        """Return the reason for a step: the only way at its strand, and what is wrong with the others.

        A step that takes trial and error has no strand: the sentence says where its flow goes.
        """
        strand = step.strand
        if strand is None:
            (edge,) = step.edges
            a, b = self.puzzle.graph.edges[edge]
            flow = self.names.of(self.flow_at[edge])
            return f"{_capital(flow)} goes between {self.place(a)} and {self.place(b)}."
        sentence = f"{self.subject(step, strand)} {self.targets(step.edges, strand)}."
        if not step.refuted:
            return sentence
        ahead = "a few steps after one" if step.rung == Rung.FURTHER_AHEAD else "after a step"
        refutations = []
        for edge, fault in step.refuted:
            to = "" if self.is_short else "to "
            refutations.append(f"{ahead} {to}{self.targets((edge,), strand)}, {self.fault(fault)}")
        return f"{sentence} {_capital('; '.join(refutations))}."

    def subject(self, step: Deduction, strand: int) -> str:
        """Return what continues at a strand, and the verb, up to the first target."""
        # A short sentence gives directions without places.
        where = "" if self.is_short else f" in {self.place(strand)}"
        if strand in self.dots:
            dot = self.names.of(self.dots[strand], "dot")
            return f"{_capital(dot)}{where} has one way out:{' to' if where else ''}"
        if len(step.edges) == 2:  # nothing is drawn here yet
            return (
                f"A pipe through {self.place(strand)} has one way: from" if where else "A pipe has one way:"
            )
        # A pipe ends here; at a way through it is joined to no dot yet, so its flow is unknown.
        pipe = "the pipe"
        if step.rung != Rung.WAY_THROUGH:
            pipe = self.names.of(self.flow_at[step.edges[0]], "pipe")
        return f"{_capital(pipe)}{where} can only continue{' to' if where else ':'}"

    def targets(self, edges: Iterable[int], strand: int) -> str:
        """Return the places beyond edges at a strand, or the directions there."""
        if self.is_short:
            return " and ".join(self.board.direction_of(edge, strand) for edge in edges)
        ways = [self.puzzle.graph.other_end(edge, strand) for edge in edges]
        return " to ".join(map(self.place, ways))

    def fault(self, fault: Fault) -> str:
        """Return what would be wrong after a step."""
        place, is_dot = self.place(fault.strand), fault.strand in self.dots
        if fault.kind == "cut-off":
            flow = self.names.of(self.dots[fault.strand]) if is_dot else f"the pipe in {place}"
            return f"{flow} could no longer be joined"
        if fault.kind == "beside-itself":
            return f"a pipe would touch itself in {place}"
        if fault.kind == "stranded":
            return f"no flow could cover {place}"
        if is_dot:
            return f"{self.names.of(self.dots[fault.strand], 'dot')} in {place} would have no way out"
        return f"{place} would be a dead end"

    def place(self, strand: int) -> str:
        """Return the place of a strand, in words."""
        layout, place = self.board.layout, self.form.place(self.board.key_of(strand))
        return f"the bridge in {place}" if layout.cell_of[strand] in layout.bridges else place


def _capital(words: str) -> str:
    """Return the words with a capital first letter."""
    return words[:1].upper() + words[1:]
