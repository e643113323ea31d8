"""Looking over the pipeline's shoulder: a picture of every stage, and a page that tells the story."""

from __future__ import annotations

from flowvision.debug.folder import write_debug_folder
from flowvision.debug.page import DebugPage, page_of
from flowvision.debug.story import Final, story_of
from flowvision.events import Recorder
from flowvision.pipeline import Answer
from flowvision.reading.options import Options

__all__ = ["DebugPage", "debug_page", "write_debug_folder"]


def debug_page(answer_or_error: Final, options: Options | None = None) -> DebugPage:
    """The page of a checked reading or an error; ``flowvision.debug_page`` says more."""
    checked = answer_or_error.checked if isinstance(answer_or_error, Answer) else answer_or_error
    recorder = checked.recorder
    if not isinstance(recorder, Recorder):
        raise ValueError(
            "Nothing was recorded: solve_image(…, observer=Recorder()) keeps what the page shows."
        )
    return page_of(story_of(recorder.events, options or Options(), answer_or_error))
