"""A real browser for tests: Chromium, where there is one."""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import pytest

from flowvision.image.codec import encode
from flowvision.puzzle.text import parse
from flowvision.solvers import solve
from tests.commands import PATIENCE, wait_until
from tests.drawing import screenshot_of
from tests.web.serving import Serving

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
"""The first takes three quarters of the time of the others: it has no windows to draw."""


def executable() -> str | None:
    """Return the place of Chromium, or of what ``FLOWVISION_CHROMIUM`` names."""
    given = os.environ.get("FLOWVISION_CHROMIUM")
    return given or next((found for name in NAMES if (found := shutil.which(name))), None)


needs_chromium = pytest.mark.skipif(
    executable() is None, reason=f"no Chromium here: install it to test the page (apt-get install {NAMES[0]})"
)


def picture_of(text: str) -> bytes:
    return encode(screenshot_of(text))


@contextmanager
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Tab:
    """The page of a server, opened; what goes wrong in it is kept."""

    def __init__(self, browser: Any, server: Serving, **context: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1300, "height": 900}, **context})
        self.context.set_default_timeout(400 * PATIENCE)
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.expected = {422}
        """Statuses that are no fault: of a picture that is refused."""
        self.devtools = self.context.new_cdp_session(self.page)
        self.server = server
        self.watch(self.page)

    def watch(self, page: Any) -> None:
        """Keep what goes wrong: errors, statuses that are not expected, requests of another origin."""
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda note: self._logged(note.text) if note.type == "error" else None)
        page.on("request", lambda request: self._requested(request.url))

    def _logged(self, text: str) -> None:
        status = re.match(r"Failed to load resource: .* status of (\d+)", text)
        if not status or int(status[1]) not in self.expected:
            self.wrong.append(text)

    def _requested(self, url: str) -> None:
        if not url.startswith((f"{self.server.origin}/", f"blob:{self.server.origin}/")):
            self.wrong.append(url)

    def open(self) -> Self:
        self.page.goto(f"{self.server.origin}/#code={self.server.gate.keys.new_code()}")
        self.page.wait_for_selector("body[data-ready]")
        return self

    def choose(self, data: bytes, name: str = "shot.png", kind: str = "image/png") -> Self:
        """Choose a picture, and wait until it is read, and no verdict of one before it is seen."""
        shown = "() => document.querySelector('#overlay image')?.getAttribute('href')"
        before = self.page.evaluate(shown)
        self.begin(data, name, kind)
        self.page.wait_for_selector("#picture-pane:not([hidden])", state="attached")
        self.holds(f"before => ({shown})() !== before", before)
        return self.is_read()

    def begin(self, data: bytes, name: str, kind: str = "image/png") -> Self:
        self.page.set_input_files("#file", file_of(data, name, kind))
        return self

    def is_read(self) -> Self:
        """Wait until no picture is read, and there is a verdict."""
        self.page.wait_for_selector(
            "body:not(.busy) #verdict.good, body:not(.busy) #verdict.warn, body:not(.busy) #verdict.bad"
        )
        return self

    def hears(self, words: str) -> Self:
        self.page.locator("#verdict, #more", has_text=words).first.wait_for()
        return self

    def answers(self, state: str) -> Self:
        """Wait until the board is answered: ``unique``, or a status of ``Answer`` in the page's scripts."""
        self.page.locator(f'#work[data-answer="{state}"]').wait_for()
        return self

    def holds(self, script: str, given: Any = None) -> Self:
        """Wait until a script says so."""
        self.page.wait_for_function(script, arg=given)
        return self

    def has_cells(self, count: int) -> Self:
        """Wait until the board has just so many cells: one before it may have had them, and more."""
        cells = "count => document.querySelectorAll('#board [role=gridcell]').length === count"
        return self.holds(cells, count)

    def look_at(self, name: str) -> Self:
        if self.page.locator("#views .segments").is_visible():
            self.page.locator("#views").get_by_role("button", name=name).click()
        return self

    def tab(self, name: str) -> Self:
        self.page.click(f"#tab-{name}")
        return self

    def press(self, name: str) -> Self:
        self.page.get_by_role("button", name=name, exact=True).first.click()
        return self

    def press_more(self, name: str) -> Self:
        """Press a button that `More` shows."""
        if not self.page.get_by_role("button", name=name, exact=True).first.is_visible():
            self.press("More")
        return self.press(name)

    def cell(self, place: str) -> Any:
        return self.page.locator(f'#board [data-key="{place}"]')

    def tap(self, place: str, **how: Any) -> Self:
        box = self.cell(place).bounding_box()
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.cell(place).click(force=True, **how)
        return self

    def label(self, place: str) -> str:
        """Return the name of a cell for screen readers."""
        return str(self.cell(place).get_attribute("aria-label"))

    def text(self) -> str:
        self.tab("Make").press_more("Import")
        return str(self.page.input_value("textarea"))

    def type(self, text: str) -> Self:
        """Type a puzzle in Make."""
        if not self.page.locator("textarea").is_visible():
            self.press_more("Import")
        self.page.fill("textarea", text)
        return self

    def lines(self, root: str = "#board") -> int:
        return int(self.page.locator(f"{root} .lines path").count())

    def reload(self) -> Self:
        """Load the page again: a puzzle is kept, a picture is not."""
        self.page.reload()
        self.page.wait_for_selector("body[data-ready]")
        return self

    def close(self) -> None:
        self.context.close()
        assert not self.wrong, self.wrong


