"""A board is corrected: tools, dots that are moved, put and erased, and their colours."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from flowvision.image.codec import decode, encode
from flowvision.image.picture import Rgb
from flowvision.palette import colour_name
from flowvision.pipeline import solve_image
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from tests.drawing import COLOURS, FIVE, SEVERAL, screenshot_of
from tests.made_boards import rhombi
from tests.tools.synthetic import Style, draw_screenshot
from tests.web.chromium import Tab, needs_chromium, picture_of
from tests.web.covered import NO_ORANGE

pytestmark = needs_chromium

ONE_OFF = "R.G.Y\n..B.O\n.....\n.G.Y.\nR.BO.\n"
"""``FIVE`` with one dot read one cell off."""


def test_a_misread_dot_is_put_right(tab: Tab) -> None:
    """By the button that the solver offers; back and forth by undo and redo."""
    tab.choose(picture_of(ONE_OFF)).hears("no solution")
    tab.page.get_by_role("button", name="The dot read in row 5, column 1 may lie in row 5, column 2").click()
    tab.hears("exactly one solution")
    tab.page.keyboard.press("Control+z")
    tab.hears("no solution")
    tab.page.keyboard.press("Control+y")
    tab.hears("exactly one solution")
    assert parse(tab.text()).puzzle == parse(FIVE).puzzle


def test_a_dot_is_dragged_to_its_cell(tab: Tab) -> None:
    """The answer follows at once."""
    tab.choose(picture_of(ONE_OFF)).hears("no solution")
    tab.tab("Correct").cell("4,0").drag_to(tab.cell("4,1"), force=True)
    tab.hears("exactly one solution")
    assert "dot red" in tab.said("4,1")
    tab.tab("Correct").press("Back to what was recognised")
    tab.hears("no solution")


def test_every_tool_changes_the_board(tab: Tab) -> None:
    """Wall, hole, bridge, warp, and what erases them; each can be undone."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
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
    tab.tab("Correct").press("Dot")
    tab.tap("2,2", modifiers=["Shift"])
    assert "..#.." in tab.text()


def test_a_refused_picture_can_be_tapped_in(tab: Tab) -> None:
    """The dot that is missing is asked for; one tap, and it is solved."""
    tab.choose(picture_of(FIVE.replace(".RBO.", ".RB..")))
    tab.hears("no partner")
    tab.tap("4,3").hears("exactly one solution")
    with tab.page.expect_download() as download:
        tab.press("Save")
    picture = decode(Path(download.value.path()).read_bytes()).bgr
    assert picture.shape == (580, 324, 3)
    assert tuple(picture[170, 42 + 60]) == COLOURS["G"][::-1]


def test_cells_of_any_shape_are_tapped_as_well(tab: Tab) -> None:
    """A dot on a star of rhombi is taken away and put back."""
    board = rhombi(6, 3)
    puzzle, solution = random_puzzle(board, 1, 8)
    shot = encode(draw_screenshot(board, puzzle, Style(), 1, solution).screenshot.bgr)
    answer = solve_image(shot)
    assert answer.reading.lattice is None
    assert answer.outcome.unique
    tab.choose(shot).hears("exactly one solution")
    dot = str(answer.reading.puzzle.terminals[0][0])
    tab.tab("Correct").tap(dot).hears("has 1 dot")
    assert "dot" not in tab.said(dot)
    tab.tap(dot).hears("exactly one solution")


def test_no_repair_changes_what_was_set_by_hand(tab: Tab) -> None:
    """A dot that a person put is no reader's guess: nobody read it anywhere."""
    tab.choose(picture_of(NO_ORANGE)).hears("no partner")
    tab.page.locator(".swatch[title=orange]").click()
    with tab.page.expect_response(
        lambda reply: "/api/puzzle" in reply.url and '"repair":true' in str(reply.request.post_data)
    ) as asked:
        tab.tap("4,4").hears("No solution")
    texts = [one["text"] for one in asked.value.json()["repairs"]]
    assert "The dot read in row 5, column 5 may lie in row 5, column 4." in texts
    tab.page.wait_for_timeout(100)
    assert "row 5, column 5" not in tab.page.locator("#repairs").inner_text()


def test_a_tap_where_there_is_only_ground_says_so(tab: Tab) -> None:
    """No black dot is made of it."""
    tab.choose(encode(screenshot_of(FIVE))).hears("exactly one solution")
    tab.tab("Correct").tap("2,2")
    tab.page.locator("#notice", has_text="no dot here").wait_for()
    assert tab.page.locator("#board .dots circle").count() == 10


def test_dots_take_the_colour_of_the_picture(tab: Tab) -> None:
    """A dot that was erased and tapped in again belongs to its pair again."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab("Correct").tap("0,0").hears("red has 1 dot")
    assert "dot" not in tab.said("0,0")
    tab.tap("0,0").hears("exactly one solution")
    assert "dot red" in tab.said("0,0")


def test_one_more_colour_is_none_of_those_that_are_seen(tab: Tab) -> None:
    """Compressed, they are not the game's to the last bit."""
    tab.choose(encode(screenshot_of(FIVE), ".jpg"), "a.jpg", "image/jpeg").hears("exactly one solution")
    tab.tab("Correct").press("One more colour")
    title = str(tab.page.locator(".palette [aria-pressed=true]").get_attribute("title"))
    assert title
    assert title.split(maxsplit=1)[0] not in ("red", "green", "yellow", "blue", "orange")


def test_a_chosen_colour_stays_that_colour(tab: Tab) -> None:
    """Not its number: another picture has another colour there, and begins with none chosen."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution").tab("Correct")
    chosen = tab.page.locator(".swatch[aria-pressed=true]")
    tab.page.locator(".swatch[title=yellow]").click()
    tab.tap("2,2").hears("yellow has 3 dots")
    with tab.page.expect_response("**/api/solve*"):
        tab.press("Read again")
    tab.page.wait_for_selector("body:not(.busy)")
    tab.hears("exactly one solution")
    assert chosen.get_attribute("title") == "yellow"
    tab.choose(picture_of(SEVERAL)).tab("Correct")
    assert chosen.count() == 0
    assert tab.page.get_by_role("button", name="Colour from the picture", pressed=True).count() == 1


def test_colours_of_one_name_are_told_apart(tab: Tab) -> None:
    """Plain grey is grey, and a second red has a number."""
    bgr = screenshot_of(FIVE)
    for row, col in ((0, 0), (4, 1)):
        cv2.circle(bgr, (42 + 60 * col, 170 + 60 * row), 22, (128, 128, 128), -1, cv2.LINE_AA)
    for row, col in ((0, 4), (3, 3)):
        cv2.circle(bgr, (42 + 60 * col, 170 + 60 * row), 22, (81, 138, 161), -1, cv2.LINE_AA)
    tab.choose(encode(bgr)).tab("Correct")
    names = tab.page.locator(".swatch[title]").evaluate_all("all => all.map(one => one.title)")
    assert {"grey", "tan"} <= set(names)
    tab.page.get_by_label("Another colour").fill("#fe0000")
    tab.page.get_by_label("Another colour").fill("#fa0505")
    names = tab.page.locator(".swatch[title]").evaluate_all("all => all.map(one => one.title)")
    assert len(names) == len(set(names))


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
