"""How the token gets into the browser: never over a command line, a log or a header."""

from __future__ import annotations

import os
import tempfile
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from html import escape
from pathlib import Path


def address_of(scheme: str, host: str, port: int, code: str = "") -> str:
    """Where the page is; the code is in the fragment, which browsers send to nobody."""
    return f"{scheme}://{host}:{port}/" + (f"#code={code}" if code else "")


def write_door(address: str) -> Path:
    """A file, readable by its owner alone, that leads to the address.

    A browser is told what to open on its command line, which every account of the machine can read.
    """
    handle, name = tempfile.mkstemp(prefix="flowvision-", suffix=".html")
    with os.fdopen(handle, "w") as door:
        door.write(
            '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
            f'<meta http-equiv="refresh" content="0;url={escape(address)}"><title>Flowvision</title>'
            f'<a href="{escape(address)}">Open Flowvision</a>\n'
        )
    return Path(name)


def open_browser(address: str, show: Callable[[str], object] = webbrowser.open) -> Path | None:
    """Show the address in the browser by way of a door, to be removed in the end; or ``None``."""
    door = write_door(address)
    with suppress(Exception):
        if show(door.as_uri()):
            return door
    door.unlink(missing_ok=True)
    return None


def qr_code(address: str) -> str:
    """The address as a QR code for a terminal, two rows a line."""
    import io

    import segno

    out = io.StringIO()
    segno.make(address, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()
