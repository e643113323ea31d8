"""Counts and summary of a batch."""

from __future__ import annotations

import re
from pathlib import Path

from flowvision.batch.jobs import Outcome
from flowvision.cli.progress import IN_DOUBT, KINDS, Progress
from tests.commands import error_kinds

ERRORS = Path(__file__).resolve().parents[2] / "docs" / "errors.md"


def outcome(code: str) -> Outcome:
    """The outcome of a screenshot that failed with a code, or was solved."""
    answer = {"ok": False, "error": {"code": code, "message": "x"}} if code else {"ok": True}
    return Outcome(0, "a.png", "", answer)


def test_the_summary_counts_failures_in_words() -> None:
    """By kinds that a person knows, the most frequent first; a code of no kind is a doubtful reading."""
    progress = Progress(8)
    for code in ("covered", "no-board", "grid-not-found", "unsure", ""):
        progress.add(outcome(code), reused=not code)
    assert progress.summary() == (
        "1 of 8 solved, 2 without a board, 1 covered by a popup, 1 read in doubt, 3 not reached; "
        "1 were done before"
    )
    assert (progress.failed, progress.done) == (4, 5)


def test_every_code_of_a_kind_exists() -> None:
    """Codes of errors and causes, each in one kind."""
    codes = [code for of_kind in KINDS.values() for code in of_kind]
    assert len(codes) == len(set(codes))
    causes = re.findall(r"^\| `([a-z-]+)` \|", ERRORS.read_text(), re.MULTILINE)
    assert set(codes) <= {kind.code for kind in error_kinds()} | set(causes)
    assert IN_DOUBT not in KINDS
