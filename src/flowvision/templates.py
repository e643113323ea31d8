"""HTML pages from Jinja2 templates; every value in them is escaped."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from flowvision.files import HTML_MARK
from flowvision.version import VERSION
from flowvision.words import count_of, printable

if TYPE_CHECKING:  # it takes as long to load as a small picture to solve
    from jinja2 import Environment


def render(name: str, **values: Any) -> str:
    """Return the page of a template, such as ``debug/page.html``."""
    return _environment().get_template(name).render(values)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup, escape

    def spaced(typed: str) -> Markup:
        """Mark up text to type, so that a line breaks between words only."""
        return Markup(re.sub(r"[^ ]+", r"<span>\g<0></span>", str(escape(typed))))

    def code(sentence: str) -> Markup:
        """Mark up a sentence whose parts to type stand between backticks."""
        escaped = str(escape(printable(sentence)))
        return Markup(re.sub(r"`([^`]*)`", lambda found: f"<code>{spaced(Markup(found[1]))}</code>", escaped))

    made = Environment(
        loader=PackageLoader("flowvision", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"code": code, "spaced": spaced, "count_of": count_of, "printable": printable}
    made.globals |= {"mark": Markup(HTML_MARK), "version": VERSION}
    return made
