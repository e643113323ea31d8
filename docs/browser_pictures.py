"""Draw the pictures of the docs that a browser shows, with Chromium: ``python docs/browser_pictures.py``."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from flowvision.files import write_bytes
from flowvision.image.codec import encode
from pictures import level

HERE = Path(__file__).parent
SAMPLES = HERE.parent / "samples"
COMMAND = (sys.executable, "-m", "flowvision")
DESKTOP, PHONE = {"width": 1300, "height": 800}, {"width": 390, "height": 760}


@contextmanager
def served() -> Iterator[str]:
    """Serve the page and yield its address."""
    with subprocess.Popen(
        [*COMMAND, "web", "--no-open", "--port", "0"], stdout=subprocess.PIPE, text=True
    ) as it:
        assert it.stdout is not None
        found = re.search(r"http://\S+", it.stdout.readline())
        assert found is not None
        try:
            yield found[0]
        finally:
            it.terminate()


def page_picture(browser: Any, shot: Path, size: dict[str, int], name: str) -> None:
    """Draw the page with a solved screenshot, in a window of this size."""
    with served() as address:
        tab = browser.new_page(viewport=size, reduced_motion="reduce")
        tab.goto(address)
        tab.set_input_files("#file", str(shot))
        tab.get_by_text("exactly one solution").first.wait_for(state="attached")
        tab.wait_for_timeout(500)  # until what moves has come to rest
        tab.screenshot(path=HERE / name, type="jpeg", quality=82)


def file_picture(browser: Any, page: Path, name: str) -> None:
    """Draw a page from a file."""
    tab = browser.new_page(viewport=DESKTOP, reduced_motion="reduce")
    tab.goto(page.as_uri())
    tab.wait_for_timeout(300)
    tab.screenshot(path=HERE / name, type="jpeg", quality=82)


def main() -> None:
    """All of them."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        place = Path(folder)
        shot, cut = place / "level.png", place / "cut.png"
        write_bytes(shot, encode(level()))
        write_bytes(cut, encode(level()[:600]))
        chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page_picture(browser, shot, DESKTOP, "page.jpg")
        page_picture(browser, shot, PHONE, "phone.jpg")
        shutil.copytree(SAMPLES, place / "shots", ignore=shutil.ignore_patterns("*.md", "*.txt", "*.py"))
        for command in (("cut.png", "--debug", "why"), ("batch", "shots", "cut.png", "-o", "solved", "-q")):
            subprocess.run([*COMMAND, *command], check=False, capture_output=True, cwd=place)
        file_picture(browser, place / "why" / "index.html", "why.jpg")
        file_picture(browser, place / "solved" / "index.html", "sheet.jpg")


if __name__ == "__main__":
    main()
