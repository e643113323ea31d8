import asyncio
import gzip
import re
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import numpy as np
import pytest
from starlette.types import Message, Receive

from flowvision import solve_image
from flowvision.image.codec import decode, encode
from flowvision.image.picture import Bgr, Frame
from flowvision.puzzle.layout import Board
from flowvision.puzzle.text import parse
from flowvision.web.app import HEADERS, MEDIA_TYPES, TOKEN_BYTES, Gate, Keys, WebLimits, make_app, page_files
from flowvision.web.queries import PICTURES, TASKS, free_object
from tests.calls import in_own_loop
from tests.commands import PATIENCE, ROOT
from tests.drawing import LEVEL_5X5, SEVERAL, UNSOLVABLE, screenshot_of
from tests.pictures import ONE_ORANGE, covered, without_column
from tests.web.serving import Serving

NO_PUZZLES = (
    b"R.\n..\n",
    b"",
    b"\xff\xfe",
    b"{",
    b'{"rows": 1}',
    b"[" * 5000,
    b'{"rows": 99999999, "cols": 99999999, "pairs": []}',
    b'{"puzzle": 5}',
    b'{"puzzle": {"tiling": "free"}}',
)


def test_a_picture_is_solved(server: Serving, shot: Path) -> None:
    described = server.post("solve?name=shot.png", shot.read_bytes()).object
    assert (described["ok"], described["file"], described["unique"], described["output"]) == (
        True,
        "shot.png",
        True,
        None,
    )
    assert [flow["letter"] for flow in described["flows"]] == list("RGYBO")
    cells = described["board"]["cells_px"]
    assert len(cells) == described["board"]["cells"] == 25
    assert "free" not in described["board"]
    frame = Frame(tuple(described["board"]["frame"]))
    for row, col in ((0, 0), (4, 2)):
        assert np.allclose(cells[5 * row + col][0], frame.to_px([(col, row)])[0], atol=0.1)
    assert described["seen"]["picture"] == [324, 580]  # its width and height
    assert all(0 <= doubt <= 1 for flow in described["flows"] for doubt in flow["doubts"])


def test_a_refusal_says_what_was_seen(server: Serving, unsolvable: Path, menu: Path) -> None:
    pictures = {"unsolvable": unsolvable.read_bytes(), "board-not-found": menu.read_bytes()}
    described = {}
    for code, data in (*pictures.items(), ("image-unreadable", b"no picture")):
        reply = server.post("solve", data)
        described[code] = reply.object
        assert (reply.status, reply.object["ok"], reply.object["error"]["code"]) == (422, False, code)
    assert described["unsolvable"]["board"]["grid"] == UNSOLVABLE.split()
    seen = described["unsolvable"]["seen"]["board"]
    assert (seen["rows"], seen["cols"]) == (3, 3)
    assert sorted(flow["ends"] for flow in seen["flows"]) == [[[0, 0], [2, 2]], [[0, 2], [2, 0]]]
    assert "board" not in described["board-not-found"]
    assert described["board-not-found"]["seen"]["picture"][0] > 0


def test_a_refusal_has_advice_as_data(server: Serving) -> None:
    def answer(bgr: Bgr, query: str = "") -> Any:
        return server.post(f"solve{query}", encode(bgr)).object

    lone = answer(screenshot_of(ONE_ORANGE))["advice"]
    size = answer(screenshot_of(ONE_ORANGE), "?grid=6x5")["advice"]
    dot = answer(covered(screenshot_of(LEVEL_5X5), row=4, col=3, share=0.47))["advice"]
    assert (lone["places"], "boards" in lone) == ([[1, 4]], False)
    assert [(one["text"], one["grid"]) for one in size["boards"]] == [("Read it as 5 × 5", [5, 5])]
    assert dot["put"] == [{"place": [4, 3], "letter": "O"}]
    assert [answer(without_column("right"))["advice"]["cut"], dot["cut"]] == [["right"], []]
    wrong = answer(screenshot_of(LEVEL_5X5.replace(".RBO.", "..B..")))["seen"]["board"]
    assert {"#ff0000", "#fb8900"} <= {one for flow in wrong["flows"] for one in flow["colours"]}
    assert "put" not in answer(screenshot_of(LEVEL_5X5.replace(".RBO.", "R.BO.")))["advice"], (
        "a move is a repair"
    )
    other = answer(np.hstack([screenshot_of(LEVEL_5X5), screenshot_of(LEVEL_5X5)]))
    assert [one["text"] for one in other["advice"]["boards"]] == ["Read the other board"]
    words = [
        *other["advice"]["warnings"],
        *(one[key] for one in (lone, size, dot) for key in ("says", "more")),
    ]
    assert not [text for text in words if "--" in text or "`" in text]


