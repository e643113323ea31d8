import csv
import re
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from flowvision.batch.contact_sheet import COLUMNS, Object, card_of, grouped, line_of, row_of, sheet_of
from flowvision.batch.jobs import files_of
from tests.commands import BAD, GOOD, run, write_shots
from tests.web.chromium import LOOKS, assert_usable, needs_axe, needs_chromium


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_a_run_leaves_a_sheet_that_needs_no_network(tmp_path: Path) -> None:
    folder = write_shots(tmp_path / "in", a=GOOD, b=BAD, c=b"not a picture", d=GOOD + b".")
    out = tmp_path / "out"
    run(folder, out)
    text = (out / "index.html").read_text()
    page = Page(text)
    cards = [attrs for tag, attrs in page.tags if tag == "article" and attrs.get("class")]
    assert [card["data-outcome"] for card in cards] == ["no-solution", "image-unreadable", "solved"]
    assert "1 more screenshot of this puzzle" in text
    named = [str(attrs["data-name"]) for tag, attrs in page.tags if tag == "article"]
    assert [Path(name).name for name in named] == ["b.png", "c.png", "a.png", "d.png"]  # also within a card
    pictures = [attrs["src"] for tag, attrs in page.tags if tag == "img"]
    assert len(pictures) == 5  # a refused one is shown once, with what is wrong marked
    for name in (*pictures, *(attrs["href"] for tag, attrs in page.tags if tag == "a")):
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
    return sheet_of(grouped(cards, 10), len(cards))


def test_names_and_words_are_only_text() -> None:
    evil = "<script>alert('1')</script>\"'&\udcff"
    page = Page(page_of(card_of(failed(evil, evil, evil), files_of(evil), f"../{evil}.png")))
    assert [tag for tag, _ in page.tags].count("script") == 1
    sources = [attrs["src"] for tag, attrs in page.tags if tag == "img"]
    assert len(sources) == 3
    assert all(re.fullmatch(r"[\w./%~-]+", str(source)) for source in sources)


def test_a_failure_shows_its_stage_whole_and_what_to_type() -> None:
    bad = card_of(failed("a.png", hint="Try `--debug DIR` & look."), ["thumbs/a.stage.jpg"])
    good = card_of(solved("b.png"), [])
    text = page_of(bad, good)
    assert "Try <code><span>--debug</span> <span>DIR</span></code> &amp; look." in text
    assert '<a href="thumbs/a.stage.jpg"><img' in text
    assert "<code>flowvision SHOT</code>" in text
    assert "<code>flowvision SHOT</code>" not in page_of(good)


def test_cards_are_counted_and_cut() -> None:
    cards = [card_of(solved(str(n), 5 + n % 3), []) for n in range(9)]
    cards += [card_of(failed(f"bad{n}"), []) for n in range(4)]
    groups = grouped(cards, 7)
    assert [len(group) for group in groups] == [1, 1, 1, 1, 1, 1, 1]
    assert [group[0]["file"] for group in groups][:4] == ["bad0", "bad1", "bad2", "bad3"]
    text = sheet_of(groups, 13)
    assert "3 solved, 4 failed" in text
    assert "7 of 13 are shown" in text


@needs_chromium
@needs_axe
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
