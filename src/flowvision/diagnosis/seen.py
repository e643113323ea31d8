"""All that is known of a refusal: the results that led to it, and those that a person would look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from flowvision.corrections.draft import Draft, draft_of_dots
from flowvision.diagnosis.attempts import (
    Attempt,
    Region,
    appeal_of,
    attempts_of,
    choice_of,
    grid_option,
    leaves_out_dots,
    regions_of,
)
from flowvision.diagnosis.cells import (
    CellDiscs,
    ColourGroup,
    Covered,
    cell_discs,
    colour_groups,
    covered_cells,
)
from flowvision.diagnosis.surface import PictureKind, kind_of
from flowvision.errors import FlowvisionError
from flowvision.events import STAGES, Event, StageDone, StageFailed, Trail
from flowvision.image.picture import Screenshot
from flowvision.image.pixels import pixels_at
from flowvision.puzzle.layout import Key
from flowvision.reading.options import Options
from flowvision.reading.result import Candidate
from flowvision.reading.run import Run
from flowvision.solvers import GaveUp, Outcome, Solved, Unsolvable
from flowvision.vision.board import BoardRegion
from flowvision.vision.dots.detection import Dots, Pairing
from flowvision.vision.kinds.fit import BoardGeometry, DotModel, Fit
from flowvision.vision.pixels.view import Floats, lab_of
from flowvision.vision.reading import Interpretation, Reading
from flowvision.vision.settings import Settings

CLEARER = 1.25
"""A reading that a person would choose appeals so many times as much as the one that the error is about."""
SOME = 4
"""Cells or dots: fewer say nothing of a board."""


@dataclass(frozen=True, eq=False)
class Seen:
    """The results on the way to a refusal.

    ``final``: what was raised in the end, about ``final_fit``. ``choice``: the reading that a person would
    choose, where that is clearly another one; ``error``: why that one went no further, and ``trail``: the
    results it has. Without a choice these are those of ``final``.
    """

    shot: Screenshot
    trail: Trail
    error: FlowvisionError
    final: FlowvisionError
    options: Options
    final_fit: Fit | None = None
    regions: list[Region] = field(default_factory=list)
    choice: Attempt | None = None

    @property
    def settings(self) -> Settings:
        """The thresholds of the reader."""
        return self.options.settings

    @property
    def region(self) -> BoardRegion | None:
        """Where the board was looked for."""
        return self.trail.region

    @property
    def fit(self) -> Fit | None:
        """The fit that explains the region."""
        return self.trail.fit

    @property
    def lattice(self) -> Fit | None:
        """The fit, where it has rows and columns of squares."""
        fit = self.trail.fit
        return fit if fit is not None and fit.size is not None else None

    @property
    def is_given(self) -> bool:
        """Whether the lattice was laid by the rows and columns given, seen or not."""
        return self.trail.strategy in ("even lattice", "lattice at an angle")

    @property
    def geometry(self) -> BoardGeometry:
        """The board cut out, where it is known that cells were found."""
        assert self.trail.geometry is not None
        return self.trail.geometry

    @property
    def model(self) -> DotModel | None:
        """The look of the dots that were looked for."""
        return self.trail.model

    @property
    def dots(self) -> Dots | None:
        """The dots, where cells were found."""
        return self.trail.dots if self.trail.geometry is not None else None

    @property
    def pairing(self) -> Pairing | None:
        """The pairs of dots."""
        pairing = self.trail.pairing or self.error.evidence
        return pairing if isinstance(pairing, Pairing) else None

    @property
    def reading(self) -> Reading | None:
        """The board that was read."""
        return self.trail.reading

    @property
    def outcome(self) -> Outcome | None:
        """The solver's outcome for it."""
        return self.trail.outcome

    @property
    def is_refuted(self) -> bool:
        """Whether what was read has no solution."""
        return isinstance(self.trail.outcome, Unsolvable)

    @cached_property
    def discs(self) -> CellDiscs:
        """The discs in the middles of the cells. Only where cells were found."""
        return cell_discs(self.geometry, self.settings.dots)

    @cached_property
    def groups(self) -> tuple[ColourGroup, ...]:
        """The dots by colour."""
        return colour_groups(self.dots) if self.dots is not None else ()

    @cached_property
    def covered(self) -> Covered:
        """The cells that something lies over."""
        if self.dots is None:
            return Covered()
        return covered_cells(self.geometry, self.dots, self.settings)

    @cached_property
    def kind(self) -> PictureKind:
        """How sharp the picture is, and what it looks like."""
        return kind_of(self.shot.bgr)

    @cached_property
    def ground(self) -> Floats:
        """(3,): the usual colour in the corners of the cells, in Lab. Only where cells were found."""
        cells = self.geometry.board.layout.cells
        corners = [np.array(cell.outline) * 0.85 + np.array(cell.centre) * 0.15 for cell in cells]
        pixels, _ = pixels_at(self.shot.bgr, self.geometry.fit.frame.to_px(np.concatenate(corners)))
        return np.asarray(np.median(lab_of(pixels[None]), axis=1)[0])

    @cached_property
    def draft(self) -> Draft:
        """The board with its dots lettered, as ``--set`` calls them. Only where cells were found."""
        return draft_of_dots(self.geometry, self.dots)

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the picture."""
        height, width = self.shot.bgr.shape[:2]
        return width, height

    @property
    def attempts(self) -> list[Attempt]:
        """All that was fitted."""
        return attempts_of(self.regions)

    def place(self, cell: int) -> Key:
        """The name of a cell."""
        return self.geometry.board.key_of(cell)

    def place_of_dot(self, dot: int) -> Key:
        """The name of a dot's cell."""
        assert self.dots is not None
        return self.place(self.dots.dots[dot].cell)

    def letter_of(self, dot: int) -> str:
        """The letter that ``--set`` calls the colour of a dot by."""
        return list(self.draft.seen.values())[dot].letter

    def middles_px(self, cells: Sequence[int]) -> Floats:
        """(N, 2): the middles of cells in the picture."""
        layout = self.geometry.board.layout
        return self.geometry.fit.frame.to_px([layout.cells[n].centre for n in cells])

    @property
    def outlines_px(self) -> list[Floats]:
        """The corners (N, 2) of every cell in the picture. Only where cells were found."""
        to_px = self.geometry.fit.frame.to_px
        return [to_px(cell.outline) for cell in self.geometry.board.layout.cells]

    @property
    def cell_width_px(self) -> float:
        """The width of a cell in the picture."""
        return self.geometry.fit.frame.cell_width_px(self.geometry.board.layout.cells[0].centre)


