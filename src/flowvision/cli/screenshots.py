"""One screenshot after another: a failure is reported and never stops the rest."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from flowvision.cli import keep_fault, show_error, show_notes
from flowvision.cli.options import corrections_of
from flowvision.errors import (
    ExitCode,
    FlowvisionError,
    ImageUnreadableError,
    crash_of,
    missing_library,
    shortage_of,
)
from flowvision.files import STANDARD, refuse_url, stem_of
from flowvision.forms import SUFFIXES
from flowvision.image.mark import is_marked
from flowvision.image.opening import READABLE
from flowvision.log import Observer, Stage, Step
from flowvision.value import value_type
from flowvision.workers.memory import keep_freed

if TYPE_CHECKING:
    from pathlib import Path

    from flowvision.debug.story import Final
    from flowvision.image.picture import Screenshot
    from flowvision.pipeline import SolvedPicture
    from flowvision.reading.candidates import CheckedReading
    from flowvision.reading.options import Options


Checked = TypeVar("Checked", bound="SolvedPicture | CheckedReading")


@value_type
class Report:
    """What to say about one screenshot: as an object of the contract, and as text."""

    described: dict[str, Any]
    text: str | None
    notes: tuple[str, ...] = ()


@value_type
class Invocation:
    """What ``solve`` and ``read`` are called with: screenshots, how to look at them, and what to say.

    ``paste``: the picture on the clipboard is meant. ``debug``: the folder of debug pages; ``opened``: they
    are shown in the browser. ``quiet``: neither text nor notes are printed.
    """

    shots: tuple[str, ...]
    options: Options
    as_json: bool
    paste: bool
    debug: Path | None
    opened: bool
    verbose: bool
    quiet: bool


def invocation_of(shots: tuple[str, ...], how: dict[str, Any], is_drawn: bool = True) -> Invocation:
    """What the options in ``how`` ask for; all that it does not name itself are ``Options``."""
    from flowvision.reading.options import Options

    said = {name: how.pop(name, False) for name in ("as_json", "paste", "opened", "verbose", "quiet")}
    if said["paste"] and shots:
        raise click.UsageError("Either --paste or files, not both.")
    if not (said["paste"] or shots):
        raise click.UsageError("Which screenshot? Name its file, or `-` for one that comes through a pipe.")
    debug = page_folder(how.pop("debug"), said["opened"])
    fixed = corrections_of(*(how.pop(name) for name in ("cells", "board")))
    if is_drawn:
        _refuse_place(shots)
    named = ("clipboard",) if said["paste"] else tuple(screenshots_among(shots, said["quiet"]))
    options = Options(seconds=how.pop("limit"), corrections=fixed, **how)
    return Invocation(named, options, debug=debug, **said)


def _refuse_place(shots: Sequence[str]) -> None:
    """Raise ``UsageError`` for a second name that was meant for the solution, before anything is written."""
    if len(shots) == 2 and STANDARD not in shots and os.path.isfile(shots[0]):
        import shlex

        shot, place = shots
        is_form = os.path.splitext(place)[1].lower() in SUFFIXES
        if is_form and not os.path.lexists(place):
            near = nearest(place, shots, READABLE)
            raise click.UsageError(
                f"There is no {place}. To write the solution there: "
                f"`{shlex.join(['flowvision', shot, '-o', place])}`."
                f"{f' Did you mean {shlex.quote(near)}?' if near else ''}"
            )


def run_shots(handle: Callable[[str], Report], given: Invocation) -> ExitCode:
    """Handle every screenshot in order and report on it; the exit code of the whole run."""
    keep_freed()
    codes = list[ExitCode]()
    for shot in given.shots:
        if codes:
            gc.collect(0)  # the picture of an error lies in a ring: error, traceback, frame
        try:
            if not given.paste:
                check_source(shot, given.shots)
            report = handle(shot)
        except FlowvisionError as error:
            codes.append(_print_failure(shot, error, given))
        except BrokenPipeError:  # nobody reads on: the end, and no fault
            raise
        except Exception as unforeseen:
            if isinstance(unforeseen, ImportError) and missing_library(unforeseen):
                raise  # without it no other screenshot can be looked at either
            crashed = crash_of(unforeseen)
            crashed.__cause__ = unforeseen
            if not shortage_of(unforeseen):
                keep_fault(unforeseen)
            codes.append(_print_failure(shot, crashed, given))
        else:  # what goes wrong with printing is not the picture's fault: the run ends
            _print_report(shot, report, given)
            codes.append(ExitCode.OK)
    if len(codes) == 1:
        return codes[0]
    return ExitCode.SOME_FAILED if any(codes) else ExitCode.OK


def observed(shot: str, read: Callable[[Any, Options, Observer], Checked], given: Invocation) -> Checked:
    """What ``read`` makes of a screenshot, with the debug folder and the stage times where asked for."""
    steps: list[Step] = []

    def observe(step: Step) -> None:
        steps.append(step)
        if given.verbose:
            _print_step(shot, step)

    try:
        with still_looking(shot):
            checked = read(_pasted() if given.paste else shot, given.options, observe)
    except FlowvisionError as error:
        _write_debug(shot, steps, error, given)
        _note_what_was_seen(error)
        raise
    _write_debug(shot, steps, checked, given)
    return checked


def _write_debug(shot: str, steps: Sequence[Step], final: Final, given: Invocation) -> None:
    """Write the debug folder of a screenshot, where one is asked for, and open its page."""
    if given.debug is None:
        return
    folder = given.debug / folder_name(shot, given.shots) if len(given.shots) > 1 else given.debug
    page = write_page(folder, steps, given.options, final)
    if not (given.quiet or isinstance(final, FlowvisionError)):
        click.echo(f"{shot}: every stage in {click.format_filename(page)}", err=True)
    if given.opened:
        open_page(page)


def _pasted() -> Screenshot:
    from flowvision.export.clipboard import paste_picture

    return paste_picture()


SEEN = "Seen, to be put right with `--set ROW,COLUMN=MARK` or `--board FILE`"
"""What is said above the board that was seen."""


def _note_what_was_seen(error: FlowvisionError) -> None:
    """Add the board that was seen to the error, so that its user can correct it.

    Not where an option is wrong, or a window lies over cells: then it has other rows and columns.
    """
    cause, draft = error.cause, error.details.get("draft")
    is_another = cause is not None and (bool(cause.option) or cause.code == "popup")
    if draft is None and (is_another or not any(step.stage == "sides" for step in error.steps)):
        return
    from flowvision.diagnosis import draft_of_error
    from flowvision.puzzle.text import format_drawn

    words = "With the corrections"
    if draft is None:
        words, draft = SEEN, draft_of_error(error)
    if draft is not None and draft.free is None and draft.seen:
        rows = format_drawn(draft.drawn()).rstrip("\n").replace("\n", "\n    ")
        error.add_note(f"  {words}:\n    {rows}")


def _print_report(shot: str, report: Report, given: Invocation) -> None:
    several = len(given.shots) > 1
    if given.as_json:
        from flowvision.contract import json_line

        click.echo(json_line(report.described))
    elif report.text is not None and not given.quiet:
        if several:
            click.echo(f"{click.format_filename(shot)}:")
        click.echo(report.text, color=True)
        if several:
            click.echo()
    for note in () if given.quiet else report.notes:
        click.echo(f"{click.format_filename(shot)}: {note}", err=True)


def _print_failure(shot: str, error: FlowvisionError, given: Invocation) -> ExitCode:
    """Say what is wrong with a screenshot; the error's exit code."""
    if given.as_json:
        from flowvision.contract import error_object, json_line

        click.echo(json_line(error_object(shot, error)))
    if given.verbose:
        if error.code == "crashed":
            import traceback

            traceback.print_exception(error)
        if error.refusal:
            click.echo(f"{shot}: refused by the check: {error.refusal}", err=True)
    show_error(error, shot)
    if error.cause and not given.debug:
        click.echo("  `--debug DIR` shows what was seen.", err=True)
    show_notes(error)
    return error.exit_code


