"""The page is whole, comes from here alone, and stays small."""

from __future__ import annotations

import gzip
import re
from importlib.resources import files
from pathlib import Path

import pytest

from flowvision.reading.wording import WORDS
from flowvision.web.app import page_files
from tests.web.serving import Serving

FILES = page_files()
PAGE = Path(str(files("flowvision.web"))) / "page"


@pytest.mark.parametrize("sentence", ["If they are dots, say so"])
def test_sentences_that_the_page_says_otherwise_are_said(sentence: str) -> None:
    """The page replaces them by their words: changed in the table alone they would be left."""
    said = [re.sub(r"\[[^]]*\]", "", words.todo) for words in WORDS.values()]  # without what needs an option
    assert any(sentence in one for one in said)
    assert sentence in (PAGE / "advice.js").read_text()


@pytest.mark.parametrize("path", FILES)
def test_no_other_origin_is_named(path: str) -> None:
    """It works without a network, and tells nobody that it is used; a namespace is no address."""
    text = FILES[path][0].decode()
    for known in ("http://www.w3.org/2000/svg",):  # a namespace
        text = text.replace(known, "")
    assert not re.search(r"(https?:)?//[\w.]+\.\w{2,}", text)
    assert "innerHTML" not in text
    assert "eval(" not in text
    assert "style=" not in text


def test_every_module_and_file_is_there() -> None:
    """Every script is imported by another, or is the first one; what is named is served."""
    named = set(re.findall(r'(?:src|href)="(/[^"#]*)"', FILES["/"][0].decode()))
    scripts = {path for path in FILES if path.endswith(".js")}
    imported = {"/main.js"}
    for path in scripts:
        imported |= {f"/{name}" for name in re.findall(r'from "\./([\w.]+)"', FILES[path][0].decode())}
    assert imported == scripts
    assert scripts <= named <= set(FILES)


def test_everything_is_served(server: Serving) -> None:
    """With its kind, which browsers insist on, and compressed where they take it."""
    for path, (data, kind) in FILES.items():
        plain = server.ask("GET", path)
        assert (plain.status, plain.body, plain.headers["content-type"]) == (200, data, kind)
        small = server.ask("GET", path, headers={"Accept-Encoding": "gzip, br"})
        if small.headers.get("content-encoding") == "gzip":
            assert gzip.decompress(small.body) == data
        else:
            assert len(data) < 500


def test_the_page_is_light() -> None:
    """So that it is there at once, on a phone in a network as well."""
    assert sum(len(gzip.compress(data)) for data, _ in FILES.values()) <= 80_000
