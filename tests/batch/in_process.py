"""Batches without processes of their own: what is patched is met, and all is done in order."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import nullcontext
from typing import Any

import pytest


class Here(Executor):
    """Makes every call at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The future of a call that was made; an interruption goes on to who asked for it."""
        made: Future[Any] = Future()
        try:
            made.set_result(fn(*args, **kwargs))
        except Exception as error:
            made.set_exception(error)
        return made


def work_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have batches do one job after another in this process."""
    monkeypatch.setattr("flowvision.batch.session.executor_for", lambda _: nullcontext((Here(), 1)))
