"""What the page knows holds: late answers, undo, busy servers and bad files do it no harm."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from flowvision.puzzle.text import parse
from flowvision.web import picture_tasks, puzzle_tasks
from tests.drawing import FIVE, NONE, SEVERAL
from tests.web.chromium import Held, Tab, needs_chromium, picture_of
from tests.web.serving import Serving, served, until
from tests.workers.calls import never_done

pytestmark = needs_chromium


def test_undo_while_a_picture_is_read(tab: Tab) -> None:
    """The board of before is there at once; the answer comes to the picture that it belongs to."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    held = Held(tab, "**/api/solve*")
    tab.begin(picture_of(SEVERAL), "late.png")
    held.wait()
    tab.hears("Reading the picture")
    tab.page.click("#undo")
    tab.hears("exactly one solution")
    held.let_go()
    tab.page.wait_for_timeout(1500)
    tab.hears("exactly one solution")
    assert tab.text() == FIVE
    tab.page.click("#redo")
    tab.hears("solutions")
    assert parse(tab.text()).puzzle == parse(SEVERAL).puzzle


def test_read_again_and_undone_before_the_answer(tab: Tab) -> None:
    """What was read late overwrites nothing."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    held = Held(tab, "**/api/solve*")
    tab.tab("Correct").press("Read again")
    held.wait()
    tab.page.click("#undo")
    held.let_go()
    tab.page.wait_for_timeout(1500)
    assert tab.text() == FIVE
    tab.hears("exactly one solution")


def test_a_number_that_is_being_typed_goes_with_its_picture(tab: Tab) -> None:
    """The change comes when the panel goes: it is no size of the next one."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution").tab("Correct")
    tab.page.locator("#panel-Correct").get_by_label("Rows", exact=True).fill("9")
    tab.choose(picture_of(SEVERAL)).hears("solutions")
    assert parse(tab.text()).puzzle == parse(SEVERAL).puzzle


def test_an_edit_while_a_part_is_read_stays(tab: Tab) -> None:
    """The answer goes to the state before it."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    held = Held(tab, "**/api/solve*")
    tab.tab("Correct").press("Read again")
    held.wait()
    tab.tab("Make")
    tab.page.fill("textarea", SEVERAL)
    tab.hears("2 solutions")  # counted: a reading that begins ends what is asked about boards
    held.let_go()
    tab.page.wait_for_timeout(1200)
    tab.page.locator("h1").click(trial=True)
    assert tab.page.input_value("textarea") == SEVERAL


def test_a_picture_that_comes_while_several_are_read_is_the_next(tab: Tab) -> None:
    """It is not ended by those that were waiting; they follow, the one that it ended first."""
    held = Held(tab, "**/api/solve*")
    files = [{"name": f"{n}.png", "mimeType": "image/png", "buffer": picture_of(FIVE)} for n in "abc"]
    tab.page.set_input_files("#file", files)
    held.wait()
    tab.begin(picture_of(SEVERAL), "late.png")
    held.wait(2)
    held.let_go()
    strip = tab.page.locator("#visited button")
    tab.page.get_by_role("button", name="c.png: solved").wait_for()
    assert [one.get_attribute("aria-label") for one in strip.all()] == [
        "late.png: to compare",
        *(f"{n}.png: solved" for n in "abc"),
    ]
    tab.hears("exactly one solution")


def test_a_picture_that_is_given_while_another_is_read_takes_nothing_from_it(tab: Tab) -> None:
    """Both stand in the strip, each read."""
    held = Held(tab, "**/api/solve*")
    tab.begin(picture_of(FIVE), "late.png")
    held.wait()
    tab.page.set_input_files(
        "#file", {"name": "next.png", "mimeType": "image/png", "buffer": picture_of(SEVERAL)}
    )
    held.wait(2)
    held.let_go()
    for name in ("next.png: to compare", "late.png: solved"):
        tab.page.get_by_role("button", name=name).wait_for()
    tab.page.locator("#notice", has_text="1 of 2 pictures are solved.").wait_for()


def test_a_bad_file_leaves_no_trace(tab: Tab) -> None:
    """It is said; there is nothing to redo, and the board of before is there."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.begin(b"no picture", "late.png")
    tab.page.locator("#notice:not([hidden])").wait_for()
    tab.hears("exactly one solution")
    assert tab.page.locator("#redo").is_disabled()
    assert tab.text() == FIVE
    tab.wrong.clear()  # the refusal stands on the console as well


