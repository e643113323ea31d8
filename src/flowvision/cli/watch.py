"""``flowvision watch``: a folder that pictures appear in."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from flowvision.cli.batch import jobs_option, output_option
from flowvision.cli.params import folders, limit_option, look_options


@click.command()
@click.argument("folder", metavar="FOLDER", shell_complete=folders)
@output_option
@click.option("-r", "--recursive", is_flag=True, help="Also the folders inside; OUT gets the same tree.")
@jobs_option
@look_options
@limit_option()
def watch(folder: str, output: str, recursive: bool, limit: float, **options: Any) -> None:
    """Solve what is in FOLDER and whatever appears there, until Ctrl-C.

    Such as a folder that a phone's camera roll is synced to. A file is taken once it is complete. OUT is as
    `flowvision batch` writes it; started again, it goes on where it was. Needs the extra `watch`.
    """
    from flowvision.batch.inbox import watch_folder
    from flowvision.batch.jobs import Done, Outcome
    from flowvision.batch.progress import printable
    from flowvision.batch.session import Plan
    from flowvision.files import leave_removed_folder
    from flowvision.render.look import Look
    from flowvision.workers.pool import cores

    leave_removed_folder((folder, output))

    def say(outcome: Outcome) -> None:
        name = printable(outcome.source)
        if isinstance(outcome, Done):
            click.echo(f"{name}: solved")
        else:
            click.echo(f"{name}: {printable(outcome.message)}", err=True)

    def ready() -> None:
        click.echo(f"Watching {click.format_filename(folder)}; Ctrl-C ends it.", err=True)

    look = Look(letters=options["letters"], arrows=options["arrows"])
    tell = partial(click.echo, err=True)
    plan = Plan((), output, limit, options["jobs"] or cores(), tell=tell, look=look)
    watch_folder(folder, plan, recursive, say, ready=ready)
