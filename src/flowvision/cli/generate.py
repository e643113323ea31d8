"""``flowvision generate`` and ``flowvision sample``: new puzzles, and screenshots of puzzles."""

from __future__ import annotations

from typing import Any

import click

from flowvision.cli.options import Number, files, limit_option, size_option
from flowvision.cli.puzzle import FORMS


@click.command()
@size_option("Size of the board.")
@click.option("--colours", type=click.IntRange(1), help="Pairs of dots; as they come when left out.")
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="The same seed makes the same puzzle.",
)
@click.option(
    "--tiling", type=click.Choice(("square", "hex")), default="square", show_default=True, help="The cells."
)
@click.option("--holes", type=click.IntRange(0), default=0, metavar="N", help="Cells left out.")
@click.option("--walls", type=click.IntRange(0), default=0, metavar="N", help="Closed sides.")
@click.option("--bridges", type=click.IntRange(0), default=0, metavar="N", help="Cells that paths cross.")
@click.option(
    "--warps", type=click.IntRange(0), default=0, metavar="N", help="Rows or columns whose ends are joined."
)
@click.option(
    "--write",
    type=click.Choice(FORMS),
    default="text",
    show_default=True,
    help="The form, as for flowvision puzzle.",
)
@click.option(
    "-o",
    "--output",
    default="-",
    metavar="OUT",
    shell_complete=files,
    help="Where to write it; stdout by default.",
)
@limit_option("Give up after this long.")
def generate(
    size: str,
    colours: int | None,
    seed: int,
    tiling: str,
    write: str,
    output: str,
    limit: float,
    **counts: int,
) -> None:
    """Make a puzzle with exactly one solution, in which no path touches itself."""
    from flowvision.errors import PuzzleInvalidError
    from flowvision.files import write_text
    from flowvision.puzzle_tools.generator import make_puzzle, shape_of

    try:
        shape = shape_of(size, tiling, **counts)
    except PuzzleInvalidError as error:
        raise click.UsageError(f"{error.message} {error.hint}") from None
    write_text(output, make_puzzle(shape, colours, seed, write, limit))


THEMES = ("current", "old", "wide", "muted")
PHONES = (
    "small", "slim", "iphone-xr", "vivo", "full-hd", "galaxy", "iphone-15", "iphone-max", "quad-hd", "tablet",
)  # fmt: skip


@click.command()
@click.argument("puzzle", required=False, metavar="[PUZZLE.txt]", shell_complete=files)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUT.png",
    shell_complete=files,
    help="The picture; its puzzle is written beside it as OUT.txt.",
)
@size_option("Size of a random board.")
@click.option("--colours", type=click.IntRange(1, 16), help="Pairs of dots on a random board.")
@click.option("--seed", default=0, show_default=True, help="The same seed draws the same picture.")
@click.option(
    "--theme", type=click.Choice(THEMES), default="current", show_default=True, help="The game's look."
)
@click.option("--phone", type=click.Choice(PHONES), default="galaxy", show_default=True, help="The screen.")
@click.option("--line", default=0, show_default=True, help="Which of the theme's line colours.")
@click.option("--dim", type=Number(0.1, 1), default=1.0, help="Brightness, as in a fade-in frame.")
@click.option("--drawn", type=Number(0, 1), default=0.0, help="Share of the solution already played.")
@click.option("--letters", type=click.Choice(("white", "black")), help="Colour-blind letters in the dots.")
@click.option("--scale", type=Number(0.1, 4), default=1.0, help="Resize the picture.")
@click.option("--quality", type=click.IntRange(1, 100), help="Damage the picture by JPEG compression.")
@click.option(
    "--tint",
    type=Number(0, 1),
    default=0.31,
    help="How strongly finished cells are tinted; old tablets: 0.5.",
)
@click.option("--dot", type=Number(0.2, 1.35), default=1.0, help="Width of the dots, of the game's own.")
@click.option("--oval", type=Number(0.4, 1), default=1.0, help="Height of the dots, of their width.")
@click.option("--pipe", type=Number(0.01, 0.6), default=0.333, help="Width of the pipes, of a cell.")
@click.option("--finger", is_flag=True, help="A halo round the end of a pipe that is being drawn.")
@click.option("--pointer", is_flag=True, help="A mouse pointer there.")
@click.option("--bare", is_flag=True, help="The board alone, without title, counters and buttons.")
def sample(puzzle: str | None, output: str, size: str, colours: int | None, seed: int, **look: Any) -> None:
    """Draw a screenshot of a puzzle as the game would show it.

    The puzzle comes from PUZZLE.txt (the text form), or is random and has a solution. The picture is
    PNG or JPEG by its suffix; OUT.txt beside it holds the puzzle.
    """
    from flowvision.puzzle_tools.generator import write_sample
    from flowvision.render.synthetic import Style
    from flowvision.render.themes import PHONES, THEMES

    theme, phone, bare = (look.pop(name) for name in ("theme", "phone", "bare"))
    style = Style(THEMES[theme], PHONES[phone], chrome=not bare, **look)
    write_sample(output, puzzle, size, colours, style, seed)
