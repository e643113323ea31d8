"""The page is whole, comes from here alone, and stays small."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from flowvision.web.page_files import page_files
from tests.web.serving import Serving

FILES = page_files()


@pytest.mark.parametrize("path", FILES)
def test_no_other_origin_is_named(path: str) -> None:
    """It works without a network, and tells nobody that it is used; a namespace is no address."""
    text = FILES[path].data.decode().replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"(https?:)?//[\w.]+\.\w{2,}", text)
    assert "innerHTML" not in text
    assert "eval(" not in text
    assert "style=" not in text


def test_what_modules_import_is_there() -> None:
    """Every import, script, style and icon."""
    for path, file in FILES.items():
        text = file.data.decode()
        for name in re.findall(r'from "\./([^"]+)"', text) + re.findall(r'(?:src|href)="/([^"]+)"', text):
            assert f"/{name}" in FILES, (path, name)


def test_everything_is_served(server: Serving) -> None:
    """With its kind, which browsers insist on."""
    for path, file in FILES.items():
        reply = server.ask("GET", path)
        assert (reply.status, reply.body) == (200, file.data)
        assert reply.headers["content-type"] == file.kind


def test_the_page_is_light() -> None:
    """So that it is there at once, on a phone in a network as well."""
    whole = b"".join(file.data for file in FILES.values())
    assert len(whole) <= 126_000
    assert sum(len(gzip.compress(file.data)) for file in FILES.values()) <= 50_000


@pytest.mark.skipif(not shutil.which("node"), reason="no Node here")
@pytest.mark.parametrize("path", [path for path in FILES if path.endswith(".js")])
def test_scripts_are_whole_without_their_comments(path: str, tmp_path: Path) -> None:
    """What is served can still be read as a module."""
    served = tmp_path / "served.mjs"
    served.write_bytes(FILES[path].data)
    subprocess.run(["node", "--check", served], capture_output=True, check=True)
