import numpy as np
import pytest
from msgspec.structs import replace

from flowvision.image.picture import Frame
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, Cell
from flowvision.vision.kinds.free.fit import CellFit, Contact, is_hexagonal, lattice_of
from tests.seeing import region_of


def fit_of(board: Board, shake: float = 0.0, stretch: float = 1.0, tilt: float = 0.0) -> CellFit:
    """The cells of a board in any order, each up to ``shake`` from its place, turned by ``tilt`` degrees."""
    rng = np.random.default_rng(0)
    order = rng.permutation(len(board.layout.cells))
    middles = np.array([board.layout.cells[cell].centre for cell in order]) * (stretch, 1.0)
    angle = np.radians(tilt)
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    middles = middles @ turn + rng.uniform(-shake, shake, middles.shape) + (3.0, -2.0)
    number = np.argsort(order)
    contacts = tuple(
        Contact(int(number[a]), int(number[b]), (0.0, 0.0), 1.0, 1.0) for a, b in board.graph.edges
    )
    region, count = region_of(np.zeros((8, 8, 3), np.uint8)), len(order)
    shapes, frame = np.tile(np.eye(2), (count, 1, 1)), Frame.of_box(0, 0, 1, 1)
    centres = tuple((float(x), float(y)) for x, y in middles)
    return CellFit(
        centres, ((),) * count, shapes, contacts, region, explained=1.0, grain=0.0, frame=frame, pitch_px=1.0
    )


BOARDS = {
    "square": boards.square(4, 6),
    "holes": boards.square(5, 5, [(0, 0), (2, 2), (4, 4)]),
    "hexagons": boards.hexagonal(4, 5),
    "jagged": boards.hexagonal(5, 5, [(0, 0), (4, 0), (0, 4)]),
}


@pytest.mark.parametrize("shake", [0.0, 0.04])
@pytest.mark.parametrize("name", BOARDS)
def test_cells_are_given_their_rows_and_columns(name, shake):
    board, fit = BOARDS[name], fit_of(BOARDS[name], shake)
    lattice, order = lattice_of(fit)
    assert lattice == board.lattice
    expected = np.array(board.layout.centres)
    found = np.array([fit.centres[cell] for cell in order])
    assert np.abs(found - found[0] - expected + expected[0]).max() <= 4 * shake + 1e-9
    assert is_hexagonal(fit) == (board.lattice.tiling == "hex")


@pytest.mark.parametrize("name", ["square", "holes"])
@pytest.mark.parametrize(
    "how", [*({"tilt": tilt} for tilt in (-41, -20, 10, 20, 44)), {"stretch": 0.5}, {"stretch": 2.2}]
)
def test_tilted_squares_and_oblongs_have_rows_and_columns(name, how):
    lattice, order = lattice_of(fit_of(BOARDS[name], 0.02, **how))
    assert lattice == BOARDS[name].lattice
    assert len(order) == len(BOARDS[name].layout.cells)
    further, _ = lattice_of(fit_of(boards.square(4, 6), tilt=how.get("tilt", 0) + 90))
    assert (further.rows, further.cols) == (6, 4)


@pytest.mark.parametrize("name", BOARDS)
def test_cells_off_their_places_have_none(name):
    fit = fit_of(BOARDS[name])
    moved = ((fit.centres[0][0] + 0.3, fit.centres[0][1] + 0.3), *fit.centres[1:])
    shaken = replace(fit, centres=moved)
    assert lattice_of(shaken) is None
    assert not is_hexagonal(shaken)


def bricks(rows: int, cols: int) -> Board:
    """Bricks twice as long as high, every second row half a brick further: a lattice of squares, turned.

    Above and below each brick lie two, which are neighbours in those squares; the one beside it is none.
    """
    lefts = [(2.0 * col + row % 2, float(row)) for row in range(rows) for col in range(cols)]
    cells = [
        Cell((x + 1, y + 0.5), ((x, y), (x + 1, y), (x + 2, y), (x + 2, y + 1), (x + 1, y + 1), (x, y + 1)))
        for x, y in lefts
    ]
    return boards.build(cells, boards.shared_sides(cells))


def test_middles_on_a_lattice_whose_cells_are_joined_otherwise_are_none():
    fit = fit_of(bricks(4, 4))
    assert lattice_of(fit) is None
    assert not is_hexagonal(fit)
