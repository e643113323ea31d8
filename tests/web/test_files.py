"""What is taken away from the page: pictures, text, links, and prints."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flowvision.image.codec import decode
from flowvision.pipeline import solve_image
from tests.drawing import FIVE, SEVERAL
from tests.web.chromium import Tab, needs_chromium, picture_of
from tests.web.serving import Serving

pytestmark = needs_chromium


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


def test_files_hold_what_they_are_called(tab: Tab) -> None:
    """The puzzle, or its solution, as text; what is shown moves where a moving one was chosen."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution").tab("Files")
    tab.page.get_by_label("Form of the file").select_option("solution")
    with tab.page.expect_download() as saved:
        tab.press("Save this form")
    assert saved.value.path().read_text().split()[0] == "RGGYY"
    tab.page.get_by_label("Form of the file").select_option("gif")
    with tab.page.expect_response("**/api/picture*") as shown:
        tab.press("Show it here")
    assert "format=gif" in shown.value.url
    tab.page.get_by_label("Form of the file").select_option("text")
    tab.tab("Correct").tap("0,0").hears("has 1 dot").tab("Files")
    assert tab.page.get_by_label("Form of the file").input_value() == "text"


def test_of_a_form_that_is_no_picture_the_picture_is_shown(tab: Tab) -> None:
    """Whether one can be shown is told with each form."""

    def tell_of_text(route: Any) -> None:
        told = route.fetch().json()
        told["formats"].append(["csv", "CSV", ".csv", False])
        route.fulfill(json=told)

    tab.page.route("**/api/about*", tell_of_text)
    tab.page.reload()
    tab.choose(picture_of(FIVE)).hears("exactly one solution").tab("Files")
    tab.page.get_by_label("Form of the file").select_option("csv")
    with tab.page.expect_response("**/api/picture*") as shown:
        tab.press("Show it here")
    assert "format=png" in shown.value.url
    tab.page.wait_for_function("() => document.querySelector('img.result').naturalWidth > 0")


