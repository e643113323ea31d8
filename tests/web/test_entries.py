"""Pictures and puzzles of a visit are entries of their own, and what the page saves it takes back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flowvision.puzzle.text import parse
from flowvision.web import puzzle_tasks
from tests.drawing import FIVE, NONE, SEVERAL
from tests.web.chromium import Held, Tab, needs_chromium, picture_of
from tests.web.playing import lines
from tests.workers.calls import solve_slowly

pytestmark = needs_chromium

HEXAGONS = "hex\nR..\n...\n..R\n"
FREE = (
    '{"tiling": "free", "cells": [{"centre": [0, 0], "outline": [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5],'
    ' [-0.5, 0.5]]}, {"centre": [1, 0], "outline": [[0.5, -0.5], [1.5, -0.5], [1.5, 0.5], [0.5, 0.5]]}],'
    ' "sides": [[0, 1, 0.5, 0]], "pairs": [[0, 1]]}'
)


def entries(tab: Tab) -> list[str]:
    """What the strip holds, by name."""
    return [str(one.get_attribute("aria-label")) for one in tab.page.locator("#visited button[title]").all()]


def choose_text(tab: Tab, name: str, kind: str, text: str) -> Tab:
    """Choose a file with text, without waiting for what comes of it."""
    tab.page.set_input_files("#file", {"name": name, "mimeType": kind, "buffer": text.encode()})
    return tab


def give(tab: Tab, name: str, kind: str, text: str) -> Tab:
    """Choose a file with text, and wait until it is the last entry, and the one that is seen."""
    strip = tab.page.locator("#visited button[title]")
    last = max(1, strip.count())  # there is no strip of a single one
    choose_text(tab, name, kind, text)
    strip.nth(last).and_(tab.page.locator("[aria-pressed=true]")).wait_for()
    return tab


def saved(tab: Tab, form: str) -> str:
    """The file of a form, from the panel."""
    tab.tab("Files").page.get_by_label("Form of the file").select_option(form)
    with tab.page.expect_download() as download:
        tab.press("Save this form")
    return Path(download.value.path()).read_text()


def dots(tab: Tab) -> dict[str, str]:
    """The colours of the dots by their cells."""
    return dict(
        tab.page.eval_on_selector_all(
            "#board .held", "cells => cells.map((one) => [one.dataset.key, one.ariaLabel.split(', ').pop()])"
        )
    )


def test_a_puzzle_that_is_typed_is_not_drawn_over_the_picture(tab: Tab) -> None:
    """It is an entry of its own; that of the picture has its board as before, and each leads to itself."""
    tab.choose(picture_of(FIVE), "five.png").hears("exactly one solution")
    tab.tab("Make").page.fill("textarea", SEVERAL)
    tab.hears("solutions")
    assert tab.page.locator("#picture-pane").is_hidden()
    assert "misread" not in tab.page.inner_text("#verdict")
    assert entries(tab) == ["five.png: solved", "Puzzle of 5 × 5"]
    tab.page.fill("textarea", "R.R\n...\n")
    tab.hears("No solution")
    assert entries(tab) == ["five.png: solved", "Puzzle of 3 × 2"]
    tab.page.click("#visited button >> nth=0")
    assert tab.hears("exactly one solution").page.locator("#picture-pane").is_visible()
    assert tab.text() == FIVE
    tab.page.click("#visited button >> nth=1")
    assert tab.hears("No solution").page.locator("#picture-pane").is_hidden()


def test_a_puzzle_in_between_hides_no_answer(tab: Tab) -> None:
    """A solved picture has its answer when it is seen again, and a generated puzzle keeps its own hidden."""
    tab.choose(picture_of(FIVE), "five.png").hears("exactly one solution")
    tab.page.locator("#next").get_by_role("button", name="Save").wait_for()
    tab.tab("Make").press("Generate one").page.locator("#panel-Make output:not(:empty)").wait_for()
    assert lines(tab) == 0
    tab.page.click("#visited button >> nth=0")
    tab.page.locator("#next").get_by_role("button", name="Save").wait_for()
    assert tab.page.locator("#overlay .lines path").count() == 10
    assert not tab.tab("Make").page.inner_text("#panel-Make output")
    tab.page.click("#visited button >> nth=1")
    tab.hears("There is exactly one solution")
    assert lines(tab) == 0
    tab.page.click("#undo")
    assert tab.hears("Solved").page.locator("#overlay .lines path").count() == 10


def test_puzzles_that_nobody_touched_push_out_no_picture(tab: Tab) -> None:
    """However many are generated, one stands in the strip."""
    tab.choose(picture_of(FIVE), "five.png").hears("exactly one solution")
    tab.tab("Make")
    for size in ("5", "6", "5"):
        tab.page.locator("[name=cols]").fill(size)
        tab.press("Generate one").page.get_by_role("button", name=f"Puzzle of {size} × 7").wait_for()
    assert entries(tab) == ["five.png: solved", "Puzzle of 5 × 7"]


def test_what_was_saved_is_taken_back_in_its_colours(tab: Tab) -> None:
    """As JSON or as text, chosen; a board without rows and columns as well; what is no puzzle is said."""
    tab.choose(picture_of(FIVE), "five.png").hears("exactly one solution")
    seen, made, text = dots(tab), saved(tab, "json"), saved(tab, "text")
    flows = json.loads(made)["flows"]
    give(tab, "five.json", "application/json", made).hears("exactly one solution")
    assert dots(tab) == seen
    assert [flow["rgb"] for flow in json.loads(saved(tab, "json"))["flows"]] == [
        flow["rgb"] for flow in flows
    ]
    give(tab, "several.txt", "text/plain", SEVERAL).hears("solutions")
    assert parse(tab.text()).puzzle == parse(SEVERAL).puzzle
    give(tab, "five.txt", "text/plain", text).hears("exactly one solution")
    assert parse(tab.text()).puzzle == parse(FIVE).puzzle
    give(tab, "free.json", "", FREE).hears("exactly one solution")
    free = saved(tab, "json")
    give(tab, "free.json", "application/json", free).hears("exactly one solution")
    assert tab.page.locator("#board .cell").count() == 2
    choose_text(tab, "letter.txt", "text/plain", "Dear all").page.locator(
        "#notice", has_text="letter.txt: "
    ).wait_for()
    assert len(entries(tab)) == 6


def test_puzzles_given_one_upon_the_other_are_all_there(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the one before is still being read, or solved: each is an entry, and no request is refused."""
    monkeypatch.setattr(puzzle_tasks, "solve_puzzle", solve_slowly)
    for n, text in enumerate((FIVE, SEVERAL, HEXAGONS)):
        choose_text(tab, f"{n}.txt", "text/plain", text)
    strip = tab.page.locator("#visited button[title]")
    strip.nth(2).wait_for()  # solved, and asked about once more
    choose_text(tab, "3.txt", "text/plain", NONE)
    strip.nth(3).wait_for()
    assert entries(tab) == ["Puzzle of 5 × 5", "Puzzle of 5 × 5", "Puzzle of 3 × 3", "Puzzle of 3 × 3"]
    tab.hears("No solution")


