"""``flowvision solve``: screenshots in, solved pictures out."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct
from msgspec.structs import replace

from flowvision.cli.options import (
    FILE,
    Grouped,
    force_option,
    form_options,
    look_options,
    paste_option,
    quiet_option,
    reading_options,
    shots_argument,
)
from flowvision.cli.terminal import board_text, depth, outlive_readers
from flowvision.files import STANDARD, write_bytes
from flowvision.forms import FORMS, SUFFIXES, form_of, suffix_words
from flowvision.image.mark import marked

if TYPE_CHECKING:
    from flowvision.cli.screenshots import Invocation
    from flowvision.export.drawing import Drawing
    from flowvision.forms import Form
    from flowvision.image.picture import Bgr
    from flowvision.log import Observer
    from flowvision.pipeline import SolvedPicture
    from flowvision.reading.options import Options
    from flowvision.render.look import Look


@click.command(cls=Grouped)
@shots_argument
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=FILE,
    help=f"A {suffix_words()} file, a folder, or - for stdout.  [default: SHOT.solved.png]",
)
@force_option
@paste_option
@form_options
@look_options
@click.option(
    "--keep-drawn", is_flag=True, help="Keep the pipes already drawn, or say which of them is wrong."
)
@quiet_option
@reading_options
@click.pass_context
def solve(
    ctx: click.Context,
    /,
    shots: tuple[str, ...],
    output: str | None,
    force: bool,
    letters: bool,
    arrows: bool,
    **how: Any,
) -> None:
    """Solve screenshots of Flow Free boards.

    Every SHOT (a picture file, or - for stdin) is solved: the solution is drawn over a copy of it and
    printed as text. A failure does not stop the rest; the exit code is then 11. Solutions of earlier
    runs among the files are skipped.
    """
    from flowvision.cli.places import Places
    from flowvision.cli.screenshots import Report, invocation_of, run_shots
    from flowvision.render.look import Look

    if output != STANDARD:
        outlive_readers()
    wanted = {name: how.pop(name) for name in ("animate", "hint", "copy", "geometry", "kind")}
    form = AnswerRequest(Look(letters=letters, arrows=arrows), **wanted)
    check_form(form, len(shots), output, how["as_json"])
    given = invocation_of(shots, how)
    places = Places(given.shots, output, force, form.ending)

    def handle(shot: str) -> Report:
        place = None if form.copy and output is None else places.place_of(shot)
        made = formed(shot, place, form, given)
        if place == STANDARD:
            return Report({}, None, made.notes)
        notes = (*made.notes, written_in(made, place, form))
        return Report(described(shot, made, place, form) if given.as_json else {}, made.text, notes)

    ctx.exit(run_shots(handle, given))


class AnswerRequest(Struct, frozen=True):
    """Options of an answer; ``kind``: the name of its form in ``FORMS``, if its file does not say."""

    look: Look
    animate: bool = False
    hint: str | None = None
    copy: bool = False
    geometry: bool = False
    kind: str | None = None

    @property
    def ending(self) -> str:
        """End of the usual name of the file."""
        return f"{'.hint' if self.hint else '.solved'}{FORMS[self.kind or 'png'].suffixes[0]}"


class MadeAnswer(Struct, frozen=True, eq=False):
    """An answer: the bytes of its file, its picture, text and notes, and its hint for JSON."""

    answer: SolvedPicture
    data: bytes
    picture: Bgr
    text: str
    hint: dict[str, Any]
    notes: tuple[str, ...] = ()


def check_form(request: AnswerRequest, shots: int, output: str | None, as_json: bool) -> None:
    """Refuse options that contradict each other, before any work."""
    if output == STANDARD and as_json:
        raise click.UsageError("Not both on stdout: the picture (-o -) and --json.")
    if request.geometry and not as_json:
        raise click.UsageError("--geometry goes with --json.")
    suffix = os.path.splitext(output or "")[1].lower()
    if request.kind and suffix in SUFFIXES and SUFFIXES[suffix] is not FORMS[request.kind]:
        raise click.UsageError(
            f"-o {output} and --format {request.kind} name different forms: leave one out."
        )
    if request.copy:
        if shots > 1:
            raise click.UsageError("--copy takes one picture: a clipboard holds no more.")
        if request.animate:
            raise click.UsageError("--copy puts a still picture on the clipboard; leave out --animate.")
        from flowvision.export.clipboard import check_installed

        check_installed()


def formed(shot: str, place: str | None, request: AnswerRequest, given: Invocation) -> MadeAnswer:
    """Solve, and write the answer to ``place`` and to the clipboard, as requested.

    Raises ``OutputError`` for an unknown suffix before anything is solved.
    """
    if request.kind and place in (None, STANDARD):
        form = form_of(f"answer{FORMS[request.kind].suffixes[0]}", request.animate)
    else:
        form = form_of(place or STANDARD, request.animate)
    # Still pictures need none of the modules for other forms.
    is_plain = form.content == "picture" and not request.hint
    made = (_plain if is_plain else _as_hint_or_animation)(shot, form, request, given)
    if place is not None:
        write_bytes(place, marked(made.data))
    if request.copy:
        from flowvision.export.clipboard import copy_picture

        copy_picture(made.picture)
    warnings = tuple(f"warning: {warning}" for warning in made.answer.checked.warnings)
    return replace(made, notes=(*warnings, *made.notes))


def _plain(shot: str, form: Form, request: AnswerRequest, given: Invocation) -> MadeAnswer:
    """Return the solved picture, drawn on the decoded one itself unless a debug page shows that."""
    from flowvision.cli.screenshots import observed
    from flowvision.pipeline import solve_image

    answer = observed(shot, partial(solve_image, in_place=given.debug is None, look=request.look), given)
    data, text = answer.encoded(form.suffixes[0]), board_text(answer.checked)
    return MadeAnswer(answer, data, answer.picture, text, {})


def _as_hint_or_animation(shot: str, form: Form, request: AnswerRequest, given: Invocation) -> MadeAnswer:
    """Return a hint, or the solution in any other form."""
    from flowvision.cli.screenshots import observed
    from flowvision.contract import hint_object
    from flowvision.export.drawing import hint_in, hint_words, solve_drawing
    from flowvision.export.pictures import encoded, picture_of, text_of

    drawings: list[Drawing] = []

    def solving(source: Any, options: Options, observer: Observer | None) -> SolvedPicture:
        answer, drawing = solve_drawing(source, options, observer, request.look)
        drawings.append(drawing)
        return answer

    answer = observed(shot, solving, given)
    drawing, hint = drawings[-1], None
    as_object: dict[str, Any] = {}
    notes: tuple[str, ...] = ()
    if request.hint:
        hint = hint_in(drawing, request.hint, drawing.known)
        as_object = hint_object(drawing.board, hint, hint_words(hint, drawing))
        if pipes := ", ".join(drawing.letters[flow] for flow in drawing.wrong):
            notes = (f"warning: wrong pipe of {pipes}; take it back",)
    data, text = encoded(drawing, form, hint), text_of(drawing, hint, depth())
    return MadeAnswer(answer, data, picture_of(drawing, hint), text, as_object, notes)


def described(shot: str, made: MadeAnswer, place: str | None, request: AnswerRequest) -> dict[str, Any]:
    """Return the JSON object; without the paths for a hint."""
    from flowvision.contract import answer_object, hinted_object

    answer = made.answer
    described = answer_object(shot, answer.checked, place)
    if request.geometry:
        from flowvision.export.drawing import with_geometry

        described = with_geometry(
            described, answer.reading, None if request.hint else answer.outcome.solution
        )
    return hinted_object(described, made.hint) if request.hint else described


def written_in(made: MadeAnswer, place: str | None, request: AnswerRequest) -> str:
    """Return the place of the picture in words."""
    places = [*([f"in {place}"] if place else []), *(["on the clipboard"] if request.copy else [])]
    what = "hint" if request.hint else "solved"
    if made.answer.checked.state == "solved":
        what = "solved already, copied as it is" if places else "solved already"
    return f"{what} {' and '.join(places)}" if places else f"{what}: nothing is written"