class Held:
    """Answers of an address that come when they are let go."""

    def __init__(self, tab: Tab, pattern: str) -> None:
        self.tab, self.pattern = tab, pattern
        self.routes: list[Any] = []
        tab.page.route(pattern, self._hold)

    def _hold(self, route: Any) -> None:
        self.routes.append(route)

    def wait(self) -> None:
        wait_until(lambda: self.tab.page.wait_for_timeout(25) or self.routes)

    def let_go(self) -> None:
        for route in self.routes:
            route.continue_()
        self.tab.page.unroute(self.pattern)


def file_of(data: bytes, name: str, kind: str = "image/png") -> dict[str, Any]:
    return {"name": name, "mimeType": kind, "buffer": data}


def paths_of(text: str) -> list[list[tuple[int, int]]]:
    """The cells of every path of the solution."""
    named = parse(text)
    outcome = solve(named.puzzle)
    return [[named.board.lattice.places[v] for v in path.vertices] for path in outcome.solution.paths]


AXE = Path(os.environ.get("FLOWVISION_AXE", Path.home() / ".cache" / "flowvision" / "axe.min.js"))
needs_axe = pytest.mark.skipif(not AXE.exists(), reason=f"no axe-core at {AXE}: .ci/run fetches it")


def axe_faults(page: Any) -> list[str]:
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]


LOOKS = [
    ("light", {"width": 1300, "height": 900}),
    ("light", {"width": 390, "height": 844}),
    ("dark", {"width": 1300, "height": 900}),
    ("dark", {"width": 390, "height": 844}),
]


def assert_usable(browser: Any, place: Path, look: tuple[str, dict[str, int]]) -> None:
    """Open a file in a look: it is accessible, as wide as its window, and without error."""
    tab, wrong = browser.new_page(viewport=look[1], color_scheme=look[0]), list[str]()
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.goto(place.as_uri())
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), place.name
    assert axe_faults(tab) + wrong == [], place.name
    tab.close()


def touch(tab: Tab, places: list[tuple[float, float]]) -> None:
    """One finger, down at the first place and up at the last."""
    for n, (x, y) in enumerate(places):
        kind = "touchMove" if n else "touchStart"
        tab.devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    tab.devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def middle(tab: Tab, place: str) -> tuple[float, float]:
    box = tab.cell(place).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(tab: Tab, cells: Sequence[tuple[int, int]]) -> None:
    """The mouse pressed on the first of these cells, moved over the others, and let go."""
    first, *others = [middle(tab, f"{row},{col}") for row, col in cells]
    tab.page.mouse.move(*first)
    tab.page.mouse.down()
    for place in others:
        tab.page.mouse.move(*place)
    tab.page.mouse.up()
