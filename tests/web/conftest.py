"""One server for all tests that only ask it things."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.serving import Serving, served


@pytest.fixture(scope="session")
def server() -> Iterator[Serving]:
    """A server with its usual limits."""
    with served() as serving:
        yield serving
