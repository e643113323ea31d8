"""Plain English: openings of docstrings, and words that readers stumble over."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.commands import ROOT

SOURCES = sorted((ROOT / "src" / "flowvision").rglob("*.py"))
TESTS = sorted(path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__).resolve())
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
OPENINGS = ("how", "what", "whether", "where", "why", "which", "of", "that", "who")
BANNED = re.compile(
    r"\b((?i:anew|mend(?:s|ed)?|nobody|somebody|whoever|in silence|carried on|put right|those that are|"
    r"so many|told as|looked for|asked for|goes on|go on beyond)|is none)\b"
)
"""Words of a translation; ``is None`` of Python is not one of them."""
DIALECT = re.compile(
    r"(?<![a-z])(said|told|asked|nobody|somebody|whoever|anew|mend(?:s|ed)?)(?![a-z])", re.IGNORECASE
)
"""Words to avoid in tests, also as parts of names: ``message``, ``reported``, ``commands`` say more."""


def openings() -> Iterator[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, kinds):
                first = (ast.get_docstring(node) or "").split(" ", 1)[0].lower().rstrip(",:")
                if first in OPENINGS:
                    yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"


def banned(paths: list[Path], words: re.Pattern[str]) -> Iterator[str]:
    for path in paths:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            for word in words.findall(line):
                yield f"{path.relative_to(ROOT)}:{number}: {word}"


def test_docstrings_open_with_a_verb_or_a_noun() -> None:
    assert not list(openings())


def test_sources_and_pages_avoid_banned_words() -> None:
    assert not list(banned([*SOURCES, *PAGES], BANNED))


def test_tests_speak_as_sources_do() -> None:
    assert not list(banned(TESTS, DIALECT))
