"""The server: where it listens, how long it waits, how the browser gets in."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import ssl
import tempfile
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from flowvision.errors import OutputError
from flowvision.value import value_type
from flowvision.web.app import make_app
from flowvision.web.jobs import WebLimits
from flowvision.web.security import Gate

LOOPBACK = "127.0.0.1"
NEXT_PORTS = 20
"""Ports tried after one that is taken."""
SOMEWHERE = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737): nothing is sent to it, but the way there shows our own address."""
TAKEN = (errno.EADDRINUSE, errno.EACCES)


def listen(addresses: tuple[str, ...], port: int) -> tuple[list[socket.socket], int]:
    """A listening socket for each address, all at one port: the one asked for or the next that is free.

    Raises ``OutputError`` when none is.
    """
    for candidate in range(port, min(port + NEXT_PORTS, 65_536)):
        opened: list[socket.socket] = []
        try:
            for address in addresses:
                opened.append(_listening(address, candidate if port else _port(opened)))
        except OSError as error:
            for one in opened:
                one.close()
            if error.errno not in TAKEN:
                raise OutputError(
                    f"Cannot listen on {address}: {error.strerror}.", "Check the address."
                ) from None
            continue
        return opened, _port(opened)
    raise OutputError(
        f"The ports {port} to {port + NEXT_PORTS - 1} are taken.", "Choose another one with `--port N`."
    )


def _listening(address: str, port: int) -> socket.socket:
    one = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows: nobody else may take it from us
            one.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:  # elsewhere: take it at once from an earlier run that has ended
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind((address, port))
        one.listen(64)
    except OSError:
        one.close()
        raise
    return one


def _port(opened: list[socket.socket]) -> int:
    return int(opened[0].getsockname()[1]) if opened else 0


def network_address() -> str:
    """The address that this machine has in the local network. Raises ``OutputError`` when it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(SOMEWHERE)
            address = str(probe.getsockname()[0])
        except OSError:
            address = LOOPBACK
    if address.startswith("127.") or address == "0.0.0.0":
        raise OutputError(
            "This machine has no address in a local network.", "Join a network, or leave out `--lan`."
        )
    return address


def bounded_protocol(limits: WebLimits) -> type[H11Protocol]:
    """The protocol of connections with these limits, as uvicorn takes it: a class."""
    return type("BoundedProtocol", (_Bounded,), {"limits": limits})


class _Bounded(H11Protocol):
    """One connection, with a time limit for headers; an address may have half of all connections."""

    limits: ClassVar[WebLimits]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._headers_due: asyncio.TimerHandle | None = None
        self._since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        same = [other for other in self.connections if _address(other) == _address(self)]
        is_full = len(self.connections) > self.limits.connections
        if is_full or len(same) > self.limits.connections // 2:
            self._make_room([*self.connections] if is_full else same).transport.abort()
        self._watch_headers()

    def _make_room(self, others: list[Any]) -> Any:
        """The connection to end: that which has waited longest and asks for nothing; this one without any."""
        idle = [other for other in others if other is not self and other._is_waiting()]
        return min(idle, key=lambda other: other._since, default=self)

    def data_received(self, data: bytes) -> None:
        self._since = self.loop.time()
        super().data_received(data)
        self._watch_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._headers_due:
            self._headers_due.cancel()

    def _watch_headers(self) -> None:
        """Count the time while a request has not come in whole, and only then."""
        if not self._is_waiting():
            if self._headers_due:
                self._headers_due.cancel()
                self._headers_due = None
        elif self._headers_due is None:
            self._headers_due = self.loop.call_later(self.limits.header_seconds, self._too_slow)

    def _is_waiting(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _too_slow(self) -> None:
        self._headers_due = None
        if self._is_waiting():
            self.transport.abort()


def _address(connection: Any) -> str | None:
    return connection.client[0] if connection.client else None


def address_of(scheme: str, host: str, port: int, code: str) -> str:
    """Where the page is; the code is in the fragment, which browsers send to nobody."""
    return f"{scheme}://{host}:{port}/#code={code}"


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


MOST_HEADER_BYTES = 256 << 10
"""A puzzle to be drawn is in the query, the picture in the body; 40 × 40 cells with walls take 60 kB."""


@value_type
class WebOptions:
    """Where to serve the page, and how to say so. ``lan``: in the local network as well."""

    port: int = 8765
    lan: bool = False
    show: bool = True
    certfile: str | None = None
    keyfile: str | None = None


def serve(options: WebOptions, say: Callable[[str], object], limits: WebLimits | None = None) -> None:
    """Serve the page until Ctrl-C. Raises ``OutputError`` when no port or certificate can be used."""
    bounds = limits or WebLimits()
    lan = (network_address(),) if options.lan else ()
    scheme = "https" if options.certfile else "http"
    _check_certificate(options)
    sockets, port = listen((LOOPBACK, *lan), options.port)
    gate = Gate.of((LOOPBACK, "localhost", *lan), port, scheme)
    home, spare = (address_of(scheme, LOOPBACK, port, gate.keys.new_code()) for _ in range(2))
    say(f"Flowvision is at {spare if options.show else home} (the address opens once, in one browser)")
    say(f"Programs send: Authorization: Bearer {gate.keys.token}")
    for address in lan:
        if scheme == "http":
            say("It is not encrypted: in a network that you do not trust, give --certfile and --keyfile.")
        where = address_of(scheme, address, port, gate.keys.new_code())
        say(f"In your network, for one device: {where}\n{qr_code(where)}")
    say("Ctrl-C ends it.")
    _run(make_server(gate, options, bounds), sockets, home if options.show else "")


def make_server(gate: Gate, options: WebOptions, bounds: WebLimits) -> uvicorn.Server:
    """The server, not yet running: quiet, bounded, and without what a page of one person does not need."""
    config = uvicorn.Config(
        make_app(gate, bounds),
        http=bounded_protocol(bounds),
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        log_level=logging.CRITICAL,  # addresses, names and pictures of people are nobody's business
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        backlog=64,
        timeout_keep_alive=bounds.idle_seconds,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=MOST_HEADER_BYTES,
        ssl_certfile=options.certfile,
        ssl_keyfile=options.keyfile,
    )
    return uvicorn.Server(config)


def _run(server: uvicorn.Server, sockets: list[socket.socket], home: str) -> None:
    """Run the server, and open the browser beside it."""
    doors: list[Path] = []

    def open_door() -> None:
        door = open_browser(home)
        if door:
            doors.append(door)

    if home:
        threading.Thread(target=open_door, name="browser", daemon=True).start()
    try:
        with suppress(KeyboardInterrupt):
            server.run(sockets=sockets)
    finally:
        for door in doors:
            with suppress(OSError):
                door.unlink()


def _check_certificate(options: WebOptions) -> None:
    """Raises ``OutputError`` when a certificate is given and cannot be used."""
    if not options.certfile:
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(options.certfile, options.keyfile)
    except (OSError, ssl.SSLError) as error:
        raise OutputError(
            f"The certificate cannot be used: {error}.", "Give `--certfile` and `--keyfile` as PEM files."
        ) from None
