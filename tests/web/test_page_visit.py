"""Late answers, undo, busy or lost servers, bad files and other tabs do the page no harm."""

import json
import re
from typing import Any

import pytest

from flowvision.puzzle.text import parse
from flowvision.web import puzzles, work
from tests.calls import never_done
from tests.commands import wait_until
from tests.drawing import LEVEL_5X5, SEVERAL
from tests.web.chromium import Held, Tab, file_of, needs_chromium, picture_of
from tests.web.serving import Serving, served

pytestmark = needs_chromium


def test_undo_while_a_picture_is_read(tab: Tab) -> None:
    tab.choose(picture_of(LEVEL_5X5)).answers("unique")
    held = Held(tab, "**/api/solve*")
    tab.begin(picture_of(SEVERAL), "late.png")
    held.wait()
    tab.hears("Reading the picture").page.click("#undo")
    tab.answers("unique")
    with tab.page.expect_response("**/api/solve*"):
        held.let_go()
    assert tab.text() == LEVEL_5X5
    tab.page.click("#redo")
    assert parse(tab.answers("solved").text()).puzzle == parse(SEVERAL).puzzle


def test_an_edit_while_a_picture_is_read_stays(tab: Tab) -> None:
    tab.choose(picture_of(LEVEL_5X5)).answers("unique")
    held = Held(tab, "**/api/solve*")
    tab.tab("Correct").press("Outline").press("Read again")
    held.wait()
    tab.tab("Make").type(SEVERAL)
    tab.answers("solved")
    held.let_go()
    tab.page.wait_for_timeout(500)
    assert tab.page.input_value("textarea") == SEVERAL


def test_a_picture_that_is_not_waited_for_leaves_the_board_before_it(tab: Tab) -> None:
    tab.choose(picture_of(SEVERAL)).answers("solved")
    held = Held(tab, "**/api/solve*")
    tab.begin(picture_of(LEVEL_5X5), "late.png")
    held.wait()
    tab.press("Cancel").answers("solved")
    assert tab.page.locator("body.busy").count() == 0
    held.let_go()


def test_pictures_given_while_one_is_read_are_read_first(tab: Tab) -> None:
    held = Held(tab, "**/api/solve*")
    tab.page.set_input_files("#file", [file_of(picture_of(LEVEL_5X5), f"{n}.png") for n in "ab"])
    held.wait()
    tab.begin(picture_of(SEVERAL), "late.png")
    held.let_go()
    assert parse(tab.answers("solved").text()).puzzle == parse(SEVERAL).puzzle
    tab.press("All pictures: 2 of 3 solved").page.locator(".card", has_text="a.png").click()
    assert tab.answers("unique").text() == LEVEL_5X5
    assert tab.lines("#overlay") == 2 * 5  # per flow its line and the edge of it


def test_what_takes_long_says_so_and_can_be_stopped(tab: Tab) -> None:
    tab.page.clock.install()
    for begun, waits, where in (
        (lambda: tab.begin(picture_of(LEVEL_5X5), "late.png"), "**/api/solve*", "#verdict"),
        (lambda: tab.page.click("#play"), "**/api/generate*", "#working"),
    ):
        held = Held(tab, waits)
        begun()
        held.wait()
        tab.page.clock.run_for(11_000)
        tab.page.locator(where, has_text="takes longer than usual").wait_for()
        tab.press("Cancel").page.locator("#start").wait_for()
        assert tab.page.locator("#working").is_hidden()
        held.let_go()


def test_a_bad_file_leaves_no_trace(tab: Tab) -> None:
    for _ in range(2):
        tab.begin(b"no picture", "late.png").page.locator("#notice", has_text="not a picture").wait_for()
        assert tab.page.locator("#redo").is_disabled()
        if tab.page.locator("#start").is_visible():
            tab.choose(picture_of(LEVEL_5X5))
        tab.answers("unique")


def test_the_empty_page_leads_back_and_edits_are_not_lost_unasked(tab: Tab) -> None:
    dialogs: list[str] = []
    tab.page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.accept()))
    tab.choose(picture_of(LEVEL_5X5)).answers("unique").reload().page.locator("#choose").wait_for()
    assert dialogs == []
    tab.choose(picture_of(LEVEL_5X5)).answers("unique").page.click("#home")
    tab.page.click("#undo")
    tab.answers("unique").tab("Correct").look_at("Board").tap("0,0").answers("incomplete").reload()
    tab.page.locator("#choose").wait_for()
    assert dialogs == ["beforeunload"]


def test_a_picture_that_was_not_read_is_marked_so(tab: Tab) -> None:
    tab.choose(picture_of(LEVEL_5X5)).answers("unique")
    body = json.dumps({"ok": False, "error": {"code": "slow", "message": "The server took too long."}})
    tab.expected.add(503)
    tab.page.route("**/api/solve*", lambda route: route.fulfill(status=503, body=body))
    tab.begin(picture_of(SEVERAL), "late.png").hears("The server took too long.")
    assert tab.page.locator("#board-pane").is_hidden()
    tab.page.unroute("**/api/solve*")
    tab.press("Read it again").answers("solved")


def test_a_hint_that_fails_is_shown_in_red(tab: Tab) -> None:
    tab.choose(picture_of(LEVEL_5X5)).answers("unique").expected.add(503)
    body = json.dumps({"ok": False, "error": {"code": "slow", "message": "The server took too long."}})
    tab.page.route("**/api/hint*", lambda route: route.fulfill(status=503, body=body))
    tab.press("Next hint").page.locator("#verdict.bad #why", has_text="took too long").wait_for()


