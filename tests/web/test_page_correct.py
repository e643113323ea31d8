"""A board is corrected, and one that the reader refuses never ends on green by itself."""

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

from flowvision.errors import PuzzleInvalidError
from flowvision.image.codec import decode, encode
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from tests.boards import places_of_pairs, rhombi
from tests.commands import NIGHTLY
from tests.drawing import CORNER, LEVEL_5X5, LINE, PITCH, UNSOLVABLE, cell_middle, screenshot_of
from tests.pictures import BY_NAME, ONE_ORANGE, covered, covered_board, scene, without_column
from tests.tools.copies import Traits, draw
from tests.tools.synthetic import THEMES, Style, draw_screenshot
from tests.web.chromium import Tab, drag, middle, needs_chromium, paths_of, picture_of, touch

pytestmark = needs_chromium

MIRRORED = "\n".join(row[::-1] for row in LEVEL_5X5.split()) + "\n"
ONE_OFF = "R.G.Y\n..B.O\n.....\n.G.Y.\nR.BO.\n"
"""``LEVEL_5X5`` with one dot read one cell off."""
AGAINST = "The picture has red at ①, not at ②."
MOVED = "Red moved from ① to ②."
AMBER = "Compare it with your screenshot."
"""The verdict on a board that is not confirmed."""


def kind(tab: Tab) -> str:
    return str(tab.page.locator("#verdict").get_attribute("class"))


def refuse_what_was_read(route: Any) -> None:
    """Answer with a refusal that has the right board."""
    made = route.fetch().json()
    board = made["board"] | {"flows": [{**flow, "doubts": [0.5, 0.0]} for flow in made["flows"]]}
    error = {"code": "doubtful-reading", "message": "The weakest dot is not sure enough.", "hint": ""}
    seen = {"picture": made["seen"]["picture"], "board": board}
    route.fulfill(status=422, json={"ok": False, "error": error, "seen": seen})


def shown_pairs(tab: Tab) -> set[frozenset[tuple[int, int]]] | None:
    """The pairs of dots on the board; ``None`` where it is no puzzle."""
    text = tab.text()
    tab.tab("Correct")
    try:
        return places_of_pairs(parse(text))
    except PuzzleInvalidError:
        return None


def test_a_misread_dot_is_corrected_by_a_button_or_by_hand(tab: Tab) -> None:
    tab.choose(picture_of(ONE_OFF)).answers("unsolvable")
    tab.page.get_by_role("button", name="Move red ① to ②").click()
    tab.hears(MOVED).page.locator("#verdict.warn").wait_for()
    tab.press("Take it back").answers("unsolvable").page.keyboard.press("Control+y")
    tab.hears(MOVED).page.keyboard.press("Control+z")
    tab.answers("unsolvable")
    tab.tap("4,0").tap("4,1").hears(AGAINST)
    for mark in (".doubtful", "circle.gone"):
        assert tab.page.locator(f"#board .rings {mark}").count() == 1
    assert tab.page.locator("#next .main").count() == 0, (
        "what the user has put is not undone by the first button"
    )
    tab.press("Follow the picture").answers("unsolvable").page.click("#undo")
    tab.hears(AGAINST)
    assert parse(tab.text()).puzzle == parse(LEVEL_5X5).puzzle
    tab.tab("Correct").press("Keep my board").hears("You checked this board").tab("Answer")
    tab.page.get_by_role("button", name="Save", exact=True).wait_for()
    assert kind(tab) == "own"


def test_every_tool_changes_the_board(tab: Tab) -> None:
    tab.choose(picture_of(LEVEL_5X5)).answers("unique").look_at("Board")
    right = {"x": 0.9 * tab.cell("2,2").bounding_box()["width"], "y": 30}
    for tool, place, line, how in (
        ("Hole", "2,2", "..#..", {}),
        ("Bridge", "2,2", "..+..", {}),
        ("Warp", "2,0", "warp 3,1/3,5", {}),
        ("Wall", "2,2", "wall 3,3/3,4", {"position": right}),
        ("Erase", "0,0", "..G.Y", {}),
    ):
        tab.tab("Correct").press(tool).tap(place, **how)
        assert line in tab.text()
        tab.page.click("#undo")
        assert tab.text() == LEVEL_5X5


ON_SCREEN = """([x, y]) => {
  const there = new DOMPoint(x, y).matrixTransform(document.querySelector("#overlay").getScreenCTM());
  return [there.x, there.y];
}"""
"""Maps a pixel of the picture to the screen."""


