"""Rows and columns: how they are numbered, and how missing, cut or miscounted ones are put right."""

from __future__ import annotations

import cv2
import numpy as np

from flowvision.image.codec import encode
from flowvision.puzzle.text import parse
from tests.diagnosis.refused import without_column
from tests.drawing import COLOURS, FIVE, screenshot_of
from tests.web.chromium import Tab, needs_chromium, picture_of
from tests.web.covered import NO_ORANGE
from tests.web.verdicts import AMBER, kind, refuse_what_was_read

pytestmark = needs_chromium

SEVEN = "R.G.Y.P\n..B.O..\n......C\n.G.Y...\n.RBO..P\nM.....C\n....M..\n"


def test_rows_and_columns_are_numbered(tab: Tab) -> None:
    """As messages count them."""
    tab.choose(picture_of(NO_ORANGE)).hears("no partner")
    assert sorted(tab.page.locator("#board .numbers text").all_text_contents()) == sorted("1234512345")
    box = tab.cell("0,2").bounding_box()
    three = tab.page.locator("#board .numbers text", has_text="3").first.bounding_box()
    assert abs(three["x"] + three["width"] / 2 - box["x"] - box["width"] / 2) < 2
    assert three["y"] + three["height"] <= box["y"] + 4


def test_rows_and_columns_are_numbered_on_the_picture_while_it_is_put_right(phone: Tab) -> None:
    """Outside of the board; nowhere else."""
    phone.choose(picture_of(NO_ORANGE)).hears("no partner").look_at("Picture")
    numbers = phone.page.locator("#overlay .numbers text")
    assert sorted(numbers.all_text_contents()) == sorted("1234512345")
    assert numbers.first.evaluate("one => getComputedStyle(one).visibility") == "visible"
    board = phone.page.locator("#overlay .rim").first.bounding_box()
    assert all(
        (box := one.bounding_box())["y"] + box["height"] / 2 < board["y"]
        or box["x"] + box["width"] / 2 < board["x"]
        for one in numbers.all()
    )
    phone.tab("Files")
    assert numbers.first.evaluate("one => getComputedStyle(one).visibility") == "hidden"


def test_a_board_without_lines_is_read_with_help(tab: Tab) -> None:
    """Refused as it is; its rows, columns and corners are enough."""
    bgr = np.zeros((700, 420, 3), np.uint8)
    for r, row in enumerate(FIVE.split()):
        for c, letter in enumerate(row):
            if letter in COLOURS:
                middle = (90 + 60 * c, 90 + 60 * r)
                cv2.circle(bgr, middle, 21, COLOURS[letter][::-1], -1, cv2.LINE_AA)
    tab.choose(encode(bgr)).hears("No board")
    for name in ("Fewer rows", "Fewer rows", "Fewer columns", "Fewer columns"):
        tab.press(name)
    scale = tab.page.locator("#overlay").evaluate("one => one.getScreenCTM().a")
    corner = tab.page.get_by_role("button", name="Crop: top left corner").bounding_box()
    x, y = corner["x"] + corner["width"] / 2, corner["y"] + corner["height"] / 2
    tab.page.mouse.move(x, y)
    tab.page.mouse.down()
    # From 0,140, the middle of the picture, to 60,60; the handle lies outside of the corner.
    tab.page.mouse.move(x + 60 * scale, y - 80 * scale, steps=5)
    tab.page.mouse.up()
    tab.page.get_by_role("button", name="Crop: bottom right corner").focus()
    for way, steps in (("ArrowLeft", 15), ("ArrowUp", 50)):
        for _ in range(steps):
            tab.page.keyboard.press(way)
    tab.press("Read this part")
    tab.hears("exactly one solution")
    assert parse(tab.text()).puzzle == parse(FIVE).puzzle


