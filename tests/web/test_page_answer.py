"""From the empty page to the answer, and what is taken away from it."""

import re
from pathlib import Path
from zipfile import ZipFile

import numpy as np

from flowvision import solve_image
from flowvision.image.codec import decode
from flowvision.puzzle.text import parse
from tests.boards import pairs_of
from tests.commands import ROOT
from tests.drawing import LEVEL_5X5, SEVERAL
from tests.web.chromium import Held, Tab, file_of, needs_chromium, picture_of

SAMPLES = sorted((ROOT / "samples").glob("[0-9]*.[pj][np]g"))

EVERY_CELL = [f"{row},{col}" for row in range(5) for col in range(5)]

pytestmark = needs_chromium


def test_samples_are_read_and_solved(tab: Tab) -> None:
    for sample in SAMPLES[::5]:
        kind = "image/png" if sample.suffix == ".png" else "image/jpeg"
        tab.choose(sample.read_bytes(), sample.name, kind).answers("unique")
        truth, shown = parse(sample.with_suffix(".txt").read_text()), parse(tab.text())
        assert shown.board == truth.board
        assert pairs_of(shown.puzzle) == pairs_of(truth.puzzle)


def test_pictures_are_dropped_pasted_and_offered(tab: Tab) -> None:
    tab.page.locator("#samples button").nth(2).click()
    tab.answers("unique")
    assert tab.lines("#overlay") > 0
    for event, field in (("drop", "dataTransfer"), ("paste", "clipboardData")):
        tab.page.click("#home")
        tab.page.wait_for_selector("#start:not([hidden])")
        tab.page.evaluate(
            """([bytes, event, field]) => { const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array(bytes)], 'a.png', {type: 'image/png'}));
            const given = {[field]: transfer, bubbles: true, cancelable: true};
            const made = event === 'drop' ? new DragEvent(event, given) : new ClipboardEvent(event, given);
            document.body.dispatchEvent(made); }""",
            [list(picture_of(LEVEL_5X5)), event, field],
        )
        tab.answers("unique")


def test_hints_hide_the_solution_and_bring_it_back(tab: Tab) -> None:
    tab.choose(picture_of(LEVEL_5X5)).answers("unique")
    assert tab.lines("#overlay") == 10
    tab.press("Next hint").page.locator("#why", has_text="has one way").wait_for()
    assert tab.page.locator("#picture-pane").is_visible()
    first = tab.lines("#overlay")
    assert 0 < first < 10
    assert tab.page.locator("#overlay .lit path").count() == 6  # round both of its cells
    tab.press("Next hint").holds("n => document.querySelectorAll('#overlay .lines path').length > n", first)
    tab.tab("Play")
    assert "one way" not in tab.page.inner_text("#why")
    tab.tab("Answer").press("Show solution")
    assert tab.lines() == 2 * 5  # per flow its line and the edge of it
    assert "path green" in tab.label("1,1")
    assert tab.page.get_by_role("button", name="Show solution").count() == 0
    tab.press("Next hint").holds("() => document.querySelectorAll('#overlay .lines path').length < 10")


def test_the_search_is_watched_to_its_end(tab: Tab) -> None:
    tab.choose(picture_of(LEVEL_5X5)).answers("unique").press_more("Watch the solver")
    tab.page.locator("#why", has_text="Solved").wait_for()
    slider = tab.page.get_by_label("Step of the search")
    slider.fill("0")
    assert tab.lines() == 0
    slider.fill("21")
    assert tab.lines() >= 2 * 5  # a path may grow from both of its dots
    held = Held(tab, "**/api/search*")
    tab.press("See the answer").press_more("Watch the solver")
    held.wait()
    tab.tab("Correct")
    held.let_go()
    tab.page.wait_for_timeout(300)  # time for steps that come too late
    assert slider.is_hidden()
    assert tab.lines() == 0
    tab.tab("Answer")
    assert tab.lines() == 2 * 5  # per flow its line and the edge of it


def test_a_step_over_the_edge_is_called_so(tab: Tab) -> None:
    tab.choose((ROOT / "samples" / "14-warp.png").read_bytes()).answers("unique").press_more(
        "Watch the solver"
    )
    slider = tab.page.get_by_label("Step of the search")
    reasons = []
    for step in range(1, int(slider.get_attribute("max"))):  # the last one only says that it is solved
        slider.fill(str(step))
        reasons.append(tab.page.inner_text("#why"))
    assert any("over the edge" in reason for reason in reasons)


def test_one_of_several_solutions_is_drawn_and_can_be_saved(tab: Tab) -> None:
    tab.choose(picture_of(SEVERAL)).answers("solved").page.locator("#verdict.warn").wait_for()
    assert tab.lines("#overlay") > 0
    assert 0 < len([key for key in EVERY_CELL if "outlined" in tab.label(key)]) < 25, "where another differs"
    assert tab.page.get_by_role("button", name="It is right").count() == 0
    tab.page.get_by_role("button", name="Save", exact=True).wait_for()