def seen_of(
    events: Sequence[Event], final: FlowvisionError, options: Options, shot: Screenshot | None = None
) -> Seen:
    """All that is known of a failure. Raises ``LookupError`` where no picture was decoded, nor is given."""
    shot = shot or picture_in(events)
    if shot is None:
        raise LookupError("There is no picture.")
    regions = regions_of(events, options)
    trail = trail_of_error(events, final)
    final_fit, error = trail.fit, final
    choice = _clearer_choice(regions, trail)
    if choice is not None:
        error, trail = _reached(events, choice, final)
    if isinstance(error.evidence, Dots | Pairing):  # what the stage that failed had
        trail = Trail(error.evidence)
    trail = trail if trail.result is not None else Trail(shot)
    return Seen(shot, trail, error, final, options, final_fit, regions, choice)


def error_meant(run: Run, error: FlowvisionError) -> FlowvisionError:
    """The error of the board that a person would choose, where ``error`` was raised in the end."""
    return seen_of(tuple(run.runner.events), error, run.options, run.shot).error


def trail_of_error(events: Sequence[Event], error: FlowvisionError) -> Trail:
    """The results that lead to an error."""
    failed = [event for event in events if isinstance(event, StageFailed) and event.error is error]
    return _with_outcome(events, failed[-1].trail) if failed else Trail()


def near_misses(dots: Dots, settings: Settings) -> list[int]:
    """The cells that stand out as a dot does but do not fill the ring."""
    evidence = dots.evidence
    near = (evidence.contrast >= settings.dots.contrast) & (evidence.cover >= NEARLY)
    return sorted(set(np.flatnonzero(near).tolist()) - {dot.cell for dot in dots.dots})


NEARLY = 0.4
"""Share of the ring that has one colour in a cell that stands out and comes near to holding a dot."""


def _with_outcome(events: Sequence[Event], trail: Trail) -> Trail:
    """The trail with what the solver made of its reading."""
    if trail.reading is None:
        return trail
    for event in events:
        if isinstance(event, StageDone) and event.stage == "solve" and event.trail.reading is trail.reading:
            return solved_trail(event)
    return trail


def solved_trail(event: StageDone) -> Trail:
    """The trail of an outcome."""
    interpretation, outcome = event.before, event.result
    if isinstance(interpretation, Interpretation) and isinstance(outcome, Solved | Unsolvable | GaveUp):
        return Trail(Candidate(interpretation, outcome))
    return event.trail


def picture_in(events: Sequence[Event]) -> Screenshot | None:
    """The picture that was decoded."""
    done = (event.result for event in events if isinstance(event, StageDone))
    return next((result for result in done if isinstance(result, Screenshot)), None)


def _clearer_choice(regions: Sequence[Region], trail: Trail) -> Attempt | None:
    """The attempt that a person would choose, where that is clearly another than the error is about."""
    attempts = attempts_of(regions)
    choice = choice_of(attempts)
    if choice is None or choice.fit is trail.fit or leaves_out_dots(choice, attempts):
        return None
    own = next((one for one in attempts if one.fit is trail.fit), None)
    if own is None:
        return choice
    is_same = grid_option(own.fit) and grid_option(own.fit) == grid_option(choice.fit)
    return None if is_same or appeal_of(choice) < CLEARER * appeal_of(own) else choice


def _reached(
    events: Sequence[Event], choice: Attempt, final: FlowvisionError
) -> tuple[FlowvisionError, Trail]:
    """The error that a reading ended with, and the results it had."""
    failed = [event for event in events if isinstance(event, StageFailed) and event.trail.fit is choice.fit]
    if not failed:
        return final, choice.trail
    furthest = max(failed, key=lambda event: STAGES.index(event.stage))
    return furthest.error, _with_outcome(events, furthest.trail)
