"""``flowvision batch``: a folder of screenshots."""

from __future__ import annotations

import os

import click

from flowvision.cli.options import limit_option


@click.command()
@click.argument("folder", metavar="FOLDER")
@click.option("-o", "--output", metavar="OUT", required=True, help="The folder for the solved pictures.")
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    default=lambda: os.cpu_count() or 1,
    show_default="one per core",
    help="How many processes to use.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per screenshot, in order.")
@limit_option
@click.pass_context
def batch(ctx: click.Context, folder: str, output: str, jobs: int, as_json: bool, limit: float) -> None:
    """Solve every screenshot in FOLDER.

    Solved pictures go to OUT as NAME.solved.png. A screenshot that fails is reported and never stops
    the rest; the exit code is then 11.
    """
    from flowvision.batch import Done, find_screenshots, jobs_for, run_batch, workers
    from flowvision.errors import ExitCode

    todo = jobs_for(find_screenshots(folder), output, limit)
    solved = 0
    with workers(min(jobs, len(todo))) as executor:
        for outcome in run_batch(todo, executor):
            if as_json:
                click.echo(outcome.described)
            if isinstance(outcome, Done):
                solved += 1
                doubt = "  (with warnings)" if outcome.warnings else ""
                if not as_json:
                    click.echo(f"{click.format_filename(outcome.source)}: solved{doubt}")
            else:
                click.echo(f"{outcome.source}: {outcome.message}\n  {outcome.hint}", err=True)
    click.echo(f"{solved} of {len(todo)} solved; pictures in {output}", err=True)
    ctx.exit(ExitCode.OK if solved == len(todo) else ExitCode.SOME_FAILED)
