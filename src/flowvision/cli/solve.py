"""``flowvision solve``: screenshots in, solved pictures out."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from flowvision.cli.params import (
    aim_options,
    debug_option,
    files,
    json_option,
    limit_option,
    look_options,
    open_option,
    shots_argument,
    verbose_option,
)


@click.command()
@shots_argument
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    shell_complete=files,
    help="Where to write: a .png or .jpg file, a folder, or - for stdout.  [default: SHOT.solved.png]",
)
@click.option("--force", is_flag=True, help="Replace a file even if Flowvision did not write it.")
@json_option
@debug_option
@open_option
@click.option(
    "--keep-drawn", is_flag=True, help="Go on from the pipes already drawn; say which is wrong if none can."
)
@look_options
@aim_options
@limit_option
@verbose_option
@click.pass_context
def solve(
    ctx: click.Context,
    /,
    shots: tuple[str, ...],
    output: str | None,
    as_json: bool,
    debug: Path | None,
    limit: float,
    verbose: bool,
    **how: Any,
) -> None:
    """Solve screenshots of Flow Free boards.

    Every SHOT (a picture file, or - for stdin) is read and solved; the solution is drawn over a copy of
    it, and printed as text. A failure never stops the rest: one file exits with its own code, several
    with 11 when some failed. Solutions of earlier runs that are named among others are passed over.
    """
    from flowvision.cli.explain import page_folder
    from flowvision.cli.output_paths import Places
    from flowvision.cli.screenshots import Report, ShotOptions, observed, run_shots
    from flowvision.cli.sources import screenshots_among
    from flowvision.cli.terminal import depth, show_picture
    from flowvision.files import STANDARD, write_bytes
    from flowvision.image.codec import encode
    from flowvision.image.mark import marked
    from flowvision.pipeline import board_part, solve_image
    from flowvision.reading.options import Options
    from flowvision.render.letters import letters_for
    from flowvision.render.look import Look
    from flowvision.render.text import solved_text

    look, show = Look(letters=how.pop("letters"), arrows=how.pop("arrows")), how.pop("show")
    if output == STANDARD and as_json:
        raise click.UsageError("Not both on stdout: the picture (-o -) and --json.")
    if show and (output == STANDARD or as_json):
        raise click.UsageError("--show draws in the terminal; stdout is taken by -o - or --json.")
    force, opened = how.pop("force"), how.pop("opened")
    options = ShotOptions(as_json, page_folder(debug, opened), verbose, Options(seconds=limit, **how), opened)
    shots = tuple(screenshots_among(shots))
    places, solving = Places(shots, output, force), partial(solve_image, look=look)

    def handle(shot: str) -> Report:
        place = places.place_of(shot)
        answer = observed(shot, shots, solving, options)
        suffix = ".png" if place == STANDARD else Path(place).suffix
        write_bytes(place, marked(encode(answer.picture, suffix)))
        reading = answer.reading
        text = solved_text(
            reading.board,
            reading.puzzle,
            answer.outcome.solution,
            letters_for(reading.palette),
            reading.palette,
            depth(),
        )
        notes = tuple(f"warning: {warning}" for warning in answer.warnings)
        if place == STANDARD:
            return Report({}, None, notes)
        already = answer.state == "solved"
        notes = (*notes, f"already solved, as it is in {place}" if already else f"solved in {place}")
        if show and not show_picture(board_part(answer)):
            notes = (*notes, f"--show: this terminal shows no pictures; open {place}")
        if as_json:
            from flowvision.contract import answer_object

            return Report(answer_object(shot, answer, place), None, notes)
        return Report({}, text, notes)

    ctx.exit(run_shots(shots, handle, options))
