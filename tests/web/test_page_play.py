"""Puzzles are played and made: no solution is shown unasked."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from urllib.parse import quote

import pytest

from flowvision.image.codec import encode
from flowvision.puzzle.text import parse
from flowvision.puzzle_tools.generator import shape_of
from flowvision.solvers import Solved, solve
from tests.boards import generated_puzzle
from tests.drawing import FIVE, NONE
from tests.tools.synthetic import Style, draw_screenshot
from tests.web.chromium import Tab, drag, middle, needs_chromium, paths_of, picture_of, touch

pytestmark = needs_chromium

SEVEN = generated_puzzle(shape_of("7x7"), 7, 3)
KEYS = {(0, 1): "ArrowRight", (0, -1): "ArrowLeft", (1, 0): "ArrowDown", (-1, 0): "ArrowUp"}


def play(tab: Tab, text: str = SEVEN) -> Tab:
    """A puzzle to play, from its link."""
    tab.page.evaluate("hash => { location.hash = hash; }", f"puzzle={quote(text)}")
    tab.page.locator("#panel-Play").get_by_text("to join").wait_for()
    return tab.hears("one solution")


def solved(tab: Tab) -> None:
    """It is said, by the panel and the verdict."""
    tab.page.locator("#panel-Play").get_by_text("Solved!").wait_for()
    tab.page.locator("#verdict.won").wait_for()


def test_with_the_mouse(tab: Tab) -> None:
    """Each pipe in one drag; undo and redo; its time is told to those who asked; a reload keeps the pipes."""
    play(tab).page.get_by_label("Timer").check()
    drag(tab, paths_of(SEVEN)[0])
    tab.reload().page.locator("#panel-Play").get_by_text("6 flows to join").wait_for()
    tab.page.get_by_label("Timer").check()
    for path in paths_of(SEVEN)[1:]:
        assert tab.page.get_by_text("Solved!").count() == 0
        drag(tab, path)
    solved(tab)
    assert re.search(r"Solved! In \d+:\d\d", tab.page.inner_text("#panel-Play"))
    tab.page.keyboard.press("Control+z")
    tab.page.locator("#panel-Play").get_by_text("1 flow to join").wait_for()
    tab.page.keyboard.press("Control+y")
    solved(tab)


def test_with_a_finger(phone: Tab) -> None:
    """On a phone, without the page being scrolled away."""
    play(phone)
    for path in paths_of(SEVEN):
        touch(phone, [middle(phone, f"{r},{c}") for r, c in path])
    solved(phone)


def test_with_keys_and_taps(tab: Tab) -> None:
    """Shift and the arrows draw; a dot, then a cell: the pipe is led there, then to its other dot."""
    play(tab, FIVE)
    keyed, *tapped = paths_of(FIVE)
    tab.cell(f"{keyed[0][0]},{keyed[0][1]}").focus()
    for (r, c), (s, d) in pairwise(keyed):
        tab.page.keyboard.press(f"Shift+{KEYS[s - r, d - c]}")
    for path in tapped:
        turns = [
            b for a, b, c in zip(path, path[1:], path[2:], strict=False) if a[0] != c[0] and a[1] != c[1]
        ]
        for r, c in [path[0], *turns, path[-1]]:
            tab.page.mouse.click(*middle(tab, f"{r},{c}"))
    solved(tab)


def test_hints_and_mistakes_go_by_my_pipes(tab: Tab) -> None:
    """Steps are outlined, a wrong one is ringed; the solution elsewhere comes when it is asked for."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution").tab("Play")
    hint = tab.page.locator("#panel-Play").get_by_text("one way")
    tab.press("Hint")
    hint.wait_for()
    assert tab.page.locator("#board .lit path").count() > 0
    assert tab.lines() == 0
    drag(tab, [(0, 0), (0, 1)])
    tab.press("Hint").page.locator("#panel-Play", has_text="goes another way").wait_for()
    assert tab.page.locator("#board .rings circle").count() == 1
    tab.tab("Answer")
    assert tab.lines() == 0
    tab.press("Show the solution")
    assert tab.lines() == 10
    tab.tab("Play").cell("2,2").focus()
    tab.page.keyboard.press("p")  # in play it shows nothing
    assert tab.lines() == 2
    tab.page.keyboard.press("Control+z")
    tab.page.keyboard.press("n")
    hint.wait_for()


