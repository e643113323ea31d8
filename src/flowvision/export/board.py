"""Boards in letters, with their flows, and the files they are written to."""

from __future__ import annotations

import os
from io import BytesIO
from typing import IO, TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from flowvision.arguments import check_flags, check_type, with_known_names, wrong_type
from flowvision.colours import palette_for
from flowvision.files import Form, form_of, marked, refuse_overwriting, refuse_replacing, write_bytes
from flowvision.image.picture import Bgr, Rgb
from flowvision.palette import names_for, undimmed
from flowvision.puzzle.layout import Board, NamedPuzzle, Place

if TYPE_CHECKING:  # not needed to solve a picture
    from PIL.Image import Image

NOTEBOOK_PX = 600
"""Upper width and height of a picture in a notebook, in pixels."""


class Flow(Struct, frozen=True):
    """Two dots of a colour, and the path between them.

    ``colour``: the name of the game's colour, unique on a board; ``rgb``: as seen. ``ends``: the cells of the
    dots. ``path``: the cells from the first dot to the second; empty on an unsolved board. ``path_px``:
    the line through the middles of these cells and of the sides between them, (N, 2) points x, y in pixels;
    a further line after every warp, none for puzzles without a picture.
    """

    letter: str
    colour: str
    rgb: Rgb
    ends: tuple[Place, Place]
    path: tuple[Place, ...] = ()
    path_px: tuple[NDArray[np.float64], ...] = ()


class ShownBoard:
    """A board in letters. Cells are ``(row, column)`` from 0; cell ``n`` without rows is ``(0, n)``."""

    __slots__ = ()

    @property
    def _named(self) -> NamedPuzzle:
        """The puzzle with its letters."""
        raise NotImplementedError

    @property
    def palette(self) -> tuple[Rgb, ...]:
        """The colours of the flows, as seen."""
        return palette_for(self._named.letters)

    @property
    def size(self) -> tuple[int, int] | None:
        """Columns and rows, as in ``grid="6x8"``; ``None`` for boards without them."""
        lattice = self._named.board.lattice
        return (lattice.cols, lattice.rows) if lattice else None

    @property
    def grid(self) -> tuple[str, ...]:
        """The rows in letters: ``.`` empty, ``#`` a hole, ``+`` a bridge. Empty for boards without rows."""
        from flowvision.puzzle.text import draw

        named = self._named
        if named.board.lattice is None:
            return ()
        return tuple(draw(named.board, named.puzzle, named.letters).grid)

    @property
    def text(self) -> str:
        """The puzzle in the text form, with walls and warps, for ``parse_puzzle`` and ``SetBoard``."""
        from flowvision.puzzle.text import format_puzzle

        named = self._named
        return format_puzzle(named.board, named.puzzle, named.letters)

    @property
    def flows(self) -> tuple[Flow, ...]:
        """The flows, in order, with their paths where the board is solved."""
        named, palette = self._named, self.palette
        flows = zip(named.letters, names_for(undimmed(palette)), palette, named.puzzle.terminals, strict=True)
        shown_flows = []
        for letter, name, rgb, (first, second) in flows:
            ends = place_of(named.board, first), place_of(named.board, second)
            shown_flows.append(Flow(letter, name, rgb, ends))
        return tuple(shown_flows)

    @property
    def picture(self) -> Bgr:
        """The picture, (H, W, 3) uint8 in BGR."""
        raise NotImplementedError

    def _encoded(self, form: Form) -> bytes:
        """Return the content of a file in this form, not marked as ours."""
        raise NotImplementedError

    @property
    def image(self) -> Image:
        """The picture as a Pillow image in RGB."""
        return pillow_of(self.picture)

    @with_known_names()
    def to_bytes(self, format: str = "png", animate: bool = False) -> bytes:
        """Return the content of a file: ``format`` is a suffix, such as ``"gif"``.

        ``animate``: animated, if the form can be. Raises ``OutputError`` for an unknown form,
        ``MissingExtraError`` if a library is missing.
        """
        check_type("format", format, str, 'a suffix, such as "gif"')
        check_flags(animate=animate)
        return marked(self._encoded(form_of(f"board.{format}", animate)))

    @with_known_names()
    def save(
        self,
        path: str | os.PathLike[str] | IO[bytes],
        format: str | None = None,
        animate: bool = False,
        force: bool = False,
    ) -> None:
        """Write a file, whole or not at all, in the form that its suffix or ``format`` says.

        ``path``: also an open binary file. ``force``: replaces a file that Flowvision did not write. Raises
        as ``to_bytes`` does, and ``OutputError`` for a file that must not or cannot be written.
        """
        check_type("format", format, (str, type(None)), 'a suffix, such as "gif"')
        check_flags(animate=animate, force=force)
        if not isinstance(path, str | os.PathLike):
            if not hasattr(path, "write"):
                raise wrong_type("path", path, "a path or an open binary file")
            path.write(self.to_bytes(format or "png", animate))
            return
        form = form_of(f"board.{format}" if format else path, animate)
        refuse_overwriting(path, [self._named.name])
        if not force:
            refuse_replacing(path)
        write_bytes(path, marked(self._encoded(form)))

    def _repr_png_(self) -> bytes | None:
        """Return what a notebook shows."""
        image, file = self.image, BytesIO()
        image.thumbnail((NOTEBOOK_PX, NOTEBOOK_PX))
        image.save(file, "PNG")
        return file.getvalue()


def place_of(board: Board, strand: int) -> Place:
    """Return the cell of a strand, as boards in letters name it."""
    key = board.key_of(strand)
    return key if isinstance(key, tuple) else (0, key)


def picture_on_paper(named: NamedPuzzle) -> Bgr:
    """Return a puzzle on white, as it is printed."""
    from flowvision.render.board_look import draw_board
    from flowvision.render.ruling import PAPER

    letters = named.letters
    bgr, _frame = draw_board(named.board, named.puzzle, palette_for(letters), letters, PAPER)
    return bgr


def pillow_of(bgr: Bgr) -> Image:
    """Return a picture as a Pillow image."""
    from PIL import Image

    return Image.fromarray(np.ascontiguousarray(bgr[..., ::-1]))
