"""The application: what is answered at which address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from flowvision.forms import FORMS
from flowvision.palette import COLOURS
from flowvision.version import VERSION
from flowvision.web import phone_tasks, picture_tasks, puzzle_tasks
from flowvision.web.jobs import Client, Jobs, RefusedError, WebLimits
from flowvision.web.page_files import page_files
from flowvision.web.queries import (
    bad,
    colours,
    flag,
    frame,
    number,
    puzzle_body,
    read_body,
    reading_options,
    whole,
)
from flowvision.web.replies import EventReply, answering, result_of, wants_events
from flowvision.web.security import Gate, Guard
from flowvision.workers.memory import prepare_worker
from flowvision.workers.pool import Call, WorkerPool

LOOKS = frozenset({"stage", "puzzle", "hint", "search", "solutions", "generate"})
"""The lanes of work on the board that a tab shows: when it reads a picture, nobody waits for it."""


class AppState:
    """What handlers share: the limits, and the workers (``running``: while the application runs)."""

    def __init__(self, limits: WebLimits) -> None:
        self.limits = limits
        self.running: Jobs | None = None

    @property
    def jobs(self) -> Jobs:
        """The workers."""
        assert self.running is not None, "the lifespan has not begun"
        return self.running

    def seconds(self, asked: Mapping[str, str]) -> float:
        """How long a puzzle may take: ``limit``, or all that is allowed. Raises ``RefusedError``."""
        most = self.limits.puzzle_seconds
        return number(asked, "limit", 0.01, most, most)

    def client(self, request: Request, lane: str) -> Client:
        """Who asks: an address and, if it says so, a tab, whose newer requests end its older ones."""
        address = request.client.host if request.client else ""
        tab = request.headers.get("x-tab", "")[:40]
        ends = LOOKS if lane == "picture" else frozenset[str]()
        return Client(f"{address} {tab}", lane if tab else "", ends)

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


FORMATS = {name: form for name, form in FORMS.items() if form.on_page}
PREVIEW_PX = 2400


class PictureHandlers:
    """The addresses that take the bytes of a picture, or give one."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.samples: dict[str, bytes] = {}

    async def read(self, solving: bool, request: Request) -> Response:
        """``/api/solve`` and ``/api/read``: the bytes of a picture in, the object of ``--json`` out."""
        options = reading_options(request.query_params, self.state.limits.picture_seconds)
        name = request.query_params.get("name", "picture")[:200]
        data = await self.state.picture(request)
        seconds = options.seconds + 5  # for what comes before and after the reading
        events = wants_events(request)
        call = Call(picture_tasks.read_picture, (data, options, name, solving), seconds, events)
        if events:
            return EventReply(request, self.state.jobs, self.state.client(request, "picture"), call, name)
        made = await self.state.made(request, "picture", call)
        return JSONResponse(made, 200 if made.get("ok", True) else 422)

    async def picture(self, request: Request) -> Response:
        """The solved picture of a screenshot, or a puzzle drawn: over the picture in the body, or alone."""
        query = request.query_params
        kind = query.get("format", "png")
        if kind not in FORMATS:
            raise bad(f"format={kind!r} is none of {', '.join(FORMATS)}.")
        form = FORMATS[kind]
        options = reading_options(query, self.state.limits.picture_seconds)
        data = await self.state.picture(request)
        if "puzzle" in query:
            place, letters = frame(query.get("frame", "")), query.get("letters", "")
            drawn = picture_tasks.DrawnPuzzle(query["puzzle"], place, colours(query), letters)
            if data and not drawn.frame:
                raise bad("With a picture and a puzzle, frame says where the board lies: nine numbers.")
            args = (data, options.rotate, drawn, form, options.seconds)
            call = Call(picture_tasks.puzzle_picture, args, options.seconds + 5)
        elif data:
            call = Call(picture_tasks.solved_picture, (data, options, form), options.seconds + 5)
        else:
            raise bad("There is neither a picture in the body nor a puzzle in the query.")
        made = await self.state.made(request, "file", call)
        return Response(made, media_type=form.media_type)

    async def preview(self, request: Request) -> Response:
        """A picture as any browser can show it (PNG), turned as ``rotate`` says."""
        rotate = number(request.query_params, "rotate", -360, 360, 0)
        args = (await self.state.picture(request), rotate, PREVIEW_PX)
        call = Call(picture_tasks.preview, args, self.state.limits.picture_seconds)
        made = await self.state.made(request, "preview", call)
        return Response(made, media_type="image/png")

    async def sample(self, request: Request) -> Response:
        """A screenshot to try the page with (PNG), drawn once a run."""
        word = request.path_params["name"]
        if word not in map(str, range(len(picture_tasks.SAMPLES))):
            last = len(picture_tasks.SAMPLES) - 1
            raise RefusedError(404, "no-such-sample", "There is no such sample.", f"One of 0 to {last}.")
        if word not in self.samples:
            call = Call(picture_tasks.sample, (int(word),), self.state.limits.picture_seconds)
            self.samples[word] = await self.state.made(request, "", call)
        return Response(self.samples[word], media_type="image/png")

    async def stages(self, request: Request) -> Response:
        """What pictures of stages there are for a picture; as events, the pictures as they are drawn."""
        options = reading_options(request.query_params, self.state.limits.picture_seconds)
        data = await self.state.picture(request)
        events = wants_events(request)
        call = Call(picture_tasks.stage_list, (data, options), options.seconds + 5, events)
        if events:
            return EventReply(request, self.state.jobs, self.state.client(request, "stage"), call, "")
        made = await self.state.made(request, "stage", call)
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
        options = reading_options(request.query_params, self.state.limits.picture_seconds)
        data = await self.state.picture(request)
        call = Call(picture_tasks.stage_picture, (data, options, name), options.seconds + 5)
        try:
            made = await self.state.made(request, "stage", call)
        except LookupError:
            raise RefusedError(
                404, "not-reached", "This stage was not reached.", "Earlier ones show how far it went."
            ) from None
        picture, title, caption = made
        headers = {"X-Title": quote(title), "X-Caption": quote(caption)}
        return Response(picture, media_type="image/jpeg", headers=headers)


