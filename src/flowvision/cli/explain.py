"""What helps whoever waits or wonders: that it is still looking, and the page that says why."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from flowvision.errors import FlowvisionError
from flowvision.files import stem_of

if TYPE_CHECKING:
    from pathlib import Path

    from flowvision.events import Event
    from flowvision.reading.options import Options
    from flowvision.reading.result import CheckedReading

PATIENCE_SECONDS = 1.0
"""After so long a person wonders whether anything happens."""


@contextmanager
def still_looking(shot: str, seconds: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Say on a terminal that it takes longer, where it does."""
    if not sys.stderr.isatty():
        yield
        return
    from threading import Timer

    words = f"{click.format_filename(shot)}: still looking …"
    timer = Timer(seconds, lambda: click.echo(words, err=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def page_folder(debug: str | None, is_opened: bool) -> Path | None:
    """Where the debug pages go: ``debug``, or a passing folder where they are only to be opened."""
    if debug is None and not is_opened:
        return None
    from pathlib import Path
    from tempfile import mkdtemp

    return Path(mkdtemp(prefix="flowvision-") if debug is None else debug)


def write_page(
    folder: Path, events: Sequence[Event], options: Options, final: CheckedReading | FlowvisionError
) -> Path:
    """Write the debug folder; the lines about an error then end with the path of the page."""
    from flowvision.debug.folder import write_story
    from flowvision.debug.story import story_of

    story = story_of(events, options, final)
    page = write_story(folder, story)
    if isinstance(final, FlowvisionError):
        final.add_note(f"  Why: {page}")
    return page


def open_page(page: Path) -> None:
    """Show a page in the browser."""
    import webbrowser

    webbrowser.open(page.resolve().as_uri())


def folder_name(shot: str, shots: Sequence[str]) -> str:
    """The file's name without suffix, numbered where several have the same."""
    stem = stem_of(shot)
    alike = [other for other in shots if stem_of(other) == stem]
    return stem if len(alike) == 1 else f"{stem}-{alike.index(shot) + 1}"
