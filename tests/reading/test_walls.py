import pytest

from flowvision import solve_image
from flowvision.doubts import WallsDisagree, WallsRefuted
from flowvision.image.picture import Screenshot
from flowvision.puzzle import boards
from flowvision.puzzle.boards import walls_and_warps
from flowvision.puzzle.layout import Board
from flowvision.puzzle.model import Solution
from flowvision.puzzle.text import parse
from flowvision.reading import search
from flowvision.reading.options import Options
from flowvision.reading.walls import crossed, touched, unlikely, walls_seen, without
from flowvision.solvers import solve
from flowvision.vision.assembly import Interpretation, Wall
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.settings import WALLS
from tests import seeing
from tests.drawing import FIVE, FIVE_SOLVED, reading_of
from tests.seeing import MOVED, WALLED, refusal, shot_of, sides_between, thresholds, with_stroke
from tests.tools.synthetic import THEMES, Style


def walls_of(board: Board) -> set[object]:
    return set(walls_and_warps(board, board.lattice)[0])


TRUE_WALLS = walls_of(parse(WALLED).board)


def wall(a: tuple[int, int], b: tuple[int, int], cols: int = 5) -> Wall:
    return Wall((a[0] * cols + a[1], b[0] * cols + b[1]), (a, b), 1.0)


def seen_as(geometry: BoardGeometry) -> Interpretation:
    return Interpretation(reading_of("R..\n...\n..R\n"), geometry)


def test_walls_are_seen_as_whole_as_they_are():
    found = walls_seen(seen_as(seeing.geometry_of(shot_of(WALLED).screenshot)))
    assert {one.places for one in found} == TRUE_WALLS
    assert all(one.completeness == 1 for one in found)
    painted = seeing.geometry_of(Screenshot(with_stroke(shot_of(), ((1, 1), (1, 2)), 0.4)))
    (stroke,) = walls_seen(seen_as(painted))
    assert (stroke.places, stroke.ends) == (((1, 1), (1, 2)), ((2, 1), (2, 2)))
    assert 0.3 <= stroke.completeness < WALLS.complete


def test_a_reading_without_walls_has_their_sides_open():
    one = seen_as(seeing.geometry_of(shot_of(WALLED).screenshot))
    walls = walls_seen(one)
    bare = without(one, walls[:2])
    assert bare.ignored_walls == walls[:2]
    unseen = Interpretation(reading_of(FIVE), None)
    assert without(unseen, walls) is unseen
    assert walls_of(bare.reading.board) == {one.places for one in walls[2:]}
    assert bare.reading.puzzle.graph is bare.reading.board.graph
    assert {one.places for one in walls_seen(bare)} == {one.places for one in walls}


def test_crossed_and_touched_walls():
    made = parse("R.\nR.\n")
    solution = solve(made.puzzle).solution
    sides = [wall(a, b, 2) for a, b in (((0, 0), (0, 1)), ((0, 0), (1, 0)), ((1, 0), (1, 1)))]
    assert [one.places for one in crossed(sides, solution)] == [sides[0].places, sides[2].places]
    assert set(touched(sides, solution)) == set(sides)
    assert [one for one in touched(sides, solution) if one not in crossed(sides, solution)] == [sides[1]]


def test_few_walls_and_lonely_ones_are_unlikely():
    """Published boards have at least four walls, each touching another, the border or a hole."""
    board = boards.square(5, 5, [(4, 4)])
    joined = [wall((1, 1), (1, 2)), wall((2, 1), (2, 2)), wall((0, 0), (0, 1)), wall((3, 3), (3, 4))]
    assert unlikely(joined[:3], board) == tuple(joined[:3])
    assert unlikely(joined, board) == ()
    lonely = wall((2, 3), (2, 4))
    hole = boards.square(5, 5)
    assert unlikely([*joined[:3], lonely, joined[2]], hole) == (lonely,)


@pytest.mark.parametrize("missing", [0, 1])
def test_walls_from_border_to_border_are_unlikely(missing: int):
    """No published board is cut in two."""
    row = [wall((1, col), (2, col)) for col in range(missing, 5)]
    joined = [wall((3, 1), (3, 2)), wall((4, 1), (4, 2))]
    assert unlikely([*row, *joined], boards.square(5, 5)) == (() if missing else tuple(row))


