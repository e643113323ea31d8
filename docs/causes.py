"""Write the causes of refusals into ``docs/errors.md``, from the table: ``python docs/causes.py``."""

from __future__ import annotations

import re
from pathlib import Path

from flowvision.diagnosis.wording import WORDS

ERRORS = Path(__file__).with_name("errors.md")
BEGIN, END = "<!-- causes: written by docs/causes.py -->\n", "<!-- end of causes -->\n"


def table() -> str:
    """A row a cause: its code, what is said of it with facts left open, and what it is told by."""
    rows = ["| cause | what is said | told by |", "|---|---|---|"]
    rows += [f"| `{code}` | {_plain(words.says)} | {words.measured} |" for code, words in WORDS.items()]
    return "\n".join(rows) + "\n"


def _plain(template: str) -> str:
    """A sentence with ``…`` for each of its facts, less the parts that it may go without."""
    template = re.sub(r"^\[([^\[\]]*)\{\w+:if\}\]", r"\1", template)
    template = re.sub(r"\[[^\[\]]*\]", "", template)
    plural = re.sub(r"\{\w+:[^{}|]*#?[^{}|]*\|([^{}]*)\}", lambda found: found[1].replace("#", "…"), template)
    return re.sub(r"\{[^{}]*\}", "…", re.sub(r" ([.,])", r" …\1", plural))


def with_causes(text: str) -> str:
    """The document with the table as it should be."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}{table()}{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    ERRORS.write_text(with_causes(ERRORS.read_text("utf-8")), "utf-8")
