"""The choice of a phone, and a picture of its screen."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import cv2
import numpy as np

from flowvision.errors import PhoneError
from flowvision.image.codec import decode
from flowvision.image.opening import PNG_START, check_shape
from flowvision.image.picture import Bgr
from flowvision.phone.adb import MAX_QUOTED, Device, output_of
from flowvision.words import count_of, quoted

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
    """Return the phone of that serial number, or the only one. Raises ``PhoneError`` when there is none."""
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
    """(H, W, 3) BGR: a phone's screen; raw pixels over USB, a PNG over the network.

    Raises ``PhoneError`` when there is no picture, or nothing on it.
    """
    data = output_of(device, "screencap -p" if device.is_wireless else "screencap")
    if not device.is_wireless:
        bgr = _raw_pixels(data)
    else:
        bgr = decode(data).bgr if data.startswith(PNG_START) else None
    if bgr is None:
        text = data[:MAX_QUOTED].decode("ascii", "replace").strip()
        is_text = text and text.isascii() and text.isprintable()
        words = text if is_text else f"{len(data):,} bytes that are no capture"
        hint = "Take the screenshot on the phone."
        raise PhoneError(f"The phone {device.serial} sent no picture: {words}.", hint)
    if not bgr.any():
        raise PhoneError(
            f"The screen of {device.serial} is black: it is off, or shows what may not be captured.",
            "Unlock the phone, and open the level.",
        )
    return bgr


def _raw_pixels(data: bytes) -> Bgr | None:
    """(H, W, 3) BGR of a raw capture; ``None`` for anything else."""
    width, height, kind = struct.unpack_from("<III", data) if len(data) >= HEADERS[1] else (0, 0, 0)
    header = len(data) - 4 * width * height
    if kind != RGBA or header not in HEADERS:
        return None
    check_shape(width, height)
    rgba = np.frombuffer(data, np.uint8, offset=header).reshape(height, width, 4)
    return np.asarray(cv2.cvtColor(rgba, cv2.COLOR_RGBA2BGR), np.uint8)
