"""``flowvision puzzle``: puzzles without a picture."""

from __future__ import annotations

import click

from flowvision.errors import ExitCode, FlowvisionError

SOLVERS = ("sat", "search", "cpsat", "cpsat-mtz", "milp")


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True))
@click.option("--solver", type=click.Choice(SOLVERS), default="sat", show_default=True, help="The engine.")
@click.option(
    "--limit",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    help="Give up on a puzzle after this long.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per puzzle.")
@click.pass_context
def puzzle(ctx: click.Context, files: tuple[str, ...], solver: str, limit: float, as_json: bool) -> None:
    """Solve puzzles in text form, or JSON records, one a line (- for stdin).

    Says whether the solution is the only one. One puzzle exits with its own code, several with 11 when
    some failed.
    """
    from flowvision.cli import show_error
    from flowvision.puzzles import line_of, read_puzzles, report

    codes: list[ExitCode] = []
    for file in files:
        try:
            for item in read_puzzles(file):
                made = report(item, solver, limit)
                if as_json:
                    click.echo(line_of(made.described))
                elif made.text:
                    click.echo(made.text)
                if made.error:
                    show_error(made.error, made.name or file)
                codes.append(made.error.exit_code if made.error else ExitCode.OK)
        except FlowvisionError as error:
            codes.append(error.exit_code)
            show_error(error, file)
    bad = [code for code in codes if code]
    ctx.exit(0 if not bad else int(bad[0]) if len(codes) == 1 else int(ExitCode.SOME_FAILED))
