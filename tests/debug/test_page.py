"""The page: one file that tells the story, also in a browser, on a phone, in the dark, to everybody."""

import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flowvision import FlowvisionError, debug_page, solve_image
from flowvision.debug.page import DebugPage
from flowvision.image.codec import encode
from flowvision.image.picture import Bgr
from flowvision.reading.options import Options
from tests import pictures
from tests.drawing import FIVE, NONE, screenshot_of
from tests.web.chromium import AXE, LOOKS, needs_chromium

STAGES = ["Input", "Contours", "Sobel-X", "Sobel-Y", "Hough", "Cells", "Dots", "k-means", "CNF", "Solution"]


def page_of(bgr: Bgr, options: Options | None = None) -> DebugPage:
    try:
        return debug_page(solve_image(bgr, options))
    except FlowvisionError as error:
        return debug_page(error)


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """Pages of an answer, and of a refusal at each kind of stage."""
    return {
        "solved": page_of(screenshot_of(FIVE)),
        "hidden dot": page_of(pictures.hidden_dot()),
        "menu": page_of(pictures.menu()),
        "two boards": page_of(pictures.two_boards()),
        "nothing": page_of(np.zeros((200, 150, 3), np.uint8)),
    }


def test_a_page_needs_nothing_beside_it(pages: dict[str, str]) -> None:
    """All pictures are in it: no other file and no network; nor does it name the types of the code."""
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
    assert "--grid 5x5" in page


def test_names_are_only_text(tmp_path: Path) -> None:
    name = "<script>alert(1)<&'.png"
    shot = screenshot_of(FIVE)
    (tmp_path / name).write_bytes(encode(shot))
    page = debug_page(solve_image(tmp_path / name))
    assert page.count("<script") == 1
    assert "&lt;script&gt;alert(1)&lt;&amp;" in page


def test_a_refusal_begins_with_its_cause(pages: dict[str, str]) -> None:
    page = pages["hidden dot"]
    assert page.index("has no partner") < page.index("Look here first") < page.index("Every stage")
    assert page.index("in numbers") < page.index("Seen first in the picture") < page.index("Every stage")
    assert "✗ look here" in page


def test_a_wrong_option_is_no_fault_of_the_picture() -> None:
    """Over the picture it is said which option is wrong; it is fine where it was read with a better one."""
    page = page_of(screenshot_of(FIVE, 120, (12, 300)), Options(grid="6x6"))
    assert "<code><span>--grid</span></code> is wrong, the picture is fine" in page
    assert "What is wrong, marked" not in page
    page = page_of(screenshot_of(NONE, 120, (12, 300)), Options(grid="9x7"))
    assert "<code><span>--grid</span></code> is wrong for this picture" in page


def test_an_error_of_another_process_has_no_picture() -> None:
    with pytest.raises(FlowvisionError) as caught:
        solve_image(screenshot_of(NONE))
    with pytest.raises(ValueError, match="solve it again here"):
        debug_page(pickle.loads(pickle.dumps(caught.value)))


@needs_chromium
@pytest.mark.skipif(not AXE.exists(), reason=f"no axe-core at {AXE}")
@pytest.mark.parametrize(("scheme", "size"), LOOKS)
def test_everyone_can_use_a_page(pages, browser, tmp_path, scheme, size):
    """Folded and unfolded: nothing to scroll sideways, no error, and axe-core has nothing to object to."""
    tab = browser.new_page(viewport=size, color_scheme=scheme)
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    for name, page in pages.items():
        path = tmp_path / f"{name}.html"
        path.write_text(page)
        tab.goto(path.as_uri())
        for _ in ("folded", "unfolded"):
            assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
            tab.evaluate(AXE.read_text())
            assert tab.evaluate("axe.run().then(found => found.violations.map(one => one.id))") == [], name
            tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    tab.close()
    assert wrong == []


@needs_chromium
def test_the_slider_and_the_copy_buttons_work(pages: dict[str, str], browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(pages["solved"])
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    tab = context.new_page()
    tab.goto(path.as_uri())
    tab.locator("input[type=range]").fill("20")
    assert "20%" in tab.evaluate("document.querySelector('.slider').style.cssText")
    tab.locator("button[data-copy=board]").click()
    tab.wait_for_function("document.querySelector('button[data-copy=board]').textContent === 'Copied'")
    context.close()
