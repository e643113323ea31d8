"""``flowvision phone``: screenshots from an Android phone, through adb."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from flowvision.cli.options import files

if TYPE_CHECKING:
    from flowvision.phone.adb import Device

serial_option = click.option("--serial", metavar="SERIAL", help="Which phone, where several are connected.")


@click.group(invoke_without_command=True, subcommand_metavar="[COMMAND …]")
@click.pass_context
def phone(ctx: click.Context) -> None:
    """Take screenshots from an Android phone, through adb.

    Alone: list the phones that are connected, and say what is wrong with them.
    """
    if ctx.invoked_subcommand is not None:
        return
    from flowvision.phone.adb import devices
    from flowvision.phone.screen import chosen, state_in_words

    found = devices()
    for device in found:
        click.echo(f"{device.serial}  {device.model or 'phone'}: {state_in_words(device)}")
    if not any(device.state == "device" for device in found):
        chosen(found, None)


@phone.command()
@serial_option
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    shell_complete=files,
    help="Where to write: a .png file, or - for stdout.  [default: phone-DATE-TIME.png]",
)
def shot(serial: str | None, output: str | None) -> None:
    """Take a screenshot of the phone."""
    _write_shot(serial, output)


@phone.command(context_settings={"ignore_unknown_options": True})
@serial_option
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS OF SOLVE]…")
@click.pass_context
def solve(ctx: click.Context, serial: str | None, options: tuple[str, ...]) -> None:
    """Take a screenshot of the phone, and solve it.

    All options of `flowvision solve` are taken. The screenshot is kept in phone-DATE-TIME.png, the solved
    picture is written beside it unless -o says otherwise. Nothing is touched on the phone.
    """
    from flowvision.cli.solve import solve as solve_command

    place = _write_shot(serial, None)
    ctx.exit(solve_command.main([place, *options], "flowvision phone solve", standalone_mode=False) or 0)


def _write_shot(serial: str | None, output: str | None) -> str:
    """Take a screenshot and write it; where."""
    from datetime import datetime

    from flowvision.files import STANDARD, write_bytes
    from flowvision.phone.screen import capture

    device = _phone(serial)
    place = output or f"phone-{datetime.now():%Y%m%d-%H%M%S}.png"
    write_bytes(place, capture(device))
    if place != STANDARD:
        click.echo(f"screenshot of {device.model or device.serial} in {place}", err=True)
    return place


def _phone(serial: str | None) -> Device:
    """The phone that is meant."""
    from flowvision.phone.adb import devices
    from flowvision.phone.screen import chosen

    return chosen(devices(), serial)
