"""The application: the addresses and their handlers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from pathlib import PurePath
from typing import Any

from msgspec import Struct
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, Router

from flowvision.palette import COLOURS
from flowvision.puzzle.model import LETTERS
from flowvision.version import VERSION
from flowvision.web import picture_tasks, puzzle_tasks
from flowvision.web.jobs import Client, Jobs, WebLimits
from flowvision.web.queries import RefusedError, read_body
from flowvision.web.security import KEYED, Gate, Guard
from flowvision.workers.memory import prepare_worker
from flowvision.workers.pool import WorkerPool

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
SPARE_SECONDS = 5.0
"""Extra time for a job's overhead; covering 40 × 40 cells takes as long."""


def page_files() -> dict[str, tuple[bytes, str]]:
    """Return each file of the page and its media type by its path; the page itself is ``/``.

    The page preloads its modules, so that no import waits for the one before.
    """
    texts = {
        f"/{entry.name}": entry.read_text(encoding="utf-8")
        for entry in files("flowvision.web").joinpath("page").iterdir()
        if PurePath(entry.name).suffix in KINDS
    }
    modules = sorted(path for path in texts if path.endswith(".js"))
    links = "".join(f'<link rel="modulepreload" href="{path}">\n' for path in modules)
    texts["/"] = texts.pop("/index.html").replace("</head>", f"{links}</head>")
    theme = files("flowvision").joinpath("theme.css").read_text(encoding="utf-8")
    texts["/page.css"] = theme + texts["/page.css"]
    return {path: (text.encode(), KINDS[PurePath(path).suffix or ".html"]) for path, text in texts.items()}


class Task(Struct, frozen=True):
    """Work on a body and a query, done by a worker: ``make(body, query, seconds)``.

    It returns the object to answer, or a file and its media type.
    """

    make: Callable[[bytes, dict[str, str], float], Any]
    is_picture: bool = False


def tasks() -> dict[str, Task]:
    """Return the work at each address under ``/api/``."""
    return {
        "solve": Task(picture_tasks.read_picture, is_picture=True),
        "stages": Task(picture_tasks.stage_pictures, is_picture=True),
        "picture": Task(picture_tasks.solved_picture, is_picture=True),
        "preview": Task(picture_tasks.preview, is_picture=True),
        "sample": Task(picture_tasks.sample),
        "puzzle": Task(puzzle_tasks.solve_puzzle),
        "solutions": Task(puzzle_tasks.solutions_of),
        "hint": Task(puzzle_tasks.hint_for),
        "search": Task(puzzle_tasks.search_steps),
        "generate": Task(puzzle_tasks.generate),
    }


class Handlers:
    """The handlers of all addresses; ``running``: the jobs, while the application runs."""

    def __init__(self, gate: Gate, limits: WebLimits) -> None:
        self.gate = gate
        self.limits = limits
        self.files = page_files()
        self.running: Jobs | None = None

    async def work(self, name: str, task: Task, request: Request) -> Response:
        """Answer with the result of a worker; the client is a tab, or an address."""
        limits = self.limits
        size, seconds = limits.text_bytes, limits.puzzle_seconds
        if task.is_picture:
            size, seconds = limits.picture_bytes, limits.picture_seconds
        body = await read_body(request, size, limits.body_seconds)
        assert self.running is not None, "the lifespan has not begun"
        address = request.client.host if request.client else ""
        tab = request.headers.get("x-tab", "")[:40]
        client = Client(f"{address} {tab}", name if tab else "")
        work = partial(task.make, body, dict(request.query_params), seconds)
        result = await self.running.answer(request, client, work, seconds + SPARE_SECONDS)
        if isinstance(result, tuple):
            return Response(result[0], media_type=result[1])
        is_refused = task.is_picture and not result.get("ok", True)
        return JSONResponse(result, 422 if is_refused else 200)

    async def static(self, request: Request) -> Response:
        """Answer with a file of the page."""
        data, kind = self.files[request.url.path]
        return Response(data, media_type=kind)

    async def about(self, _: Request) -> Response:
        """Answer with version, limits, forms of output, colours and letters of the game."""
        forms, colours = picture_tasks.FORMATS.values(), COLOURS.items()
        facts = {
            "version": VERSION,
            "picture_bytes": self.limits.picture_bytes,
            "text_bytes": self.limits.text_bytes,
            "jobs": self.running.count if self.running else 0,
            "formats": [[form.name, form.words, form.suffixes[0]] for form in forms if form.suffixes],
            "colours": [
                [colour.rgb.hex, letter, colour.name, *(rgb.hex for rgb in colour.shades[1:])]
                for letter, colour in colours
            ],
            "letters": LETTERS,
        }
        return JSONResponse(facts)

    async def session(self, request: Request) -> Response:
        """Answer with the key of the page in exchange for a code, which is the body and valid once.

        A request that has a key already, as from a second tab, does not use up the code.
        """
        has_key = KEYED in request.scope
        code = await read_body(request, 200, self.limits.code_seconds)
        if not (has_key or self.gate.keys.redeem(code.decode("utf-8", "replace"))):
            raise RefusedError(
                401,
                "no-token",
                "The code is not from this run, or was used before.",
                "Start `flowvision web` again for another one.",
            )
        return JSONResponse({"ok": True, "key": self.gate.keys.page})


def make_app(gate: Gate, limits: WebLimits | None = None) -> Guard:
    """Return the application behind its gate; its workers start and end with its lifespan."""
    handlers = Handlers(gate, limits or WebLimits())
    compressed = [Middleware(GZipMiddleware)]
    routes = [Route(path, handlers.static, methods=["GET"], middleware=compressed) for path in handlers.files]
    routes += [Route("/api/about", handlers.about, methods=["GET"])]
    routes += [Route("/api/session", handlers.session, methods=["POST"])]
    for name, task in tasks().items():
        routes.append(Route(f"/api/{name}", partial(handlers.work, name, task), methods=["POST"]))
    return Guard(Router(routes, lifespan=partial(_lifespan, handlers)), gate)


@asynccontextmanager
async def _lifespan(handlers: Handlers, _: Router) -> AsyncIterator[None]:
    """Start processes with the first requests, and kill them with the server."""
    modules = [module.__name__ for module in (picture_tasks, puzzle_tasks)]
    prepare = partial(prepare_worker, modules, handlers.limits.memory_bytes)
    pool = WorkerPool(handlers.limits.workers, prepare=prepare, spares=1)
    handlers.running = Jobs(pool, handlers.limits)
    try:
        yield
    finally:
        await asyncio.to_thread(pool.kill)
