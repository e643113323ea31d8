"""When the reader refuses, the page never ends on green over a board that nobody has looked at."""

from __future__ import annotations

import os
from itertools import product
from typing import Any

import cv2
import numpy as np
import pytest

from flowvision.image.codec import encode
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from tests.drawing import FIVE, NONE, SEVERAL, screenshot_of
from tests.made_boards import rhombi
from tests.tools.refused_pictures import two_boards
from tests.tools.synthetic import Style, draw_screenshot
from tests.web.chromium import Tab, drag, needs_chromium, picture_of
from tests.web.covered import NO_ORANGE, Covered, covered, covered_boards, pairs_of
from tests.web.playing import paths_of
from tests.web.serving import Serving
from tests.web.verdicts import AMBER, kind, refuse_what_was_read

pytestmark = needs_chromium

EACH = int(os.environ.get("FLOWVISION_COVERED", "2"))
"""Boards of every size: 8 make the 56 of the full measurement."""

MIRRORED = "\n".join(row[::-1] for row in FIVE.split()) + "\n"


def shown_pairs(tab: Tab) -> set[frozenset[tuple[int, int]]] | None:
    """The pairs of dots on the board; ``None`` where it is no puzzle."""
    text = tab.text()
    tab.tab("Correct")
    try:
        return pairs_of(parse(text))
    except Exception:
        return None


def test_a_board_with_a_covered_dot_is_mended_and_never_green_unmended(browser: Any, server: Serving) -> None:
    """Nearly all open with the right size; the missing dot, tapped in, leads to the right answer."""
    boards = list(covered_boards(EACH))
    tabs = [Tab(browser, server).open() for _ in range(2)]
    green_wrong = sized = right = 0
    for tab, board in zip(tabs, boards, strict=False):  # two are read at a time
        tab.begin(board.png)
    for n, board in enumerate(boards):
        tab = tabs[n % 2]
        tab.page.wait_for_selector("#picture-pane:not([hidden])", state="attached")
        tab.is_read()
        green_wrong += kind(tab) == "good" and shown_pairs(tab) != board.pairs
        sized += tab.page.locator("#board [role=gridcell]").count() == len(
            parse(board.text).board.layout.cells
        )
        right += mended(tab, board)
        for following in boards[n + 2 : n + 3]:
            tab.page.click("#home")
            tab.begin(following.png)
    for tab in tabs:
        tab.context.close()
    print(
        f"{len(boards)} boards: {sized} of the right size, {right} right after one dot, "
        f"{green_wrong} wrong and green"
    )
    assert green_wrong == 0
    assert sized >= len(boards) * 50 // 56
    assert right >= len(boards) * 45 // 56


def mended(tab: Tab, board: Covered) -> bool:
    """Whether tapping the covered dot in leads to the right board."""
    if kind(tab) == "good":
        return shown_pairs(tab) == board.pairs
    place = f"{board.place[0]},{board.place[1]}"
    tab.tab("Correct")
    if tab.cell(place).count() and "dot" not in tab.said(place):
        tab.tap(place)
        tab.page.wait_for_timeout(200)
    return shown_pairs(tab) == board.pairs


def test_amber_until_somebody_has_looked(tab: Tab) -> None:
    """A board that the reader does not trust is not green by its having one solution; confirmed it is."""
    tab.page.route("**/api/solve*", refuse_what_was_read)
    tab.choose(picture_of(FIVE)).hears("The reader did not trust this")
    assert kind(tab) == "warn"
    tab.press("It is right").hears("Solved: there is exactly one solution")
    assert kind(tab) == "good"
    tab.page.keyboard.press("Control+z")
    tab.hears("The reader did not trust this")


