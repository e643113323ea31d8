"""How each strategy goes about it; what was seen of a region or a board is remembered for the next one.

Modules of special boards are imported where they are used: most boards are lattices of squares.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import chain, tee
from typing import TYPE_CHECKING

import numpy as np

from flowvision.errors import GridNotFoundError
from flowvision.events import Trail
from flowvision.image.picture import Screenshot
from flowvision.vision.board.boxes import box_of
from flowvision.vision.board.region import BoardRegion
from flowvision.vision.dots.models import small_dots, usual_dots
from flowvision.vision.dots.result import DotModel
from flowvision.vision.grid.axis_lines import SeenLines, line_evidence
from flowvision.vision.grid.fit import GridFit
from flowvision.vision.grid.lattice import even_fit, open_grids, tinted_grids, turned_grids, upright_grids
from flowvision.vision.settings import Settings
from flowvision.vision.special.fits import CircleFit, Fit, HexagonFit
from flowvision.vision.walls.result import SideReading

if TYPE_CHECKING:
    from flowvision.vision.dots.disc_models import DiscBoard

Look = tuple[SideReading, DotModel]
"""A board, and what its dots look like."""


class RegionMemo:
    """What has been seen of a region of ``shot``.

    ``size``: the rows and columns it has, where somebody counted them.
    """

    def __init__(
        self,
        region: BoardRegion,
        settings: Settings,
        size: tuple[int, int] | None = None,
        shot: Screenshot | None = None,
    ) -> None:
        self.region = region
        self.shot = shot
        self.settings = settings
        self.size = size
        self.runs_on = False
        """Lines of one of its lattices go on beyond it."""
        self.offered = set[tuple[float, ...]]()
        """Where the lattices lie that were offered."""
        self.failure: GridNotFoundError | None = None
        """Why it has no lattice; forgotten once cells of another kind explain it."""
        self._upright = self._upright_grids()

    @cached_property
    def lines(self) -> SeenLines:
        """The lines of the region as it is, which several strategies explain."""
        return line_evidence(self.region.view, self.settings.lines, self.settings.grid)

    def _upright_grids(self) -> Iterator[GridFit]:
        yield from upright_grids(self.region, self.settings, self.lines)

    @cached_property
    def best_upright(self) -> GridFit | None:
        """The best lattice of the region as it is."""
        return next(self._upright, None)

    def grids(self) -> Iterator[GridFit]:
        """The lattices: of the region as it is where the best of them closes and is level, else turned."""
        best = self.best_upright
        self._upright, seen = tee(self._upright)
        found = chain([best] if best else [], seen)
        if best is not None and best.closed and not best.evidence.tilted:
            return found
        return turned_grids(self.region, list(found), self.settings)

    @cached_property
    def _hexagons(self) -> HexagonFit | GridNotFoundError:
        from flowvision.vision.special.hexagonal import fit_hexagons

        try:
            return fit_hexagons(self.region, self.settings)
        except GridNotFoundError as error:
            return error

    @property
    def has_hexagons(self) -> bool:
        """Whether there is a lattice of hexagons."""
        return not isinstance(self._hexagons, GridNotFoundError)

    def hexagons(self) -> HexagonFit:
        """The lattice of hexagons. Raises ``GridNotFoundError`` when there is none."""
        if isinstance(self._hexagons, GridNotFoundError):
            raise self._hexagons
        return self._hexagons


def slanted_hexagons(memo: RegionMemo) -> Iterator[Fit]:
    """The hexagons, where nothing upright is seen."""
    if memo.best_upright is None:
        yield memo.hexagons()


def lattices(memo: RegionMemo) -> Iterator[Fit]:
    """The lattices of squares."""
    try:
        for fit in memo.grids():
            memo.runs_on = memo.runs_on or not fit.closed
            memo.offered.add(_places(fit))
            yield fit
    except GridNotFoundError as error:
        memo.failure = error
        raise


def tinted_lattices(memo: RegionMemo) -> Iterator[Fit]:
    """The lattices that strong tints show, with all of their rows and columns; none is offered twice."""
    from flowvision.vision.grid.carried_on import carried_on

    found = tinted_grids(memo.region, memo.settings, memo.lines)
    for fit in chain([memo.best_upright] if memo.best_upright else [], found):
        larger = carried_on(fit, memo.shot, memo.settings) if memo.shot else None
        if _places(larger or fit) not in memo.offered:
            memo.offered.add(_places(larger or fit))
            yield larger or fit


def _places(fit: GridFit) -> tuple[float, ...]:
    """The rows and columns of a lattice, and where it lies to half a cell."""
    corner = np.round(2 * fit.frame.to_px([(0, 0)])[0] / fit.pitch_px).tolist()
    return fit.rows, fit.cols, round(fit.pitch_px), *corner


def lattice_that_runs_on(memo: RegionMemo) -> Iterator[Fit]:
    """The open lattices, where lines are seen to run on."""
    if memo.runs_on:
        yield from open_grids(memo.region, memo.settings, memo.lines)


def hexagons(memo: RegionMemo) -> Iterator[Fit]:
    """The hexagons, where they were not offered yet."""
    if memo.best_upright is not None:
        yield memo.hexagons()


def free_cells(memo: RegionMemo) -> Iterator[Fit]:
    """The cells of any shape, save hexagons found one by one: pipes hide some, the lattice has them all."""
    from flowvision.vision.special.free_cells import fit_cells
    from flowvision.vision.special.free_lattice import is_hexagonal

    cells = fit_cells(memo.region, memo.settings)
    if not (memo.has_hexagons and is_hexagonal(cells, memo.settings.free_cells)):
        yield cells
    memo.failure = None


def lattice_that_ends(memo: RegionMemo) -> Iterator[Fit]:
    """The open lattices, where no line is seen to run on."""
    if not memo.runs_on:
        yield from open_grids(memo.region, memo.settings, memo.lines)


def lattices_of_size(memo: RegionMemo) -> Iterator[Fit]:
    """The lattices with as many rows and columns as were counted."""
    return (fit for fit in memo.grids() if memo.size == (fit.rows, fit.cols))


def lattices_of_swapped_size(memo: RegionMemo) -> Iterator[Fit]:
    """Those with as many columns as rows were said, and the reverse."""
    swapped = memo.size and memo.size[::-1]
    return (fit for fit in memo.grids() if swapped == (fit.rows, fit.cols) != memo.size)


def even_lattice(memo: RegionMemo) -> Iterator[Fit]:
    """The lattice laid evenly over the region."""
    try:
        if memo.size is not None:
            yield even_fit(memo.region, *memo.size, memo.settings)
    except GridNotFoundError as error:
        memo.failure = error
        raise


def circles(region: BoardRegion, settings: Settings) -> Iterator[tuple[BoardRegion, CircleFit]]:
    """The lattices of circles in a picture, each with a region of its own."""
    from flowvision.vision.special.circle_grid import circle_boards

    return circle_boards(region, settings)


class BoardMemo:
    """What has been seen of a board, and the trail that leads to it."""

    def __init__(self, sides: SideReading, trail: Trail, shot: Screenshot, settings: Settings) -> None:
        self.sides = sides
        self.trail = trail
        self.shot = shot
        self.settings = settings

    @cached_property
    def discs(self) -> DiscBoard | None:
        """The board with discs of one size; ``None`` where there are none."""
        from flowvision.vision.dots.disc_models import disc_board
        from flowvision.vision.dots.glance import shows_discs
        from flowvision.vision.pixels.circles import discs_round

        sides = self.sides
        if not isinstance(sides.fit, GridFit) or not shows_discs(sides, self.settings.dots):
            return None
        box = box_of(sides.board, sides.fit.frame, self.shot)
        return disc_board(
            sides, discs_round(self.shot, box, sides.fit.pitch_px, self.settings), self.settings
        )


def usual(memo: BoardMemo) -> Look:
    """The dots of the game."""
    return memo.sides, usual_dots(memo.sides.fit, memo.settings.dots)


def measured(memo: BoardMemo) -> Look | None:
    """The discs of one size in the middles of cells."""
    from flowvision.vision.dots.measured import measured_discs

    model = measured_discs(memo.sides, memo.settings.dots) if isinstance(memo.sides.fit, GridFit) else None
    return (memo.sides, model) if model else None


def filled_discs(memo: BoardMemo) -> Look | None:
    """The filled discs of one size alone."""
    from flowvision.vision.dots.disc_models import filled_discs as model

    return (memo.discs.sides, model(memo.discs, memo.settings.dots)) if memo.discs else None


def wide_rings(memo: BoardMemo) -> Look | None:
    """Those, and whatever fills an annulus as large."""
    from flowvision.vision.dots.disc_models import wide_ring

    return (memo.discs.sides, wide_ring(memo.discs, memo.settings.dots)) if memo.discs else None


def rimmed_discs(memo: BoardMemo) -> Look | None:
    """The filled discs, and those within a rim."""
    from flowvision.vision.dots.disc_models import rimmed_discs as model

    rimmed = model(memo.discs, memo.settings.dots) if memo.discs else None
    return (memo.discs.sides, rimmed) if memo.discs and rimmed else None


def small(memo: BoardMemo) -> Look | None:
    """Smaller dots than the game's."""
    model = small_dots(memo.sides.fit, memo.settings.dots)
    return (memo.sides, model) if model else None