def paths(described: Any) -> list[Any]:
    return [flow["path"] for flow in described["flows"]]


def test_a_puzzle_is_solved(server: Serving) -> None:
    described = server.post("puzzle?count=9", LEVEL_5X5).object
    assert (described["ok"], described["unique"], described["count"]) == (True, True, 1)
    record, text = described["puzzle"]["record"], parse(LEVEL_5X5)
    for body in (record, {"puzzle": LEVEL_5X5}, {"puzzle": record}):
        assert paths(server.post("puzzle", body).object) == paths(described)
    free = free_object(Board(text.board.graph, text.board.layout, None), text.puzzle)
    numbered = server.post("puzzle", {"puzzle": free}).object
    assert (numbered["ok"], numbered["unique"]) == (True, True)
    assert paths(numbered) == [[5 * r + c for r, c in path] for path in paths(described)]
    for wrong in ({"cells": []}, {"sides": [[0, 99, 0, 0]]}, {"pairs": [[0]]}):
        refused = server.post("puzzle", {"puzzle": free | wrong}).object
        assert refused["error"]["code"] == "puzzle-invalid"


def test_what_puzzles_lack_is_reported(server: Serving) -> None:
    several = server.post("puzzle", {"puzzle": SEVERAL, "repair": True}).object
    assert (several["ok"], several["unique"]) == (True, False)
    assert several["second"] != paths(several)
    assert several["differs"]
    assert "repairs" in several
    error = server.post("puzzle", UNSOLVABLE).object["error"]
    assert (error["code"], "--" in error["hint"]) == ("unsolvable", False)
    for body in NO_PUZZLES:
        reply = server.post("puzzle", body)
        assert reply.status in (400, 422), body
        if reply.status == 422:
            assert reply.object["error"]["code"] == "puzzle-invalid", body
            assert reply.object["error"]["message"]


def test_hints_go_on_from_known_steps(server: Serving) -> None:
    first = server.post("hint", LEVEL_5X5).object["hint"]
    known = [step["cells"] for step in first]
    again = server.post("hint", {"puzzle": LEVEL_5X5, "known": known, "kind": "next"}).object
    second = again["hint"]
    assert again["why"] != again["short"]
    assert re.fullmatch(
        r"The (dot|pipe) \w (has one way out|can only continue): (up|right|down|left)\.", again["short"]
    )
    assert second
    assert not [step for step in second if step in first]
    assert {step["flow"] for step in server.post("hint?kind=R", LEVEL_5X5).object["hint"]} == {0}
    names = {"puzzle": LEVEL_5X5, "names": "red,green 2,yellow,blue,orange"}
    why = server.post("hint", names).object["why"]
    assert re.search(r"the (red|green 2|yellow|blue|orange) dot in row \d", why, re.IGNORECASE), why
    for body, status in (
        ({"puzzle": UNSOLVABLE}, 422),
        ({"puzzle": LEVEL_5X5, "kind": "Q"}, 422),
        ({"puzzle": LEVEL_5X5, "known": [[[0, 0], [4, 4]]]}, 422),
        ({"puzzle": LEVEL_5X5, "known": 7}, 400),
    ):
        assert server.post("hint", body).status == status