def test_a_bad_file_at_first_leads_back_to_the_start(tab: Tab) -> None:
    """Where another one can be chosen."""
    tab.begin(b"no picture", "late.png")
    tab.page.locator("#notice:not([hidden])").wait_for()
    tab.page.wait_for_selector("#start:not([hidden])")
    assert tab.page.locator("body.busy").count() == 0
    tab.wrong.clear()


def test_the_board_outlives_a_reload(tab: Tab) -> None:
    """The picture does not."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.page.reload()
    tab.page.wait_for_selector("body[data-ready]")
    tab.hears("exactly one solution")
    assert tab.text() == FIVE
    assert tab.page.locator("#picture-pane").is_hidden()


def test_the_logo_leads_to_the_empty_page_and_undo_back(tab: Tab) -> None:
    """Nothing is lost by it: neither the board nor its verdict; a reload stays on the empty page."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.page.click("#home")
    tab.page.locator("#choose").wait_for()
    assert tab.page.locator("#work").is_hidden()
    tab.page.click("#undo")
    tab.hears("exactly one solution")
    assert tab.page.locator("#picture-pane").is_visible()
    tab.page.click("#home")
    tab.page.reload()
    tab.page.wait_for_selector("body[data-ready]")
    tab.page.locator("#choose").wait_for()


def test_leaving_with_edits_asks(tab: Tab) -> None:
    """Nobody is asked who has changed nothing."""
    asked: list[str] = []
    tab.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.page.reload()
    tab.page.wait_for_selector("body[data-ready]")
    assert asked == []
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab("Correct").tap("0,0").hears("has 1 dot")
    tab.page.reload()
    tab.page.wait_for_selector("body[data-ready]")
    assert asked == ["beforeunload"]


def test_a_search_that_is_watched_ends_with_its_board(tab: Tab) -> None:
    """The next picture has fewer cells: none of the steps is drawn on it, and its verdict comes."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab("Learn").press("Watch the search")
    held = Held(tab, "**/api/solve*")
    tab.begin(picture_of(NONE), "late.png")
    held.wait()
    tab.page.wait_for_timeout(300)  # time for steps that nobody waits for
    held.let_go()
    tab.hears("no solution").page.wait_for_selector("body:not(.busy)")


def test_a_search_that_is_watched_ends_with_its_panel(tab: Tab) -> None:
    """Under another one the whole solution is seen, also where the steps come late."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab("Learn").press("Watch the search")
    tab.page.get_by_text("Minisat, the solver").wait_for()
    tab.tab("Files").page.wait_for_timeout(300)  # time for steps that nobody waits for
    assert tab.page.locator("#board .lines path").count() == 10
    held = Held(tab, "**/api/search*")
    tab.tab("Learn").press("Watch the search")
    held.wait()
    tab.tab("Files")
    held.let_go()
    tab.page.wait_for_timeout(500)
    assert tab.page.locator("#board .lines path").count() == 10
    tab.tab("Learn")
    assert tab.page.get_by_label("Step of the search").is_hidden()


