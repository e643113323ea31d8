"""``flowvision solve``: screenshots in, solved pictures out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from flowvision.cli.form_options import (
    correction_options,
    corrections_of,
    form_options,
    paste_option,
    shots_of,
)
from flowvision.cli.params import (
    aim_options,
    debug_option,
    files,
    json_option,
    limit_option,
    look_options,
    open_option,
    shots_argument,
    show_option,
    verbose_option,
)
from flowvision.forms import suffix_words

if TYPE_CHECKING:
    from flowvision.cli.answers import AnswerForm, FormedAnswer
    from flowvision.cli.screenshots import Report


@click.command()
@shots_argument
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    shell_complete=files,
    help=f"Where to write: a {suffix_words()} file, a folder, or - for stdout.  [default: SHOT.solved.png]",
)
@click.option("--force", is_flag=True, help="Replace a file even if Flowvision did not write it.")
@paste_option
@form_options
@look_options
@show_option
@json_option
@debug_option
@open_option
@click.option(
    "--keep-drawn", is_flag=True, help="Go on from the pipes already drawn; say which is wrong if none can."
)
@correction_options
@aim_options
@limit_option()
@verbose_option
@click.pass_context
def solve(
    ctx: click.Context,
    /,
    shots: tuple[str, ...],
    output: str | None,
    as_json: bool,
    debug: str | None,
    limit: float,
    verbose: bool,
    **how: Any,
) -> None:
    """Solve screenshots of Flow Free boards.

    Every SHOT (a picture file, or - for stdin) is read and solved; the solution is drawn over a copy of
    it, and printed as text. A failure never stops the rest: one file exits with its own code, several
    with 11 when some failed. Solutions of earlier runs that are named among others are passed over.
    """
    from flowvision.cli.answers import formed
    from flowvision.cli.explain import page_folder
    from flowvision.cli.output_paths import Places
    from flowvision.cli.screenshots import ShotOptions, observed, run_shots, source_of
    from flowvision.cli.sources import screenshots_among
    from flowvision.reading.options import Options

    shots, show = shots_of(shots, paste := how.pop("paste")), how.pop("show")
    form = _form_of(how, len(shots), output, as_json, show, in_place=not (debug or how["opened"]))
    fixed = corrections_of(*(how.pop(name) for name in ("cells", "walls", "no_walls", "warps", "board")))
    force, opened = how.pop("force"), how.pop("opened")
    shots = shots if paste else tuple(screenshots_among(shots))
    asked = Options(seconds=limit, corrections=fixed, **how)
    options = ShotOptions(as_json, page_folder(debug, opened), verbose, asked, opened)
    places = Places(shots, output, force, form.ending)

    def handle(shot: str) -> Report:
        place = None if form.copy and output is None else places.place_of(shot)
        made = formed(lambda solving: observed(shot, shots, source_of(solving, paste), options), place, form)
        return _report(shot, made, place, form, as_json, show)

    ctx.exit(run_shots(shots, handle, options))


def _form_of(
    how: dict[str, Any], shots: int, output: str | None, as_json: bool, show: bool, in_place: bool
) -> AnswerForm:
    """What is wanted of the answers, checked; the options that say so are taken out of ``how``."""
    from flowvision.cli.answers import AnswerForm, check_form
    from flowvision.render.look import Look

    look = Look(letters=how.pop("letters"), arrows=how.pop("arrows"))
    wanted = {name: how.pop(name) for name in ("animate", "hint", "copy", "geometry")}
    form = AnswerForm(look, in_place=in_place, **wanted)
    check_form(form, shots, output, as_json, show)
    return form


def _report(
    shot: str, made: FormedAnswer, place: str | None, form: AnswerForm, as_json: bool, show: bool
) -> Report:
    """What to say about an answer that was written at ``place``, if anywhere; shown first, if wanted."""
    from flowvision.cli.answers import described, written_in
    from flowvision.cli.screenshots import Report
    from flowvision.cli.terminal import show_picture
    from flowvision.files import STANDARD

    notes = (*made.notes, written_in(made, place, form))
    if place == STANDARD:
        return Report({}, None, notes[:-1])
    if show and not show_picture(made.board_part()):
        notes = (*notes, "--show: this terminal shows no pictures")
    return Report(described(shot, made, place) if as_json else {}, made.text, notes)
