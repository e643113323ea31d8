"""When the reader refuses, the page never ends on green over a board that nobody has looked at."""

from __future__ import annotations

import os
from itertools import product
from typing import Any

import cv2
import numpy as np
import pytest
from benchmarks.refused_pictures import two_boards

from flowvision.image.codec import encode
from flowvision.puzzle.text import parse
from tests.diagnosis.refused import without_column
from tests.drawing import FIVE, SEVERAL, screenshot_of
from tests.web.chromium import Tab, drag, needs_chromium, picture_of
from tests.web.covered import Covered, covered, covered_boards, pairs_of
from tests.web.serving import Serving
from tests.web.test_play import paths_of

pytestmark = needs_chromium

EACH = int(os.environ.get("FLOWVISION_COVERED", "2"))
"""Boards of every size: 8 make the 56 of the full measurement."""
DOUBTFUL = "R.G.Y\n..B.O\n.....\n.G.Y.\n.RB..\n"
"""``FIVE`` without its second orange dot."""

SEVEN = "R.G.Y.P\n..B.O..\n......C\n.G.Y...\n.RBO..P\nM.....C\n....M..\n"
MIRRORED = "\n".join(row[::-1] for row in FIVE.split()) + "\n"


def kind(tab: Tab) -> str:
    """The colour of the verdict: good, warn, bad."""
    return str(tab.page.locator("#verdict").get_attribute("class"))


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


AMBER = "Compare it with your screenshot: dots, colours, walls."


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


def refuse_what_was_read(route: Any) -> None:
    """The answer as a refusal that has the right board."""
    import json

    reply = route.fetch()
    made = json.loads(reply.text().split("event: answer\ndata: ")[1])
    board = made["board"] | {"flows": [{**flow, "doubts": [0.5, 0.0]} for flow in made["flows"]]}
    error = {"code": "doubtful-reading", "message": "The weakest dot is not sure enough.", "hint": ""}
    refused = {"ok": False, "error": error, "seen": {"picture": made["seen"]["picture"], "board": board}}
    route.fulfill(
        status=200, content_type="text/event-stream", body=f"event: answer\ndata: {json.dumps(refused)}\n\n"
    )


def test_nothing_is_drawn_while_the_verdict_is_red(tab: Tab) -> None:
    """Neither over the picture nor on the board; the doubtful dots are ringed."""
    tab.choose(picture_of(DOUBTFUL)).hears("no partner")
    assert kind(tab) == "bad"
    assert tab.page.locator("#work .lines path").count() == 0
    assert tab.page.locator("#board .dots circle").count() == 9
    assert tab.page.locator("#repairs button").count() == 0


def test_other_rows_bring_other_dots(tab: Tab) -> None:
    """Those of the picture at that size, read once after the last change; none from before stays."""
    asked: list[str] = []
    tab.page.on("request", lambda request: asked.append(request.url) if "/api/solve" in request.url else None)
    tab.choose(picture_of(DOUBTFUL)).hears("no partner")
    tab.page.clock.install(time=0)  # what the page's timers see, however long the presses take
    tab.page.clock.pause_at(1000)
    tab.press("More rows").press("More rows").press("Fewer rows").press("Fewer rows")
    tab.page.clock.run_for(1000)
    tab.page.clock.resume()
    tab.page.wait_for_selector("body:not(.busy)")
    assert len(asked) == 2
    assert "grid=5x5" in asked[1]
    assert tab.page.locator("#board .dots circle").count() == 9
    assert pairs_of(parse(tab.text().replace("O", "."))) < pairs_of(parse(FIVE))


def test_a_tap_where_there_is_only_ground_says_so(tab: Tab) -> None:
    """No black dot is made of it."""
    tab.choose(encode(screenshot_of(FIVE))).hears("exactly one solution")
    tab.tab("Correct").tap("2,2")
    tab.page.locator("#notice", has_text="no dot here").wait_for()
    assert tab.page.locator("#board .dots circle").count() == 10


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
    tab.tab("Correct").press("More rows")
    tab.page.locator("#board [role=row]").nth(4).wait_for()
    tab.page.wait_for_selector("body:not(.busy)")
    assert tab.text().splitlines()[:4] == before[:4]


def test_a_board_that_may_lack_a_column_is_not_mended_by_a_dot(tab: Tab) -> None:
    """It lacks one at a side, and a dot that is moved would give it exactly one solution."""
    tab.choose(encode(without_column("right"))).hears("cut off at the right")
    tab.page.wait_for_selector("body:not(.busy)")
    assert tab.page.locator("#repairs button").count() == 0
    tab.tab("Correct").press("Add a column at the right").hears("exactly one solution")
    tab.hears("The picture ends before the border of the board").hears(AMBER)
    assert kind(tab) == "warn"


def test_a_column_on_the_wrong_side_makes_no_answer(tab: Tab) -> None:
    """Its border is closed, for the picture shows nothing there; neither is it right, nor is a dot moved."""
    tab.choose(encode(without_column("right"))).hears("cut off at the right")
    tab.page.get_by_text("A row or column more or less").click()
    tab.page.get_by_label("One more at the left").click()
    tab.hears("The lines show 4 × 5 cells, not 5 × 5.").page.wait_for_selector("body:not(.busy)")
    assert "warp" not in tab.text()
    tab.tab("Correct")
    assert tab.page.locator("#repairs button").count() == 0
    assert tab.page.get_by_role("button", name="It is right").count() == 0


def test_a_wrong_size_is_put_right_by_one_touch(tab: Tab) -> None:
    """The heading has what the lines show, and a button reads it so."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab("Correct").press("More columns").hears("The lines show 5 × 5 cells, not 6 × 5.")
    tab.press("Read it as 5 × 5").hears("exactly one solution").page.locator("#verdict.good").wait_for()


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


def test_nothing_moves_up_under_a_finger(tab: Tab) -> None:
    """Neither a shorter verdict nor a notice that comes and goes moves the picture."""
    tab.page.set_viewport_size({"width": 390, "height": 844})
    tab.choose(picture_of(DOUBTFUL))
    tab.tab("Correct").look_at("Picture")
    before = tab.page.locator("#overlay").bounding_box()["y"]
    tab.page.locator("#overlay").click(position={"x": 180, "y": 200})
    tab.page.wait_for_timeout(300)
    assert tab.page.locator("#overlay").bounding_box()["y"] >= before
