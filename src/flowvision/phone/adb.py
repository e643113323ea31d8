"""Requests to the adb server: connected phones, and a command on one of them.

A request is its length in four hexadecimal digits and its text; the server answers ``OKAY`` or ``FAIL`` and a
reason (``SERVICES.TXT`` of the Android platform's adb). A socket takes a twentieth of the time of ``adb``.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import IO, cast

from msgspec import Struct

from flowvision.errors import MissingExtraError, PhoneError
from flowvision.words import whole_number

PORT = 5037
"""Usual port of the server; ``ANDROID_ADB_SERVER_PORT`` names another, as for adb itself."""
SECONDS, START_SECONDS = 20.0, 30.0
"""Timeouts: for an answer (a capture takes at most some seconds), and for starting the server."""
MAX_BYTES, MAX_REQUEST_BYTES = 400_000_000, 0xFFFF
"""Limits of an answer, and of a request, whose length has four digits."""
MAX_QUOTED = 200
"""Characters quoted of a reason."""


class Device(Struct, frozen=True):
    """A phone that the server knows; ``state`` is ``device`` where it can be used."""

    serial: str
    state: str
    model: str = ""

    @property
    def is_wireless(self) -> bool:
        """Connected over the network: the serial number is an address."""
        return ":" in self.serial or "._tcp" in self.serial


def devices() -> list[Device]:
    """Return the phones that are connected. Raises ``PhoneError``, ``MissingExtraError``."""
    with _answer("host:devices-l") as answer:
        lines = answer.read(int(answer.read(4), 16)).decode("utf-8", "replace").splitlines()
    found = []
    for line in lines:
        serial, _, rest = line.partition("\t") if "\t" in line else line.partition(" ")
        state, *fields = rest.split() or [""]
        named = dict(field.split(":", 1) for field in fields if ":" in field)
        found.append(Device(serial.strip(), state, named.get("model", "").replace("_", " ")))
    return found


def output_of(device: Device, command: str, seconds: float = 0.0) -> bytes:
    """Return the output of a command on a phone, errors too; ``seconds`` lengthens the timeout.

    ``exec:`` gives a command no terminal: it continues to its end where the connection breaks. Raises
    ``PhoneError`` when the connection ends first.
    """
    with _answer(f"host:transport:{device.serial}", f"exec:{command}", seconds=SECONDS + seconds) as answer:
        data = answer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise PhoneError(f"The phone {device.serial} sent more than a picture has.")
    return data


@contextmanager
def _answer(*requests: str, seconds: float = SECONDS) -> Iterator[IO[bytes]]:
    """Send requests on one connection, and give the answer to the last. Raises ``PhoneError``."""
    try:
        with _connection() as server, cast(IO[bytes], server.makefile("rwb")) as stream:
            server.settimeout(seconds)
            for text in requests:
                data = text.encode()
                if len(data) > MAX_REQUEST_BYTES:
                    raise PhoneError(
                        f"A request of {len(data):,} bytes: adb takes {MAX_REQUEST_BYTES:,}.", ""
                    )
                stream.write(b"%04x" % len(data) + data)
                stream.flush()
                if (status := stream.read(4)) == b"OKAY":
                    continue
                if len(status) < 4:
                    raise ConnectionResetError("it ended")
                reason = stream.read(int(stream.read(4), 16)).decode("utf-8", "replace")
                words = " ".join(reason.split())[:MAX_QUOTED].rstrip(".") or "it gives no reason"
                raise PhoneError(f"The phone cannot be reached: {words}.", "Unplug it and plug it in again.")
            yield stream
    except (OSError, ValueError) as error:
        raise PhoneError(
            f"The connection to the phone broke: {error}.", "Check its cable, and try again."
        ) from None


def _connection() -> socket.socket:
    """Connect to the server; start it if necessary."""
    port = whole_number(os.environ.get("ANDROID_ADB_SERVER_PORT", ""), 5) or PORT
    connected = partial(socket.create_connection, ("127.0.0.1", port), SECONDS)
    with suppress(OSError):
        return connected()
    program = shutil.which("adb")
    if program is None:
        raise MissingExtraError(
            "adb is not installed, the program that talks to Android phones.",
            "Install it, on Debian with `apt-get install adb`, or take Android's platform tools.",
        )
    try:
        subprocess.run([program, "start-server"], capture_output=True, timeout=START_SECONDS, check=False)
        return connected()
    except (OSError, subprocess.SubprocessError) as error:
        raise PhoneError(f"The server of adb does not answer: {error}.", "Try `adb start-server`.") from None
