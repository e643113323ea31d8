"""``flowvision generate``: a new puzzle."""

from __future__ import annotations

import click


@click.command()
@click.option("--size", default="7x7", show_default=True, metavar="COLSxROWS", help="Size of the board.")
@click.option("--colours", type=click.IntRange(1, 62), help="Pairs of dots; as they come when left out.")
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="The same seed makes the same puzzle.",
)
@click.option("-o", "--output", default="-", metavar="OUT", help="Where to write it; stdout by default.")
def generate(size: str, colours: int | None, seed: int, output: str) -> None:
    """Make a puzzle with exactly one solution, in which no path touches itself."""
    from flowvision.files import write_text
    from flowvision.generator import make_puzzle

    write_text(output, make_puzzle(size, colours, seed))
