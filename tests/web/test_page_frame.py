"""One frame at every size: board and tabs never move, nothing is cut off, everyone can use it."""

from typing import Any

import pytest

from flowvision.image.codec import encode
from flowvision.puzzle.text import parse
from flowvision.puzzle_tools.generator import shape_of
from tests.boards import make_puzzle
from tests.drawing import LEVEL_5X5, UNSOLVABLE
from tests.pictures import ONE_ORANGE
from tests.tools.synthetic import Style, draw_screenshot
from tests.web.chromium import Tab, axe_faults, file_of, middle, needs_axe, needs_chromium, picture_of, touch
from tests.web.serving import Serving

pytestmark = needs_chromium

TABS = ("Answer", "Correct", "Play", "Make")
LARGE = "A...A" + 10 * "." + "\n" + 14 * (15 * "." + "\n")
WIDE, MIDDLE, PHONE = (1300, 900), (820, 1180), (360, 640)


def opened(browser: Any, server: Serving, size: tuple[int, int], **more: Any) -> Tab:
    """The page in a window of this size; a narrow one is a phone's."""
    is_phone = size[0] < 700
    window = {"viewport": {"width": size[0], "height": size[1]}, "has_touch": is_phone, "is_mobile": is_phone}
    return Tab(browser, server, **window, **more).open()


def place_of(tab: Tab, name: str) -> tuple[int, ...]:
    box = tab.page.locator(name).bounding_box()
    return tuple(round(box[side]) for side in ("x", "y", "width", "height"))


REACHED = """() => [...document.querySelectorAll("#board .cell")].filter((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2)?.closest("#board");
}).length"""
"""Cells of the board that nothing lies over."""


@pytest.mark.parametrize("size", [WIDE, MIDDLE, PHONE])
def test_board_and_tabs_never_move(browser: Any, server: Serving, size: tuple[int, int]) -> None:
    named = parse(make_puzzle(shape_of("8x10"), colours=8, seed=7))
    first = encode(draw_screenshot(named.board, named.puzzle, Style(), seed=3).screenshot.bgr)
    tab, boards, tabs = opened(browser, server, size), set(), set()
    tab.choose(picture_of(ONE_ORANGE)).hears("no partner")
    (x, y, width, height), panels = place_of(tab, "#verdict"), place_of(tab, "#panels")
    if size is PHONE:
        assert y + height <= place_of(tab, "#stage")[1]
    else:
        assert x + width <= panels[0], "the boards side by side, all words and tools below them"
        assert y >= sum(place_of(tab, "#stage")[1::2])
    for picture, cells in ((first, 80), (picture_of(LEVEL_5X5), 25)):
        tab.choose(picture, f"{cells}.png").answers("unique").look_at("Board")
        for name in TABS:
            tab.tab(name)
            if name == "Answer":
                tab.press("Next hint").page.locator("#why", has_text="one way").wait_for()
            tabs.add(place_of(tab, "#tabs"))
            if size is not PHONE or name in ("Answer", "Play"):
                boards.add(place_of(tab, "#board"))
            assert tab.page.locator(".main:visible").count() <= 1, name
            assert tab.page.evaluate(REACHED) == cells, name
        assert tab.cell("0,0").bounding_box()["width"] >= 16
    assert len(boards) == len(tabs) == 1
    tab.close()


def test_a_large_board_in_play_is_as_wide_as_a_phone_and_larger_on_demand(phone: Tab) -> None:
    phone.page.set_viewport_size({"width": 390, "height": 664})
    phone.page.click("#blank")
    phone.tab("Make").type(LARGE)
    phone.has_cells(225).tab("Play")
    width = phone.cell("0,0").bounding_box()["width"]
    assert 15 * width > 340  # of 390
    panels_height = place_of(phone, "#panels")[3]
    assert panels_height < 80
    phone.press("Zoom")
    assert phone.cell("0,0").bounding_box()["width"] > 1.9 * width  # about twice
    touch(phone, [middle(phone, f"0,{n}") for n in range(5)])
    phone.hears("Flows 1/1 · 1 %")
    assert phone.page.locator("#flows circle:not([fill=none])").count() == 1
    pane = phone.page.locator("#board-pane").bounding_box()
    (x, y), bottom = middle(phone, "0,0"), pane["y"] + pane["height"] - 5
    touch(
        phone,
        [
            (x, y),
            *((x, y + (bottom - y) * n / 10) for n in range(1, 11)),
            *((x + n % 2, bottom) for n in range(12)),  # held at the lower end, where the board scrolls
        ],
    )
    phone.holds("() => document.querySelector('#board-pane').scrollTop > 50")


