"""Everyone can use the page: axe-core finds nothing on any screen, light or dark, large or small."""

from __future__ import annotations

from typing import Any

import pytest

from flowvision.image.codec import encode
from tests.drawing import FIVE, NONE, screenshot_of
from tests.web.chromium import AXE, LOOKS, Tab, needs_chromium
from tests.web.serving import Serving

pytestmark = [
    needs_chromium,
    pytest.mark.skipif(not AXE.exists(), reason=f"no axe-core at {AXE}: .ci/run fetches it"),
]


def faults(tab: Tab) -> list[str]:
    """What axe-core has to say."""
    if not tab.page.evaluate("typeof axe !== 'undefined'"):
        tab.page.evaluate(AXE.read_text())
    found = tab.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]


@pytest.mark.parametrize(("scheme", "size"), LOOKS, ids=str)
def test_every_screen_is_accessible(browser: Any, server: Serving, scheme: str, size: dict[str, int]) -> None:
    """The start, an answer, every panel, a hint, a refusal, the list of keys, an empty board."""
    tab = Tab(browser, server, viewport=size, color_scheme=scheme, bypass_csp=True).open()
    seen = {"start": faults(tab)}
    tab.choose(encode(screenshot_of(FIVE))).hears("exactly one solution")
    for name in ("Correct", "Learn", "Play", "Make", "Files", "Details"):
        tab.tab(name)
        if name == "Learn":
            tab.press("Watch the search")
            tab.page.get_by_text("Minisat, the solver").wait_for()
        if name == "Details":
            tab.page.wait_for_selector(".strip figure:nth-child(7)")
        seen[name] = faults(tab)
    tab.choose(encode(screenshot_of(NONE))).hears("no solution")
    tab.look_at("Picture").press("Crop")
    seen["refused, crop"] = faults(tab)
    tab.page.locator("#keys").click()
    seen["keys"] = faults(tab)
    tab.context.close()
    assert {screen: found for screen, found in seen.items() if found} == {}


def test_twice_as_large_nothing_is_cut_off(browser: Any, server: Serving) -> None:
    """At 200 % a window of 1300 pixels is one of 650."""
    tab = Tab(browser, server, viewport={"width": 650, "height": 450}).open()
    tab.choose(encode(screenshot_of(FIVE))).hears("exactly one solution")
    for name in ("Correct", "Learn", "Make", "Files"):
        tab.tab(name)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 650
    tab.close()


def test_the_board_is_one_stop_of_the_tab_key(browser: Any, server: Serving) -> None:
    """Arrows go on inside; every cell says what it holds; changes are announced."""
    tab = Tab(browser, server).open().choose(encode(screenshot_of(FIVE)))
    tab.hears("exactly one solution").look_at("Board")
    assert tab.page.locator('#board [tabindex="0"]').count() == 1
    tab.cell("0,0").focus()
    tab.page.keyboard.press("ArrowRight")
    assert tab.page.evaluate("document.activeElement.dataset.key") == "0,1"
    assert tab.said("0,1") == "row 1, column 2, path green"
    tab.page.keyboard.press("Tab")
    assert tab.page.evaluate("document.activeElement.closest('#board')") is None
    tab.tab("Correct")
    tab.cell("0,0").focus()
    tab.page.keyboard.press("Delete")
    tab.hears("red has 1 dot")
    tab.close()


STOP = """() => {
  const { activeElement: at } = document;
  const name = at.ariaLabel || at.textContent.trim() || at.title || [...(at.labels ?? [])].join();
  return [at.tagName.toLowerCase(), at.id || at.className.baseVal || at.className, name];
}"""
"""The element that has the focus: tag, what identifies it, name."""


def test_every_stop_of_the_tab_key_is_of_use(browser: Any, server: Serving) -> None:
    """None is empty: each has a name, and none is a drawing as a whole."""
    tab = Tab(browser, server).open()
    tab.page.wait_for_selector("#samples button:nth-child(4)")
    stops = {"start": stops_of(tab)}
    tab.choose(encode(screenshot_of(FIVE))).hears("exactly one solution")
    for name in ("Correct", "Learn", "Play", "Make", "Files", "Details"):
        tab.tab(name)
        stops[name] = stops_of(tab)
    tab.close()
    for name, found in stops.items():
        assert len(found) > 5, name
        assert [one for one in found if one[0] == "svg" or not one[2]] == [], name


def stops_of(tab: Tab) -> list[list[str]]:
    """Where the Tab key leads from the beginning of the page to its end."""
    tab.page.evaluate("document.activeElement.blur()")
    tab.page.locator("#home").focus()
    found = [tab.page.evaluate(STOP)]
    while found[-1][0] != "body" and len(found) < 100:
        tab.page.keyboard.press("Tab")
        found.append(tab.page.evaluate(STOP))
    return found[:-1]


def test_rows_and_cells_say_where_they_are(browser: Any, server: Serving) -> None:
    """By numbers; the name of a row does not repeat its cells."""
    tab = Tab(browser, server).open().choose(encode(screenshot_of(FIVE)))
    tab.hears("exactly one solution")
    row = tab.page.locator("#board [role=row]").nth(2)
    assert (row.get_attribute("aria-label"), row.get_attribute("aria-rowindex")) == ("row 3", "3")
    columns = [cell.get_attribute("aria-colindex") for cell in row.locator("[role=gridcell]").all()]
    assert columns == list("12345")
    tab.close()


def test_less_motion_where_that_is_asked_for(browser: Any, server: Serving) -> None:
    """The solution is then played flow by flow, without animation."""
    tab = Tab(browser, server, reduced_motion="reduce").open().choose(encode(screenshot_of(FIVE)))
    tab.hears("exactly one solution")
    tab.tab("Learn").press("Watch the solution")
    growing = tab.page.locator("#board .grow")
    growing.first.wait_for(state="attached")
    took = growing.evaluate_all("all => all.map(one => getComputedStyle(one).animationDuration)")
    assert set(took) == {"0.001s"}
    tab.close()