def test_dots_have_the_colours_of_the_picture(tab: Tab) -> None:
    tab.choose(picture_of(LEVEL_5X5)).answers("unique").tab("Correct").look_at("Both")
    dots = [(row, col) for row, line in enumerate(LEVEL_5X5.split()) for col in range(5) if line[col] != "."]
    for times in range(2):
        for row, col in dots:
            tab.page.mouse.click(*tab.page.evaluate(ON_SCREEN, cell_middle(row, col)))
        if not times:
            tab.hears("Click two cells").tap("2,2")
            tab.page.locator("#notice", has_text="no dot here").wait_for()
    tab.answers("unique").hears("Click a dot")
    assert parse(tab.text()).puzzle == parse(LEVEL_5X5).puzzle


def test_a_dot_that_is_covered_in_part_takes_the_colour_that_was_touched(tab: Tab) -> None:
    """In the middle of the cell there is the finger; the saved picture has what was tapped in."""
    bgr = screenshot_of(LEVEL_5X5)
    for row, col in ((1, 4), (4, 3)):
        x, y = cell_middle(row, col)
        a_little_right = (x + 9, y)  # so that the left end of the dot shows
        cv2.ellipse(bgr, a_little_right, (18, 27), 0, 0, 360, (120, 150, 210), -1)
    tab.choose(encode(bgr)).tab("Correct").look_at("Both").press("Erase")
    for row, col in ((1, 4), (4, 3)):
        if "dot" in tab.label(f"{row},{col}"):  # the finger's tip was taken for one
            tab.tap(f"{row},{col}")
    tab.press("Dot").press("Auto")
    for row, col in ((1, 4), (4, 3)):
        x, y = cell_middle(row, col)
        tab.page.mouse.click(*tab.page.evaluate(ON_SCREEN, [x - 18, y]))
    assert "orange" in tab.label("1,4")
    assert shown_pairs(tab) == places_of_pairs(parse(LEVEL_5X5))
    with tab.answers("unique").tab("Answer").page.expect_download() as download:
        tab.press("Save")
    assert decode(download.value.path().read_bytes()).bgr.shape == bgr.shape


LOOKS = """async () => {
  const [{ looksOf }, { store }] = await Promise.all([import("/picture.js"), import("/state.js")]);
  return [...looksOf(store.now)].map(([key, { kind }]) => [key, kind]);
}"""


def test_dots_differ_from_ground_in_light_themes_and_noisy_pictures(tab: Tab) -> None:
    """What a cell shows is measured in the browser, also of a photograph or a bad JPEG."""
    plain = Traits(
        ground="white",
        cells="lines",
        line_px=2,
        palette="web",
        dot=0.33,
        rim="none",
        letters=False,
        played=0.0,
        pipe=0.25,
        tint=False,
        aspect=1.0,
        pitch_px=60,
        furniture=True,
    )
    dots = {
        f"{row},{col}" for row, line in enumerate(LEVEL_5X5.split()) for col in range(5) if line[col] != "."
    }
    for n, ground in enumerate(("white", "cream", "light grey", "cyan", "slate")):
        bgr = draw(LEVEL_5X5, replace(plain, ground=ground, dot=(0.28, 0.33, 0.4)[n % 3]), Random(n))
        noise = np.random.default_rng(n).normal(0, 8, bgr.shape)
        photo = cv2.GaussianBlur(np.clip(bgr + noise, 0, 255).astype(np.uint8), (0, 0), 1.2)
        for name, data in (("drawn", encode(bgr)), ("photo", cv2.imencode(".jpg", photo)[1].tobytes())):
            tab.choose(data, f"{ground} {name}").has_cells(25)
            kinds = dict(tab.page.evaluate(LOOKS))
            assert {key for key, kind in kinds.items() if kind == "dot"} == dots, (ground, name)
            assert {key for key, kind in kinds.items() if kind == "cover"} == set(), (ground, name)


def test_bars_of_the_game_behind_a_board_are_ground(tab: Tab) -> None:
    named = parse(LEVEL_5X5)
    for n in range(3):
        drawn = draw_screenshot(named.board, named.puzzle, Style(THEMES["old"]), seed=n)
        tab.choose(encode(drawn.screenshot.bgr), f"{n}.png").has_cells(25)
        kinds = tab.page.evaluate(LOOKS)
        assert {key for key, kind in kinds if kind != "ground"} == {
            f"{row},{col}" for pair in places_of_pairs(named) for row, col in pair
        }


