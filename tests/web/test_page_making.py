"""Puzzles are made on the page: by hand, generated, typed, opened from a link."""

from __future__ import annotations

import json
import re
from typing import Any

from flowvision.puzzle.text import parse
from tests.drawing import FIVE, NONE
from tests.web.chromium import Tab, needs_chromium
from tests.web.playing import generated
from tests.web.serving import Serving

pytestmark = needs_chromium

TOUCHING = "R.B..\n.....\n.....\n.B...\n.R...\n"
"""In each of its solutions a path touches itself."""


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


def test_a_grade_goes_with_its_puzzle_and_a_size_is_what_was_asked_for(tab: Tab) -> None:
    """Another puzzle is not called easy; nothing else than what the fields say is made."""
    tab.page.click("#play")
    generated(tab).tab("Make").page.fill("textarea", TOUCHING)
    tab.hears("a path touches itself").tab("Make")
    assert "Difficulty:" not in tab.page.inner_text("#panel-Make")
    asked: list[str] = []
    tab.page.on("request", lambda one: asked.append(one.url))
    tab.page.locator("[name=cols]").fill("50")
    tab.press("Generate one")
    assert not [url for url in asked if "generate" in url]
    tab.tab("Learn").press("Watch the search")
    tab.page.get_by_text("no solution in which no path touches itself").wait_for()
