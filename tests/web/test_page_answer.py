"""From the empty page to the answer, and what is taken away from it."""

from __future__ import annotations

import json
import re
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flowvision import solve_image
from flowvision.image.codec import decode
from flowvision.puzzle.text import parse
from tests.drawing import FIVE, SEVERAL
from tests.phone.fake_adb import FakeServer, serving
from tests.phone.fake_phone import FakePhone, level_of
from tests.web.chromium import Held, Tab, file_of, needs_chromium, picture_of
from tests.web.serving import served

SAMPLES = sorted((Path(__file__).resolve().parents[2] / "samples").glob("[0-9]*.[pj][np]g"))

pytestmark = needs_chromium


@pytest.mark.parametrize("sample", SAMPLES[::5], ids=lambda path: path.stem)
def test_samples_are_read_and_solved(tab: Tab, sample: Path) -> None:
    """The board on the page is the puzzle that was drawn."""
    kind = "image/png" if sample.suffix == ".png" else "image/jpeg"
    tab.choose(sample.read_bytes(), sample.name, kind).hears("exactly one solution")
    truth, shown = parse(sample.with_suffix(".txt").read_text()), parse(tab.text())
    assert shown.board == truth.board
    assert set(map(frozenset, shown.puzzle.terminals)) == set(map(frozenset, truth.puzzle.terminals))


def test_the_empty_page_offers_samples(tab: Tab) -> None:
    """A sample is read; a board is drawn to its end."""
    tab.page.wait_for_selector("#demo .lines path.grow:nth-child(10)", state="attached")
    tab.page.locator("#samples button").nth(2).click()
    tab.hears("exactly one solution")
    assert tab.lines("#overlay") > 0


def test_pictures_are_dropped_and_pasted(tab: Tab) -> None:
    """As files of a drag, and from the clipboard."""
    for event, field in (("drop", "dataTransfer"), ("paste", "clipboardData")):
        tab.page.evaluate(
            """([bytes, event, field]) => { const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array(bytes)], 'a.png', {type: 'image/png'}));
            const given = {[field]: transfer, bubbles: true, cancelable: true};
            const made = event === 'drop' ? new DragEvent(event, given) : new ClipboardEvent(event, given);
            document.body.dispatchEvent(made); }""",
            [list(picture_of(FIVE)), event, field],
        )
        tab.hears("exactly one solution").page.click("#home")
        tab.page.wait_for_selector("#start:not([hidden])")


def test_hints_hide_the_solution_and_bring_it_back(tab: Tab) -> None:
    """On the board, not over the solved picture; forced steps are a list; the solution comes when asked."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    assert tab.lines("#overlay") == 10
    tab.press("Next hint").page.locator("#panel-Answer", has_text="has one way").wait_for()
    assert tab.page.locator("#board").is_visible()
    assert tab.page.locator("#picture-pane").is_hidden()
    first = tab.lines()
    assert 0 < first < 10
    assert tab.page.locator("#board .lit path").count() == 6  # round both of its cells
    tab.press("Next hint").holds("n => document.querySelectorAll('#board .lines path').length > n", first)
    tab.press("All forced").page.locator("#panel-Answer li").nth(1).wait_for()
    tab.press("Show the solution")
    assert tab.lines() == 10
    tab.press("Hide the solution")
    tab.page.get_by_label("Flow to show").select_option(label="green")
    assert tab.lines() == 2
    assert "path green" in tab.said("1,1")


def test_the_solution_is_played_and_the_search_watched(tab: Tab) -> None:
    """To their ends; a search ends with its panel, and draws nothing on another board."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution").press("Watch the solution")
    tab.page.locator("#board .grow").first.wait_for(state="attached")
    tab.page.locator("#board .lines path:not(.grow)").first.wait_for(state="attached")
    tab.press("Watch the search").page.get_by_text("Minisat, the solver used here").wait_for()
    slider = tab.page.get_by_label("Step of the search")
    slider.fill("0")
    slider.fill(str(slider.get_attribute("max")))
    tab.page.locator("output", has_text="step 21 of 21").wait_for()
    held = Held(tab, "**/api/search*")
    tab.press("Watch the search")
    held.wait()
    tab.tab("Correct")
    held.let_go()
    tab.page.wait_for_timeout(300)  # time for steps that nobody waits for
    assert tab.page.get_by_label("Step of the search").is_hidden()
    assert tab.lines() == 10


