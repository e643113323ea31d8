"""Readings on their way to be believed: what the solver made of candidates, and how sure each is."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from flowvision.advice import COMMAND, Form
from flowvision.image.pixels import CropBox
from flowvision.puzzle.check import crosses_itself_at
from flowvision.puzzle.layout import Key, Place
from flowvision.puzzle.partly_played import State
from flowvision.reading.cut_off import CutLine
from flowvision.reading.doubt import Doubt, refusing
from flowvision.solvers import GaveUp, Outcome, Solved, Unsolvable, has_one_strict_solution
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.settings import ReadingSettings

AMBIGUOUS_PAIRING = refusing("colours not told apart", "of several ways to pair the dots one is right")
"""Dots that look alike can be paired in several ways: why no other attempt at the board is believed."""
FEW_COLOURS = refusing("few colours", "dots of a board are in pairs, the pieces of other games are not")
"""A whole lattice is full of discs of few colours: why nothing else is tried on the picture."""
FEW_PAIRS = refusing("few pairs", "every level of more than 16 cells has three pairs and more")
"""True of all 10,011 published levels; parts of boards, and boxes of other pictures, often show two."""
ANSWER_UNSURE = refusing("answer unsure", "on damaged pictures no such answer was right")
"""The confidence that is left after the solver's answer is too low."""


class Beyond(Struct, frozen=True):
    """Evidence beyond the border of a lattice.

    ``share``: of the inner lines that cross a border, where it is largest, 0 to 1. ``has_cells``: whether
    there are cells beyond. ``dots``: places, on the board too, that look like dots that were not read.
    ``discs``: the cells of the board with a disc of any size in their middle that was not read as a dot.
    ``squares``: the only two dots that are not round.
    ``reaches_out``: whether lines beside assumed openings reach out, as they do beside true ones.
    ``cut``: the sides at which the picture ends before the border, and how many cells before it. ``lacks``:
    what is perhaps cut off where it ends right at the border of a board that is not square. ``is_searched``:
    whether lines and dots were looked for; else the picture's edges alone tell.
    """

    share: float = 0.0
    has_cells: bool = False
    dots: int = 0
    discs: tuple[Place, ...] = ()
    squares: tuple[Place, ...] = ()
    reaches_out: bool = False
    cut: tuple[tuple[str, float], ...] = ()
    lacks: CutLine | None = None
    is_searched: bool = True


class Candidate(Struct, frozen=True, eq=False):
    """One way to read a board, and what the solver made of it.

    ``repair``: the change that was made to what was seen, in words. ``is_drawn``: the outcome is a solution
    that somebody drew on the board. ``doubt``: of the check that refutes it, whatever its outcome.
    ``beyond``: what goes on beyond its lattice, where that was looked for.
    """

    source: Interpretation
    outcome: Outcome
    repair: str = ""
    is_drawn: bool = False
    doubt: Doubt | None = None
    beyond: Beyond | None = None

    @property
    def reading(self) -> Reading:
        """The reading."""
        return self.source.reading

    @property
    def is_refuted(self) -> bool:
        """Return whether it has no solution, or a check refutes it."""
        return self.doubt is not None or isinstance(self.outcome, Unsolvable)

    @property
    def is_assumed(self) -> bool:
        """Whether openings of the border are assumed: neither a gap in it nor lines beside them are seen."""
        reaches_out, crossings = self.beyond is not None and self.beyond.reaches_out, self.source.crossings
        return crossings is not None and not (crossings.seen or reaches_out)

    @property
    def self_crossings(self) -> list[Key]:
        """The bridges at which a path of its solution crosses itself."""
        board = self.reading.board
        if not isinstance(self.outcome, Solved) or not board.layout.bridges:
            return []
        return [key for path in self.outcome.solution.paths for key in crosses_itself_at(board, path)]


