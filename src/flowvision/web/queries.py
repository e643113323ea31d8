"""Read and check requests, and answer those that fail."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse

from flowvision.contract import error_object
from flowvision.errors import CrashedError, FlowvisionError, shortage_of
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.reading.options import Options
from flowvision.web.written import PAGE, puzzle_of
from flowvision.words import quoted, whole_number

SIDE = "([2-9]|[1-9][0-9]|100)"
Crop = Annotated[str, Meta(pattern=r"^(-?[0-9]{1,5},){2}[1-9][0-9]{0,4},[1-9][0-9]{0,4}$")]
Grid = Annotated[str, Meta(pattern=f"^{SIDE}(x{SIDE})?$")]
Seconds = Annotated[float, Meta(ge=0.01, le=3600)]
Degrees = Annotated[float, Meta(ge=-360, le=360)]
Marks = Annotated[int, Meta(ge=0, le=1600)]
Colours = Annotated[int, Meta(ge=1, le=400)]
Place = int | tuple[int, int]
NUMBER = r"-?[0-9]{1,20}(\.[0-9]{1,30})?([eE][-+]?[0-9]{1,3})?"
Matrix = Annotated[str, Meta(pattern=f"^{NUMBER}(,{NUMBER}){{8}}$")]
HexColours = Annotated[str, Meta(pattern="^#?[0-9a-fA-F]{6}(,#?[0-9a-fA-F]{6})*$")]
Checked = TypeVar("Checked", bound=Struct)


class RefusedError(Exception):
    """A request that is refused: HTTP ``status``, an error code, a message and a hint."""

    def __init__(self, status: int, code: str, message: str, hint: str = "") -> None:
        super().__init__(status, code, message, hint)
        self.status, self.code, self.message, self.hint = status, code, message, hint


def bad(message: str) -> RefusedError:
    """Return the refusal of a malformed request."""
    return RefusedError(400, "bad-request", message, "docs/web.md lists what each request takes.")


def failure_reply(error: BaseException) -> JSONResponse:
    """Return the HTTP answer for an error; a bug in a worker is named only by its kind.

    422: cannot be read or solved. 500: a fault of Flowvision. 503: the server ends.
    """
    if isinstance(error, asyncio.CancelledError):
        error = RefusedError(503, "stopped", "Flowvision was stopped.", "Start `flowvision web` again.")
    if isinstance(error, RefusedError):
        body = {"code": error.code, "message": error.message, "hint": error.hint}
        return JSONResponse({"ok": False, "error": body}, error.status)
    if not isinstance(error, FlowvisionError):
        error = shortage_of(error) or CrashedError(f"{type(error).__name__} in a worker.")
    described = error_object("", error)
    described["error"] |= PAGE.error_object(error)
    return JSONResponse(described, 500 if isinstance(error, CrashedError) else 422)


async def read_body(request: Request, max_bytes: int, seconds: float) -> bytes:
    """Return the whole body. Raises ``RefusedError`` if it is too long, too slow or multipart."""
    if request.headers.get("content-type", "").lower().startswith("multipart/"):
        raise RefusedError(
            415,
            "not-bytes",
            "The body is multipart; the bytes of the picture or text were expected.",
            "With curl: `--data-binary @shot.png`, not `-F`.",
        )
    size = f"{max_bytes >> 20} MB" if max_bytes >= 1 << 20 else f"{max_bytes >> 10} kB"
    too_long = RefusedError(413, "too-large", f"The limit is {size}.", "Send a smaller picture or text.")
    length = whole_number(request.headers.get("content-length", "0"))
    if length is None or length > max_bytes:
        raise too_long
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > max_bytes:
                    raise too_long
    except TimeoutError:
        message = f"The body did not arrive within {seconds:g} s."
        raise RefusedError(408, "too-slow", message, "Send it again.") from None
    except ClientDisconnect:
        raise RefusedError(400, "gone", "The connection ended before the body did.") from None
    return bytes(body)


def checked(query: Mapping[str, Any], kind: type[Checked]) -> Checked:
    """Return the parameters of a kind, as numbers and switches. Raises ``RefusedError``."""
    given = {name: value for name, value in query.items() if value != ""}
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        name = str(error).partition("$.")[2].rstrip("`")
        raise bad(f"{name}={quoted(str(given.get(name, '')))}: {error}.") from None


class ReadingQuery(Struct):
    """Parameters of reading a picture."""

    crop: Crop = ""
    grid: Grid | None = None
    colours: Colours | None = None
    rotate: Degrees = 0.0
    keep_drawn: bool = False
    limit: Seconds = 3600.0

    def options(self, seconds: float) -> Options:
        """Return the options of reading within this time; the crop may reach beyond the picture."""
        x, y, width, height = map(int, self.crop.split(",")) if self.crop else (0, 0, 0, 0)
        return Options(
            seconds=min(self.limit, seconds),
            grid=self.grid,
            colours=self.colours,
            crop=(x, y, width, height) if self.crop else None,
            rotate=self.rotate,
            keep_drawn=self.keep_drawn,
        )


class DrawingQuery(Struct):
    """Parameters of drawing a puzzle; ``frame``: cell units to pixels, nine numbers, row by row."""

    puzzle: str = ""
    colours: HexColours = ""
    frame: Matrix = ""
    rotate: Degrees = 0.0
    limit: Seconds = 3600.0


class PuzzleQuery(Struct):
    """Parameters of work on a puzzle; ``known``: steps that are drawn already (pairs of cells)."""

    count: Annotated[int, Meta(ge=0, le=1000)] = 0
    repair: bool = False
    kind: str = "next"
    names: str = ""
    known: list[tuple[Place, Place]] = []
    limit: Seconds = 3600.0


class GeneratingQuery(Struct):
    """Parameters of a new puzzle."""

    size: str = "7x7"
    tiling: Literal["square", "hex"] = "square"
    colours: Annotated[int, Meta(ge=0, le=800)] = 0
    seed: Annotated[int, Meta(ge=0, le=1 << 40)] = 0
    difficulty: str = ""
    holes: Marks = 0
    walls: Marks = 0
    bridges: Marks = 0
    warps: Marks = 0
    limit: Seconds = 3600.0


def puzzle_in(body: bytes, query: Mapping[str, str]) -> tuple[NamedPuzzle, PuzzleQuery]:
    """Return the puzzle of a body, which may be an object with parameters.

    Raises ``RefusedError``, ``FlowvisionError``.
    """
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise bad("The body is not text: a puzzle in text form or as a record was expected.") from None
    try:
        given = json.loads(text) if text.lstrip().startswith("{") else {}
    except (ValueError, RecursionError):  # several records, one per line, or nonsense: the parser says which
        given = {}
    if "puzzle" not in given:
        return puzzle_of(text), checked(query, PuzzleQuery)
    puzzle = given.pop("puzzle")
    text = puzzle if isinstance(puzzle, str) else json.dumps(puzzle)
    return puzzle_of(text), checked({**query, **given}, PuzzleQuery)
