"""A phone's screen: the choice of a phone, captures, the app in front, and touches.

Each ``input`` starts a process on the phone, so all touches of a flow go in one request.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from time import sleep
from typing import TypeAlias

import cv2
import numpy as np

from flowvision.errors import PhoneError, PlayError
from flowvision.image.codec import decode
from flowvision.image.opening import PNG_START, check_shape
from flowvision.image.picture import Bgr
from flowvision.phone.adb import MAX_QUOTED, Device, output_of
from flowvision.words import count_of, printable, quoted

Place: TypeAlias = tuple[int, int]
"""x and y in pixels of a capture."""
Stroke: TypeAlias = Sequence[Place]
"""Places of the finger from touching down to lifting."""

EVENT_SECONDS = 2.0
"""Timeout per event: ``input`` takes up to 1.2 s on old phones."""
SWIPE_MS, MS_PER_PX = 60, 0.4
"""Duration of a swipe: 40 ms more for a cell of 100 px."""
LIFTS, LIFT_PAUSE = 10, 0.3
"""Attempts to lift the finger through a broken connection, and the seconds between them."""
RECEIPT = b"done"
"""Printed by the phone's shell after the last event."""
FOCUS = re.compile(rb"mCurrentFocus=Window\{\S+ (?:u\d+ )?(?:([^\s}]+/[^\s}]+)|([^}\n]*))")
"""The window in front in what ``dumpsys window`` prints: an app's activity, or the name of a window."""
GAMES = "com.bigduckgames."
"""The beginning of the names of the game's apps."""
ADS = re.compile(r"\bads?\b|adview|ad(unit|view)?activity", re.IGNORECASE)
"""Activities that show advertisements inside the game's app."""
RGBA = 1
"""The format of a raw capture: four bytes a pixel, red first."""
HEADERS = (16, 12)
"""Bytes before the pixels of a raw capture: width, height, format and, since Android 9, colour space."""
ALLOW = "Unlock it, and tap Allow in its question about USB debugging."
ADVICE = {
    "unauthorized": ("has not allowed this computer.", ALLOW),
    "authorizing": ("is asking whether this computer is allowed.", ALLOW),
    "offline": ("is offline.", "Unplug it and plug it in again, or `adb reconnect`."),
    "no": ("may not be used by your account.", "Add yourself to the group plugdev (Android udev rules)."),
}
"""Words about a phone in a state in which it cannot be used, and the next step."""


def chosen(devices: Sequence[Device], serial: str | None) -> Device:
    """Return the phone of that serial number, or the only one, or raise ``PhoneError``."""
    if not devices:
        raise PhoneError("No phone is connected.")
    named = [device for device in devices if serial in (None, device.serial)]
    if not named:
        there = ", ".join(device.serial for device in devices)
        raise PhoneError(f"There is no phone {quoted(serial or '')}.", f"Connected: {there}.")
    usable = [device for device in named if device.state == "device"]
    if len(usable) > 1:
        raise PhoneError(
            f"{count_of(len(usable), 'phone')} are connected: {', '.join(one.serial for one in usable)}.",
            f"Name one: `--serial {usable[0].serial}`.",
        )
    if usable:
        return usable[0]
    state = named[0].state
    words, hint = ADVICE.get(state, (f"cannot be used: its state is {quoted(state)}.", None))
    raise PhoneError(f"The phone {named[0].serial} {words}", hint)


def state_in_words(device: Device) -> str:
    """Return ``ready``, or the reason for which a phone cannot be used."""
    return "ready" if device.state == "device" else ADVICE.get(device.state, (device.state,))[0].rstrip(".")


def capture(device: Device) -> Bgr:
    """Return a phone's screen, sent as pixels over USB, as PNG over the network. Raises ``PhoneError``."""
    data = output_of(device, "screencap -p" if device.is_wireless else "screencap")
    if device.is_wireless:
        bgr = decode(data).bgr if data.startswith(PNG_START) else None
    else:
        bgr = _raw_pixels(data)
    if bgr is None:
        text = data[:MAX_QUOTED].decode("ascii", "replace").strip()
        is_text = text and text.isascii() and text.isprintable()
        words = text if is_text else f"{len(data):,} bytes that are no capture"
        raise PhoneError(
            f"The phone {device.serial} sent no picture: {words}.", "Take the screenshot on the phone."
        )
    if not bgr.any():
        raise PhoneError(
            f"The screen of {device.serial} is black: it is off, or shows what may not be captured.",
            "Unlock the phone, and open the level.",
        )
    return bgr


