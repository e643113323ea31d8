"""The files that are named on the command line: which of them are screenshots to look at."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from flowvision.errors import ImageUnreadableError
from flowvision.files import STANDARD, refuse_url
from flowvision.image.mark import is_marked


def screenshots_among(files: Sequence[str]) -> list[str]:
    """The files without the solutions that Flowvision wrote, unless nothing else is named.

    So that ``flowvision *.png`` can be given twice in one folder. What is passed over is said on stderr.
    """
    solutions = {file for file in files if file != STANDARD and is_marked(file)} if len(files) > 1 else set()
    if not set(files) - solutions:
        return list(files)
    for file in files:
        if file in solutions:
            click.echo(f"{click.format_filename(file)}: passed over, a solution of an earlier run", err=True)
    return [file for file in files if file not in solutions]


def check_source(file: str) -> None:
    """Raise ``ImageUnreadableError`` for what is no file by its name alone: a folder, an address."""
    if file == STANDARD:
        return
    if not file:
        raise ImageUnreadableError("The name of a file is empty.", "Is a variable in the command empty?")
    if os.path.isdir(file):
        raise ImageUnreadableError(
            f"{file} is a folder.", f"Solve all of it with `flowvision batch {file} -o OUT`."
        )
    if not os.path.exists(file):
        refuse_url(file)
