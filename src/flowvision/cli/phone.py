"""``flowvision phone``: screenshots from an Android phone, solved and played on it, through adb."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from flowvision.cli.options import flag, json_option, limit_option, options_of, output_option, place_options
from flowvision.cli.printing import plain, tell
from flowvision.errors import FlowvisionError
from flowvision.words import count_of, printable

if TYPE_CHECKING:
    from flowvision.contract import Object
    from flowvision.export.answer import Answer
    from flowvision.phone.play import PlayEvent

serial_option = click.option(
    "--serial", metavar="SERIAL", help="Serial number of the phone, if several are connected."
)


@click.group(invoke_without_command=True, subcommand_metavar="[COMMAND …]")
@click.pass_context
def phone(ctx: click.Context) -> None:
    """Take screenshots from an Android phone, solve and play them, through adb.

    Alone: list the connected phones and their problems.
    """
    if ctx.invoked_subcommand is not None:
        return
    from flowvision.phone.device import ADVICE, chosen, devices

    connected = devices()
    for device in connected:
        state, *_ = ADVICE.get(device.state, (device.state,))
        name = plain(f"{device.serial}  {device.model or 'phone'}")
        click.echo(f"{name}: {state}")
    if not any(device.state == "device" for device in connected):
        chosen(None)


@phone.command()
@serial_option
@output_option("Where to write: a .png file, or - for stdout.  [default: phone-DATE-TIME.png]")
def shot(serial: str | None, output: str | None) -> None:
    """Take a screenshot of the phone."""
    _write_shot(serial, output)


@phone.command(context_settings={"ignore_unknown_options": True})
@serial_option
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS OF SOLVE]…")
@click.pass_context
def solve(ctx: click.Context, serial: str | None, options: tuple[str, ...]) -> None:
    """Take a screenshot of the phone, and solve it.

    Takes all options of `flowvision solve`. The screenshot is kept in phone-DATE-TIME.png; the solved picture
    is written beside it unless -o says otherwise. Nothing is touched on the phone.
    """
    from flowvision.cli.solve import solve as solve_command

    place = _write_shot(serial, output=None)
    ctx.exit(solve_command.main([place, *options], "flowvision phone solve", standalone_mode=False) or 0)


@phone.command()
@serial_option
@flag("--yes", text="Play at once, without waiting for a key.")
@flag("--any-app", text="Play in any app in front, not only in the game (com.bigduckgames.*).")
@json_option("event")
@place_options
@limit_option()
def play(serial: str | None, yes: bool, as_json: bool, any_app: bool, **fields: Any) -> None:
    """Take a screenshot of the phone, solve it, and play the solution on the phone.

    It shows a plan first, and touches nothing without --yes or a key. It plays only in the game, only a
    board read without any doubt that has exactly one solution, and touches only its cells. After each flow
    it reads the screen again; a flow that is missing is drawn once more before it gives up. Correct pipes
    are continued, wrong ones drawn over. Ctrl-C lifts the finger.

    Use it for your own levels, not for leaderboards and time trials, where others play by hand.
    """
    from flowvision.contract import error_object, json_line
    from flowvision.phone.device import chosen
    from flowvision.phone.play import PlayRules, solve_screen
    from flowvision.phone.play import play as play_board

    rules, device = PlayRules(any_app, options_of(**fields)), chosen(serial)
    try:
        shot, answer = solve_screen(device, rules)
        _print_plan(answer, as_json)
        if yes or _agreed(answer):
            for event in play_board(device, shot, answer, rules):
                _print_event(event, answer.reading.letters, as_json)
    except FlowvisionError as error:
        if as_json:
            tell(json_line(error_object("phone", error)))
        raise


def _write_shot(serial: str | None, output: str | None) -> str:
    """Write a screenshot of a phone, and return its place."""
    from flowvision.files import STANDARD, write_bytes
    from flowvision.image.codec import encode
    from flowvision.phone.device import capture, chosen

    device = chosen(serial)
    place = output or f"phone-{datetime.now():%Y%m%d-%H%M%S}.png"
    write_bytes(place, encode(capture(device)))
    if place != STANDARD:
        tell(printable(f"screenshot of {device.model or device.serial} in {place}"), err=True)
    return place


def has_keys() -> bool:
    """Return true if standard input is a terminal, where a key can be pressed."""
    return sys.stdin.isatty()


def _agreed(answer: Answer) -> bool:
    """Ask whether to play the answer; return true without a question if there is nothing to touch."""
    if answer.state == "solved":  # on the phone's screen
        return True
    if not has_keys():
        tell("Nothing was touched. To play without a key: --yes.", err=True)
        return False
    tell("Play it? Press y; any other key cancels: ", err=True, nl=False)
    agreed = click.getchar().lower() == "y"
    tell("yes" if agreed else "no: nothing was touched", err=True)
    return agreed


def _print_plan(answer: Answer, as_json: bool) -> None:
    """Print the solved board and how much of it remains to be drawn."""
    from flowvision.cli import depth
    from flowvision.contract import cells_of, json_line
    from flowvision.phone.play import plan_of

    plan, letters = plan_of(answer), answer.reading.letters
    if as_json:
        flows: list[Object] = []
        board = answer.reading.board
        for planned in plan:
            described_flow: Object = {"flow": planned.flow}
            described_flow["path"] = cells_of(board, planned.path.vertices)
            described_flow["from"] = planned.edges_kept  # an index into ``path``
            described_flow["wrong"] = planned.wrong
            flows.append(described_flow)
        described = answer.to_dict() | {"file": "phone"}
        tell(json_line({"event": "plan", "flows": flows, "answer": described}))
        return
    tell(answer._in_colours(depth()), color=True)
    if not plan:
        tell("solved already: there is nothing to touch")
        return
    finished = len(letters) - len(plan)
    steps_left = sum(len(planned.path.edges) - planned.edges_kept for planned in plan)
    words = f"plan: {count_of(len(plan), 'flow')}, {count_of(steps_left, 'step')}"
    if finished:
        words += f"; {count_of(finished, 'flow')} there already"
    if wrong := [letters[planned.flow] for planned in plan if planned.wrong]:
        words += f"; drawn over: {', '.join(wrong)}"
    tell(words)
    tell("not for leaderboards and time trials, where others play by hand", err=True)


def _print_event(event: PlayEvent, letters: Sequence[str], as_json: bool) -> None:
    """Print the progress of play: a flow that is on the board, and the end."""
    from flowvision.contract import json_line

    if as_json:
        result: Object = {"event": event.step, "touches": event.touches}
        if event.flow is not None:
            result |= {"flow": event.flow, "attempt": event.attempt}
        tell(json_line(result | ({"seen": event.seen} if event.step == "end" else {})))
    elif event.step == "there" and event.flow is not None:
        second = " on the second try" if event.attempt == 2 else ""
        tell(f"{letters[event.flow]} is there{second}")
    elif event.step == "end":
        words = "solved" if event.seen else "all flows are drawn; then something covered the board"
        tell(f"{words}, {count_of(event.touches, 'touch event')}" if event.touches else words)
