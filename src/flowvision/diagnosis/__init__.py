"""Causes of refusals: one doubt as data, found on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from time import process_time
from typing import TYPE_CHECKING, Any

from flowvision.errors import BoardNotFoundError, DotsError, FlowvisionError, GridNotFoundError
from flowvision.log import Step
from flowvision.reading.options import Options

if TYPE_CHECKING:  # loaded on demand
    from flowvision.advice import Form
    from flowvision.corrections.draft import Draft
    from flowvision.diagnosis.seen import Seen
    from flowvision.reading.doubt import Doubt
    from flowvision.vision.assembly import Reading


KINDS: dict[str, type[FlowvisionError]] = {
    "grid": GridNotFoundError,
    "crop": BoardNotFoundError,
    "colours": DotsError,
}
"""Error for each option that does not fit the picture, whichever stage then fails."""


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """Cause of a refusal. Lazy: diagnosing costs as much as reading.

    ``error``: as its stage raised it. ``steps``: all steps of the run. Pickling keeps cause and reading only.
    """

    error: FlowvisionError
    steps: Sequence[Step]
    options: Options

    @cached_property
    def seen(self) -> Seen:
        """The results on the way to the error."""
        from flowvision.diagnosis.seen import seen_of

        return seen_of(self.steps, self.error, self.options)

    @cached_property
    def cause(self) -> Doubt:
        """The heaviest doubt; unknown if the diagnosis itself fails."""
        began = process_time()  # imports and measurements count as well
        from flowvision.diagnosis.causes import heaviest_doubt, unknown

        try:
            return heaviest_doubt(self.seen, began)
        except Exception:  # reporting an error must not raise another one
            return unknown(self.error)

    @property
    def kind(self) -> type[FlowvisionError] | None:
        """Class of the error if an option does not fit; only then is the cause found at once."""
        options = self.options
        is_given = options.grid or options.crop or options.colours is not None
        return KINDS.get(self.cause.option) if is_given else None

    @cached_property
    def reading(self) -> Reading | None:
        """The board that the words are about, if one was read whole."""
        return self.error.reading if self.cause.code == "unknown" else self.seen.reading

    def words(self, form: Form) -> tuple[str, str]:
        """Return the sentence that names the cause, and the next thing to do."""
        from flowvision.reading.wording import explain

        words = explain(self.cause, form)
        return words.message, words.todo

    def __getstate__(self) -> dict[str, Any]:
        reading = self.reading if getattr(self.reading, "is_without_picture", False) else None
        return {"cause": self.cause, "reading": reading, "steps": ()}


def draft_of_error(error: FlowvisionError) -> Draft | None:
    """Return an editable draft of the refused board, or ``None`` without cells."""
    draft: Draft | None = error.details.get("draft")
    return error.diagnosis.seen.draft if draft is None and error.diagnosis else draft
