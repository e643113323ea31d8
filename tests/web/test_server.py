import json
import socket
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from unittest.mock import Mock
from urllib.parse import unquote, urlsplit

import pytest

from flowvision.web.app import WebLimits
from flowvision.web.server import LOOPBACK, NEXT_PORTS, Sweeper, listen, open_browser
from tests.calls import in_own_loop
from tests.commands import PATIENCE, wait_until
from tests.web.serving import Serving, served


def test_a_taken_port_leads_to_the_next() -> None:
    (first,), port = listen((LOOPBACK,), port=0)
    (second,), other = listen((LOOPBACK,), port)
    with first, second:
        assert port < other <= port + NEXT_PORTS
        assert second.getsockname() == (LOOPBACK, other)


@pytest.fixture(scope="module")
def quick() -> Iterator[Serving]:
    with served(BOUNDS) as serving:
        yield serving


BOUNDS = WebLimits(workers=1, idle_seconds=0.3, connections=8)
SOLVED = b"R.R\n"
GET = "GET / HTTP/1.1"


@contextmanager
def bounded(serving: Serving, connections: int, idle_seconds: float) -> Iterator[ExitStack]:
    """Other bounds of its connections, and a stack for some of them."""
    sweeper = serving.server.config.callback_notify
    sweeper.limits = WebLimits(connections=connections, idle_seconds=idle_seconds)
    try:
        with ExitStack() as stack:
            yield stack
    finally:
        sweeper.limits = BOUNDS


def opened(serving: Serving, *lines: str, body: str = "") -> socket.socket:
    """Return a connection on which a request was begun; an empty last line ends its headers."""
    connection = socket.create_connection((LOOPBACK, serving.port), PATIENCE)
    connection.sendall(
        "\r\n".join([lines[0], f"Host: {serving.host}", *lines[1:], body] if lines else []).encode()
    )
    return connection


def bearer(serving: Serving) -> str:
    return f"Authorization: {serving.bearer['Authorization']}"


def is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def test_of_too_many_connections_the_oldest_is_closed() -> None:
    sweeper, opened = Sweeper(WebLimits(connections=2)), [Mock(cycle=None) for _ in range(3)]
    for count in (1, 2, 3):
        sweeper.connections = set(opened[:count])
        in_own_loop(sweeper)
        assert [entry.transport.abort.called for entry in opened] == [count == 3, False, False]


def test_silent_connections_are_closed(quick: Serving) -> None:
    for lines in ((), (GET,)):
        with opened(quick, *lines) as connection:
            assert is_closed(connection)
    with opened(quick, GET, "") as connection:
        while b"</html>" not in connection.recv(100_000):
            pass
        connection.sendall(f"{GET}\r\n".encode())
        assert is_closed(connection)


def test_slow_bodies_without_a_key_lock_no_client_out(quick: Serving) -> None:
    """They get one second, and count as waiting connections."""
    with bounded(quick, connections=8, idle_seconds=10.0) as stack:
        head = "POST /api/session HTTP/1.1", f"Origin: {quick.origin}", "Content-Length: 50", ""
        slow = [stack.enter_context(opened(quick, *head)) for _ in range(33)]
        assert quick.ask("GET", "/").status == 200
        assert quick.post("puzzle", SOLVED).status == 200
        wait_until(lambda: len(quick.server.server_state.connections) <= 8)
        for connection in slow:
            with suppress(ConnectionResetError):
                answer = connection.recv(100)
                assert answer == b"" or answer.split()[1] == b"408"
        assert quick.post("puzzle", SOLVED).status == 200


def test_a_request_at_work_is_not_closed(quick: Serving) -> None:
    with bounded(quick, connections=2, idle_seconds=0.1) as stack:
        head = "POST /api/puzzle HTTP/1.1", "Content-Length: 4", bearer(quick), ""
        busy = stack.enter_context(opened(quick, *head))
        others = [stack.enter_context(opened(quick)) for _ in range(8)]
        assert all(is_closed(connection) for connection in others)
        busy.sendall(SOLVED)
        assert busy.recv(100).split()[1] == b"200"


def test_a_request_that_waits_when_the_server_ends_gets_an_answer() -> None:
    with served(WebLimits(workers=1, picture_seconds=PATIENCE)) as serving:
        head = "POST /api/solve HTTP/1.1", "Content-Length: 9", bearer(serving), ""
        with opened(serving, *head, body="no") as connection:
            wait_until(lambda: serving.server.server_state.tasks)
            serving.server.should_exit = True
            answer = b""
            while more := connection.recv(100_000):
                answer += more
        assert answer.split()[1] == b"503"
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"] == "stopped"


def test_no_command_line_shows_the_code(tmp_path: Path) -> None:
    messages: list[str] = []
    open_browser('http://127.0.0.1:1/#code=secret">', str(tmp_path), messages.append)
    assert "secret" not in messages[0]
    door = Path(unquote(urlsplit(messages[0]).path))
    assert stat.S_IMODE(door.stat().st_mode) == 0o600
    assert "0;url=http://127.0.0.1:1/#code=secret&quot;&gt;" in door.read_text()
