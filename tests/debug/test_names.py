"""The names of pictures are public."""

from __future__ import annotations

from pathlib import Path

import pytest

from flowvision.debug.folder import NAMES
from flowvision.debug.page import STAGES

DOCS = (Path(__file__).parents[2] / "docs" / "debug.md").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_every_picture_is_explained(name: str) -> None:
    """The documents say what each shows, and the page knows the stage of each."""
    assert f"`{name}.png`" in DOCS
    assert name.split("-", maxsplit=1)[0] in STAGES
