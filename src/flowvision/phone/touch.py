"""Touches on a phone's screen, sent in one request; the finger is lifted in any case.

``input motionevent`` (Android 10 and later) moves one finger round corners. Each ``input`` starts a process
on the phone, so all of a flow goes in one request.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from time import sleep
from typing import TypeAlias

from flowvision.errors import PhoneError, PlayError
from flowvision.phone.adb import MAX_QUOTED, Device, output_of
from flowvision.words import printable, quoted

Place: TypeAlias = tuple[int, int]
"""x and y in pixels of a capture."""
Stroke: TypeAlias = Sequence[Place]
"""Places of the finger from touching down to lifting."""

EVENT_SECONDS = 2.0
"""Timeout per event: ``input`` takes up to 1.2 s on old phones."""
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
            f"{printable(activity.partition('/')[0])} is in front, which is none of {GAMES}*.",
            "Open the level; in another app, play with `--any-app`.",
        )
    return activity


def touch(device: Device, strokes: Sequence[Stroke]) -> int:
    """Draw strokes in one request, and return the number of events. The finger is up afterwards.

    Raises ``PlayError`` where the phone takes no touches, ``PhoneError`` where the connection breaks.
    """
    events = [
        f"input motionevent {way} {x:d} {y:d}"
        for stroke in strokes
        for way, (x, y) in [
            ("DOWN", stroke[0]),
            *(("MOVE", place) for place in stroke[1:]),
            ("UP", stroke[-1]),
        ]
    ]
    try:
        if refusal := _done(device, ";".join(events), EVENT_SECONDS * len(events)):
            words = printable(" ".join(refusal[:MAX_QUOTED].decode("utf-8", "replace").split()))
            raise PlayError(
                f"The phone takes no touches: {words}",
                "Allow them in its developer options: some have “USB debugging (Security settings)”.",
            )
    except BaseException as error:  # Ctrl-C too
        if not _lifted(device, strokes[0][0]):
            error.add_note("  The finger could not be lifted: touch the screen of the phone once.")
        raise
    return len(events)


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
