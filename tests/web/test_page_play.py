"""Puzzles are played and made: no solution is shown unasked."""

import re
from datetime import datetime, timedelta
from itertools import pairwise

from flowvision.image.codec import encode
from flowvision.puzzle.text import parse
from flowvision.puzzle_tools.generator import shape_of
from flowvision.solvers import Solved, solve
from tests.boards import make_puzzle
from tests.drawing import LEVEL_5X5, UNSOLVABLE
from tests.tools.synthetic import Style, draw_screenshot
from tests.web.chromium import Tab, drag, middle, needs_chromium, paths_of, picture_of, touch

pytestmark = needs_chromium

SEVEN = make_puzzle(shape_of("7x7"), colours=7, seed=3)
KEYS = {(0, 1): "ArrowRight", (0, -1): "ArrowLeft", (1, 0): "ArrowDown", (-1, 0): "ArrowUp"}


def play(tab: Tab, text: str = SEVEN) -> Tab:
    puzzle = tab.server.post("puzzle", text).object["puzzle"]
    tab.page.route(
        "**/api/generate*", lambda route: route.fulfill(json={"puzzle": puzzle, "difficulty": "easy"})
    )
    tab.page.click("#play")
    return tab.hears("Flows 0/")


def solved(tab: Tab) -> None:
    tab.page.locator("#verdict.won").wait_for()


def test_with_the_mouse(tab: Tab) -> None:
    drag(play(tab), paths_of(SEVEN)[0])
    tab.reload().hears("Flows 1/7").page.click("#home")
    tab.press("Go on with 7×7").hears("Flows 1/7")
    tab.tab("Answer")
    assert tab.lines() == 0
    tab.tab("Play")
    for path in paths_of(SEVEN)[1:]:
        assert tab.page.locator("#verdict.won").count() == 0
        drag(tab, path)
    solved(tab)
    assert tab.hears("Solved!").page.get_by_role("button", name="Hint").count() == 0
    tab.page.keyboard.press("Control+z")
    tab.hears("Flows 6/7")
    tab.page.keyboard.press("Control+y")
    solved(tab)


def test_with_a_finger(phone: Tab) -> None:
    play(phone).page.set_viewport_size({"width": 390, "height": 664})
    width = "() => document.querySelector('#board').clientHeight"
    board = phone.page.evaluate(width)
    for path in paths_of(SEVEN):
        touch(phone, [middle(phone, f"{r},{c}") for r, c in path])
    solved(phone)
    phone.hears("Perfect!").page.locator(".figures").get_by_text("moves").wait_for()
    assert phone.page.evaluate(width) == board, "as large as before"


def test_with_keys_and_taps(tab: Tab) -> None:
    play(tab, LEVEL_5X5)
    keyed, *tapped = paths_of(LEVEL_5X5)
    tab.cell(f"{keyed[0][0]},{keyed[0][1]}").focus()
    for (r, c), (s, d) in pairwise(keyed):
        tab.page.keyboard.press(f"Shift+{KEYS[s - r, d - c]}")
    for path in tapped:
        corners = zip(path, path[1:], path[2:], strict=False)
        turns = [b for a, b, c in corners if a[0] != c[0] and a[1] != c[1]]
        for r, c in [path[0], *turns, path[-1]]:
            tab.page.mouse.click(*middle(tab, f"{r},{c}"))
    solved(tab)


def test_hints_and_mistakes_go_by_the_pipes(tab: Tab) -> None:
    tab.choose(picture_of(LEVEL_5X5)).answers("unique").tab("Play")
    hint = tab.page.locator("#why").get_by_text("one way")
    tab.press("Hint")
    hint.wait_for()
    assert tab.page.locator("#board .ghost").count() > 0
    assert tab.page.locator("#board [aria-label$=', hint']").count() > 1
    assert tab.lines() == 0
    drag(tab, [(0, 0), (0, 1)])
    tab.press("Hint").page.locator("#why", has_text="1 cell differs from the solution").wait_for()
    assert tab.page.locator("#board .rings .wrong").count() == 1
    tab.tab("Answer")
    assert tab.lines() == 2 * 5  # per pipe its line and the edge of it
    tab.tab("Play").press_more("Letters")
    assert tab.page.locator("#board .dots text").count() == 2 * 5  # a letter on each dot
    tab.press("Take back")
    assert tab.lines() == 0, "to the last cell that is right"
    tab.page.click("#undo")
    tab.page.get_by_role("button", name="Check").focus()
    tab.page.keyboard.press("r")
    assert tab.lines() == 0, "the key of Restart"
    tab.cell("2,2").focus()
    tab.page.keyboard.press("Control+z")
    tab.page.keyboard.press("?")
    assert tab.page.locator("#help").is_visible()
    for size in (1300, 600):
        tab.page.set_viewport_size({"width": size, "height": 900})
        tab.page.keyboard.press("h")
        tab.page.keyboard.press("Escape")
    assert tab.page.locator("#board .ghost").count() == 0, "in a dialog, and where no key is shown"


