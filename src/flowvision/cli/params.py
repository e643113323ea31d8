"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, TypeVar

import click

from flowvision.words import quoted, size_of, whole_number

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = TypeVar("Command", bound=Callable[..., Any])

DIGITS = 6
"""Of pixels, rows and columns."""


def files(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Have the shell complete names of files."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def folders(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Have the shell complete names of folders."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="dir")]


# Whether a file can be read is asked when its turn comes: one that cannot must not stop the rest.
shots_argument = click.argument("shots", nargs=-1, metavar="SHOT…", shell_complete=files)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object per screenshot.")

debug_option = click.option(
    "--debug",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Write a picture of every stage and an index.html there: what was seen, and why it was refused.",
)

open_option = click.option(
    "--open",
    "opened",
    is_flag=True,
    help="Show that page in the browser; without --debug it is a passing one.",
)


class Number(click.FloatRange):
    """A number in a range; ``nan`` and the infinities are none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return number


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


def limit_option(text: str = "Give up on a screenshot after this long.") -> Callable[[Command], Command]:
    """How long to try."""
    return click.option(
        "--limit", metavar="SECONDS", type=Seconds(), default=30.0, show_default=True, help=text
    )


verbose_option = click.option(
    "-v", "--verbose", is_flag=True, help="Say what every stage took; show the traceback of an error."
)


def _numbers(word: str, between: str, count: int) -> tuple[int, ...] | None:
    parts = [whole_number(part, DIGITS) for part in word.replace(" ", "").split(between)]
    known = tuple(part for part in parts if part is not None)
    return known if len(known) == len(parts) == count else None


def _crop(_: click.Context, __: click.Parameter, word: str | None) -> tuple[int, ...] | None:
    box = _numbers(word, ",", 4) if word else None
    if word and (box is None or min(box[2:]) < 1):
        raise click.BadParameter(
            f"{quoted(word)} is not X,Y,WIDTH,HEIGHT in pixels, such as 0,420,1080,1080."
        )
    return box


def hint_kind(_: click.Context, __: click.Parameter, word: str | None) -> str | None:
    """A hint that may be asked for: ``next``, ``flow``, a letter or a number; letters depend on the board."""
    if word and len(word) > 1 and word not in ("next", "flow") and not whole_number(word):
        raise click.BadParameter(
            f"{quoted(word)} is not next, flow, the letter of a flow or a number of flows."
        )
    return word


def _grid(_: click.Context, __: click.Parameter, word: str | None) -> str | None:
    """COLSxROWS, as the game's titles and ``--size`` have them."""
    if word is None:
        return None
    try:
        cols, rows = size_of(word)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    if min(cols, rows) < 2:
        raise click.BadParameter(f"{quoted(word)} is smaller than 2x2.")
    return f"{cols}x{rows}"


def _size(_: click.Context, __: click.Parameter, word: str) -> str:
    """A size that a board can have."""
    from flowvision.errors import PuzzleInvalidError
    from flowvision.puzzle_tools.generator import shape_of

    try:
        shape_of(word)
    except PuzzleInvalidError as error:
        raise click.BadParameter(f"{error.message} {error.hint}") from None
    return word


def size_option(text: str) -> Callable[[Command], Command]:
    """The size of a board to make."""
    return click.option(
        "--size", default="7x7", show_default=True, metavar="COLSxROWS", callback=_size, help=text
    )


def aim_options(command: Command) -> Command:
    """What helps where the board is not found: where it is, how large, how it is turned."""
    for option in (
        click.option(
            "--rotate",
            metavar="DEGREES",
            type=Number(),
            default=0.0,
            help="Turn the picture clockwise first; it is written turned.",
        ),
        click.option(
            "--grid",
            metavar="COLSxROWS",
            callback=_grid,
            help="The board has so many columns and rows, as in the title above it.",
        ),
        click.option(
            "--colours",
            metavar="N",
            type=click.IntRange(1, 400),
            help="The board has so many colours; where some look alike, the solution tells them apart.",
        ),
        click.option(
            "--crop",
            metavar="X,Y,W,H",
            callback=_crop,
            help="Look for the board in this part alone: pixels of the picture, once it is turned.",
        ),
    ):
        command = option(command)
    return command


show_option = click.option(
    "--show", is_flag=True, help="Show the solved board in the terminal: kitty, iTerm2 or sixels."
)


def look_options(command: Command) -> Command:
    """What is written on the solution that is drawn."""
    for option in (
        click.option("--arrows", is_flag=True, help="Draw arrows from the first dot of each flow."),
        click.option("--letters", is_flag=True, help="Write each flow's letter on its dots and pipe."),
    ):
        command = option(command)
    return command
