"""Puzzles are played: by mouse, by finger, by keys; no solution is shown unasked."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from flowvision.image.codec import encode
from flowvision.puzzle.text import parse
from flowvision.puzzle_tools.generator import shape_of
from flowvision.solvers import Solved, solve
from tests.drawing import FIVE
from tests.solvers.random_puzzles import make_puzzle
from tests.tools.synthetic import Style, draw_screenshot
from tests.web.chromium import Held, Tab, drag, middle, needs_chromium, picture_of, touch
from tests.web.playing import generated, lines, paths_of
from tests.web.serving import Serving, until

pytestmark = needs_chromium

SEVEN = make_puzzle(shape_of("7x7"), 7, 3)


def played(browser: Any, server: Serving, text: str = SEVEN, **context: Any) -> Tab:
    """The page with a puzzle to play."""
    from urllib.parse import quote

    tab = Tab(browser, server, **context).open(f"&puzzle={quote(text)}")
    tab.page.locator("#panel-Play").get_by_text("to join").wait_for()
    # The answer makes the verdict taller: places are measured once it is there.
    return tab.hears("one solution")


def solved(tab: Tab) -> None:
    """It is said once, and only then."""
    tab.page.locator("#panel-Play").get_by_text("Solved!").wait_for()


def test_with_the_mouse(browser: Any, server: Serving) -> None:
    """Each pipe in one drag; a drag back erases, a crossing cuts."""
    tab = played(browser, server)
    for path in paths_of(SEVEN):
        assert tab.page.get_by_text("Solved!").count() == 0
        drag(tab, path)
    solved(tab)
    tab.page.keyboard.press("Control+z")
    tab.page.locator("#panel-Play").get_by_text("1 flow to join").wait_for()
    tab.page.keyboard.press("Control+y")
    solved(tab)
    tab.close()


def test_what_is_played_outlives_a_reload(browser: Any, server: Serving) -> None:
    """With its pipes, under its tab, and the solution stays hidden."""
    tab = played(browser, server)
    drag(tab, paths_of(SEVEN)[0])
    said = tab.page.locator("#panel-Play").get_by_text("6 flows to join")
    said.wait_for()
    tab.page.reload()
    tab.page.wait_for_selector("body[data-ready]")
    said.wait_for()
    assert tab.page.locator("#tab-Play[aria-selected=true]").count() == 1
    tab.tab("Files")
    assert tab.page.locator("#board .lines *").count() == 0
    tab.close()


def test_each_puzzle_has_a_time_of_its_own(browser: Any, server: Serving) -> None:
    """It begins when the puzzle is first seen to be played, and ends when it is solved."""
    tab = played(browser, server)
    tab.page.clock.install()
    tab.page.get_by_label("Timer").check()
    tab.page.clock.fast_forward("09:00")
    shown = "began => (document.querySelector('[aria-label=Time]').textContent < '9:00') === began"
    tab.holds(shown, False)
    tab.page.get_by_role("button", name="Another one").click()
    tab.holds(shown, True)
    tab.close()


def test_with_a_finger(browser: Any, server: Serving) -> None:
    """On a phone, without the page being scrolled away."""
    tab = played(browser, server, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    for path in paths_of(SEVEN):
        touch(tab, [middle(tab, f"{r},{c}") for r, c in path])
    solved(tab)
    tab.close()


def test_with_keys_alone(browser: Any, server: Serving) -> None:
    """Shift and the arrows draw."""
    tab = played(browser, server)
    names = {(0, 1): "ArrowRight", (0, -1): "ArrowLeft", (1, 0): "ArrowDown", (-1, 0): "ArrowUp"}
    for path in paths_of(SEVEN):
        tab.cell(f"{path[0][0]},{path[0][1]}").focus()
        for (r, c), (s, d) in pairwise(path):
            tab.page.keyboard.press(f"Shift+{names[s - r, d - c]}")
    solved(tab)
    tab.close()


def test_by_taps(browser: Any, server: Serving) -> None:
    """A dot, then a cell: the pipe is led there; then its other dot."""
    tab = played(browser, server, FIVE)
    for path in paths_of(FIVE):
        bends = [
            b
            for a, b, c in zip(path, path[1:], path[2:], strict=False)
            if (b[0] - a[0], b[1] - a[1]) != (c[0] - b[0], c[1] - b[1])
        ]
        for r, c in [path[0], *bends, path[-1]]:
            tab.page.mouse.click(*middle(tab, f"{r},{c}"))
    solved(tab)
    tab.close()


def test_hints_and_mistakes_go_by_my_pipes(tab: Tab) -> None:
    """A wrong step is ringed; without one the next steps are outlined, with their places."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab("Play").press("Hint")
    tab.page.locator("#panel-Play").get_by_text("one way").wait_for()
    assert tab.page.locator("#board .lit path").count() > 0
    drag(tab, [(0, 0), (0, 1)])
    tab.press("Hint")
    tab.page.get_by_text("goes another way").wait_for()
    assert tab.page.locator("#board .rings circle").count() == 1


