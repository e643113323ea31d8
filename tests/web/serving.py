"""A server on this machine for tests, and a client that sends exactly the bytes given."""

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import uvicorn

from flowvision.web.app import Gate, WebLimits
from flowvision.web.server import LOOPBACK, listen, make_server
from tests.commands import PATIENCE, wait_until


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def object(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Serving:
    gate: Gate
    port: int
    server: uvicorn.Server

    @property
    def host(self) -> str:
        return f"{LOOPBACK}:{self.port}"

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    @property
    def bearer(self) -> dict[str, str]:
        """Headers of a program."""
        return {"Authorization": f"Bearer {self.gate.keys.token}"}

    @property
    def page(self) -> dict[str, str]:
        """Headers of the page."""
        key = f"Bearer {self.gate.keys.token}"
        return {"Authorization": key, "Origin": self.origin, "Sec-Fetch-Site": "same-origin"}

    def ask(self, method: str, path: str, body: Any = b"", headers: dict[str, str] | None = None) -> Reply:
        """Send a request with these headers and ``Host``; the body: bytes, text, or an object for JSON."""
        if not isinstance(body, bytes):
            body = (body if isinstance(body, str) else json.dumps(body)).encode()
        connection = http.client.HTTPConnection(LOOPBACK, self.port, timeout=PATIENCE)
        given = {"Host": self.host} | (headers or {})
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in given.items():
            connection.putheader(name, value)
        if method == "POST" and "Content-Length" not in given:
            connection.putheader("Content-Length", str(len(body)))
        with suppress(BrokenPipeError, ConnectionResetError):  # refused before all was sent
            connection.endheaders(body or None)
        answer = connection.getresponse()
        reply = Reply(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        connection.close()
        return reply

    def post(self, path: str, body: Any = b"", **headers: str) -> Reply:
        """Send a request with the token."""
        return self.ask("POST", f"/api/{path}", body, self.bearer | headers)


@contextmanager
def served(limits: WebLimits | None = None) -> Iterator[Serving]:
    (socket, *_), port = listen((LOOPBACK,), port=0)
    gate = Gate.of((LOOPBACK, "localhost"), port)
    server = make_server(gate, limits or WebLimits())
    thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]}, daemon=True)
    thread.start()
    try:
        wait_until(lambda: server.started)
        yield Serving(gate, port, server)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