def test_a_picture_that_is_chosen_early_waits_for_the_page(browser: Any, server: Serving) -> None:
    tab = Tab(browser, server)
    held = Held(tab, "**/api/about*")
    tab.page.goto(f"{server.origin}/#code={server.gate.keys.new_code()}")
    held.wait()
    tab.begin(picture_of(LEVEL_5X5), "early.png")
    held.let_go()
    tab.answers("unique").close()


def test_a_new_picture_does_not_wait_for_what_was_left(browser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "search_steps", never_done)
    monkeypatch.setattr(work, "stage_pictures", never_done)
    with served() as server:
        tab = Tab(browser, server).open().choose(picture_of(LEVEL_5X5)).answers("unique")
        tab.press_more("Watch the solver").press("How it was read").page.click("#stages summary")
        tab.page.keyboard.press("Escape")
        wait_until(lambda: len(server.server.server_state.tasks) == 2)
        tab.choose(picture_of(SEVERAL)).answers("solved")
        wait_until(lambda: not server.server.server_state.tasks)
        tab.close()


def test_a_picture_that_was_copied_is_pasted(tab: Tab) -> None:
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.choose(picture_of(LEVEL_5X5), "five.png").answers("unique")
    tab.press_more("Copy picture").page.locator("#why", has_text="picture is on the clipboard").wait_for()
    tab.page.click("#home")
    assert tab.press("Paste").answers("unique").text() == LEVEL_5X5


def test_a_link_holds_the_board_and_hides_its_solution(tab: Tab) -> None:
    tab.choose(picture_of(LEVEL_5X5)).answers("unique").press("Share")
    tab.page.locator("#why", has_text="#b=").wait_for()
    link = re.search(r"#b=\S+", tab.page.inner_text("#why"))[0]
    assert tab.page.locator("#verdict").evaluate("one => one.scrollWidth <= one.clientWidth")
    tab.page.click("#home")
    tab.page.evaluate("link => { location.hash = link; }", link)
    assert tab.has_cells(25).text() == LEVEL_5X5
    assert tab.lines() == 0
    assert tab.page.url == f"{tab.server.origin}/"


# Who is let in, and what happens when the server goes


def test_the_code_is_used_up_and_the_key_serves_all_tabs(browser: Any, server: Serving) -> None:
    """It does not stay in the address; another browser needs a code that was not used."""
    used, left = server.gate.keys.new_code(), server.gate.keys.new_code()
    tab = Tab(browser, server)
    for fragment in (f"#code={used}", "", f"#code={left}"):
        tab.page = tab.context.new_page()
        tab.watch(tab.page)
        tab.page.goto(f"{server.origin}/{fragment}")
        tab.page.wait_for_selector("body[data-ready]")
        assert tab.page.url == f"{server.origin}/"
        assert tab.page.locator("#notice").is_hidden()
    tab.choose(picture_of(LEVEL_5X5)).answers("unique")
    assert tab.context.cookies() == []
    tab.close()
    other = Tab(browser, server)
    other.expected.add(401)
    other.page.goto(f"{server.origin}/#code={used}")
    other.page.locator("#notice", has_text="has no access yet").wait_for()
    other.page.on("dialog", lambda dialog: dialog.accept(f"{server.origin}/#code={left}"))
    other.page.get_by_role("button").click()
    other.page.wait_for_selector("body[data-ready]")
    other.close()


@pytest.mark.parametrize("elsewhere", [True, False])
def test_a_page_goes_on_when_it_is_let_in_again(browser: Any, server: Serving, elsewhere: bool) -> None:
    """Another run has another key: its address opens this page, here or in another tab; nothing is lost."""
    tab = Tab(browser, server).open().choose(picture_of(LEVEL_5X5), "first.png").answers("unique")
    tab.page.evaluate("localStorage.setItem('flowvision-key', 'of an earlier run')")
    tab.begin(picture_of(SEVERAL), "late.png")
    tab.page.locator("#notice", has_text="Flowvision was started again").wait_for()
    tab.page.get_by_role("button", name="All pictures: 1 of 2 solved").wait_for()
    address = f"{server.origin}/#code={server.gate.keys.new_code()}"
    (tab.context.new_page() if elsewhere else tab.page).goto(address)
    tab.answers("solved")
    assert tab.page.locator("#notice").is_hidden()
    tab.context.close()


def test_a_lost_server_is_reported(browser: Any) -> None:
    with served() as serving:
        tab = Tab(browser, serving).open().choose(picture_of(LEVEL_5X5)).answers("unique")
    tab.look_at("Board").tab("Correct").cell("4,4").focus()
    tab.page.keyboard.press("Shift+ArrowUp")
    tab.page.locator("#notice", has_text="has stopped").wait_for()
    assert tab.page.locator("#board .dots circle").count() == 2 * 5
    tab.begin(picture_of(LEVEL_5X5), "late.png").page.locator("#picture-pane image").wait_for()
    assert tab.page.locator("body.busy").count() == 0
    assert "`" not in tab.page.inner_text("body")
    tab.page.route("**/api/**", lambda route: route.fulfill(status=401, json={}))
    tab.press("Try again").page.get_by_role("button", name="Enter the link").wait_for()
    tab.context.close()
