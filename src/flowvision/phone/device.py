"""Phones and their screens, through adb: captures, the app in front, and touches.

Each ``input`` starts a process on the phone, so all touches of a flow go in one request.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from time import sleep
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct

from flowvision.errors import ImageUnreadableError, MissingExtraError, PhoneError, PlayError
from flowvision.image.codec import decode
from flowvision.image.picture import Bgr
from flowvision.words import count_of, printable, quoted

Place: TypeAlias = tuple[int, int]
"""x and y in pixels of a capture."""
Stroke: TypeAlias = Sequence[Place]
"""Places of the finger from touching down to lifting."""

FOCUS = re.compile(rb"mCurrentFocus=Window\{\S+ (?:u\d+ )?(?:([^\s}]+/[^\s}]+)|([^}\n]*))")
"""The window in front in what ``dumpsys window`` prints: an app's activity, or the name of a window."""
ADB_SECONDS = 30.0
"""Timeout of a request of adb, beside what the phone has to do."""
STRAIGHT_PX = 2
"""Largest distance of a stroke from a swipe, in pixels."""
SWIPE_MS, MS_A_PIXEL = 60, 0.4
"""Time of a swipe: at least, and for each pixel of its longer side."""
GAMES = "com.bigduckgames."
ADS = re.compile(r"\bads?\b|adview|ad(unit|view)?activity", re.IGNORECASE)
"""Activities that show advertisements inside the game's app."""
ALLOW = "Unlock it, and tap Allow when it asks about USB debugging."
ADVICE = {
    "device": ("ready", None),
    "unauthorized": ("has not allowed this computer.", ALLOW),
    "authorizing": ("is asking whether this computer is allowed.", ALLOW),
    "offline": ("is offline.", "Unplug it and plug it in again, or `adb reconnect`."),
    "no": ("may not be used by your account.", "Add yourself to the group plugdev (Android udev rules)."),
}
"""For each unusable state of a phone, its description and the next step."""


class Device(Struct, frozen=True):
    """A phone that adb knows; ``state`` is ``device`` where it can be used."""

    serial: str
    state: str
    model: str = ""


def devices() -> list[Device]:
    """Return the phones that are connected. Raises ``PhoneError``, ``MissingExtraError``."""
    phones = []
    for line in adb("devices", "-l").decode("utf-8", "replace").splitlines()[1:]:
        if words := line.split():
            serial, state, *fields = words
            models = [word.removeprefix("model:") for word in fields if word.startswith("model:")]
            phones.append(Device(serial, state, "".join(models).replace("_", " ")))
    return phones


def output_of(device: Device, command: str, seconds: float = 0.0) -> bytes:
    """Return the output of a command on a phone; ``seconds`` lengthens the timeout. Raises ``PhoneError``.

    If the connection breaks, the command still runs to its end.
    """
    return adb("-s", device.serial, "exec-out", command, seconds=seconds)