def test_a_wrong_size_is_put_right_by_one_touch(tab: Tab) -> None:
    """The heading has what the lines show, and a button reads it so."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab("Correct").press("More columns").press("Read again")
    tab.hears("The lines show 5 × 5 cells, not 6 × 5.")
    tab.press("Read it as 5 × 5").hears("exactly one solution").page.locator("#verdict.good").wait_for()


def test_a_row_less_on_one_side_keeps_all_else_as_it_was_read(tab: Tab) -> None:
    """It is not read again: what was seen of the other rows is not lost."""
    tab.page.route("**/api/solve*", refuse_what_was_read)
    tab.choose(picture_of(FIVE)).hears("The reader did not trust this")
    tab.page.get_by_text("A row or column more or less").click()
    tab.page.get_by_label("One less at the bottom").click()
    tab.hears("has 1 dot")
    assert tab.text() == "R.G.Y\n..B.O\n.....\n.G.Y.\n"


def test_a_row_more_is_added_where_the_picture_cuts_the_board(tab: Tab) -> None:
    """The dots that were read stay in their cells: nothing is squeezed into the rows that are seen."""
    tab.choose(encode(screenshot_of(FIVE)[:388])).hears("cut off at the bottom")
    before = tab.text().splitlines()
    assert before[:4] == FIVE.splitlines()[:4]
    tab.tab("Correct").press("Add a row at the bottom")
    tab.page.locator("#board [role=row]").nth(4).wait_for()
    tab.page.wait_for_selector("body:not(.busy)")
    assert tab.text().splitlines()[:4] == before[:4]


def test_the_missing_row_is_one_button(tab: Tab) -> None:
    """Under the verdict, as long as the board is as it was read."""
    tab.choose(encode(screenshot_of(FIVE)[:388])).hears("cut off at the bottom")
    tab.press("Add a row at the bottom")
    tab.page.locator("#board [role=row]").nth(4).wait_for()


def test_a_board_that_may_lack_a_column_is_not_mended_by_a_dot(tab: Tab) -> None:
    """It lacks one at a side, and a dot that is moved would give it exactly one solution."""
    tab.choose(encode(without_column("right"))).hears("cut off at the right")
    tab.page.wait_for_selector("body:not(.busy)")
    assert tab.page.locator("#repairs button").count() == 0
    tab.tab("Correct").press("Add a column at the right").hears("exactly one solution")
    tab.hears("The picture ends before the border of the board").hears(AMBER)
    assert kind(tab) == "warn"


def test_a_column_on_the_wrong_side_makes_no_answer(tab: Tab) -> None:
    """Neither is it right, nor is a dot moved."""
    tab.choose(encode(without_column("right"))).hears("cut off at the right")
    tab.page.get_by_text("A row or column more or less").click()
    tab.page.get_by_label("One more at the left").click()
    tab.has_cells(25).is_read()
    assert tab.page.locator("#repairs button").count() == 0
    assert tab.page.get_by_role("button", name="It is right").count() == 0


def test_what_was_taken_for_a_row_is_taken_away(tab: Tab) -> None:
    """A line of text read as a row is no reason to add another one; what else was read stays."""
    tab.choose(encode(screenshot_of(FIVE)[:388])).hears("cut off at the bottom")
    before = tab.text().splitlines()
    tab.tab("Correct").press("The row at the bottom is not part of the board")
    tab.has_cells(5 * (len(before) - 1))
    assert tab.text().splitlines() == before[:-1]


def loupe_shows(tab: Tab, x: int, y: int) -> bool:
    """Whether a pixel of the picture lies in the excerpt beside the verdict."""
    x0, y0, width, height = map(float, tab.page.locator("#loupe").get_attribute("viewBox").split())
    return x0 <= x <= x0 + width and y0 <= y <= y0 + height


def test_the_edge_that_cuts_a_board_is_shown_and_named(tab: Tab) -> None:
    """With what is cut; the dots that lack their partners are its consequence, and are not ringed."""
    tab.choose(encode(screenshot_of(FIVE)[:388])).hears("the picture ends inside row 5")
    tab.hears("“Add a row at the bottom” puts it on the board.")
    assert loupe_shows(tab, 40, 386)
    assert not loupe_shows(tab, 40, 170)
    assert tab.page.locator("#board .rings circle").count() == 0
    tab.press("Add a row at the bottom").hears("Tap in the dots of row 5 that are missing.")
    assert loupe_shows(tab, 40, 386)
    assert tab.page.get_by_role("button", name="Add a row").count() == 0


def test_a_row_that_is_cut_and_was_seen_is_not_added_again(tab: Tab) -> None:
    """It is on the board; a column before the first is called so."""
    tab.choose(encode(screenshot_of(SEVEN)[:540])).hears("the picture ends inside row 7")
    tab.hears("Tap in the dots of row 7 that are missing. If none is, add one more row at the bottom, below.")
    assert tab.page.locator("#board [role=row]").count() == 7
    assert tab.page.get_by_role("button", name="Add a row").count() == 0
    tab.choose(encode(screenshot_of(SEVEN)[:, 60:])).hears("inside the column left of column 1")
    assert loupe_shows(tab, 2, 340)
    tab.press("Add a column at the left").hears("Tap in the dots of column 1 that are missing.")
