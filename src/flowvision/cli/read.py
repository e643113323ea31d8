"""``flowvision read``: boards of screenshots, unsolved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from flowvision.cli.options import Grouped, paste_option, quiet_option, reading_options, shots_argument

if TYPE_CHECKING:
    from flowvision.reading.candidates import CheckedReading


@click.command(cls=Grouped)
@shots_argument
@paste_option
@quiet_option
@reading_options
@click.pass_context
def read(ctx: click.Context, /, shots: tuple[str, ...], **how: Any) -> None:
    """Print the boards on screenshots, unsolved.

    Each board is printed in the text form that `flowvision puzzle` takes. The solver still checks it:
    a board without a solution is refused.
    """
    from flowvision.cli.screenshots import Report, invocation_of, observed, run_shots
    from flowvision.contract import reading_object
    from flowvision.pipeline import read_image

    given = invocation_of(shots, how, is_drawn=False)

    def handle(shot: str) -> Report:
        checked = observed(shot, read_image, given)
        notes = tuple(f"warning: {warning}" for warning in checked.warnings)
        return Report(reading_object(shot, checked) if given.as_json else {}, _text(checked), notes)

    ctx.exit(run_shots(handle, given))


def _text(checked: CheckedReading) -> str:
    """Return the puzzle in its text form; for a terminal with colours, the board with its dots."""
    from flowvision.cli.terminal import board_text, depth
    from flowvision.puzzle.text import FREE, format_puzzle

    if depth():
        return board_text(checked, shown=())
    reading = checked.reading
    text = format_puzzle(reading.board, reading.puzzle, reading.letters).rstrip("\n")
    if reading.lattice is not None:
        return text
    return text.replace(FREE, f"{FREE}  // cells are counted from 0 here; `--set` and hints count from 1", 1)
