"""``flowvision generate``: a new puzzle."""

from __future__ import annotations

import click

from flowvision.cli.params import files, limit_option, size_option
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
