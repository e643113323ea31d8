import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flowvision import Answer, FlowvisionError, debug_page, solve_image
from flowvision.debug.canvas import GREEN, GREY, MARGIN, RED, Canvas, board_box
from flowvision.debug.page import command_of, page_of, story_of, write_story
from flowvision.errors import OutputError
from flowvision.export.answer import answer_to
from flowvision.image.codec import decode, encode
from flowvision.image.picture import Bgr, Screenshot
from flowvision.puzzle.text import parse
from flowvision.reading.options import Options
from flowvision.words import Change, Option, Without
from tests import pictures
from tests.boards import SPECIAL_BOARDS
from tests.commands import ROOT
from tests.drawing import LEVEL_5X5, UNSOLVABLE, rings_shot, screenshot_of
from tests.tools.synthetic import Style, draw_screenshot
from tests.web.chromium import LOOKS, assert_usable, needs_axe, needs_chromium

pytestmark = pytest.mark.xdist_group("test_page")
"""All in one process: ``pages`` draws two refusals."""
STAGES = ["Input", "Contours", "Sobel-X", "Sobel-Y", "Hough", "Cells", "Dots", "k-means", "CNF", "Solution"]


NOTHING = np.zeros((200, 150, 3), np.uint8)


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    pictures_by_name = {
        "solved": screenshot_of(LEVEL_5X5),
        "hidden dot": pictures.hidden_dot(),
        "menu": pictures.menu(),
        "nothing": NOTHING,
    }
    return {name: page_of(story_of(answer_to(bgr))) for name, bgr in pictures_by_name.items()}


def test_a_page_needs_nothing_beside_it_and_shows_no_objects_of_python(pages: dict[str, str]) -> None:
    for page in pages.values():
        sources = re.findall(r'(?:src|href)="([^"]*)"', page)
        assert sources
        assert all(source.startswith(("data:image/", "#")) for source in sources)
        text = re.sub(r"<style>.*?</style>|<script>.*?</script>|data:[^\"]*", "", page, flags=re.S)
        assert not re.search(r"GridFit|CellFit|ndarray|NoneType|object at 0x|None\b", text)


def test_a_page_tells_the_story_in_order(pages: dict[str, str]) -> None:
    page = pages["solved"]
    places = [page.index(name) for name in ("exactly one solution", *STAGES, "What was tried")]
    assert places == sorted(places)
    assert "R.G.Y" in page


def test_names_are_only_text(tmp_path: Path) -> None:
    name = "<script>alert(1)<&'.png"
    (tmp_path / name).write_bytes(encode(screenshot_of(LEVEL_5X5)))
    page = debug_page(solve_image(tmp_path / name))
    assert page.count("<script") == 1
    assert "&lt;script&gt;alert(1)&lt;&amp;" in page


def test_a_refusal_begins_with_its_cause(pages: dict[str, str]) -> None:
    page = pages["hidden dot"]
    assert page.index("has no partner") < page.index("Look here first") < page.index("Every stage")


def test_an_error_of_another_process_has_no_picture() -> None:
    with pytest.raises(FlowvisionError) as caught:
        solve_image(screenshot_of(UNSOLVABLE))
    with pytest.raises(ValueError, match="another process"):
        debug_page(pickle.loads(pickle.dumps(caught.value)))


@needs_chromium
@needs_axe
@pytest.mark.sweep(at_landing=2)
@pytest.mark.parametrize("look", LOOKS)
def test_everyone_can_use_a_page(pages, browser, tmp_path, look):
    for name, page in pages.items():
        for text in (page, page.replace("<details", "<details open")):
            (tmp_path / f"{name}.html").write_text(text)
            assert_usable(browser, tmp_path / f"{name}.html", look)


