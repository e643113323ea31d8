"""From the empty page to the answer: samples, hints, solutions one by one, stages, a connected phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from flowvision.puzzle.text import parse
from tests.drawing import FIVE, SEVERAL
from tests.phone.fake_adb import FakeServer, serving
from tests.phone.fake_phone import FakePhone, level_of
from tests.web.chromium import Tab, needs_chromium, picture_of
from tests.web.serving import served

SAMPLES = sorted((Path(__file__).resolve().parents[2] / "samples").glob("[0-9]*.[pj][np]g"))

pytestmark = needs_chromium


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_is_read_and_solved(tab: Tab, sample: Path) -> None:
    """The board on the page is the puzzle that was drawn."""
    kind = "image/png" if sample.suffix == ".png" else "image/jpeg"
    tab.choose(sample.read_bytes(), sample.name, kind).hears("exactly one solution")
    truth, shown = parse(sample.with_suffix(".txt").read_text()), parse(tab.text())
    assert shown.board == truth.board
    assert {frozenset(pair) for pair in shown.puzzle.terminals} == {
        frozenset(pair) for pair in truth.puzzle.terminals
    }
    assert tab.page.locator("#overlay .lines path").count() >= 2 * len(truth.puzzle.terminals)


def test_hints_lead_to_the_answer_one_by_one(tab: Tab) -> None:
    """The solution is hidden, then grows by what can be seen next, with a reason."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab("Learn").press("Next hint")
    tab.page.get_by_text("has one way").first.wait_for()
    first = tab.page.locator("#board .lines path").count()
    assert tab.page.locator("#board .lit path").count() == 6  # round both of its cells
    tab.press("Next hint")
    for _ in range(100):
        if tab.page.locator("#board .lines path").count() > first:
            break
        tab.page.wait_for_timeout(50)
    assert tab.page.locator("#board .lines path").count() > first
    tab.press("Show everything")
    assert tab.page.locator("#board .lines path").count() == 10
    tab.press("Hide the solution")
    assert tab.page.locator("#board .lines path").count() == 0
    tab.page.get_by_label("Flow to show").select_option(label="green")
    tab.press("Show this flow")
    assert tab.page.locator("#board .lines path").count() == 2
    assert "path green" in tab.said("1,1")


def test_the_solution_is_played_and_the_search_watched(tab: Tab) -> None:
    """To their ends; Minisat's numbers stand beside."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab("Learn").press("Watch the solution")
    tab.page.locator("#board .grow").first.wait_for(state="attached")
    tab.page.locator("#board .lines path:not(.grow)").first.wait_for(state="attached")
    tab.press("Watch the search")
    tab.page.get_by_text("Minisat, the solver used here").wait_for()
    slider = tab.page.get_by_label("Step of the search")
    slider.fill("0")
    slider.fill(str(slider.get_attribute("max")))
    tab.page.locator("output", has_text="step 21 of 21").wait_for()


def test_solutions_are_shown_one_after_another(tab: Tab) -> None:
    """On the board; the cells that differ are lit. Somebody may say that it is right nevertheless."""
    tab.choose(picture_of(SEVERAL)).hears("2 solutions")
    tab.tab("Learn").press("All solutions")
    shown = []
    for words in ("1 of 2", "2 of 2", "1 of 2"):
        tab.page.locator("#panel-Learn output", has_text=words).wait_for()
        assert tab.page.locator("#board .lit path").count() >= 4
        shown.append(tab.page.inner_html("#board .lines"))
        tab.press("The next solution")
    assert shown[0] == shown[2] != shown[1]
    tab.tab("Files").press("It is right").page.locator("#verdict.good").wait_for()
    tab.press("Another solution").page.locator("#panel-Learn output", has_text="1 of 2").wait_for()
    tab.tab("Files").page.locator("#next button", has_text="Save").wait_for()


def test_the_empty_page_offers_samples(tab: Tab) -> None:
    """Each is read and solved; a board on it is drawn to its end."""
    tab.page.wait_for_selector("#demo .lines path.grow:nth-child(10)", state="attached")
    for number in range(3):
        tab.page.locator("#samples button").nth(number).click()
        tab.hears("exactly one solution")
        tab.page.click("#home")


def test_stages_are_drawn_when_looked_at(tab: Tab) -> None:
    """A picture with a title for each."""
    asked: list[str] = []
    tab.page.on("request", lambda request: asked.append(request.url))
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    assert not [url for url in asked if "/stage" in url]
    tab.tab("Details")
    tab.page.wait_for_selector(".strip figure:nth-child(7)")
    assert len([url for url in asked if "/stage" in url]) == 1
    tab.holds("document.querySelector('.strip figure:nth-child(7) img').complete")
    small = tab.page.locator(".strip figure:nth-child(7) img").bounding_box()
    tab.page.locator(".strip figure:nth-child(7) button").click()
    tab.holds("document.querySelector('dialog.wide img').complete")
    large = tab.page.locator("dialog.wide img").bounding_box()
    assert large["width"] > 1.5 * small["width"]
    tab.page.keyboard.press("Escape")
    assert tab.page.locator("dialog.wide").is_hidden()


def test_a_notice_goes_with_the_next_touch(tab: Tab) -> None:
    """Or key: it lies over what was at the top."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab("Correct").tap("1,1")
    tab.page.locator("#notice", has_text="The picture shows no dot here").wait_for()
    tab.tab("Files")
    assert tab.page.locator("#notice").is_hidden()
    tab.tab("Correct").tap("1,1")
    tab.page.locator("#notice", has_text="The picture shows no dot here").wait_for()
    tab.page.keyboard.press("Tab")
    assert tab.page.locator("#notice").is_hidden()


def test_a_phone_is_captured_and_played(browser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it is agreed to, and nothing before; another board than that of the page is not touched."""
    phone = FakePhone([level_of(FIVE)])
    with serving(FakeServer(phone.run)) as port:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(port))
        with served() as server:
            tab, agreed = Tab(browser, server).open(), iter([False, True])
            tab.page.on("dialog", lambda dialog: dialog.accept() if next(agreed) else dialog.dismiss())
            tab.page.click("#phone")
            tab.hears("exactly one solution").press("Play it on the phone")
            assert not [text for text in phone.asked if text.startswith("input")]
            tab.choose(picture_of(SEVERAL), "other.png").hears("solutions")
            tab.press("From the phone").hears("exactly one solution")  # also where a picture is open
            tab.press("Play it on the phone").page.locator(
                "#notice", has_text="Played on Fake Phone"
            ).wait_for()
            tab.close()
            other = server.post("/api/phone/play", SEVERAL.encode()).object
    assert phone.game.solved()
    assert not phone.strays
    assert other["error"]["code"] == "not-played"
    assert "another board" in other["error"]["message"]