def test_a_side_is_moved_by_a_tap_by_keys_and_by_dragging(tab: Tab) -> None:
    tab.choose(picture_of(LEVEL_5X5)).answers("unique").tab("Correct").press("Outline")
    handle = tab.page.get_by_role("button", name="Leave out the column at the right")
    for name, cells in (("Leave out the column at the right", 20), ("Add a column at the right", 30)):
        tab.page.get_by_role("button", name=name).focus()
        tab.page.keyboard.press("Enter")
        tab.has_cells(cells).page.click("#undo")
        tab.has_cells(25)
    handle.click()
    tab.has_cells(20).page.click("#undo")
    box, cell = tab.has_cells(25).page.locator("#overlay .outline").bounding_box(), handle.bounding_box()
    tab.page.mouse.move(cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2)
    tab.page.mouse.down()
    for share in (0.2, 0.4):  # one column of five, then two
        tab.page.mouse.move(
            cell["x"] + cell["width"] / 2 - box["width"] * share, box["y"] + box["height"] / 2
        )
    tab.page.mouse.up()
    tab.has_cells(15)


def test_a_row_with_dots_that_was_left_out_is_offered(tab: Tab) -> None:
    tab.choose(picture_of(LEVEL_5X5)).answers("unique").tab("Correct").press("Outline")
    tab.press("Leave out the row at the bottom").has_cells(20).press("Add the bottom row").has_cells(25)
    assert parse(tab.text()).puzzle == parse(LEVEL_5X5).puzzle
    assert kind(tab) == "warn"


def test_dots_set_against_the_picture_are_put_back(tab: Tab) -> None:
    tab.choose(picture_of(LEVEL_5X5)).answers("unique").tab("Correct").look_at("Board")
    for place in ("0,0", "2,2", "4,1", "2,4"):
        tab.tap(place)
    tab.press("Put back what the picture shows").answers("unique")
    assert parse(tab.text()).puzzle == parse(LEVEL_5X5).puzzle


def test_sizes_change_the_board_and_read_nothing(tab: Tab) -> None:
    urls: list[str] = []
    tab.page.on("request", lambda one: urls.append(one.url) if "/api/solve" in one.url else None)
    tab.choose(picture_of(ONE_ORANGE)).hears("no partner").press("Outline").press(
        "Add a row at the bottom"
    ).has_cells(30)
    assert tab.page.locator("#board .dots circle").count() == 9  # one dot of ten is missing
    tab.press("Leave out the row at the bottom").has_cells(25)
    assert tab.text() == ONE_ORANGE
    assert len(urls) == 1
    tab.tab("Correct").press("Outline").press("Add a column at the right").press("Read again").hears(
        "the lines show 5 columns and 5 rows"
    )
    assert "grid=6x5" in urls[1]
    tab.press("Read it as 5 × 5").hears("no partner").has_cells(25)


BOX = """one => {
  const { x, y, width, height } = one.getBBox();
  return { left: x, top: y, right: x + width, bottom: y + height, scale: one.getScreenCTM().a };
}"""


def move_corner(tab: Tab, name: str, x: float, y: float) -> None:
    box = tab.page.locator("#overlay .outline").evaluate(BOX)
    vertical, horizontal = name.split()
    handle = tab.page.get_by_role("button", name=f"Part to read: {name} corner").bounding_box()
    start = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    tab.page.mouse.move(*start)
    tab.page.mouse.down()
    far = (x - box[horizontal]) * box["scale"], (y - box[vertical]) * box["scale"]
    tab.page.mouse.move(start[0] + far[0], start[1] + far[1], steps=5)
    tab.page.mouse.up()


def test_a_board_without_lines_is_read_with_help(tab: Tab) -> None:
    bgr = screenshot_of(LEVEL_5X5)
    bgr[np.all(bgr == LINE, axis=2)] = 0
    tab.choose(encode(bgr)).hears("No board").press("Mark the board myself").hears("5 × 5").has_cells(25)
    outline = tab.page.locator("#overlay .outline").evaluate(BOX)
    assert (outline["left"], outline["top"]) == pytest.approx(CORNER, abs=2)
    assert outline["right"] - outline["left"] == pytest.approx(5 * PITCH, abs=2)
    tab.press("Leave out the column at the left").press("Add a column at the left")
    marked, handle = (
        tab.page.locator("#overlay .outline").bounding_box(),
        tab.page.get_by_role("button", name="Leave out the row at the top").bounding_box(),
    )
    start = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    tab.page.mouse.move(*start)
    tab.page.mouse.down()
    tab.page.mouse.move(start[0], start[1] + marked["height"] * 2 / 5, steps=5)
    tab.page.mouse.up()
    tab.has_cells(15).page.click("#undo")
    tab.has_cells(25).hears("5 × 5")
    move_corner(tab, "top left", 0, 0)
    move_corner(tab, "top left", *CORNER)
    tab.press("Read this part").page.locator("#tab-Answer[aria-selected=true]").wait_for()
    assert kind(tab) == "good"
    assert parse(tab.text()).puzzle == parse(LEVEL_5X5).puzzle