@pytest.mark.parametrize(
    ("bgr", "why"),
    [
        (screenshot_of(FIVE)[:422], "The picture ends before the border of the board (bottom)"),
        (
            np.hstack([covered(screenshot_of(FIVE), 4, 3), screenshot_of(MIRRORED)]),
            "There is another board in the picture that could not be read.",
        ),
    ],
)
def test_an_answer_with_a_doubt_is_compared(tab: Tab, bgr: Any, why: str) -> None:
    """It may be a part, or not the board that is meant; confirmed it is green, also after a reload."""
    tab.choose(encode(bgr)).hears(why).hears(AMBER)
    assert kind(tab) == "warn"
    tab.press("It is right").hears("Solved: there is exactly one solution").hears(why)
    assert kind(tab) == "good"
    tab.page.click("#undo")
    tab.hears(AMBER).tab("Correct")
    reloaded(tab)
    tab.hears(why).hears(AMBER)
    assert kind(tab) == "warn"


def doubted(tab: Tab) -> Tab:
    """A board that the reader does not trust; every picture is doubted from now on."""
    tab.page.route("**/api/solve*", refuse_what_was_read)
    return tab.choose(picture_of(FIVE), "five.png").hears(AMBER)


def guessed(tab: Tab) -> Tab:
    """A board with a dot that a button has put."""
    tab.choose(encode(covered(screenshot_of(FIVE), 4, 3)), "five.png").hears(
        "Something covers row 5, column 4"
    )
    return tab.press("Put orange in row 5, column 4").hears(AMBER)


def reloaded(tab: Tab) -> None:
    """The board, not the picture."""
    tab.page.reload()
    tab.page.wait_for_selector("body[data-ready]")


def reloaded_twice(tab: Tab) -> None:
    """What was kept is kept again."""
    reloaded(tab)
    tab.hears(AMBER)
    reloaded(tab)


def reloaded_in_play(tab: Tab) -> None:
    """Its solution hidden."""
    tab.tab("Play")
    reloaded(tab)


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
    tab.choose(picture_of(MIRRORED), "other.png").hears("exactly one solution")
    tab.page.get_by_role("button", name="five.png: to compare").click()


def left_for_the_empty_page(tab: Tab) -> None:
    """And come back to by undo."""
    tab.page.click("#home")
    tab.page.click("#undo")


def left_for_every_tab(tab: Tab) -> None:
    """In none of them it is green."""
    for name in ("Files", "Learn", "Play", "Make", "Details", "Correct"):
        tab.tab(name)
        assert kind(tab) == "warn", name


def typed_on_without_a_change(tab: Tab) -> None:
    """Text that says the same."""
    tab.tab("Make")
    with tab.page.expect_response("**/api/puzzle*"):
        tab.page.locator("textarea").press_sequentially("\n")
    tab.page.wait_for_timeout(300)


def saved_and_opened(tab: Tab) -> None:
    """As JSON, which tells what the reader said."""
    tab.tab("Files").page.get_by_label("Form of the file").select_option("json")
    with tab.page.expect_download() as download:
        tab.page.locator("#panel-Files button").first.click()
    made = download.value.path().read_bytes()
    tab.page.click("#home")
    tab.page.set_input_files("#file", {"name": "a.json", "mimeType": "application/json", "buffer": made})
    tab.page.get_by_role("button", name="Puzzle of 5 × 5: to compare").wait_for()


def solved_by_hand(tab: Tab) -> None:
    """In play."""
    tab.tab("Play")
    for path in paths_of(FIVE):
        drag(tab, path)
    tab.hears("Solved as it stands here")


WAYS_BACK = [reloaded, reloaded_twice, reloaded_in_play, undone_and_redone, put_and_erased,
             left_for_another_picture, left_for_the_empty_page, left_for_every_tab, typed_on_without_a_change,
             saved_and_opened, solved_by_hand]  # fmt: skip


@pytest.mark.parametrize(
    ("begin", "comes_back"), [*product([doubted], WAYS_BACK), *product([guessed], WAYS_BACK[:6])]
)
def test_a_board_that_was_not_trusted_comes_back_so(tab: Tab, begin: Any, comes_back: Any) -> None:
    """However it was left: it is still to be compared, and green once somebody has."""
    begin(tab)
    comes_back(tab)
    tab.hears(AMBER)
    assert kind(tab) == "warn"
    save = tab.page.locator("#next").get_by_role("button", name="Save", exact=True)
    assert save.is_disabled()
    tab.press("It is right").tab("Correct").page.locator("#verdict.good").wait_for()
    reloaded(tab)
    tab.hears("exactly one solution").page.locator("#verdict.good").wait_for()


