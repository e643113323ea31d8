"""Access control before any route, and the security headers of every answer.

Neither a page of another origin, in the browser of the person who runs the server, nor another account or
machine may use this server or read its answers.
"""

from __future__ import annotations

import secrets
from asyncio import CancelledError
from collections.abc import Iterable

from msgspec import Struct, field
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from flowvision.web.queries import RefusedError, failure_reply

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

    ``token``: for programs. ``codes``: each lets one browser in once; it is in an address, which browsers
    remember and share. ``page``: what the page gets in exchange for a code.
    """

    token: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES))
    page: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES))
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
        """Tell if this is an unused code, and use it."""
        found = [code for code in self.codes if _is_same(code, candidate)]
        self.codes.difference_update(found)
        return bool(found)

    def is_known(self, candidate: str) -> bool:
        """Tell if this is the token or the page's key, in the same time wherever it differs."""
        return _is_same(candidate, self.token) | _is_same(candidate, self.page)


def _is_same(a: str, b: str) -> bool:
    return secrets.compare_digest(a.encode(), b.encode())


class Gate(Struct, frozen=True):
    """Conditions of a request: a ``Host`` of the list, one of the ``keys``. ``scheme``: http or https."""

    hosts: frozenset[str]
    scheme: str
    keys: Keys = field(default_factory=Keys)

    @classmethod
    def of(cls, names: Iterable[str], port: int, scheme: str = "http") -> Gate:
        """Return the gate of a server that has these names or addresses, at this port."""
        usual = {"http": 80, "https": 443}[scheme]
        hosts = {f"{name}:{port}" for name in names} | (set(names) if port == usual else set())
        return cls(frozenset(hosts), scheme)

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
        origins, ours = headers.getlist("origin"), f"{self.scheme}://{hosts[0].lower()}"
        site = headers.get("sec-fetch-site", "same-origin")
        if any(origin != ours for origin in origins) or site not in ("same-origin", "none"):
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
    return RefusedError(403, "wrong-origin", message, "Programs send `Authorization: Bearer TOKEN`.")


class Guard:
    """The outermost layer of the application: the gate before it, errors in words and headers after it."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self.app = app
        self.gate = gate

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
            await failure_reply(error)(scope, receive, send_guarded)
