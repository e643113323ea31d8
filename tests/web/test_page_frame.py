"""One frame at every size: board and tabs never move, nothing is cut off, everyone can use it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from flowvision.image.codec import encode
from flowvision.puzzle.text import parse
from flowvision.puzzle_tools.generator import shape_of
from tests.boards import generated_puzzle
from tests.drawing import FIVE, NONE, screenshot_of
from tests.tools.synthetic import Style, draw_screenshot
from tests.web.chromium import AXE, Tab, needs_chromium, picture_of
from tests.web.covered import NO_ORANGE
from tests.web.serving import Serving

pytestmark = needs_chromium

TABS = ("Answer", "Correct", "Play", "Make")
WIDE, MIDDLE, PHONE, SMALL = (1300, 900), (820, 1180), (390, 664), (360, 640)


def opened(browser: Any, server: Serving, size: tuple[int, int], **more: Any) -> Tab:
    """The page in a window of this size; a narrow one is a phone's."""
    is_phone = size[0] < 700
    window = {"viewport": {"width": size[0], "height": size[1]}, "has_touch": is_phone, "is_mobile": is_phone}
    return Tab(browser, server, **window, **more).open()


def drawn(size: str, colours: int) -> bytes:
    """A screenshot of a board of this size."""
    named = parse(generated_puzzle(shape_of(size), colours, 7, "text"))
    return encode(draw_screenshot(named.board, named.puzzle, Style(), 3).screenshot.bgr)


def place_of(tab: Tab, name: str) -> tuple[int, ...]:
    """Where an element lies, in whole pixels."""
    box = tab.page.locator(name).bounding_box()
    return tuple(round(box[side]) for side in ("x", "y", "width", "height"))


@pytest.mark.parametrize("size", [WIDE, MIDDLE, PHONE])
def test_board_and_tabs_never_move(browser: Any, server: Serving, size: tuple[int, int]) -> None:
    """Not between tabs, not when a second picture comes; there is one primary action at most."""
    tab = opened(browser, server, size).choose(drawn("8x10", 8), "a.png").hears("exactly one solution")
    tab.look_at("Board")
    places = set()
    for picture in (None, picture_of(FIVE)):
        if picture:
            tab.choose(picture, "b.png").hears("exactly one solution").look_at("Board")
        for name in TABS:
            tab.tab(name)
            places.add((place_of(tab, "#board"), place_of(tab, "#tabs")))
            assert tab.page.locator(".main:visible").count() <= 1, name
    assert len(places) == 1
    tab.close()


@pytest.mark.parametrize("size", [PHONE, SMALL])
def test_all_of_a_board_is_in_reach_on_a_phone(browser: Any, server: Serving, size: tuple[int, int]) -> None:
    """Under every tab, without scrolling: no cell lies under verdict, tools or tabs."""
    tab = (
        opened(browser, server, size).choose(drawn("8x10", 8)).hears("exactly one solution").look_at("Board")
    )
    reached = """() => [...document.querySelectorAll("#board .cell")].filter((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2)?.closest("#board");
    }).length"""
    for name in TABS:
        tab.tab(name)
        assert tab.page.evaluate(reached) == 80, name
    assert tab.cell("0,0").bounding_box()["width"] >= 16
    tab.close()


def test_a_refused_picture_is_compared_on_a_phone(phone: Tab) -> None:
    """Picture and board side by side, with tools and colours in sight."""
    phone.choose(picture_of(NO_ORANGE)).hears("no partner")
    boxes = [
        phone.page.locator(name).bounding_box()
        for name in ("#overlay", "#board", ".tools", ".palette", "#tabs")
    ]
    picture, board, *below, tabs = boxes
    assert picture["x"] + picture["width"] <= board["x"] + 1
    assert all(
        board["y"] + board["height"] <= box["y"] and box["y"] + box["height"] <= tabs["y"] for box in below
    )


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_all_of_a_crop_is_within_reach(browser: Any, server: Serving, size: tuple[int, int]) -> None:
    """Every handle and both buttons; what is seen follows the box when a finger is lifted."""
    tab = opened(browser, server, size).choose(picture_of(FIVE)).look_at("Picture").press("Crop")
    parts = [
        *tab.page.locator("#overlay .handle").all(),
        tab.page.locator("#crop"),
        tab.page.locator("#uncrop"),
    ]
    views = tab.page.locator("#views").bounding_box()
    boxes = [part.bounding_box() for part in parts]
    assert len(boxes) == 10
    assert all(box["y"] >= 0 and box["y"] + box["height"] <= views["y"] for box in boxes)
    assert min(min(box["width"], box["height"]) for box in boxes[:8]) >= 40
    handle, view = boxes[5], tab.page.locator("#overlay")
    before = view.get_attribute("viewBox")
    tab.page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    tab.page.mouse.down()
    tab.page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] - 40, steps=4)
    assert view.get_attribute("viewBox") == before
    tab.page.mouse.up()
    assert view.get_attribute("viewBox") != before
    tab.press("Cancel")
    assert tab.page.locator("#overlay .handle").first.is_hidden()
    tab.close()


