"""Write the lists in the documents that come from tables in the code: ``python docs/tables.py``.

Each list is between two comments that name it.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from flowvision.doubts import Doubt
from flowvision.errors import FlowvisionError
from flowvision.files import FORMS
from flowvision.reading import strategies
from flowvision.reading.strategies import Strategy
from flowvision.words import listed

ROOT = Path(__file__).parents[1]
T = TypeVar("T")


def errors() -> str:
    """List the classes of errors: code, exit code, class, meaning."""
    rows = (
        (f"`{kind.code}`", str(int(kind.exit_code)), f"`{kind.__name__}`", _sentence(kind.__doc__ or ""))
        for kind in _kinds(FlowvisionError)
    )
    return _table(("code", "exit code", "class", "meaning"), rows)


def _kinds(parent: type[T]) -> list[type[T]]:
    """Return all subclasses, each before its own."""
    return [kind for child in parent.__subclasses__() for kind in (child, *_kinds(child))]


def _sentence(docstring: str) -> str:
    """Return the first paragraph on one line."""
    return " ".join(docstring.partition("\n\n")[0].split())


def causes() -> str:
    """List the doubts, which are the causes of refusals: code, meaning."""
    kinds = (kind for kind in _kinds(Doubt) if not kind.__subclasses__())
    return _table(("cause", "meaning"), ((f"`{kind.code}`", _sentence(kind.__doc__ or "")) for kind in kinds))


def packages() -> str:
    """List the modules and packages of each layer, highest first, by the first line of their docstrings."""
    return _layers("flowvision")


def vision() -> str:
    """List the layers inside ``vision``."""
    return _layers("flowvision.vision")


def _layers(container: str) -> str:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(each["layers"] for each in contracts if each.get("containers") == [container])
    names = [name for layer in layers for name in layer.split(" | ")]
    folder = ROOT / "src" / container.replace(".", "/")
    width = max(map(len, names)) + 2
    lines = (f"{name:{width}}{_summary(folder, name)}\n" for name in names)
    return f"```text\n{''.join(lines)}```\n"


def _summary(folder: Path, name: str) -> str:
    """Return the first sentence of a module's docstring, without its full stop."""
    file = folder / f"{name}.py"
    source = (file if file.exists() else folder / name / "__init__.py").read_text("utf-8")
    return _sentence(ast.get_docstring(ast.parse(source)) or "").removesuffix(".")


def cascade() -> str:
    """List the strategies in their order."""
    tables = ((name, table) for name, table in vars(strategies).items() if isinstance(table, tuple))
    rows = (
        (f"`{name}`", row.name, row.why)
        for name, table in tables
        for row in table
        if isinstance(row, Strategy)
    )
    return _table(("table", "strategy", "reason"), rows)


def suffixes() -> str:
    """List the usual suffix of each form of output, still ones first."""
    still, moving = (
        [form for form in FORMS.values() if (form.content == "motion") is is_moving]
        for is_moving in (False, True)
    )
    named = (
        ", ".join(f"`{form.suffixes[0]}`" for form in forms if form.suffixes) for forms in (still, moving)
    )
    return ", and moving ".join(named)


def drawings() -> str:
    """List the forms of a drawing that can show a puzzle without its answer."""
    named = [form.words for form in FORMS.values() if form.animated != form.name and form.content != "text"]
    return listed(named, between=", ", last="or")


def formats() -> str:
    """List the forms that the web server answers in."""
    return ", ".join(f"`{form.name}`" for form in FORMS.values() if form.on_page)


def measured() -> str:
    """Return the sentences about how well boards are read, from the first table of that section."""
    page = (ROOT / "docs/notes/reading.md").read_text("utf-8").partition("## How well it reads")[2]
    shared, apart = ([int(word.replace(",", "")) for word in row] for row in MEASURED.findall(page)[:2])
    without, invented = shared[3] + apart[3], shared[4] + apart[4]
    return (
        f"It read {shared[1]} of {shared[0]} boards on public screenshots correctly and {_none(shared[2])} "
        f"wrongly;\n  of {apart[0]} boards never used for tuning, it read {apart[1]} correctly and "
        f"{_none(apart[2])} wrongly. It invented {_none(invented, 'no')} board{'' if invented < 2 else 's'} "
        f"in {without} pictures without one"
    )


def _none(number: int, zero: str = "none") -> str:
    return {0: zero, 1: "one"}.get(number, str(number))


MEASURED = re.compile(r"^\| [a-z ]+ \|" + r" ([\d,]+) \|" * 5, re.MULTILINE)
"""A row of that table: boards, read right, read wrongly, pictures without one, boards invented."""

LISTS: dict[str, Callable[[], str]] = {
    made.__name__: made
    for made in (errors, causes, packages, vision, cascade, suffixes, drawings, formats, measured)
}
PAGES = tuple(
    ROOT / page
    for page in (
        "README.md",
        "docs/architecture.md",
        "docs/commands.md",
        "docs/errors.md",
        "docs/notes/reading.md",
        "docs/web.md",
    )
)
LISTED = re.compile(r"(<!-- (?P<name>\w+): written by docs/tables.py -->)(\s?).*?(<!-- end -->)", re.DOTALL)


def with_lists(text: str) -> str:
    """Return a page with its lists up to date."""
    return LISTED.sub(lambda found: f"{found[1]}{found[3]}{LISTS[found['name']]()}{found[4]}", text)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(with_lists(page.read_text("utf-8")), "utf-8")
