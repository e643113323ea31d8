"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

shots_argument = click.argument(
    "shots", nargs=-1, required=True, metavar="SHOT...", type=click.Path(allow_dash=True)
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object per screenshot.")

debug_option = click.option(
    "--debug",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a picture of every stage and an index.html there.",
)

limit_option = click.option(
    "--limit",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    help="Give up on a screenshot after this long.",
)

verbose_option = click.option(
    "-v", "--verbose", is_flag=True, help="Say what every stage took; show the traceback of an error."
)
