"""Dots of similar colours, paired by the solution, if the user gave the number of colours.

If the colours are clear, the closest pairing is taken. Otherwise every pairing of similar dots is solved; if
only one of them has exactly one solution in which no path touches itself, it is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from time import perf_counter

from msgspec.structs import replace

from flowvision.doubts import AlikeDots
from flowvision.errors import AmbiguousColoursError, DotsError, FlowvisionError, OddDotsError
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Puzzle
from flowvision.reading.run import ReadingRun
from flowvision.solvers import TimeIsUpError
from flowvision.solvers.reasons import shading_of
from flowvision.solvers.repairs import only_solution
from flowvision.vision.assembly import Interpretation
from flowvision.vision.crossings.crossings import crossings_of
from flowvision.vision.dots.detection import DotHypothesis, Dots, Pairing, dots_of
from flowvision.vision.dots.pairing import Alternatives, alternatives
from flowvision.vision.settings import PAIRING, READING
from flowvision.words import count_of


def counted_dots(hypothesis: DotHypothesis, colours: int) -> Dots:
    """Return the dots of a board if there are two for each of ``colours`` colours.

    Raises ``DotsError`` for a wrong number, ``OddDotsError`` for an odd one.
    """
    dots = dots_of(hypothesis)
    dot_count, needed = len(dots.dots), 2 * colours
    if dot_count == needed:
        return dots
    message = f"Found {count_of(dot_count, 'dot')}; {count_of(colours, 'colour')} would be {needed}."
    kind = OddDotsError if dot_count % 2 else DotsError
    raise kind(message, "Count the colours again.", dots)


def counted_readings(dots: Dots, run: ReadingRun) -> Iterator[Interpretation]:
    """Yield the readings of a board with the right number of dots: plain, then with bridges and warps.

    Raises ``AmbiguousColoursError`` where the dots can be paired in several ways.
    """
    choices = alternatives(dots, READING.pairings_max)
    try:
        with run.step("pairs", source=dots) as step:
            step.result = pairing = _resolved_pairing(dots.geometry.board, choices, run)
    except AmbiguousColoursError as error:
        if error.doubt is not None:
            raise
        pairing = choices.pairings[0]  # no pairing has one solution without bridges and warps
    else:
        yield Interpretation.of(pairing)
    possible_crossings = crossings_of(pairing)
    for crossings in run.each("crossings", possible_crossings, source=pairing):
        if choices.doubtful and not crossings.seen:  # pairs and openings are never guessed together
            continue
        with suppress(FlowvisionError):
            with run.step("pairs", source=crossings) as step:
                step.result = resolved = _resolved_pairing(crossings.board, choices, run)
            with_pairs = replace(crossings, pairing=resolved)
            yield Interpretation.of(resolved, with_pairs)


def _resolved_pairing(board: Board, choices: Alternatives, run: ReadingRun) -> Pairing:
    """Return the pairing of clear colours, or the only one that has one strict solution.

    Raises ``AmbiguousColoursError``, without a doubt if all were tried and none has one.
    """
    if not choices.doubtful:
        return choices.pairings[0]
    cells = [dot.cell for dot in choices.closest.dots.dots]
    shading = shading_of(board.graph)
    deadline = min(run.deadline, perf_counter() + READING.pairings_seconds)

    def is_settled(pairing: Pairing) -> bool:
        """Return whether a pairing has one solution; a count of dark and light cells saves most solving."""
        terminals = tuple((cells[a], cells[b]) for a, b in pairing.pairs)
        puzzle = Puzzle(board.graph, terminals)
        return not shading.fault(puzzle) and only_solution(puzzle, deadline) is not None

    pairings = choices.pairings if choices.complete else ()
    try:
        # Colours as far apart as undamaged ones count, whatever other pairings would do.
        if choices.closest.margin >= PAIRING.letters_below and is_settled(choices.closest):
            return choices.closest
        settled = list(filter(is_settled, pairings))
    except TimeIsUpError:
        raise _error(choices) from None
    if len(settled) == 1:
        return settled[0]
    raise _error(choices, is_final=bool(settled) or not choices.complete)


def _error(choices: Alternatives, is_final: bool = True) -> AmbiguousColoursError:
    """Return the error that dots look alike; ``is_final``: no bridge or warp can tell them apart."""
    pairing = choices.pairings[0]
    doubts = (AlikeDots(pairing.dots.places(choices.doubtful)),) if is_final else ()
    error = AmbiguousColoursError("Some dots look alike.", evidence=pairing, doubts=doubts)
    error.alike = choices.doubtful
    return error
