"""A board is corrected: dots that are moved, put and erased, their colours, and every tool."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from flowvision.image.codec import decode, encode
from flowvision.image.picture import Rgb
from flowvision.palette import colour_name
from flowvision.puzzle.text import parse
from tests.drawing import FIVE, screenshot_of
from tests.web.chromium import Tab, drag, kind, middle, needs_chromium, picture_of, refuse_with, touch
from tests.web.covered import NO_ORANGE, covered

pytestmark = needs_chromium

ONE_OFF = "R.G.Y\n..B.O\n.....\n.G.Y.\nR.BO.\n"
"""``FIVE`` with one dot read one cell off."""


def test_a_misread_dot_is_put_right_by_a_button_or_by_hand(tab: Tab) -> None:
    """The answer follows at once; undo, redo and the way back lead to what was."""
    tab.choose(picture_of(ONE_OFF)).hears("no solution")
    repair = "The dot read in row 5, column 1 may lie in row 5, column 2"
    tab.page.get_by_role("button", name=repair).click()
    tab.hears("exactly one solution")
    assert kind(tab) == "warn"  # a guess is compared
    tab.page.keyboard.press("Control+z")
    tab.hears("no solution")
    tab.page.keyboard.press("Control+y")
    tab.hears("exactly one solution")
    tab.press("Back to what was recognised").hears("no solution")
    drag(tab, [(4, 0), (4, 1)])
    tab.hears("exactly one solution").page.locator("#verdict.good").wait_for()
    assert parse(tab.text()).puzzle == parse(FIVE).puzzle


def test_every_tool_changes_the_board(tab: Tab) -> None:
    """Wall, hole, bridge, warp, and what erases them; each can be undone."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution").look_at("Board")
    for tool, place, line in (
        ("Hole", "2,2", "..#.."),
        ("Bridge", "2,2", "..+.."),
        ("Warp", "2,0", "warp 3,1/3,5"),
    ):
        tab.tab("Correct").press(tool)
        tab.tap(place)
        assert line in tab.text()
        tab.page.click("#undo")
        assert tab.text() == FIVE
    tab.tab("Correct").press("Wall")
    box = tab.cell("2,2").bounding_box()
    tab.page.mouse.click(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2)
    assert "wall 3,3/3,4" in tab.text()
    tab.page.click("#undo")
    tab.tab("Correct").press("Dot").tap("2,2", modifiers=["Shift"])
    assert "..#.." in tab.text()


