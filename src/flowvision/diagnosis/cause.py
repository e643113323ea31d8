"""Why a picture was refused, as data; ``wording`` has the sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, NamedTuple

import numpy as np

from flowvision.log import Stage
from flowvision.reading.options import Options
from flowvision.value import value_type
from flowvision.vision.pixels.view import Floats

LOOKED_AT = "looked at here"
"""The label of a part of the picture that was looked at in vain."""


class Mark(NamedTuple):
    """A place in the picture that a cause speaks of. All lengths are in pixels of the picture.

    ``kind``: a ``ring`` round its one point, an ``area``, a ``box`` or a ``cell`` with its points as corners,
    a ``line`` along them. ``label``: what is written there.
    """

    kind: Literal["ring", "area", "box", "cell", "line"]
    points_px: tuple[tuple[float, float], ...]
    label: str = ""
    radius_px: float = 0.0

    @classmethod
    def of(cls, kind: Literal["area", "box", "cell", "line"], points_px: Floats, label: str = "") -> Mark:
        """A mark along an array (N, 2) of points."""
        return cls(kind, tuple((x, y) for x, y in np.asarray(points_px, np.float64).tolist()), label)

    @classmethod
    def of_box(cls, low: Sequence[float], high: Sequence[float], label: str = "") -> Mark:
        """A box from its upper left to its lower right corner."""
        return cls.of("box", corners_of(low, high), label)


def corners_of(low: Sequence[float] | Floats, high: Sequence[float] | Floats) -> Floats:
    """(4, 2): the corners of a box, clockwise from its upper left one."""
    (x0, y0), (x1, y1) = low, high
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float64)


@value_type
class Advice:
    """An option to add to the command, ``--grid`` say, and its ``value``; empty for what a person must say.

    ``came``: what came of it where it was tried, ``solved``, ``several`` or the code of the next cause.
    ``warnings``: what is said of that answer.
    """

    option: str
    value: str
    came: str = ""
    size: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """As it is typed."""
        return f"{self.option} {self.value}"

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left for a person to fill in."""
        return not any(word in self.value for word in PLACEHOLDERS)

    def is_new(self, given: str) -> bool:
        """Whether it is more than to give a value in place of the one ``given``, which a person chose."""
        return self.is_whole and self.value != given


def given_options(options: Options) -> dict[str, str]:
    """What was given of ``--crop``, ``--grid`` and ``--colours``: each with its value as it is typed."""
    given = {
        "--crop": ",".join(map(str, options.crop or ())),
        "--grid": options.grid,
        "--colours": options.colours,
    }
    return {option: str(value) for option, value in given.items() if value}


PLACEHOLDERS = "COLSxROWS", "X,Y,WIDTH,HEIGHT", "ROW,COLUMN", "CELL", "LETTER", "DEGREES"
"""Words that stand for values which only a person can say."""
SIZE = Advice("--grid", "COLSxROWS")
SOME_LETTER = Advice("--set", "ROW,COLUMN=LETTER")

CUTTABLE = (
    "empty-board", "few-pairs", "lone-dot", "lone-dots", "no-answer", "no-solution", "not-believed",
    "not-sure",
)  # fmt: skip
"""Causes that a missing row or column may have, where nothing else explains them."""
WRONG = {"wrong-size": "--grid", "wrong-crop": "--crop", "wrong-colours": "--colours"}
"""Options that do not fit, by the cause that says so; ``wrong-option`` has its own among the facts."""


@value_type(eq=False)
class Cause:
    """Why a picture was refused.

    ``code``: a row of ``wording.WORDS``. ``stage``: the first one whose picture shows it. ``facts``: what was
    seen and wanted, by the names that the words have for them; places are (row, column) from 0, or numbers of
    cells from 0. ``threshold``: the setting that decided; it ``saw`` this value. ``marks``: where it is in
    the picture. ``advice``: what to try, the likeliest first.
    """

    code: str
    stage: Stage
    facts: Mapping[str, Any] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()
    advice: tuple[Advice, ...] = ()
    threshold: str = ""
    saw: float | None = None

    @property
    def option(self) -> str:
        """The option that was given and does not fit the picture; empty where it is none."""
        return WRONG.get(self.code) or str(self.facts.get("option", ""))
