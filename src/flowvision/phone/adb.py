"""The protocol of the adb server, as far as it is needed: which phones are connected, and a command on one.

A request is its length in four hexadecimal digits and its text; the server answers ``OKAY`` or ``FAIL`` and a
reason (``OVERVIEW.TXT`` and ``SERVICES.TXT`` of the Android platform's adb). A socket of our own takes a
twentieth of the time of starting the ``adb`` program for each request.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from contextlib import suppress

from flowvision.errors import MissingExtraError, PhoneError
from flowvision.value import value_type
from flowvision.words import whole_number

PORT = 5037
"""Where the server listens unless ``ANDROID_ADB_SERVER_PORT`` says otherwise, as adb itself has it."""
SECONDS = 20.0
"""Timeout for an answer: a capture takes at most some seconds, also over Wi-Fi."""
START_SECONDS = 30.0
"""Timeout for starting the server."""
LONGEST = 400_000_000
"""Bytes of an answer."""
LONGEST_REQUEST = 0xFFFF
"""Bytes of a request: its length has four digits."""
SAID = 200
"""Characters of a reason that are quoted."""


@value_type
class Device:
    """A phone that the server knows; ``state`` is ``device`` where it can be used."""

    serial: str
    state: str
    model: str = ""

    @property
    def is_wireless(self) -> bool:
        """Whether it is connected over the network: its serial number is an address then."""
        return ":" in self.serial or "._tcp" in self.serial


def devices() -> list[Device]:
    """The phones that are connected. Starts the server. Raises ``PhoneError``, ``MissingExtraError``."""
    with _connection() as server:
        _request(server, "host:devices-l")
        length = int(_exactly(server, 4), 16)
        lines = _exactly(server, length).decode("utf-8", "replace").splitlines()
    found = []
    for line in lines:
        serial, _, rest = line.partition("\t") if "\t" in line else line.partition(" ")
        state, *fields = rest.split() or [""]
        named = dict(field.split(":", 1) for field in fields if ":" in field)
        found.append(Device(serial.strip(), state, named.get("model", "").replace("_", " ")))
    return found


def output_of(device: Device, command: str, seconds: float = 0.0) -> bytes:
    """The output of a command on a phone, errors too; ``seconds``: longer than usual to wait for it.

    ``exec:`` gives a command no terminal: it goes on to its end where the connection breaks. Raises
    ``PhoneError`` when the connection ends before it does.
    """
    with _connection() as server:
        server.settimeout(SECONDS + seconds)
        _request(server, f"host:transport:{device.serial}")
        _request(server, f"exec:{command}")
        data = bytearray()
        while part := _some(server, 1 << 20):
            data += part
            if len(data) > LONGEST:
                raise PhoneError(f"The phone {device.serial} sent more than a picture has.")
    return bytes(data)


def _connection() -> socket.socket:
    """A connection to the server, which is started where there is none."""
    with suppress(OSError):
        return _connected()
    program = shutil.which("adb")
    if program is None:
        raise MissingExtraError(
            "adb is not installed, the program that talks to Android phones.",
            "Install it, on Debian with `apt-get install adb`, or take Android's platform tools.",
        )
    try:
        subprocess.run([program, "start-server"], capture_output=True, timeout=START_SECONDS, check=False)
        return _connected()
    except (OSError, subprocess.SubprocessError) as error:
        raise PhoneError(f"The server of adb does not answer: {error}.", "Try `adb start-server`.") from None


def _connected() -> socket.socket:
    port = whole_number(os.environ.get("ANDROID_ADB_SERVER_PORT", ""), 5) or PORT
    return socket.create_connection(("127.0.0.1", port), SECONDS)


def _request(server: socket.socket, text: str) -> None:
    """Ask for something. Raises ``PhoneError`` with the reason when it is refused."""
    data = text.encode()
    if len(data) > LONGEST_REQUEST:
        raise PhoneError(f"A request of {len(data):,} bytes: adb takes {LONGEST_REQUEST:,}.", "")
    try:
        server.sendall(b"%04x" % len(data) + data)
    except OSError as error:
        raise _broken(error) from None
    if _exactly(server, 4) != b"OKAY":
        length = _exactly(server, 4)
        reason = _exactly(server, int(length, 16)).decode("utf-8", "replace") if length.isalnum() else ""
        said = " ".join(reason.split())[:SAID].rstrip(".") or "it gives no reason"
        raise PhoneError(f"The phone cannot be reached: {said}.", "Unplug it and plug it in again.")


def _exactly(server: socket.socket, count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        part = _some(server, count - len(data))
        if not part:
            raise _broken("it ended")
        data += part
    return bytes(data)


def _some(server: socket.socket, most: int) -> bytes:
    try:
        return server.recv(most)
    except OSError as error:
        raise _broken(error) from None


def _broken(why: object) -> PhoneError:
    return PhoneError(f"The connection to the phone broke: {why}.", "Check its cable, and try again.")