def test_the_strip_shows_the_newest_picture(phone: Tab) -> None:
    """It scrolls there when there are more than fit."""
    wide = encode(np.pad(screenshot_of(FIVE), ((0, 0), (400, 400), (0, 0))))
    for number in range(6):
        phone.choose(wide, f"{number}.png")
    phone.holds("[...document.querySelectorAll('#visited img')].every((one) => one.complete)")
    strip, last = (phone.page.locator(name).last.bounding_box() for name in ("#visited", "#visited button"))
    assert last["x"] + last["width"] <= strip["x"] + strip["width"] + 2


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_text_twice_as_large_cuts_nothing_off(browser: Any, server: Serving, size: tuple[int, int]) -> None:
    """The verdict is whole, and nothing is wider than the screen."""
    tab = opened(browser, server, size).choose(picture_of(NO_ORANGE)).hears("no partner")
    tab.page.evaluate("document.documentElement.style.fontSize = '32px'")
    words = tab.page.locator("#words")
    assert words.evaluate(
        "one => one.scrollHeight <= one.clientHeight + 1 && one.scrollWidth <= one.clientWidth + 1"
    )
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert tab.page.locator("#verdict").bounding_box()["height"] >= words.bounding_box()["height"]
    tab.tab("Answer").page.locator("#panel-Answer").scroll_into_view_if_needed()
    tab.close()


def test_forced_colours_show_what_is_chosen(browser: Any, server: Serving) -> None:
    """The selected tab, tool and view differ from the others."""
    tab = opened(browser, server, WIDE, forced_colors="active").choose(picture_of(FIVE)).tab("Correct")
    for name in ("#tabs button", ".tools button", "#switch button"):
        backs = tab.page.locator(name).evaluate_all(
            "all => all.map(one => getComputedStyle(one).backgroundColor)"
        )
        assert len(set(backs)) == 2, name
    tab.close()


def test_less_motion_where_that_is_asked_for(browser: Any, server: Serving) -> None:
    """Neither animations nor their delays."""
    tab = opened(browser, server, WIDE, reduced_motion="reduce")
    tab.page.wait_for_selector("#demo .grow", state="attached")
    styles = "all => all.map(getComputedStyle).map(one => one.animationDelay + one.animationDuration)"
    assert set(tab.page.locator("#demo .grow").evaluate_all(styles)) == {"0s0.001s"}
    tab.choose(picture_of(FIVE)).hears("exactly one solution").press("Hide the solution")
    tab.press("Watch the solution")
    assert tab.lines() == 10
    assert tab.page.locator("#board .grow").count() == 0
    tab.close()


LOOKS = [("light", WIDE), ("dark", PHONE)]


def faults(tab: Tab) -> list[str]:
    """What axe-core has to say."""
    if not tab.page.evaluate("typeof axe !== 'undefined'"):
        tab.page.evaluate(AXE.read_text())
    found = tab.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]


@pytest.mark.skipif(not AXE.exists(), reason=f"no axe-core at {AXE}: .ci/run fetches it")
@pytest.mark.parametrize(("scheme", "size"), LOOKS)
def test_every_screen_is_accessible(
    browser: Any, server: Serving, scheme: str, size: tuple[int, int]
) -> None:
    """The start, an answer, every panel, a search, the stages, a refusal, the list of keys."""
    tab = opened(browser, server, size, color_scheme=scheme, bypass_csp=True)
    seen = {"start": faults(tab)}
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    for name in TABS:
        seen[name] = faults(tab.tab(name))
    tab.tab("Answer").press("Watch the search").page.get_by_text("Minisat, the solver").wait_for()
    seen["search"] = faults(tab)
    tab.look_at("Picture").press("How it was read").page.wait_for_selector("#stages figure:nth-child(7)")
    seen["stages"] = faults(tab)
    tab.page.keyboard.press("Escape")
    tab.choose(picture_of(NONE)).hears("no solution").look_at("Picture").press("Crop")
    seen["refused, crop"] = faults(tab)
    tab.page.locator("#keys").click()
    seen["keys"] = faults(tab)
    tab.context.close()
    assert {screen: found for screen, found in seen.items() if found} == {}


STOP = """() => {
  const { activeElement: at } = document;
  const name = at.ariaLabel || at.textContent.trim() || at.title || [...(at.labels ?? [])].join();
  return [at.tagName.toLowerCase(), at.id || at.className.baseVal || at.className, name];
}"""
"""The element that has the focus: tag, what identifies it, name."""


def stops_of(tab: Tab) -> list[list[str]]:
    """Where the Tab key leads from the beginning of the page to its end."""
    tab.page.locator("#home").focus()
    found = [tab.page.evaluate(STOP)]
    while found[-1][0] != "body" and len(found) < 100:
        tab.page.keyboard.press("Tab")
        found.append(tab.page.evaluate(STOP))
    return found[:-1]


def test_every_stop_of_the_tab_key_is_of_use(tab: Tab) -> None:
    """Each has a name; the board is one stop, arrows go on inside, and every cell says what it holds."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution").look_at("Board")
    for name in TABS:
        tab.tab(name)
        stops = stops_of(tab)
        assert len(stops) > 5, name
        assert [one for one in stops if one[0] == "svg" or not one[2]] == [], name
    tab.tab("Answer").cell("0,0").focus()
    tab.page.keyboard.press("ArrowRight")
    assert tab.page.evaluate("document.activeElement.dataset.key") == "0,1"
    assert tab.said("0,1") == "row 1, column 2, path green"
    row = tab.page.locator("#board [role=row]").nth(2)
    assert (row.get_attribute("aria-label"), row.get_attribute("aria-rowindex")) == ("row 3", "3")
    tab.page.keyboard.press("Tab")
    assert tab.page.evaluate("document.activeElement.closest('#board')") is None
    tab.page.locator("#tab-Answer").focus()
    tab.page.keyboard.press("ArrowRight")
    assert tab.page.evaluate("document.activeElement.id") == "tab-Correct"
