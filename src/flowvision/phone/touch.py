"""A finger on a phone's screen: what it touches, sent in one request, and lifted whatever happens.

``input motionevent`` moves one finger round corners; phones without it (up to Android 9) get ``input swipe``,
a straight line each. Each ``input`` starts a process on the phone, so all of a flow goes in one request.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from time import sleep
from typing import Literal, TypeAlias

from flowvision.errors import PhoneError, PlayError
from flowvision.phone.adb import Device, output_of
from flowvision.words import printable, quoted

Place: TypeAlias = tuple[int, int]
"""x and y in pixels of a capture."""
Stroke: TypeAlias = Sequence[Place]
"""Where the finger goes down, on to, and up again."""
Method: TypeAlias = Literal["motionevent", "swipe"]

STRAIGHT_MS = 60
"""Duration of a swipe before its length counts."""
PITCH_MS = 0.4
"""Duration of a swipe per pixel: 40 ms for a cell of 100 px."""
EVENT_SECONDS = 2.0
"""Timeout per event: ``input`` takes up to 1.2 s on old phones."""
LIFTS, LIFT_PAUSE = 10, 0.3
"""How often, and after how many seconds each, the finger is lifted through a connection that broke."""
SAID = 200
"""Characters of a phone's message that are quoted."""

RECEIPT = "done"
"""The receipt that the phone's shell sends after the last event."""

FOCUS = re.compile(rb"mCurrentFocus=Window\{\S+ (?:u\d+ )?(?:([^\s}]+/[^\s}]+)|([^}\n]*))")
"""The window in front in what ``dumpsys window`` prints: an app's activity, or the name of a window."""
GAMES = "com.bigduckgames."
"""The beginning of the names of the game's apps."""
ADS = re.compile(r"\bads?\b|adview|ad(unit|view)?activity", re.IGNORECASE)
"""Activities that show advertisements inside the game's app."""


def method_of(device: Device) -> Method:
    """How the phone can be touched: its own usage of ``input`` says so."""
    return "motionevent" if b"motionevent" in output_of(device, "input") else "swipe"


def app_in_front(device: Device, any_app: bool = False) -> str:
    """Package and activity of the app in front.

    Raises ``PlayError`` where that is none of the game's, unless ``any_app``, an advertisement, or no app.
    """
    found = FOCUS.search(output_of(device, "dumpsys window"))
    activity = found[1].decode("utf-8", "replace") if found and found[1] else ""
    window = quoted(found[2].decode("utf-8", "replace")) if found and found[2] else "something unknown"
    if not activity:
        raise PlayError(f"No app is in front, but {window}.", "Unlock the phone, and open the level.")
    if ADS.search(activity.partition("/")[2]):
        raise PlayError(f"An advertisement is in front: {printable(activity)}.", "Close it, and play again.")
    if not any_app and not activity.startswith(GAMES):
        raise PlayError(
            f"{printable(activity.partition('/')[0])} is in front, which is none of {GAMES}*.",
            "Open the level; in another app, play with `--any-app`.",
        )
    return activity


def touch(device: Device, strokes: Sequence[Stroke], method: Method) -> int:
    """Draw strokes, in one request; how many events that were. The finger is up afterwards in any case.

    Raises ``PlayError`` where the phone takes no touches, ``PhoneError`` where the connection breaks.
    """
    commands = [command for stroke in strokes for command in _commands(stroke, method)]
    request = ";".join(f"input {command}" for command in commands)
    try:
        if said := _done(device, request, EVENT_SECONDS * len(commands)):
            words = printable(" ".join(said[:SAID].decode("utf-8", "replace").split()))
            raise PlayError(
                f"The phone takes no touches: {words}",
                "Allow them in its developer options: some have “USB debugging (Security settings)”.",
            )
    except BaseException as error:  # Ctrl-C too
        if method == "motionevent" and not _lifted(device, strokes[0][0]):
            error.add_note("  The finger could not be lifted: touch the screen of the phone once.")
        raise
    return len(commands)


def tap(device: Device, place: Place) -> None:
    """Touch one place shortly."""
    output_of(device, f"input tap {place[0]:d} {place[1]:d}")


def _commands(stroke: Stroke, method: Method) -> list[str]:
    """The arguments of ``input``, in numbers alone."""
    if method == "motionevent":
        ways = ["DOWN", *["MOVE"] * (len(stroke) - 1)]
        moves = [f"motionevent {way} {x:d} {y:d}" for way, (x, y) in zip(ways, stroke, strict=True)]
        return [*moves, "motionevent UP {:d} {:d}".format(*stroke[-1])]
    triples = zip(stroke, stroke[1:], stroke[2:], strict=False)
    corners = [stroke[0], *(three[1] for three in triples if _turns(*three)), stroke[-1]]
    return [
        f"swipe {x:d} {y:d} {u:d} {v:d} {STRAIGHT_MS + PITCH_MS * max(abs(u - x), abs(v - y)):.0f}"
        for (x, y), (u, v) in pairwise(corners)
    ]


def _turns(before: Place, at: Place, after: Place) -> bool:
    """Whether the way bends there by more than two pixels that rounding makes."""
    (x, y), (u, v) = (at[0] - before[0], at[1] - before[1]), (after[0] - at[0], after[1] - at[1])
    return x * u + y * v <= 0 or abs(x * v - y * u) > 2 * max(abs(x) + abs(y), abs(u) + abs(v))


def _done(device: Device, request: str, seconds: float = 0.0) -> bytes:
    """The phone's answer to a request that it carried out to its end.

    Raises ``PhoneError`` where it did not: where adb loses the phone, its answer ends without a word.
    """
    said = output_of(device, f"{request};echo {RECEIPT}", seconds).strip()
    if not said.endswith(RECEIPT.encode()):
        raise PhoneError("The connection to the phone broke: it ended.", "Check its cable, and try again.")
    return said.removesuffix(RECEIPT.encode()).strip()


def _lifted(device: Device, place: Place) -> bool:
    """Lift the finger; the phone may be back only after a while."""
    for _ in range(LIFTS):
        with suppress(PhoneError):
            _done(device, "input motionevent UP {:d} {:d}".format(*place))
            return True
        sleep(LIFT_PAUSE)
    return False