@pytest.mark.parametrize(("panel", "opened"), [("Files", "Learn"), ("Play", "Play")])
def test_the_key_for_a_hint_opens_its_panel(tab: Tab, panel: str, opened: str) -> None:
    """In play the hint goes on from one's own pipes."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab(panel).page.keyboard.press("n")
    tab.page.locator(f"#panel-{opened}").get_by_text("has one way").first.wait_for()
    assert tab.page.locator(f"#tab-{opened}[aria-selected=true]").count() == 1


def test_too_much_at_once_is_tried_again(tab: Tab, server: Serving) -> None:
    """As the server says when."""
    times: list[int] = []

    def busy(route: Any) -> None:
        times.append(1)
        if len(times) == 1:
            route.fulfill(
                status=429, headers={"Retry-After": "1"}, body='{"ok": false, "error": {"message": "busy"}}'
            )
        else:
            route.continue_()

    tab.page.route("**/api/solve*", busy)
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    assert len(times) == 2
    tab.wrong.clear()


def test_a_picture_that_was_told_to_wait_lets_a_board_be_solved_first(tab: Tab) -> None:
    """The server would end that for it, with an error on the console."""
    answered: list[int] = []
    begun: list[str] = []
    tab.page.on("response", lambda one: answered.append(one.status))

    def busy(route: Any) -> None:
        if not begun:
            body = '{"ok": false, "error": {"message": "busy"}}'
            return route.fulfill(status=429, headers={"Retry-After": "0.2"}, body=body)
        begun.append("picture")
        return route.continue_()

    tab.page.route("**/api/solve*", busy)
    tab.begin(picture_of(SEVERAL), "late.png")
    tab.hears("waiting for other work")
    tab.page.set_input_files("#file", {"name": "five.txt", "mimeType": "text/plain", "buffer": FIVE.encode()})
    tab.hears("exactly one solution").tab("Correct").cell("2,2").focus()
    held = Held(tab, "**/api/puzzle*")
    tab.page.keyboard.press("Shift+ArrowLeft")
    held.wait()
    begun.append("board")
    tab.page.wait_for_timeout(800)  # time for a picture that does not wait
    assert begun == ["board"]
    held.let_go()
    tab.page.get_by_role("button", name="late.png: to compare").wait_for()
    assert set(answered) == {200, 429}
    tab.wrong.clear()  # those of the busy server


@pytest.mark.parametrize("status", [408, 500, 503])
def test_a_picture_that_was_not_read_is_said_to_be_so(tab: Tab, status: int) -> None:
    """The verdict of the picture before is not its own; it can be read again."""
    body = '{"ok": false, "error": {"code": "slow", "message": "The server took too long."}}'
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.page.route("**/api/solve*", lambda route: route.fulfill(status=status, body=body))
    tab.begin(picture_of(SEVERAL), "late.png")
    tab.hears("This picture was not read: the server took too long.")
    assert tab.page.locator("#verdict.bad").is_visible()
    assert tab.page.locator("#board-pane").is_hidden()
    tab.page.unroute("**/api/solve*")
    tab.press("Read it again").hears("solutions; this is one of them")
    tab.wrong.clear()


LATE = """AbortSignal.timeout = () => {
  const late = new AbortController();
  setTimeout(() => late.abort(new DOMException("", "TimeoutError")), 300);
  return late.signal;
}"""
"""The patience of the page ends at once."""


def test_a_picture_that_takes_too_long_is_said_to_do_so(tab: Tab) -> None:
    """However little of its answer has come."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.page.evaluate(LATE)
    tab.page.route("**/api/solve*", lambda _: None)
    tab.begin(picture_of(SEVERAL), "late.png")
    tab.hears("This picture was not read: the server took too long.")
    tab.wrong.clear()