def _raw_pixels(data: bytes) -> Bgr | None:
    """Return the pixels of a raw capture, or ``None``."""
    width, height, kind = struct.unpack_from("<III", data) if len(data) >= HEADERS[1] else (0, 0, 0)
    header = len(data) - 4 * width * height
    if kind != RGBA or header not in HEADERS:
        return None
    check_shape(width, height)
    rgba = np.frombuffer(data, np.uint8, offset=header).reshape(height, width, 4)
    return np.asarray(cv2.cvtColor(rgba, cv2.COLOR_RGBA2BGR), np.uint8)


def app_in_front(device: Device, any_app: bool = False) -> str:
    """Return package and activity of the app in front.

    Raises ``PlayError`` for other apps than the game's, unless ``any_app``, an advertisement, or no app.
    """
    found = FOCUS.search(output_of(device, "dumpsys window"))
    activity = found[1].decode("utf-8", "replace") if found and found[1] else ""
    if not activity:
        window = quoted(found[2].decode("utf-8", "replace")) if found and found[2] else "something unknown"
        raise PlayError(f"No app is in front, but {window}.", "Unlock the phone, and open the level.")
    if ADS.search(activity.partition("/")[2]):
        raise PlayError(f"An advertisement is in front: {printable(activity)}.", "Close it, and play again.")
    if not any_app and not activity.startswith(GAMES):
        raise PlayError(
            f"{printable(activity.partition('/')[0])} is in front, not {GAMES}*.",
            "Open the level; in another app, play with `--any-app`.",
        )
    return activity


def can_hold(device: Device) -> bool:
    """Tell if a phone moves a finger that stays down: Android 10 and later have ``input motionevent``."""
    return b"motionevent" in output_of(device, "input")


def touch(device: Device, strokes: Sequence[Stroke], holding: bool) -> int:
    """Draw strokes in one request, and return the number of events. The finger is up afterwards.

    ``holding``: with a finger that stays down, else a swipe for each straight line. Raises ``PlayError``
    where the phone takes no touches, ``PhoneError`` where the connection breaks.
    """
    commands = [command for stroke in strokes for command in (_held(stroke) if holding else _swipes(stroke))]
    request = ";".join(f"input {command}" for command in commands)
    try:
        if refusal := _done(device, request, EVENT_SECONDS * len(commands)):
            words = printable(" ".join(refusal[:MAX_QUOTED].decode("utf-8", "replace").split()))
            raise PlayError(
                f"The phone takes no touches: {words}",
                "Allow them in its developer options: some have “USB debugging (Security settings)”.",
            )
    except BaseException as error:  # Ctrl-C too
        if holding and not _lifted(device, strokes[0][0]):
            error.add_note("  The finger could not be lifted: touch the screen of the phone once.")
        raise
    return len(commands)


def _held(stroke: Stroke) -> list[str]:
    ways = ["DOWN", *["MOVE"] * (len(stroke) - 1), "UP"]
    places = zip(ways, [*stroke, stroke[-1]], strict=True)
    return [f"motionevent {way} {x:d} {y:d}" for way, (x, y) in places]


def _swipes(stroke: Stroke) -> list[str]:
    triples = zip(stroke, stroke[1:], stroke[2:], strict=False)
    corners = [stroke[0], *(three[1] for three in triples if _turns(*three)), stroke[-1]]
    return [
        f"swipe {x:d} {y:d} {u:d} {v:d} {SWIPE_MS + MS_PER_PX * max(abs(u - x), abs(v - y)):.0f}"
        for (x, y), (u, v) in pairwise(corners)
    ]


def _turns(before: Place, at: Place, after: Place) -> bool:
    """Tell if a line bends by more than the two pixels of rounding."""
    (x, y), (u, v) = (at[0] - before[0], at[1] - before[1]), (after[0] - at[0], after[1] - at[1])
    return x * u + y * v <= 0 or abs(x * v - y * u) > 2 * max(abs(x) + abs(y), abs(u) + abs(v))


def _done(device: Device, request: str, seconds: float = 0.0) -> bytes:
    """Return the phone's output for a request. Raises ``PhoneError`` where it did not run to its end.

    Where adb loses the phone, the answer ends without a word.
    """
    output = output_of(device, f"{request};echo {RECEIPT.decode()}", seconds).strip()
    if not output.endswith(RECEIPT):
        raise PhoneError("The connection to the phone broke: it ended.", "Check its cable, and try again.")
    return output.removesuffix(RECEIPT).strip()


def _lifted(device: Device, place: Place) -> bool:
    """Lift the finger; the phone may be back only after a while."""
    for _ in range(LIFTS):
        with suppress(PhoneError):
            _done(device, "input motionevent UP {:d} {:d}".format(*place))
            return True
        sleep(LIFT_PAUSE)
    return False
