"""Forms of output: one table for commands, library, server and page."""

from __future__ import annotations

import os
from typing import Literal

from msgspec import Struct

from flowvision.errors import OutputError
from flowvision.files import STANDARD, StrPath
from flowvision.words import listed


class Form(Struct, frozen=True):
    """A kind of file.

    ``suffixes``: the files that are written so, the usual one first. ``words``: its name for readers.
    ``content``: a still ``picture``, ``motion`` that ends in it, ``vectors``, or ``text``. ``animated``: the
    name of the form written in its place where motion is wanted; ``None`` for what cannot move. ``unsolved``:
    whether it also holds a puzzle without its answer, as a picture or as text that is read again.
    ``on_page``: whether the web server answers in it.
    """

    name: str
    suffixes: tuple[str, ...]
    media_type: str
    words: str
    content: Literal["picture", "motion", "vectors", "text"]
    animated: str | None
    unsolved: bool = True
    on_page: bool = True


FORMS = {
    form.name: form
    for form in (
        Form("png", (".png",), "image/png", "PNG", "picture", "apng"),
        Form("jpg", (".jpg", ".jpeg"), "image/jpeg", "JPEG", "picture", None),
        Form("webp", (".webp",), "image/webp", "WebP", "picture", None, on_page=False),
        Form("pdf", (".pdf",), "application/pdf", "PDF", "picture", None, on_page=False),
        Form("gif", (".gif",), "image/gif", "Animated GIF", "motion", "gif", unsolved=False),
        Form("apng", (".apng",), "image/apng", "Animated PNG", "motion", "apng", unsolved=False),
        Form("mp4", (".mp4",), "video/mp4", "MP4", "motion", "mp4", unsolved=False, on_page=False),
        Form("svg", (".svg",), "image/svg+xml", "SVG", "vectors", "moving-svg"),
        Form("moving-svg", (), "image/svg+xml", "Animated SVG", "vectors", "moving-svg", unsolved=False),
        Form("txt", (".txt",), "text/plain", "text", "text", None, on_page=False),
    )
}
"""By name; ``export/pictures.py`` writes them. MP4 needs the extra ``video``."""
SUFFIXES = {suffix: form for form in FORMS.values() for suffix in form.suffixes}


def form_of(place: StrPath, animate: bool = False) -> Form:
    """Return the form of a file, by its suffix; standard output (``-``) gets PNG.

    ``animate``: the moving form of it. Raises ``OutputError`` for other suffixes, and for what cannot move.
    """
    suffix = ".png" if place == STANDARD else os.path.splitext(os.fspath(place))[1].lower()
    form = SUFFIXES.get(suffix)
    if form is None:
        seen = f"{suffix!r}" if suffix else "a file without a suffix"
        folder = "" if suffix else f"; a folder ends with /, as `{os.fspath(place)}/`"
        hint = f"Choose one of {', '.join(SUFFIXES)}{folder}."
        raise OutputError(f"Cannot write an answer as {seen}.", hint)
    if not animate:
        return form
    if form.animated is None:
        moving = [name for name, other in SUFFIXES.items() if other.animated]
        raise OutputError(f"A {form.words} cannot be animated.", f"Choose one of {', '.join(moving)}.")
    return FORMS[form.animated]


def suffix_words(unsolved: bool = False) -> str:
    """Return the usual suffixes in words; ``unsolved``: of drawings that hold an unsolved puzzle."""
    forms = [form for form in FORMS.values() if form.suffixes]
    if unsolved:
        forms = [form for form in forms if form.unsolved and form.content != "text"]
    return listed([form.suffixes[0] for form in forms], between=", ", last="or")