def test_what_is_no_picture_leads_back_to_the_last_one(tab: Tab) -> None:
    """It is said, and there is nothing to read again."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.begin(b"no picture", "late.png")
    tab.page.locator("#notice", has_text="not a picture").wait_for()
    tab.hears("exactly one solution")
    assert tab.text() == FIVE
    tab.wrong.clear()


def test_a_new_picture_does_not_wait_for_what_was_left(browser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search and the stages of the picture of before end with it, and hold no place on the server."""
    monkeypatch.setattr(puzzle_tasks, "search_steps", never_done)
    monkeypatch.setattr(picture_tasks, "stage_pictures", never_done)
    with served() as server:
        tab = Tab(browser, server).open().choose(picture_of(FIVE)).hears("exactly one solution")
        jobs = partial(tab.page.evaluate, "api => api().then(got => got.json()).then(got => got.jobs)")
        api = tab.page.evaluate_handle(
            """() => () => fetch("/api/about",
            {headers: {Authorization: `Bearer ${localStorage.getItem("flowvision-key")}`}})"""
        )
        tab.tab("Learn").press("Watch the search")
        tab.tab("Details")
        until(lambda: jobs(api) == 2)
        tab.choose(picture_of(SEVERAL)).hears("There are")
        until(lambda: jobs(api) == 1)  # its own stages
        tab.page.click("#undo")
        tab.hears("exactly one solution")
        tab.tab("Learn")
        assert tab.page.get_by_role("button", name="Watch the search").is_enabled()
        tab.wrong.clear()  # the server may end a search, or tell to wait, before it hears that nobody listens
        tab.close()


def test_a_picture_is_never_given_up_because_others_are_busy(tab: Tab) -> None:
    """Nor is its board: it is said what is waited for, as long as it takes."""
    times: dict[str, int] = {"solve": 0, "puzzle": 0}
    heard = False

    def busy(route: Any) -> None:
        kind = "solve" if "/solve" in route.request.url else "puzzle"
        times[kind] += 1
        if times[kind] <= 9 or not heard:
            route.fulfill(
                status=429, headers={"Retry-After": "0.2"}, body='{"ok": false, "error": {"message": "busy"}}'
            )
        else:
            route.continue_()

    tab.page.route("**/api/solve*", busy)
    tab.page.route("**/api/puzzle*", busy)
    tab.begin(picture_of(FIVE), "late.png")
    tab.hears("waiting for other work")
    heard = True
    tab.hears("exactly one solution")
    tab.tab("Correct").tap("0,0").hears("has 1 dot")
    tab.tap("0,0").hears("exactly one solution")
    assert min(times.values()) >= 10
    tab.wrong.clear()


def test_pictures_that_are_gone_are_let_go(tab: Tab) -> None:
    """Their addresses are freed: only the last twenty, and those of states to go back to, are kept."""
    tab.page.wait_for_selector("#samples button:nth-child(4)")
    tab.page.evaluate(
        """() => { window.made = 0; window.freed = 0;
        const [make, free] = [URL.createObjectURL, URL.revokeObjectURL];
        URL.createObjectURL = (one) => (made++, make.call(URL, one));
        URL.revokeObjectURL = (one) => (freed++, free.call(URL, one)); }"""
    )
    tab.choose(picture_of(FIVE), "first.png")
    for number in range(24):
        tab.choose(picture_of((FIVE, SEVERAL)[number % 2]))
        tab.page.click("#undo")
        tab.page.locator("#notice", has_text="This is first.png again.").wait_for()
    assert tab.page.locator("#visited button").count() == 20
    assert tab.page.evaluate("made") == 25
    assert tab.page.evaluate("made - freed") <= 22


def test_undo_keeps_to_what_was_open(tab: Tab) -> None:
    """It does not lead to the page before the first picture, and says when it is back at another one."""
    tab.choose(picture_of(FIVE), "first.png").hears("exactly one solution")
    assert tab.page.locator("#undo").is_disabled()
    tab.choose(picture_of(SEVERAL), "second.png").hears("solutions")
    tab.page.click("#undo")
    tab.page.locator("#notice", has_text="This is first.png again.").wait_for()
    tab.page.click("#home")
    tab.page.locator("#dropzone").wait_for()
    assert tab.page.locator("#samples button").first.is_visible()
    tab.page.click("#undo")
    tab.hears("exactly one solution")
    tab.page.click("#home")
    tab.choose(picture_of(SEVERAL), "third.png").hears("solutions").page.click("#undo")
    tab.hears("exactly one solution").page.click("#redo")
    tab.hears("solutions")
