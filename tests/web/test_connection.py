"""The page and its server: who is let in, other tabs, a server that is lost or started again."""

from __future__ import annotations

from typing import Any

import pytest

from tests.drawing import FIVE, SEVERAL
from tests.web.chromium import Tab, needs_chromium, picture_of
from tests.web.serving import Serving, served

pytestmark = needs_chromium


def test_the_code_does_not_stay_in_the_address(tab: Tab) -> None:
    """Nor is it good for anything there; loaded again, the page still works."""
    assert tab.page.url == f"{tab.server.origin}/"
    tab.page.reload()
    tab.page.wait_for_selector("body[data-ready]")
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    assert tab.context.cookies() == []


def test_without_the_token_nothing_is_shown_but_why(browser: Any, server: Serving) -> None:
    """And how to get in."""
    tab = Tab(browser, server)
    tab.page.goto(server.origin)
    tab.page.locator("#notice", has_text="let in yet").wait_for()
    tab.context.close()


def test_another_tab_of_the_browser_needs_no_address(browser: Any, server: Serving) -> None:
    """Nor one that is opened again, nor a link that was copied; another browser has no key."""
    tab = Tab(browser, server).open()
    tab.page.close()
    tab.page = tab.context.new_page()
    tab.page.goto(f"{server.origin}/#puzzle=R.R")
    tab.page.wait_for_selector("body[data-ready]")
    tab.hears("exactly one solution")
    tab.close()
    other = Tab(browser, server)
    other.page.goto(server.origin)
    other.page.locator("#notice", has_text="was not let in yet. Open the address").wait_for()
    other.context.close()


def test_the_address_is_opened_again_in_the_same_browser(browser: Any, server: Serving) -> None:
    """Which has its key: another tab works as the first does, and the code is left to another browser."""
    code = server.gate.keys.new_code()
    tab = Tab(browser, server).open()
    for _ in range(2):
        tab.page = tab.context.new_page()
        tab.page.on("console", lambda said: tab.wrong.append(said.text) if said.type == "error" else None)
        tab.page.goto(f"{server.origin}/#code={code}")
        tab.page.wait_for_selector("body[data-ready]")
        assert tab.page.locator("#notice").is_hidden()
        assert tab.page.locator("#choose").is_visible()
        tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.close()
    other = Tab(browser, server)
    other.page.goto(f"{server.origin}/#code={code}")
    other.page.wait_for_selector("body[data-ready]")
    other.close()


def test_two_tabs_do_not_disturb_each_other(browser: Any, server: Serving) -> None:
    """Each has its own board, and its own newest request."""
    one, other = Tab(browser, server).open(), Tab(browser, server).open()
    one.choose(picture_of(FIVE))
    other.choose(picture_of(SEVERAL))
    one.hears("exactly one solution")
    other.hears("solutions")
    one.look_at("Board").tab("Correct").tap("0,0").hears("red has 1 dot")
    assert other.text() == SEVERAL
    one.close()
    other.close()


def test_another_run_of_the_server_is_told(tab: Tab) -> None:
    """What is true of it: the key is another one. Without a key nothing is offered that cannot work."""
    body = '{"ok": false, "error": {"code": "no-token", "message": "The key is missing or wrong."}}'
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.page.route("**/api/*", lambda route: route.fulfill(status=401, body=body))
    tab.press("How it was read")
    tab.page.locator("#notice", has_text="server was started again").wait_for()
    tab.page.evaluate("localStorage.clear()")
    tab.page.goto(f"{tab.server.origin}/#")
    tab.page.reload()
    tab.page.locator("#notice", has_text="was not let in yet").wait_for()
    assert tab.page.get_by_role("button").count() == 0
    tab.wrong.clear()


@pytest.mark.parametrize("elsewhere", [True, False])
def test_a_page_goes_on_when_it_is_let_in_again(browser: Any, server: Serving, elsewhere: bool) -> None:
    """Another run has another key: its address opens this page, here or in another tab; nothing is lost."""
    tab = Tab(browser, server).open().choose(picture_of(FIVE), "first.png").hears("exactly one solution")
    tab.page.evaluate("localStorage.setItem('flowvision-key', 'of an earlier run')")
    tab.page.set_input_files(
        "#file", {"name": "late.png", "mimeType": "image/png", "buffer": picture_of(SEVERAL)}
    )
    tab.hears("This picture was not read: this page's server was started again.")
    tab.page.locator("#notice", has_text="Open the address that the terminal shows").wait_for()
    assert tab.page.get_by_role("button", name="first.png: solved").is_visible()
    address = f"{server.origin}/#code={server.gate.keys.new_code()}"
    (tab.context.new_page() if elsewhere else tab.page).goto(address)
    tab.hears("solutions; this is one of them")
    assert tab.page.locator("#notice").is_hidden()
    tab.context.close()


def test_a_lost_server_is_said(browser: Any) -> None:
    """What is on the page stays there."""
    with served() as serving:
        tab = Tab(browser, serving).open()
        tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.look_at("Board").tab("Correct").cell("4,4").focus()
    tab.page.keyboard.press("Shift+ArrowUp")
    tab.page.locator("#notice", has_text="does not answer").wait_for()
    assert tab.page.locator("#board .dots circle").count() == 10
    tab.context.close()


def test_a_server_lost_while_a_picture_is_read(browser: Any) -> None:
    """It is said in place of Reading the picture, for good."""
    with served() as serving:
        tab = Tab(browser, serving).open()
    tab.begin(picture_of(FIVE), "late.png")
    tab.hears("This picture was not read")
    tab.page.locator("#notice", has_text="does not answer").wait_for()
    assert tab.page.locator("body.busy").count() == 0
    tab.context.close()