def test_a_finger_taps_and_changes_nothing_elsewhere(phone: Tab) -> None:
    phone.choose(picture_of(LEVEL_5X5)).answers("unique").tab("Correct").look_at("Board").cell("0,0").tap(
        force=True
    )
    phone.answers("incomplete").page.click("#undo")
    for name in ("Answer", "Make"):
        phone.tab(name)
        for place in ("0,0", "2,2"):
            x, y = middle(phone, place)
            for dx, dy in ((0, 0), (0, -90), (90, 0), (60, 60)):
                touch(phone, [(x, y), (x + dx, y + dy)])
    assert phone.text() == LEVEL_5X5
    assert phone.page.locator("#undo").is_disabled()


def test_a_board_with_a_covered_dot_is_green_only_if_right_and_mostly_right_after_one_tap(tab: Tab) -> None:
    """At a landing one board each for a notch, a badge and a thumb."""
    all_boards, few_boards = product(range(5, 12), range(8)), [(5, 0), (6, 1), (7, 2)]
    boards = [covered_board(size, seed) for size, seed in (all_boards if NIGHTLY else few_boards)]
    sized = right = 0
    for n, board in enumerate(boards):
        tab.choose(board.png, f"{n}.png")
        assert kind(tab) != "good" or shown_pairs(tab) == board.pairs
        sized += tab.page.locator("#board .cell").count() == len(parse(board.text).board.layout.cells)
        place = f"{board.place[0]},{board.place[1]}"
        if kind(tab) != "good" and tab.cell(place).count() and "dot" not in tab.label(place):
            tab.tab("Correct").look_at("Both").tap(place)
        right += shown_pairs(tab) == board.pairs
        tab.page.click("#home")
    print(f"{len(boards)} boards: {sized} of the right size, {right} right after one dot")
    assert sized >= len(boards) * 50 // 56  # 50 of all 56 boards, and fewer in proportion
    assert right >= len(boards) * 45 // 56


def is_alone_in(circle: Any, row: int, col: int) -> bool:
    """Return whether there is one such circle, in the middle of a cell; the drawing has 100 units a cell."""
    middle = str(100 * col + 50), str(100 * row + 50)
    return circle.count() == 1 and (circle.get_attribute("cx"), circle.get_attribute("cy")) == middle


def test_a_guess_is_compared_until_the_user_confirms_it(tab: Tab) -> None:
    """Orange has dots at (1, 4) and (4, 3), of which the latter is covered. No detour makes it green."""
    tab.choose(encode(covered(screenshot_of(LEVEL_5X5), row=4, col=3, share=0.47)), "five.png").hears(
        "no partner"
    )
    ring = tab.page.locator("#board .rings circle")
    assert is_alone_in(ring, 1, 4)
    ghost, sign = tab.page.locator("#board .signs circle"), tab.page.locator("#board .signs text").last
    assert is_alone_in(ghost, 4, 3)
    assert (sign.text_content(), tab.label("4,3")) == ("②", "row 5, column 4, ②")
    tab.press("Put orange at ②").hears(AMBER).hears("Orange ② is a guess")
    assert (ghost.count(), ring.get_attribute("cx"), ring.get_attribute("cy")) == (0, "350", "450")
    drag(tab.tab("Play"), paths_of(LEVEL_5X5)[0])
    tab.tab("Correct").press("Take it back").hears("no partner").page.click("#redo")
    tab.hears(AMBER)
    tab.tab("Correct").press("Hole").tap("2,2")
    for name in ("#undo", "#redo", "#undo"):  # of the hole
        tab.page.click(name)
    for name in ("#home", "#undo"):  # leave the picture, and take that back
        tab.page.click(name)
    tab.hears(AMBER).choose(picture_of(MIRRORED), "other.png")
    tab.press("All pictures: 1 of 2 solved")
    tab.page.locator(".card[title='five.png']").click()
    tab.hears(AMBER).tab("Play")
    for path in paths_of(LEVEL_5X5):
        drag(tab, path)
    tab.hears("Solved as shown here")
    for name in ("Play", "Make", "Correct", "Answer"):
        assert kind(tab.tab(name)) == "warn", name
    assert tab.page.get_by_role("button", name="Save", exact=True).count() == 0
    tab.press("It is right").page.locator("#verdict.good").wait_for()
    assert ring.count() == 0


