"""A lattice without lines, with a circle or a pipe in every cell, and the board of it."""

from __future__ import annotations

from msgspec import Struct

from flowvision.image.picture import Frame
from flowvision.puzzle import boards
from flowvision.vision.board import BoardRegion
from flowvision.vision.kinds.fit import BoardGeometry, DebugShape, DotModel, RowsAndColumns, squares
from flowvision.vision.pixels.view import Floats
from flowvision.vision.settings import DotSettings, Settings


class CircleFit(RowsAndColumns, Struct, frozen=True, eq=False):
    """A lattice of squares or oblongs without lines, each with a circle or a pipe in its middle.

    ``circles`` (N, 3): middles and radii, in picture pixels. ``radius``: the median one, of the shorter side
    of a cell.
    """

    rows: int
    cols: int
    frame: Frame
    pitch_px: float
    residual_px: float
    """How far the circles lie from the middles of their cells, root mean square."""
    quality: float
    """0 to 1: how straight they lie on the lattice."""
    radius: float
    circles: Floats
    region: BoardRegion
    strategy: str = ""

    def size_text(self) -> str:
        """Rows and columns, in words."""
        return f"{self.rows} rows × {self.cols} columns of circles (score {self.score:.2f})"

    def cut_board(self, settings: Settings) -> BoardGeometry:
        """The board: without lines it has neither walls nor holes."""
        board = boards.square(self.rows, self.cols)
        return BoardGeometry(board, self, squares(len(board.layout.cells)), ())

    def usual_dots(self, settings: DotSettings) -> DotModel:
        """Dots as large as its circles."""
        return DotModel(settings.circle_ring * self.radius, "corners", by_size=True)

    def debug_shape(self) -> DebugShape:
        """The circles, and the lattice through them."""
        caption = (
            f"No lines, but {len(self.circles)} circles of one size (yellow) on a lattice of {self.rows} "
            f"rows and {self.cols} columns of {self.pitch_px:.1f} px, with a mean error of "
            f"{self.residual_px:.2f} px; every other cell shows a pipe."
        )
        return DebugShape("Rows and columns", caption, self.lines_px(), circles=self.circles)
