"""The application: access control before any route, the addresses and their handlers."""

from __future__ import annotations

import asyncio
import secrets
from asyncio import CancelledError
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib.resources import files
from pathlib import PurePath

from msgspec import Struct, field
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from flowvision.web.queries import (
    PICTURES,
    TASKS,
    RefusedError,
    about_object,
    failure_object,
    reply_of,
    task_named,
)
from flowvision.words import whole_number
from flowvision.workers import SPARE_SECONDS, WorkerPool, prepare_worker

TOKEN_BYTES = 24
SESSION = "/api/session"
KEYED = "flowvision.keyed"
"""Key of the scope of a request that has a key."""

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Cache-Control": "no-store",
}


class Keys(Struct, frozen=True):
    """The secrets of one run.

    ``token``: for programs, and for the page in exchange for a code. ``codes``: each lets one browser in
    once; it is in an address, which browsers remember and share.
    """

    token: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES))
    codes: set[str] = field(default_factory=set)

    def __repr__(self) -> str:
        """Show no secret: tracebacks and logs may be shared."""
        return "<Keys>"

    def new_code(self) -> str:
        """Return one more code."""
        code = secrets.token_urlsafe(TOKEN_BYTES)
        self.codes.add(code)
        return code

    def redeem(self, candidate: str) -> bool:
        """Return true if this is an unused code, and remove it."""
        matching = [code for code in self.codes if _is_same(code, candidate)]
        self.codes.difference_update(matching)
        return bool(matching)

    def is_known(self, candidate: str) -> bool:
        """Return true if this is the token."""
        return _is_same(candidate, self.token)


def _is_same(a: str, b: str) -> bool:
    """Compare two secrets in a time that does not depend on where they differ."""
    return secrets.compare_digest(a.encode(), b.encode())


class Gate(Struct, frozen=True):
    """Conditions of a request: a ``Host`` among ``hosts`` (name and port), one of the ``keys``.

    ``scheme``: http or https.
    """

    hosts: frozenset[str]
    scheme: str
    keys: Keys = field(default_factory=Keys)

    @classmethod
    def of(cls, names: Iterable[str], port: int, scheme: str = "http") -> Gate:
        """Return the gate of a server that has these names or addresses, at this port."""
        usual = {"http": 80, "https": 443}[scheme]
        ends = {f":{port}", ""} if port == usual else {f":{port}"}  # browsers leave out the usual port
        return cls(frozenset(name + end for name in names for end in ends), scheme)

    def check(self, scope: Scope) -> None:
        """Raise ``RefusedError`` for a request that may not come in, and mark one with a key as ``KEYED``.

        Other hosts may be names of a foreign page that were made to lead here (DNS rebinding). The page's key
        is in ``localStorage``, which belongs to one browser and one origin, port included; it is never sent
        unasked, as a cookie would be, to every port of this machine.
        """
        headers, path = Headers(scope=scope), scope["path"]
        if "content-length" in headers and "transfer-encoding" in headers:  # request smuggling, RFC 9112, 6.1
            raise RefusedError(400, "two-lengths", "The request gives its length twice.", "Give it once.")
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            hint = "Open the address that `flowvision web` printed."
            raise RefusedError(421, "wrong-host", "This server does not answer to that name.", hint)
        if not path.startswith("/api/"):
            return
        origins = headers.getlist("origin")
        our_origin = f"{self.scheme}://{hosts[0].lower()}"
        site = headers.get("sec-fetch-site", "same-origin")  # "none": typed, or opened by a program
        if any(origin != our_origin for origin in origins) or site not in ("same-origin", "none"):
            raise _foreign("The request comes from another page.")
        if path == SESSION and (not origins or site == "none"):
            raise _foreign("The request does not come from this server's page.")
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and self.keys.is_known(bearer.strip()):
            scope[KEYED] = True
        elif path != SESSION:
            raise RefusedError(
                401,
                "no-token",
                "The token of this server is missing, or from an earlier run.",
                "Open the address that `flowvision web` printed, or send `Authorization: Bearer TOKEN`.",
            )


def _foreign(message: str) -> RefusedError:
    """Return the refusal of a request from elsewhere."""
    return RefusedError(403, "wrong-origin", message, "Programs send `Authorization: Bearer TOKEN`.")


class Guard(Struct, frozen=True, eq=False):
    """The outermost layer of the application: the gate before it, errors in words and headers after it."""

    app: ASGIApp
    gate: Gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if message["status"] == 400:  # what follows could be taken for another request
                    headers["Connection"] = "close"
            await send(message)

        try:
            self.gate.check(scope)
            await self.app(scope, receive, send_guarded)
        except (Exception, CancelledError) as error:
            await JSONResponse(*failure_object(error))(scope, receive, send_guarded)


MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""Of the page's files, by suffix."""
STATIC_SCRIPTS = ("local.js", "worker.js", "sw.js")
"""Scripts for the page without a server, which ``web/static.py`` writes."""


class WebLimits(Struct, frozen=True):
    """Limits in bytes, seconds and numbers."""

    picture_bytes: int = 32 << 20
    text_bytes: int = 256 << 10
    """A board of 250 × 250 cells in text form has a quarter of it."""
    workers: int = 2
    picture_seconds: float = 30.0
    puzzle_seconds: float = 10.0
    memory_bytes: int = 3 << 30
    """Data of one worker, where the system can bound it."""
    connections: int = 64
    """Open connections; beyond them, those that wait longest for a request are closed."""
    idle_seconds: float = 10.0
    """Until a new connection, or one after an answer, has sent the headers of a request."""
    body_seconds: float = 60.0
    code_seconds: float = 1.0
    """For the body of a request without a key."""