SIDES = sides_between(5, 5)
ROWS = FIVE_SOLVED.split()
OPEN = [((r, c), (row, col)) for (r, c), (row, col) in SIDES if ROWS[r][c] != ROWS[row][col]]
"""Sides that no path of the solution crosses, and over which none touches itself."""
CROSSED = [side for side in SIDES if side not in OPEN]


def paths_of(solution: Solution) -> set[frozenset[int]]:
    return {frozenset(path.vertices) for path in solution.paths}


FIVE_PATHS = paths_of(solve(parse(FIVE).puzzle).solution)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("side", OPEN[::2])
def test_a_wall_seen_in_part_is_left_out_and_named(side):
    checked = solve_image(with_stroke(shot_of(), side, 0.45))
    assert paths_of(checked.outcome.solution) == FIVE_PATHS
    assert walls_of(checked.reading.board) == set()
    assert checked.confidence > 0.95
    assert [doubt.walls for doubt in checked.doubts] == [(side,)]
    assert checked.outcome.unique is True


@pytest.fixture
def only_as_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read lattices of the given size alone: cells found one by one know no walls."""
    monkeypatch.setattr(search, "_read_as_given", lambda run: None)


@pytest.mark.usefixtures("only_as_given")
@pytest.mark.parametrize("side", CROSSED[::4])
def test_a_board_is_solved_without_what_closes_it(side):
    """A stroke along half of a side that the solution crosses is left out, as no wall."""
    answer = solve_image(with_stroke(shot_of(), side, 0.45), Options(grid="5x5"))
    assert paths_of(answer.outcome.solution) == FIVE_PATHS
    assert walls_of(answer.reading.board) == set()
    assert answer.confidence <= 0.95
    assert answer.doubts[0] == WallsRefuted((side,), weight=0.05)


@pytest.mark.parametrize("side", [OPEN[0], CROSSED[0]])
def test_a_whole_wall_is_only_doubted(side):
    checked = solve_image(with_stroke(shot_of(), side, 1.05))
    assert paths_of(checked.outcome.solution) == FIVE_PATHS
    assert walls_of(checked.reading.board) == ({side} if side == OPEN[0] else set())
    assert [doubt.walls for doubt in checked.doubts] == [(side,)]


def test_dots_are_not_doubted_together_with_walls():
    error = refusal(with_stroke(shot_of(MOVED), ((0, 1), (0, 2)), 0.45), code="unsolvable")
    assert error.cause.code == "no-solution"


@pytest.mark.parametrize(
    "style", [Style(), Style(THEMES["old"], quality=40), Style(THEMES["wide"], scale=0.4)]
)
def test_true_walls_are_kept_in_silence(style):
    checked = solve_image(shot_of(WALLED, style).screenshot)
    assert walls_of(checked.reading.board) == TRUE_WALLS
    assert checked.warnings == ()


def test_a_wall_that_the_answer_needs_is_proved():
    """Without these walls a path would touch itself."""
    with thresholds(WALLS, complete=1.1):
        checked = solve_image(shot_of(WALLED).screenshot)
    places = checked.reading.board.lattice.places
    flow_of = {places[s]: n for n, path in enumerate(checked.outcome.solution.paths) for s in path.vertices}
    needed = {wall for wall in TRUE_WALLS if flow_of[wall[0]] == flow_of[wall[1]]}
    assert walls_of(checked.reading.board) == needed < TRUE_WALLS


@pytest.mark.usefixtures("only_as_given")
def test_two_ways_to_be_rid_of_a_wall_are_none():
    text = "....A\n.B..C\n..C..\n..BA.\n.....\nwall 1,3/1,4\nwall 2,2/2,3\nwall 2,3/3,3\nwall 4,4/5,4\n"
    made = parse(text)
    solution = solve(made.puzzle).solution
    path = max(solution.paths, key=lambda path: len(path.vertices))
    places = made.board.lattice.places
    side = tuple(sorted((places[path.vertices[3]], places[path.vertices[4]])))
    error = refusal(with_stroke(shot_of(text), side, 0.4), Options(grid="5x5"), code="doubtful-reading")
    assert isinstance(error.doubt, WallsDisagree)
