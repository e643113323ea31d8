"""The page as files: what is written, and what it does in a browser, below a path and without network."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

from flowvision.errors import OutputError
from flowvision.image.codec import decode
from flowvision.web.browser import MISSING, Wanted, answer, watch_imports
from flowvision.web.static import BESIDE, LIST, WHEEL, write_page
from tests.drawing import LEVEL_5X5
from tests.web.chromium import axe_faults, file_of, needs_axe, needs_chromium, picture_of
from tests.web.static_files import PYODIDE, FileServer, StaticTab, file_server, needs_pyodide, static_tab


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page without a copy of Pyodide."""
    folder = tmp_path_factory.mktemp("plain") / "page"
    assert write_page(str(folder)) == ()
    return folder


def test_all_addresses_are_relative_and_all_files_there(plain: Path) -> None:
    names = {path.name for path in plain.iterdir()}
    page = (plain / "index.html").read_text()
    given = re.findall(r'(?:src|href)="([^"#]*)"', page)
    assert set(given) - {"./"} <= names
    script = (plain / "sw.js").read_text()
    kept = json.loads(re.search(r"const FILES = (\[.*?\]);", script)[1])
    assert set(kept) == names - {"sw.js"} | {"./"}
    manifest = json.loads((plain / "manifest.webmanifest").read_text())
    assert {manifest[name] for name in ("id", "start_url", "scope")} == {"./"}
    for icon in manifest["icons"]:
        if icon["type"] == "image/png":
            size = decode((plain / icon["src"]).read_bytes()).bgr.shape
            assert icon["sizes"] == f"{size[1]}x{size[0]}"


def test_a_mask_cuts_nothing_off_the_icon(plain: Path) -> None:
    bgr = decode((plain / "icon-mask.png").read_bytes()).bgr.astype(int)
    rows, cols = np.nonzero(np.abs(bgr - bgr[0, 0]).max(axis=2) > 40)  # unlike its ground
    side = len(bgr)
    middle, safe_radius = (side - 1) / 2, 0.4 * side  # a mask leaves at least this circle
    assert np.hypot(rows - middle, cols - middle).max() < safe_radius


def test_without_a_copy_two_places_of_the_distribution_are_requested_and_no_other(plain: Path) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', (plain / "index.html").read_text())[1]
    places = re.search(r"connect-src 'self' ([^;]*)", policy)[1].split()
    listed = json.loads((plain / LIST).read_text())["files"]
    others = [item for item in listed if "://" in item["url"]]
    assert {item["url"].rpartition("/")[0] + "/" for item in others} == set(places)
    assert all(re.fullmatch("[0-9a-f]{64}", item["sha256"]) for item in listed)
    assert "unsafe-inline" not in policy
    assert "'unsafe-eval'" not in policy


def test_the_wheel_is_whole_and_the_same_each_time(plain: Path, tmp_path: Path) -> None:
    (item,) = (item for item in json.loads((plain / LIST).read_text())["files"] if item["url"] == WHEEL)
    data = (plain / WHEEL).read_bytes()
    assert (item["bytes"], item["sha256"]) == (len(data), sha256(data).hexdigest())
    with ZipFile(plain / WHEEL) as archive:
        names = set(archive.namelist())
    assert {"flowvision/web/browser.py", "flowvision/theme.css"} <= names
    assert not any(name.startswith("flowvision/cli/") for name in names)
    write_page(str(tmp_path))
    write_page(str(tmp_path))  # over the one before
    for name in (WHEEL, LIST):
        assert (tmp_path / name).read_bytes() == (plain / name).read_bytes()


