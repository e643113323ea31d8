"""Who may ask for what: checked before any route is, and said to the browser with every answer.

A page of any other origin must neither use this server through the browser of the person who runs it, nor
read what it answers; nor may another account of the machine, or another machine of the network.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import field

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from flowvision.value import value_type
from flowvision.web.jobs import RefusedError

TOKEN_BYTES = 24
API = "/api/"
SESSION = "/api/session"

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


@value_type
class Keys:
    """The secrets of one run.

    ``token``: for programs. ``codes``: each lets one browser in once; it stands in an address, which browsers
    remember and share. ``page``: what the page gets in exchange for a code.
    """

    token: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES), repr=False)
    page: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES), repr=False)
    codes: set[str] = field(default_factory=set, repr=False)

    def new_code(self) -> str:
        """One more code."""
        code = secrets.token_urlsafe(TOKEN_BYTES)
        self.codes.add(code)
        return code

    def redeem(self, given: str) -> bool:
        """Whether this is a code that was not used yet; from now on it is."""
        found = [code for code in self.codes if _is_same(code, given)]
        self.codes.difference_update(found)
        return bool(found)

    def is_known(self, given: str) -> bool:
        """Whether this lets somebody in; takes as long wherever it differs."""
        return _is_same(given, self.token) | _is_same(given, self.page)


def _is_same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())


@value_type
class Gate:
    """What a request must bring: a ``Host`` of the list, one of the ``keys``. ``scheme``: http or https."""

    hosts: frozenset[str]
    scheme: str
    keys: Keys = field(default_factory=Keys)

    @classmethod
    def of(cls, names: Iterable[str], port: int, scheme: str = "http", keys: Keys | None = None) -> Gate:
        """The gate of a server that is reached by these names or addresses at this port."""
        usual = {"http": 80, "https": 443}[scheme]
        hosts = {f"{name}:{port}" for name in names} | (set(names) if port == usual else set())
        return cls(frozenset(hosts), scheme, keys or Keys())

    def check_host(self, headers: Headers) -> str:
        """The host that was asked. Raises ``RefusedError`` for others, which a page may own (rebinding)."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            raise RefusedError(
                421,
                "wrong-host",
                "This server is not reached by that name.",
                "Open the address that `flowvision web` printed.",
            )
        return hosts[0].lower()

    def check_key(self, headers: Headers) -> None:
        """Raises ``RefusedError`` without a key, or when another origin asks.

        ``Authorization`` is never sent by a browser of its own accord, as a cookie would be, which moreover
        goes to every port of this machine: the page keeps its key in ``localStorage``, which belongs to one
        browser and one origin, port included; it is worth nothing once this run has ended.
        """
        ours = f"{self.scheme}://{self.check_host(headers)}"
        if any(origin != ours for origin in headers.getlist("origin")):
            raise _foreign("The request comes from another page.")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise _foreign("The request comes from another site.")
        if not self.has_key(headers):
            raise RefusedError(
                401,
                "no-token",
                "The token of this server is missing, or is that of an earlier run.",
                "Open the address that `flowvision web` printed, or send `Authorization: Bearer TOKEN`.",
            )

    def has_key(self, headers: Headers) -> bool:
        """Whether a request brings one of the keys."""
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self.keys.is_known(bearer.strip())

    def check_page(self, headers: Headers) -> None:
        """Raises ``RefusedError`` unless our own page asks, which may then show its code."""
        ours = f"{self.scheme}://{self.check_host(headers)}"
        if headers.getlist("origin") != [ours]:
            raise _foreign("The request does not come from this server's page.")
        if headers.get("sec-fetch-site", "same-origin") != "same-origin":
            raise _foreign("The request comes from another site.")


def _foreign(message: str) -> RefusedError:
    return RefusedError(403, "wrong-origin", message, "Programs send `Authorization: Bearer TOKEN`.")


class Guard:
    """The outermost layer of the application: the gate before it, the headers after it."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self.app = app
        self.gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or have it answered."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        is_ambiguous = _has_two_lengths(Headers(scope=scope))

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if is_ambiguous:
                    headers["Connection"] = "close"
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        try:
            self._check(scope)
        except RefusedError as refused:
            await refused.response()(scope, receive, send_guarded)
        else:
            await self.app(scope, receive, send_guarded)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        self.gate.check_host(headers)
        if _has_two_lengths(headers):
            raise RefusedError(400, "two-lengths", "The request says twice how long it is.", "Say it once.")
        if scope["path"] == SESSION:
            self.gate.check_page(headers)
        elif scope["path"].startswith(API):
            self.gate.check_key(headers)


def _has_two_lengths(headers: Headers) -> bool:
    """Whether two readers could disagree where the request ends (request smuggling, RFC 9112, 6.1)."""
    return "content-length" in headers and "transfer-encoding" in headers
