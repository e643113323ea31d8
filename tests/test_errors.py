"""The errors as a family: the tree that the module shows, their codes and their docs."""

from __future__ import annotations

import re
from pathlib import Path

from flowvision import errors

DOCS = Path(__file__).resolve().parents[1] / "docs" / "errors.md"


def kinds(
    parent: type[errors.FlowvisionError] = errors.FlowvisionError,
) -> list[type[errors.FlowvisionError]]:
    """All kinds of errors below one."""
    return [kind for one in parent.__subclasses__() for kind in (one, *kinds(one))]


def test_the_tree_shows_every_error_with_its_codes() -> None:
    """Class, code and exit code, as they are."""
    rows = re.findall(r"[├└]─ (\w+) +([\w-]+) +(\d+)$", errors.__doc__ or "", re.MULTILINE)
    assert sorted(rows) == sorted((kind.__name__, kind.code, str(int(kind.exit_code))) for kind in kinds())


def test_every_error_has_its_heading_in_the_docs() -> None:
    """With the exit code and the name of the class below it."""
    text = DOCS.read_text()
    for kind in kinds():
        section = text.split(f"## {kind.code}\n", 1)[1].split("\n## ", 1)[0]
        assert f"`{kind.__name__}`" in section
        assert f"xit code {int(kind.exit_code)}" in section
