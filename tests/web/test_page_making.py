"""Puzzles made, generated and shared in the page; phones, two tabs, a lost server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flowvision.image.codec import decode
from flowvision.puzzle.text import parse
from tests.drawing import FIVE, NONE, SEVERAL
from tests.web.chromium import Tab, needs_chromium, picture_of
from tests.web.serving import Serving, served

pytestmark = needs_chromium


def test_a_puzzle_is_made_by_hand(tab: Tab) -> None:
    """From an empty board, by keys alone; what it still lacks is said on the way."""
    page = tab.page
    page.click("#blank")
    tab.hears("two dots of each colour")
    tab.tap("6,6").hears("has 1 dot")  # at once, on a board of the size that its panel says
    tab.tab("Make")
    page.locator("#panel-Make").get_by_label("Columns").fill("3")
    page.locator("#panel-Make").get_by_label("Rows").fill("2")
    tab.press("Empty board").tab("Correct")
    tab.cell("0,0").focus()
    page.keyboard.press("Enter")
    tab.hears("has 1 dot")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    tab.hears("No solution")
    assert tab.text() == "R.R\n...\n"
    tab.tab("Correct")
    page.keyboard.press("?")
    page.get_by_role("heading", name="Keys and fingers").wait_for()
    page.keyboard.press("Escape")
    tab.cell("0,1").focus()
    page.keyboard.press("h")
    tab.hears("exactly one solution")
    assert tab.text() == "R#R\n...\n"
    tab.tab("Correct")
    tab.cell("1,1").focus()
    page.keyboard.press("Shift+ArrowLeft")
    tab.hears("No solution")
    page.keyboard.press("Control+z")
    tab.hears("exactly one solution")
    tab.cell("0,0").focus()
    page.keyboard.press("m")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert tab.text() == ".#R\nR..\n"


def test_puzzles_are_generated_and_written(tab: Tab) -> None:
    """The text beside the board is read as it is typed; faults are said where they are."""
    page = tab.page
    page.click("#blank")
    tab.tab("Make").press("Generate one")
    tab.hears("exactly one solution")
    grade = re.search("easy|medium|hard|expert", page.inner_text("#panel-Make output")).group()
    tab.press("Play it").page.locator("#panel-Play", has_text=f"Difficulty: {grade}").wait_for()
    assert page.locator("#board .lines path").count() == 0
    assert len(parse(tab.text()).board.layout.cells) == 49
    page.fill("textarea", FIVE.replace("R", ".", 1))
    page.locator("#text-fault", has_text="R appears once").wait_for()
    page.fill("textarea", FIVE)
    tab.has_cells(25)
    assert page.locator("#text-fault:empty").count() == 1
    page.fill("textarea", NONE)
    tab.hears("No solution")


def test_text_that_was_just_typed_is_not_lost(tab: Tab) -> None:
    """Whoever leaves the panel at once finds the board changed."""
    tab.page.click("#blank")
    tab.tab("Make").page.fill("textarea", FIVE)
    tab.tab("Files").hears("exactly one solution")
    assert tab.text() == FIVE


def test_a_link_opens_its_puzzle(browser: Any, server: Serving) -> None:
    """The puzzle is in the fragment."""
    from urllib.parse import quote

    tab = Tab(browser, server)
    tab.open(f"&puzzle={quote(FIVE)}").hears("exactly one solution")
    assert tab.text() == FIVE
    tab.close()


def test_a_board_of_more_colours_than_letters(tab: Tab) -> None:
    """Its text and link are records, its solution is JSON: no colour is a question mark."""
    pairs = [[[row, 2 * n], [row, 2 * n + 1]] for row in range(10) for n in range(7)]
    record = {"rows": 10, "cols": 14, "topology": "square", "pairs": pairs}
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.page.click("#blank")
    tab.tab("Make").page.fill("textarea", json.dumps(record))
    tab.hears("exactly one solution").tab("Files")
    copied = {}
    for name, words in (("Puzzle", "puzzle"), ("Solution", "solution"), ("Link", "link that opens")):
        tab.press(name).page.locator("#panel-Files [role=status]", has_text=words).wait_for()
        copied[name] = str(tab.page.evaluate("navigator.clipboard.readText()"))
    assert json.loads(copied["Puzzle"])["pairs"] == pairs
    assert [flow["path"] for flow in json.loads(copied["Solution"])["flows"]] == pairs
    with tab.page.expect_download() as download:
        tab.press("Save this form")
    assert decode(Path(download.value.path()).read_bytes()).bgr.shape[1] > 300
    fragment = copied["Link"].partition("#")[2]
    other = Tab(tab.context.browser, tab.server).open(f"&{fragment}").hears("exactly one solution")
    assert json.loads(other.text())["pairs"] == pairs
    other.close()


def numbers_of(link: str) -> dict[tuple[int, int], int]:
    """The numbers of a board at puzz.link, as its own player decodes them (pzpr, `decodeNumber16`)."""
    cols, rows, text = re.fullmatch(r"https://puzz\.link/p\?numlin/(\d+)/(\d+)/(\w[\w+-]*)", link).groups()
    made, at = {}, 0
    for skipped, two, three, one in re.findall(r"([g-z])|-(\w\w)|\+(\w{3})|([0-9a-f])", text):
        if skipped:
            at += int(skipped, 36) - 15
        else:
            made[divmod(at, int(cols))] = int(two or three or one, 16)
            at += 1
    assert at <= int(rows) * int(cols)
    return made


@pytest.mark.parametrize("size", [(5, 5), (10, 14), (40, 7)])
def test_a_link_for_anybody(tab: Tab, size: tuple[int, int]) -> None:
    """At puzz.link each pair has a number; a board with more than dots has no such link."""
    rows, cols = size
    many = [((row, 0), (row, cols - 1)) for row in range(rows)] if rows != 10 else []
    pairs = many or [((row, 2 * n), (row, 2 * n + 1)) for row in range(10) for n in range(7)]
    record = {"rows": rows, "cols": cols, "topology": "square", "pairs": pairs}
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.page.click("#blank")
    tab.tab("Make").page.fill("textarea", json.dumps(record))
    tab.has_cells(rows * cols).tab("Files")
    tab.page.get_by_text("A link for people without Flowvision").click()
    tab.press("Copy the puzz.link address")
    tab.page.locator("#panel-Files [role=status]", has_text="link for anybody").wait_for()
    link = str(tab.page.evaluate("navigator.clipboard.readText()"))
    assert numbers_of(link) == {place: n for n, pair in enumerate(pairs, 1) for place in pair}
    tab.tab("Correct").press("Hole").tap("0,1" if many else "0,0").tab("Files")
    assert tab.page.get_by_role("button", name="puzz.link").count() == 0


@pytest.mark.parametrize("width", [390, 1300])
def test_on_paper_there_is_the_board_alone(browser: Any, server: Serving, width: int) -> None:
    """On small paper too, and whatever is looked at; in ink on white."""
    tab = Tab(browser, server, viewport={"width": width, "height": 800}, color_scheme="dark").open()
    tab.choose(picture_of(FIVE)).hears("exactly one solution").look_at("Picture")
    tab.page.emulate_media(media="print")
    assert tab.page.locator("#board").is_visible()
    for name in ("header", "#say", "#side", "#picture-pane", "#visited"):
        assert tab.page.locator(name).is_hidden(), name
    paper = decode(tab.page.screenshot()).bgr
    assert np.mean(np.all(paper > 250, axis=-1)) > 0.5
    for landscape in (False, True):
        assert len(re.findall(rb"/Type\s*/Page\b", tab.page.pdf(format="A4", landscape=landscape))) == 1
    tab.close()


def test_what_is_refused_has_advice_for_the_page(tab: Tab) -> None:
    """Not for the command line."""
    body = json.dumps(
        {
            "ok": False,
            "error": {
                "code": "gave-up",
                "message": "No puzzle was found within 8 s.",
                "hint": "Allow more time with `--limit SECONDS`, or ask for a smaller board.",
            },
        }
    )
    tab.page.route("**/api/generate*", lambda route: route.fulfill(status=422, body=body))
    tab.page.click("#blank")
    tab.tab("Make").press("Generate one")
    said = tab.page.locator("#panel-Make [role=alert]").first
    said.filter(has_text="No puzzle was found within 8 s. Ask for a smaller board.").wait_for()
    tab.wrong.clear()


def test_it_works_on_a_phone_with_touch(browser: Any, server: Serving) -> None:
    """Nothing is wider than the screen; taps and long presses do what clicks do."""
    tab = Tab(
        browser,
        server,
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        device_scale_factor=2,
    )
    tab.open().choose(picture_of(FIVE)).hears("exactly one solution")
    for name in ("Correct", "Learn", "Make", "Files", "Details"):
        tab.tab(name)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390
    tab.tab("Correct")
    tab.cell("0,0").tap(force=True)
    tab.hears("red has 1 dot")
    tab.cell("0,0").tap(force=True)
    tab.hears("exactly one solution")
    tab.close()


def test_two_tabs_do_not_disturb_each_other(browser: Any, server: Serving) -> None:
    """Each has its own board, and its own newest request."""
    one, other = Tab(browser, server).open(), Tab(browser, server).open()
    one.choose(picture_of(FIVE))
    other.choose(picture_of(SEVERAL))
    one.hears("exactly one solution")
    other.hears("solutions")
    one.tab("Correct").tap("0,0").hears("red has 1 dot")
    assert other.text() == SEVERAL
    one.close()
    other.close()


def test_a_lost_server_is_said(browser: Any) -> None:
    """What is on the page stays there."""
    with served() as serving:
        tab = Tab(browser, serving).open()
        tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab("Correct").cell("4,4").focus()
    tab.page.keyboard.press("Shift+ArrowUp")
    tab.page.locator("#notice", has_text="does not answer").wait_for()
    assert tab.page.locator("#board .dots circle").count() == 10
    tab.context.close()


def test_without_the_token_nothing_is_shown_but_why(browser: Any, server: Serving) -> None:
    """And how to get in."""
    tab = Tab(browser, server)
    tab.page.goto(server.origin)
    tab.page.locator("#notice", has_text="let in yet").wait_for()
    tab.context.close()
