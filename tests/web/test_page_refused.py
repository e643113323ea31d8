"""When the reader refuses, the page never ends on green over a board that nobody has looked at."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from flowvision.image.codec import encode
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from tests.boards import rhombi
from tests.commands import NIGHTLY
from tests.diagnosis.refused import without_column
from tests.drawing import FIVE, NONE, screenshot_of
from tests.tools.refused_pictures import two_boards
from tests.tools.synthetic import Style, draw_screenshot
from tests.web.chromium import (
    AMBER,
    Tab,
    drag,
    file_of,
    kind,
    needs_chromium,
    paths_of,
    picture_of,
    refuse_what_was_read,
)
from tests.web.covered import NO_ORANGE, covered, covered_boards, pairs_of

pytestmark = needs_chromium

EACH = 8 if NIGHTLY else 1
"""Boards of every size."""
MIRRORED = "\n".join(row[::-1] for row in FIVE.split()) + "\n"
SEVEN = "R.G.Y.P\n..B.O..\n......C\n.G.Y...\n.RBO..P\nM.....C\n....M..\n"


def shown_pairs(tab: Tab) -> set[frozenset[tuple[int, int]]] | None:
    """The pairs of dots on the board; ``None`` where it is no puzzle."""
    text = tab.text()
    tab.tab("Correct")
    try:
        return pairs_of(parse(text))
    except Exception:
        return None


def test_a_board_with_a_covered_dot_is_mended_and_never_green_unmended(tab: Tab) -> None:
    """Nearly all open with the right size; the missing dot, tapped in, leads to the right answer."""
    boards = list(covered_boards(EACH))
    sized = right = 0
    for n, board in enumerate(boards):
        tab.choose(board.png, f"{n}.png")
        assert kind(tab) != "good" or shown_pairs(tab) == board.pairs
        sized += tab.page.locator("#board .cell").count() == len(parse(board.text).board.layout.cells)
        place = f"{board.place[0]},{board.place[1]}"
        if kind(tab) != "good" and tab.cell(place).count() and "dot" not in tab.said(place):
            tab.tab("Correct").tap(place)
        right += shown_pairs(tab) == board.pairs
        tab.page.click("#home")
    print(f"{len(boards)} boards: {sized} of the right size, {right} right after one dot")
    assert sized >= len(boards) * 50 // 56
    assert right >= len(boards) * 45 // 56


def refused(tab: Tab) -> Tab:
    """A board that the reader does not trust."""
    tab.page.route("**/api/solve*", refuse_what_was_read)
    return tab.choose(picture_of(FIVE), "five.png").hears(AMBER)


def guessed(tab: Tab) -> Tab:
    """A board with a dot that a button has put."""
    tab.choose(encode(covered(screenshot_of(FIVE), 4, 3)), "five.png").hears(
        "Something covers row 5, column 4"
    )
    ring = tab.page.locator("#board .rings circle")
    assert (ring.count(), ring.get_attribute("cx"), ring.get_attribute("cy")) == (1, "350", "450")
    return tab.press("Put orange in row 5, column 4").hears(AMBER)


def reloaded_twice(tab: Tab) -> None:
    """What was kept is kept again."""
    tab.reload().hears(AMBER).reload()


def undone_and_redone(tab: Tab) -> None:
    """A wall and back, and forth, and back."""
    tab.tab("Correct").press("Wall").tap("0,0", position={"x": 2, "y": 20})
    tab.page.click("#undo")
    tab.page.click("#redo")
    tab.page.click("#undo")


def put_and_erased(tab: Tab) -> None:
    """A dot, which is then as it was."""
    tab.tab("Correct").press("Erase").tap("0,0").hears("has 1 dot").press("Dot")
    tab.page.locator(".swatch[title=red]").click()
    tab.tap("0,0")


def left_for_another_picture(tab: Tab) -> None:
    """And come back to by its thumbnail."""
    tab.page.click("#home")
    tab.page.click("#undo")
    tab.hears(AMBER).choose(picture_of(MIRRORED), "other.png")
    tab.page.get_by_role("button", name="five.png: to compare").click()


def saved_and_opened(tab: Tab) -> None:
    """As JSON, which tells what the reader said."""
    tab.tab("Answer").page.get_by_label("Form of the file").select_option("json")
    with tab.page.expect_download() as download:
        tab.press("Save this form")
    tab.page.click("#home")
    tab.page.set_input_files(
        "#file", file_of(download.value.path().read_bytes(), "a.json", "application/json")
    )
    tab.page.get_by_role("button", name="Puzzle of 5 × 5: to compare").wait_for()


def solved_by_hand(tab: Tab) -> None:
    """In play, and in no tab it is green."""
    tab.tab("Play")
    for path in paths_of(FIVE):
        drag(tab, path)
    tab.hears("Solved as it stands here")
    for name in ("Answer", "Correct", "Play", "Make"):
        tab.tab(name)
        assert kind(tab) == "warn", name


WAYS_BACK = [
    (refused, reloaded_twice),
    (refused, put_and_erased),
    (refused, saved_and_opened),
    (refused, solved_by_hand),
    (guessed, undone_and_redone),
    (guessed, left_for_another_picture),
]


@pytest.mark.parametrize(("begin", "comes_back"), WAYS_BACK)
def test_a_board_that_was_not_trusted_comes_back_so(tab: Tab, begin: Any, comes_back: Any) -> None:
    """However it was left: it is still to be compared; confirmed it is green, and nothing is ringed."""
    begin(tab)
    comes_back(tab)
    tab.hears(AMBER).tab("Answer")
    assert kind(tab) == "warn"
    assert tab.page.get_by_role("button", name="Save", exact=True).count() == 0
    tab.tab("Correct").press("It is right").page.locator("#verdict.good").wait_for()
    assert tab.page.locator("#board .rings circle").count() == 0
    tab.reload().hears("exactly one solution").page.locator("#verdict.good").wait_for()


def test_an_answer_with_a_doubt_is_compared(tab: Tab) -> None:
    """It may be a part; confirmed it is green, and undone amber again."""
    why = "The picture ends before the border of the board (bottom)"
    tab.choose(encode(screenshot_of(FIVE)[:422])).hears(why).hears(AMBER)
    assert kind(tab) == "warn"
    tab.press("It is right").hears("Solved: exactly one solution").hears(why)
    tab.page.click("#undo")
    tab.hears(AMBER)


def test_nothing_is_drawn_while_the_verdict_is_red(tab: Tab) -> None:
    """Nothing can be said to be right then; picture and board are compared, the lone dot is ringed."""
    tab.choose(picture_of(NO_ORANGE)).hears("no partner")
    assert kind(tab) == "bad"
    assert tab.lines("#work") == 0
    assert tab.page.locator("#board .dots circle").count() == 9
    assert tab.said("1,4").endswith("doubtful")
    assert tab.page.locator("#overlay").is_visible()
    assert tab.page.locator("#board").is_visible()
    tab.choose(picture_of(NONE)).hears("no solution")
    assert tab.page.get_by_role("button", name="It is right").count() == 0


def test_cells_of_any_shape_are_tapped_and_get_rows_and_columns(tab: Tab) -> None:
    """Their dots stay where they are on the picture; undo leads back."""
    board = rhombi(6, 3)
    puzzle, solution = random_puzzle(board, 1, 8)
    tab.page.route("**/api/solve*", refuse_what_was_read)
    tab.choose(encode(draw_screenshot(board, puzzle, Style(), 1, solution).screenshot.bgr)).hears(AMBER)
    dot = str(tab.page.locator("#board .held").first.get_attribute("data-key"))
    tab.tap(dot).hears("has 1 dot").tap(dot).hears("exactly one solution")
    tab.page.get_by_role("spinbutton", name="Rows", exact=True).fill("6")
    tab.page.keyboard.press("Enter")
    tab.has_cells(36)
    assert tab.page.locator("#board .dots circle").count() > 2
    tab.page.click("#undo")
    tab.has_cells(len(board.layout.cells))


ON_SCREEN = """([x, y]) => {
  const there = new DOMPoint(x, y).matrixTransform(document.querySelector("#overlay").getScreenCTM());
  return [there.x, there.y];
}"""
"""Where a pixel of the picture is on the screen."""


def test_a_dot_that_is_covered_in_part_takes_the_colour_that_was_touched(tab: Tab) -> None:
    """On the picture, where a person sees it; in the middle of the cell there is the finger."""
    bgr = screenshot_of(FIVE)
    for row, col in ((1, 4), (4, 3)):
        cv2.ellipse(bgr, (51 + 60 * col, 170 + 60 * row), (18, 27), 0, 0, 360, (120, 150, 210), -1)
    tab.choose(encode(bgr)).tab("Correct")
    for row, col in ((1, 4), (4, 3)):
        if "dot" in tab.said(f"{row},{col}"):
            tab.press("Erase").tap(f"{row},{col}").press("Dot").press("As in the picture")
        tab.page.mouse.click(*tab.page.evaluate(ON_SCREEN, [24 + 60 * col, 170 + 60 * row]))
    assert "orange" in tab.said("1,4")
    assert shown_pairs(tab) == pairs_of(parse(FIVE))


def test_of_two_boards_one_is_chosen(tab: Tab) -> None:
    """By one touch: each is read from its own part of the picture."""
    tab.choose(encode(np.hstack([screenshot_of(FIVE), screenshot_of(MIRRORED)]))).hears(
        "exactly one solution"
    )
    first = shown_pairs(tab)
    tab.tab("Answer").press("Read the other board").hears("exactly one solution")
    both = sorted([pairs_of(parse(FIVE)), pairs_of(parse(MIRRORED))], key=str)
    assert sorted([first, shown_pairs(tab)], key=str) == both
    tab.choose(encode(two_boards())).hears("Two boards")
    tab.press("Read the lower board").hears("no partner").has_cells(49)


def loupe_shows(tab: Tab, x: int, y: int) -> bool:
    """Whether a pixel of the picture lies in the excerpt."""
    x0, y0, width, height = map(float, tab.page.locator("#loupe").get_attribute("viewBox").split())
    return x0 <= x <= x0 + width and y0 <= y <= y0 + height


def test_the_edge_that_cuts_a_board_is_shown_and_a_row_added_or_taken_away(tab: Tab) -> None:
    """What was read of the other rows stays either way."""
    tab.choose(encode(screenshot_of(FIVE)[:388])).hears("the picture ends inside row 5")
    assert loupe_shows(tab, 40, 386)
    assert not loupe_shows(tab, 40, 170)
    assert tab.page.locator("#board .rings circle").count() == 0
    before = tab.text()
    tab.tab("Correct").press("The row at the bottom is not part of the board").has_cells(15)
    assert tab.text() == "".join(before.splitlines(keepends=True)[:-1])
    tab.page.click("#undo")
    tab.tab("Correct").press("Add a row at the bottom").hears("Tap in the dots of row 5 that are missing.")
    assert tab.text().splitlines()[:4] == FIVE.splitlines()[:4]
    assert tab.page.get_by_role("button", name="Add a row").count() == 0


def test_a_cut_row_that_was_seen_is_not_added_again(tab: Tab) -> None:
    """It is on the board; a column before the first is called so."""
    tab.choose(encode(screenshot_of(SEVEN)[:540])).hears("the picture ends inside row 7").has_cells(49)
    assert tab.page.get_by_role("button", name="Add a row").count() == 0
    tab.choose(encode(screenshot_of(SEVEN)[:, 60:])).hears("inside the column left of column 1")
    tab.press("Add a column at the left").hears("Tap in the dots of column 1 that are missing.")


def test_a_board_that_may_lack_a_column_is_not_mended_by_a_dot(tab: Tab) -> None:
    """A dot that is moved would give it exactly one solution; the column makes it right, to be compared."""
    tab.choose(encode(without_column("right"))).hears("cut off at the right")
    assert tab.page.locator("#repairs button").count() == 0
    tab.press("Add a column at the right").hears("exactly one solution").hears(AMBER)
    assert kind(tab) == "warn"
