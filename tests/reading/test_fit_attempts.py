"""What was seen of a region is looked at once."""

from __future__ import annotations

import pytest

from flowvision.errors import GridNotFoundError
from flowvision.image.picture import Screenshot
from flowvision.reading import fit_attempts as attempts
from flowvision.reading.fit_attempts import RegionMemo
from flowvision.vision.board.contours import find_boards
from flowvision.vision.special import hexagonal
from tests.drawing import FIVE, screenshot_of
from tests.seeing import SETTINGS

OBLONG = "R...\nG.G.\nR...\n"
"""Three rows, four columns, one solution."""
SHOT = Screenshot(screenshot_of(FIVE, 90))


@pytest.fixture
def memo() -> RegionMemo:
    """That of the best region of a drawn board."""
    return RegionMemo(next(find_boards(SHOT, SETTINGS)), SETTINGS)


def test_hexagons_are_looked_for_once(memo: RegionMemo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though two strategies ask for them, and a third whether there are any."""
    asked = []

    def fit(*arguments):
        asked.append(arguments)
        return as_it_was(*arguments)

    as_it_was = hexagonal.fit_hexagons
    monkeypatch.setattr(hexagonal, "fit_hexagons", fit)
    assert list(attempts.slanted_hexagons(memo)) == []
    with pytest.raises(GridNotFoundError):
        list(attempts.hexagons(memo))
    assert not memo.has_hexagons
    assert len(asked) == 1


def test_the_open_lattice_stands_before_or_after(memo: RegionMemo) -> None:
    """It is offered at one of its two places, never at both."""
    fits = list(attempts.lattices(memo))
    assert all(fit.closed for fit in fits) != memo.runs_on
    assert not (list(attempts.lattice_that_runs_on(memo)) and list(attempts.lattice_that_ends(memo)))


def test_a_given_size_passes_over_other_lattices() -> None:
    """Only lattices of that size are offered, and at last one laid evenly; too fine a one is an error."""
    region = next(find_boards(SHOT, SETTINGS))
    for size in ((5, 5), (4, 6)):
        memo = RegionMemo(region, SETTINGS, size)
        found = [*attempts.lattices_of_size(memo), *attempts.even_lattice(memo)]
        assert {(fit.rows, fit.cols) for fit in found} == {size}
        assert found[-1].given
    memo = RegionMemo(region, SETTINGS, (500, 500))
    with pytest.raises(GridNotFoundError):
        list(attempts.even_lattice(memo))
    assert memo.failure is not None


def test_a_size_the_wrong_way_round_is_understood() -> None:
    """Only where no lattice has the size that was given; the answer says so."""
    from flowvision.pipeline import read_image
    from flowvision.reading.options import Options

    bgr = screenshot_of("R...\n....\nG..R\n....\nB...\nY.BG\n...Y\n", 80)
    region = next(find_boards(Screenshot(bgr), SETTINGS))
    memo = RegionMemo(region, SETTINGS, (4, 7))
    assert list(attempts.lattices_of_size(memo)) == []
    assert {(fit.rows, fit.cols) for fit in attempts.lattices_of_swapped_size(memo)} == {(7, 4)}
    square = RegionMemo(next(find_boards(SHOT, SETTINGS)), SETTINGS, (5, 5))
    assert list(attempts.lattices_of_swapped_size(square)) == []
    checked = read_image(screenshot_of(OBLONG, 80), Options(grid=(4, 3)))
    assert (checked.reading.lattice.rows, checked.reading.lattice.cols) == (3, 4)
    assert "3 columns and 4 rows were given; the lines show 4 columns and 3 rows." in checked.warnings


def test_cells_of_another_kind_make_a_missing_lattice_no_failure(memo: RegionMemo) -> None:
    """What explains the region otherwise is no reason to speak of rows and columns."""
    memo.failure = GridNotFoundError("none")
    assert list(attempts.free_cells(memo))
    assert memo.failure is None
