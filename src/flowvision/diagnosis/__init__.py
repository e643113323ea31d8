"""Why a picture was refused: one cause as data, worked out on demand, and one table of words for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from time import process_time
from typing import TYPE_CHECKING

from flowvision.errors import BoardNotFoundError, DotsError, FlowvisionError, GridNotFoundError
from flowvision.events import Event
from flowvision.reading.options import Options
from flowvision.reading.reading_run import ReadingRun

if TYPE_CHECKING:  # loaded on demand
    from flowvision.diagnosis.cause import Cause
    from flowvision.diagnosis.seen import Seen
    from flowvision.diagnosis.wording import Explanation
    from flowvision.vision.assembly import Reading


KINDS: dict[str, type[FlowvisionError]] = {
    "--grid": GridNotFoundError,
    "--crop": BoardNotFoundError,
    "--colours": DotsError,
}
"""The error for each option that does not fit the picture, whichever stage it is that then fails."""


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """An error, the events before it and the options; diagnosed when its words are read.

    Most who sort pictures never ask, and a diagnosis takes as long as a look at the picture.
    """

    error: FlowvisionError
    events: Sequence[Event]
    options: Options

    @cached_property
    def seen(self) -> Seen:
        """The results on the way to the error, and what a person would look at."""
        from flowvision.diagnosis.seen import seen_of

        return seen_of(self.events, self.error, self.options)

    @cached_property
    def cause(self) -> Cause:
        """Why there is no answer; unknown where the diagnosis itself fails."""
        began = process_time()  # what is imported and measured for it counts as well
        from flowvision.diagnosis.diagnose import diagnose, unknown

        try:
            return diagnose(self.seen, began)
        except Exception:  # reporting an error must not raise another one
            return unknown(self.error)

    @property
    def kind(self) -> type[FlowvisionError] | None:
        """The error that it is where an option does not fit; only then the cause is looked for at once."""
        options = self.options
        is_given = options.grid or options.crop or options.colours is not None
        return KINDS.get(self.cause.option) if is_given else None

    @property
    def reading(self) -> Reading | None:
        """The board that the words are about, where one was read whole."""
        return self.error.reading if self.cause.code == "unknown" else self.seen.reading

    @cached_property
    def explanation(self) -> Explanation:
        """The cause in words."""
        from flowvision.diagnosis.wording import explain

        return explain(self.cause)

    @property
    def message(self) -> str:
        """The sentence that names the cause, and what was measured."""
        return self.explanation.message

    @property
    def hint(self) -> str:
        """The next thing to do."""
        return self.explanation.todo


def diagnosis_of(run: ReadingRun, error: FlowvisionError) -> Diagnosis:
    """The diagnosis of a refusal by the reader."""
    return Diagnosis(error, tuple(run.runner.events), run.options)