def test_dots_have_the_colours_of_the_picture(tab: Tab) -> None:
    """Tapped in reading order where all were removed, each belongs to its own pair; ground is no dot."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution").look_at("Board").tab("Correct")
    tab.press("Remove all dots").hears("two dots of each colour").tap("2,2")
    tab.page.locator("#notice", has_text="no dot here").wait_for()
    for row, line in enumerate(FIVE.split()):
        for col in (n for n, letter in enumerate(line) if letter != "."):
            tab.tap(f"{row},{col}")
    tab.hears("exactly one solution").page.locator("#verdict.good").wait_for()
    assert parse(tab.text()).puzzle == parse(FIVE).puzzle


def test_a_chosen_colour_stays_until_the_next_picture(tab: Tab) -> None:
    """Not its number; one more colour is none of those that are seen, also in a compressed picture."""
    tab.choose(encode(screenshot_of(FIVE), ".jpg"), "a.jpg", "image/jpeg").hears("exactly one solution")
    tab.tab("Correct").look_at("Board").press("One more colour")
    chosen = tab.page.locator(".swatch[aria-pressed=true]")
    assert str(chosen.get_attribute("title")).split()[0] not in ("red", "green", "yellow", "blue", "orange")
    tab.page.locator(".swatch[title=yellow]").click()
    tab.tap("2,2").hears("yellow has 3 dots").press("Read again").page.wait_for_selector("body:not(.busy)")
    assert chosen.get_attribute("title") == "yellow"
    tab.choose(picture_of(FIVE)).tab("Correct")
    assert tab.page.get_by_role("button", name="As in the picture", pressed=True).count() == 1


def test_colours_have_names_of_their_own(tab: Tab) -> None:
    """The same on the page and the server; two of one name are told apart."""
    bgr = screenshot_of(FIVE)
    for row, col in ((0, 0), (4, 1)):
        cv2.circle(bgr, (42 + 60 * col, 170 + 60 * row), 22, (128, 128, 128), -1, cv2.LINE_AA)
    tab.choose(encode(bgr)).tab("Correct")
    for rgb in ((20, 26, 22), (166, 166, 166), (240, 240, 236), (0, 98, 46), (9, 25, 159), (254, 0, 0)):
        tab.page.get_by_label("Another colour", exact=True).fill(Rgb(*rgb).hex)
        chosen = str(tab.page.locator(".swatch[aria-pressed=true]").get_attribute("title"))
        assert chosen.rstrip(" 2") == colour_name(Rgb(*rgb))
    names = tab.page.locator(".swatch[title]").evaluate_all("all => all.map(one => one.title)")
    assert "grey" in names
    assert len(names) == len(set(names))


def test_rows_and_columns_are_numbered(phone: Tab) -> None:
    """As messages count them, beside the board and, while it is put right, on the picture."""
    phone.choose(picture_of(NO_ORANGE)).hears("no partner")
    for name in ("board", "overlay"):
        numbers = phone.page.locator(f"#{name} .numbers text")
        assert sorted(numbers.all_text_contents()) == sorted("1234512345")
    assert numbers.first.evaluate("one => getComputedStyle(one).visibility") == "visible"
    phone.tab("Answer")
    assert numbers.first.evaluate("one => getComputedStyle(one).visibility") == "hidden"


def test_sizes_change_the_board_and_read_nothing(tab: Tab) -> None:
    """The picture is read again by a button of its own, with the size that the board has."""
    asked: list[str] = []
    tab.page.on("request", lambda one: asked.append(one.url) if "/api/solve" in one.url else None)
    tab.choose(picture_of(NO_ORANGE)).hears("no partner").press("More rows").has_cells(30)
    assert tab.page.locator("#board .dots circle").count() == 9
    tab.press("Fewer rows").has_cells(25)
    assert tab.text() == NO_ORANGE
    tab.tab("Correct").press("On one side …").press("One less at the top").has_cells(20)
    assert tab.text() == NO_ORANGE.partition("\n")[2]
    assert len(asked) == 1
    tab.page.click("#undo")
    tab.tab("Correct").press("More columns").press("Read again").hears(
        "The lines show 5 × 5 cells, not 6 × 5."
    )
    assert "grid=6x5" in asked[1]
    tab.press("Read it as 5 × 5").hears("no partner").has_cells(25)


BOX = """one => {
  const { x, y, width, height } = one.getBBox();
  return { left: x, top: y, right: x + width, bottom: y + height, scale: one.getScreenCTM().a };
}"""


def move_corner(tab: Tab, name: str, x: float, y: float) -> None:
    """Drag a corner of the crop to a pixel of the picture."""
    box = tab.page.locator(".cropbox").evaluate(BOX)
    vertical, horizontal = name.split()
    handle = tab.page.get_by_role("button", name=f"Crop: {name} corner").bounding_box()
    start = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    tab.page.mouse.move(*start)
    tab.page.mouse.down()
    scale = box["scale"]
    tab.page.mouse.move(
        start[0] + (x - box[horizontal]) * scale, start[1] + (y - box[vertical]) * scale, steps=5
    )
    tab.page.mouse.up()


def test_a_board_without_lines_is_read_with_help(tab: Tab) -> None:
    """Refused as it is; its rows, columns and corners are enough."""
    bgr = screenshot_of(FIVE)
    bgr[np.all(bgr == (63, 109, 63), axis=2)] = 0
    tab.choose(encode(bgr)).hears("No board")
    for name in ("Fewer rows", "Fewer rows", "Fewer columns", "Fewer columns"):
        tab.press(name)
    move_corner(tab, "top left", 12, 140)
    move_corner(tab, "bottom right", 312, 440)
    tab.press("Read this part").hears("exactly one solution")
    assert parse(tab.text()).puzzle == parse(FIVE).puzzle


def test_walls_round_a_covered_cell_are_left_out(tab: Tab) -> None:
    """They may be the edges of what covers it: ringed, and taken away by one button."""
    walls = [[[3, 3], [4, 3]], [[4, 2], [4, 3]], [[4, 3], [4, 4]]]
    tab.page.route("**/api/solve*", lambda route: refuse_with(route, walls=walls))
    tab.choose(encode(covered(screenshot_of(FIVE), 4, 3))).hears("Something covers row 5, column 4")
    assert tab.page.locator("#board .rings path").count() == 3
    tab.tap("4,3").hears("No solution.")
    tab.press("Leave out the walls round row 5, column 4").hears("exactly one solution")
    assert tab.text() == FIVE


def test_a_finger_taps_drags_and_holds(phone: Tab) -> None:
    """It drags a dot however slowly; only one that stays makes a hole."""
    phone.choose(picture_of(FIVE)).hears("exactly one solution").tab("Correct")
    phone.cell("0,0").tap(force=True)
    phone.hears("red has 1 dot")
    phone.cell("0,0").tap(force=True)
    phone.hears("exactly one solution")
    touch(phone, [middle(phone, "0,0"), middle(phone, "0,1")])
    assert phone.text().startswith(".RG.Y")
    phone.page.click("#undo")
    phone.tab("Correct").page.clock.install(time=0)  # what the page's timers see, on a busy machine too
    phone.page.clock.pause_at(1000)
    x, y = middle(phone, "2,2")
    for off in (12, 0):
        for n in range(2):
            event = "touchMove" if n else "touchStart"
            phone.devtools.send(
                "Input.dispatchTouchEvent", {"type": event, "touchPoints": [{"x": x + off * n, "y": y}]}
            )
        phone.page.clock.run_for(900)
        phone.devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        assert ("hole" in phone.said("2,2")) == (off == 0)
    phone.page.clock.resume()


@pytest.mark.parametrize("name", ["Answer", "Make"])
def test_swipes_change_nothing_elsewhere(phone: Tab, name: str) -> None:
    """From a dot and from an empty cell."""
    phone.choose(picture_of(FIVE)).hears("exactly one solution").tab(name)
    for place in ("0,0", "2,2"):
        x, y = middle(phone, place)
        for dx, dy in ((0, -90), (90, 0), (60, 60)):
            touch(phone, [(x + dx * n / 6, y + dy * n / 6) for n in range(7)])
    assert phone.text() == FIVE
    assert phone.page.locator("#undo").is_disabled()


def test_the_saved_picture_has_what_was_tapped_in(tab: Tab) -> None:
    """A refused picture is solved after one tap."""
    tab.choose(picture_of(FIVE.replace(".RBO.", ".RB.."))).hears("no partner")
    tab.tap("4,3").hears("exactly one solution").tab("Answer")
    with tab.page.expect_download() as download:
        tab.press("Save")
    assert decode(download.value.path().read_bytes()).bgr.shape == (580, 324, 3)
