"""What every handler needs: whose request it is, its body, and the workers that do what it asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from flowvision.web.bodies import read_body
from flowvision.web.jobs import Client, Jobs
from flowvision.web.limits import WebLimits
from flowvision.web.queries import number
from flowvision.web.replies import result_of
from flowvision.workers.pool import Call


class Desk:
    """The limits, and the workers once they are there: ``staff`` is set as long as the application runs."""

    def __init__(self, limits: WebLimits) -> None:
        self.limits = limits
        self.staff: Jobs | None = None

    @property
    def jobs(self) -> Jobs:
        """The workers."""
        assert self.staff is not None, "the lifespan has not begun"
        return self.staff

    def seconds(self, asked: Mapping[str, str]) -> float:
        """How long a puzzle may take: ``limit``, or all that is allowed. Raises ``RefusedError``."""
        most = self.limits.puzzle_seconds
        return number(asked, "limit", 0.01, most, most)

    def client(self, request: Request, lane: str) -> Client:
        """Who asks: an address and, if it says so, a tab, whose newer requests end its older ones."""
        address = request.client.host if request.client else ""
        tab = request.headers.get("x-tab", "")[:40]
        return Client(f"{address} {tab}", lane if tab else "")

    async def picture(self, request: Request) -> bytes:
        """The body, no longer than a picture may be. Raises ``RefusedError``."""
        return await read_body(request, self.limits.picture_bytes, self.limits.body_seconds)

    async def text(self, request: Request) -> bytes:
        """The body, no longer than a text may be. Raises ``RefusedError``."""
        return await read_body(request, self.limits.text_bytes, self.limits.body_seconds)

    async def made(self, request: Request, lane: str, call: Call) -> Any:
        """What a worker makes of a call."""
        return await result_of(request, self.jobs, self.client(request, lane), call)

    async def object(self, request: Request, lane: str, call: Call) -> Response:
        """The same as an answer in JSON."""
        return JSONResponse(await self.made(request, lane, call))