def test_files_wait_for_one_another(tab: Tab) -> None:
    """Three that are asked for at once all come."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    tab.tab("Files")
    found: list[str] = []
    arrived = threading.Event()
    tab.page.on("download", lambda download: found.append(download.suggested_filename))
    tab.press("Save")
    for name in ("gif", "text"):
        tab.page.get_by_label("Form of the file").select_option(name)
        tab.press("Save this form")
    for _ in range(400):
        if len(found) == 3:
            arrived.set()
            break
        tab.page.wait_for_timeout(50)
    assert len(found) == 3, found


def test_all_that_is_solved_is_saved_by_one_button(tab: Tab) -> None:
    """Each picture in a file named after it; what is not solved has none."""
    for name, text in (("a.png", FIVE), ("b.png", SEVERAL), ("c.png", FIVE)):
        tab.choose(picture_of(text), name).hears("solution")
    files: list[str] = []
    tab.page.on("download", lambda one: files.append(one.suggested_filename))
    with tab.page.expect_download(lambda one: one.suggested_filename == "c.solved.png"):
        tab.press("Save all 2 solved").page.get_by_text("c.solved.png is ready").first.wait_for()
    assert files == ["a.solved.png", "c.solved.png"]


def test_a_board_of_more_colours_than_letters(tab: Tab) -> None:
    """Its text and link are records, its solution is JSON: no colour is a question mark."""
    pairs = [[[row, 2 * n], [row, 2 * n + 1]] for row in range(10) for n in range(7)]
    record = {"rows": 10, "cols": 14, "topology": "square", "pairs": pairs}
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.page.click("#blank")
    tab.tab("Make").page.fill("textarea", json.dumps(record))
    tab.hears("exactly one solution").tab("Files")
    copied = {}
    for name, words in (("Puzzle", "puzzle"), ("Solution", "solution"), ("Link", "link that opens")):
        tab.press(name).page.locator("#panel-Files [role=status]", has_text=words).wait_for()
        copied[name] = str(tab.page.evaluate("navigator.clipboard.readText()"))
    assert json.loads(copied["Puzzle"])["pairs"] == pairs
    assert [flow["path"] for flow in json.loads(copied["Solution"])["flows"]] == pairs
    with tab.page.expect_download() as download:
        tab.press("Save this form")
    assert decode(Path(download.value.path()).read_bytes()).bgr.shape[1] > 300
    fragment = copied["Link"].partition("#")[2]
    other = Tab(tab.context.browser, tab.server).open(f"&{fragment}").hears("exactly one solution")
    assert json.loads(other.text())["pairs"] == pairs
    other.close()


def numbers_of(link: str) -> dict[tuple[int, int], int]:
    """The numbers of a board at puzz.link, as its own player decodes them (pzpr, `decodeNumber16`)."""
    cols, rows, text = re.fullmatch(r"https://puzz\.link/p\?numlin/(\d+)/(\d+)/(\w[\w+-]*)", link).groups()
    made, at = {}, 0
    for skipped, two, three, one in re.findall(r"([g-z])|-(\w\w)|\+(\w{3})|([0-9a-f])", text):
        if skipped:
            at += int(skipped, 36) - 15
        else:
            made[divmod(at, int(cols))] = int(two or three or one, 16)
            at += 1
    assert at <= int(rows) * int(cols)
    return made


@pytest.mark.parametrize("size", [(5, 5), (10, 14), (40, 7)])
def test_a_link_for_anybody(tab: Tab, size: tuple[int, int]) -> None:
    """At puzz.link each pair has a number; a board with more than dots has no such link."""
    rows, cols = size
    many = [((row, 0), (row, cols - 1)) for row in range(rows)] if rows != 10 else []
    pairs = many or [((row, 2 * n), (row, 2 * n + 1)) for row in range(10) for n in range(7)]
    record = {"rows": rows, "cols": cols, "topology": "square", "pairs": pairs}
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.page.click("#blank")
    tab.tab("Make").page.fill("textarea", json.dumps(record))
    tab.has_cells(rows * cols).tab("Files")
    tab.page.get_by_text("A link for people without Flowvision").click()
    tab.press("Copy the puzz.link address")
    tab.page.locator("#panel-Files [role=status]", has_text="link for anybody").wait_for()
    link = str(tab.page.evaluate("navigator.clipboard.readText()"))
    assert numbers_of(link) == {place: n for n, pair in enumerate(pairs, 1) for place in pair}
    tab.tab("Correct").press("Hole").tap("0,1" if many else "0,0").tab("Files")
    assert tab.page.get_by_role("button", name="puzz.link").count() == 0


@pytest.mark.parametrize("width", [390, 1300])
def test_on_paper_there_is_the_board_alone(browser: Any, server: Serving, width: int) -> None:
    """On small paper too, and whatever is looked at; in ink on white."""
    tab = Tab(browser, server, viewport={"width": width, "height": 800}, color_scheme="dark").open()
    tab.choose(picture_of(FIVE)).hears("exactly one solution").look_at("Picture")
    tab.page.emulate_media(media="print")
    assert tab.page.locator("#board").is_visible()
    for name in ("header", "#say", "#side", "#picture-pane", "#visited"):
        assert tab.page.locator(name).is_hidden(), name
    paper = decode(tab.page.screenshot()).bgr
    assert np.mean(np.all(paper > 250, axis=-1)) > 0.5
    for landscape in (False, True):
        assert len(re.findall(rb"/Type\s*/Page\b", tab.page.pdf(format="A4", landscape=landscape))) == 1
    tab.close()


def test_a_board_is_printed_on_one_page(tab: Tab) -> None:
    """However the paper lies: it begins on the first page, and there is no other."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    margin = dict.fromkeys(("top", "bottom", "left", "right"), "20mm")
    for width, height in (("210mm", "297mm"), ("297mm", "210mm"), ("200mm", "200mm")):
        data = tab.page.pdf(width=width, height=height, margin=margin)
        assert len(re.findall(rb"/Type\s*/Page\b", data)) == 1, (width, height)
