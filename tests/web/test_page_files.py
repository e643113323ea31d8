"""The page is whole, comes from here alone, and stays small."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import brotli
import pytest

from flowvision.diagnosis.wording import WORDS
from flowvision.web.page_files import joined, page_files
from tests.web.serving import Serving

FILES = page_files()
PAGE = Path(str(files("flowvision.web"))) / "page"


@pytest.mark.parametrize("sentence", ["If they are dots, say so.", "Allow more time with `--limit SECONDS`"])
def test_sentences_that_the_page_says_otherwise_are_said(sentence: str) -> None:
    """The page replaces them by their words: changed in the table alone they would be left."""
    said = [re.sub(r"\[[^]]*\]", "", words.todo) for words in WORDS.values()]  # without what needs an option
    assert any(sentence in one for one in said)
    assert sentence in (PAGE / "words.js").read_text()


@pytest.mark.parametrize("path", FILES)
def test_no_other_origin_is_named(path: str) -> None:
    """It works without a network, and tells nobody that it is used; a namespace is no address."""
    text = FILES[path].data.decode()
    for known in ("http://www.w3.org/2000/svg",):  # a namespace
        text = text.replace(known, "")
    assert not re.search(r"(https?:)?//[\w.]+\.\w{2,}", text)
    assert "innerHTML" not in text
    assert "eval(" not in text
    assert "style=" not in text


def test_every_module_and_file_is_there() -> None:
    """All scripts are in the one that is served, none is left to be asked for; so is what the page names."""
    scripts = {path.name: path.read_text() for path in PAGE.glob("*.js")}
    for name, text in scripts.items():
        joined_with_it = joined({**scripts, name: text + "\n// whole\n"})
        assert "// whole" in joined_with_it, f"nothing imports {name}"
    assert not re.search(r"^\s*(import|export)\b", joined(scripts), re.MULTILINE)
    for name in re.findall(r'(?:src|href)="(/[^"#]*)"', FILES["/"].data.decode()):
        assert name in FILES


def test_everything_is_served(server: Serving) -> None:
    """With its kind, which browsers insist on, and as small as they take it."""
    for path, file in FILES.items():
        for accepted, opened in (("", bytes), ("gzip", gzip.decompress), ("gzip, br", brotli.decompress)):
            reply = server.ask("GET", path, headers={"Accept-Encoding": accepted})
            assert (reply.status, opened(reply.body)) == (200, file.data)
            assert reply.headers.get("content-encoding", "") == accepted.rpartition(" ")[2]
        assert reply.headers["content-type"] == file.kind


def test_the_page_is_light() -> None:
    """So that it is there at once, on a phone in a network as well."""
    assert sum(len(file.data) for file in FILES.values()) <= 120_000
    assert sum(len(file.brotli) for file in FILES.values()) <= 35_000
    assert sum(len(file.gzip) for file in FILES.values()) <= 40_000


@pytest.mark.skipif(not shutil.which("node"), reason="no Node here")
def test_the_script_is_whole(tmp_path: Path) -> None:
    """The modules make one script, served or written: no name is given twice."""
    scripts = {path.name: path.read_text() for path in PAGE.glob("*.js")}
    for name, text in (("written", joined(scripts)), ("served", FILES["/main.js"].data.decode())):
        script = tmp_path / f"{name}.mjs"
        script.write_text(text)
        subprocess.run(["node", "--check", script], capture_output=True, check=True)
