"""The page under a finger: a tap does what a click does, a swipe scrolls and changes nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.drawing import FIVE
from tests.web.chromium import Tab, middle, needs_chromium, picture_of, touch
from tests.web.serving import Serving

pytestmark = needs_chromium

WAYS = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]


@pytest.fixture
def phone(browser: Any, server: Serving) -> Iterator[Tab]:
    """The page on a phone, with an answer."""
    tab = Tab(browser, server, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).open()
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    yield tab
    tab.close()


def swipe(tab: Tab, start: tuple[float, float], way: tuple[int, int], px: float = 90) -> None:
    """One finger, from here to there, as the system reports it."""
    x, y = start
    touch(tab, [(x + way[0] * px * n / 6, y + way[1] * px * n / 6) for n in range(7)])
    tab.page.evaluate("new Promise(requestAnimationFrame)")


@pytest.mark.parametrize("name", ["Files", "Learn", "Make", "Details"])
def test_swipes_change_nothing(phone: Tab, name: str) -> None:
    """From a dot and from an empty cell, in all eight directions."""
    phone.tab(name)
    for place in ("0,0", "2,2"):
        for way in WAYS:
            phone.page.evaluate("scrollTo(0, 60)")
            swipe(phone, middle(phone, place), way)
    phone.page.evaluate("scrollTo(0, 0)")
    assert phone.text() == FIVE
    assert phone.page.locator("#undo").is_disabled()  # nothing has been done


def test_what_was_saved_is_said_in_sight(phone: Tab) -> None:
    """Above the bar of tabs, also where the panel that says it lies below the screen."""
    phone.page.set_viewport_size({"width": 390, "height": 560})
    phone.page.evaluate("scrollTo(0, 0)")
    with phone.page.expect_download():
        phone.page.locator("#next button", has_text="Save").click()
    said = phone.page.locator("[role=status]:visible", has_text="is ready")
    said.wait_for()
    box, bar = said.bounding_box(), phone.page.locator("#tabs").bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= bar["y"]


def test_under_correct_a_swipe_from_an_empty_cell_scrolls(phone: Tab) -> None:
    """And edits nothing; no warp comes of a swipe along the rim."""
    phone.tab("Correct")
    phone.page.evaluate("scrollTo(0, 0)")
    swipe(phone, middle(phone, "2,2"), (0, -1), 200)
    phone.holds("scrollY > 50")
    phone.page.evaluate("scrollTo(0, 0)")
    swipe(phone, middle(phone, "2,0"), (1, 0), 280)
    assert phone.text() == FIVE


def test_under_correct_a_finger_drags_a_dot(phone: Tab) -> None:
    """It does not scroll."""
    phone.tab("Correct")
    (x, y), (u, v) = middle(phone, "0,0"), middle(phone, "0,1")
    swipe(phone, (x, y), (1, 0), u - x)
    assert v == y
    assert phone.text().startswith(".RG.Y")


def test_a_finger_that_drags_slowly_makes_no_hole(phone: Tab) -> None:
    """Only one that stays where it is does: dots may be dragged with care."""
    phone.tab("Correct")
    x, y = middle(phone, "0,0")
    phone.page.clock.install(time=0)  # what the page's timers see, however busy the machine is
    phone.page.clock.pause_at(1000)
    for off in (0, 12, 14, 15):  # in its cell all the time
        kind = "touchMove" if off else "touchStart"
        phone.devtools.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x + off, "y": y}]}
        )
        phone.page.clock.run_for(300)
    phone.devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    phone.page.clock.resume()
    assert "#" not in phone.text()


def test_all_of_a_crop_is_within_reach(phone: Tab) -> None:
    """Between the top and the tabs at the bottom: every handle, and the buttons; no handle covers a cell."""
    phone.tab("Correct").look_at("Picture")
    phone.page.evaluate("scrollTo(0, 0)")
    phone.press("Crop")
    bar = phone.page.locator("#tabs").bounding_box()
    parts = [
        *phone.page.locator("#overlay .handle").all(),
        phone.page.locator("#crop"),
        phone.page.locator("#uncrop"),
    ]
    boxes = [part.bounding_box() for part in parts]
    assert len(boxes) == 10
    assert all(box["y"] >= 0 and box["y"] + box["height"] <= bar["y"] for box in boxes)
    part = phone.page.locator("#overlay .inside").bounding_box()
    for box in boxes[:8]:
        assert min(box["width"], box["height"]) >= 44
        assert gap(box, part) >= -2  # as wide as its rim


def gap(one: dict[str, float], other: dict[str, float]) -> float:
    """How far two boxes are from each other, in the direction in which they are farthest."""
    return max(
        max(other[at] - one[at] - one[length], one[at] - other[at] - other[length])
        for at, length in (("x", "width"), ("y", "height"))
    )


@pytest.mark.parametrize(("panel", "button"), [("Learn", "Next hint"), ("Play", "Hint")])
def test_the_reason_of_a_hint_is_seen_at_once(phone: Tab, panel: str, button: str) -> None:
    """Without scrolling, above the tabs at the bottom."""
    phone.tab(panel)
    phone.page.evaluate("scrollTo(0, 0)")
    name = phone.page.locator(f"#panel-{panel}").get_by_role("button", name=button, exact=True)
    name.evaluate("one => one.click()")  # a click of the driver would scroll
    reason = phone.page.locator(f"#panel-{panel}").get_by_text("one way")
    reason.wait_for()
    box, bar = reason.bounding_box(), phone.page.locator("#tabs").bounding_box()
    assert box["y"] + box["height"] <= bar["y"]


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
