import asyncio
from typing import Any

import pytest
from starlette.types import Message, Receive

from flowvision.web.app import HEADERS, PICTURES, TOKEN_BYTES, Gate, Keys, WebLimits, make_app, tasks
from tests.commands import PATIENCE
from tests.drawing import FIVE
from tests.web.serving import Serving
from tests.workers.calls import in_own_loop

ABOUT = "/api/about"
GATE = Gate.of(("localhost", "192.168.1.5"), 80)
KEY = ("authorization", f"Bearer {GATE.keys.token}")
HOST, ORIGIN = ("host", "localhost"), ("origin", "http://localhost")
CHUNK = 100
LENGTHS = [("content-length", length) for length in ("-1", "1e3", "4 4", "99999999999")]


async def silent() -> Message:
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


def answer(
    scope: dict[str, Any], headers: list[tuple[str, str]], receive: Receive = silent, **limits: float
) -> tuple[int, dict[str, str]]:
    """Status and headers of what the application answers without a socket; 0: it closes a web socket."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    raw = [(name.encode(), value.encode()) for name, value in headers]
    whole = {"type": "http", "query_string": b"", "path": ABOUT, "headers": raw, **scope}
    app = make_app(GATE, WebLimits(**limits))
    in_own_loop(lambda: asyncio.wait_for(app(whole, receive, send), PATIENCE))
    if sent[0]["type"] == "websocket.close":
        return 0, {}
    return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (200, [("host", "192.168.1.5"), ("origin", "http://192.168.1.5")]),
        (200, [HOST, ORIGIN]),
        (200, [("host", "LocalHost:80")]),
        (421, []),
        (421, [HOST, ("host", "evil.example")]),
        (421, [("host", "localhost:81")]),
        (421, [("host", "localhost.evil.example")]),
        (403, [HOST, ("origin", "http://evil.example")]),
        (403, [HOST, ("origin", "http://192.168.1.5")]),  # another name of this server
        (403, [("host", "192.168.1.5"), ORIGIN]),
        (403, [HOST, ORIGIN, ("origin", "http://evil.example")]),
        (403, [HOST, ("origin", "")]),
        (403, [HOST, ("origin", "null")]),
        (403, [HOST, ("origin", "https://localhost")]),
        (403, [HOST, ("sec-fetch-site", "cross-site")]),
        (403, [HOST, ("sec-fetch-site", "same-site")]),  # another port of this machine
        (400, [HOST, ("content-length", "4"), ("transfer-encoding", "chunked")]),
    ],
)
def test_requests_and_preflights_pass_the_same_gate(status: int, headers: list[tuple[str, str]]) -> None:
    for method, expected in (("GET", status), ("OPTIONS", 405 if status == 200 else status)):
        got, answered = answer({"method": method}, [*headers, KEY])
        assert (got, "access-control-allow-origin" in answered) == (expected, False), method
        assert (answered.get("connection") == "close") == (status == 400), "what follows is no request"


def test_web_sockets_are_refused() -> None:
    assert answer({"type": "websocket"}, [HOST, ORIGIN, KEY])[0] == 0


@pytest.mark.parametrize("name", ["session", *tasks()])
def test_bodies_are_bounded_in_time_and_size(name: str) -> None:
    taken = 0

    async def endless() -> Message:
        nonlocal taken
        taken += CHUNK
        return {"type": "http.request", "body": b"x" * CHUNK, "more_body": True}

    scope, headers = {"method": "POST", "path": f"/api/{name}"}, [HOST, ORIGIN]
    task = name in tasks()
    headers += [KEY] if task else []
    assert answer(scope, headers, **{"body_seconds" if task else "code_seconds": 0.01})[0] == 408
    assert answer(scope, headers, endless, picture_bytes=2000, text_bytes=1000)[0] == 413
    assert taken == CHUNK + (200 if not task else 2000 if name in PICTURES else 1000)
    assert {answer(scope, [*headers, length])[0] for length in LENGTHS} == {413}


def test_without_a_key_or_as_a_form_nothing_is_done(server: Serving) -> None:
    """Other accounts of the machine reach the port, but have no key."""
    ours = {"Origin": server.origin}
    form = server.post("solve", b"--x\r\n", **{"Content-Type": "multipart/form-data; boundary=x"})
    assert (form.status, "--data-binary" in form.object["error"]["hint"]) == (415, True)
    code = server.gate.keys.new_code()
    for headers in (
        ours,
        ours | {"Cookie": f"flowvision-{server.port}={server.gate.keys.page}"},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer é"},
        {"Authorization": f"Bearer {code}"},
        {"Authorization": f"Basic {server.gate.keys.token}"},
    ):
        assert server.ask("POST", "/api/puzzle", FIVE, headers).status == 401, headers
    for name in tasks():
        assert server.ask("POST", f"/api/{name}", b"", ours).status == 401, name
    assert server.ask("GET", ABOUT).status == 401


def test_a_code_lets_our_own_page_in_once(server: Serving) -> None:
    """Browsers remember and share addresses, so the code in one is good for one exchange."""
    code, ours = server.gate.keys.new_code().encode(), {"Origin": server.origin}
    for body, headers, status in (
        (code, {}, 403),
        (code, {"Origin": "null"}, 403),
        (code[:-1], ours, 401),
        (b"", ours, 401),
        (b"\xff" * 32, ours, 401),
        (b"x" * 10_000, ours, 413),
        (server.gate.keys.token.encode(), ours, 401),
    ):
        reply = server.ask("POST", "/api/session", body, headers)
        assert reply.status == status
        assert server.gate.keys.page.encode() not in reply.body
    good = server.ask("POST", "/api/session", code, ours)
    assert (good.status, good.object["key"]) == (200, server.gate.keys.page)
    assert "set-cookie" not in good.headers
    assert server.ask("POST", "/api/session", code, ours).status == 401
    assert server.ask("POST", "/api/session", code, ours | {"Authorization": "Bearer x"}).status == 401
    again = server.ask("POST", "/api/session", code, server.page)
    assert (again.status, again.object["key"]) == (200, server.gate.keys.page)


def test_secrets_are_long_and_new() -> None:
    one, other = Keys(), Keys()
    assert TOKEN_BYTES * 8 > 128
    assert len({one.token, one.page, one.new_code(), other.token, other.page, other.new_code()}) == 6
    assert GATE.keys.token not in repr(GATE)


@pytest.mark.parametrize("path", ["/", "/main.js", "/nothing", ABOUT, "/api/nothing"])
def test_every_answer_tells_the_browser_its_bounds(server: Serving, path: str) -> None:
    headers = server.ask("GET", path).headers
    policy = headers["content-security-policy"]
    for part in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'"):
        assert part in policy
    assert "unsafe" not in policy
    assert [name for name, value in HEADERS.items() if headers[name.lower()] != value] == []
    assert not any(name.startswith("access-control") for name in headers)
    assert "server" not in headers