def repair_what_has_several(route: Any) -> None:
    """The answer of the server with a repair; what that makes has one solution."""
    made = route.fetch().json()
    changes = [{"flow": 0, "read": [0, 0], "meant": [0, 1]}]
    if made.get("unique") is False:
        made["repairs"] = [{"text": "The first dot may lie in row 1, column 2.", "changes": changes}]
    else:
        made |= {"status": "solved", "unique": True, "rules": "strict", "paths": []}
    route.fulfill(json=made)


def test_a_guess_on_a_board_that_was_trusted_is_compared(tab: Tab) -> None:
    """Nobody has seen what a button changes; it is so after a reload as well."""
    tab.page.route("**/api/puzzle*", repair_what_has_several)
    tab.choose(picture_of(SEVERAL)).press("The first dot may lie in row 1, column 2.")
    tab.hears("A dot here is a guess")
    assert kind(tab) == "warn"
    reloaded(tab)
    tab.hears("A dot here is a guess")
    assert kind(tab) == "warn"


def test_nothing_is_drawn_while_the_verdict_is_red(tab: Tab) -> None:
    """Neither over the picture nor on the board; the doubtful dots are ringed."""
    tab.choose(picture_of(NO_ORANGE)).hears("no partner")
    assert kind(tab) == "bad"
    assert tab.page.locator("#work .lines path").count() == 0
    assert tab.page.locator("#board .dots circle").count() == 9
    assert tab.page.locator("#repairs button").count() == 0


def test_other_rows_keep_the_dots_and_read_nothing(tab: Tab) -> None:
    """The picture is read again by a button of its own, with the size that the board has."""
    asked: list[str] = []
    tab.page.on("request", lambda request: asked.append(request.url) if "/api/solve" in request.url else None)
    tab.choose(picture_of(NO_ORANGE)).hears("no partner")
    tab.press("More rows").has_cells(30)
    assert tab.page.locator("#board .dots circle").count() == 9
    tab.press("Fewer rows").has_cells(25)
    assert tab.text() == NO_ORANGE
    assert len(asked) == 1
    tab.tab("Correct").press("Read again").hears("no partner").page.wait_for_selector("body:not(.busy)")
    assert "grid=5x5" in asked[1]


def test_a_refused_board_of_free_cells_gets_rows_and_columns(tab: Tab) -> None:
    """Its dots stay where they are on the picture; undo leads back."""
    board = rhombi(6, 3)
    puzzle, solution = random_puzzle(board, 1, 8)
    shot = encode(draw_screenshot(board, puzzle, Style(), 1, solution).screenshot.bgr)
    tab.page.route("**/api/solve*", refuse_what_was_read)
    tab.choose(shot).tab("Correct")
    tab.page.get_by_role("spinbutton", name="Rows", exact=True).fill("6")
    tab.page.keyboard.press("Enter")
    tab.page.locator("#board [role=row]").nth(5).wait_for(state="attached")
    assert tab.page.locator("#board .dots circle").count() > 2
    tab.page.click("#undo")
    tab.has_cells(len(board.layout.cells))


def test_a_red_verdict_offers_no_confirmation(tab: Tab) -> None:
    """Without a solution nothing can be said to be right."""
    tab.choose(picture_of(NONE))
    for place in ("0,0", "2,2"):
        tab.tab("Correct").tap(place).page.wait_for_timeout(300)
        red = kind(tab) == "bad"
        assert not red or tab.page.get_by_role("button", name="It is right").count() == 0


ON_SCREEN = """([x, y]) => {
  const there = new DOMPoint(x, y).matrixTransform(document.querySelector("#overlay").getScreenCTM());
  return [there.x, there.y];
}"""
"""Where a pixel of the picture is on the screen."""