def test_nothing_is_drawn_while_the_verdict_is_red(tab: Tab) -> None:
    tab.choose(picture_of(ONE_ORANGE)).hears("no partner")
    assert kind(tab) == "bad"
    assert tab.lines("#work") == 0
    assert tab.page.locator("#board .dots circle").count() == 9  # one dot of ten is missing
    assert "doubtful" in tab.label("1,4")
    assert tab.page.locator("#overlay").is_visible()
    assert tab.page.locator("#board").is_visible()
    tab.choose(picture_of(UNSOLVABLE)).answers("unsolvable")
    assert tab.page.get_by_role("button", name="It is right").count() == 0
    tab.choose(encode(without_column("right"))).hears("cut off at the right")
    assert tab.page.locator("#next button", has_text="Move").count() == 0
    assert tab.page.locator("#board .signs path").count() == 1
    merged = scene(6, drawn=1.0).panel((1.5, 4.5), (0.6, 5.4), 20, "Perfect!")
    tab.choose(encode(merged)).press("Mark the board myself").has_cells(49)


def test_a_finger_drags_a_side_outwards(phone: Tab) -> None:
    phone.choose(picture_of(LEVEL_5X5)).answers("unique").tab("Correct").press("Outline")
    box = phone.page.get_by_role("button", name="Leave out the column at the left").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    cell = phone.page.locator("#overlay .outline").bounding_box()["width"] / 5
    touch(phone, [(x, y), (x - cell / 2, y), (x - cell, y)])
    phone.has_cells(30)


def test_cells_of_any_shape_are_tapped(tab: Tab) -> None:
    """A tap takes a dot of a star of rhombi off, the next one puts it back."""
    board = rhombi(arms=6, parts=3)
    puzzle, _ = random_puzzle(board, seed=1, colours=8)
    tab.page.route("**/api/solve*", refuse_what_was_read)
    tab.choose(encode(draw_screenshot(board, puzzle, Style(), seed=1).screenshot.bgr)).hears(AMBER)
    cell_of_a_dot = str(tab.page.locator("#board .held").first.get_attribute("data-key"))
    tab.tap(cell_of_a_dot).answers("incomplete").tap(cell_of_a_dot).hears(AMBER)


@pytest.mark.parametrize(
    ("name", "button"),
    [("row of buttons", "Read it as 5 × 5"), ("two pairs of red", "Read it with 5 colours")],
)
def test_the_reading_that_was_tried_is_the_main_button(tab: Tab, name: str, button: str) -> None:
    """``LEVEL_5X5`` above buttons that look like a sixth row, and with its two orange dots in red."""
    tab.choose(encode(BY_NAME[name].draw())).page.locator(".main:visible").get_by_text(button).click()
    tab.answers("unique")
    assert shown_pairs(tab) == places_of_pairs(parse(LEVEL_5X5))


def test_each_of_two_pairs_of_one_colour_has_a_swatch(tab: Tab) -> None:
    tab.choose(encode(BY_NAME["two pairs of red"].draw())).tab("Correct").look_at("Board")
    reds = [place for place in ("0,0", "1,4", "4,1", "4,3") if "dot red," in f"{tab.label(place)},"]
    tab.page.locator(".swatch[aria-label^='red 2']").click()
    pressed = tab.page.locator(".swatch[aria-pressed=true]").evaluate_all(
        "all => all.map((one) => one.ariaLabel.split(',')[0])"
    )
    assert pressed == ["red 2"]
    assert "red 2" in tab.tap(reds[0]).label(reds[0])


def test_of_two_boards_one_is_chosen(tab: Tab) -> None:
    tab.choose(encode(np.hstack([screenshot_of(LEVEL_5X5), screenshot_of(MIRRORED)]))).answers("unique")
    first = shown_pairs(tab)
    tab.tab("Answer").press("Read the other board").answers("unique")
    both = sorted([places_of_pairs(parse(LEVEL_5X5)), places_of_pairs(parse(MIRRORED))], key=str)
    assert sorted([first, shown_pairs(tab)], key=str) == both
