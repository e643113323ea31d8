from dataclasses import replace as with_fields

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import solve_image
from flowvision.doubts import CutOff, SeveralSolutions, WeakPart, WrongSize
from flowvision.export.answer import answer_to
from flowvision.image.picture import Bgr, Frame, Screenshot
from flowvision.puzzle import boards
from flowvision.puzzle.layout import Board, Cell
from flowvision.puzzle.model import Puzzle
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.reading import doubts, search
from flowvision.reading.beyond import Evidence
from flowvision.reading.options import Options
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.crossings.crossings import Crossings
from flowvision.vision.kinds.hexagonal.finding import fit_hexagons
from flowvision.words import Part, Without
from tests import pictures
from tests.boards import BOARDS, rhombi, unique_puzzle
from tests.drawing import (
    CROSSING,
    CROSSING_ITSELF,
    LEVEL_5X5,
    SEVERAL,
    TOUCHING,
    UNSOLVABLE,
    cell_middle,
    reading_of,
    screenshot_of,
)
from tests.seeing import BLANK_SHOT, assert_refused, candidate_of, find_boards, geometry_of, refusal
from tests.tools.synthetic import PHONES, Style, draw_screenshot, random_style


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (LEVEL_5X5, []),
        (SEVERAL, ["several-solutions"]),
        (TOUCHING, ["touches-itself"]),
        (CROSSING, []),
        (CROSSING_ITSELF, ["crossings"]),
    ],
)
def test_what_no_published_level_has_is_a_doubt(text: str, codes: list[str]) -> None:
    assert [doubt.code for doubt in candidate_of(reading_of(text)).about_solution] == codes


def test_a_search_cut_short_is_a_doubt() -> None:
    solved = candidate_of(reading_of(LEVEL_5X5))
    unsure = replace(solved, outcome=replace(solved.outcome, unique=None))
    (doubt,) = doubts.with_solver_doubts(unsure).about_solution
    assert doubt == SeveralSolutions(is_open=True, weight=doubts.DOUBTFUL)


def test_what_was_seen_least_well_is_named_only_below_the_bound() -> None:
    """That is 0.9."""
    plain = candidate_of(reading_of(LEVEL_5X5))
    named = replace(
        plain, source=Interpretation(replace(plain.reading, weakest=Part("the walls")), geometry=None)
    )
    (doubt,) = doubts.unsure_doubt(named, confidence=0.8)
    assert doubt == WeakPart(Part("the walls"))
    assert doubts.unsure_doubt(named, confidence=0.9) == ()
    assert doubts.unsure_doubt(plain, confidence=0.8) == ()


LEFT_OF_DOUBT = 0.1
"""Share of a doubt that a unique solution leaves."""


def test_an_answer_is_as_sure_as_without_walls():
    """A surplus wall does not change a unique solution. With several, walls and their number count."""
    unsure = replace(
        reading_of(LEVEL_5X5, confidence=0.7),
        walls_confidence=0.7,
        lines_confidence=0.9,
        weakest=Part("the walls"),
    )
    assert doubts.confidence_of(candidate_of(unsure)) == 1 - LEFT_OF_DOUBT * (1 - 0.9)  # of the lines
    dots = replace(unsure, dot_doubts=((0.2, 0.0),) * 5)
    assert doubts.confidence_of(candidate_of(dots)) == 1 - LEFT_OF_DOUBT * 0.2
    less_sure_than_its_walls = replace(unsure, confidence=0.6)
    assert doubts.confidence_of(candidate_of(less_sure_than_its_walls)) == 1 - LEFT_OF_DOUBT * (1 - 0.6)
    several = replace(reading_of(SEVERAL, confidence=0.7), walls_confidence=0.7)
    assert doubts.confidence_of(candidate_of(several)) == pytest.approx(0.7 * (1 - doubts.DOUBTFUL))


@pytest.mark.parametrize("sign", Evidence._fields)
def test_every_sign_that_a_board_runs_on_makes_it_likelier(sign: str) -> None:
    nothing, one_of_each = (Evidence(*[share] * len(Evidence._fields)) for share in (0, 1))
    chances = [doubts.chance_to_run_on(nothing._replace(**{sign: tenths / 10})) for tenths in range(21)]
    assert chances == sorted(chances)
    assert chances[0] < chances[1]
    assert chances[0] < doubts.MENTIONED < doubts.LIKELY < doubts.chance_to_run_on(one_of_each)


