"""Names of screenshots and places of solved pictures, which never replace a file of the user.

A shot is the name of a screenshot as typed; a place is the path of a file to write, or ``-`` for stdout.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

import click
from msgspec import Struct, field

from flowvision.cli.printing import plain, tell
from flowvision.errors import OutputError
from flowvision.files import STANDARD, is_marked, make_folder, refuse_overwriting, refuse_replacing, stem_of


class Taken(Struct):
    """Places that a run has written, with the names of their pictures.

    A file that Flowvision did not write is replaced only with ``force``.
    """

    force: bool
    by_place: dict[str, str] = field(default_factory=dict)

    def claim(self, place: str, name: str) -> None:
        """Reserve a place for the picture of ``name``. Raises ``OutputError`` if it must not be written."""
        if place in self.by_place:
            raise OutputError(
                f"{place} already holds the picture of {self.by_place[place]}.",
                "Rename one of the two, or give `-o` a folder, such as `out/`.",
            )
        if not self.force:
            refuse_replacing(place)
        self.by_place[place] = name


class Places:
    """Places of the solved pictures of a run: never an input.

    ``ending``: end of usual names, such as ``.solved.png``. ``folder``: ``output``, if it is one.
    """

    def __init__(self, shots: Sequence[str], output: str | None, force: bool, ending: str) -> None:
        self.shots = shots
        self.output = output
        self.ending = ending
        self.taken = Taken(force)
        self.folder: str | None = None
        if not output:
            return
        several, in_folder = len(shots) > 1, is_folder(output)
        _, suffix = os.path.splitext(output)
        if several and (output == STANDARD or (suffix and not in_folder)):
            raise click.UsageError(f"Several pictures cannot all be written to {output}: give -o a folder.")
        if output != STANDARD and (several or in_folder):
            self.folder = output

    def place_of(self, shot: str) -> str | None:
        """Return the place of the solved picture; ``None`` if ``shot`` itself is that picture.

        Raises ``OutputError`` if it must not be written there.
        """
        name = f"{_usual_name(shot)}{self.ending}"
        if self.output == STANDARD:
            return STANDARD
        if self.folder is not None:
            place = str(make_folder(self.folder) / name)
        elif self.output is not None:
            place = self.output
        else:
            place = name if shot == STANDARD else os.path.join(os.path.dirname(shot), name)
            if place == shot:
                return None
        refuse_overwriting(place, self.shots)
        self.taken.claim(place, shot)
        return place


def is_folder(output: str) -> bool:
    """Return true for the name of a folder: an existing one, or a name that ends in a slash."""
    return os.path.isdir(output) or output.endswith(("/", "\\"))


def _usual_name(shot: str) -> str:
    """Return the name of a screenshot without its suffix, unless another picture has that name too.

    Of a picture that Flowvision wrote, ``.solved`` or ``.hint`` is dropped too.
    """
    from flowvision.image.codec import READABLE

    stem = stem_of(shot)
    if shot == STANDARD:
        return stem
    if is_marked(shot):
        return re.sub(r"\.(solved|hint)$", "", stem)
    same = {os.path.splitext(shot)[0] + suffix for suffix in READABLE} - {shot}
    has_twin = any(os.path.isfile(other) and not is_marked(other) for other in same)
    return os.path.basename(shot) if has_twin else stem


def page_folder_of(shot: str, shots: Sequence[str]) -> str:
    """Return the name of the folder of a debug page, numbered if several screenshots have the same."""
    stem = stem_of(shot)
    same_stem = [other for other in shots if stem_of(other) == stem]
    number = same_stem.index(shot) + 1
    return stem if len(same_stem) == 1 else f"{stem}-{number}"


def screenshots_among(files: Sequence[str], quiet: bool) -> tuple[str, ...]:
    """Return the files but those that Flowvision wrote, or all of them if it wrote all.

    ``flowvision *.png`` thus works twice in one folder. Skipped files are named on stderr.
    """
    files = list(dict.fromkeys(files))
    ours = [file for file in files if file != STANDARD and is_marked(file)]
    screenshots = tuple(file for file in files if file not in ours)
    words = "skipped, made by Flowvision" if screenshots else "made by Flowvision, a solution or a hint"
    # Several of our own and no others are meant: only what is skipped, or comes alone, may be a mistake.
    are_named = not quiet and (screenshots or len(files) == 1)
    for file in ours if are_named else ():
        tell(f"{plain(file)}: {words}", err=True)
    return screenshots or tuple(files)
