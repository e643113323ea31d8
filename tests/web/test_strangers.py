"""What strangers found to be lost, untrue or not to be found on the page, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from flowvision.image.codec import encode
from flowvision.image.picture import Rgb
from flowvision.palette import colour_name
from tests.drawing import FIVE, SEVERAL, screenshot_of
from tests.web.chromium import Held, Tab, needs_chromium, picture_of
from tests.web.covered import covered
from tests.web.serving import Serving
from tests.web.test_hesitations import NO_ORANGE

pytestmark = needs_chromium

TOUCHING = "R.B..\n.....\n.....\n.B...\n.R...\n"
"""In each of its solutions a path touches itself."""


def lines(tab: Tab) -> int:
    """How many pieces of pipe are drawn on the board."""
    return int(tab.page.locator("#board .lines path").count())


def generated(tab: Tab) -> Tab:
    """A puzzle to play is there."""
    tab.page.locator("#panel-Play", has_text="Difficulty").wait_for()
    return tab


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


def test_what_is_being_read_can_be_stopped(tab: Tab) -> None:
    """The picture of before is there again."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    held = Held(tab, "**/api/solve*")
    tab.page.set_input_files(
        "#file", {"name": "b.png", "mimeType": "image/png", "buffer": picture_of(SEVERAL)}
    )
    held.wait()
    tab.press("Stop").hears("exactly one solution")
    assert tab.page.locator("body.busy").count() == 0
    held.let_go()


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


