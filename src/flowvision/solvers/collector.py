"""The garbage collector, paused while a puzzle is solved."""

from __future__ import annotations

import gc
from typing import Self


class CollectorPaused:
    """Within, no garbage is collected; the last thing done on leaving is to let it be collected again.

    Clauses are thousands of new tuples, none in a cycle. They would set off the collector again and again,
    and one full collection takes ten times as long as the puzzle.
    """

    def __enter__(self) -> Self:
        self._was_on = gc.isenabled()
        gc.disable()
        return self

    def __exit__(self, *error: object) -> None:
        if self._was_on:
            gc.enable()
