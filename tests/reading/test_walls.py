"""What is known of each wall: how whole it was seen, whether it is crossed, proved or unlikely."""

from __future__ import annotations

from flowvision.image.picture import Screenshot
from flowvision.puzzle import boards
from flowvision.puzzle.boards import walls_and_warps
from flowvision.puzzle.text import parse
from flowvision.reading.walls import crossed, touched, unlikely, walls_seen, without
from flowvision.solvers import solve
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.reading import Interpretation, Wall
from flowvision.vision.settings import WallSettings
from tests import seeing
from tests.drawing import reading_of
from tests.reading.invented import WALLED, drawn, with_stroke

ASKED = WallSettings()


def wall(a: tuple[int, int], b: tuple[int, int], cols: int = 5) -> Wall:
    """A wall of a full board."""
    return Wall((a[0] * cols + a[1], b[0] * cols + b[1]), (a, b), 1.0)


def seen_as(geometry: BoardGeometry) -> Interpretation:
    """A reading of which the walls alone matter."""
    return Interpretation(reading_of("R..\n...\n..R\n"), geometry)


def test_walls_are_seen_as_whole_as_they_are():
    """Those that are drawn are whole; a short stroke is not."""
    shot = drawn(WALLED)
    sides = seeing.sides_of(shot.screenshot)
    made = parse(WALLED)
    found = walls_seen(seen_as(sides))
    assert {one.places for one in found} == set(walls_and_warps(made.board, made.board.lattice)[0])
    assert all(one.completeness == 1 for one in found)
    painted = seeing.sides_of(Screenshot(with_stroke(drawn(), ((1, 1), (1, 2)), 0.4)))
    (stroke,) = walls_seen(seen_as(painted))
    assert stroke.places == ((1, 1), (1, 2))
    assert 0.3 <= stroke.completeness < ASKED.complete


def test_a_wall_lies_between_its_ends():
    """Upright between two columns, level between two rows."""
    assert wall((1, 1), (1, 2)).ends == ((2, 1), (2, 2))
    assert wall((1, 1), (2, 1)).ends == ((1, 2), (2, 2))


def test_a_reading_without_walls_has_their_sides_open():
    """All others stay closed; the interpretation knows what was left out."""
    one = seen_as(seeing.sides_of(drawn(WALLED).screenshot))
    walls = walls_seen(one)
    bare = without(one, walls[:2])
    assert bare.ignored_walls == walls[:2]
    left = walls_and_warps(bare.reading.board, bare.reading.board.lattice)[0]
    assert left == tuple(one.places for one in walls[2:])
    assert bare.reading.puzzle.graph is bare.reading.board.graph
    assert {one.places for one in walls_seen(bare)} == {one.places for one in walls}


def test_crossed_and_touched_walls():
    """A path crosses a side that it passes; over one between two of its cells otherwise it touches itself."""
    made = parse("R.\nR.\n")
    solution = solve(made.puzzle).solution
    sides = [wall(a, b, 2) for a, b in (((0, 0), (0, 1)), ((0, 0), (1, 0)), ((1, 0), (1, 1)))]
    assert [one.places for one in crossed(sides, solution)] == [sides[0].places, sides[2].places]
    assert set(touched(sides, solution)) == set(sides)
    assert [one for one in touched(sides, solution) if one not in crossed(sides, solution)] == [sides[1]]


def test_few_walls_and_lonely_ones_are_unlikely():
    """Published boards have four and more, each touching another, the border or a hole."""
    board = boards.square(5, 5, [(4, 4)])
    joined = [wall((1, 1), (1, 2)), wall((2, 1), (2, 2)), wall((0, 0), (0, 1)), wall((3, 3), (3, 4))]
    assert unlikely(joined[:3], board, ASKED) == tuple(joined[:3])
    assert unlikely(joined, board, ASKED) == ()
    lonely = wall((2, 3), (2, 4))
    hole = boards.square(5, 5)
    assert unlikely([*joined[:3], lonely, joined[2]], hole, ASKED) == (lonely,)
