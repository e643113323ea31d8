import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest

from flowvision import solve_image
from flowvision.image.codec import decode, encode
from flowvision.puzzle.layout import Board
from flowvision.puzzle.text import parse
from flowvision.web.app import Client, Jobs, WebLimits, make_app
from flowvision.web.queries import RefusedError, failure_reply
from flowvision.web.security import Gate
from flowvision.web.written import free_object
from tests.drawing import FIVE, NONE, SEVERAL, screenshot_of
from tests.pictures import NO_ORANGE, covered, two_boards
from tests.web.serving import Serving
from tests.workers.calls import in_own_loop

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

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_a_picture_is_solved(server: Serving, shot: Path) -> None:
    made = server.post("/api/solve?name=shot.png", shot.read_bytes()).object
    assert (made["ok"], made["file"], made["unique"], made["output"]) == (True, "shot.png", True, None)
    assert [flow["letter"] for flow in made["flows"]] == list("RGYBO")
    cells = made["board"]["cells_px"]
    assert len(cells) == made["board"]["cells"] == 25
    assert "free" not in made["board"]
    a, b, c, d, e, f, *_ = made["board"]["frame"]
    for row, col in ((0, 0), (4, 2)):
        corner = [a * col + b * row + c, d * col + e * row + f]
        assert np.allclose(cells[5 * row + col][0], corner, atol=0.1)
    assert made["seen"]["picture"] == [324, 580]
    assert all(0 <= doubt <= 1 for flow in made["flows"] for doubt in flow["doubts"])


def test_a_refusal_says_what_was_seen(server: Serving, impossible: Path, menu: Path) -> None:
    reply = server.post("/api/solve", impossible.read_bytes())
    assert reply.status == 422
    made = reply.object
    assert made["error"]["code"] == "unsolvable"
    assert made["board"]["grid"] == NONE.split()
    seen = made["seen"]["board"]
    assert (seen["rows"], seen["cols"]) == (3, 3)
    assert sorted(flow["ends"] for flow in seen["flows"]) == [[[0, 0], [2, 2]], [[0, 2], [2, 0]]]
    made = server.post("/api/solve", menu.read_bytes()).object
    assert not made["ok"]
    assert "board" not in made
    assert made["seen"]["picture"][0] > 0
    reply = server.post("/api/solve", b"no picture")
    assert (reply.status, reply.object["error"]["code"]) == (422, "image-unreadable")


def test_a_refusal_has_advice_as_data(server: Serving) -> None:
    lone = server.post("/api/solve", encode(screenshot_of(NO_ORANGE))).object["advice"]
    assert lone["places"] == [[1, 4]]
    size = server.post("/api/solve?grid=6x5", encode(screenshot_of(FIVE))).object["advice"]
    assert size["size"] == [5, 5]
    dot = server.post("/api/solve", encode(covered(screenshot_of(FIVE), 4, 3))).object["advice"]
    assert dot["put"] == [{"place": [4, 3], "letter": "O"}]
    wrong = server.post("/api/solve", encode(screenshot_of(FIVE.replace(".RBO.", "..B..")))).object
    assert {"#ff0000", "#fb8900"} <= {
        one for flow in wrong["seen"]["board"]["flows"] for one in flow["colours"]
    }
    moved = server.post("/api/solve", encode(screenshot_of(FIVE.replace(".RBO.", "R.BO.")))).object
    assert "put" not in moved["advice"], "a dot to move is a repair"
    boards = server.post("/api/solve", encode(two_boards())).object["advice"]["boards"]
    assert [one["name"] for one in boards] == ["upper", "lower"]
    assert all(len(one["crop"]) == 4 for one in boards)
    other = server.post("/api/solve", encode(np.hstack([screenshot_of(FIVE), screenshot_of(FIVE)]))).object
    assert [one["name"] for one in other["advice"]["boards"]] == ["other"]
    words = [*other["warnings"], *(one[key] for one in (lone, size, dot) for key in ("says", "more"))]
    assert not [text for text in words if "--" in text or "`" in text]