async def read_body(request: Request, max_bytes: int, seconds: float) -> bytes:
    """Return the whole body. Raises ``RefusedError`` if it is too long, too slow or multipart."""
    if request.headers.get("content-type", "").lower().startswith("multipart/"):
        raise RefusedError(
            415,
            "not-bytes",
            "The body is multipart; the bytes of the picture or text were expected.",
            "With curl: `--data-binary @shot.png`, not `-F`.",
        )
    megabytes, kilobytes = max_bytes >> 20, max_bytes >> 10
    size = f"{megabytes} MB" if megabytes else f"{kilobytes} kB"
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


async def until_gone(request: Request) -> None:
    """Return when the client has disconnected; the body was received before."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def page_files() -> dict[str, bytes]:
    """Return the files of the page by name.

    ``index.html`` preloads the modules, so that no import waits for the one before.
    """
    page = files("flowvision.web").joinpath("page")
    entries = {entry.name: entry for entry in page.iterdir() if PurePath(entry.name).suffix in MEDIA_TYPES}
    texts = {name: entry.read_text("utf-8") for name, entry in entries.items() if name not in STATIC_SCRIPTS}
    modules = sorted(name for name in texts if name.endswith(".js"))
    links = "".join(f'<link rel="modulepreload" href="{name}">\n' for name in modules)
    texts["index.html"] = texts["index.html"].replace("</head>", f"{links}</head>")
    theme = files("flowvision").joinpath("theme.css").read_text("utf-8")
    texts["page.css"] = theme + texts["page.css"]
    return {name: text.encode() for name, text in texts.items()}


class Handlers(Struct, eq=False):
    """The handlers of all addresses; ``pool``: the workers, while the application runs."""

    gate: Gate
    limits: WebLimits
    files: dict[str, bytes] = field(default_factory=page_files)
    pool: WorkerPool | None = None

    async def work(self, name: str, request: Request) -> Response:
        """Answer with the result of the task ``name`` in a worker, which ends when the client disconnects."""
        limits, is_picture = self.limits, name in PICTURES
        size = limits.picture_bytes if is_picture else limits.text_bytes
        seconds = limits.picture_seconds if is_picture else limits.puzzle_seconds
        body = await read_body(request, size, limits.body_seconds)
        assert self.pool is not None, "the lifespan has not begun"
        call = partial(task_named(name), body, dict(request.query_params), seconds)
        job = asyncio.ensure_future(self.pool.call(call, seconds + SPARE_SECONDS))
        gone = asyncio.ensure_future(until_gone(request))  # done when the client has disconnected
        try:
            await asyncio.wait({job, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not job.done():
                raise RefusedError(400, "gone", "The client has disconnected.")
            result = job.result()
        finally:
            for waiting in (job, gone):
                waiting.cancel()
                with suppress(BaseException):  # cancelled, or failed as ``result`` has raised
                    await waiting
        status, media_type, content = reply_of(name, result)
        return Response(content, status, media_type=media_type)

    async def static(self, request: Request) -> Response:
        """Answer with a file of the page."""
        name = request.url.path[1:] or "index.html"
        return Response(self.files[name], media_type=MEDIA_TYPES[PurePath(name).suffix])

    async def about(self, _: Request) -> Response:
        """Answer with version, limits, forms of output, colours and letters of the game."""
        limits = self.limits
        return JSONResponse(about_object(limits.picture_bytes, limits.text_bytes, reads=True, keeps=False))

    async def session(self, request: Request) -> Response:
        """Answer with the key of the page in exchange for a code, which is the body and valid once.

        A request that has a key already, as from a second tab, does not use up the code.
        """
        has_key = KEYED in request.scope
        code = await read_body(request, max_bytes=200, seconds=self.limits.code_seconds)
        if not (has_key or self.gate.keys.redeem(code.decode("utf-8", "replace"))):
            raise RefusedError(
                401,
                "no-token",
                "The code is not from this run, or was used before.",
                "Start `flowvision web` again for another one.",
            )
        return JSONResponse({"ok": True, "key": self.gate.keys.token})


def make_app(gate: Gate, limits: WebLimits | None = None) -> Guard:
    """Return the application behind its gate; its workers start and end with its lifespan."""
    handlers = Handlers(gate, limits or WebLimits())
    compressed = [Middleware(GZipMiddleware)]
    places = ("" if name == "index.html" else name for name in handlers.files)
    routes = [Route(f"/{name}", handlers.static, methods=["GET"], middleware=compressed) for name in places]
    routes += [Route("/api/about", handlers.about, methods=["GET"])]
    routes += [Route("/api/session", handlers.session, methods=["POST"])]
    for name in TASKS:
        routes.append(Route(f"/api/{name}", partial(handlers.work, name), methods=["POST"]))
    return Guard(Router(routes, lifespan=partial(_lifespan, handlers)), gate)


@asynccontextmanager
async def _lifespan(handlers: Handlers, _: Router) -> AsyncIterator[None]:
    """Keep the workers while the application runs."""
    prepare = partial(prepare_worker, ["flowvision.web.work"], handlers.limits.memory_bytes)
    handlers.pool = WorkerPool(handlers.limits.workers, prepare=prepare, spares=1)
    try:
        yield
    finally:
        await asyncio.to_thread(handlers.pool.kill)