def test_letters_of_keys_count_on_the_board_alone(tab: Tab) -> None:
    """Not on a button or in a field; letters on dots help in play too."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution").tab("Play")
    tab.page.get_by_label("Letters").check()
    assert tab.page.locator("#board .dots text").count() == 10
    tab.page.get_by_role("button", name="Start over").focus()
    tab.page.get_by_role("button", name="Another one").focus()
    for key in ("?", "n"):
        tab.page.keyboard.press(key)
    assert tab.page.locator("#help").is_hidden()
    assert tab.page.locator("#board .lit path").count() == 0
    tab.cell("0,0").focus()
    tab.page.keyboard.press("?")
    assert tab.page.locator("#help").is_visible()


def test_a_puzzle_has_a_number_and_stays_hidden(tab: Tab) -> None:
    """The same number makes the same puzzle; size, grade and number come back with it."""
    tab.page.click("#play")
    said = tab.page.locator("#panel-Play", has_text="Difficulty")
    said.wait_for()
    size, number = tab.page.get_by_label("Size"), tab.page.get_by_label("Number")
    first = number.input_value()
    size.select_option("9")
    tab.has_cells(81)
    assert len(parse(tab.text()).puzzle.terminals) in range(6, 11)
    number_is = "n => document.querySelector('[name=seed]').value === n"
    number_is_not = number_is.replace("===", "!==")
    today = tab.page.evaluate("new Date().toLocaleDateString('sv').replaceAll('-', '')")
    tab.tab("Play").press("Today's puzzle").holds(number_is, today)
    daily = tab.text()
    tab.tab("Play").press("Another one").holds(number_is_not, today)
    assert size.input_value() == "9"
    number.fill(today)
    tab.page.keyboard.press("Enter")
    tab.tab("Play").holds(number_is, today)
    assert tab.text() == daily
    for _ in range(4):
        tab.page.click("#undo")
    tab.tab("Play").holds(number_is, first)
    assert size.input_value() == "7"
    tab.page.click("#home")
    tab.page.click("#undo")
    said.wait_for()
    assert tab.lines() == 0


def test_pipes_of_the_screenshot_are_where_one_begins(tab: Tab) -> None:
    """In play, and for hints."""
    named = parse(SEVEN)
    outcome = solve(named.puzzle)
    assert isinstance(outcome, Solved)
    shot = draw_screenshot(named.board, named.puzzle, Style(drawn=0.5), 4, outcome.solution).screenshot
    tab.choose(encode(shot.bgr)).hears("exactly one solution").tab("Play")
    drawn = tab.lines()
    assert drawn >= 4
    tab.press("Check").page.locator("#panel-Play", has_text="No mistakes so far").wait_for()
    tab.tab("Answer").press("All forced").page.locator("#panel-Answer", has_text="one way").wait_for()
    assert tab.lines() > drawn


@pytest.mark.parametrize(("size", "ms"), [(15, 17), (40, 50)])
def test_a_move_takes_less_than_a_frame(tab: Tab, size: int, ms: int) -> None:
    """The scripts of one step of a drag, in the middle of many."""
    rows = ["R" + "." * (size - 2) + "R", "B" + "." * (size - 2) + "B", *["." * size] * (size - 2)]
    tab.page.click("#blank")
    tab.tab("Make").page.fill("textarea", "\n".join(rows) + "\n")
    tab.page.wait_for_selector(f'#board [data-key="{size - 1},{size - 1}"]', state="attached")
    took = tab.tab("Play").page.evaluate(
        """(size) => { const root = document.getElementById('board');
        const at = (c) => {
          const box = root.querySelector(`[data-key="0,${c}"]`).getBoundingClientRect();
          return { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, pointerId: 1,
            isPrimary: true, pointerType: 'touch', bubbles: true, button: 0 }; };
        root.setPointerCapture = () => {};
        root.dispatchEvent(new PointerEvent('pointerdown', at(0)));
        const times = [];
        for (let n = 1; n < size - 1; n++) {
          const [event, began] = [new PointerEvent('pointermove', at(n)), performance.now()];
          root.dispatchEvent(event);
          times.push(performance.now() - began); }
        times.sort((a, b) => a - b);
        return times[Math.floor(times.length / 2)]; }""",
        size,
    )
    tab.page.keyboard.press("Escape")
    assert took < ms


def test_a_puzzle_is_made_by_hand(tab: Tab) -> None:
    """From an empty board, by keys alone; what it still lacks is said on the way."""
    page = tab.page
    page.click("#blank")
    tab.hears("two dots of each colour").tap("6,6").hears("has 1 dot").tab("Make")
    page.get_by_label("Columns").fill("3")
    page.get_by_label("Rows").fill("2")
    tab.press("Empty board").has_cells(6).cell("0,0").focus()
    for key in ("Enter", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    tab.hears("No solution")
    tab.cell("0,1").focus()
    page.keyboard.press("h")
    tab.hears("exactly one solution").cell("1,1").focus()
    page.keyboard.press("Shift+ArrowLeft")
    tab.hears("No solution").page.keyboard.press("Control+z")
    tab.hears("exactly one solution").cell("0,0").focus()
    for key in ("m", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    assert tab.text() == ".#R\nR..\n"


def test_puzzles_are_generated_and_typed(tab: Tab) -> None:
    """Fields of size follow the board; what is too large is not offered; faults are said where they are."""
    tab.page.click("#blank")
    tab.tab("Make").press("Generate one").hears("exactly one solution")
    grade = re.search("easy|medium|hard|expert", tab.page.inner_text("#panel-Make output")).group()
    tab.tab("Play").page.locator("#panel-Play", has_text=f"Difficulty: {grade}").wait_for()
    assert tab.lines() == 0
    tab.tab("Make").page.fill("textarea", FIVE.replace("R", ".", 1))
    tab.page.locator("#text-fault", has_text="R appears once").wait_for()
    tab.page.fill("textarea", FIVE)
    tab.has_cells(25)
    assert tab.page.locator("#text-fault:empty").count() == 1
    columns = tab.page.get_by_label("Columns")
    assert columns.input_value() == "5"
    columns.fill("40")
    tab.page.keyboard.press("Tab")
    assert tab.page.get_by_role("button", name="Generate one").is_disabled()
    tab.page.fill("textarea", NONE)
    tab.hears("No solution").tab("Answer")
    assert tab.text() == NONE


def test_what_is_refused_has_advice_for_the_page(tab: Tab) -> None:
    """Not for the command line."""
    hint = "Allow more time with `--limit SECONDS`, or ask for a smaller board."
    error = {"code": "gave-up", "message": "No puzzle was found within 8 s.", "hint": hint}
    body = json.dumps({"ok": False, "error": error})
    tab.page.route("**/api/generate*", lambda route: route.fulfill(status=422, body=body))
    tab.page.click("#blank")
    tab.tab("Make").press("Generate one")
    tab.page.get_by_text("No puzzle was found within 8 s. Ask for a smaller board.").wait_for()
    tab.wrong.clear()