def test_a_folder_of_others_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(OutputError, match="holds other files"):
        write_page(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_another_pyodide_is_refused(tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    for name in ("msgspec-0.20.0-cp314-x.whl", "python_sat-1.8-cp314-x.whl", "pyodide.mjs"):
        (tmp_path / "copy" / name).write_bytes(b"other")
    with pytest.raises(OutputError, match="is not the file of Pyodide"):
        write_page(str(tmp_path / "out"), str(tmp_path / "copy"))
    (tmp_path / "copy" / "python_sat-1.8-cp314-x.whl").unlink()
    with pytest.raises(OutputError, match="python-sat"):
        write_page(str(tmp_path / "out"), str(tmp_path / "copy"))


def test_the_worker_gives_the_status_and_type_of_each_answer() -> None:
    def ask(name: str, body: bytes, query: dict[str, str]) -> tuple[int, str, bytes]:
        return answer(name, memoryview(body), json.dumps(query), seconds=20.0, finder=Wanted(names=()))

    status, kind, data = ask("puzzle", LEVEL_5X5.encode(), {})
    assert (status, kind, json.loads(data)["unique"]) == (200, "application/json", True)
    assert ask("puzzle", b"nonsense", {})[0] == 422
    assert ask("puzzle", LEVEL_5X5.encode(), {"count": "x"})[0] == 400
    assert ask("sample", b"", {"number": "0"})[:2] == (200, "image/png")


def test_a_module_that_is_not_there_is_named_even_if_its_absence_is_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def task(*_: object) -> dict[str, bool]:
        with suppress(ImportError):
            import no_such_module  # noqa: F401
        return {"ok": True}

    monkeypatch.setattr("flowvision.web.browser.task_named", lambda _: task)
    wanted = watch_imports(["no_such_module"])
    status, _, data = answer("puzzle", memoryview(b""), "{}", seconds=1.0, finder=wanted)
    assert (status, json.loads(data)) == (MISSING, ["no_such_module"])


def in_browser(test: Callable[..., None]) -> Callable[..., None]:
    """Skip a test where Chromium or Pyodide are missing."""
    return needs_chromium(needs_pyodide(test))


def copied(folder: Path, root: Path) -> Path:
    """Copy the page, to be changed."""
    return Path(copytree(folder / "below" / "flow", root / "below" / "flow"))


def silence_python(place: Path) -> None:
    """Let the worker answer nothing: the page waits for Python to start."""
    (place / "worker.js").write_text("")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page with a copy of Pyodide that solves puzzles and reads no pictures."""
    root = tmp_path_factory.mktemp("web")
    write_page(str(root / "below" / "flow"), str(PYODIDE))
    return root


@pytest.fixture
def server(folder: Path) -> Iterator[FileServer]:
    with file_server(folder) as made:
        yield made


@pytest.fixture
def page(browser: Any, server: FileServer) -> Iterator[StaticTab]:
    tab = static_tab(browser, server, viewport={"width": 390, "height": 664}, has_touch=True, is_mobile=True)
    yield tab.open()
    tab.close()


@in_browser
def test_a_puzzle_is_made_played_shared_and_kept_without_network(page: StaticTab, server: FileServer) -> None:
    """The fixture fails at its end if other places were requested, or the policy was breached."""
    a_hint = page.page.locator("#why", has_text="way")  # that a flow has
    page.page.click("#play")
    page.has_cells(49).page.get_by_role("button", name="Hint").click()
    a_hint.wait_for()
    page.press("More").page.locator("#panel-Play").get_by_role("button", name="Share").click()
    page.page.locator("#why", has_text="#b=").wait_for()
    link = re.search(r"http\S+", page.page.inner_text("#why"))[0]
    text = page.text()
    page.is_installed()
    server.stop()
    page.reload().has_cells(49)
    page.page.goto("about:blank")
    page.page.goto(link)
    assert page.has_cells(49).text() == text
    page.tab("Play").page.get_by_role("button", name="Hint").click()
    a_hint.wait_for()
    server.start()


@in_browser
def test_it_can_be_installed_takes_shares_and_new_versions(
    page: StaticTab, server: FileServer, folder: Path
) -> None:
    page.is_installed()
    faults = page.devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [fault["errorId"] for fault in faults if fault["errorId"] != "in-incognito"] == []
    # As the system's own dialogue does: a form that another page sends.
    form = f"<form action='{server.origin}{page.path}share' method='post' enctype='multipart/form-data'>"
    for name, kind, words in (
        ("a.png", "image/png", "reads no pictures"),
        ("a.txt", "text/plain", "Nothing"),
    ):
        page.page.goto("about:blank")
        page.page.set_content(f"{form}<input type='file' name='pictures'><button>Send</button></form>")
        page.page.set_input_files("input", [file_of(b"data", name, kind)])
        page.page.click("button")
        page.page.locator("#notice", has_text=words).wait_for()
    assert page.page.url.endswith(StaticTab.path)
    page.page.click("#blank")
    page.has_cells(49)  # an empty board has 7 × 7
    script = folder / "below" / "flow" / "sw.js"
    before = script.read_text()
    script.write_text(before.replace('VERSION = "', 'VERSION = "0'))
    page.reload().page.locator("#renew button").click()
    is_new = "caches.keys().then((all) => all.some((name) => name.startsWith('flowvision-page-0')))"
    page.holds(is_new)
    page.page.wait_for_selector("body[data-ready]")
    page.has_cells(49)
    script.write_text(before)


@in_browser
def test_pictures_and_boards_are_kept_and_forgotten(browser: Any, tmp_path: Path, folder: Path) -> None:
    """A picture that waits to be read is there after a reload."""
    place = copied(folder, tmp_path)
    silence_python(place)
    about = place / "about.json"
    about.write_text(about.read_text().replace('"reads": false', '"reads": true'))
    with file_server(tmp_path) as server:
        page = static_tab(browser, server).open()
        page.begin(picture_of(LEVEL_5X5), "five.png").page.wait_for_selector("#overlay image[href]")
        page.page.wait_for_timeout(300)  # to keep it, of which nothing is shown
        page.reload().page.wait_for_selector("#overlay image[href]")
        page.page.locator("#verdict", has_text="Reading").wait_for()
        page.page.click("#home")
        tile = page.page.locator("#kept").get_by_role("button", name="Go on with five.png")
        tile.wait_for()
        page.page.click("#blank")
        page.has_cells(49).page.click("#home")
        page.reload()
        tile.wait_for()
        assert page.page.locator("#kept .bar button").count() == 1, "an empty board is not kept"
        tile.click()
        page.page.locator("#verdict", has_text="Reading").wait_for()
        page.page.click("#home")
        page.press("Forget them").page.wait_for_selector("#kept", state="hidden")
        page.reload()
        assert page.page.locator("#kept button").count() == 0
        page.close()


@in_browser
def test_hostile_links_are_refused_in_a_sentence(page: StaticTab) -> None:
    for bad in ("<script>", "R" * 9000, "zz;zz;"):
        page.page.evaluate("hash => { location.hash = hash; }", f"b={bad}")
        page.page.locator("#notice", has_text="The link holds no board").wait_for()
        page.page.keyboard.press("Escape")


@in_browser
def test_a_changed_file_never_runs(browser: Any, tmp_path: Path, folder: Path) -> None:
    script = copied(folder, tmp_path) / BESIDE / "pyodide.asm.mjs"
    script.write_bytes(script.read_bytes() + b"\n")
    with file_server(tmp_path) as server:
        tab = static_tab(browser, server).open()
        tab.page.locator("#loading", has_text="pyodide.asm.mjs is not the file").wait_for()
        tab.page.click("#play")
        tab.page.locator("#notice", has_text="pyodide.asm.mjs is not the file").wait_for()
        tab.close()


@in_browser
def test_work_that_is_stopped_ends_and_the_next_request_is_answered(page: StaticTab) -> None:
    """A worker cannot be interrupted: it is ended, and another one starts from the cache."""
    states = page.page.evaluate(STOPPED)
    assert states == ["AbortError", 200]


STOPPED = """async () => {
    const { ask } = await import("./end.js");
    await ask("puzzle", { body: "R.R" });
    const stop = new AbortController();
    const query = { size: "40x40", difficulty: "expert" };
    const long = ask("generate", { query, signal: stop.signal }).catch((error) => error.name);
    setTimeout(() => stop.abort(), 500);
    const { status } = await ask("puzzle", { body: "R.R" });
    return [await long, status];
}"""


@in_browser
@needs_axe
def test_the_start_page_is_accessible(browser: Any, tmp_path: Path, folder: Path) -> None:
    silence_python(copied(folder, tmp_path))
    with file_server(tmp_path) as server:
        tab = static_tab(browser, server, viewport={"width": 390, "height": 664}).open()
        assert axe_faults(tab.page) == []
        tab.close()