def test_a_puzzle_is_solved(server: Serving) -> None:
    made = server.post("/api/puzzle?count=9", FIVE.encode()).object
    assert (made["ok"], made["unique"], made["count"]) == (True, True, 1)
    record = json.dumps(made["puzzle"]["record"])
    for body in (record, json.dumps({"puzzle": FIVE}), json.dumps({"puzzle": made["puzzle"]["record"]})):
        again = server.post("/api/puzzle", body.encode()).object
        assert [flow["path"] for flow in again["flows"]] == [flow["path"] for flow in made["flows"]]


def test_what_puzzles_lack_is_said(server: Serving) -> None:
    several = server.post("/api/puzzle", json.dumps({"puzzle": SEVERAL, "repair": True}).encode()).object
    assert (several["ok"], several["unique"]) == (True, False)
    assert several["second"] != [flow["path"] for flow in several["flows"]]
    assert several["differs"]
    assert "repairs" in several
    assert server.post("/api/puzzle", NONE.encode()).object["error"]["code"] == "unsolvable"
    for body in NO_PUZZLES:
        reply = server.post("/api/puzzle", body)
        assert reply.status in (200, 400), body
        if reply.status == 200:
            assert reply.object["error"]["code"] == "puzzle-invalid", body
            assert reply.object["error"]["message"]


def test_hints_go_on_from_known_steps(server: Serving) -> None:
    first = server.post("/api/hint", FIVE.encode()).object["hint"]
    body: dict[str, Any] = {"puzzle": FIVE, "known": [step["cells"] for step in first], "kind": "next"}
    second = server.post("/api/hint", json.dumps(body).encode()).object["hint"]
    assert second
    assert not [step for step in second if step in first]
    flow = server.post("/api/hint?kind=R", FIVE.encode()).object
    assert {step["flow"] for step in flow["hint"]} == {0}
    names = json.dumps({"puzzle": FIVE, "names": "red,green 2,yellow,blue,orange"})
    why = server.post("/api/hint", names.encode()).object["why"]
    assert re.search(r"the (red|green 2|yellow|blue|orange) dot in row \d", why, re.IGNORECASE), why
    for body in (
        {"puzzle": NONE},
        {"puzzle": FIVE, "kind": "Q"},
        {"puzzle": FIVE, "known": [[[0, 0], [4, 4]]]},
    ):
        assert server.post("/api/hint", json.dumps(body).encode()).status == 422
    assert server.post("/api/hint", json.dumps({"puzzle": FIVE, "known": 7}).encode()).status == 400


def test_puzzles_are_generated(server: Serving) -> None:
    made = server.post("/api/generate?size=6x5&seed=4&holes=2&walls=1").object
    assert made["puzzle"]["record"]["cols"] == 6
    assert len(made["puzzle"]["record"]["holes"]) == 2
    again = server.post("/api/puzzle", json.dumps(made["puzzle"]["record"]).encode()).object
    assert again["unique"]
    assert server.post("/api/generate?size=6x5&tiling=hex").object["puzzle"]["tiling"] == "hex"
    assert server.post("/api/generate?size=99x1").status == 422
    assert server.post("/api/generate?size=5x5&difficulty=medium").object["difficulty"] == "medium"
    assert server.post("/api/generate?size=5x5&difficulty=fiendish").status == 422
    for query in ("tiling=round", "seed=x", "holes=-1", "colours=1.5"):
        assert server.post(f"/api/generate?{query}").status == 400


def test_the_solved_picture_is_that_of_the_library(server: Serving, shot: Path) -> None:
    data = shot.read_bytes()
    reply = server.post("/api/picture", data)
    assert reply.headers["content-type"] == "image/png"
    expected = solve_image(data)
    assert np.array_equal(decode(reply.body).bgr, expected.picture)
    frame = ",".join(map(str, expected.reading.frame.matrix))
    colours = ",".join(rgb.hex for rgb in expected.reading.palette)
    query = f"puzzle={quote(FIVE)}&frame={frame}&colours={quote(colours)}"
    drawn = server.post(f"/api/picture?{query}", data)
    assert np.array_equal(decode(drawn.body).bgr, expected.picture)


def test_pictures_that_cannot_be_drawn_are_refused(server: Serving, shot: Path) -> None:
    data, puzzle = shot.read_bytes(), quote(FIVE)
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
        (f"puzzle={quote(NONE)}&colours={colours}", b"", 422),
    ):
        assert server.post(f"/api/picture?{query}", body).status == status, query


