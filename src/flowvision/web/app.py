"""The application: what is answered at which address."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from math import isfinite
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from flowvision import __version__
from flowvision.export.kinds import Kind
from flowvision.web import drawing_tasks, picture_tasks, puzzle_tasks
from flowvision.web.bodies import read_body
from flowvision.web.crew import Call, Crew
from flowvision.web.faults import RefusedError
from flowvision.web.jobs import Client, Jobs
from flowvision.web.limits import WebLimits
from flowvision.web.page_files import page_files
from flowvision.web.preparation import prepare_worker
from flowvision.web.queries import bad, flag, number, puzzle_body, reading_options, whole
from flowvision.web.replies import EventReply, Handler, answered, object_reply, result_of, wants_events
from flowvision.web.security import Gate, Guard

FORMATS: dict[str, tuple[Kind, str]] = {
    "png": ("png", "image/png"),
    "jpg": ("jpeg", "image/jpeg"),
    "gif": ("gif", "image/gif"),
    "apng": ("apng", "image/apng"),
    "svg": ("svg", "image/svg+xml"),
}
"""What pictures are answered in; ``gif`` and ``apng`` move, ``svg`` is the board alone."""
COLOUR = re.compile(r"#?[0-9a-fA-F]{6}")
PREVIEW_PX = 2400
MOST_COUNTED = 1000


def make_app(gate: Gate, limits: WebLimits | None = None) -> Guard:
    """The application behind its gate; its workers start and end with its lifespan."""
    rooms = Rooms(gate, limits or WebLimits())
    routes = [Route(path, rooms.static, methods=["GET"]) for path in rooms.files]
    routes += [Route("/api/about", rooms.about, methods=["GET"])]
    for name, handler in (
        ("session", rooms.session),
        ("solve", partial(rooms.read, True)),
        ("read", partial(rooms.read, False)),
        ("puzzle", rooms.puzzle),
        ("hint", rooms.hint),
        ("search", rooms.search),
        ("generate", rooms.generate),
        ("picture", rooms.picture),
        ("preview", rooms.preview),
        ("stages", rooms.stages),
        ("stage/{name}", rooms.stage),
    ):
        routes.append(Route(f"/api/{name}", _told(handler), methods=["POST"]))
    return Guard(Starlette(routes=routes, lifespan=rooms.lifespan), gate)


def _told(handler: Handler) -> Handler:
    """A handler whose errors are answered."""

    async def handle(request: Request) -> Response:
        return await answered(handler(request), request.query_params.get("name", ""))

    return handle


class Rooms:
    """What the handlers share: the files of the page, the workers, the limits."""

    def __init__(self, gate: Gate, limits: WebLimits) -> None:
        self.gate = gate
        self.limits = limits
        self.files = page_files()
        self.jobs: Jobs | None = None

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Processes are started beside the first requests, and ended with the server."""
        crew = Crew(self.limits.workers, partial(prepare_worker, self.limits.memory_bytes))
        self.jobs = Jobs(crew, self.limits)
        crew.open()
        try:
            yield
        finally:
            await crew.close()

    async def static(self, request: Request) -> Response:
        """A file of the page."""
        file = self.files[request.url.path]
        return Response(file.data, media_type=file.kind)

    async def about(self, _: Request) -> Response:
        """That the server is there, and what it allows."""
        return JSONResponse(
            {
                "version": __version__,
                "picture_bytes": self.limits.picture_bytes,
                "text_bytes": self.limits.text_bytes,
                "jobs": self.jobs.count if self.jobs else 0,
                "formats": ["gif", "apng", "svg"],
            }
        )

    async def session(self, request: Request) -> Response:
        """The cookie in exchange for the token, which is the body."""
        given = await read_body(request, 200, self.limits.header_seconds)
        if not self.gate.keys.is_token(given.decode("utf-8", "replace")):
            raise RefusedError(
                401, "no-token", "That is not the token of this run.", "Open the address that was printed."
            )
        response = JSONResponse({"ok": True})
        response.set_cookie(
            self.gate.cookie_name,
            self.gate.keys.cookie,
            httponly=True,
            samesite="strict",
            secure=self.gate.scheme == "https",
        )
        return response

    async def read(self, solving: bool, request: Request) -> Response:
        """``/api/solve`` and ``/api/read``: the bytes of a picture in, the object of ``--json`` out."""
        options = reading_options(request.query_params, self.limits.picture_seconds)
        name = request.query_params.get("name", "picture")[:200]
        data = await self._picture(request)
        seconds = options.seconds + 5  # for what comes before and after the reading
        events = wants_events(request)
        call = Call(picture_tasks.read_picture, (data, options, name, solving), seconds, events)
        client = self._client(request, "picture")
        if events:
            return EventReply(request, self._jobs(), client, call, name)
        return object_reply(await result_of(request, self._jobs(), client, call))

    async def puzzle(self, request: Request) -> Response:
        """A puzzle in any written form in, its solution out; ``count``, ``repair``, ``limit``."""
        given = puzzle_body(await self._text(request), request.query_params)
        count = whole(given.asked, "count", 0, MOST_COUNTED, 0)
        seconds = self._seconds(given.asked)
        args = (given.puzzle, count, flag(given.asked, "repair"), seconds)
        return await self._object(request, "puzzle", Call(puzzle_tasks.solve_puzzle, args, seconds + 2))

    async def hint(self, request: Request) -> Response:
        """A puzzle and the steps known so far in, the next ones out; ``kind``: next, flow or a letter."""
        given = puzzle_body(await self._text(request), request.query_params)
        seconds = self._seconds(given.asked)
        args = (given.puzzle, given.asked.get("kind", "next"), given.known, seconds)
        return await self._object(request, "hint", Call(puzzle_tasks.hint_for, args, seconds + 2))

    async def search(self, request: Request) -> Response:
        """The steps of the backtracking search for a puzzle."""
        given = puzzle_body(await self._text(request), request.query_params)
        seconds = self._seconds(given.asked)
        call = Call(puzzle_tasks.search_steps, (given.puzzle, seconds), seconds + 2)
        return await self._object(request, "search", call)

    async def generate(self, request: Request) -> Response:
        """A new puzzle: size, tiling, colours, seed, holes, walls, bridges, warps."""
        await read_body(request, 0, self.limits.header_seconds)
        query = request.query_params
        tiling = query.get("tiling", "square")
        if tiling not in ("square", "hex"):
            raise bad(f"tiling={tiling!r} is neither square nor hex.")
        seconds = self._seconds(query)
        counts = {name: whole(query, name, 0, 1600, 0) for name in ("holes", "walls", "bridges", "warps")}
        args = (
            query.get("size", "7x7"),
            tiling,
            whole(query, "colours", 0, 800, 0),
            whole(query, "seed", 0, 1 << 40, 0),
            counts,
            seconds,
        )
        return await self._object(request, "generate", Call(puzzle_tasks.generate, args, seconds))

    async def picture(self, request: Request) -> Response:
        """The solved picture of a screenshot, or a puzzle drawn: over the picture in the body, or alone."""
        query = request.query_params
        kind = query.get("format", "png")
        if kind not in FORMATS:
            raise bad(f"format={kind!r} is none of {', '.join(FORMATS)}.")
        form, media_type = FORMATS[kind]
        options = reading_options(query, self.limits.picture_seconds)
        data = await self._picture(request)
        if "puzzle" in query:
            drawn = drawing_tasks.DrawnPuzzle(
                query["puzzle"], _frame(query.get("frame", "")), _colours(query)
            )
            if data and not drawn.frame:
                raise bad("With a picture and a puzzle, frame says where the board lies: nine numbers.")
            args = (data, options.rotate, drawn, form, options.seconds)
            call = Call(drawing_tasks.puzzle_picture, args, options.seconds + 5)
        elif data:
            call = Call(drawing_tasks.solved_picture, (data, options, form), options.seconds + 5)
        else:
            raise bad("There is neither a picture in the body nor a puzzle in the query.")
        made = await result_of(request, self._jobs(), self._client(request, "file"), call)
        return Response(made, media_type=media_type)

    async def preview(self, request: Request) -> Response:
        """A picture as any browser can show it (PNG), turned as ``rotate`` says."""
        rotate = number(request.query_params, "rotate", -360, 360, 0)
        args = (await self._picture(request), rotate, PREVIEW_PX)
        call = Call(picture_tasks.preview, args, self.limits.picture_seconds)
        made = await result_of(request, self._jobs(), self._client(request, "preview"), call)
        return Response(made, media_type="image/png")

    async def stages(self, request: Request) -> Response:
        """What pictures of stages there are for a picture: names, titles and captions."""
        options = reading_options(request.query_params, self.limits.picture_seconds)
        data = await self._picture(request)
        call = Call(picture_tasks.stage_list, (data, options), options.seconds + 5)
        made = await result_of(request, self._jobs(), self._client(request, "stage"), call)
        return JSONResponse({"stages": made})

    async def stage(self, request: Request) -> Response:
        """The picture of one stage (JPEG); its title and caption are in two headers."""
        name = request.path_params["name"]
        if name not in picture_tasks.STAGE_NAMES:
            raise RefusedError(
                404,
                "no-such-stage",
                "There is no such stage.",
                f"One of {', '.join(picture_tasks.STAGE_NAMES)}.",
            )
        options = reading_options(request.query_params, self.limits.picture_seconds)
        data = await self._picture(request)
        call = Call(picture_tasks.stage_picture, (data, options, name), options.seconds + 5)
        try:
            made = await result_of(request, self._jobs(), self._client(request, "stage"), call)
        except LookupError:
            raise RefusedError(
                404, "not-reached", "This stage was not reached.", "Earlier ones show how far it went."
            ) from None
        picture, title, caption = made
        headers = {"X-Title": quote(title), "X-Caption": quote(caption)}
        return Response(picture, media_type="image/jpeg", headers=headers)

    def _jobs(self) -> Jobs:
        assert self.jobs is not None, "the lifespan has not begun"
        return self.jobs

    def _seconds(self, asked: Mapping[str, str]) -> float:
        most = self.limits.puzzle_seconds
        return number(asked, "limit", 0.01, most, most)

    def _client(self, request: Request, lane: str) -> Client:
        """Who asks: an address and, if it says so, a tab, whose newer requests end its older ones."""
        address = request.client.host if request.client else ""
        tab = request.headers.get("x-tab", "")[:40]
        return Client(f"{address} {tab}", lane if tab else "")

    async def _picture(self, request: Request) -> bytes:
        return await read_body(request, self.limits.picture_bytes, self.limits.body_seconds)

    async def _text(self, request: Request) -> bytes:
        return await read_body(request, self.limits.text_bytes, self.limits.body_seconds)

    async def _object(self, request: Request, lane: str, call: Call) -> Response:
        return JSONResponse(await result_of(request, self._jobs(), self._client(request, lane), call))


def _frame(words: str) -> tuple[float, ...]:
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


def _colours(query: Mapping[str, str]) -> tuple[str, ...]:
    """Colours as #rrggbb with commas between them. Raises ``RefusedError``."""
    words = query.get("colours", "")
    colours = tuple(words.split(",")) if words else ()
    if not all(COLOUR.fullmatch(colour) for colour in colours):
        raise bad("colours are not #rrggbb with commas between them.")
    return colours
