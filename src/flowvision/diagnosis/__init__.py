"""Diagnosis of a refused picture: its cause, found on demand, and the evidence for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from time import process_time
from typing import TYPE_CHECKING

from flowvision.doubts import Doubt
from flowvision.errors import (
    AmbiguousColoursError,
    BoardNotFoundError,
    DotsError,
    DoubtfulReadingError,
    FlowvisionError,
    GridNotFoundError,
    OddDotsError,
    UnsolvableError,
)
from flowvision.image.picture import Screenshot
from flowvision.log import Step
from flowvision.puzzle.layout import Key
from flowvision.reading.corrected import Refused
from flowvision.reading.options import Options
from flowvision.reading.run import Believed, Candidate, ReadingRun
from flowvision.solvers import Unsolvable
from flowvision.vision.dots.detection import Dots, Pairing
from flowvision.vision.kinds.fit import BoardGeometry, Fit

if TYPE_CHECKING:  # loaded on demand
    from flowvision.corrections import Draft
    from flowvision.diagnosis.evidence import ColourGroup
    from flowvision.words import Form

KINDS: dict[str, type[FlowvisionError]] = {
    "grid": GridNotFoundError,
    **dict.fromkeys(("crop", "no-board", "unclear", "other-game"), BoardNotFoundError),
    **dict.fromkeys(("colours", "no-dots", "other-cells"), DotsError),
    "lone-dots": OddDotsError,
    **dict.fromkeys(("many-dots", "alike-dots", "tinted"), AmbiguousColoursError),
    "title": DoubtfulReadingError,
    "no-solution": UnsolvableError,
}
"""Error for each option that does not fit the picture, and for each cause, whichever stage fails."""


@dataclass(frozen=True, eq=False)
class Diagnosis(Refused):
    """Cause of a refusal. Lazy: trying advice costs as much as reading.

    Pickling keeps cause and reading only. ``read``: reads a picture, to try advice; ``seconds_left``: of the
    time limit for that.
    """

    options: Options
    read: Callable[[ReadingRun], Believed]
    seconds_left: float = inf

    @cached_property
    def measured(self) -> Doubt:
        """The heaviest doubt, before its advice is tried; unknown if the diagnosis itself fails."""
        from flowvision.diagnosis.causes import heaviest_doubt, unknown

        try:
            return heaviest_doubt(self)
        except Exception:  # reporting an error must not raise another one
            return unknown(self.final)

    @cached_property
    def cause(self) -> Doubt:
        """The heaviest doubt, with advice that was tried."""
        began = process_time()
        from flowvision.diagnosis.causes import tried, unknown

        try:
            return tried(self, self.measured, began)
        except Exception:
            return unknown(self.final)

    @property
    def kind(self) -> type[FlowvisionError] | None:
        """Class of the error that says the same as the cause; advice is tried at once for given options."""
        doubt = self.cause if self.options.given else self.measured
        kind = KINDS.get(doubt.option or doubt.code)
        # A region that may be a board was found, but no grid in it: the class stays ``GridNotFoundError``,
        # unless a wrong option, such as a crop beside the board, is to blame.
        is_region_without_grid = isinstance(self.final, GridNotFoundError) and not doubt.option
        return None if is_region_without_grid and kind is BoardNotFoundError else kind

    def words(self, form: Form) -> tuple[str, str]:
        """Return the sentence that names the cause, and the next thing to do."""
        words = self.cause.words(form)
        return words.message, words.todo

    def __getstate__(self) -> dict[str, object]:
        return {"cause": self.cause, "reading": self.reading, "steps": ()}

    @cached_property
    def shot(self) -> Screenshot:
        """The picture that was decoded."""
        shot = picture_in(self.steps)
        if shot is None:
            raise LookupError("There is no picture.")
        return shot

    @property
    def fit(self) -> Fit | None:
        """The fit that explains the region."""
        return self.find(Fit)

    @property
    def lattice(self) -> Fit | None:
        """The fit, if it has rows and columns of squares."""
        return self.fit if self.fit is not None and self.fit.size is not None else None

    @property
    def geometry(self) -> BoardGeometry:
        """The board cut out; requires cells."""
        geometry = self.find(BoardGeometry)
        assert geometry is not None
        return geometry

    @property
    def dots(self) -> Dots | None:
        """The dots that were seen."""
        return self.find(Dots)

    @property
    def count(self) -> int:
        """The number of dots."""
        return len(self.dots.dots) if self.dots else 0

    @property
    def pairing(self) -> Pairing | None:
        """The pairs of dots."""
        pairing = self.find(Pairing) or self.error.evidence
        return pairing if isinstance(pairing, Pairing) else None

    @cached_property
    def titled_size(self) -> tuple[int, int] | None:
        """The rows and columns that the text above the board names."""
        from flowvision.diagnosis.evidence import size_of_title

        return size_of_title(self)

    @property
    def is_refuted(self) -> bool:
        """Return true if the reading has no solution."""
        candidate = self.find(Candidate)
        return candidate is not None and isinstance(candidate.outcome, Unsolvable)

    @cached_property
    def groups(self) -> tuple[ColourGroup, ...]:
        """The dots by colour."""
        from flowvision.diagnosis.evidence import colour_groups

        return colour_groups(self.dots) if self.dots is not None else ()

    def places_of(self, dots: Iterable[int]) -> tuple[Key, ...]:
        """Return the names of the cells of dots."""
        return self.dots.places(dots) if self.dots else ()

    def letter_at(self, place: Key) -> str:
        """Return the letter of a dot's colour, as used in corrections."""
        assert self.draft is not None
        return self.draft.marks[place]


def picture_in(steps: Sequence[Step]) -> Screenshot | None:
    """Return the picture that was decoded."""
    return next((step.result for step in steps if isinstance(step.result, Screenshot)), None)


def draft_of_error(error: FlowvisionError) -> Draft | None:
    """Return an editable draft of the refused board, or ``None`` without cells."""
    return error.diagnosis.draft if error.draft is None and error.diagnosis else error.draft
