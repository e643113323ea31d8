"""What the page knows holds: late answers, undo, busy servers, bad files and other entries do it no harm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flowvision.puzzle.text import parse
from flowvision.web import picture_tasks, puzzle_tasks
from tests.drawing import FIVE, NONE, SEVERAL
from tests.web.chromium import Held, Tab, file_of, needs_chromium, picture_of
from tests.web.covered import NO_ORANGE
from tests.web.serving import served, until
from tests.workers.calls import never_done, solve_slowly

pytestmark = needs_chromium

HEXAGONS = "hex\nR..\n...\n..R\n"
BUSY = '{"ok": false, "error": {"message": "busy"}}'


def entries(tab: Tab) -> list[str]:
    """What the strip holds, by name."""
    return [str(one.get_attribute("aria-label")) for one in tab.page.locator("#visited button").all()]


def give(tab: Tab, name: str, text: str, kind: str = "text/plain") -> Tab:
    """Choose a file with text."""
    tab.page.set_input_files("#file", file_of(text, name, kind))
    return tab


def test_undo_while_a_picture_is_read(tab: Tab) -> None:
    """The board of before is there at once; the answer comes to the picture that it belongs to."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    held = Held(tab, "**/api/solve*")
    tab.begin(picture_of(SEVERAL), "late.png")
    held.wait()
    tab.hears("Reading the picture").page.click("#undo")
    tab.hears("exactly one solution")
    with tab.page.expect_response("**/api/solve*"):
        held.let_go()
    assert tab.text() == FIVE
    tab.page.click("#redo")
    assert parse(tab.hears("solutions").text()).puzzle == parse(SEVERAL).puzzle


def test_an_edit_while_a_picture_is_read_stays(tab: Tab) -> None:
    """The answer goes to the state before it; a size that is being typed goes with its picture."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    held = Held(tab, "**/api/solve*")
    tab.tab("Correct").press("Read again")
    held.wait()
    tab.tab("Make").page.fill("textarea", SEVERAL)
    tab.hears("2 solutions")
    held.let_go()
    tab.page.wait_for_timeout(800)
    assert tab.page.input_value("textarea") == SEVERAL
    tab.tab("Correct").page.get_by_role("spinbutton", name="Rows", exact=True).fill("9")
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    assert tab.text() == FIVE


def test_pictures_given_while_one_is_read_are_read_first(tab: Tab) -> None:
    """What they end is read after them; each stands in the strip with its verdict."""
    held = Held(tab, "**/api/solve*")
    tab.page.set_input_files("#file", [file_of(picture_of(FIVE), f"{n}.png") for n in "ab"])
    held.wait()
    tab.begin(picture_of(SEVERAL), "late.png")
    held.wait(2)
    held.let_go()
    tab.page.get_by_role("button", name="b.png: solved").wait_for()
    assert entries(tab) == ["late.png: to compare", "a.png: solved", "b.png: solved"]
    tab.page.get_by_role("button", name="late.png").click()
    assert parse(tab.hears("solutions").text()).puzzle == parse(SEVERAL).puzzle


def test_reading_can_be_stopped_and_takes_longer_than_usual(tab: Tab) -> None:
    """What is tried is seen, and the picture of before is there again."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.page.clock.install(time=0)
    held = Held(tab, "**/api/solve*")
    tab.begin(picture_of(NO_ORANGE), "b.png")
    held.wait()
    assert "longer" not in tab.page.inner_text("#words")
    tab.page.clock.fast_forward("00:11")
    tab.hears("It takes longer than usual.").press("Stop").hears("exactly one solution")
    assert tab.page.locator("body.busy").count() == 0
    held.let_go()


def test_a_bad_file_leaves_no_trace(tab: Tab) -> None:
    """At first it leads back to the start, later to the board of before, with nothing to redo."""
    for _ in range(2):
        tab.begin(b"no picture", "late.png").page.locator("#notice", has_text="not a picture").wait_for()
        assert tab.page.locator("#redo").is_disabled()
        if tab.page.locator("#start").is_visible():
            tab.choose(picture_of(FIVE))
        tab.hears("exactly one solution")
    tab.wrong.clear()  # the refusal stands on the console as well


def test_the_board_outlives_a_reload_and_the_empty_page(tab: Tab) -> None:
    """The picture does not outlive a reload; who has edited is asked before leaving."""
    asked: list[str] = []
    tab.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    tab.choose(picture_of(FIVE)).hears("exactly one solution").page.click("#home")
    tab.page.locator("#choose").wait_for()
    tab.page.click("#undo")
    tab.hears("exactly one solution").reload().hears("exactly one solution")
    assert tab.page.locator("#picture-pane").is_hidden()
    assert asked == []
    tab.choose(picture_of(FIVE)).hears("exactly one solution").tab("Correct").look_at("Board")
    tab.tap("0,0").hears("has 1 dot").reload()
    assert asked == ["beforeunload"]
    tab.page.click("#home")
    tab.reload().page.locator("#choose").wait_for()


@pytest.mark.parametrize("status", [408, 503])
def test_a_picture_that_was_not_read_is_said_to_be_so(tab: Tab, status: int) -> None:
    """The verdict of the picture before is not its own; it can be read again."""
    error = {"code": "slow", "message": "The server took too long."}
    body = json.dumps({"ok": False, "error": error})
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.page.route("**/api/solve*", lambda route: route.fulfill(status=status, body=body))
    tab.begin(picture_of(SEVERAL), "late.png").hears("This picture was not read: the server took too long.")
    assert tab.page.locator("#board-pane").is_hidden()
    tab.page.unroute("**/api/solve*")
    tab.press("Read it again").hears("solutions; this is one of them")
    tab.wrong.clear()