def test_solutions_are_shown_one_after_another(tab: Tab) -> None:
    """With what differs lit; somebody may say that it is right nevertheless, and save it."""
    tab.choose(picture_of(SEVERAL)).hears("2 solutions")
    tab.tab("Answer").press("All solutions")
    shown = []
    for words in ("1 of 2", "2 of 2", "1 of 2"):
        tab.page.locator("#panels output", has_text=words).wait_for()
        assert tab.page.locator("#board .lit path").count() >= 4
        shown.append(tab.page.inner_html("#board .lines"))
        tab.press("The next solution")
    assert shown[0] == shown[2] != shown[1]
    assert tab.page.get_by_role("button", name="Save", exact=True).count() == 0
    tab.press("It is right").page.locator("#verdict.good").wait_for()
    tab.page.get_by_role("button", name="Save", exact=True).wait_for()


def test_stages_are_drawn_when_looked_at(tab: Tab) -> None:
    """In a dialog, with a title each; one is made larger."""
    asked: list[str] = []
    tab.page.on("request", lambda request: asked.append(request.url))
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    assert not [url for url in asked if "/stage" in url]
    tab.press("How it was read").page.wait_for_selector("#stages figure:nth-child(7) img")
    figure = tab.page.locator("#stages figure").nth(6)
    width = figure.bounding_box()["width"]
    figure.get_by_role("button").click()
    assert figure.bounding_box()["width"] > 1.5 * width
    tab.page.keyboard.press("Escape")
    assert tab.page.locator("#stages").is_hidden()


def test_what_is_saved_is_what_it_is_called(tab: Tab) -> None:
    """The picture of the library, an animation, the solution as text."""
    data = picture_of(FIVE)
    tab.choose(data).hears("exactly one solution")
    saved = {}
    for form, button in (("", "Save"), ("gif", "Save this form"), ("solution", "Save this form")):
        if form:
            tab.page.get_by_label("Form of the file").select_option(form)
        with tab.page.expect_download() as download:
            tab.press(button)
        saved[download.value.suggested_filename] = Path(download.value.path()).read_bytes()
    assert list(saved) == ["shot.solved.png", "shot.solved.gif", "shot.solved.txt"]
    png, gif, text = saved.values()
    assert np.array_equal(decode(png).bgr, solve_image(data).picture)
    assert gif.startswith(b"GIF89a")
    assert text.split()[0] == b"RGGYY"
    with tab.page.expect_response("**/api/picture*") as shown:
        tab.press("Show it here")
    assert "format=png" in shown.value.url
    tab.page.locator("img.result").wait_for()


def test_all_that_is_solved_is_one_zip(tab: Tab) -> None:
    """Each picture under its name; what is not solved has none."""
    for name, text in (("a.png", FIVE), ("b.png", SEVERAL), ("c.png", FIVE)):
        tab.choose(picture_of(text), name).hears("solution")
    with tab.page.expect_download() as download:
        tab.press("Save all 2 solved")
    archive = zipfile.ZipFile(BytesIO(Path(download.value.path()).read_bytes()))
    assert archive.testzip() is None
    assert archive.namelist() == ["1 a.solved.png", "2 c.solved.png"]
    expected = solve_image(picture_of(FIVE)).picture
    assert all(np.array_equal(decode(archive.read(name)).bgr, expected) for name in archive.namelist())


