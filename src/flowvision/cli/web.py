"""``flowvision web``: the page in the browser."""

from __future__ import annotations

from typing import Any

import click

from flowvision.cli.options import flag
from flowvision.cli.printing import end_line, tell


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
@click.option("--static", metavar="FOLDER", help="Write the page as files for a web space; no server.")
@click.option(
    "--pyodide",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False),
    help="With --static: a copy of Pyodide to lay beside the page.",
)
@flag("--serve", text="With --static: show the folder on this machine.")
def web(**options: Any) -> None:
    """Open the page: drop a screenshot, see it read and solved, correct what was misread.

    Only this machine can open the page (with --lan its network too), with the code in the address.
    Pictures stay on this machine and are not kept. Ctrl-C ends the server.

    With --static, the page is written as files that read and solve in the browser itself.
    """
    folder, copy, is_shown = (options.pop(name) for name in ("static", "pyodide", "serve"))
    if (copy or is_shown) and not folder:
        raise click.UsageError("--pyodide and --serve go with --static FOLDER.")
    if folder:
        _write(folder, copy, options["port"] if is_shown else None)
        return
    from flowvision.web.server import serve

    if options["keyfile"] and not options["certfile"]:
        raise click.UsageError("--keyfile goes with --certfile.")
    serve(tell, **options)
    end_line()


def _write(folder: str, copy: str | None, port: int | None) -> None:
    """Write the static page, and serve it if a port is given."""
    from flowvision.web.static import serve_folder, write_page

    lacking = write_page(folder, copy)
    tell(f"{folder} is ready for a web space with HTTPS: open its index.html there.")
    if lacking:
        tell(f"The copy of Pyodide lacks {', '.join(lacking)}: the page leaves out what needs them.")
    if port is not None:
        serve_folder(tell, folder, port)
        end_line()
