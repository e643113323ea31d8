"""Write what the documents list of the code's own tables: ``python docs/tables.py``, or ``just tables``.

Each list stands between two comments that name it, and is written anew as the code has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from flowvision.forms import FORMS
from flowvision.reading import strategies
from flowvision.reading.strategies import Strategy
from flowvision.reading.verdict import CHECKS
from flowvision.reading.wording import WORDS
from flowvision.words import listed

ROOT = Path(__file__).parents[1]


def causes() -> str:
    """A row a cause of refusals: its code, its message with facts left open, and what it is recognised by."""
    rows = ((f"`{code}`", _plain(words.says), words.measured) for code, words in WORDS.items())
    return _table(("cause", "message", "recognised by"), rows)


def cascade() -> str:
    """A row a strategy, in the order in which the module has them."""
    tables = ((name, table) for name, table in vars(strategies).items() if isinstance(table, tuple))
    rows = (
        (f"`{name}`", row.name, row.why)
        for name, table in tables
        for row in table
        if isinstance(row, Strategy)
    )
    return _table(("table", "strategy", "reason"), rows)


def checks() -> str:
    """A row a check, in order."""
    rows = (
        (check.name, "every candidate" if check.at_once else "the one believed", check.why)
        for check in CHECKS
    )
    return _table(("check", "applied to", "reason"), rows)


def suffixes() -> str:
    """The usual suffix of each form of output, still ones first."""
    still, moving = (
        [form for form in FORMS.values() if (form.content == "motion") is is_moving]
        for is_moving in (False, True)
    )
    named = (
        ", ".join(f"`{form.suffixes[0]}`" for form in forms if form.suffixes) for forms in (still, moving)
    )
    return ", and moving ".join(named)


def drawings() -> str:
    """The forms of a drawing that holds a puzzle without its answer."""
    named = [form.words for form in FORMS.values() if form.unsolved and form.content != "text"]
    return listed(named, between=", ", last="or")


def formats() -> str:
    """The forms that the web server answers in."""
    return ", ".join(f"`{form.name}`" for form in FORMS.values() if form.on_page)


LISTS: dict[str, Callable[[], str]] = {
    made.__name__: made for made in (causes, cascade, checks, suffixes, drawings, formats)
}
PAGES = tuple(
    ROOT / page
    for page in ("README.md", "docs/commands.md", "docs/errors.md", "docs/notes/reading.md", "docs/web.md")
)
LISTED = re.compile(r"(<!-- (\w+): written by docs/tables.py -->)(\s?).*?(<!-- end -->)", re.DOTALL)


def with_lists(text: str) -> str:
    """A page with its lists as they should be."""
    return LISTED.sub(lambda found: f"{found[1]}{found[3]}{LISTS[found[2]]()}{found[4]}", text)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _plain(template: str) -> str:
    """A sentence with ``…`` for its facts, without optional parts."""
    template = re.sub(r"\{\w+:if\}", "", template)
    template = re.sub(r"\[([^\[\]]*)\](\[[^\[\]]*\])+", r"\1", template)  # of alternatives the first
    template = re.sub(r"^\[([^\[\]]*)\]$", r"\1", template)
    template = re.sub(r"\[[^\[\]]*\]", "", template)
    plural = re.sub(r"\{\w+:[^{}|]*#?[^{}|]*\|([^{}]*)\}", lambda found: found[1].replace("#", "…"), template)
    return re.sub(r"\{[^{}]*\}", "…", re.sub(r" ([.,])", r" …\1", plural))


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(with_lists(page.read_text("utf-8")), "utf-8")
