"""The application: the addresses and their handlers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from flowvision.files import theme_css
from flowvision.forms import FORMS
from flowvision.palette import COLOURS
from flowvision.version import VERSION
from flowvision.web import phone_tasks, picture_tasks, puzzle_tasks
from flowvision.web.jobs import Client, Jobs, WebLimits
from flowvision.web.queries import RefusedError, bad, number, puzzle_body
from flowvision.web.replies import EventReply, answering, read_body, result_of, wants_events
from flowvision.web.security import KEYED, Gate, Guard
from flowvision.workers.memory import prepare_worker
from flowvision.workers.pool import Call, WorkerPool

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
FORMATS = {name: form for name, form in FORMS.items() if form.on_page}
LOOKS = frozenset({"stage", "puzzle", "hint", "search", "solutions", "generate"})
"""Lanes of work on the board that a tab shows: useless once it reads another picture."""
PHONE_SECONDS, PLAY_SECONDS = 60.0, 300.0
"""For a screenshot; for playing a board, where the screen is read after each flow."""
SPARE_SECONDS = 5.0
"""Beyond the time of a job, for what comes before and after; covering 40 × 40 cells takes as long."""


def page_files() -> dict[str, tuple[bytes, str]]:
    """Return each file of the page and its media type by its path; the page itself is ``/``.

    The page preloads its modules, so that no import waits for the one before.
    """
    texts = {
        f"/{entry.name}": entry.read_text(encoding="utf-8")
        for entry in files("flowvision.web").joinpath("page").iterdir()
        if "." + entry.name.rpartition(".")[2] in KINDS
    }
    modules = sorted(path for path in texts if path.endswith(".js"))
    links = "".join(f'<link rel="modulepreload" href="{path}">\n' for path in modules)
    texts["/"] = texts.pop("/index.html").replace("</head>", f"{links}</head>")
    texts["/page.css"] = theme_css() + texts["/page.css"]
    return {
        path: (text.encode(), KINDS["." + path.rpartition(".")[2]] if path != "/" else KINDS[".html"])
        for path, text in texts.items()
    }


class Handlers:
    """The handlers of all addresses; ``running``: the jobs, while the application runs."""

    def __init__(self, gate: Gate, limits: WebLimits) -> None:
        self.gate = gate
        self.limits = limits
        self.files = page_files()
        self.samples: dict[str, bytes] = {}
        self.running: Jobs | None = None

    @property
    def jobs(self) -> Jobs:
        """The jobs."""
        assert self.running is not None, "the lifespan has not begun"
        return self.running

    def client(self, request: Request, lane: str) -> Client:
        """Return an address and, if it names itself, a tab, whose newer requests end its older ones."""
        address = request.client.host if request.client else ""
        tab = request.headers.get("x-tab", "")[:40]
        ends = LOOKS if lane == "picture" else frozenset[str]()
        return Client(f"{address} {tab}", lane if tab else "", ends)

    async def made(
        self, request: Request, lane: str, seconds: float, function: Callable[..., Any], *args: Any
    ) -> Any:
        """Return what a worker makes of a call."""
        return await result_of(
            request, self.jobs, self.client(request, lane), Call(function, args, seconds + SPARE_SECONDS)
        )

    async def picture(self, request: Request) -> bytes:
        """Return a body of the size of a picture. Raises ``RefusedError``."""
        return await read_body(request, self.limits.picture_bytes, self.limits.body_seconds)

    def seconds(self, query: Mapping[str, str]) -> float:
        """Return the time of a puzzle: ``limit``, or all that is allowed. Raises ``RefusedError``."""
        return number(query, "limit", 0.01, self.limits.puzzle_seconds, self.limits.puzzle_seconds)

    # Pictures

    async def seen(self, lane: str, task: Callable[..., Any], request: Request) -> Response:
        """A picture in, what a task of ``picture_tasks`` sees in it out; also as events while it works."""
        events, seconds = wants_events(request), self.limits.picture_seconds
        args = (await self.picture(request), dict(request.query_params), seconds)
        call, client = Call(task, args, seconds + SPARE_SECONDS), self.client(request, lane)
        if events:
            return EventReply(request, self.jobs, client, call)
        made = await result_of(request, self.jobs, client, call)
        return JSONResponse(made, 200 if made.get("ok", True) else 422)

    async def drawn(self, request: Request) -> Response:
        """The solved picture of a screenshot, or a puzzle drawn: over the picture in the body, or alone."""
        query, seconds = dict(request.query_params), self.limits.picture_seconds
        kind = query.get("format", "png")
        if kind not in FORMATS:
            raise bad(f"format={kind!r} is none of {', '.join(FORMATS)}.")
        args = (await self.picture(request), query, FORMATS[kind], seconds)
        made = await self.made(request, "file", seconds, picture_tasks.solved_picture, *args)
        return Response(made, media_type=FORMATS[kind].media_type)

    async def preview(self, request: Request) -> Response:
        """A picture as any browser can show it (PNG), turned by ``rotate``."""
        args = (await self.picture(request), dict(request.query_params))
        made = await self.made(request, "preview", self.limits.picture_seconds, picture_tasks.preview, *args)
        return Response(made, media_type="image/png")

    async def sample(self, request: Request) -> Response:
        """A board to try the page with (PNG), drawn once a run."""
        word = request.path_params["name"]
        if word not in map(str, range(len(picture_tasks.SAMPLES))):
            raise RefusedError(404, "no-such-sample", "There is no such sample.", "Try 0.")
        if word not in self.samples:
            seconds = self.limits.picture_seconds
            self.samples[word] = await self.made(request, "", seconds, picture_tasks.sample, int(word))
        return Response(self.samples[word], media_type="image/png")

    # Puzzles

    async def puzzle(self, lane: str, task: Callable[..., Any], request: Request) -> Response:
        """A puzzle in any written form in, what a task of ``puzzle_tasks`` makes of it out."""
        body = await read_body(request, self.limits.text_bytes, self.limits.body_seconds)
        given = puzzle_body(body, request.query_params)
        seconds = self.seconds(given.asked)
        return JSONResponse(await self.made(request, lane, seconds, task, given, seconds))

    async def generate(self, request: Request) -> Response:
        """A new puzzle."""
        await read_body(request, 0, self.limits.body_seconds)
        query = dict(request.query_params)
        seconds = self.seconds(query)
        args = (puzzle_tasks.generate, query, seconds)
        return JSONResponse(await self.made(request, "generate", seconds, *args))

    # The phone that is connected to this machine

    async def phone(self, request: Request) -> Response:
        """The name of the phone that can be used; empty without one, and for other machines."""
        if not _is_here(request):
            return JSONResponse({"name": ""})
        return JSONResponse(await self.made(request, "phone", PHONE_SECONDS, phone_tasks.phone_there))

    async def shot(self, request: Request) -> Response:
        """The screen of the phone (PNG)."""
        _check_here(request)
        made = await self.made(request, "phone", PHONE_SECONDS, phone_tasks.phone_shot)
        return Response(made, media_type="image/png")

    async def play(self, request: Request) -> Response:
        """Play the puzzle in the body on the phone, if that shows it."""
        _check_here(request)
        body = await read_body(request, self.limits.text_bytes, self.limits.body_seconds)
        text = puzzle_body(body, request.query_params).puzzle
        args = (phone_tasks.play_on_phone, text, self.limits.picture_seconds)
        return JSONResponse(await self.made(request, "phone", PLAY_SECONDS, *args))

    # The page, and who may use it

    async def static(self, request: Request) -> Response:
        """A file of the page."""
        data, kind = self.files[request.url.path]
        return Response(data, media_type=kind)

    async def about(self, _: Request) -> Response:
        """Version, limits, forms of output and colours."""
        return JSONResponse(
            {
                "version": VERSION,
                "picture_bytes": self.limits.picture_bytes,
                "text_bytes": self.limits.text_bytes,
                "jobs": self.running.count if self.running else 0,
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
        """The key of the page in exchange for a code, which is the body and valid once.

        A request with a key, as another tab has it, leaves the code to another browser.
        """
        has_key = KEYED in request.scope
        code = await read_body(request, 200, self.limits.code_seconds)
        if not (has_key or self.gate.keys.redeem(code.decode("utf-8", "replace"))):
            raise RefusedError(
                401,
                "no-token",
                "That is no code of this run, or it was used before.",
                "Start `flowvision web` again for another one, or take one from an open page.",
            )
        return JSONResponse({"ok": True, "key": self.gate.keys.page})

    async def code(self, _: Request) -> Response:
        """A code to let one more browser in."""
        return JSONResponse({"code": self.gate.keys.new_code()})


def _is_here(request: Request) -> bool:
    return request.client is not None and request.client.host == "127.0.0.1"


def _check_here(request: Request) -> None:
    """Raise ``RefusedError`` for other machines."""
    if not _is_here(request):
        raise RefusedError(
            403, "not-here", "The phone is reached from the computer alone.", "Open the page there."
        )


def make_app(gate: Gate, limits: WebLimits | None = None) -> Guard:
    """Return the application behind its gate; its workers start and end with its lifespan."""
    its = Handlers(gate, limits or WebLimits())
    compressed = [Middleware(GZipMiddleware)]
    routes = [Route(path, its.static, methods=["GET"], middleware=compressed) for path in its.files]
    routes += [Route("/api/about", its.about, methods=["GET"])]
    for name, handler in (
        ("session", its.session),
        ("code", its.code),
        ("solve", lambda request: its.seen("picture", partial(picture_tasks.read_picture, True), request)),
        ("read", lambda request: its.seen("picture", partial(picture_tasks.read_picture, False), request)),
        ("puzzle", lambda request: its.puzzle("puzzle", puzzle_tasks.solve_puzzle, request)),
        ("solutions", lambda request: its.puzzle("solutions", puzzle_tasks.solutions_of, request)),
        ("hint", lambda request: its.puzzle("hint", puzzle_tasks.hint_for, request)),
        ("search", lambda request: its.puzzle("search", puzzle_tasks.search_steps, request)),
        ("generate", its.generate),
        ("picture", its.drawn),
        ("preview", its.preview),
        ("sample/{name}", its.sample),
        ("phone", its.phone),
        ("phone/shot", its.shot),
        ("phone/play", its.play),
        ("stages", lambda request: its.seen("stage", picture_tasks.stage_pictures, request)),
    ):
        routes.append(Route(f"/api/{name}", answering(handler), methods=["POST"]))
    return Guard(Starlette(routes=routes, lifespan=partial(_lifespan, its)), gate)


@asynccontextmanager
async def _lifespan(handlers: Handlers, _: Starlette) -> AsyncIterator[None]:
    """Start processes beside the first requests, and kill them with the server."""
    tasks = [module.__name__ for module in (phone_tasks, picture_tasks, puzzle_tasks)]
    prepare = partial(prepare_worker, tasks, handlers.limits.memory_bytes)
    pool = WorkerPool(handlers.limits.workers, prepare=prepare, spares=1)
    handlers.running = Jobs(pool, handlers.limits)
    try:
        yield
    finally:
        await asyncio.to_thread(pool.kill)
