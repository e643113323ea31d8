"""Parameters of requests, checked; no HTTP here, so workers check them too."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from msgspec import Struct

from flowvision.reading.options import Options
from flowvision.words import quoted, size_of

COLOUR = re.compile(r"#?[0-9a-fA-F]{6}")
CROP = re.compile(r"-?[0-9]{1,5}(,-?[0-9]{1,5}){3}")
MAX_SIDE = 100
"""Rows or columns of a board whose size is given."""


class RefusedError(Exception):
    """A request that is refused: HTTP ``status``, an error code, a message and a hint."""

    def __init__(self, status: int, code: str, message: str, hint: str = "") -> None:
        super().__init__(status, code, message, hint)
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint


def bad(message: str) -> RefusedError:
    """Return the refusal of a malformed request."""
    return RefusedError(400, "bad-request", message, "docs/web.md lists what each request takes.")


def number(query: Mapping[str, str], name: str, low: float, high: float, usual: float) -> float:
    """Return a number within bounds. Raises ``RefusedError``."""
    word = query.get(name, "")
    try:
        value = float(word) if word else usual
    except ValueError:
        value = float("nan")
    if not (isfinite(value) and low <= value <= high):
        raise bad(f"{name}={quoted(word)} is not a number from {low:g} to {high:g}.")
    return value


def whole(query: Mapping[str, str], name: str, low: int, high: int, usual: int) -> int:
    """Return a whole number within bounds. Raises ``RefusedError``."""
    value = number(query, name, low, high, usual)
    if value != int(value):
        raise bad(f"{name}={quoted(query[name])} is not a whole number.")
    return int(value)


def flag(query: Mapping[str, str], name: str) -> bool:
    """Return a switch; it is off without a word, and with 0, false and no."""
    return query.get(name, "").lower() not in ("", "0", "false", "no")


def reading_options(query: Mapping[str, str], seconds: float) -> Options:
    """Return the options of reading: ``crop``, ``grid``, ``colours``, ``rotate`` and the like.

    Raises ``RefusedError``. For a puzzle that is to be drawn, ``colours`` are those of its flows.
    """
    is_count = bool(query.get("colours")) and "puzzle" not in query
    return Options(
        colours=whole(query, "colours", 1, 400, 1) if is_count else None,
        crop=_crop_box(query.get("crop", "")),
        grid=_grid(query.get("grid", "")),
        rotate=number(query, "rotate", -360, 360, 0),
        keep_drawn=flag(query, "keep_drawn"),
        seconds=number(query, "limit", 0.01, seconds, seconds),
    )


def _crop_box(word: str) -> tuple[int, int, int, int] | None:
    """Return the part of the picture to read, which may reach out of it."""
    if not word:
        return None
    x, y, width, height = map(int, word.split(",")) if CROP.fullmatch(word) else (0, 0, 0, 0)
    if min(width, height) < 1:
        raise bad(f"crop={quoted(word)} is not X,Y,WIDTH,HEIGHT in pixels, such as 0,420,1080,1080.")
    return x, y, width, height


def _grid(word: str) -> str | None:
    try:
        size = size_of(word) if word else (2, 2)
    except ValueError:
        size = (0, 0)
    if not 2 <= min(size) <= max(size) <= MAX_SIDE:
        raise bad(f"grid={quoted(word)} is not COLSxROWS with 2 to {MAX_SIDE} of each, such as 6x8.")
    return word or None


def frame(words: str) -> tuple[float, ...]:
    """Return nine finite numbers with commas between them, or none. Raises ``RefusedError``."""
    try:
        numbers = tuple(float(word) for word in words.split(",")) if words else ()
    except ValueError:
        numbers = (0.0,)
    if len(numbers) not in (0, 9) or not all(map(isfinite, numbers)):
        raise bad("frame is not nine numbers with commas between them.")
    return numbers


def colours(words: str) -> tuple[str, ...]:
    """Return colours as #rrggbb with commas between them. Raises ``RefusedError``."""
    given = tuple(words.split(",")) if words else ()
    if not all(COLOUR.fullmatch(colour) for colour in given):
        raise bad("colours are not #rrggbb with commas between them.")
    return given


class PuzzleBody(Struct, frozen=True):
    """A puzzle in any written form, the parameters, and steps that are drawn already (pairs of cells)."""

    puzzle: str
    asked: dict[str, str]
    known: tuple[Any, ...] = ()


def puzzle_body(body: bytes, query: Mapping[str, str]) -> PuzzleBody:
    """Return a puzzle that is alone, or in an object with parameters. Raises ``RefusedError``."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise bad("The body is no text: a puzzle in text form or as a record was expected.") from None
    try:
        given = json.loads(text) if text.lstrip().startswith("{") else {}
    except (ValueError, RecursionError):  # several records, one a line, or nonsense: the parser says which
        given = {}
    if "puzzle" not in given:
        return PuzzleBody(text, dict(query))
    puzzle, known = given.pop("puzzle"), given.pop("known", None) or []
    if not isinstance(known, list):
        raise bad("known is not a list of steps.")
    asked = {name: str(int(value) if isinstance(value, bool) else value) for name, value in given.items()}
    return PuzzleBody(
        puzzle if isinstance(puzzle, str) else json.dumps(puzzle), {**query, **asked}, tuple(known)
    )