def test_openings_that_the_picture_does_not_show_need_a_proof(monkeypatch: pytest.MonkeyPatch):
    """A board with several solutions is not taken for an unsolvable one if its openings are a guess."""
    plain, with_openings = reading_of(UNSOLVABLE), reading_of(SEVERAL)
    guess = Crossings(pairing=None, board=with_openings.board, bridges=(), warps=(), seen=False)
    offered = [
        Interpretation(plain, geometry=None),
        Interpretation(with_openings, geometry=None, crossings=guess),
    ]
    monkeypatch.setattr(search, "interpretations", lambda *_: iter(offered))
    assert_refused(BLANK_SHOT, code="unsolvable")


def test_two_pairs_are_no_level_unless_the_user_says_so() -> None:
    bgr = screenshot_of("RG...\n...G.\n..R..\n.....\n.....\n")
    error = refusal(bgr, code="doubtful-reading")
    assert error.doubt.code == "unsure"  # of so few pairs no confidence is left
    assert error.cause.board.may_trust
    trusted = solve_image(bgr, Options(trust=True))
    assert [doubt.code for doubt in trusted.doubts][:1] == ["unsure"]
    whole = (0, 0, bgr.shape[1], bgr.shape[0])
    for options in (Options(grid="5x5"), Options(colours=2), Options(crop=whole)):
        assert len(solve_image(bgr, options).reading.palette) == 2, options


def test_two_pairs_may_be_a_small_level() -> None:
    small = "G..R\n..G.\n..R.\n....\n"
    assert len("".join(small.split())) <= doubts.FEW_CELLS
    assert len(solve_image(screenshot_of(small)).reading.palette) == 2


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("spoilt", pictures.SPOILT, ids=lambda spoilt: spoilt.name)
def test_a_trusted_board_still_has_its_doubts(spoilt: pictures.Spoilt) -> None:
    """What is refused stays refused, or is answered with a warning."""
    answer = answer_to(spoilt.draw(), with_fields(spoilt.options, trust=True), is_drawn=False)
    assert answer.error or (answer.warnings and answer.doubtful)


def shown_as(board: Board) -> Reading:
    """Return a reading of a board whose cells are not a whole number of pixels apart."""
    return replace(reading_of(LEVEL_5X5), board=board, frame=Frame.of_box(0.0, 0.0, 50.5, 50.5))