FOUND: dict[Stage, str] = {
    "decode": "the picture",
    "board": "a part that may be the board",
    "grid": "its cells",
    "sides": "its walls and open sides",
    "dots": "its dots",
    "pairs": "pairs of dots",
    "crossings": "bridges and warps",
    "solve": "a solution",
    "pipes": "pipes that are drawn",
    "draw": "the solved picture",
}
"""What each stage finds."""
OUTCOMES = {"Unsolvable": "no solution", "GaveUp": "no answer in time"}
"""By the name of the type, which is not loaded for this: what the solver says otherwise."""


def _print_step(shot: str, step: Step) -> None:
    if step.error is not None:
        outcome = f"failed: {step.error.stage_message}"
    elif step.result is None:
        outcome = "found nothing more"
    else:
        outcome = OUTCOMES.get(type(step.result).__name__) or FOUND[step.stage]
    note = f"  [{step.name}]" if step.name else ""
    click.echo(f"{shot}: {step.stage:9} {step.seconds * 1000:7.1f} ms  {outcome}{note}", err=True)


PATIENCE_SECONDS = 1.0
"""After so long a person wonders whether anything happens."""


@contextmanager
def still_looking(shot: str, seconds: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Say on a terminal that it takes longer, where it does."""
    if not sys.stderr.isatty():
        yield
        return
    from threading import Timer

    words = f"{click.format_filename(shot)}: still looking …"
    timer = Timer(seconds, lambda: click.echo(words, err=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def page_folder(debug: str | None, is_opened: bool) -> Path | None:
    """Where the debug pages go: ``debug``, or a temporary folder where they are only to be opened."""
    if debug is None and not is_opened:
        return None
    from pathlib import Path
    from tempfile import mkdtemp

    return Path(mkdtemp(prefix="flowvision-") if debug is None else debug)


def write_page(folder: Path, steps: Sequence[Step], options: Options, final: Final) -> Path:
    """Write the debug folder; the lines about an error then end with the path of the page."""
    from flowvision.debug.page import write_story
    from flowvision.debug.story import story_of

    story = story_of(steps, options, final)
    page = write_story(folder, story)
    if isinstance(final, FlowvisionError):
        final.add_note(f"  Why: {page}")
    return page


def open_page(page: Path) -> None:
    """Show a page in the browser."""
    import webbrowser

    webbrowser.open(page.resolve().as_uri())


def folder_name(shot: str, shots: Sequence[str]) -> str:
    """The file's name without suffix, numbered where several have the same."""
    stem = stem_of(shot)
    alike = [other for other in shots if stem_of(other) == stem]
    return stem if len(alike) == 1 else f"{stem}-{alike.index(shot) + 1}"


def screenshots_among(files: Sequence[str], quiet: bool = False) -> list[str]:
    """The files without the solutions that Flowvision wrote, unless nothing else is named.

    So that ``flowvision *.png`` can be given twice in one folder. What is skipped is said on stderr.
    """
    files = list(dict.fromkeys(files))
    solutions = {file for file in files if file != STANDARD and is_marked(file)} if len(files) > 1 else set()
    if len(files) == 1 and not quiet and files[0] != STANDARD and is_marked(files[0]):
        click.echo(f"{click.format_filename(files[0])}: made by Flowvision, a solution or a hint", err=True)
    if not set(files) - solutions:
        return list(files)
    for file in files:
        if file in solutions and not quiet:
            click.echo(f"{click.format_filename(file)}: skipped, made by Flowvision", err=True)
    return [file for file in files if file not in solutions]


def check_source(file: str, files: Sequence[str] = ()) -> None:
    """Raise ``ImageUnreadableError`` for a name that leads nowhere, with what may have been meant.

    ``files``: all that are named.
    """
    if not file:
        raise ImageUnreadableError("The name of a file is empty.", "Is a variable in the command empty?")
    if file == STANDARD or os.path.lexists(file):
        return
    import shlex

    refuse_url(file)
    what, hint = f"No such file: {file}", "Check the name; `flowvision help` lists the commands."
    if near := nearest(file, files, READABLE):
        hint = f"Did you mean {shlex.quote(near)}?"
    elif set("*?[") & set(file):
        what, hint = f"Nothing matches {file}.", "Check the folder and the suffix."
    raise ImageUnreadableError(what, hint)


MOST_NAMES = 5_000
"""Files of a folder that are compared with a name that is not there."""


def nearest(file: str, given: Sequence[str], suffixes: Container[str]) -> str | None:
    """A file with one of these suffixes and nearly this name, in the same folder and not given already."""
    from difflib import get_close_matches
    from itertools import islice

    folder, name = os.path.split(file)
    try:
        with os.scandir(folder or ".") as scan:
            names = [entry.name for entry in islice(scan, MOST_NAMES)]
    except OSError:
        return None
    others = (other for other in names if os.path.join(folder, other) not in given)
    fitting = [other for other in others if os.path.splitext(other)[1].lower() in suffixes]
    # By their names without suffix too: `shot` is meant for shot.png.
    known = {os.path.splitext(other)[0].lower(): other for other in fitting}
    known |= {other.lower(): other for other in fitting}
    near = get_close_matches(name.lower(), known, 1, 0.8)
    return os.path.join(folder, known[near[0]]) if near else None
