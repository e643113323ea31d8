"""Where the server listens: loopback alone, and one address of the local network where that is asked for."""

from __future__ import annotations

import errno
import socket

from flowvision.errors import OutputError

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
