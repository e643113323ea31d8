"""The server: sockets first, then the browser, and the workers meanwhile."""

from __future__ import annotations

import logging
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from socket import socket

import uvicorn

from flowvision.errors import OutputError
from flowvision.value import value_type
from flowvision.web.app import make_app
from flowvision.web.handover import address_of, open_browser, qr_code
from flowvision.web.limits import WebLimits
from flowvision.web.protocol import bounded_protocol
from flowvision.web.security import Gate
from flowvision.web.sockets import LOOPBACK, listen, network_address

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
    say(f"Flowvision is at {spare if options.show else home} (for one browser, once)")
    say(f"Programs send: Authorization: Bearer {gate.keys.token}")
    for address in lan:
        if scheme == "http":
            say(
                "Others in the network could listen: where you do not trust it, use --certfile and --keyfile."
            )
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


def _run(server: uvicorn.Server, sockets: list[socket], home: str) -> None:
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
