import csv
import re
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from flowvision.batch.contact_sheet import COLUMNS, Object, card_of, grouped, line_of, row_of, sheet_of
from flowvision.batch.jobs import files_of
from tests.commands import LEVEL_PNG, UNSOLVABLE_PNG, run_batch, write_shots
from tests.web.chromium import LOOKS, assert_usable, needs_axe, needs_chromium


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Output of a run of four pictures; ``a`` and ``d`` show one puzzle."""
    place = tmp_path_factory.mktemp("sheet")
    run_batch(
        write_shots(place / "in", a=LEVEL_PNG, b=UNSOLVABLE_PNG, c=b"not a picture", d=LEVEL_PNG + b"."),
        place / "out",
    )
    return place / "out"


def attributes(text: str, tag: str) -> list[dict[str, str | None]]:
    return [attrs for name, attrs in Page(text).tags if name == tag]


def test_a_puzzle_has_one_card_behind_the_failures(out: Path) -> None:
    text = (out / "index.html").read_text()
    articles = attributes(text, "article")
    # A card of several pictures holds an article without a class for each of the others.
    cards = [card for card in articles if card.get("class")]
    assert [card["data-outcome"] for card in cards] == ["no-solution", "image-unreadable", "solved"]
    pictures = [Path(str(article["data-name"])).name for article in articles]
    assert pictures == ["b.png", "c.png", "a.png", "d.png"]
    assert "1 more screenshot of this puzzle" in text


def test_what_a_sheet_names_is_there_and_needs_no_network(out: Path) -> None:
    text = (out / "index.html").read_text()
    pictures = [tag["src"] for tag in attributes(text, "img")]
    assert len(pictures) == 5  # before and after of a and d, and the board of b with what is wrong marked
    for name in (*pictures, *(tag["href"] for tag in attributes(text, "a"))):
        assert (out / str(name)).stat().st_size > 0
    assert not re.search(r'(src|href)="?(https?:)?//', text)


def solved(file: str, side: int = 5, **more: object) -> dict[str, object]:
    """The object of a picture that was solved; boards of different sides are different puzzles."""
    board = {"tiling": "square", "rows": side, "cols": side, "cells": side * side}
    flows = [{"ends": [[0, 0], [side - 1, 0]]}]
    return {"file": file, "ok": True, "board": board, "flows": flows, **more}


def failed(file: str, message: str = "none", hint: str = "-1+2") -> dict[str, object]:
    error = {"code": "board-not-found", "stage": "board", "message": message, "hint": hint}
    return {"file": file, "ok": False, "error": error}


def page_of(*cards: Object) -> str:
    return sheet_of(grouped(cards, limit=10), len(cards))


def test_names_and_words_are_only_text() -> None:
    evil = "<script>alert('1')</script>\"'&\udcff"
    text = page_of(card_of(failed(evil, evil, evil), files_of(evil), f"../{evil}.png"))
    assert len(attributes(text, "script")) == 1  # that of the sheet
    sources = [str(tag["src"]) for tag in attributes(text, "img")]
    assert len(sources) == 3
    assert all(re.fullmatch(r"[\w./%~-]+", source) for source in sources)


def test_a_failure_shows_its_stage_whole_and_what_to_type() -> None:
    bad = card_of(failed("a.png", hint="Try `--debug DIR` & look."), ["thumbs/a.stage.jpg"])
    good = card_of(solved("b.png"), [])
    text = page_of(bad, good)
    assert "Try <code><span>--debug</span> <span>DIR</span></code> &amp; look." in text
    assert '<a href="thumbs/a.stage.jpg"><img' in text
    assert "<code>flowvision SHOT</code>" in text
    assert "<code>flowvision SHOT</code>" not in page_of(good)


def test_cards_are_counted_and_cut() -> None:
    solved_cards = [card_of(solved(str(n), side=5 + n % 3), []) for n in range(9)]  # three puzzles
    failed_cards = [card_of(failed(f"bad{n}"), []) for n in range(4)]
    groups = grouped([*solved_cards, *failed_cards], limit=7)
    assert [len(group) for group in groups] == [1] * 7
    assert [group[0]["file"] for group in groups][:4] == ["bad0", "bad1", "bad2", "bad3"]
    text = sheet_of(groups, total=13)
    assert "3 solved, 4 failed" in text
    assert "7 of 13 are shown" in text


@needs_chromium
@needs_axe
@pytest.mark.sweep(at_landing=2)
@pytest.mark.parametrize("look", LOOKS)
def test_everyone_can_use_the_sheet(browser: Any, tmp_path: Path, look: tuple[str, dict[str, int]]) -> None:
    long = "Try `--crop 0,420,1080,1080`, or cut out the board with whatever program is at hand. " * 3
    page = tmp_path / "index.html"
    page.write_text(
        page_of(
            card_of(failed("a very long name " * 5, long, long), ["debug/a.page.html"]),
            card_of(solved("b.png", confidence=0.9, seconds={"draw": 1.5}, warnings=[long]), []),
            card_of(solved("c.png"), []),
        )
    )
    assert_usable(browser, page, look)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_cell_is_a_formula(start: str) -> None:
    text = f"{start}cmd|' /C calc'!A0.png"
    line = line_of(row_of(failed(text, text)).values()).decode()
    (row,) = csv.reader(StringIO(line, newline=""))
    cells = dict(zip(COLUMNS, row, strict=True))
    assert cells["file"] == cells["message"] == f"'{text}"
    assert cells["hint"] == "'-1+2"