def test_new_puzzles_stay_hidden(tab: Tab) -> None:
    tab.page.click("#play")
    difficulty = tab.page.locator("#score", has_text=re.compile("easy|medium|hard|expert"))
    difficulty.wait_for()
    tab.press_more("9×9").has_cells(81)
    assert len(parse(tab.text()).puzzle.terminals) in range(6, 11)  # as published levels of that size
    texts = []
    for _ in range(2):
        with tab.page.expect_response("**/api/generate*"):
            tab.tab("Play").press_more("Daily puzzle")
        difficulty.wait_for()
        texts.append(tab.text())
    assert texts[0] == texts[1]
    for _ in range(3):
        tab.page.click("#undo")
    tab.tab("Play").has_cells(49)
    tab.page.click("#home")
    tab.page.click("#undo")
    difficulty.wait_for()
    assert tab.lines() == 0


def test_best_time_and_days_in_a_row_are_kept(tab: Tab) -> None:
    """Each line: the day of today's puzzle, the seconds it takes, and what the card of the winner shows."""
    play(tab, LEVEL_5X5)
    first, *others = paths_of(LEVEL_5X5)
    for day, seconds, shown in (
        (0, 65, ["1:05\ntime", "5\nmoves", "1\nday"]),
        (1, 80, ["1:20\ntime", "1:05\nbest", "5\nmoves", "2\ndays"]),
        (3, 50, ["0:50\ntime", "5\nmoves", "1\nday"]),
    ):
        begin = datetime(2030, 5, 1, 12) + timedelta(days=day)
        tab.page.clock.set_fixed_time(begin)
        tab.press_more("Daily puzzle").hears("Flows 0/5")
        drag(tab, first)
        tab.page.clock.set_fixed_time(begin + timedelta(seconds=seconds))
        for path in others:
            drag(tab, path)
        solved(tab)
        assert tab.page.locator(".figures span").all_inner_texts() == shown
        assert ("New best!" in tab.page.inner_text("#words")) == (seconds == 50)
        tab.page.click("#undo")  # the last pipe, and with it the card, so that the next one is waited for


def test_pipes_of_the_screenshot_are_where_one_begins(tab: Tab) -> None:
    named = parse(SEVEN)
    outcome = solve(named.puzzle)
    assert isinstance(outcome, Solved)
    shot = draw_screenshot(
        named.board, named.puzzle, Style(drawn=0.5), seed=4, solution=outcome.solution
    ).screenshot
    tab.choose(encode(shot.bgr)).answers("unique").tab("Play")
    drawn = tab.lines()
    assert drawn == 2 * (4 + 1)  # per whole pipe, or begun one, its line and the edge of it
    tab.press("Check").page.locator("#why", has_text="No mistakes so far").wait_for()
    tab.tab("Answer").press("Next hint").page.locator("#why", has_text="one way").wait_for()
    assert tab.lines() == drawn + 2, "the hint comes on top of the pipes"


def test_a_puzzle_is_made_by_hand(tab: Tab) -> None:
    page = tab.page
    page.click("#blank")
    tab.hears("Click two cells").tap("6,6").answers("incomplete")
    tab.press_more("Empty board").hears("Click two cells").tab("Correct").press("Outline")
    for line, side, times in (("column", "right", 4), ("row", "bottom", 5)):
        for _ in range(times):
            tab.press(f"Leave out the {line} at the {side}")
    tab.has_cells(6).press("Done").cell("0,0").focus()
    for key in ("Enter", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    tab.answers("unsolvable").press("Hole").cell("0,1").focus()
    page.keyboard.press("Enter")
    tab.answers("unique").cell("1,1").focus()
    page.keyboard.press("Shift+ArrowLeft")
    tab.answers("unsolvable").page.keyboard.press("Control+z")
    tab.answers("unique").cell("0,0").focus()
    page.keyboard.press("Delete")
    assert tab.answers("incomplete").text() == ".#R\n...\n"


def test_puzzles_are_generated_and_typed(tab: Tab) -> None:
    tab.page.click("#blank")
    tab.tab("Make").press("New board").answers("unique")
    tab.press("Play it").page.locator("#score", has_text=re.compile("easy|medium|hard|expert")).wait_for()
    assert tab.lines() == 0
    tab.tab("Make").type(LEVEL_5X5.replace("R", ".", 1))
    tab.page.locator("#text-fault", has_text="R appears once").wait_for()
    tab.type(LEVEL_5X5)
    assert tab.has_cells(25).page.text_content("#text-fault") == ""
    tab.press("Use this board").page.locator("textarea").wait_for(state="hidden")
    sizes = tab.page.get_by_role("group", name="Size")
    assert sizes.locator("[aria-pressed=true]").inner_text() == "5×5"
    tab.type(UNSOLVABLE)
    tab.answers("unsolvable").tab("Answer")
    assert tab.text() == UNSOLVABLE
