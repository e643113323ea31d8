"""Context of a refusal: the results that led to it, and those that a person would choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flowvision.corrections.draft import Draft
from flowvision.diagnosis.cells import (
    CellDiscs,
    ColourGroup,
    Covered,
    cell_discs,
    colour_groups,
    covered_cells,
)
from flowvision.diagnosis.surface import EVEN, sharpness_of
from flowvision.errors import FlowvisionError
from flowvision.image.picture import Screenshot
from flowvision.image.pixels import pixels_at
from flowvision.log import Step
from flowvision.puzzle.layout import Key
from flowvision.reading.candidates import Candidate
from flowvision.reading.cut_off import CutLine, cut_line
from flowvision.reading.options import Options
from flowvision.reading.refused import Refused, refused_attempt
from flowvision.solvers import Outcome, Unsolvable
from flowvision.vision.board import BoardRegion
from flowvision.vision.dots.detection import DotHypothesis, Dots, Pairing
from flowvision.vision.kinds.fit import BoardGeometry, DotModel, Fit
from flowvision.vision.pixels.view import Floats, lab_of
from flowvision.vision.settings import SETTINGS, Settings

COLOURLESS = 30
"""Largest difference between the channels of a grey pixel, also after compression."""
SOME = 4
"""Number of cells or dots: fewer tell nothing about a board."""
REFUSING = "unsure", "few-pairs", "touches-itself", "odd-cells", "open-border", "runs-on", "late"
"""Codes that refuse a board that was read whole."""
CUTTABLE = "no-dots", "lone-dots", "no-solution", *REFUSING
"""Codes that a missing row or column may explain."""


def given_options(options: Options) -> dict[str, str]:
    """Return the given crop, grid and colours, each with its value as typed."""
    crop = ",".join(map(str, options.crop or ()))
    given = {"crop": crop, "grid": options.grid, "colours": options.colours}
    return {name: str(value) for name, value in given.items() if value}


@dataclass(frozen=True, eq=False)
class Seen(Refused):
    """Context of a refused picture, and what a person would see there.

    ``final``: the error raised in the end; ``error`` and ``latest`` are those of the ``choice``, if any.
    """

    shot: Screenshot
    final: FlowvisionError
    options: Options
    steps: Sequence[Step]

    @property
    def settings(self) -> Settings:
        """The thresholds of the reader."""
        return SETTINGS

    @cached_property
    def fits(self) -> list[Fit]:
        """Every fit that was found."""
        return [step.result for step in self.steps if step.stage == "grid" and isinstance(step.result, Fit)]

    @property
    def region(self) -> BoardRegion | None:
        """The region that was searched."""
        return self.find(BoardRegion)

    @property
    def fit(self) -> Fit | None:
        """The fit that explains the region."""
        return self.find(Fit)

    @property
    def lattice(self) -> Fit | None:
        """The fit, if it has rows and columns of squares."""
        fit = self.fit
        return fit if fit is not None and fit.size is not None else None

    @cached_property
    def cut_line(self) -> CutLine | None:
        """The row or column that the edges of the picture may cut off."""
        return cut_line(self.fit, self.shot)

    @property
    def geometry(self) -> BoardGeometry:
        """The board cut out; requires cells."""
        geometry = self.find(BoardGeometry)
        assert geometry is not None
        return geometry

    @property
    def model(self) -> DotModel | None:
        """Model of the dots in the last attempt."""
        hypothesis = self.find(DotHypothesis)
        return hypothesis.model if hypothesis else None

    @property
    def dots(self) -> Dots | None:
        """The dots; requires cells."""
        return self.find(Dots)

    @property
    def pairing(self) -> Pairing | None:
        """The pairs of dots."""
        pairing = self.find(Pairing) or self.error.evidence
        return pairing if isinstance(pairing, Pairing) else None

    @property
    def outcome(self) -> Outcome | None:
        """The solver's outcome for the board that was read."""
        candidate = self.find(Candidate)
        return candidate.outcome if candidate else None

    @property
    def is_refuted(self) -> bool:
        """Return whether the reading has no solution."""
        return isinstance(self.outcome, Unsolvable)

    @cached_property
    def discs(self) -> CellDiscs:
        """The discs in the centres of cells; requires cells."""
        return cell_discs(self.geometry, self.settings.dots)

    @cached_property
    def groups(self) -> tuple[ColourGroup, ...]:
        """The dots by colour."""
        return colour_groups(self.dots) if self.dots is not None else ()

    @cached_property
    def covered(self) -> Covered:
        """Covered cells."""
        if self.dots is None:
            return Covered()
        return covered_cells(self.geometry, self.dots, self.settings)

    @cached_property
    def sharpness(self) -> tuple[float, float]:
        """Width of the sharpest edges in pixels, and the share of pixels without a gradient."""
        return sharpness_of(self.shot.bgr)

    @property
    def is_photograph(self) -> bool:
        """Return whether the picture has hardly any even area."""
        return self.sharpness[1] < EVEN

    @cached_property
    def is_colourless(self) -> bool:
        """Return whether no pixel has a colour."""
        pixels = self.shot.bgr[::4, ::4].astype(np.int16)
        return float(np.percentile(np.ptp(pixels, axis=2), 99.9)) < COLOURLESS

    @cached_property
    def ground(self) -> Floats:
        """The usual colour (3,) in the corners of cells, in Lab; requires cells."""
        cells = self.geometry.board.layout.cells
        corners = [np.array(cell.outline) * 0.85 + np.array(cell.centre) * 0.15 for cell in cells]
        pixels, _ = pixels_at(self.shot.bgr, self.geometry.fit.frame.to_px(np.concatenate(corners)))
        return np.asarray(np.median(lab_of(pixels[None]), axis=1)[0])

    @cached_property
    def board(self) -> Draft:
        """The board with the letters that corrections use; requires cells."""
        assert self.draft is not None
        return self.draft

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the picture."""
        height, width = self.shot.bgr.shape[:2]
        return width, height

    def place(self, cell: int) -> Key:
        """Return the name of a cell."""
        return self.geometry.board.key_of(cell)

    def place_of_dot(self, dot: int) -> Key:
        """Return the name of a dot's cell."""
        assert self.dots is not None
        return self.place(self.dots.dots[dot].cell)

    def letter_of(self, dot: int) -> str:
        """Return the letter that corrections call the colour of a dot by."""
        return self.board.marks[self.place_of_dot(dot)]

    @property
    def outlines_px(self) -> list[Floats]:
        """The corners (N, 2) of every cell in the picture; requires cells."""
        to_px = self.geometry.fit.frame.to_px
        return [to_px(cell.outline) for cell in self.geometry.board.layout.cells]


def seen_of(steps: Sequence[Step], final: FlowvisionError, options: Options) -> Seen:
    """Gather the context of a failure. Raises ``LookupError`` without a decoded picture."""
    shot = picture_in(steps)
    if shot is None:
        raise LookupError("There is no picture.")
    look = refused_attempt(final, steps)
    latest = shot if look.latest is None else look.latest
    return Seen(latest, look.error, look.final_fit, look.choice, shot, final, options, steps)


def near_misses(dots: Dots, settings: Settings) -> list[int]:
    """Return the cells that stand out as a dot does but do not fill the ring."""
    evidence = dots.evidence
    near = (evidence.contrast >= settings.dots.contrast) & (evidence.cover >= NEARLY)
    return sorted(set(np.flatnonzero(near).tolist()) - {dot.cell for dot in dots.dots})


NEARLY = 0.4
"""Largest share of a ring of one colour in a prominent cell without a dot."""


def picture_in(steps: Sequence[Step]) -> Screenshot | None:
    """Return the picture that was decoded."""
    return next((step.result for step in steps if isinstance(step.result, Screenshot)), None)
