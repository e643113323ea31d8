"""The page is whole, comes from here alone, and stays small."""

from __future__ import annotations

import re

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
