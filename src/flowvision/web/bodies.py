"""The body of a request, counted while it arrives."""

from __future__ import annotations

import asyncio

from starlette.requests import ClientDisconnect, Request

from flowvision.web.faults import RefusedError
from flowvision.words import whole_number


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