def test_what_to_do_is_whole_on_a_small_phone(browser: Any, server: Serving) -> None:
    tab = opened(browser, server, PHONE).choose(picture_of(ONE_ORANGE)).hears("no partner")
    todo, card = (tab.page.locator(name).bounding_box() for name in ("#more", "#verdict"))
    assert card["y"] <= todo["y"] <= todo["y"] + todo["height"] <= card["y"] + card["height"]
    assert "Tap where" in tab.page.inner_text("#more")
    tab.close()


def test_commands_of_make_stay_in_sight_beside_a_long_text(phone: Tab) -> None:
    phone.page.set_viewport_size({"width": 390, "height": 664})
    phone.page.click("#blank")
    phone.tab("Make").type(LARGE)
    phone.has_cells(225).page.locator("textarea").evaluate("one => one.scrollIntoView({block: 'end'})")
    phone.page.get_by_role("button", name="Use this board").click(trial=True)


def test_a_picture_is_seen_while_a_cell_is_held(phone: Tab) -> None:
    phone.choose(picture_of(LEVEL_5X5)).answers("unique").tab("Play")
    (x, y), picture = middle(phone, "1,1"), phone.page.locator("#picture-pane")
    assert picture.is_hidden()
    phone.devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    picture.wait_for()
    phone.devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    picture.wait_for(state="hidden")
    assert phone.lines() == 0


def test_the_reason_of_a_hint_and_a_search_are_in_sight_on_a_phone(phone: Tab) -> None:
    phone.choose(picture_of(LEVEL_5X5)).answers("unique")
    for names, words, part in (
        (["Next hint"], "one way", "#overlay"),
        (["Show solution", "More", "Watch the solver"], "Solved", "[type=range]"),
    ):
        for name in names:
            phone.press(name)
        phone.page.locator("#why", has_text=words).wait_for()
        why, verdict = (phone.page.locator(name).bounding_box() for name in ("#why", "#verdict"))
        assert why["y"] >= verdict["y"]
        assert why["y"] + why["height"] <= verdict["y"] + verdict["height"]
        phone.page.locator(part).click(trial=True)


def test_all_of_a_crop_is_within_reach(phone: Tab) -> None:
    phone.choose(picture_of(LEVEL_5X5)).tab("Correct").press("Outline")
    handles = phone.page.locator("#overlay circle[role=button]")
    boxes = [part.bounding_box() for part in handles.all()]
    panels = phone.page.locator("#panels").bounding_box()
    assert len(boxes) == 4
    assert all(box["y"] >= 0 and box["y"] + box["height"] <= panels["y"] for box in boxes)
    assert min(min(box["width"], box["height"]) for box in boxes[:4]) >= 40
    handle, view = boxes[2], phone.page.locator("#overlay")
    before = view.get_attribute("viewBox")
    phone.page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    phone.page.mouse.down()
    phone.page.mouse.move(handle["x"], handle["y"] - 40, steps=4)
    assert view.get_attribute("viewBox") == before
    phone.page.mouse.up()
    assert view.get_attribute("viewBox") != before
    phone.press("Cancel")
    assert handles.first.is_hidden()


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_text_twice_as_large_cuts_nothing_off(browser: Any, server: Serving, size: tuple[int, int]) -> None:
    tab = opened(browser, server, size).choose(picture_of(ONE_ORANGE)).hears("no partner")
    tab.page.evaluate("document.documentElement.style.fontSize = '32px'")
    words = tab.page.locator("#words").bounding_box()
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert words["x"] + words["width"] <= size[0]
    tab.tab("Answer").page.locator("#panel-Answer").scroll_into_view_if_needed()
    tab.close()


