"""Print beside the files that are the job: a name of a file is plain text, a lost stream stops no work."""

from __future__ import annotations

import os
import sys
from errno import EPIPE
from io import StringIO
from typing import Any

import click

from flowvision.errors import ExitCode, FlowvisionError, OutputError
from flowvision.words import COMMAND, printable

lost: dict[str, OSError] = {}
"""Streams that could not be written to in this run, with the error."""


def tell(text: str = "", err: bool = False, **style: Any) -> None:
    """Print text; once its stream cannot be written to, that text is dropped, and the run continues.

    ``style``: of ``click.echo``.
    """
    stream = "standard error" if err else "standard output"
    if stream in lost:
        return
    try:
        click.echo(text, err=err, **style)
    except OSError as error:
        lost[stream] = error


def code_with_lost_text(code: int) -> int:
    """Return the exit code of a run, another one if text was lost; print which stream is full."""
    if not lost or code == ExitCode.INTERRUPTED:
        return code
    for stream, error in list(lost.items()):  # a copy: showing an error may lose another stream
        if error.errno != EPIPE:  # a reader that has enough needs no words
            words = f"Cannot write {stream}: {error.strerror}."
            show_error(OutputError(words, "The files are written; not all of the text is."))
    return ExitCode.OUTPUT_NOT_WRITTEN


def plain(name: str | os.PathLike[str]) -> str:
    """Return a file's name in characters that do not control a terminal."""
    return printable(os.fspath(name))


def show_error(error: FlowvisionError, file: str | None = None) -> None:
    """Print an error on stderr with the name of the file, and its hint on a second line."""
    message, hint = error.words(COMMAND)
    prefix = f"{file}: " if file and file not in message else ""
    tell(printable(f"{prefix}{message}"), err=True)
    if hint:
        tell(f"  {printable(hint)}", err=True)


def show_usage(error: click.ClickException) -> None:
    """Print wrong usage on stderr."""
    text = StringIO()
    error.show(text)
    for line in text.getvalue().rstrip("\n").split("\n"):
        tell(printable(line), err=True)


def end_line() -> None:
    """Begin a new line after the ``^C`` that a terminal shows."""
    if sys.stderr.isatty():
        tell(err=True)


def show_notes(error: BaseException) -> None:
    """Print the notes that were added to an exception (``add_note``) on stderr."""
    for note in getattr(error, "__notes__", ()):
        tell(note, err=True)
