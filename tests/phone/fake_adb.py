"""The program adb in short, and a device that a real one asks."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from socket import IPPROTO_TCP, TCP_NODELAY, socket
from socketserver import BaseRequestHandler, ThreadingTCPServer

from tests.phone.fake_phone import GoneError

Run = Callable[[str], bytes]
"""What a phone writes when it runs a command; ``GoneError`` where the connection ends before it does."""


@dataclass
class FakeAdb:
    """The program adb: a state per serial number, and what the phones do; ``asked``: their commands."""

    run: Run
    states: dict[str, str] = field(default_factory=lambda: {"FAKE0001": "device"})
    asked: list[str] = field(default_factory=list)

    def __call__(self, *words: str, seconds: float = 0.0) -> bytes:
        """What it prints."""
        if words[0] == "devices":
            lines = [
                f"{name:22} {state} product:x model:Fake_Phone device:y transport_id:{number}\n"
                for number, (name, state) in enumerate(self.states.items(), 1)
            ]
            return "".join(["List of devices attached\n", *lines, "\n"]).encode()
        option, serial, kind, command = words
        assert (option, kind, self.states[serial]) == ("-s", "exec-out", "device")
        self.asked.append(command)
        with suppress(GoneError):
            return self.run(command)
        return b""


@dataclass
class FakeDevice:
    """A phone in adb's own protocol, to which a real server connects: six numbers of 4 bytes, then data.

    Written after ``protocol.txt`` of the Android platform's adb.
    """

    run: Run
    model: str = "Fake_Phone"

    def handle(self, link: socket) -> None:
        """A connection from a server."""
        streams: dict[int, bytes] = {}
        most = 4096
        with suppress(OSError):
            while head := link.recv(24):
                head += _exactly(link, 24 - len(head))
                command, first, second, length = struct.unpack("<4sIII", head[:16])
                data = _exactly(link, length)
                if command == b"CNXN":
                    most = min(second, 1 << 18)
                    name = (
                        f"device::ro.product.name=fake;ro.product.model={self.model};ro.product.device=fake;"
                    )
                    self._send(link, b"CNXN", 0x01000001, 1 << 18, name.encode())
                elif command == b"OPEN":
                    service = data.rstrip(b"\0").decode()
                    assert service.startswith("exec:"), service
                    self._send(link, b"OKAY", first, first)
                    try:
                        streams[first] = self.run(service.removeprefix("exec:"))
                    except GoneError:
                        reset(link)
                        return
                    self._on(link, first, streams, most)
                elif command == b"OKAY" and first in streams:
                    self._on(link, first, streams, most)
                elif command == b"CLSE":
                    streams.pop(first, None)

    def _on(self, link: socket, number: int, streams: dict[int, bytes], most: int) -> None:
        """The next part of an answer; each is sent once the one before has arrived."""
        part, streams[number] = streams[number][:most], streams[number][most:]
        self._send(link, *((b"WRTE", number, number, part) if part else (b"CLSE", number, number)))
        if not part:
            del streams[number]

    def _send(self, link: socket, command: bytes, first: int, second: int, data: bytes = b"") -> None:
        magic = struct.unpack("<I", command)[0] ^ 0xFFFFFFFF
        # Since version 0x01000001 nobody looks at the sum of the data.
        link.sendall(struct.pack("<4sIIIII", command, first, second, len(data), 0, magic) + data)


def _exactly(link: socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = link.recv(count - len(data))
        if not part:
            raise ConnectionResetError
        data += part
    return data


def reset(link: socket) -> None:
    """End a connection in the middle, as a cable does that is pulled."""
    link.setsockopt(1, 13, struct.pack("ii", 1, 0))  # SO_LINGER of SOL_SOCKET: no orderly end
    link.close()


def free_port() -> int:
    """A port at which nothing listens now."""
    with socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@contextmanager
def serving(fake: FakeDevice) -> Iterator[int]:
    """The port of it."""

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                # As adbd does: otherwise every answer of two packets waits 40 ms for an acknowledgement.
                self.request.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
                fake.handle(self.request)

    class Server(ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
