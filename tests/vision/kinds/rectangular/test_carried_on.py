"""Lattices carried on over played cells, whose tints hide the lines between them."""

from __future__ import annotations

import numpy as np
import pytest

from flowvision.image.picture import Screenshot
from flowvision.vision.board import whole_picture
from flowvision.vision.kinds.rectangular.lattice import carried_on, even_fit, upright_grids
from tests.seeing import SETTINGS
from tests.vision.kinds.rectangular.test_tints import COLS, LAST_ROWS, LEFT, ROWS, TOP, board_of


def test_a_lattice_is_carried_on_over_tints():
    """All rows and columns, from a lattice of the part that lines show."""
    shot = Screenshot(board_of(LAST_ROWS))
    part = next(
        fit
        for fit in upright_grids(whole_picture(shot, SETTINGS.lines), SETTINGS)
        if fit.rows == ROWS - 2 and fit.cols == COLS
    )
    larger = carried_on(part, shot, SETTINGS)
    assert larger is not None
    assert (larger.rows, larger.cols) == (ROWS, COLS)
    assert np.allclose(larger.frame.to_px([(0, 0)]), [(LEFT, TOP)], atol=2)


@pytest.mark.parametrize("has_pipes", [True, False])
def test_a_lattice_is_not_carried_on_over_a_page(has_pipes):
    """Beyond a whole board: nothing, or a flat page without pipes."""
    bgr = board_of(LAST_ROWS if has_pipes else [])
    if not has_pipes:
        page = np.full_like(bgr, 90)
        page[TOP - 2 : -TOP + 2, LEFT - 2 : -LEFT + 2] = bgr[TOP - 2 : -TOP + 2, LEFT - 2 : -LEFT + 2]
        bgr = page
    shot = Screenshot(bgr)
    fit = even_fit(whole_picture(shot, SETTINGS.lines), ROWS, COLS, SETTINGS)
    assert carried_on(fit, shot, SETTINGS) is None
