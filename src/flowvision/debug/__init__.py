"""Looking over the pipeline's shoulder: a picture of every stage, and a page that tells the story."""

from __future__ import annotations

from flowvision.debug.folder import write_debug_folder
from flowvision.debug.page import DebugPage, page_of
from flowvision.debug.story import story_of
from flowvision.errors import FlowvisionError
from flowvision.events import Recorder
from flowvision.reading.options import Options
from flowvision.reading.result import CheckedReading

__all__ = ["DebugPage", "debug_page", "write_debug_folder"]


def debug_page(
    answer_or_error: CheckedReading | FlowvisionError, options: Options | None = None
) -> DebugPage:
    """The page that says how a picture was read, or why it was refused; a notebook shows it.

    For example::

        try:
            final = solve_image("shot.png", observer=Recorder())
        except FlowvisionError as error:
            final = error
        debug_page(final)

    ``options``: those the picture was read with. Nothing is written to disk; the page is text, one HTML file
    with everything in it. Raises ``ValueError`` where no ``Recorder`` was the observer.
    """
    recorder = answer_or_error.recorder
    if not isinstance(recorder, Recorder):
        raise ValueError(
            "Nothing was recorded: solve_image(…, observer=Recorder()) keeps what the page shows."
        )
    return page_of(story_of(recorder.events, options or Options(), answer_or_error))
