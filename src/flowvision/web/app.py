"""The application: what is answered at which address."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from flowvision.palette import COLOURS
from flowvision.version import VERSION
from flowvision.web.bodies import read_body
from flowvision.web.desk import Desk
from flowvision.web.faults import RefusedError
from flowvision.web.jobs import Jobs
from flowvision.web.limits import WebLimits
from flowvision.web.page_files import page_files
from flowvision.web.picture_handlers import FORMATS, PictureHandlers
from flowvision.web.preparation import prepare_worker
from flowvision.web.puzzle_handlers import PuzzleHandlers
from flowvision.web.replies import Handler, answered
from flowvision.web.security import Gate, Guard
from flowvision.workers.async_pool import AsyncPool


def make_app(gate: Gate, limits: WebLimits | None = None) -> Guard:
    """The application behind its gate; its workers start and end with its lifespan."""
    desk = Desk(limits or WebLimits())
    house, pictures, puzzles = HouseHandlers(gate, desk), PictureHandlers(desk), PuzzleHandlers(desk)
    routes = [Route(path, house.static, methods=["GET"]) for path in house.files]
    routes += [Route("/api/about", house.about, methods=["GET"])]
    for name, handler in (
        ("session", house.session),
        ("code", house.code),
        ("solve", partial(pictures.read, True)),
        ("read", partial(pictures.read, False)),
        ("puzzle", puzzles.puzzle),
        ("hint", puzzles.hint),
        ("search", puzzles.search),
        ("generate", puzzles.generate),
        ("picture", pictures.picture),
        ("preview", pictures.preview),
        ("stages", pictures.stages),
        ("stage/{name}", pictures.stage),
    ):
        routes.append(Route(f"/api/{name}", _told(handler), methods=["POST"]))
    return Guard(Starlette(routes=routes, lifespan=partial(_staffed, desk)), gate)


def _told(handler: Handler) -> Handler:
    """A handler whose errors are answered."""

    async def handle(request: Request) -> Response:
        return await answered(handler(request), request.query_params.get("name", ""))

    return handle


@asynccontextmanager
async def _staffed(desk: Desk, _: Starlette) -> AsyncIterator[None]:
    """Processes are started beside the first requests, and ended with the server."""
    pool = AsyncPool(desk.limits.workers, partial(prepare_worker, desk.limits.memory_bytes))
    desk.staff = Jobs(pool, desk.limits)
    pool.open()
    try:
        yield
    finally:
        await pool.close()


class HouseHandlers:
    """The page itself, what the server says about itself, and the door."""

    def __init__(self, gate: Gate, desk: Desk) -> None:
        self.gate = gate
        self.desk = desk
        self.files = page_files()

    async def static(self, request: Request) -> Response:
        """A file of the page."""
        file = self.files[request.url.path]
        return Response(file.data, media_type=file.kind)

    async def about(self, _: Request) -> Response:
        """That the server is there, and what it allows."""
        limits, staff = self.desk.limits, self.desk.staff
        return JSONResponse(
            {
                "version": VERSION,
                "picture_bytes": limits.picture_bytes,
                "text_bytes": limits.text_bytes,
                "jobs": staff.count if staff else 0,
                "formats": [
                    [form.name, form.words, form.suffixes[0]] for form in FORMATS.values() if form.suffixes
                ],
                "colours": [[colour.rgb.hex, colour.letter, colour.name] for colour in COLOURS.values()],
            }
        )

    async def session(self, request: Request) -> Response:
        """The page's key in exchange for a code, which is the body and good for one exchange."""
        given = await read_body(request, 200, self.desk.limits.header_seconds)
        if not self.gate.keys.redeem(given.decode("utf-8", "replace")):
            raise RefusedError(
                401,
                "no-token",
                "That is no code of this run, or it was used before.",
                "Start `flowvision web` again for another one, or take one from an open page.",
            )
        return JSONResponse({"ok": True, "key": self.gate.keys.page})

    async def code(self, _: Request) -> Response:
        """A code to let one more browser or tab in."""
        return JSONResponse({"code": self.gate.keys.new_code()})
