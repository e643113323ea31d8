"""A server that speaks adb's protocol, with phones that show a picture; faults on demand."""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from socketserver import BaseRequestHandler, ThreadingTCPServer

import cv2
import numpy as np

from flowvision.image.codec import encode


@dataclass
class FakePhones:
    """What the server has: a state per serial number, the picture that all show, and what was asked for.

    ``header``: bytes before raw pixels. ``answer``: sent in place of a capture; ``cut``: bytes after which
    the connection ends.
    """

    picture: np.ndarray
    states: dict[str, str] = field(default_factory=lambda: {"FAKE0001": "device"})
    header: int = 16
    answer: bytes | None = None
    cut: int | None = None
    asked: list[str] = field(default_factory=list)

    def captured(self, command: str) -> bytes:
        """What a command writes."""
        if self.answer is not None:
            return self.answer
        if command == "screencap -p":
            return encode(self.picture)
        height, width = self.picture.shape[:2]
        rgba = cv2.cvtColor(self.picture, cv2.COLOR_BGR2RGBA)
        return struct.pack("<IIII", width, height, 1, 1)[: self.header] + rgba.tobytes()


@contextmanager
def serving(phones: FakePhones) -> Iterator[int]:
    """The port of such a server."""

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            serial = ""
            while head := self.request.recv(4):
                text = self.request.recv(int(head, 16)).decode()
                phones.asked.append(text)
                kind, _, rest = text.partition(":")
                if text == "host:devices-l":
                    lines = [
                        f"{name:22} {state} product:x model:Fake_Phone device:y transport_id:{number}\n"
                        for number, (name, state) in enumerate(phones.states.items(), 1)
                    ]
                    body = "".join(lines).encode()
                    self.request.sendall(b"OKAY%04x" % len(body) + body)
                    return
                if text.startswith("host:transport:"):
                    serial = text.removeprefix("host:transport:")
                    if phones.states.get(serial) != "device":
                        reason = f"device '{serial}' not found".encode()
                        self.request.sendall(b"FAIL%04x" % len(reason) + reason)
                        return
                    self.request.sendall(b"OKAY")
                elif kind == "exec" and serial:
                    data = phones.captured(rest)
                    self.request.sendall(b"OKAY" + data[: phones.cut])
                    return
                else:
                    self.request.sendall(b"FAIL0007unknown")
                    return

    class Server(ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
