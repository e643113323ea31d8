"""Those who open connections and say nothing do not keep others out."""

from __future__ import annotations

import socket
from contextlib import ExitStack

from flowvision.web.limits import WebLimits
from tests.web.serving import PATIENCE, Serving, served, until

BOUNDS = WebLimits(workers=0, header_seconds=0.3, body_seconds=0.3, connections=8)


def opened(serving: Serving, text: str = "") -> socket.socket:
    """A connection on which this was said."""
    connection = socket.create_connection(("127.0.0.1", serving.port), PATIENCE)
    connection.sendall(text.encode())
    return connection


def is_closed(connection: socket.socket) -> bool:
    """Whether the server ends a connection; waits for it."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def test_silent_connections_are_closed() -> None:
    """Before a word, in the middle of the headers, and on the second request of a connection."""
    with served(BOUNDS) as serving:
        half = f"GET / HTTP/1.1\r\nHost: {serving.host}\r\n"
        for text in ("", half):
            with opened(serving, text) as connection:
                assert is_closed(connection)
        with opened(serving, f"{half}\r\n") as connection:
            while b"</html>" not in connection.recv(100_000):
                pass
            connection.sendall(half.encode())
            assert is_closed(connection)


def test_slow_bodies_are_given_up() -> None:
    """With an answer that says so."""
    with served(BOUNDS) as serving:
        head = f"POST /api/puzzle HTTP/1.1\r\nHost: {serving.host}\r\nContent-Length: 100\r\n"
        with opened(serving, f"{head}Authorization: {serving.bearer['Authorization']}\r\n\r\nabc") as slow:
            assert slow.recv(100).split()[1] == b"408"


def test_an_address_has_half_of_the_connections() -> None:
    """The rest stays for others; when it lets go, it is served again."""
    bounds = WebLimits(workers=0, connections=8, header_seconds=PATIENCE)
    with served(bounds) as serving, ExitStack() as stack:
        kept = [stack.enter_context(opened(serving)) for _ in range(4)]
        with opened(serving) as one_more:
            assert is_closed(one_more)
        for connection in kept:
            connection.close()
        until(lambda: not serving.server.server_state.connections)
        assert serving.ask("GET", "/").status == 200


def test_nonsense_is_no_request() -> None:
    """Refused, and the server goes on."""
    with served(BOUNDS) as serving:
        for text in ("\x16\x03\x01\x02\x00\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "A" * 300_000 + "\r\n\r\n"):
            with opened(serving) as connection:
                try:
                    connection.sendall(text.encode())
                    answer = connection.recv(100)
                except ConnectionError:
                    continue
                assert answer == b"" or answer.split()[1] in (b"400", b"421")
        assert serving.ask("GET", "/").status == 200
