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
from flowvision.reading.doubts import REMARKED
from flowvision.reading.options import Options
from flowvision.reading.walls import crossed, touched, unlikely, walls_seen, without
from flowvision.solvers import solve
from flowvision.vision.assembly import Interpretation, Wall
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.settings import WALLS
from tests import seeing
from tests.drawing import LEVEL_5X5, LEVEL_5X5_SOLVED, reading_of
from tests.seeing import (
    GREEN_DOT_MOVED,
    LEVEL_WITH_WALLS,
    changed_thresholds,
    phone_shot,
    refusal,
    sides_between,
    with_stroke,
)
from tests.tools.synthetic import THEMES, Style


def walls_of(board: Board) -> set[object]:
    return set(walls_and_warps(board, board.lattice)[0])


TRUE_WALLS = walls_of(parse(LEVEL_WITH_WALLS).board)


def wall(a: tuple[int, int], b: tuple[int, int], cols: int = 5) -> Wall:
    """Return a wall between two places of a board with this many columns."""
    return Wall((a[0] * cols + a[1], b[0] * cols + b[1]), (a, b), completeness=1.0)


def interpreted(geometry: BoardGeometry) -> Interpretation:
    """Return any reading of a board that was cut out."""
    return Interpretation(reading_of("R..\n...\n..R\n"), geometry)


def test_whole_walls_are_complete():
    walls = walls_seen(interpreted(seeing.geometry_of(phone_shot(LEVEL_WITH_WALLS).screenshot)))
    assert {wall.places for wall in walls} == TRUE_WALLS
    assert all(wall.completeness == 1 for wall in walls)


def test_a_stroke_along_a_part_of_a_side_is_an_incomplete_wall():
    side, share = ((1, 1), (1, 2)), 0.4
    painted = seeing.geometry_of(Screenshot(with_stroke(phone_shot(), side, share)))
    (stroke,) = walls_seen(interpreted(painted))
    assert (stroke.places, stroke.ends) == (side, ((2, 1), (2, 2)))
    assert 0.3 <= stroke.completeness < WALLS.complete


def test_a_reading_without_walls_has_their_sides_open():
    whole = interpreted(seeing.geometry_of(phone_shot(LEVEL_WITH_WALLS).screenshot))
    walls = walls_seen(whole)
    left_out, kept = walls[:2], walls[2:]
    bare = without(whole, left_out)
    assert bare.ignored_walls == left_out
    assert walls_of(bare.reading.board) == {wall.places for wall in kept}
    assert bare.reading.puzzle.graph is bare.reading.board.graph
    assert {wall.places for wall in walls_seen(bare)} == {wall.places for wall in walls}


def test_a_reading_without_a_picture_keeps_its_walls():
    without_picture = Interpretation(reading_of(LEVEL_5X5), geometry=None)
    assert without(without_picture, (wall((0, 0), (0, 1)),)) is without_picture


def test_walls_that_paths_cross_or_touch():
    """The only path goes from the upper left cell round to the one below it, through all four cells.

    It touches a wall if both cells beside that are its own, also one that it crosses.
    """
    solution = solve(parse("R.\nR.\n").puzzle).solution
    upper, between_dots, lower = (
        wall(a, b, cols=2) for a, b in (((0, 0), (0, 1)), ((0, 0), (1, 0)), ((1, 0), (1, 1)))
    )
    sides = [upper, between_dots, lower]
    assert list(crossed(sides, solution)) == [upper, lower]
    assert set(touched(sides, solution)) == set(sides)


WALL_LEFT_OF_HOLE = wall((3, 3), (3, 4))
JOINED = [wall((1, 1), (1, 2)), wall((2, 1), (2, 2)), wall((0, 0), (0, 1))]
"""Three walls, each of which touches another or the border."""


def test_few_walls_are_unlikely():
    """Published boards have at least four walls."""
    board = boards.square(5, 5, holes=[(4, 4)])
    assert unlikely(JOINED, board) == tuple(JOINED)
    assert unlikely([*JOINED, WALL_LEFT_OF_HOLE], board) == ()


def test_a_lonely_wall_is_unlikely():
    """Those of published boards touch another wall, the border or a hole."""
    lonely, joined_to_another = wall((2, 3), (2, 4)), wall((1, 0), (1, 1))
    walls = [*JOINED, joined_to_another, lonely]
    assert unlikely(walls, boards.square(5, 5)) == (lonely,)


@pytest.mark.parametrize("missing", [0, 1])
def test_walls_from_border_to_border_are_unlikely(missing: int):
    """No published board is cut in two."""
    below_second_row = [wall((1, col), (2, col)) for col in range(missing, 5)]
    elsewhere = [wall((3, 1), (3, 2)), wall((4, 1), (4, 2))]
    expected = () if missing else tuple(below_second_row)
    assert unlikely([*below_second_row, *elsewhere], boards.square(5, 5)) == expected


SIDES = sides_between(5, 5)
ROWS = LEVEL_5X5_SOLVED.split()
OPEN = [((r, c), (row, col)) for (r, c), (row, col) in SIDES if ROWS[r][c] != ROWS[row][col]]
"""Sides that no path of the solution crosses, and over which none touches itself."""
CROSSED = [side for side in SIDES if side not in OPEN]