def test_puzzles_are_generated(server: Serving) -> None:
    described = server.post("generate?size=6x5&seed=4&holes=2&walls=1").object
    assert described["puzzle"]["record"]["cols"] == 6
    assert len(described["puzzle"]["record"]["holes"]) == 2
    assert server.post("puzzle", described["puzzle"]["record"]).object["unique"]
    assert server.post("generate?size=6x5&tiling=hex").object["puzzle"]["board"]["tiling"] == "hex"
    assert server.post("generate?size=5x5&difficulty=medium").object["difficulty"] == "medium"
    assert [server.post(f"sample?number={one}").status for one in (0, 99)] == [200, 400]
    for status, queries in (
        (400, ("tiling=round", "seed=x", "holes=-1", "colours=1.5")),
        (422, ("size=99x1", "size=5x5&difficulty=fiendish")),
    ):
        assert {server.post(f"generate?{query}").status for query in queries} == {status}


def test_the_solved_picture_is_that_of_the_library(server: Serving, shot: Path) -> None:
    data = shot.read_bytes()
    reply = server.post("picture", data)
    assert reply.headers["content-type"] == "image/png"
    expected = solve_image(data)
    assert np.array_equal(decode(reply.body).bgr, expected.picture)
    frame = ",".join(map(str, expected.reading.frame.matrix))
    colours = ",".join(rgb.hex for rgb in expected.reading.palette)
    query = f"puzzle={quote(LEVEL_5X5)}&frame={frame}&colours={quote(colours)}"
    drawn = server.post(f"picture?{query}", data)
    assert np.array_equal(decode(drawn.body).bgr, expected.picture)


def test_pictures_that_cannot_be_drawn_are_refused(server: Serving, shot: Path) -> None:
    data, puzzle = shot.read_bytes(), quote(LEVEL_5X5)
    colours = quote(",".join(["#ff0000"] * 5))
    for query, body, status in (
        ("", b"", 400),
        ("format=exe", data, 400),
        (f"puzzle={puzzle}", data, 400),
        (f"puzzle={puzzle}&colours={colours}&frame=1,2,3", data, 400),
        (f"puzzle={puzzle}&colours={colours}&frame=1,0,nan,0,1,0,0,0,1", data, 400),
        (f"puzzle={puzzle}&colours={colours}&frame=1,0,1e308,0,1e308,0,0,0,0", data, 422),
        (f"puzzle={puzzle}&colours=red", b"", 400),
        ("puzzle=R..R", b"", 422),
        (f"puzzle={puzzle}&colours=%23ff0000", b"", 422),
        (f"puzzle={quote(UNSOLVABLE)}&colours={colours}", b"", 422),
    ):
        assert server.post(f"picture?{query}", body).status == status, query


def test_an_uploaded_picture_is_turned_and_made_new(server: Serving, shot: Path) -> None:
    turned = server.post("preview?rotate=90", shot.read_bytes() + b"<script>alert(1)</script>")
    assert turned.headers["content-type"] == "image/png"
    assert b"<script>" not in turned.body
    assert decode(turned.body).bgr.shape == (324, 580, 3)
    drawing = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    assert server.post("preview", drawing).status == 422


def test_the_page_is_whole_and_names_no_other_origin(server: Serving) -> None:
    files = page_files()
    named = set(re.findall(r'(?:src|href)="([^"#]*)"', files["index.html"].decode()))
    scripts, imported = {name for name in files if name.endswith(".js")}, {"main.js"}
    for name, data in files.items():
        text = data.decode().replace("http://www.w3.org/2000/svg", "")
        imported |= set(re.findall(r'from "\./([\w.]+)"', text))
        assert not re.search(r"(https?:)?//[\w.]+\.\w{2,}|innerHTML|eval\(|style=", text), name
        path = "/" if name == "index.html" else f"/{name}"
        plain, kind = server.ask("GET", path), MEDIA_TYPES[Path(name).suffix]
        assert (plain.status, plain.body, plain.headers["content-type"]) == (200, data, kind)
        small = server.ask("GET", path, headers={"Accept-Encoding": "gzip, br"})
        assert small.body == data or gzip.decompress(small.body) == data
    assert imported == scripts
    assert scripts <= {name.removeprefix("./") for name in named} <= {"", *files}
    assert sum(len(gzip.compress(data)) for data in files.values()) <= 86_000


def test_every_address_is_documented() -> None:
    documented = (ROOT / "docs" / "web.md").read_text()
    routes = make_app(Gate.of(("localhost",), port=80)).app.routes
    paths = {route.path for route in routes if route.path.startswith("/api/")}
    assert len(paths) >= 11
    assert all(f"| `{path}`" in documented for path in paths)