def test_a_picture_is_turned_for_browsers(server: Serving, shot: Path) -> None:
    turned = server.post("/api/preview?rotate=90", shot.read_bytes())
    assert decode(turned.body).bgr.shape == (324, 580, 3)


def test_free_cells_can_be_solved_again(server: Serving) -> None:
    text = parse(FIVE)
    board = Board(text.board.graph, text.board.layout, None)
    made = server.post("/api/puzzle", json.dumps({"puzzle": free_object(board, text.puzzle)}).encode()).object
    assert (made["ok"], made["unique"]) == (True, True)
    plain = server.post("/api/puzzle", FIVE.encode()).object
    assert [[5 * r + c for r, c in flow["path"]] for flow in plain["flows"]] == [
        flow["path"] for flow in made["flows"]
    ]
    for wrong in ({"cells": []}, {"sides": [[0, 99, 0, 0]]}, {"pairs": [[0]]}):
        body = json.dumps({"puzzle": free_object(board, text.puzzle) | wrong})
        assert server.post("/api/puzzle", body.encode()).object["error"]["code"] == "puzzle-invalid"


def test_every_address_is_documented() -> None:
    documented = (DOCS / "web.md").read_text()
    routes = make_app(Gate.of(("localhost",), 80)).app.routes
    paths = {route.path for route in routes if route.path.startswith("/api/")}
    assert len(paths) >= 11
    assert all(f"| `{path}`" in documented for path in paths)


# Jobs


class FakePool:
    """Does no work until it is let, and notes what was cancelled."""

    count = 2

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.ended: list[str] = []

    async def call(self, work: partial[Any], seconds: float) -> str:
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.ended.append(work.args[0])
            raise
        return str(work.args[0])


def with_jobs(work: Callable[[Jobs, FakePool], Awaitable[None]], **limits: int) -> None:
    async def run() -> None:
        pool = FakePool()
        await work(Jobs(pool, WebLimits(**limits)), pool)

    in_own_loop(run)


async def begun(jobs: Jobs, client: Client, name: str) -> asyncio.Task[Any]:
    task = asyncio.create_task(jobs.run(client, partial(print, name), 1.0))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return task


async def refused(task: Awaitable[Any]) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        await task
    return caught.value


def test_a_newer_job_of_a_lane_ends_the_older_one() -> None:
    async def work(jobs: Jobs, pool: FakePool) -> None:
        old = await begun(jobs, Client("a", "puzzle"), "old")
        file = await begun(jobs, Client("a", "file"), "file")
        other = await begun(jobs, Client("b", "puzzle"), "other client")
        new = await begun(jobs, Client("a", "puzzle"), "new")
        superseded = await refused(old)
        assert (superseded.status, superseded.code) == (409, "superseded")
        picture = await begun(jobs, Client("a", "solve"), "picture")
        assert (await refused(new)).code == "superseded"
        scripts = [await begun(jobs, Client("c"), name) for name in "xy"]
        pool.gate.set()
        done = await asyncio.gather(file, other, picture, *scripts)
        assert done == ["file", "other client", "picture", "x", "y"]
        assert pool.ended == ["old", "new"]
        assert jobs.count == 0

    with_jobs(work)


def test_a_client_has_few_jobs_and_few_wait() -> None:
    async def work(jobs: Jobs, pool: FakePool) -> None:
        running = [await begun(jobs, Client("a"), name) for name in "xy"]
        third = await refused(await begun(jobs, Client("a"), "z"))
        assert third.status == 429
        assert failure_reply(third).headers["retry-after"] == "1"
        running += [await begun(jobs, Client(str(n)), str(n)) for n in range(3)]
        assert (await refused(await begun(jobs, Client("late"), "late"))).status == 429
        running.pop().cancel()
        await asyncio.sleep(0)
        pool.gate.set()
        assert await asyncio.gather(*running) == ["x", "y", "0", "1"]
        assert pool.ended == ["2"]
        assert await jobs.run(Client("a"), partial(print, "z"), 1.0) == "z"
        assert jobs.count == 0

    with_jobs(work, waiting=3)