def paths_of(solution: Solution) -> set[frozenset[int]]:
    return {frozenset(path.vertices) for path in solution.paths}


FIVE_PATHS = paths_of(solve(parse(LEVEL_5X5).puzzle).solution)


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("side", OPEN[::2])
def test_a_wall_seen_in_part_is_left_out_and_named(side):
    answer = solve_image(with_stroke(phone_shot(), side, share=0.45))
    assert paths_of(answer.outcome.solution) == FIVE_PATHS
    assert answer.outcome.unique is True
    assert walls_of(answer.reading.board) == set()
    assert [doubt.walls for doubt in answer.doubts] == [(side,)]
    assert answer.confidence > 0.95


@pytest.fixture
def always_lattices_of_given_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the attempt without the given size: it finds cells one by one, which know no walls."""
    monkeypatch.setattr(search, "_read_as_given", lambda run: None)


@pytest.mark.usefixtures("always_lattices_of_given_size")
@pytest.mark.parametrize("side", CROSSED[::4])
def test_a_board_is_solved_without_a_stroke_that_blocks_its_solution(side):
    answer = solve_image(with_stroke(phone_shot(), side, share=0.45), Options(grid="5x5"))
    assert paths_of(answer.outcome.solution) == FIVE_PATHS
    assert walls_of(answer.reading.board) == set()
    assert answer.confidence <= 0.95
    assert answer.doubts[0] == WallsRefuted((side,), weight=REMARKED)


LONELY_WALLS = [((1, 0), (1, 1)), ((1, 3), (1, 4)), ((2, 2), (2, 3)), ((3, 1), (4, 1))]
WITH_LONELY_WALLS = LEVEL_5X5 + "wall 2,1/2,2\nwall 2,4/2,5\nwall 3,3/3,4\nwall 4,2/5,2\n"


@pytest.mark.parametrize("quality", [None, 40])
def test_walls_drawn_alike_are_kept_without_a_warning(quality):
    """They touch no other wall, and the solution does not need them."""
    answer = solve_image(phone_shot(WITH_LONELY_WALLS, Style(quality=quality)).screenshot)
    assert walls_of(answer.reading.board) == set(LONELY_WALLS)
    assert answer.warnings == ()


@pytest.mark.parametrize("side", [((1, 1), (1, 2)), ((3, 3), (3, 4))])
def test_a_stroke_on_a_board_with_walls_is_doubted(side):
    answer = solve_image(with_stroke(phone_shot(WITH_LONELY_WALLS), side, share=0.9))
    assert [doubt.walls for doubt in answer.doubts] == [(side,)]


@pytest.mark.parametrize(("side", "is_kept"), [(OPEN[0], True), (CROSSED[0], False)])
def test_a_whole_wall_is_only_doubted(side, is_kept):
    answer = solve_image(with_stroke(phone_shot(), side, share=1.05))  # a little longer than the side
    assert paths_of(answer.outcome.solution) == FIVE_PATHS
    assert walls_of(answer.reading.board) == ({side} if is_kept else set())
    assert [doubt.walls for doubt in answer.doubts] == [(side,)]


def test_dots_are_not_doubted_together_with_walls():
    error = refusal(with_stroke(phone_shot(GREEN_DOT_MOVED), ((0, 1), (0, 2)), share=0.45), code="unsolvable")
    assert error.cause.code == "no-solution"


@pytest.mark.parametrize(
    "style", [Style(), Style(THEMES["old"], quality=40), Style(THEMES["wide"], scale=0.4)]
)
def test_true_walls_are_kept_without_a_warning(style):
    answer = solve_image(phone_shot(LEVEL_WITH_WALLS, style).screenshot)
    assert walls_of(answer.reading.board) == TRUE_WALLS
    assert answer.warnings == ()


def test_only_walls_that_the_answer_needs_are_kept_where_none_is_complete():
    """Without these walls a path would touch itself."""
    with changed_thresholds(WALLS, complete=1.1):
        answer = solve_image(phone_shot(LEVEL_WITH_WALLS).screenshot)
    places, flow_of = answer.reading.board.lattice.places, answer.outcome.solution.flow_of
    flow_at = {places[strand]: flow for strand, flow in flow_of.items()}
    within_one_flow = {(a, b) for a, b in TRUE_WALLS if flow_at[a] == flow_at[b]}
    assert walls_of(answer.reading.board) == within_one_flow < TRUE_WALLS


@pytest.mark.usefixtures("always_lattices_of_given_size")
def test_a_board_with_another_solution_without_its_other_walls_is_refused():
    """A stroke over the true path makes it unsolvable.

    It has one solution without the stroke, and another one without its true walls as well.
    """
    text = "....A\n.B..C\n..C..\n..BA.\n.....\nwall 1,3/1,4\nwall 2,2/2,3\nwall 2,3/3,3\nwall 4,4/5,4\n"
    named = parse(text)
    longest = max(solve(named.puzzle).solution.paths, key=lambda path: len(path.vertices))
    side = tuple(sorted(named.board.lattice.places[strand] for strand in longest.vertices[3:5]))
    error = refusal(
        with_stroke(phone_shot(text), side, share=0.4), Options(grid="5x5"), code="doubtful-reading"
    )
    assert isinstance(error.doubt, WallsDisagree)
