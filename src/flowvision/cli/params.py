"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

shots_argument = click.argument(
    "shots", nargs=-1, required=True, metavar="SHOT...", type=click.Path(allow_dash=True)
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object per screenshot.")

debug_option = click.option(
    "--debug",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a picture of every stage and an index.html there.",
)


class Seconds(click.FloatRange):
    """A time above zero; ``nan``, which is neither above nor below, is refused too."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number of seconds."""
        seconds = float(super().convert(value, param, ctx))
        if isnan(seconds):
            self.fail(f"{value} is not a number of seconds.", param, ctx)
        return seconds


limit_option = click.option(
    "--limit",
    metavar="SECONDS",
    type=Seconds(),
    default=30.0,
    show_default=True,
    help="Give up on a screenshot after this long.",
)

verbose_option = click.option(
    "-v", "--verbose", is_flag=True, help="Say what every stage took; show the traceback of an error."
)


def _numbers(word: str, between: str, count: int) -> tuple[int, ...] | None:
    parts = word.replace(" ", "").lower().split(between)
    return tuple(map(int, parts)) if len(parts) == count and all(part.isdigit() for part in parts) else None


def _crop(_: click.Context, __: click.Parameter, word: str | None) -> tuple[int, ...] | None:
    box = _numbers(word, ",", 4) if word else None
    if word and (box is None or min(box[2:]) < 1):
        raise click.BadParameter(f"{word!r} is not X,Y,WIDTH,HEIGHT in pixels, such as 0,420,1080,1080.")
    return box


def _grid(_: click.Context, __: click.Parameter, word: str | None) -> tuple[int, ...] | None:
    size = _numbers(word, "x", 2) if word else None
    if word and (size is None or min(size) < 2):
        raise click.BadParameter(f"{word!r} is not ROWSxCOLS, such as 8x6.")
    return size


def aim_options(command: Command) -> Command:
    """What helps where the board is not found: where it is, how large, how it is turned."""
    for option in (
        click.option(
            "--rotate",
            metavar="DEGREES",
            type=float,
            default=0.0,
            help="Turn the picture clockwise first; it is written turned.",
        ),
        click.option("--grid", metavar="ROWSxCOLS", callback=_grid, help="The board has this many of them."),
        click.option(
            "--crop",
            metavar="X,Y,W,H",
            callback=_crop,
            help="Look for the board in this part alone: pixels of the picture, once it is turned.",
        ),
    ):
        command = option(command)
    return command


def look_options(command: Command) -> Command:
    """How the solution is drawn."""
    for option in (
        click.option(
            "--show", is_flag=True, help="Show the solved board in the terminal: kitty, iTerm2 or sixels."
        ),
        click.option("--arrows", is_flag=True, help="Draw arrows from the first dot of each flow."),
        click.option("--letters", is_flag=True, help="Write each flow's letter on its dots and pipe."),
    ):
        command = option(command)
    return command