def test_stages_are_drawn_when_looked_at(tab: Tab) -> None:
    urls: list[str] = []
    tab.page.on("request", lambda request: urls.append(request.url))
    tab.choose(picture_of(LEVEL_5X5)).answers("unique")
    assert not [url for url in urls if "/stage" in url]
    tab.press("How it was read").page.wait_for_selector("#stages .story figure:nth-child(4)")
    assert tab.page.locator("#stages figure:visible").count() == 4
    drawn = tab.page.locator("#stages .story svg").evaluate_all("all => all.map(one => one.innerHTML)")
    assert len(set(drawn)) == 4
    tab.page.locator("#stages summary").click()
    tab.page.locator("#stages details figure").first.wait_for()
    assert tab.page.locator("#stages details figure:visible").count() >= 7
    assert tab.page.locator("#stages details figure").first.bounding_box()["width"] > 150
    assert all(tab.page.locator("#stages details h3").all_inner_texts())
    tab.page.keyboard.press("Escape")
    assert tab.page.locator("#stages").is_hidden()


def test_what_is_saved_is_what_it_is_called(tab: Tab, tmp_path: Path) -> None:
    data = picture_of(LEVEL_5X5)
    tab.choose(picture_of(SEVERAL), "a.png").answers("solved").choose(data).answers("unique")
    saved = {}
    for buttons in (["Save"], ["More", "Animated GIF"]):
        with tab.page.expect_download() as download:
            for name in buttons:
                tab.press(name)
        saved[download.value.suggested_filename] = Path(download.value.path()).read_bytes()
    assert list(saved) == ["shot.solved.png", "shot.solved.gif"]
    png, gif = saved.values()
    assert np.array_equal(decode(png).bgr, solve_image(data).picture)
    assert gif.startswith(b"GIF89a")
    (tmp_path / "c.png").write_bytes(data)
    for _ in range(2):
        tab.page.set_input_files("#file", tmp_path / "c.png")
        tab.page.get_by_role("button", name="All pictures: 2 of 3 solved").wait_for()
    with tab.page.expect_download() as download:
        tab.press("All pictures: 2 of 3 solved").press("Save all 2 solved")
    with ZipFile(download.value.path()) as whole:
        assert whole.testzip() is None
        assert whole.namelist() == ["1 shot.solved.png", "2 c.solved.png"]
        assert whole.read("1 shot.solved.png") == png


def test_on_paper_there_are_a_puzzle_and_its_answer(tab: Tab) -> None:
    tab.choose(picture_of(LEVEL_5X5)).answers("unique").look_at("Picture")
    tab.page.emulate_media(media="print", color_scheme="dark")
    tab.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    puzzle, answer = tab.page.locator("#paper section").all()
    assert [one.inner_text() for one in tab.page.locator("#paper h2").all()] == [
        "5 × 5 · 5 flows",
        "5 × 5 · 5 flows · answer",
    ]
    assert [one.locator(".lines path").count() for one in (puzzle, answer)] == [0, 10]
    assert puzzle.locator(".dots text").count() == 10
    for name in ("header", "main"):
        assert tab.page.locator(name).is_hidden(), name
    assert np.mean(np.all(decode(tab.page.screenshot()).bgr > 250, axis=-1)) > 0.5
    for width, height in (("210mm", "297mm"), ("297mm", "210mm")):
        data = tab.page.pdf(width=width, height=height)
        assert len(re.findall(rb"/Type\s*/Page\b", data)) == 2, (width, height)


def test_several_pictures_have_a_card_each_from_which_they_are_opened(tab: Tab) -> None:
    to_check = picture_of(SEVERAL)
    datas = (picture_of(LEVEL_5X5), to_check, b"no picture", picture_of(LEVEL_5X5))
    held = Held(tab, "**/api/solve*")
    tab.page.set_input_files("#file", [file_of(data, f"{n}.png") for n, data in enumerate(datas)])
    held.wait()
    cards = tab.page.locator(".card")
    assert tab.page.locator(".card b").all_inner_texts() == ["Reading", *["Waiting"] * 3]
    held.let_go()
    tab.page.locator("#several", has_text="2 of 4 solved").get_by_text("1 to check · 1 not read").wait_for()
    states = ["Not read", "To check", "Solved", "Solved"]  # what needs the user comes first
    assert tab.page.locator(".card b").all_inner_texts() == states
    assert "not a picture" in cards.nth(0).inner_text()
    assert cards.nth(0).is_disabled()
    assert [cards.nth(n).locator("path").count() for n in (2, 3)] == [5, 5], "a path for each flow"
    cards.nth(1).click()
    tab.answers("solved").page.get_by_role("button", name="All pictures: 2 of 4 solved").wait_for()
    tab.page.locator("#words").click()  # so that the key goes to the page, not to a button
    tab.page.keyboard.press("ArrowLeft")
    assert tab.answers("unique").text() == LEVEL_5X5
    tab.page.keyboard.press("Escape")
    tab.page.locator("#several h2", has_text="2 of 4 solved").wait_for()
