"""One screenshot after another: a failure is reported and never stops the rest."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from flowvision.cli import show_error
from flowvision.cli.explain import folder_name, open_page, still_looking, write_page
from flowvision.cli.opencv import load_extension
from flowvision.cli.sources import check_source
from flowvision.errors import ExitCode, FlowvisionError, crash_of, missing_library
from flowvision.events import Event, Observer, StageFailed
from flowvision.value import value_type
from flowvision.workers.memory import keep_freed

if TYPE_CHECKING:
    from pathlib import Path

    from flowvision.reading.options import Options
    from flowvision.reading.result import CheckedReading

Checked = TypeVar("Checked", bound="CheckedReading")


@value_type
class Report:
    """What to say about one screenshot: as an object of the contract, and as text."""

    described: dict[str, Any]
    text: str | None
    notes: tuple[str, ...] = ()


@value_type
class ShotOptions:
    """The options that ``solve`` and ``read`` share."""

    as_json: bool
    debug: Path | None
    verbose: bool
    looking: Options
    opened: bool = False
    """The debug page is shown in the browser."""


def source_of(
    look: Callable[[Any, Options, Observer | None], Checked], paste: bool
) -> Callable[[str, Options, Observer | None], Checked]:
    """The same for the name of a screenshot; ``paste``: for whatever is on the clipboard."""
    if not paste:
        return look

    def look_there(_: str, options: Options, observer: Observer | None) -> Checked:
        from flowvision.export.clipboard import paste_picture

        return look(paste_picture(), options, observer)

    return look_there


def run_shots(shots: Sequence[str], handle: Callable[[str], Report], options: ShotOptions) -> ExitCode:
    """Handle every screenshot in order and report on it; the exit code of the whole run."""
    load_extension()
    keep_freed()
    codes = list[ExitCode]()
    for shot in shots:
        if codes:
            gc.collect(0)  # the picture of an error lies in a ring: error, traceback, frame
        try:
            check_source(shot)
            report = handle(shot)
        except FlowvisionError as error:
            codes.append(_print_failure(shot, error, options))
        except BrokenPipeError:  # nobody reads on: the end, and no fault
            raise
        except Exception as unforeseen:
            if isinstance(unforeseen, ImportError) and missing_library(unforeseen):
                raise  # without it no other screenshot can be looked at either
            crashed = crash_of(unforeseen)
            crashed.__cause__ = unforeseen
            codes.append(_print_failure(shot, crashed, options))
        else:  # what goes wrong with printing is not the picture's fault: the run ends
            _print_report(shot, report, options.as_json, several=len(shots) > 1)
            codes.append(ExitCode.OK)
    if len(codes) == 1:
        return codes[0]
    return ExitCode.SOME_FAILED if any(codes) else ExitCode.OK


def observed(
    shot: str,
    shots: Sequence[str],
    look: Callable[[str, Options, Observer | None], Checked],
    options: ShotOptions,
) -> Checked:
    """What ``look`` makes of a screenshot, with the debug folder and the stage times where asked for."""
    events: list[Event] = []
    failures: list[StageFailed] = []

    def observe(event: Event) -> None:
        if options.debug:
            events.append(event)
        if isinstance(event, StageFailed):
            failures.append(event)
        if options.verbose:
            _print_event(shot, event)

    def write_debug(final: CheckedReading | FlowvisionError) -> None:
        if options.debug:
            folder = options.debug / folder_name(shot, shots) if len(shots) > 1 else options.debug
            page = write_page(folder, events, options.looking, final)
            if options.opened:
                open_page(page)

    try:
        with still_looking(shot):
            checked = look(shot, options.looking, observe)
    except FlowvisionError as error:
        write_debug(error)
        _note_what_was_seen(error, failures)
        raise
    write_debug(checked)
    return checked


def _note_what_was_seen(error: FlowvisionError, failures: Sequence[StageFailed]) -> None:
    """Add the board that was seen to the error, so that its user can correct it."""
    failed = [event for event in failures if event.error is error]
    if not failed or failed[-1].trail.sides is None:
        return
    from flowvision.puzzle.text import format_drawn
    from flowvision.reading.recheck import refused_draft

    draft = refused_draft(error, failed[-1].trail)
    if draft is not None and draft.free is None:
        rows = format_drawn(draft.drawn()).rstrip("\n").replace("\n", "\n    ")
        error.add_note(f"  Seen, to be put right with `--set ROW,COLUMN=MARK` or `--board FILE`:\n    {rows}")


def _print_report(shot: str, report: Report, as_json: bool, several: bool) -> None:
    if as_json:
        from flowvision.contract import json_line

        click.echo(json_line(report.described))
    elif report.text is not None:
        if several:
            click.echo(f"{click.format_filename(shot)}:")
        click.echo(report.text, color=True)
        if several:
            click.echo()
    for note in report.notes:
        click.echo(f"{click.format_filename(shot)}: {note}", err=True)


def _print_failure(shot: str, error: FlowvisionError, options: ShotOptions) -> ExitCode:
    """Say what is wrong with a screenshot; the error's exit code."""
    if options.as_json:
        from flowvision.contract import error_object, json_line

        click.echo(json_line(error_object(shot, error)))
    if options.verbose:
        import traceback

        traceback.print_exception(error)
        if error.refusal:
            click.echo(f"{shot}: refused by the check: {error.refusal}", err=True)
    show_error(error, shot)
    if error.failure and not options.debug:
        click.echo("  `--debug DIR` shows what was seen.", err=True)
    for note in getattr(error, "__notes__", ()):
        click.echo(note, err=True)
    return error.exit_code


def _print_event(shot: str, event: Event) -> None:
    trail = event.trail
    look = ", ".join(filter(None, (trail.strategy, trail.model.name if trail.model else "")))
    outcome = (
        f"failed: {event.error.raised}" if isinstance(event, StageFailed) else type(event.result).__name__
    )
    note = f"  [{look}]" if look else ""
    click.echo(f"{shot}: {event.stage:9} {event.seconds * 1000:7.1f} ms  {outcome}{note}", err=True)