def covered_in_part() -> bytes:
    """``FIVE`` with a finger over most of both orange dots; a slice of each is seen at its left."""
    bgr = screenshot_of(FIVE)
    for row, col in ((1, 4), (4, 3)):
        x, y = 12 + 60 * col + 30, 140 + 60 * row + 30
        cv2.ellipse(bgr, (x + 9, y), (18, 27), 0, 0, 360, (120, 150, 210), -1)
    return encode(bgr)


def test_a_dot_that_is_covered_in_part_takes_the_colour_that_was_touched(tab: Tab) -> None:
    """On the picture, where a person sees it; in the middle of the cell there is the finger."""
    tab.choose(covered_in_part())
    tab.tab("Correct")
    assert tab.page.locator("#board [role=gridcell]").count() == 25
    for row, col in ((1, 4), (4, 3)):
        if "dot" in tab.said(f"{row},{col}"):
            tab.press("Erase").tap(f"{row},{col}").press("Dot").press("Colour from the picture")
        x, y = 12 + 60 * col + 12, 140 + 60 * row + 30
        tab.page.mouse.click(*tab.page.evaluate(ON_SCREEN, [x, y]))
    assert "orange" in tab.said("1,4")
    assert shown_pairs(tab) == pairs_of(parse(FIVE))


def test_of_two_boards_one_is_chosen(tab: Tab) -> None:
    """By one touch: each is read from its own part of the picture."""
    tab.choose(encode(np.hstack([screenshot_of(FIVE), screenshot_of(MIRRORED)]))).hears(
        "exactly one solution"
    )
    first = shown_pairs(tab)
    tab.press("Read the other board").hears("exactly one solution")
    assert sorted([first, shown_pairs(tab)], key=str) == sorted(
        [pairs_of(parse(FIVE)), pairs_of(parse(MIRRORED))], key=str
    )


def test_of_two_boards_on_one_lattice_one_is_chosen(tab: Tab) -> None:
    """Either is read with its size, for its lines go on in the other."""
    left, right = (screenshot_of(text, 120, (2, 2))[:604, :604] for text in (FIVE, MIRRORED))
    tab.choose(encode(np.hstack([left, right]))).hears("Two boards")
    tab.press("Read the right board").hears("exactly one solution")
    assert shown_pairs(tab) == pairs_of(parse(MIRRORED))


def test_of_two_refused_boards_one_is_chosen(tab: Tab) -> None:
    """The page says which there are, and opens the one that is touched."""
    tab.choose(encode(two_boards())).hears("Two boards")
    tab.press("Read the lower board").hears("no partner")
    assert tab.page.locator("#board [role=gridcell]").count() == 49


def test_what_is_covered_is_ringed_and_mended_by_a_button(tab: Tab) -> None:
    """The cell that the words name, not the dot that is seen well; then a person compares."""
    tab.choose(encode(covered(screenshot_of(FIVE), 4, 3))).hears("Something covers row 5, column 4")
    ring = tab.page.locator("#board .rings circle")
    assert (ring.count(), ring.get_attribute("cx"), ring.get_attribute("cy")) == (1, "350", "450")
    tab.press("Put orange in row 5, column 4").hears("A dot here is a guess")
    assert "dot orange" in tab.said("4,3")
    tab.press("It is right").page.locator("#verdict.good").wait_for()
    assert tab.text() == FIVE


def test_what_lacks_is_ringed_and_the_way_back_has_tools(tab: Tab) -> None:
    """A dot without a partner; from another picture one comes back to the tools."""
    tab.choose(picture_of(NO_ORANGE), "refused.png").hears("no partner")
    tab.hears("Ringed")
    assert tab.page.locator("#board .rings circle").count() == 1
    assert tab.said("1,4").endswith("doubtful")
    tab.choose(picture_of(FIVE), "solved.png").hears("exactly one solution")
    tab.tab("Files")
    tab.page.get_by_role("button", name="refused.png: refused").click()
    assert tab.page.locator("#tab-Correct[aria-selected=true]").count() == 1