def test_forced_colours_show_what_is_chosen(browser: Any, server: Serving) -> None:
    tab = opened(browser, server, WIDE, forced_colors="active", reduced_motion="reduce")
    tab.choose(picture_of(LEVEL_5X5)).tab("Correct")
    for name in ("#tabs button", ".tools button", "#views .segments button"):
        backs = tab.page.locator(name).evaluate_all(
            "all => all.map(one => getComputedStyle(one).backgroundColor)"
        )
        assert len(set(backs)) == 2, name
    tab.tab("Answer").press_more("Watch the solver").page.get_by_text("Step 0 of 21").wait_for()
    tab.close()


@needs_axe
@pytest.mark.parametrize(("scheme", "size"), [("light", WIDE), ("dark", PHONE)])
def test_every_screen_is_accessible(browser, server, scheme, size):
    tab = opened(browser, server, size, color_scheme=scheme, bypass_csp=True)
    seen = {"start": axe_faults(tab.page)}
    tab.choose(picture_of(LEVEL_5X5)).answers("unique")
    for name in TABS:
        seen[name] = axe_faults(tab.tab(name).page)
    tab.tab("Answer").press_more("Watch the solver").page.locator("#score", has_text="Step").wait_for()
    seen["search"] = axe_faults(tab.page)
    if tab.page.locator("#unfold").is_visible():
        tab.page.click("#unfold")
    tab.press("How it was read").page.wait_for_selector("#stages .story figure:nth-child(4)")
    seen["stages"] = axe_faults(tab.page)
    tab.page.keyboard.press("Escape")
    tab.choose(picture_of(UNSOLVABLE)).answers("unsolvable").press("Outline")
    seen["refused, outline"] = axe_faults(tab.page)
    tab.page.set_input_files("#file", [file_of(data, "a.png") for data in (picture_of(LEVEL_5X5), b"none")])
    tab.page.locator("#several", has_text="1 not read").wait_for()
    seen["several"] = axe_faults(tab.page)
    tab.page.locator("#keys").click()
    seen["keys"] = axe_faults(tab.page)
    tab.page.route("**/api/**", lambda route: route.abort())
    tab.page.reload()
    tab.page.locator("#notice", has_text="has stopped").wait_for()
    seen["lost"] = axe_faults(tab.page)
    tab.context.close()
    assert {screen: found for screen, found in seen.items() if found} == {}


STOP = """() => {
  const { activeElement: at } = document;
  const name = at.ariaLabel || at.textContent.trim() || at.title || at.labels[0].textContent;
  return [at.tagName.toLowerCase(), name];
}"""
"""The element that has the focus: tag and name."""


def test_every_stop_of_the_tab_key_is_of_use(tab: Tab) -> None:
    tab.choose(picture_of(LEVEL_5X5)).answers("unique").look_at("Board").page.locator("#home").focus()
    stops = []
    while (stop := tab.page.evaluate(STOP))[0] != "body":
        stops.append(stop)
        tab.page.keyboard.press("Tab")
    assert len(stops) > 12
    assert [stop for stop in stops if stop[0] == "svg" or not stop[1]] == []
    assert len([stop for stop in stops if stop[0] == "path"]) == 1
    tab.cell("0,0").focus()
    tab.page.keyboard.press("ArrowRight")
    assert tab.page.evaluate(STOP) == ["path", "row 1, column 2, path green"]
    row = tab.page.locator("#board [role=row]").nth(2)
    assert (row.get_attribute("aria-label"), row.get_attribute("aria-rowindex")) == ("row 3", "3")
    tab.page.locator("#tab-Answer").focus()
    tab.page.keyboard.press("ArrowRight")
    assert tab.page.evaluate("document.activeElement.id") == "tab-Correct"
