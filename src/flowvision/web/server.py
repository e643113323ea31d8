"""The server: sockets, timeouts, and opening the page in a browser."""

from __future__ import annotations

import logging
import socket
import threading
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack, suppress
from html import escape
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import segno
import uvicorn
from msgspec import Struct, field

from flowvision.errors import OutputError
from flowvision.web.app import KEYED, Gate, WebLimits, make_app

Connection = Any
"""A protocol of uvicorn, or a cycle of one."""
LOOPBACK = "127.0.0.1"
BACKLOG = 64
NEXT_PORTS = 20
"""Ports tried after one that is taken."""


def listen(addresses: tuple[str, ...], port: int) -> tuple[list[socket.socket], int]:
    """Return a listening socket for each address, and the port of all: this or the next free one; 0: any.

    Raises ``OutputError`` if none is free.
    """
    reason = ""
    for candidate in range(port, min(port + NEXT_PORTS, 65_536)):
        opened: list[socket.socket] = []
        try:
            for address in addresses:
                # Port 0: any for the first address, and then that one for the others.
                opened.append(socket.create_server((address, candidate or _port(opened)), backlog=BACKLOG))
        except OSError as error:
            reason = str(error.strerror)
            for opened_socket in opened:
                opened_socket.close()
        else:
            return opened, _port(opened)
    last = port + NEXT_PORTS - 1
    raise OutputError(
        f"No port from {port} to {last} can be used: {reason}.", "Choose another one with `--port N`."
    )


def _port(opened: list[socket.socket]) -> int:
    """Return the port of the first socket, 0 without one."""
    return int(opened[0].getsockname()[1]) if opened else 0


def network_address() -> str:
    """Return the address of this machine in the local network. Raises ``OutputError`` without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # for documentation (RFC 5737): nothing is sent
            address = str(probe.getsockname()[0])
        except OSError:
            address = LOOPBACK
    if address.startswith("127.") or address == "0.0.0.0":
        raise OutputError(
            "This machine has no address in a local network.", "Join a network, or leave out `--lan`."
        )
    return address


class Sweeper(Struct, eq=False):
    """Closes connections that wait too long, and those waiting longest of too many.

    uvicorn calls it every second. ``since``: when each connection began to wait, with the request it is at.

    A connection waits while no request with a key is answered on it. uvicorn has no timeout for new
    connections and headers, its ``timeout_keep_alive`` ends with the first byte of a request, and its
    ``limit_concurrency`` counts idle connections, so that anyone could lock the owner out.
    """

    limits: WebLimits
    connections: set[Connection] = field(default_factory=set)
    since: dict[tuple[Connection, Connection], float] = field(default_factory=dict)

    async def __call__(self) -> None:
        """Close the connections that are due."""
        now = monotonic()
        # The cycle is uvicorn's object of one request: a connection has another one after each.
        waiting = [
            (connection, connection.cycle) for connection in self.connections if _is_waiting(connection.cycle)
        ]
        self.since = {pair: self.since.get(pair, now) for pair in waiting}
        excess = len(self.connections) - self.limits.connections
        oldest_first = sorted(self.since.items(), key=lambda item: item[1])
        for age_rank, ((connection, _), since) in enumerate(oldest_first):
            if age_rank < excess or now - since > self.limits.idle_seconds:
                connection.transport.abort()


def _is_waiting(cycle: Connection) -> bool:
    """Return true for a connection without a request with a key that is being answered."""
    return cycle is None or cycle.response_complete or KEYED not in cycle.scope


def open_browser(address: str, folder: str, show: Callable[[str], object] = webbrowser.open) -> None:
    """Show the address in the browser through a file in a folder.

    A browser gets its address on its command line, which every account of the machine can read; the file can
    be read by its owner alone.
    """
    door = Path(folder, "open.html")
    door.touch(0o600)
    door.write_text(
        '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        f'<meta http-equiv="refresh" content="0;url={escape(address)}"><title>Flowvision</title>'
        f'<a href="{escape(address)}">Open Flowvision</a>\n'
    )
    with suppress(Exception):
        show(door.as_uri())


def serve(
    say: Callable[[str], object],
    port: int,
    lan: bool,
    no_open: bool,
    certfile: str | None,
    keyfile: str | None,
    api: bool,
) -> None:
    """Serve the page until Ctrl-C; the options are those of the command.

    Raises ``OutputError`` when no port or certificate can be used.
    """
    network = (network_address(),) if lan else ()
    scheme = "https" if certfile else "http"
    sockets, bound_port = listen((LOOPBACK, *network), port)
    gate = Gate.of((LOOPBACK, "localhost", *network), bound_port, scheme)

    def address_of(host: str) -> str:  # browsers never send the fragment, which has the code
        return f"{scheme}://{host}:{bound_port}/#code={gate.keys.new_code()}"

    with ExitStack() as stack:
        for opened in sockets:
            stack.enter_context(opened)
        server = make_server(gate, WebLimits(), certfile, keyfile)
        say(address_of(LOOPBACK))
        say("This address opens once, in one browser. Ctrl-C ends the server.")
        if api:
            say(f"Programs send: Authorization: Bearer {gate.keys.token}")
        for address in network:
            if scheme == "http":
                say("It is not encrypted: in a network that you do not trust, give --certfile and --keyfile.")
            page_address = address_of(address)
            say(f"In your network, for one device: {page_address}")
            segno.make(page_address, error="l").terminal(compact=True, border=2)
        if not no_open:
            folder = stack.enter_context(TemporaryDirectory(prefix="flowvision-", ignore_cleanup_errors=True))
            threading.Thread(target=open_browser, args=(address_of(LOOPBACK), folder), daemon=True).start()
        stack.enter_context(suppress(KeyboardInterrupt))
        server.run(sockets=sockets)


def make_server(
    gate: Gate, limits: WebLimits, certfile: str | None = None, keyfile: str | None = None
) -> uvicorn.Server:
    """Return the server, not yet running: quiet, bounded, with no more than a private page needs.

    Raises ``OutputError`` for a certificate that cannot be used.
    """
    sweeper = Sweeper(limits)
    config = uvicorn.Config(
        make_app(gate, limits),
        http="h11",  # httptools does not bound headers
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        log_level=logging.CRITICAL,  # addresses, names and pictures are private
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=ceil(limits.idle_seconds),
        timeout_graceful_shutdown=1,
        timeout_notify=0,
        callback_notify=sweeper,
        h11_max_incomplete_event_size=256 << 10,  # a puzzle in the query: 60 kB for 40 × 40 cells with walls
        ssl_certfile=certfile,
        ssl_keyfile=keyfile,
    )
    try:
        config.load()
    except OSError as error:
        raise OutputError(
            f"The certificate cannot be used: {error}.", "Give `--certfile` and `--keyfile` as PEM files."
        ) from None
    server = uvicorn.Server(config)
    sweeper.connections = server.server_state.connections
    return server
