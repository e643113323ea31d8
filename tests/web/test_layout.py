"""What is in sight together, how large it is and where it stays, on a phone and on a large screen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from flowvision.image.codec import encode
from flowvision.puzzle.text import parse
from flowvision.puzzle_tools.generator import shape_of
from tests.drawing import FIVE, screenshot_of
from tests.solvers.random_puzzles import make_puzzle
from tests.tools.synthetic import Style, draw_screenshot
from tests.web.chromium import Tab, needs_chromium, picture_of
from tests.web.covered import NO_ORANGE, covered

pytestmark = needs_chromium


def test_the_first_screen_of_a_phone_has_all_that_is_needed(phone: Tab) -> None:
    """What it is for, ways in, samples: nothing has to be scrolled to."""
    phone.page.locator("#samples button").nth(2).wait_for()
    assert phone.page.evaluate("document.documentElement.scrollHeight") <= 844


def test_no_keys_are_told_to_a_finger(phone: Tab) -> None:
    """Nor what can be dropped."""
    said = phone.page.inner_text("#start")
    assert "Ctrl" not in said
    assert "Drop" not in said


def test_tools_and_hints_are_in_sight_on_a_phone(phone: Tab) -> None:
    """When their tab is tapped; the verdict stays in sight, in a quarter of the screen at most."""
    phone.choose(picture_of(NO_ORANGE))
    bar = phone.page.locator("#tabs").bounding_box()["y"]
    for name, part in (("Correct", "fieldset"), ("Learn", "#hint"), ("Play", ".large")):
        phone.page.evaluate("scrollTo(0, 0)")
        phone.tab(name)
        box = phone.page.locator(f"#panel-{name} {part}").bounding_box()
        assert box["y"] + box["height"] <= bar, name
        phone.page.evaluate("scrollTo(0, 400)")
        verdict = phone.page.locator("#verdict").bounding_box()
        assert 0 <= verdict["y"] < 5
        assert verdict["height"] <= 844 / 4


def fifteen() -> bytes:
    """A board of 15 × 15 with 15 colours."""
    named = parse(make_puzzle(shape_of("15x15"), 15, 7, "text"))
    return encode(draw_screenshot(named.board, named.puzzle, Style(), 3).screenshot.bgr)


@pytest.mark.parametrize("cut", [False, True])
def test_tools_colours_and_the_whole_board_are_seen_together(phone: Tab, cut: bool) -> None:
    """On a phone, without scrolling, above the tabs: all of fifteen colours; of a cut board as well."""
    phone.choose(encode(screenshot_of(FIVE)[:, 60:]) if cut else fifteen()).tab("Correct").look_at("Board")
    phone.page.evaluate("scrollTo(0, 0)")
    bar = phone.page.locator("#tabs").bounding_box()["y"]
    tools = phone.page.locator("#panel-Correct fieldset").bounding_box()
    board = phone.page.locator("#board").bounding_box()
    verdict = phone.page.locator("#verdict").bounding_box()
    assert verdict["y"] + verdict["height"] <= board["y"]
    assert board["y"] + board["height"] <= tools["y"]
    assert board["width"] >= 250
    colours = phone.page.locator("#panel-Correct .swatch[title]:not(input)").all()
    assert len(colours) == (5 if cut else 15)
    for one in colours:
        box = one.bounding_box()
        assert tools["y"] <= box["y"]
        assert box["y"] + box["height"] <= bar
        assert 0 <= box["x"] <= 390 - box["width"]


def test_the_verdict_is_as_high_as_its_words(phone: Tab) -> None:
    """Also where they have become fewer; the board stays where it is under a finger."""
    phone.choose(encode(covered(screenshot_of(FIVE), 4, 3))).hears("Something covers")
    board, verdict = phone.page.locator("#board"), phone.page.locator("#verdict")
    before, high = board.bounding_box()["y"], verdict.bounding_box()["height"]
    phone.press("Put orange in row 5, column 4").hears("A dot here is a guess")
    assert verdict.bounding_box()["height"] < high
    assert board.bounding_box()["y"] < before
    phone.press("Erase").page.locator("#more").wait_for()
    phone.cell("4,3").tap()
    phone.hears("Something covers")
    before = board.bounding_box()["y"]
    phone.press("Dot").cell("4,3").tap()
    phone.hears("exactly one solution")
    assert board.bounding_box()["y"] >= before
    words, more = (phone.page.locator(f"#{name}").bounding_box() for name in ("words", "more"))
    assert verdict.bounding_box()["height"] < more["y"] + more["height"] - words["y"] + 30


def test_nothing_moves_up_under_a_finger(tab: Tab) -> None:
    """Neither a shorter verdict nor a notice that comes and goes moves the picture."""
    tab.page.set_viewport_size({"width": 390, "height": 844})
    tab.choose(picture_of(NO_ORANGE))
    tab.tab("Correct").look_at("Picture")
    before = tab.page.locator("#overlay").bounding_box()["y"]
    tab.page.locator("#overlay").click(position={"x": 180, "y": 200})
    tab.page.wait_for_timeout(300)
    assert tab.page.locator("#overlay").bounding_box()["y"] >= before


def test_the_strip_shows_the_newest_picture(phone: Tab) -> None:
    """It scrolls there when there are more than fit."""
    wide = encode(np.pad(screenshot_of(FIVE), ((0, 0), (400, 400), (0, 0))))
    for number in range(5):
        phone.choose(wide, f"{number}.png")
    phone.holds("[...document.querySelectorAll('#visited img')].every((one) => one.complete)")
    box = phone.page.locator("#visited")
    assert box.evaluate("one => one.scrollWidth - one.clientWidth") > 0
    strip, last = box.bounding_box(), box.locator("button").last.bounding_box()
    assert last["x"] + last["width"] <= strip["x"] + strip["width"] + 1


def test_a_part_is_chosen_on_a_picture_as_wide_as_there_is_room(phone: Tab) -> None:
    """However small it is; what is seen follows the box when a finger is lifted."""
    small = cv2.resize(screenshot_of(FIVE), None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA)
    phone.choose(encode(small)).tab("Correct").look_at("Picture").press("Crop")
    box, view = phone.page.locator(".cropbox"), phone.page.locator("#overlay")
    width = box.bounding_box()["width"]
    assert width > 240
    handle = phone.page.get_by_role("button", name="Crop: bottom edge").bounding_box()
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    before = view.get_attribute("viewBox")
    phone.page.mouse.move(x, y)
    phone.page.mouse.down()
    phone.page.mouse.move(x, y - 100, steps=4)
    assert view.get_attribute("viewBox") == before
    phone.page.mouse.up()
    assert view.get_attribute("viewBox") != before
    phone.press("Whole picture")
    assert box.bounding_box()["width"] < width


def test_a_part_is_chosen_on_the_room_of_both(tab: Tab) -> None:
    """Beside the tools of a large screen the board makes room."""
    tab.choose(picture_of(NO_ORANGE)).hears("no partner")
    width = tab.page.locator("#overlay").bounding_box()["width"]
    tab.press("Crop")
    assert tab.page.locator("#overlay").bounding_box()["width"] > 2 * width
    tab.press("Cancel").page.locator("#board").wait_for()


def test_one_large_view_where_nothing_is_wrong(tab: Tab) -> None:
    """The solved picture at first; both where they are to be compared. Every form of file is listed."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    assert tab.page.locator("#picture-pane").is_visible()
    assert tab.page.locator("#board").is_hidden()
    assert tab.page.locator("#overlay").bounding_box()["width"] > 600
    tab.look_at("Board")
    assert tab.page.locator("#picture-pane").is_hidden()
    offered = tab.page.get_by_label("Form of the file").locator("option").all_inner_texts()
    assert {"JPEG", "Animated GIF", "JSON", "Puzzle as text", "Solution as text"} <= set(offered)
    tab.tab("Correct")
    assert tab.page.locator("#picture-pane").is_visible()
    assert tab.page.locator("#board").is_visible()