def adb(*words: str, seconds: float = 0.0) -> bytes:
    """Return the output of the program adb. Raises ``PhoneError``, ``MissingExtraError``."""
    program = shutil.which("adb")
    if program is None:
        raise MissingExtraError(
            "adb is not installed; Flowvision needs it to talk to Android phones.",
            "Install it: on Debian `apt-get install adb`, elsewhere Android's platform tools.",
        )
    try:
        timeout = ADB_SECONDS + seconds
        process = subprocess.run([program, *words], capture_output=True, timeout=timeout, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        raise PhoneError(f"adb does not answer: {error}.", "Try `adb start-server`.") from None
    if process.returncode:
        raise PhoneError(
            f"The phone cannot be reached: {_quoted(process.stderr)}", "Unplug it and plug it in again."
        )
    return process.stdout


def _quoted(data: bytes) -> str:
    """Return the beginning of what adb printed, in one line."""
    return printable(" ".join(data[:200].decode("utf-8", "replace").split()))


def chosen(serial: str | None) -> Device:
    """Return the phone of that serial number, or the only one, or raise ``PhoneError``."""
    connected = devices()
    if not connected:
        raise PhoneError("No phone is connected.")
    named = [device for device in connected if serial in (None, device.serial)]
    if not named:
        serials_there = ", ".join(device.serial for device in connected)
        raise PhoneError(f"There is no phone {quoted(serial or '')}.", f"Connected: {serials_there}.")
    usable = [device for device in named if device.state == "device"]
    if len(usable) > 1:
        serials = [device.serial for device in usable]
        phones, serials_there = count_of(len(usable), "phone"), ", ".join(serials)
        raise PhoneError(f"{phones} are connected: {serials_there}.", f"Name one: `--serial {serials[0]}`.")
    if usable:
        return usable[0]
    state = named[0].state
    words, hint = ADVICE.get(state, (f"cannot be used: its state is {quoted(state)}.", None))
    raise PhoneError(f"The phone {named[0].serial} {words}", hint)


def capture(device: Device) -> Bgr:
    """Return a phone's screen. Raises ``PhoneError``."""
    try:
        bgr = decode(output_of(device, "screencap -p")).bgr
    except ImageUnreadableError as error:
        raise PhoneError(
            f"The phone {device.serial} sent no picture: {error.message}", "Take the screenshot on the phone."
        ) from None
    if not bgr.any():
        raise PhoneError(
            f"The screen of {device.serial} is black: it is off, or its app forbids captures.",
            "Unlock the phone, and open the level.",
        )
    return bgr


def app_in_front(device: Device, any_app: bool = False) -> str:
    """Return package and activity of the app in front.

    Raises ``PlayError`` for no app, an advertisement, or, unless ``any_app``, another app than the game.
    """
    match = FOCUS.search(output_of(device, "dumpsys window"))
    groups = match.groups(b"") if match else (b"", b"")
    activity, window = (group.decode("utf-8", "replace") for group in groups)
    if not activity:
        window = quoted(window) if window else "something unknown"
        raise PlayError(f"No app is in front, but {window}.", "Unlock the phone, and open the level.")
    app, _, screen = activity.partition("/")
    if ADS.search(screen):
        raise PlayError(f"An advertisement is in front: {printable(activity)}.", "Close it, and play again.")
    if not any_app and not activity.startswith(GAMES):
        raise PlayError(
            f"{printable(app)} is in front, not {GAMES}*.",
            "Open the level; in another app, play with `--any-app`.",
        )
    return activity


def can_hold(device: Device) -> bool:
    """Return true if a phone can keep the finger down (``input motionevent``, Android 10 and later)."""
    return b"motionevent" in output_of(device, "input")


def touch(device: Device, strokes: Sequence[Stroke], holding: bool) -> int:
    """Draw strokes in one request, and return the number of events. The finger is up afterwards.

    ``holding``: keep the finger down, else swipe each straight line. Raises ``PlayError`` if the phone
    accepts no touches, ``PhoneError`` if the connection breaks.
    """
    commands = [command for stroke in strokes for command in (_held(stroke) if holding else _swipes(stroke))]
    request = ";".join(f"input {command}" for command in commands)
    try:
        # An ``input`` takes up to 1.2 s on old phones.
        if refusal := _done(device, request, 2.0 * len(commands)):
            raise PlayError(
                f"The phone refuses touches: {_quoted(refusal)}",
                "Allow them in its developer options: some have “USB debugging (Security settings)”.",
            )
    except BaseException as error:  # Ctrl-C too
        if holding and not _lifted(device, strokes[0][0]):
            error.add_note("  The finger could not be lifted: touch the screen of the phone once.")
        raise
    return len(commands)


def _held(stroke: Stroke) -> list[str]:
    """Return the commands of a finger that touches down, moves from place to place, and lifts."""
    actions = ["DOWN", *["MOVE"] * (len(stroke) - 1), "UP"]
    places = zip(actions, [*stroke, stroke[-1]], strict=True)
    return ["motionevent {} {} {}".format(action, *place) for action, place in places]


def _swipes(stroke: Stroke) -> list[str]:
    """Return the commands that draw a stroke, one for each straight part."""
    places = np.array(stroke, np.int32)
    corners = cv2.approxPolyDP(places, STRAIGHT_PX, closed=False).reshape(-1, 2).tolist()
    swipes = []
    for start, end in pairwise(corners):
        longer = np.abs(np.subtract(start, end)).max()
        swipes.append("swipe {} {} {} {} {:.0f}".format(*start, *end, SWIPE_MS + MS_A_PIXEL * longer))
    return swipes


def _done(device: Device, request: str, seconds: float = 0.0) -> bytes:
    """Return the phone's output for a request. Raises ``PhoneError`` where it did not run to its end.

    If adb loses the phone, the output just ends.
    """
    output = output_of(device, f"{request};echo done", seconds).strip()
    if not output.endswith(b"done"):
        raise PhoneError("The connection to the phone broke.", "Check its cable, and try again.")
    return output.removesuffix(b"done").strip()


def _lifted(device: Device, place: Place) -> bool:
    """Lift the finger; return true if the phone answered, within ten attempts."""
    for _ in range(10):
        with suppress(PhoneError):
            _done(device, "input motionevent UP {:d} {:d}".format(*place))
            return True
        sleep(0.3)
    return False