class CheckedReading(Struct, frozen=True, eq=False):
    """A reading that is believed. ``seconds`` per stage; ``confidence`` 0 to 1.

    ``doubts``: those that cast doubt on the board or its solution, then those that only mention something.
    ``beyond``: what goes on beyond it, where that was looked for. ``other_board``: where two boards were
    read, the box of the other one; a crop to it reads that. ``state``: how far the board is played.
    ``drawn``: per flow, the edges that pipes on the board lie on. The outcome of a solved board is the
    solution that is on it.
    """

    name: str
    reading: Reading
    outcome: Solved
    seconds: dict[str, float]
    doubts: tuple[Doubt, ...]
    confidence: float
    beyond: Beyond | None = None
    other_board: CropBox | None = None
    state: State = "empty"
    drawn: tuple[frozenset[int], ...] = ()

    @property
    def doubtful(self) -> bool:
        """Return whether something casts doubt on the board or its solution."""
        return any(doubt.weight for doubt in self.doubts)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The doubts in words, with options of the command."""
        return self.warnings_for(COMMAND)

    def warnings_for(self, form: Form) -> tuple[str, ...]:
        """Return the doubts in words, as Python or the command line takes their advice."""
        if not self.doubts:
            return ()
        from flowvision.reading.wording import explain

        return tuple(explain(doubt, form).message for doubt in self.doubts)

    def __repr__(self) -> str:
        """The reading in a line."""
        unique = {True: "unique", False: "not unique", None: "perhaps unique"}[self.outcome.unique]
        warned = f", {len(self.doubts)} doubts" if self.doubts else ""
        return (
            f"<{type(self).__name__} {self.name!r}: {self.reading.size}, {unique}, "
            f"confidence {self.confidence:g}{warned}>"
        )


def refute_free_rules(outcome: Outcome) -> Outcome:
    """The outcome, where a search for paths that touch themselves was cut short: that refutes a reading."""
    if isinstance(outcome, GaveUp) and outcome.rules == "free":
        return Unsolvable(outcome.seconds, "in every solution a path would touch itself")
    return outcome


def most_credible(
    tried: Sequence[Candidate], least: float, sure: float, settings: ReadingSettings
) -> Candidate | None:
    """The best of the candidates that are not refuted: settled ones, then solvable ones; of equals the first.

    Settled ones of at least the confidence ``least`` come before those that were seen worse. One gives way to
    a solvable one of half as many cells again that was read surely: a part of a board may have one solution
    where the whole has several.
    """
    open_ones = [one for one in tried if not one.is_refuted]
    whole = max(
        (_cells(one) for one in open_ones if _is_strict(one.outcome) and one.reading.confidence >= sure),
        default=0,
    )

    def rank(one: Candidate) -> tuple[bool, ...]:
        part = settings.part * _cells(one) <= whole
        outcome = one.outcome
        is_solved, is_settled = isinstance(outcome, Solved), has_one_strict_solution(outcome)
        is_seen = is_settled and one.reading.confidence_without_walls >= least
        return not part, is_seen, is_settled, _is_strict(outcome), is_solved

    return max(open_ones, key=rank, default=None)


def _cells(one: Candidate) -> int:
    return len(one.reading.board.layout.cells)


def _is_strict(outcome: Outcome) -> bool:
    """Return whether it is solved, and no path touches itself."""
    return isinstance(outcome, Solved) and outcome.rules == "strict"


def confidence_of(candidate: Candidate, settings: ReadingSettings) -> float:
    """0 to 1: the reader's confidence, strengthened by a unique solution or weakened by what casts doubt.

    Of 552 wrong boards that other readers returned, 3 had exactly one solution. A wall too many does not
    make it wrong, nor, on 700 published boards, did one too few; so with one solution walls do not count.
    """
    left = 1 - settings.unexplained * unexplained(candidate.beyond, settings)
    if candidate.beyond is not None and (candidate.beyond.discs or candidate.beyond.squares):
        left *= settings.left_out
    if candidate.beyond is not None and candidate.beyond.cut:
        left *= settings.border_unseen
    if candidate.beyond is not None and candidate.beyond.lacks is not None:
        left *= settings.lacks_line
    return round(left * _confidence_inside(candidate, settings), 3)


def unexplained(beyond: Beyond | None, settings: ReadingSettings) -> float:
    """0 to 1: how much seems to go on beyond a board, of what would refute it.

    One place that looks like a dot is half of what refutes a board, and a button as often as not; more are
    looked at closely, and are no dots of a board that is believed.
    """
    if beyond is None:
        return 0.0
    dots = min(beyond.dots, settings.dots_min - 1) / settings.dots_min
    return max(min(1.0, beyond.share), dots / 2)


def _confidence_inside(candidate: Candidate, settings: ReadingSettings) -> float:
    """The confidence in what was read, whatever lies beyond it."""
    reading = candidate.reading
    if candidate.repair:
        return settings.repaired * reading.confidence
    if candidate.source.resolved:
        return settings.resolved_pairing * reading.confidence
    if has_one_strict_solution(candidate.outcome):
        sure = reading.confidence_without_walls
        if candidate.source.ignored_walls:
            return settings.without_walls * sure
        if candidate.self_crossings:
            return settings.crossing_itself * sure
        return settings.assumed * sure if candidate.is_assumed else 1 - settings.doubt_left * (1 - sure)
    is_drawn = _is_strict(candidate.outcome) or candidate.is_drawn
    return (settings.one_of_several if is_drawn else settings.touching_itself) * reading.confidence