PHONE_SECONDS = 300.0
"""For playing a board: a flow takes seconds, and the screen is looked at after each."""


class PhoneHandlers:
    """The addresses that reach a phone connected to this machine: for who sits at it alone."""

    def __init__(self, state: AppState) -> None:
        self.state = state

    async def there(self, request: Request) -> Response:
        """The name of the phone that can be used; empty without one, and for everyone in the network."""
        if not _is_here(request):
            return JSONResponse({"name": ""})
        return await self.state.object(request, "phone", Call(phone_tasks.phone_there, (), 60.0))

    async def shot(self, request: Request) -> Response:
        """What the phone shows: PNG."""
        _check_here(request)
        made = await self.state.made(request, "phone", Call(phone_tasks.phone_shot, (), 60.0))
        return Response(made, media_type="image/png")

    async def play(self, request: Request) -> Response:
        """Play the puzzle in the body on the phone, if that shows it."""
        _check_here(request)
        given = puzzle_body(await self.state.text(request), request.query_params)
        args = (given.puzzle, self.state.limits.picture_seconds)
        return await self.state.object(request, "phone", Call(phone_tasks.play_on_phone, args, PHONE_SECONDS))


def _is_here(request: Request) -> bool:
    return request.client is not None and request.client.host == "127.0.0.1"


def _check_here(request: Request) -> None:
    """Raises ``RefusedError`` for who asks from elsewhere."""
    if not _is_here(request):
        raise RefusedError(
            403, "not-here", "The phone is reached from the computer alone.", "Open the page there."
        )


MOST_COUNTED = 1000
COVER_SECONDS = 5.0
"""More for a puzzle to be generated: covering 40 × 40 cells once takes seconds, in one go."""


class PuzzleHandlers:
    """The addresses that take a puzzle, or none."""

    def __init__(self, state: AppState) -> None:
        self.state = state

    async def puzzle(self, request: Request) -> Response:
        """A puzzle in any written form in, its solution out; ``count``, ``repair``, ``limit``."""
        given = puzzle_body(await self.state.text(request), request.query_params)
        count = whole(given.asked, "count", 0, MOST_COUNTED, 0)
        seconds = self.state.seconds(given.asked)
        args = (given.puzzle, count, flag(given.asked, "repair"), seconds)
        return await self.state.object(request, "puzzle", Call(puzzle_tasks.solve_puzzle, args, seconds + 2))

    async def solutions(self, request: Request) -> Response:
        """A puzzle in, its solutions one by one out, as many as ``count``."""
        given = puzzle_body(await self.state.text(request), request.query_params)
        seconds = self.state.seconds(given.asked)
        args = (given.puzzle, whole(given.asked, "count", 1, MOST_COUNTED, 100), seconds)
        return await self.state.object(
            request, "solutions", Call(puzzle_tasks.solutions_of, args, seconds + 2)
        )

    async def hint(self, request: Request) -> Response:
        """A puzzle and the steps known so far in, the next ones out; ``kind``: as for ``hint_for``."""
        given = puzzle_body(await self.state.text(request), request.query_params)
        seconds = self.state.seconds(given.asked)
        names = tuple(filter(None, given.asked.get("names", "").split(",")))
        args = (given.puzzle, given.asked.get("kind", "next"), given.known, names, seconds)
        return await self.state.object(request, "hint", Call(puzzle_tasks.hint_for, args, seconds + 2))

    async def search(self, request: Request) -> Response:
        """The steps of the backtracking search for a puzzle."""
        given = puzzle_body(await self.state.text(request), request.query_params)
        seconds = self.state.seconds(given.asked)
        call = Call(puzzle_tasks.search_steps, (given.puzzle, seconds), seconds + 2)
        return await self.state.object(request, "search", call)

    async def generate(self, request: Request) -> Response:
        """A new puzzle: size, tiling, colours, seed, difficulty, holes, walls, bridges, warps."""
        await read_body(request, 0, self.state.limits.header_seconds)
        query = request.query_params
        tiling = query.get("tiling", "square")
        if tiling not in ("square", "hex"):
            raise bad(f"tiling={tiling!r} is neither square nor hex.")
        seconds = self.state.seconds(query)
        counts = {name: whole(query, name, 0, 1600, 0) for name in ("holes", "walls", "bridges", "warps")}
        args = (
            query.get("size", "7x7"),
            tiling,
            whole(query, "colours", 0, 800, 0),
            whole(query, "seed", 0, 1 << 40, 0),
            counts,
            query.get("difficulty", ""),
            seconds,
        )
        call = Call(puzzle_tasks.generate, args, seconds + COVER_SECONDS)
        return await self.state.object(request, "generate", call)