def test_a_hint_in_play_hides_no_solution_elsewhere(tab: Tab) -> None:
    """The cells that it outlines belong to the game."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    lines = tab.page.locator("#board .lines path")
    before = lines.count()
    tab.tab("Play").press("Hint")
    tab.page.locator("#board .lit path").first.wait_for(state="attached")
    assert lines.count() == 0
    tab.tab("Files")
    assert lines.count() == before > 0
    assert tab.page.locator("#board .lit path").count() == 0


def test_a_puzzle_without_a_picture(tab: Tab) -> None:
    """From the empty page, and another one stays where I am; as many colours as the game has."""
    tab.page.click("#play")
    tab.page.locator("#panel-Play").get_by_text("to join").wait_for()
    first = tab.text()
    tab.tab("Play").page.locator("#panel-Play").get_by_label("Size").select_option("9")
    tab.press("Another one")
    tab.page.wait_for_selector('#board [data-key="8,8"]')
    assert tab.page.locator("#tab-Play[aria-selected=true]").count() == 1
    held = Held(tab, "**/api/generate*")
    tab.press("Another one")
    held.wait()
    eighty_one = tab.text()  # under another tab
    held.let_go()
    until(lambda: tab.page.input_value("textarea") != eighty_one)
    assert tab.page.locator("#tab-Make[aria-selected=true]").count() == 1
    named = parse(tab.text())
    assert len(named.puzzle.terminals) in (8, 9)
    assert first != tab.text()
    number = tab.page.get_by_label("Number")
    today = tab.page.evaluate("new Date().toLocaleDateString('sv').replaceAll('-', '')")
    tab.tab("Play").press("Today's puzzle")
    until(lambda: number.input_value() == today)
    daily = tab.text()
    tab.tab("Play").press("Another one")
    until(lambda: number.input_value() not in ("", today))
    number.fill(today)
    tab.page.keyboard.press("Enter")
    until(lambda: tab.text() == daily)


@pytest.mark.parametrize(("size", "ms"), [(15, 16), (40, 50)])
def test_a_move_takes_less_than_a_frame(browser: Any, server: Serving, size: int, ms: int) -> None:
    """The scripts of one step of a drag, in the middle of many."""
    rows = ["." * size for _ in range(size)]
    rows[0] = "R" + "." * (size - 2) + "R"
    rows[1] = "B" + "." * (size - 2) + "B"
    tab = Tab(browser, server).open()
    tab.page.click("#blank")
    tab.tab("Make").page.fill("textarea", "\n".join(rows) + "\n")
    tab.page.wait_for_selector(f'#board [data-key="{size - 1},{size - 1}"]', state="attached")
    tab.tab("Play")
    took = tab.page.evaluate(
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
    tab.context.close()
    assert took < ms


def test_pipes_of_the_screenshot_are_where_one_begins(tab: Tab) -> None:
    """In play, and for hints; so is the whole of what is forced."""
    named = parse(SEVEN)
    outcome = solve(named.puzzle)
    assert isinstance(outcome, Solved)
    shot = draw_screenshot(named.board, named.puzzle, Style(drawn=0.5), 4, outcome.solution).screenshot
    tab.choose(encode(shot.bgr)).hears("exactly one solution")
    tab.tab("Play")
    drawn = tab.page.locator("#board .lines path").count()
    assert drawn >= 4
    assert "7 flows to join" not in tab.page.inner_text("#panel-Play")
    tab.press("Check for mistakes").page.get_by_text("No mistakes so far").wait_for()
    tab.tab("Learn").press("All forced").page.locator("#panel-Learn", has_text="one way").wait_for()
    assert tab.page.locator("#board .lines path").count() > drawn


def test_whoever_plays_does_not_come_upon_the_solution(browser: Any, server: Serving) -> None:
    """It is shown when it is asked for; what was chosen is outlined; solved is said above, too."""
    tab = Tab(browser, server).open().choose(picture_of(FIVE)).hears("exactly one solution").tab("Play")
    lines = tab.page.locator("#board .lines path")
    tab.cell("0,0").focus()
    tab.page.keyboard.press("Enter")
    assert tab.page.locator("#board .lit path").count() == 4  # the sides of its cell
    drag(tab, paths_of(FIVE)[0])
    tab.tab("Files")
    assert lines.count() == 0
    tab.press("Show the solution")
    assert lines.count() == 10
    tab.tab("Play")
    for path in paths_of(FIVE):
        drag(tab, path)
    tab.hears("Solved!")
    tab.page.get_by_label("Size").select_option("5")
    tab.page.locator("#panel-Play").get_by_text("5 flows to join").wait_for()
    tab.close()


def test_a_game_is_not_given_away(tab: Tab) -> None:
    """Not by the logo and undo, not by a letter; number and difficulty come back with it."""
    tab.page.click("#play")
    generated(tab)
    number = tab.page.get_by_label("Number").input_value()
    tab.tab("Learn").page.wait_for_timeout(100)
    assert "no solution to learn from" not in tab.page.inner_text("#panel-Learn")
    tab.tab("Make")
    assert tab.page.locator("#verdict", has_text="There is exactly one solution").count() == 1
    assert "Difficulty" in tab.page.inner_text("#panel-Make")
    tab.tab("Play").page.click("#home")
    tab.page.click("#undo")
    assert (tab.page.locator("#tab-Play[aria-selected=true]").count(), lines(tab)) == (1, 0)
    tab.cell("0,0").focus()
    tab.page.keyboard.press("p")
    assert (tab.page.locator("#tab-Play[aria-selected=true]").count(), lines(tab)) == (1, 0)
    tab.press("Another one").page.wait_for_function(
        "number => document.querySelector('[aria-label=Number]').value !== number", arg=number
    )
    tab.page.click("#undo")
    assert generated(tab).page.get_by_label("Number").input_value() == number
    tab.page.reload()
    assert generated(tab).page.get_by_label("Number").input_value() == number
    tab.page.get_by_label("Number").fill("-5")
    tab.page.keyboard.press("Enter")
    assert not tab.page.evaluate("document.querySelector('[aria-label=Number]').checkValidity()")
    assert tab.page.locator("#notice").is_hidden()
