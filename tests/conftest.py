"""Fixtures that several tests share."""

import math
import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from flowvision.image.codec import encode
from flowvision.image.picture import Bgr
from tests.commands import NIGHTLY
from tests.drawing import LEVEL_5X5, UNSOLVABLE, screenshot_of
from tests.schema import check_all_lines

check_all_lines()

# The same examples at every landing, so that only a change turns a run red; new ones every night.
settings.register_profile("landing", derandomize=True, deadline=None)
settings.register_profile("nightly", max_examples=500, deadline=None)
settings.load_profile("nightly" if NIGHTLY else "landing")


def parts(case: pytest.Function) -> list[tuple[str, str]]:
    return [(name, repr(value)) for name, value in case.callspec.params.items()]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all but a few cases of each sweep ``nightly``; run a file's browser tests in one process."""
    sweeps: defaultdict[str, list[pytest.Function]] = defaultdict(list)
    for item in items:
        assert isinstance(item, pytest.Function)
        if "browser" in item.fixturenames:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
        if not NIGHTLY and item.get_closest_marker("sweep"):
            sweeps[item.nodeid.partition("[")[0]].append(item)
    for cases in sweeps.values():
        # A step near the golden ratio spreads over one parameter; counting spreads over each of several.
        cases.sort(key=lambda case: list(case.callspec.indices.values()))
        step = round(0.618 * len(cases))
        while math.gcd(step, len(cases)) > 1:
            step += 1
        left = [cases[n * step % len(cases)] for n in range(len(cases))]
        values = Counter(name for name, _ in {each for case in cases for each in parts(case)})
        used: Counter[tuple[str, str]] = Counter()
        for _ in range(min(len(left), cases[0].get_closest_marker("sweep").kwargs["at_landing"])):
            chosen = min(left, key=lambda case: sum(values[each[0]] * used[each] for each in parts(case)))
            used.update(parts(chosen))
            left.remove(chosen)
        for case in left:
            case.add_marker("nightly")


@pytest.fixture(autouse=True, scope="session")
def own_state(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep faults of tests out of the user's state folder."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(autouse=True, scope="session")
def unhurried() -> Iterator[None]:
    """Give trials of advice enough time on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flowvision.diagnosis.causes.SECONDS", 60.0)
        patch.setattr("flowvision.diagnosis.causes.REPAIR_SECONDS", 10.0)
        yield


def written(path: Path, bgr: Bgr) -> Path:
    path.write_bytes(encode(bgr))
    return path


@pytest.fixture
def shot(tmp_path: Path) -> Path:
    return written(tmp_path / "shot.png", screenshot_of(LEVEL_5X5))


@pytest.fixture
def cwd(shot: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Working folder with ``shot.png``."""
    monkeypatch.chdir(shot.parent)
    return shot.parent


@pytest.fixture
def unsolvable(tmp_path: Path) -> Path:
    return written(tmp_path / "impossible.png", screenshot_of(UNSOLVABLE))


@pytest.fixture
def menu(tmp_path: Path) -> Path:
    """A picture without a board."""
    bgr = screenshot_of("..\n..\n") * 0
    bgr[40:80, 20:90] = 200
    return written(tmp_path / "menu.png", bgr)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from tests.web.chromium import chromium

    with chromium() as running:
        yield running