def numbers_of(link: str) -> dict[tuple[int, int], int]:
    """Decode the board of a link to puzz.link as its player does (pzpr, ``decodeNumber16``)."""
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


def test_texts_of_a_board_of_more_colours_than_letters(tab: Tab) -> None:
    """Text, solution and link are records; at puzz.link each pair has a number."""
    pairs = [[[row, 2 * n], [row, 2 * n + 1]] for row in range(10) for n in range(7)]
    record = {"rows": 10, "cols": 14, "topology": "square", "pairs": pairs}
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.page.click("#blank")
    tab.tab("Make").page.fill("textarea", json.dumps(record))
    tab.hears("exactly one solution").tab("Answer")
    copied = {}
    for name, words in (
        ("Puzzle", "puzzle"),
        ("Solution", "solution"),
        ("Link", "this puzzle"),
        ("puzz.link", "anybody"),
    ):
        tab.press(name).page.locator("#panel-Answer [role=status]", has_text=words).wait_for()
        copied[name] = str(tab.page.evaluate("navigator.clipboard.readText()"))
    assert json.loads(copied["Puzzle"])["pairs"] == pairs
    assert [flow["path"] for flow in json.loads(copied["Solution"])["flows"]] == pairs
    assert numbers_of(copied["puzz.link"]) == {tuple(at): n for n, pair in enumerate(pairs, 1) for at in pair}
    other = Tab(tab.context.browser, tab.server).open(f"&{copied['Link'].partition('#')[2]}")
    assert json.loads(other.hears("exactly one solution").text())["pairs"] == pairs
    other.close()


def test_on_paper_there_is_the_board_alone(tab: Tab) -> None:
    """In ink on white, on one page, whatever is looked at."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution").look_at("Picture")
    tab.page.emulate_media(media="print", color_scheme="dark")
    assert tab.page.locator("#board").is_visible()
    for name in ("header", "#verdict", "#panels", "#picture-pane", "#views"):
        assert tab.page.locator(name).is_hidden(), name
    assert np.mean(np.all(decode(tab.page.screenshot()).bgr > 250, axis=-1)) > 0.5
    for width, height in (("210mm", "297mm"), ("297mm", "210mm"), ("200mm", "200mm")):
        data = tab.page.pdf(width=width, height=height, margin=dict.fromkeys(("top", "bottom"), "20mm"))
        assert len(re.findall(rb"/Type\s*/Page\b", data)) == 1, (width, height)


def test_a_phone_is_captured_and_played(browser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it is agreed to, and nothing before."""
    phone = FakePhone([level_of(FIVE)])
    with serving(FakeServer(phone.run)) as port:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(port))
        with served() as server:
            tab, agreed = Tab(browser, server).open(), iter([False, True])
            tab.page.on("dialog", lambda dialog: dialog.accept() if next(agreed) else dialog.dismiss())
            tab.page.click("#phone")
            tab.hears("exactly one solution").press("Play it on the phone")
            assert not [text for text in phone.asked if text.startswith("input")]
            tab.press("Play it on the phone")
            tab.page.locator("#notice", has_text="Played on Fake Phone").wait_for()
            tab.close()
    assert phone.game.solved()
    assert not phone.strays


def test_several_pictures_are_counted_and_a_bad_one_named(tab: Tab) -> None:
    """The notice lies at the bottom, and goes with the next touch."""
    files = [
        file_of(data, f"{n}.png")
        for n, data in enumerate((picture_of(FIVE), picture_of(SEVERAL), b"no picture"))
    ]
    tab.page.set_input_files("#file", files)
    notice = tab.page.locator("#notice", has_text="1 of 3 pictures are solved.")
    notice.wait_for()
    box = notice.bounding_box()
    assert box["y"] > 450
    tab.page.mouse.click(box["x"] + 20, box["y"] + 20)
    assert notice.is_hidden()
    tab.wrong.clear()  # the refusal stands on the console as well
