"""``flowvision web``: the page in the browser."""

from __future__ import annotations

from typing import Any

import click

from flowvision.cli.options import flag
from flowvision.cli.printing import tell


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8765,
    show_default=True,
    help="Port to listen on; if it is taken, the next free one. 0: any.",
)
@flag("--lan", text="Let a phone in the same network open it: print an address and a QR code.")
@flag("--no-open", text="Do not open the browser; the address is printed.")
@click.option(
    "--certfile",
    metavar="PEM",
    type=click.Path(exists=True, dir_okay=False),
    help="Serve HTTPS with this certificate.",
)
@click.option("--keyfile", metavar="PEM", type=click.Path(exists=True, dir_okay=False), help="Its key.")
@flag("--api", text="Print the token for other programs.")
def web(**options: Any) -> None:
    """Open the page: drop a screenshot, see it read and solved, correct what was misread.

    Only this machine can open the page (with --lan its network too), with the code in the address.
    Pictures stay on this machine and are not kept. Ctrl-C ends the server.
    """
    from flowvision.web.server import serve

    if options["keyfile"] and not options["certfile"]:
        raise click.UsageError("--keyfile goes with --certfile.")
    serve(tell, **options)