class PageHandlers:
    """The files of the page, what the server says about itself, and keys in exchange for codes."""

    def __init__(self, gate: Gate, state: AppState) -> None:
        self.gate = gate
        self.state = state
        self.files = page_files()

    async def static(self, request: Request) -> Response:
        """A file of the page."""
        file = self.files[request.url.path]
        data, coding = file.coded(request.headers.get("accept-encoding", ""))
        headers = {"Vary": "Accept-Encoding"} | ({"Content-Encoding": coding} if coding else {})
        return Response(data, headers=headers, media_type=file.kind)

    async def about(self, _: Request) -> Response:
        """That the server is there, and what it allows."""
        limits, running = self.state.limits, self.state.running
        return JSONResponse(
            {
                "version": VERSION,
                "picture_bytes": limits.picture_bytes,
                "text_bytes": limits.text_bytes,
                "jobs": running.count if running else 0,
                "formats": [
                    [form.name, form.words, form.suffixes[0], form.media_type.startswith("image/")]
                    for form in FORMATS.values()
                    if form.suffixes
                ],
                "colours": [
                    [colour.rgb.hex, colour.letter, colour.name, *(shade.hex for shade in colour.shades[1:])]
                    for colour in COLOURS.values()
                ],
            }
        )

    async def session(self, request: Request) -> Response:
        """The page's key in exchange for a code, which is the body and good for one exchange.

        Whoever has a key, as another tab does, needs no code, and leaves it to another browser.
        """
        given = await read_body(request, 200, self.state.limits.header_seconds)
        if not (
            self.gate.has_key(request.headers) or self.gate.keys.redeem(given.decode("utf-8", "replace"))
        ):
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


def make_app(gate: Gate, limits: WebLimits | None = None) -> Guard:
    """The application behind its gate; its workers start and end with its lifespan."""
    state = AppState(limits or WebLimits())
    page, pictures, puzzles = PageHandlers(gate, state), PictureHandlers(state), PuzzleHandlers(state)
    routes = [Route(path, page.static, methods=["GET"]) for path in page.files]
    routes += [Route("/api/about", page.about, methods=["GET"])]
    phones = PhoneHandlers(state)
    for name, handler in (
        ("session", page.session),
        ("code", page.code),
        ("solve", partial(pictures.read, True)),
        ("read", partial(pictures.read, False)),
        ("puzzle", puzzles.puzzle),
        ("solutions", puzzles.solutions),
        ("hint", puzzles.hint),
        ("search", puzzles.search),
        ("generate", puzzles.generate),
        ("picture", pictures.picture),
        ("preview", pictures.preview),
        ("sample/{name}", pictures.sample),
        ("phone", phones.there),
        ("phone/shot", phones.shot),
        ("phone/play", phones.play),
        ("stages", pictures.stages),
        ("stage/{name}", pictures.stage),
    ):
        routes.append(Route(f"/api/{name}", answering(handler), methods=["POST"]))
    return Guard(Starlette(routes=routes, lifespan=partial(_lifespan, state)), gate)


@asynccontextmanager
async def _lifespan(state: AppState, _: Starlette) -> AsyncIterator[None]:
    """Processes are started beside the first requests, and ended with the server."""
    tasks = [module.__name__ for module in (phone_tasks, picture_tasks, puzzle_tasks)]
    prepare = partial(prepare_worker, tasks, state.limits.memory_bytes)
    pool = WorkerPool(state.limits.workers, prepare=prepare, spares=1)
    state.running = Jobs(pool, state.limits)
    try:
        yield
    finally:
        await asyncio.to_thread(pool.kill)
