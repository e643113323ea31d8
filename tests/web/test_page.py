"""The page as people use it, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from flowvision.image.codec import decode, encode
from flowvision.pipeline import solve_image
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.render.synthetic import Style, draw_screenshot
from tests.drawing import COLOURS, FIVE, SEVERAL, screenshot_of
from tests.made_boards import rhombi
from tests.phone.fake_adb import FakeServer, serving
from tests.phone.fake_phone import FakePhone, level_of
from tests.web.chromium import Tab, needs_chromium, picture_of
from tests.web.serving import served

SAMPLES = sorted((Path(__file__).resolve().parents[2] / "samples").glob("[0-9]*.[pj][np]g"))
ONE_OFF = "R.G.Y\n..B.O\n.....\n.G.Y.\nR.BO.\n"
"""``FIVE`` with one dot read one cell off."""

pytestmark = needs_chromium


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_is_read_and_solved(tab: Tab, sample: Path) -> None:
    """The board on the page is the puzzle that was drawn."""
    kind = "image/png" if sample.suffix == ".png" else "image/jpeg"
    tab.choose(sample.read_bytes(), sample.name, kind).hears("exactly one solution")
    truth, shown = parse(sample.with_suffix(".txt").read_text()), parse(tab.text())
    assert shown.board == truth.board
    assert {frozenset(pair) for pair in shown.puzzle.terminals} == {
        frozenset(pair) for pair in truth.puzzle.terminals
    }
    assert tab.page.locator("#overlay .lines path").count() >= 2 * len(truth.puzzle.terminals)


def test_the_code_does_not_stay_in_the_address(tab: Tab) -> None:
    """Nor is it good for anything there; loaded again, the page still works."""
    assert tab.page.url == f"{tab.server.origin}/"
    tab.page.reload()
    tab.page.wait_for_selector("body[data-ready]")
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    assert tab.context.cookies() == []


def test_a_picture_is_dropped_or_pasted(tab: Tab) -> None:
    """As files of a drag, and from the clipboard."""
    for event, field in (("drop", "dataTransfer"), ("paste", "clipboardData")):
        transfer = tab.page.evaluate_handle(
            """(bytes) => { const made = new DataTransfer();
            made.items.add(new File([new Uint8Array(bytes)], 'a.png', {type: 'image/png'}));
            return made; }""",
            list(picture_of(FIVE)),
        )
        tab.page.evaluate(
            """([event, field, transfer]) => { const made = event === 'drop'
            ? new DragEvent('drop', {dataTransfer: transfer, bubbles: true, cancelable: true})
            : new ClipboardEvent('paste', {clipboardData: transfer, bubbles: true, cancelable: true});
            document.body.dispatchEvent(made); }""",
            [event, field, transfer],
        )
        tab.hears("exactly one solution")
        tab.page.click("#home")
        tab.page.wait_for_selector("#start:not([hidden])")


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


def test_hints_lead_to_the_answer_one_by_one(tab: Tab) -> None:
    """The solution is hidden, then grows by what can be seen next, with a reason."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab("Learn").press("Next hint")
    tab.page.get_by_text("has one way").first.wait_for()
    first = tab.page.locator("#board .lines path").count()
    assert tab.page.locator("#board .lit path").count() == 6  # round both of its cells
    tab.press("Next hint")
    for _ in range(100):
        if tab.page.locator("#board .lines path").count() > first:
            break
        tab.page.wait_for_timeout(50)
    assert tab.page.locator("#board .lines path").count() > first
    tab.press("Show everything")
    assert tab.page.locator("#board .lines path").count() == 10
    tab.press("Hide the solution")
    assert tab.page.locator("#board .lines path").count() == 0
    tab.page.get_by_label("Flow to show").select_option(label="green")
    tab.press("Show this flow")
    assert tab.page.locator("#board .lines path").count() == 2
    assert "path green" in tab.said("1,1")


