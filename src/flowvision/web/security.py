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
from flowvision.web.faults import RefusedError

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
    """The secrets of one run: the ``token`` of its address, and what a browser gets in exchange for it."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES), repr=False)
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES), repr=False)

    def is_token(self, given: str) -> bool:
        """Whether this is the token; takes as long wherever they differ."""
        return secrets.compare_digest(given.encode(), self.token.encode())

    def is_cookie(self, given: str) -> bool:
        """Whether this is the value of the cookie, likewise."""
        return secrets.compare_digest(given.encode(), self.cookie.encode())


@value_type
class Gate:
    """What a request must bring: a ``Host`` of the list, and one of the ``keys``.

    ``scheme``: http or https. ``cookie_name``: cookies are not kept apart by port, so the port is in it.
    """

    hosts: frozenset[str]
    scheme: str
    cookie_name: str
    keys: Keys = field(default_factory=Keys)

    @classmethod
    def of(cls, names: Iterable[str], port: int, scheme: str = "http", keys: Keys | None = None) -> Gate:
        """The gate of a server that is reached by these names or addresses at this port."""
        usual = {"http": 80, "https": 443}[scheme]
        hosts = {f"{name}:{port}" for name in names} | (set(names) if port == usual else set())
        return cls(frozenset(hosts), scheme, f"flowvision-{port}", keys or Keys())

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

    def check_key(self, headers: Headers, cookies: dict[str, str], method: str) -> None:
        """Raises ``RefusedError`` without the token or the cookie, or when another origin may be asking.

        The token in ``Authorization`` is never sent by a browser of its own accord, the cookie is: so with
        the cookie the browser must also say that the page is ours.
        """
        ours = f"{self.scheme}://{self.check_host(headers)}"
        origins = headers.getlist("origin")
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        by_token = scheme.lower() == "bearer" and self.keys.is_token(bearer.strip())
        if any(origin != ours for origin in origins):
            raise _foreign("The request comes from another page.")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise _foreign("The request comes from another site.")
        if by_token:
            return
        if not self.keys.is_cookie(cookies.get(self.cookie_name, "")):
            raise RefusedError(
                401,
                "no-token",
                "The token of this server is missing, or is that of an earlier run.",
                "Open the address that `flowvision web` printed, or send `Authorization: Bearer TOKEN`.",
            )
        if not origins and method not in ("GET", "HEAD"):
            raise _foreign("The request does not say what page it comes from.")

    def check_page(self, headers: Headers) -> None:
        """Raises ``RefusedError`` unless our own page asks, which may then show the token."""
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

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
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
        if scope["path"] == SESSION:
            self.gate.check_page(headers)
        elif scope["path"].startswith(API):
            self.gate.check_key(headers, _cookies(headers), scope["method"])


def _cookies(headers: Headers) -> dict[str, str]:
    """The cookies of a request; of two with one name, neither."""
    found: dict[str, str] = {}
    for part in headers.get("cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        found[name] = "" if name in found else value
    return found