@needs_chromium
def test_the_slider_and_the_copy_buttons_work(pages: dict[str, str], browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(pages["solved"])
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    tab = context.new_page()
    tab.goto(path.as_uri())
    tab.locator("input[type=range]").fill("20")
    assert "20%" in tab.evaluate("document.querySelector('.slider').style.cssText")
    tab.locator("button[data-copy]").first.click()
    tab.wait_for_function("document.querySelector('button[data-copy]').textContent === 'Copied'")
    context.close()


def files_of(bgr: Bgr, folder: Path) -> set[str]:
    """Write the story of a picture into a folder; return the names in it."""
    write_story(folder, story_of(answer_to(bgr)))
    return {path.name for path in folder.iterdir()}


PICTURES = (
    "00-input", "00b-cause", "01-board", "02-sobel-x", "02b-sobel-y", "03-grid", "03b-sides", "04-dots",
    "05-clusters", "05b-crossings", "06-cnf", "07-solution",
)  # fmt: skip


OF_A_PLAIN_BOARD = {f"{name}.png" for name in PICTURES} - {"00b-cause.png", "05b-crossings.png"}


def test_a_solved_board_has_a_picture_of_every_stage(tmp_path: Path) -> None:
    assert files_of(screenshot_of(LEVEL_5X5), tmp_path) == {"index.html", *OF_A_PLAIN_BOARD}
    for name in OF_A_PLAIN_BOARD:
        bgr = decode((tmp_path / name).read_bytes()).bgr
        assert max(bgr.shape) >= 500
        assert bgr.std() > 5


def test_a_board_without_lines_has_no_pictures_of_them(tmp_path: Path) -> None:
    of_lines = {"02-sobel-x.png", "02b-sobel-y.png"}
    assert files_of(rings_shot(LEVEL_5X5), tmp_path) == {"index.html", *OF_A_PLAIN_BOARD - of_lines}


def answer_on(name: str) -> Answer:
    """Return the answer to a picture of a board of ``SPECIAL_BOARDS``."""
    named = parse(SPECIAL_BOARDS[name])
    return answer_to(draw_screenshot(named.board, named.puzzle, Style(), seed=1).screenshot.bgr)


def test_captions_name_all_variables_and_their_units() -> None:
    captions = {panel.name: panel.caption for panel in story_of(answer_on("bridge")).panels}
    # "… variables: … lines …; … binary digits of the colour in each of … cells, a bridge counted twice, …".
    variables, lines, digits, cells = map(int, re.findall(r"[0-9]+", captions["06-cnf.png"])[:4])
    graph = parse(SPECIAL_BOARDS["bridge"]).board.graph
    assert (lines, cells) == (len(graph.edges), graph.size)
    switch_of_strict_rule = 1
    assert variables == lines + digits * cells + switch_of_strict_rule
    assert re.search(r"by at least [0-9.]+ in Lab", captions["05-clusters.png"])


def colours_at(answer: Answer, panel: str, points: Any) -> Any:
    """Return the colours of a debug picture, blue first, at points of the board."""
    (bgr,) = (each.bgr for each in story_of(answer).panels if each.name == panel)
    reading = answer.reading
    canvas = Canvas(answer.shot.bgr, board_box(reading.board, reading.frame))
    x, y = canvas.at(reading.frame.to_px(points)).round().astype(int).T
    return bgr[y, x].astype(int)


@pytest.fixture(scope="module")
def walled() -> Answer:
    return answer_on("holes and walls")


def middles_of_sides(answer: Answer) -> list[tuple[float, float]]:
    return [middle for ((_, middle, _),) in answer.reading.board.layout.strokes]


def test_open_sides_are_green_and_walls_are_red(walled: Answer) -> None:
    walls = [(1.5, 2), (5, 1.5), (1.5, 3), (5, 3.5)]  # the middles of some sides, x and y in cells
    assert (colours_at(walled, "03b-sides.png", middles_of_sides(walled)) == GREEN).all()
    assert (colours_at(walled, "03b-sides.png", walls) == RED).all()


def test_sides_have_the_colour_of_their_flow_in_the_formula(walled: Answer) -> None:
    paths = enumerate(walled.outcome.solution.paths)
    flow_of = {edge: flow for flow, path in paths for edge in path.edges}
    middles = middles_of_sides(walled)
    expected = [
        walled.reading.palette[flow_of[edge]][::-1] if edge in flow_of else GREY
        for edge in range(len(middles))
    ]
    assert (colours_at(walled, "06-cnf.png", middles) == expected).all()


def test_dots_have_their_colours(walled: Answer) -> None:
    reading = walled.reading
    centres = [reading.board.layout.cell_at(dot).centre for pair in reading.puzzle.terminals for dot in pair]
    two_of_each = np.repeat([colour[::-1] for colour in reading.palette], 2, axis=0)
    assert (colours_at(walled, "04-dots.png", np.array(centres) - (0.2, 0)) == two_of_each).all()


def test_warps_are_drawn_in_green() -> None:
    """A warp has two strokes, one at each end of its row or column."""
    answer = answer_on("warp")
    strokes_of_edges = answer.reading.board.layout.strokes
    middles = [np.mean(stroke, axis=0) for strokes in strokes_of_edges for stroke in strokes]
    is_of_warp = [len(strokes) > 1 for strokes in strokes_of_edges for _ in strokes]
    is_green = (colours_at(answer, "05b-crossings.png", middles) == GREEN).all(axis=1)
    assert is_green.tolist() == is_of_warp


@pytest.mark.parametrize(
    ("bgr", "last", "code"),
    [
        (NOTHING, "01-board", "board-not-found"),
        (screenshot_of(".....\n.....\n.....\n"), "04-dots", "no-dots"),
        (screenshot_of(LEVEL_5X5.replace("R", ".", 1)), "04-dots", "odd-dots"),
        (screenshot_of(UNSOLVABLE), "07-solution", "unsolvable"),
    ],
)
def test_the_stage_that_failed_has_its_picture(tmp_path: Path, bgr: Bgr, last: str, code: str) -> None:
    names = files_of(bgr, tmp_path)
    assert max(name for name in names if name.endswith(".png")) == f"{last}.png"
    assert code in (tmp_path / "index.html").read_text()


def test_pictures_of_an_earlier_run_are_removed(tmp_path: Path) -> None:
    (tmp_path / "mine.png").write_bytes(b"kept")
    files_of(screenshot_of(LEVEL_5X5), tmp_path)
    names = files_of(NOTHING, tmp_path)
    assert names == {"00-input.png", "00b-cause.png", "01-board.png", "mine.png", "index.html"}


@pytest.mark.parametrize("name", ["index.html", "06-cnf.png", ".flowvision"])
def test_files_of_the_user_stay(tmp_path: Path, name: str) -> None:
    if name == ".flowvision":
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_bytes(b"mine")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(OutputError):
        files_of(screenshot_of(LEVEL_5X5), tmp_path)
    assert sorted(tmp_path.iterdir()) == before


def test_nothing_is_drawn_of_a_file_that_is_no_picture(tmp_path: Path) -> None:
    write_story(tmp_path, story_of(answer_to(b"no picture")))
    assert {path.name for path in tmp_path.iterdir()} == {"index.html"}
    assert "image-unreadable" in (tmp_path / "index.html").read_text()


def test_every_picture_is_explained() -> None:
    docs = (ROOT / "docs" / "debug.md").read_text()
    assert [name for name in PICTURES if f"`{name}.png`" not in docs] == []


SHOT = Screenshot(np.zeros((9, 9, 3), np.uint8), "my shot.png")


@pytest.mark.parametrize(
    ("options", "advice", "command"),
    [
        (
            Options(grid="5x7", colours=4),
            (Change((0, 1), "."), Change((1, 1), "R")),
            "--grid 5x7 --colours 4 --set 1,2=. --set 2,2=R",
        ),
        (Options(crop=(1, 2, 3, 4)), (Without("crop"),), ""),
        (Options(crop=(1, 2, 3, 4)), (Option("crop", "5,6,7,8"),), "--crop 5,6,7,8"),
    ],
)
def test_the_command_combines_options_and_advice(options: Options, advice: tuple, command: str) -> None:
    assert command_of(SHOT, options, advice) == f"flowvision 'my shot.png' {command}".strip()


@pytest.mark.parametrize("options", [Options(grid="6x6"), Options(crop=(20, 310, 300, 300))])
def test_a_wrong_option_shows_the_whole_picture(options: Options) -> None:
    bgr = screenshot_of(LEVEL_5X5, pitch=120, corner=(12, 300))
    marked = story_of(answer_to(bgr, options)).marked.bgr
    margin = round(MARGIN * max(bgr.shape[:2]))
    height, width = bgr.shape[0] + 2 * margin, bgr.shape[1] + 2 * margin
    assert marked.shape[0] / marked.shape[1] == pytest.approx(height / width, abs=0.02)