ABOUT = "/api/about"
GATE = Gate.of(("localhost", "192.168.1.5"), port=80)
KEY = ("authorization", f"Bearer {GATE.keys.token}")
HOST, ORIGIN = ("host", "localhost"), ("origin", "http://localhost")
CHUNK = 100
LENGTHS = [("content-length", length) for length in ("-1", "1e3", "4 4", "99999999999")]


async def silent() -> Message:
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


class Answered(NamedTuple):
    """What the application answers; status 0: it closes a web socket."""

    status: int
    headers: dict[str, str]


def answer(
    scope: dict[str, Any], headers: list[tuple[str, str]], receive: Receive = silent, **limits: float
) -> Answered:
    """Ask the application without a socket."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    raw = [(name.encode(), value.encode()) for name, value in headers]
    whole = {"type": "http", "query_string": b"", "path": ABOUT, "headers": raw, **scope}
    app = make_app(GATE, WebLimits(**limits))
    in_own_loop(lambda: asyncio.wait_for(app(whole, receive, send), PATIENCE))
    if sent[0]["type"] == "websocket.close":
        return Answered(0, {})
    named = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answered(sent[0]["status"], named)


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
        answered = answer({"method": method}, [*headers, KEY])
        assert answered.status == expected, method
        assert "access-control-allow-origin" not in answered.headers
        is_closed = answered.headers.get("connection") == "close"
        assert is_closed == (status == 400), "what follows is no request"


def test_web_sockets_are_refused() -> None:
    assert answer({"type": "websocket"}, [HOST, ORIGIN, KEY]).status == 0


@pytest.mark.parametrize("name", ["session", *TASKS])
def test_bodies_are_bounded_in_time_and_size(name: str) -> None:
    taken = 0

    async def endless() -> Message:
        nonlocal taken
        taken += CHUNK
        return {"type": "http.request", "body": b"x" * CHUNK, "more_body": True}

    scope, headers = {"method": "POST", "path": f"/api/{name}"}, [HOST, ORIGIN]
    task = name in TASKS
    headers += [KEY] if task else []
    assert answer(scope, headers, **{"body_seconds" if task else "code_seconds": 0.01}).status == 408
    assert answer(scope, headers, endless, picture_bytes=2000, text_bytes=1000).status == 413
    limit_of_code = 200
    assert taken == CHUNK + (limit_of_code if not task else 2000 if name in PICTURES else 1000)
    assert {answer(scope, [*headers, length]).status for length in LENGTHS} == {413}


def test_without_a_key_or_as_a_form_nothing_is_done(server: Serving) -> None:
    """Other accounts of the machine reach the port, but have no key."""
    ours = {"Origin": server.origin}
    form = server.post("solve", b"--x\r\n", **{"Content-Type": "multipart/form-data; boundary=x"})
    assert (form.status, "--data-binary" in form.object["error"]["hint"]) == (415, True)
    code = server.gate.keys.new_code()
    for headers in (
        ours,
        ours | {"Cookie": f"flowvision-{server.port}={server.gate.keys.token}"},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer é"},
        {"Authorization": f"Bearer {code}"},
        {"Authorization": f"Basic {server.gate.keys.token}"},
    ):
        assert server.ask("POST", "/api/puzzle", LEVEL_5X5, headers).status == 401, headers
    for name in TASKS:
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
        assert server.gate.keys.token.encode() not in reply.body
    good = server.ask("POST", "/api/session", code, ours)
    assert (good.status, good.object["key"]) == (200, server.gate.keys.token)
    assert "set-cookie" not in good.headers
    assert server.ask("POST", "/api/session", code, ours).status == 401
    assert server.ask("POST", "/api/session", code, ours | {"Authorization": "Bearer x"}).status == 401
    again = server.ask("POST", "/api/session", code, server.page)
    assert (again.status, again.object["key"]) == (200, server.gate.keys.token)


def test_secrets_are_long_and_new() -> None:
    one, other = Keys(), Keys()
    assert TOKEN_BYTES * 8 > 128
    assert len({one.token, one.new_code(), other.token, other.new_code()}) == 4
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