def test_a_picture_that_is_read_while_a_puzzle_is_seen_is_an_entry(tab: Tab) -> None:
    """Its answer opens nothing, and is not lost."""
    held = Held(tab, "**/api/solve*")
    tab.page.set_input_files(
        "#file", {"name": "late.png", "mimeType": "image/png", "buffer": picture_of(FIVE)}
    )
    held.wait()
    choose_text(tab, "several.txt", "text/plain", SEVERAL).hears("2 solutions; this is one of them")
    held.let_go()
    tab.page.get_by_role("button", name="late.png: solved").wait_for()
    tab.hears("2 solutions; this is one of them")
    assert len(entries(tab)) == 2


def test_what_was_copied_is_pasted(tab: Tab) -> None:
    """By the button and by the keys: a puzzle, or the link of one."""
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.choose(picture_of(FIVE), "five.png").hears("exactly one solution")
    for name, said in (("Puzzle", "The puzzle is"), ("Link", "A link")):
        tab.tab("Files").press(name).page.locator("#panel-Files [role=status]", has_text=said).wait_for()
        tab.page.click("#home")
        tab.press("Paste") if name == "Puzzle" else tab.page.keyboard.press("Control+v")
        tab.hears("exactly one solution")
        assert tab.text() == FIVE


def test_pictures_of_a_visit_can_be_gone_back_to(tab: Tab) -> None:
    """Dropped one after another, or several at once: a strip with their verdicts."""
    tab.choose(picture_of(FIVE), "first.png").hears("exactly one solution")
    assert tab.page.locator("#visited button").count() == 0
    tab.choose(picture_of(SEVERAL), "second.png").hears("solutions")
    tab.page.locator("#visited button.warn[aria-pressed=true]").wait_for()
    tab.page.get_by_role("button", name="first.png: solved").click()
    tab.hears("exactly one solution")
    assert tab.text() == FIVE
