"""Where strangers stumbled on the page, in a real browser: it says, keeps and shows what they expected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest

from flowvision.image.codec import encode
from flowvision.puzzle.text import parse
from flowvision.puzzle_tools.generator import shape_of
from flowvision.render.synthetic import Style, draw_screenshot
from flowvision.solvers import Solved, solve
from tests.drawing import FIVE, SEVERAL, screenshot_of
from tests.solvers.random_puzzles import make_puzzle
from tests.web.chromium import Tab, drag, needs_chromium, picture_of
from tests.web.covered import covered
from tests.web.serving import Serving
from tests.web.test_play import SEVEN, paths_of

pytestmark = needs_chromium

NO_ORANGE = "R.G.Y\n..B.O\n.....\n.G.Y.\n.RB..\n"
"""``FIVE`` without its second orange dot."""


@pytest.fixture
def phone(browser: Any, server: Serving) -> Iterator[Tab]:
    """The page on a phone."""
    tab = Tab(browser, server, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).open()
    yield tab
    tab.close()


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


def test_the_missing_row_is_one_button(tab: Tab) -> None:
    """Under the verdict, as long as the board is as it was read."""
    tab.choose(encode(screenshot_of(FIVE)[:388])).hears("cut off at the bottom")
    tab.press("Add a row at the bottom")
    tab.page.locator("#board [role=row]").nth(4).wait_for()


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


def test_several_pictures_are_counted(tab: Tab) -> None:
    """While they are read, and at the end; a bad one is named, below what is touched."""
    files = [
        {"name": f"{n}.png", "mimeType": "image/png", "buffer": data}
        for n, data in enumerate((picture_of(FIVE), picture_of(NO_ORANGE), b"no picture"))
    ]
    said = tab.page.evaluate_handle(
        """() => { const [said, words] = [[], document.querySelector("#words")];
        const listen = new MutationObserver(() => said.push(words.textContent));
        listen.observe(words, {childList: true}); return said; }"""
    )
    tab.page.set_input_files("#file", files)
    notice = tab.page.locator("#notice")
    notice.filter(has_text="paste it under “Make”. 1 of 3 pictures are solved.").wait_for()
    assert {"Reading picture 1 of 3 …", "Reading picture 2 of 3 …"} <= set(said.json_value())
    tab.page.set_input_files("#file", files[2] | {"name": "again.png"})
    notice.filter(has_text="again.png: This file holds text, not a picture.").wait_for()
    header, box = tab.page.locator("header").bounding_box(), notice.bounding_box()
    assert box["y"] > header["y"] + header["height"]
    tab.page.mouse.click(box["x"] + 20, box["y"] + 20)
    assert notice.is_hidden()
    tab.wrong.clear()


def test_another_run_of_the_server_is_told(tab: Tab) -> None:
    """What is true of it: the key is another one. Without a key nothing is offered that cannot work."""
    body = '{"ok": false, "error": {"code": "no-token", "message": "The key is missing or wrong."}}'
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.page.route("**/api/*", lambda route: route.fulfill(status=401, body=body))
    tab.tab("Details")
    tab.page.locator("#notice", has_text="server was started again").wait_for()
    tab.page.locator("#panel-Details", has_text="This page's server was started again.").wait_for()
    assert "Nothing in the picture" not in tab.page.inner_text("#panel-Details")
    tab.page.evaluate("localStorage.clear()")
    tab.page.goto(f"{tab.server.origin}/#")
    tab.page.reload()
    tab.page.locator("#notice", has_text="was not let in yet").wait_for()
    assert tab.page.get_by_role("button").count() == 0
    tab.wrong.clear()


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


def test_no_keys_are_told_to_a_finger(phone: Tab) -> None:
    """Nor what can be dropped."""
    said = phone.page.inner_text("#start")
    assert "Ctrl" not in said
    assert "Drop" not in said


def test_the_first_screen_of_a_phone_has_all_that_is_needed(phone: Tab) -> None:
    """What it is for, ways in, samples: nothing has to be scrolled to."""
    phone.page.locator("#samples button").nth(2).wait_for()
    assert phone.page.evaluate("document.documentElement.scrollHeight") <= 844


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
