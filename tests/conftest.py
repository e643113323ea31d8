"""Fixtures that several tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from flowvision import contract
from flowvision.image.codec import encode
from tests.drawing import FIVE, NONE, screenshot_of
from tests.schema import checking

# Before any module takes the function for itself: whatever a test has written is held against the schema.
contract.json_line = checking(contract.json_line)

# The same examples in every run: a red run is then a change, not a draw. Search anew with
# HYPOTHESIS_PROFILE=default. Nor does a slow machine make one: how long an example takes is no property.
settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


@pytest.fixture(autouse=True, scope="session")
def own_state(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Faults that tests make are kept apart from those of whoever runs them."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(autouse=True, scope="session")
def unhurried() -> Iterator[None]:
    """Advice is tried to its end: none is left out because the machine has something else to do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flowvision.diagnosis.trials.SECONDS", 60.0)
        patch.setattr("flowvision.diagnosis.puzzle.SECONDS", 10.0)
        yield


@pytest.fixture
def shot(tmp_path: Path) -> Path:
    """A screenshot of a board with one solution."""
    path = tmp_path / "shot.png"
    path.write_bytes(encode(screenshot_of(FIVE)))
    return path


@pytest.fixture
def impossible(tmp_path: Path) -> Path:
    """A screenshot of a board without a solution."""
    path = tmp_path / "impossible.png"
    path.write_bytes(encode(screenshot_of(NONE)))
    return path


@pytest.fixture
def menu(tmp_path: Path) -> Path:
    """A picture without a board."""
    path = tmp_path / "menu.png"
    bgr = screenshot_of("..\n..\n") * 0
    bgr[40:80, 20:90] = 200
    path.write_bytes(encode(bgr))
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for all tests of a module."""
    from tests.web.chromium import chromium

    with chromium() as running:
        yield running