def test_another_picture_is_chosen_at_once(tab: Tab) -> None:
    """Without a way over the empty page; whoever thinks better of it is where they were."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    with tab.page.expect_file_chooser() as asked:
        tab.press("Another picture")
    tab.hears("exactly one solution")
    asked.value.set_files({"name": "b.png", "mimeType": "image/png", "buffer": picture_of(SEVERAL)})
    tab.hears("solutions; this is one of them")


def test_a_game_is_not_given_away(tab: Tab) -> None:
    """Not by the logo and undo, not by a letter; number and difficulty come back with it."""
    tab.page.click("#play")
    generated(tab)
    number = tab.page.get_by_label("Number").input_value()
    tab.tab("Learn").page.wait_for_timeout(100)
    assert "no solution to learn from" not in tab.page.inner_text("#panel-Learn")
    tab.tab("Make")
    assert tab.page.locator("#verdict", has_text="There is exactly one solution").count() == 1
    assert "Difficulty" in tab.page.inner_text("#panel-Make")
    tab.tab("Play").page.click("#home")
    tab.page.click("#undo")
    assert (tab.page.locator("#tab-Play[aria-selected=true]").count(), lines(tab)) == (1, 0)
    tab.cell("0,0").focus()
    tab.page.keyboard.press("p")
    assert (tab.page.locator("#tab-Play[aria-selected=true]").count(), lines(tab)) == (1, 0)
    tab.press("Another one").page.wait_for_function(
        "number => document.querySelector('[aria-label=Number]').value !== number", arg=number
    )
    tab.page.click("#undo")
    assert generated(tab).page.get_by_label("Number").input_value() == number
    tab.page.reload()
    assert generated(tab).page.get_by_label("Number").input_value() == number
    tab.page.get_by_label("Number").fill("-5")
    tab.page.keyboard.press("Enter")
    assert not tab.page.evaluate("document.querySelector('[aria-label=Number]').checkValidity()")
    assert tab.page.locator("#notice").is_hidden()


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


def test_what_is_covered_is_ringed_and_mended_by_a_button(tab: Tab) -> None:
    """The cell that the words name, not the dot that is seen well; then a person compares."""
    tab.choose(encode(covered(screenshot_of(FIVE), 4, 3))).hears("Something covers row 5, column 4")
    ring = tab.page.locator("#board .rings circle")
    assert (ring.count(), ring.get_attribute("cx"), ring.get_attribute("cy")) == (1, "350", "450")
    tab.press("Put orange in row 5, column 4").hears("A dot here is a guess")
    assert "dot orange" in tab.said("4,3")
    tab.press("It is right").page.locator("#verdict.good").wait_for()
    assert tab.text() == FIVE


def test_rows_and_columns_are_numbered(tab: Tab) -> None:
    """As messages count them."""
    tab.choose(picture_of(NO_ORANGE)).hears("no partner")
    assert sorted(tab.page.locator("#board .numbers text").all_text_contents()) == sorted("1234512345")
    box = tab.cell("0,2").bounding_box()
    three = tab.page.locator("#board .numbers text", has_text="3").first.bounding_box()
    assert abs(three["x"] + three["width"] / 2 - box["x"] - box["width"] / 2) < 2
    assert three["y"] + three["height"] <= box["y"] + 4


@pytest.mark.parametrize(
    ("rgb", "name"), [((20, 26, 22), "black"), ((75, 75, 75), "grey"), ((166, 166, 166), "grey"),
                      ((240, 240, 236), "white"), ((0, 98, 46), "green"), ((9, 25, 159), "indigo")]
)  # fmt: skip
def test_what_has_no_hue_is_called_by_its_lightness(tab: Tab, rgb: tuple[int, int, int], name: str) -> None:
    """By the page and the server alike."""
    assert colour_name(Rgb(*rgb)) == name
    tab.page.click("#blank")
    tab.page.get_by_label("Another colour", exact=True).fill(Rgb(*rgb).hex)
    assert tab.page.locator(f".swatch[title='{name}']").count() == 1


def test_what_is_tried_is_seen_while_a_picture_is_read(tab: Tab) -> None:
    """Where its cells lie, how many they are, and that the reason is being looked for."""
    said = tab.page.evaluate_handle(
        """() => { const [said, more] = [[], document.querySelector("#more")];
        const tried = () => document.querySelector("#overlay .shot path").getAttribute("d");
        const listen = new MutationObserver(() => said.push([more.textContent, tried()]));
        listen.observe(more, {childList: true}); return said; }"""
    )
    tab.page.set_input_files(
        "#file", {"name": "a.png", "mimeType": "image/png", "buffer": picture_of(NO_ORANGE)}
    )
    tab.hears("no partner")
    seen = said.json_value()
    assert any(
        "Tried: 5 rows and 5 columns." in words and (path or "").startswith("M") for words, path in seen
    )
    assert any("looking for the reason" in words for words, _ in seen)
    assert tab.page.locator("#overlay .shot path").get_attribute("d") == ""


def test_files_hold_what_they_are_called(tab: Tab) -> None:
    """The puzzle, or its solution, as text; what is shown moves where a moving one was chosen."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution").tab("Files")
    tab.page.get_by_label("Form of the file").select_option("solution")
    with tab.page.expect_download() as saved:
        tab.press("Save this form")
    assert saved.value.path().read_text().split()[0] == "RGGYY"
    tab.page.get_by_label("Form of the file").select_option("gif")
    with tab.page.expect_response("**/api/picture*") as shown:
        tab.press("Show it here")
    assert "format=gif" in shown.value.url
    tab.page.get_by_label("Form of the file").select_option("text")
    tab.tab("Correct").tap("0,0").hears("has 1 dot").tab("Files")
    assert tab.page.get_by_label("Form of the file").input_value() == "text"


def test_of_a_form_that_is_no_picture_the_picture_is_shown(tab: Tab) -> None:
    """Whether one can be shown is told with each form."""

    def tell_of_text(route: Any) -> None:
        told = route.fetch().json()
        told["formats"].append(["csv", "CSV", ".csv", False])
        route.fulfill(json=told)

    tab.page.route("**/api/about*", tell_of_text)
    tab.page.reload()
    tab.choose(picture_of(FIVE)).hears("exactly one solution").tab("Files")
    tab.page.get_by_label("Form of the file").select_option("csv")
    with tab.page.expect_response("**/api/picture*") as shown:
        tab.press("Show it here")
    assert "format=png" in shown.value.url
    tab.page.wait_for_function("() => document.querySelector('img.result').naturalWidth > 0")


def test_a_picture_opens_solved_wherever_one_was(tab: Tab) -> None:
    """In the middle of a game, too."""
    tab.choose(picture_of(SEVERAL), "first.png").hears("solutions").tab("Play")
    tab.choose(picture_of(FIVE), "second.png").hears("Solved: there is exactly one solution")
    tab.press("Save")
