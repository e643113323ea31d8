"""What a request asks for: its body, counted while it arrives; numbers and words, checked."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from starlette.requests import ClientDisconnect, Request

from flowvision.reading.options import Options
from flowvision.value import value_type
from flowvision.web.jobs import RefusedError
from flowvision.words import quoted, size_of, whole_number

COLOUR = re.compile(r"#?[0-9a-fA-F]{6}")

LARGEST_SIDE = 100
"""Rows or columns of a board whose size is given."""


def number(query: Mapping[str, str], name: str, least: float, most: float, usual: float) -> float:
    """A number within bounds. Raises ``RefusedError``."""
    word = query.get(name, "")
    try:
        value = float(word) if word else usual
    except ValueError:
        value = float("nan")
    if not (isfinite(value) and least <= value <= most):
        raise bad(f"{name}={quoted(word)} is not a number from {least:g} to {most:g}.")
    return value


def whole(query: Mapping[str, str], name: str, least: int, most: int, usual: int) -> int:
    """A whole number within bounds. Raises ``RefusedError``."""
    value = number(query, name, least, most, usual)
    if value != int(value):
        raise bad(f"{name}={quoted(query[name])} is not a whole number.")
    return int(value)


def crop_box(query: Mapping[str, str]) -> tuple[int, int, int, int] | None:
    """The part of the picture to look at, which may reach out of it. Raises ``RefusedError``."""
    word = query.get("crop", "")
    if not word:
        return None
    if not re.fullmatch(r"-?[0-9]{1,5}(,-?[0-9]{1,5}){3}", word):
        raise bad(f"crop={quoted(word)} is not 4 whole numbers with ',' between them.")
    x, y, width, height = map(int, word.split(","))
    if min(width, height) < 1:
        raise bad("crop is X,Y,WIDTH,HEIGHT in pixels, such as 0,420,1080,1080.")
    return x, y, width, height


def flag(query: Mapping[str, str], name: str) -> bool:
    """Whether something is asked for."""
    return query.get(name, "").lower() not in ("", "0", "false", "no")


def reading_options(query: Mapping[str, str], seconds: float) -> Options:
    """How a picture is to be read: ``crop``, ``grid``, ``colours``, ``rotate`` and the like."""
    grid = query.get("grid") or None
    if grid and not _is_size(grid):
        raise bad(f"grid={quoted(grid)} is not COLSxROWS with 2 to 100 of each, such as 6x8.")
    # Of a puzzle that is to be drawn, colours are those of its flows.
    is_count = bool(query.get("colours")) and "puzzle" not in query
    return Options(
        colours=whole(query, "colours", 1, 400, 1) if is_count else None,
        crop=crop_box(query),
        grid=grid,
        rotate=number(query, "rotate", -360, 360, 0),
        keep_drawn=flag(query, "keep_drawn"),
        seconds=number(query, "limit", 0.01, seconds, seconds),
    )


def _is_size(text: str) -> bool:
    try:
        size = size_of(text)
    except ValueError:
        return False
    return min(size) >= 2 and max(size) <= LARGEST_SIDE


@value_type
class PuzzleBody:
    """A puzzle in any written form, and what is asked about it."""

    puzzle: str
    asked: dict[str, str]
    known: tuple[Any, ...] = ()
    """Steps that are drawn already: pairs of cells."""


def puzzle_body(body: bytes, query: Mapping[str, str]) -> PuzzleBody:
    """A puzzle alone, or an object with the ``puzzle`` (text or record) and what the query may say too."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise bad("The body is no text: a puzzle in text form or as a record was expected.") from None
    if not text.lstrip().startswith("{"):
        return PuzzleBody(text, dict(query))
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):  # several records, one a line, or nonsense: the parser says which
        return PuzzleBody(text, dict(query))
    if "puzzle" not in given:
        return PuzzleBody(text, dict(query))
    puzzle, known = given["puzzle"], given.get("known") or []
    if not isinstance(known, list):
        raise bad("known is not a list of steps.")
    asked = {name: _word(value) for name, value in given.items() if name not in ("puzzle", "known")}
    written = puzzle if isinstance(puzzle, str) else json.dumps(puzzle)
    return PuzzleBody(written, {**query, **asked}, tuple(known))


def _word(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def bad(message: str) -> RefusedError:
    """The refusal of a request that is not of the right form."""
    return RefusedError(400, "bad-request", message, "docs/web.md lists what each request takes.")


def frame(words: str) -> tuple[float, ...]:
    """Nine finite numbers with commas between them, or none. Raises ``RefusedError``."""
    if not words:
        return ()
    try:
        numbers = tuple(float(word) for word in words.split(","))
    except ValueError:
        numbers = ()
    if len(numbers) != 9 or not all(map(isfinite, numbers)):
        raise bad("frame is not nine numbers with commas between them.")
    return numbers


def colours(query: Mapping[str, str]) -> tuple[str, ...]:
    """Colours as #rrggbb with commas between them. Raises ``RefusedError``."""
    words = query.get("colours", "")
    given = tuple(words.split(",")) if words else ()
    if not all(COLOUR.fullmatch(colour) for colour in given):
        raise bad("colours are not #rrggbb with commas between them.")
    return given


async def read_body(request: Request, most: int, seconds: float) -> bytes:
    """The whole body, in memory. Raises ``RefusedError`` when it is too long, too slow or of parts."""
    kind = request.headers.get("content-type", "").lower()
    if kind.startswith("multipart/"):
        raise RefusedError(
            415,
            "not-bytes",
            "The body is a form of several parts; the bytes of the picture or text were expected.",
            "With curl: `--data-binary @shot.png`, not `-F`.",
        )
    length = whole_number(request.headers.get("content-length", "0"))
    if length is None or length > most:
        raise _too_long(most)
    try:
        async with asyncio.timeout(seconds):
            return await _counted(request, most)
    except TimeoutError:
        raise RefusedError(
            408, "too-slow", f"The body did not arrive within {seconds:g} s.", "Send it again."
        ) from None
    except ClientDisconnect:
        raise RefusedError(400, "gone", "The connection ended before the body did.") from None


async def _counted(request: Request, most: int) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise _too_long(most)
    return bytes(body)


def _too_long(most: int) -> RefusedError:
    size = f"{most >> 20} MB" if most >= 1 << 20 else f"{most >> 10} kB"
    return RefusedError(413, "too-large", f"At most {size} are taken.", "Send a smaller picture or text.")