def of_boxes(*boxes: tuple[float, float, float, float]) -> Reading:
    """A board of cells found one by one: the left, top, right and lower end of each."""
    cells = [
        Cell(((x0 + x1) / 2, (y0 + y1) / 2), ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
        for x0, y0, x1, y1 in boxes
    ]
    return shown_as(boards.build(cells, []))


@pytest.mark.parametrize(
    ("corner", "parts", "is_odd"),
    [
        ((1, 1), [(0, 0, 1, 1)], False),
        ((1, 2), [(0, 0, 1, 2)], True),
        ((3, 1), [(0, 0, 3, 1)], True),
        ((2, 2), [(0, 0, 2, 2)], True),
        ((1, 1), [(0, 0, 0.2, 1), (0.2, 0, 1, 1)], True),
        ((1, 1), [(0, 0, 0.35, 1), (0.35, 0, 1, 1)], True),
        ((1, 1), [(0, 0, 0.5, 1), (0.5, 0, 1, 1)], True),
        ((1, 1), [(0, 0, 0.8, 1)], False),
    ],
)
def test_has_odd_cells_where_some_of_a_lattice_are_merged_or_cut(corner, parts, is_odd):
    """The first cells, up to this corner, are replaced by these."""
    others = [(x, y, x + 1, y + 1) for x, y in np.ndindex(5, 5) if x >= corner[0] or y >= corner[1]]
    assert doubts.has_odd_cells(of_boxes(*parts, *others)) == is_odd


@pytest.mark.parametrize("first_col", [0, 1])
def test_has_odd_cells_where_two_hexagons_are_merged(first_col: int) -> None:
    """Whether the first column lies lower than the second or higher."""
    whole = [cell for cell in boards.hexagonal(5, 6).layout.cells if cell.centre[0] > 0.75 * first_col]
    upper, lower = whole[0], whole[6 - first_col]
    (x, y), (x_lower, y_lower) = upper.centre, lower.centre
    assert x == x_lower
    merged = Cell((x, (y + y_lower) / 2), (*upper.outline[:4], *lower.outline[3:], upper.outline[5]))
    others = [cell for cell in whole if cell not in (upper, lower)]
    for cells, is_odd in ((whole, False), ([merged, *others], True)):
        assert doubts.has_odd_cells(shown_as(boards.build(cells, []))) == is_odd


def test_has_odd_cells_only_on_lattices() -> None:
    for board in (board for board in BOARDS.values() if board.lattice is None):
        assert not doubts.has_odd_cells(shown_as(board))


def band_of_light(bgr: Bgr, at_px: float, slope: float, brightness: int, half_px: float) -> np.ndarray:
    """Return (H, W, 1): light along a slanted line, which starts at a place on the upper edge."""
    down, right = np.mgrid[: bgr.shape[0], : bgr.shape[1]]
    away = np.abs(right + slope * down - at_px)
    return brightness * np.clip(1 - away / half_px, 0, 1)[..., None]


@pytest.mark.parametrize(
    ("pitch", "place", "at", "slope", "brightness", "shades"),
    [(90, (3, 4), 3, 0.4, 140, 256), (60, (1, 0), 1.5, -0.6, 120, 4)],
)
def test_a_hair_through_a_cell_makes_no_two_cells_under_glare(pitch, place, at, slope, brightness, shades):
    """``at``: in cells. ``shades``: those of a channel that are left."""
    bgr = screenshot_of(LEVEL_5X5, pitch)
    x, y = cell_middle(*place, pitch)
    ends_of_hair = (x - pitch // 2, y - pitch // 14), (x + pitch // 2, y + pitch // 14)
    cv2.line(bgr, *ends_of_hair, (120, 120, 120), 1)
    light = band_of_light(bgr, at * pitch, slope, brightness, half_px=0.6 * pitch)
    lit = np.clip(bgr + light, 0, 255)
    step = 256 // shades
    answer = solve_image(lit.astype(np.uint8) // step * step)
    assert len(answer.reading.board.layout.cells) == 25
    assert answer.reading.puzzle.terminals == reading_of(LEVEL_5X5).puzzle.terminals


def test_a_size_given_the_wrong_way_round_is_named() -> None:
    bgr = screenshot_of("RGBY\n" + 4 * "....\n" + "RGBY\n")
    assert solve_image(bgr, Options(grid="4x6")).doubts == ()
    (doubt,) = solve_image(bgr, Options(grid="6x4")).doubts
    assert doubt == WrongSize(cols=6, rows=4, lines_cols=4, lines_rows=6, weight=0.0)


CORNER = (70, 140)
"""Left and top of boards in the middle of their pictures."""
ROOM_AT = {
    "left": ((0, 0), (60, 0)),
    "right": ((0, 0), (0, 60)),
    "top": ((60, 0), (0, 0)),
    "bottom": ((0, 60), (0, 0)),
}
"""Pixels added above and below, and left and right: a cell at one side."""


@pytest.mark.parametrize("side", doubts.SIDES)
def test_distances_are_cells_between_a_board_and_the_edges(side: str) -> None:
    bgr = screenshot_of(LEVEL_5X5, pitch=60, corner=CORNER)
    shots = Screenshot(bgr), Screenshot(np.pad(bgr, (*ROOM_AT[side], (0, 0))))
    before, after = (doubts.distances_to_edges(geometry_of(shot).fit, shot) for shot in shots)
    changes = {name: after[name] - before[name] for name in doubts.SIDES}
    assert changes == pytest.approx(dict.fromkeys(doubts.SIDES, 0.0) | {side: 1.0}, abs=0.05)


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("quarter_turns", range(4))
@pytest.mark.parametrize("shown", [0.2, 0.3, 0.4, 0.48])
def test_a_row_whose_dots_the_picture_cuts_off_is_no_row(shown: float, quarter_turns: int) -> None:
    """``shown``: the share of the sixth row that the picture shows."""
    text = ".....\n...WO\n..C.P\n...PO\n.....\n..WC.\n.....\n"
    whole = screenshot_of(text, pitch=60, corner=CORNER)
    assert len(solve_image(whole).reading.puzzle.terminals) == 4
    bgr = np.rot90(whole[: CORNER[1] + round(60 * (5 + shown))], quarter_turns)
    assert refusal(np.ascontiguousarray(bgr)).cause.code == "cut-off"


@pytest.mark.parametrize("rows_shown", [4.55, 4.8])
def test_a_board_whose_border_the_picture_cuts_off_is_doubted(rows_shown: float) -> None:
    bgr = screenshot_of(LEVEL_5X5, pitch=60, corner=CORNER)
    cut = bgr[: CORNER[1] + round(60 * rows_shown)]
    whole, checked = solve_image(bgr), solve_image(cut)
    assert [doubt.sides for doubt in checked.doubts] == [("bottom",)]
    assert (checked.doubtful, whole.doubtful, whole.warnings) == (True, False, ())
    assert checked.reading.board == whole.reading.board
    assert checked.confidence < whole.confidence


STYLE = Style(phone=PHONES["galaxy"], drawn=0.0)
STARS = {f"{arms} arms": rhombi(arms, parts) for arms, parts in ((5, 3), (6, 2), (7, 2))}


def puzzle_on_part(board: Board, kept: list[int]) -> Puzzle:
    """Pairs of dots on some of the cells; without the others they have exactly one solution."""
    cells = [board.layout.cells[number] for number in kept]
    part = boards.build(cells, boards.shared_sides(cells))
    puzzle, _ = unique_puzzle(part, seed=0, colours=max(3, len(cells) // 8))
    return Puzzle(board.graph, tuple((kept[a], kept[b]) for a, b in puzzle.terminals))


@pytest.mark.sweep(at_landing=4)
@pytest.mark.parametrize("missing", [0.1, 0.35])
@pytest.mark.parametrize("quarter_turns", range(4))
@pytest.mark.parametrize("name", STARS)
def test_a_board_cut_by_the_picture_is_not_believed(name: str, quarter_turns: int, missing: float) -> None:
    """``missing``: the share of the rightmost cells that is cut off, before the picture is turned."""
    board = STARS[name]
    frame = draw_screenshot(board, Puzzle(board.graph, ((0, 1),)), STYLE, seed=0).frame
    xs_of_cell = [frame.to_px(cell.outline)[:, 0] for cell in board.layout.cells]
    right_px = max(xs.max() for xs in xs_of_cell)
    width_px = np.mean([np.ptp(xs) for xs in xs_of_cell if xs.max() > right_px - 3])
    cut_px = round(right_px - missing * width_px)
    whole_cells = [number for number, xs in enumerate(xs_of_cell) if xs.max() <= cut_px + 2]
    assert len(whole_cells) < len(xs_of_cell)
    bgr = draw_screenshot(board, puzzle_on_part(board, whole_cells), STYLE, seed=0).screenshot.bgr
    assert_refused(np.ascontiguousarray(np.rot90(bgr[:, :cut_px], quarter_turns)))


def test_hexagons_that_end_at_an_edge_are_taken_as_cut_off() -> None:
    board = boards.hexagonal(5, 5)
    shot = draw_screenshot(board, random_puzzle(board, seed=3)[0], Style(chrome=False), seed=3)
    lowest_px = int(shot.frame.to_px(board.layout.corners)[:, 1].max())
    nearly_a_hexagon_px = round(0.8 * shot.frame.pitch_px(board.layout.cells[0].centre))
    answer = solve_image(np.ascontiguousarray(shot.screenshot.bgr[: lowest_px - nearly_a_hexagon_px]))
    assert answer.doubts[0] == CutOff(("bottom",), is_likely=False, weight=doubts.REMARKED)
    assert answer.doubtful


def test_where_the_rows_before_a_cut_have_one_solution_it_is_doubted() -> None:
    pitch, corner = 120, (12, 300)
    bgr = screenshot_of("R.G.Y\n..B.O\n.....\nRGBYO\nM...M\n", pitch, corner)
    bgr = bgr[: corner[1] + 4 * pitch + 2]
    answer = solve_image(bgr)
    assert answer.doubts[0].code == "cut-off"
    assert answer.confidence < 0.9
    assert solve_image(bgr, Options(grid="5x4")).warnings == ()
    assert not any(isinstance(one, Without) for one in refusal(bgr, Options(grid="5x5")).cause.advice)


@pytest.mark.parametrize("seed", range(6))
def test_no_line_of_whole_hexagons_reaches_an_edge_of_the_picture(seed: int) -> None:
    board = boards.hexagonal(4 + seed % 3, 4 + seed % 3)
    puzzle, solution = random_puzzle(board, seed)
    shot = draw_screenshot(board, puzzle, random_style(seed), seed, solution).screenshot
    geometry = fit_hexagons(next(find_boards(shot))).cut_board()
    assert doubts.crossed_edges(geometry) == ()
