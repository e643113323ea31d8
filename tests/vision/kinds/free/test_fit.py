import numpy as np
import pytest
from msgspec.structs import replace

from flowvision.image.picture import Frame
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, Cell
from flowvision.vision.kinds.free.fit import CellFit, Contact, is_hexagonal, lattice_of
from tests.seeing import region_of


def fit_of(board: Board, shake: float = 0.0, stretch: float = 1.0, tilt: float = 0.0) -> CellFit:
    """The cells of a board in any order, each up to ``shake`` from its place, turned by ``tilt`` degrees.

    ``stretch``: their width, of their height.
    """
    rng = np.random.default_rng(0)
    order = rng.permutation(len(board.layout.cells))
    middles = np.array([board.layout.cells[cell].centre for cell in order]) * (stretch, 1.0)
    angle = np.radians(tilt)
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    middles = middles @ turn + rng.uniform(-shake, shake, middles.shape) + (3.0, -2.0)
    number = np.argsort(order).tolist()
    contacts = tuple(
        Contact(number[a], number[b], middle=(0.0, 0.0), length=1.0, strength=1.0)
        for a, b in board.graph.edges
    )
    region, count = region_of(np.zeros((8, 8, 3), np.uint8)), len(order)
    shapes, frame = np.tile(np.eye(2), (count, 1, 1)), Frame.of_box(0, 0, 1, 1)
    centres = tuple((float(x), float(y)) for x, y in middles)
    return CellFit(
        centres, ((),) * count, shapes, contacts, region, explained=1.0, grain=0.0, frame=frame, pitch_px=1.0
    )


BOARDS = {
    "square": boards.square(4, 6),
    "holes": boards.square(5, 5, holes=[(0, 0), (2, 2), (4, 4)]),
    "hexagons": boards.hexagonal(4, 5),
    "jagged": boards.hexagonal(5, 5, holes=[(0, 0), (4, 0), (0, 4)]),
}


@pytest.mark.parametrize("shake", [0.0, 0.04])
@pytest.mark.parametrize("name", BOARDS)
def test_cells_are_given_their_rows_and_columns(name, shake):
    board, fit = BOARDS[name], fit_of(BOARDS[name], shake)
    lattice, order = lattice_of(fit)
    assert lattice == board.lattice
    expected = np.array(board.layout.centres)
    centres = np.array([fit.centres[cell] for cell in order])
    moved = (centres - centres[0]) - (expected - expected[0])
    assert np.abs(moved).max() <= 4 * shake + 1e-9
    assert is_hexagonal(fit) == (board.lattice.tiling == "hex")


@pytest.mark.parametrize("name", ["square", "holes"])
@pytest.mark.parametrize(
    "how", [*({"tilt": tilt} for tilt in (-41, -20, 10, 20, 44)), {"stretch": 0.5}, {"stretch": 2.2}]
)
def test_tilted_squares_and_oblongs_have_rows_and_columns(name, how):
    lattice, order = lattice_of(fit_of(BOARDS[name], shake=0.02, **how))
    assert lattice == BOARDS[name].lattice
    assert len(order) == len(BOARDS[name].layout.cells)


@pytest.mark.parametrize("tilt", [49, 70, 90, 110, 134])
def test_columns_of_a_board_that_is_tilted_further_are_rows(tilt):
    lattice, _ = lattice_of(fit_of(boards.square(4, 6), tilt=tilt))
    assert (lattice.rows, lattice.cols) == (6, 4)


@pytest.mark.parametrize("name", BOARDS)
def test_cells_of_which_one_is_off_its_place_have_no_rows(name):
    fit = fit_of(BOARDS[name])
    (x, y), *others = fit.centres
    shaken = replace(fit, centres=((x + 0.3, y + 0.3), *others))
    assert lattice_of(shaken) is None
    assert not is_hexagonal(shaken)


def bricks(rows: int, cols: int) -> Board:
    """Bricks twice as long as high, every second row half a brick further: a lattice of squares, turned.

    Above and below each brick lie two, which are neighbours in those squares; the one beside it is not.
    """
    upper_lefts = [(2.0 * col + row % 2, float(row)) for row in range(rows) for col in range(cols)]
    cells = [
        Cell((x + 1, y + 0.5), ((x, y), (x + 1, y), (x + 2, y), (x + 2, y + 1), (x + 1, y + 1), (x, y + 1)))
        for x, y in upper_lefts
    ]
    return boards.build(cells, boards.shared_sides(cells))


def test_middles_on_a_lattice_whose_cells_are_joined_otherwise_are_none():
    fit = fit_of(bricks(4, 4))
    assert lattice_of(fit) is None
    assert not is_hexagonal(fit)
