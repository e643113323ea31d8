"""Batches without processes of their own, where what is patched is met and all is done in order; results."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest


def submit(function: Callable[..., Any], *args: Any) -> Future[Any]:
    """The future of a call that was made here and now; an interruption passes through."""
    made: Future[Any] = Future()
    try:
        made.set_result(function(*args))
    except Exception as error:
        made.set_exception(error)
    return made


def work_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have batches do one job after another in this process."""
    monkeypatch.setattr("flowvision.batch.session.submitter_for", lambda _: nullcontext((submit, 1)))


def results(out: Path) -> list[dict[str, Any]]:
    """The objects of the contract in an output folder, without their times."""
    lines = (out / "results.ndjson").read_text().splitlines()
    return [{key: value for key, value in json.loads(line).items() if key != "seconds"} for line in lines]
