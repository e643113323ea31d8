"""One server for all tests that only ask it things."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.chromium import Tab
from tests.web.serving import Serving, served


@pytest.fixture(scope="session")
def server() -> Iterator[Serving]:
    with served() as serving:
        yield serving


@pytest.fixture
def tab(browser: Any, server: Serving) -> Iterator[Tab]:
    one = Tab(browser, server)
    yield one.open()
    one.close()


@pytest.fixture
def phone(browser: Any, server: Serving) -> Iterator[Tab]:
    tab = Tab(browser, server, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).open()
    yield tab
    tab.close()