def test_nothing_is_given_up_because_others_are_busy(tab: Tab) -> None:
    """A picture and its board wait, as long as it takes, and say so."""
    times = {"solve": 0, "puzzle": 0}

    def busy(route: Any) -> None:
        name = "solve" if "/solve" in route.request.url else "puzzle"
        times[name] += 1
        if times[name] < 4:
            return route.fulfill(status=429, headers={"Retry-After": "0.2"}, body=BUSY)
        return route.continue_()

    tab.page.route("**/api/solve*", busy)
    tab.page.route("**/api/puzzle*", busy)
    tab.begin(picture_of(FIVE), "late.png").hears("waiting for other work").hears("exactly one solution")
    tab.tab("Correct").look_at("Board").tap("0,0").hears("has 1 dot").tap("0,0").hears("exactly one solution")
    assert min(times.values()) >= 4
    tab.wrong.clear()


def test_a_new_picture_does_not_wait_for_what_was_left(browser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search and the stages of the picture of before end with it, and hold no place on the server."""
    monkeypatch.setattr(puzzle_tasks, "search_steps", never_done)
    monkeypatch.setattr(picture_tasks, "stage_pictures", never_done)
    jobs = """() => fetch("/api/about", {headers: {Authorization:
      `Bearer ${localStorage.getItem("flowvision-key")}`}}).then(got => got.json()).then(got => got.jobs)"""
    with served() as server:
        tab = Tab(browser, server).open().choose(picture_of(FIVE)).hears("exactly one solution")
        tab.press("Watch the search").press("How it was read").page.keyboard.press("Escape")
        until(lambda: tab.page.evaluate(jobs) == 2)
        tab.choose(picture_of(SEVERAL)).hears("There are")
        until(lambda: tab.page.evaluate(jobs) == 0)
        tab.wrong.clear()  # the server may end a search, or tell to wait, before it hears that nobody listens
        tab.close()


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
        tab.choose(picture_of((FIVE, SEVERAL)[number % 2])).page.click("#undo")
        tab.page.locator("#notice", has_text="This is first.png again.").wait_for()
    assert tab.page.locator("#visited button").count() == 20
    assert tab.page.evaluate("made - freed") <= 22


def test_a_puzzle_that_is_typed_is_an_entry_of_its_own(tab: Tab) -> None:
    """The picture keeps its board; puzzles that nobody touched push out no picture."""
    tab.choose(picture_of(FIVE), "five.png").hears("exactly one solution")
    tab.tab("Make").page.fill("textarea", SEVERAL)
    tab.hears("solutions")
    assert tab.page.locator("#picture-pane").is_hidden()
    assert entries(tab) == ["five.png: solved", "Puzzle of 5 × 5"]
    tab.page.click("#visited button >> nth=0")
    assert tab.hears("exactly one solution").text() == FIVE
    assert tab.lines("#overlay") == 10
    for size in ("5", "6", "5"):
        tab.tab("Make").page.get_by_label("Columns").fill(size)
        tab.press("Generate one").page.get_by_role("button", name=f"Puzzle of {size} × 5").last.wait_for()
    assert len(entries(tab)) == 3
    assert tab.lines() == 0


def test_what_was_saved_is_taken_back_in_its_colours(tab: Tab) -> None:
    """As JSON or as text; several at once are all there; what is no puzzle is said."""
    tab.choose(picture_of(FIVE), "five.png").hears("exactly one solution")
    tab.page.get_by_label("Form of the file").select_option("json")
    with tab.page.expect_download() as download:
        tab.press("Save this form")
    made = Path(download.value.path()).read_text()
    give(tab, "five.json", made, "application/json").page.locator("#visited button").nth(1).wait_for()
    with tab.page.expect_download() as download:
        tab.hears("exactly one solution").tab("Answer").press("Save this form")
    again = json.loads(Path(download.value.path()).read_text())
    assert [flow["rgb"] for flow in again["flows"]] == [flow["rgb"] for flow in json.loads(made)["flows"]]
    give(tab, "letter.txt", "Dear all").page.locator("#notice", has_text="letter.txt: ").wait_for()
    assert len(entries(tab)) == 2
    tab.wrong.clear()


def test_puzzles_given_one_upon_the_other_are_all_there(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the one before is still being read, or solved; no request is refused."""
    monkeypatch.setattr(puzzle_tasks, "solve_puzzle", solve_slowly)
    for n, text in enumerate((FIVE, SEVERAL, HEXAGONS, NONE)):
        give(tab, f"{n}.txt", text)
    tab.page.locator("#visited button").nth(3).wait_for()
    assert entries(tab) == ["Puzzle of 5 × 5", "Puzzle of 5 × 5", "Puzzle of 3 × 3", "Puzzle of 3 × 3"]
    tab.hears("No solution")


def test_what_was_copied_is_pasted(tab: Tab) -> None:
    """By the button and by the keys: a puzzle, or the link of one."""
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.choose(picture_of(FIVE), "five.png").hears("exactly one solution")
    for name, said in (("Puzzle", "The puzzle is"), ("Link", "A link")):
        tab.tab("Answer").press(name).page.locator("#panel-Answer [role=status]", has_text=said).wait_for()
        tab.page.click("#home")
        tab.press("Paste") if name == "Puzzle" else tab.page.keyboard.press("Control+v")
        assert tab.hears("exactly one solution").text() == FIVE