def test_the_solution_is_played_and_the_search_watched(tab: Tab) -> None:
    """To their ends; Minisat's numbers stand beside."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab("Learn").press("Watch the solution")
    tab.page.locator("#board .grow").first.wait_for(state="attached")
    tab.page.locator("#board .lines path:not(.grow)").first.wait_for(state="attached")
    tab.press("Watch the search")
    tab.page.get_by_text("Minisat, the solver used here").wait_for()
    slider = tab.page.get_by_label("Step of the search")
    slider.fill("0")
    slider.fill(str(slider.get_attribute("max")))
    tab.page.locator("output", has_text="step 21 of 21").wait_for()


def test_solutions_are_shown_one_after_another(tab: Tab) -> None:
    """On the board; the cells that differ are lit. Somebody may say that it is right nevertheless."""
    tab.choose(picture_of(SEVERAL)).hears("2 solutions")
    tab.tab("Learn").press("All solutions")
    shown = []
    for words in ("1 of 2", "2 of 2", "1 of 2"):
        tab.page.locator("#panel-Learn output", has_text=words).wait_for()
        assert tab.page.locator("#board .lit path").count() >= 4
        shown.append(tab.page.inner_html("#board .lines"))
        tab.press("The next solution")
    assert shown[0] == shown[2] != shown[1]
    tab.tab("Files").press("It is right").page.locator("#verdict.good").wait_for()
    tab.press("Another solution").page.locator("#panel-Learn output", has_text="1 of 2").wait_for()
    tab.tab("Files").page.locator("#next button", has_text="Save").wait_for()


def test_the_empty_page_offers_samples(tab: Tab) -> None:
    """Each is read and solved; a board on it is drawn to its end."""
    tab.page.wait_for_selector("#demo .lines path.grow:nth-child(10)", state="attached")
    for number in range(3):
        tab.page.locator("#samples button").nth(number).click()
        tab.hears("exactly one solution")
        tab.page.click("#home")


def test_stages_are_drawn_when_looked_at(tab: Tab) -> None:
    """A picture with a title for each."""
    asked: list[str] = []
    tab.page.on("request", lambda request: asked.append(request.url))
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    assert not [url for url in asked if "/stage" in url]
    tab.tab("Details")
    tab.page.wait_for_selector(".strip figure:nth-child(7)")
    assert len([url for url in asked if "/stage" in url]) == 1
    tab.holds("document.querySelector('.strip figure:nth-child(7) img').complete")
    small = tab.page.locator(".strip figure:nth-child(7) img").bounding_box()
    tab.page.locator(".strip figure:nth-child(7) button").click()
    tab.holds("document.querySelector('dialog.wide img').complete")
    large = tab.page.locator("dialog.wide img").bounding_box()
    assert large["width"] > 1.5 * small["width"]
    tab.page.keyboard.press("Escape")
    assert tab.page.locator("dialog.wide").is_hidden()


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
        tab.page.wait_for_selector("body:not(.busy)")
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


def test_the_saved_picture_is_that_of_the_library(tab: Tab) -> None:
    """Also once a dot was moved away and back."""
    data = picture_of(FIVE)
    tab.choose(data).hears("exactly one solution")
    with tab.page.expect_download() as download:
        tab.press("Save")
    assert download.value.suggested_filename == "shot.solved.png"
    with tab.page.expect_download() as animation:
        tab.tab("Files")
        tab.page.get_by_label("Form of the file").select_option("gif")
        tab.press("Save this form")
    assert animation.value.suggested_filename == "shot.solved.gif"
    assert Path(animation.value.path()).read_bytes().startswith(b"GIF89a")
    assert np.array_equal(decode(Path(download.value.path()).read_bytes()).bgr, solve_image(data).picture)


def test_pictures_of_a_visit_can_be_gone_back_to(tab: Tab) -> None:
    """Dropped one after another, or several at once: a strip with their verdicts."""
    tab.choose(picture_of(FIVE), "first.png").hears("exactly one solution")
    assert tab.page.locator("#visited button").count() == 0
    tab.choose(picture_of(SEVERAL), "second.png").hears("solutions")
    tab.page.locator("#visited button.warn[aria-pressed=true]").wait_for()
    tab.page.get_by_role("button", name="first.png: solved").click()
    tab.hears("exactly one solution")
    assert tab.text() == FIVE


def test_a_notice_goes_with_the_next_touch(tab: Tab) -> None:
    """Or key: it lies over what was at the top."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab("Correct").tap("1,1")
    tab.page.locator("#notice", has_text="The picture shows no dot here").wait_for()
    tab.tab("Files")
    assert tab.page.locator("#notice").is_hidden()
    tab.tab("Correct").tap("1,1")
    tab.page.locator("#notice", has_text="The picture shows no dot here").wait_for()
    tab.page.keyboard.press("Tab")
    assert tab.page.locator("#notice").is_hidden()


def test_a_phone_is_captured_and_played(browser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it is agreed to, and nothing before; another board than that of the page is not touched."""
    phone = FakePhone([level_of(FIVE)])
    with serving(FakeServer(phone.run)) as port:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(port))
        with served() as server:
            tab, agreed = Tab(browser, server).open(), iter([False, True])
            tab.page.on("dialog", lambda dialog: dialog.accept() if next(agreed) else dialog.dismiss())
            tab.page.click("#phone")
            tab.hears("exactly one solution").press("Play it on the phone")
            assert not [text for text in phone.asked if text.startswith("input")]
            tab.choose(picture_of(SEVERAL), "other.png").hears("solutions")
            tab.press("From the phone").hears("exactly one solution")  # also where a picture is open
            tab.press("Play it on the phone").page.locator(
                "#notice", has_text="Played on Fake Phone"
            ).wait_for()
            tab.close()
            other = server.post("/api/phone/play", SEVERAL.encode()).object
    assert phone.game.solved()
    assert not phone.strays
    assert other["error"]["code"] == "not-played"
    assert "another board" in other["error"]["message"]
