import re
from collections.abc import Callable
from io import BytesIO
from xml.etree import ElementTree as Xml

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

from flowvision import Answer, solve_image
from flowvision.contract import geometry_object
from flowvision.errors import OutputError, PuzzleInvalidError
from flowvision.export.pictures import CELL_MM, MAX_MM, HintSteps, encoded, numbers_of, on_paper, picture_of
from flowvision.files import FORMS, SUFFIXES, Form
from flowvision.image.codec import decode
from flowvision.image.picture import Frame, Rgb
from flowvision.puzzle import boards
from flowvision.puzzle.formats import puzzles_in
from flowvision.puzzle.layout import Board, NamedPuzzle, Point
from flowvision.puzzle.model import Puzzle, letters_for
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.render.look import Look
from flowvision.render.ruling import PAPER, SCREEN
from flowvision.render.text import solved_text
from flowvision.solvers import solve
from flowvision.vision.assembly import Reading
from tests.boards import SMALL_BOARDS, SPECIAL_BOARDS
from tests.drawing import LEVEL_5X5, reading_of, screenshot_of
from tests.tools.synthetic import Style, draw_screenshot

SVG = "{http://www.w3.org/2000/svg}"


def begun() -> Answer:
    """The answer to a board of which half is played."""
    board = boards.square(6, 6)
    puzzle, solution = random_puzzle(board, seed=3, colours=5)
    return solve_image(draw_screenshot(board, puzzle, Style(drawn=0.5), seed=3, solution=solution).screenshot)


def fresh() -> Answer:
    """The answer to a board of which nothing is played."""
    return solve_image(screenshot_of(LEVEL_5X5))


def colours_of_dots(answer: Answer) -> np.ndarray:
    """Return (dots, 3): the fills in the vectors of an answer."""
    drawing = encoded(answer, FORMS["svg"]).decode()
    return np.array(
        [list(bytes.fromhex(fill)) for fill in re.findall(r'<circle[^>]* fill="#(\w+)"', drawing)]
    )


@pytest.mark.parametrize("brightness", [0.4, 0.65])
def test_a_dimmed_board_has_the_letters_and_colours_of_the_game(brightness: float) -> None:
    board, flows = boards.square(7, 7), 7
    puzzle, _solution = random_puzzle(board, seed=3, colours=flows)
    full, dimmed = (
        solve_image(draw_screenshot(board, puzzle, Style(dim=dim), seed=5).screenshot)
        for dim in (1.0, brightness)
    )
    assert dimmed._named.letters == full._named.letters
    for kind in ("next", *full._named.letters):
        assert dimmed.hint(kind).why == full.hint(kind).why
    assert len(colours_of_dots(dimmed)) == 2 * flows
    assert np.abs(colours_of_dots(dimmed) - colours_of_dots(full)).max() <= 8


FREE = parse("free\ncells 6\nR 0 2\nG 3 5\n0: 1 4 5\n1: 2 5\n2: 3 5\n3: 4 5\n4: 5\n")
KNOTTED = parse("free\ncells 9\nR 0 2\nG 3 8\n" + "".join(f"{n}: {n + 1} {(n + 4) % 9}\n" for n in range(8)))
"""Lines between its cells, laid anywhere, run over others."""


def drawn_puzzle(kind_of_board: str) -> Answer:
    if kind_of_board in ("free", "knotted"):
        return answer_to_puzzle(FREE if kind_of_board == "free" else KNOTTED)
    board = SMALL_BOARDS[kind_of_board]
    puzzle, _solution = random_puzzle(board, seed=1)
    return answer_to_puzzle(NamedPuzzle("", board, puzzle, letters_for(len(puzzle.terminals))))


def answer_to_puzzle(given: NamedPuzzle) -> Answer:
    return Answer("", _given=given, _solved=solve(given.puzzle, board=given.board))._pictured


@pytest.mark.sweep(at_landing=12)
@pytest.mark.parametrize(
    ("kind_of_board", "form"),
    # One video is enough: its frames are those of a GIF.
    [(board, form) for board in (*SMALL_BOARDS, "knotted") for form in FORMS if form != "mp4"]
    + [("free", form) for form in FORMS],
)
def test_every_kind_of_board_is_drawn_in_every_form(kind_of_board: str, form: str) -> None:
    if form == "mp4":
        pytest.importorskip("av")
    answer = drawn_puzzle(kind_of_board)
    data = encoded(answer, FORMS[form])
    if FORMS[form].content == "vectors":
        assert b"NaN" not in data
        assert len(Xml.fromstring(data.decode()).findall(".//{*}circle")) == 2 * len(answer.palette)
    elif FORMS[form].content == "text":
        assert all(letter in data.decode() for letter in answer._named.letters)
    elif form == "mp4":  # nothing here reads it
        assert data[4:8] == b"ftyp"
    elif form == "pdf":
        assert data.startswith(b"%PDF-")
    else:
        assert_cells_have_their_colours(answer, data)


def assert_cells_have_their_colours(answer: Answer, data: bytes) -> None:
    """Check the last frame of a picture, but for bridges, where the other path may lie above."""
    shown = Image.open(BytesIO(data))
    shown.seek(getattr(shown, "n_frames", 1) - 1)
    rgb, layout = np.asarray(shown.convert("RGB")), answer._named.board.layout
    for strand, flow in answer.outcome.solution.flow_of.items():
        cell = layout.cell_of[strand]
        if cell not in layout.bridges:
            x, y = px_of(answer, layout.cells[cell].centre)
            assert np.abs(rgb[y, x].astype(int) - answer.palette[flow]).max() < 60


def px_of(answer: Answer, point: Point) -> tuple[int, int]:
    """Return the pixel of a point of the board."""
    x, y = answer.reading.frame.to_px(point)[0].round().astype(int)
    return x, y


def test_cells_that_lie_apart_are_joined_by_lines() -> None:
    answer = drawn_puzzle("free")
    line = list(SCREEN.line[::-1])
    for edge, ((_start, middle, _end),) in enumerate(answer._named.board.layout.strokes):
        x, y = px_of(answer, middle)
        assert answer.shot.bgr[y, x].tolist() == line
        is_line_left = answer.picture[y, x].tolist() == line
        assert is_line_left == (edge not in answer.outcome.solution.edges)


def line_of_cells(count: int) -> NamedPuzzle:
    """Return cells that lie apart, in a line from dot to dot."""
    sides = "".join(f"{n}: {n + 1}\n" for n in range(count - 1))
    return parse(f"free\ncells {count}\nR 0 {count - 1}\n{sides}")


def test_cells_that_lie_apart_over_more_area_than_a_picture_holds_are_not_drawn(monkeypatch):
    just_fits, too_long = line_of_cells(40), line_of_cells(41)
    box_area = np.ptp(just_fits.board.layout.corners, axis=0).prod()  # also of the space between cells
    monkeypatch.setattr("flowvision.export.answer.MAX_AREA", box_area)
    assert answer_to_puzzle(just_fits).picture.any()
    with pytest.raises(PuzzleInvalidError, match="too large"):
        answer_to_puzzle(too_long)
    solution = solve(too_long.puzzle).solution
    red = Rgb(255, 0, 0)
    assert solved_text(too_long.board, too_long.puzzle, solution, too_long.letters, [red], depth=24)


def answer_to_empty(board: Board) -> Answer:
    """The answer to a board without a dot."""
    return Answer("", _given=NamedPuzzle("", board, Puzzle(board.graph, terminals=()), letters=()))


def test_a_board_of_more_pixels_than_a_picture_holds_is_not_drawn() -> None:
    large = boards.square(1, 40_001)
    with pytest.raises(PuzzleInvalidError, match="too large"):
        _ = answer_to_empty(large)._pictured


@pytest.mark.parametrize("make", [fresh, begun])
def test_a_moving_svg_draws_every_flow_that_is_not_finished(make: Callable[[], Answer]) -> None:
    answer = make()
    assert b"fv-grow" not in encoded(answer, FORMS["svg"])
    root, paths = Xml.fromstring(encoded(answer, FORMS["moving-svg"])), answer.outcome.solution.paths
    classes = [path.get("class", "") for path in root.iter(f"{SVG}path")]
    finished = [path for path in paths if answer._finished.issuperset(path.edges)]
    assert sum("fv-pipe" in name for name in classes) == len(paths)
    assert sum("fv-grow" in name for name in classes) == len(paths) - len(finished)


def test_arrows_are_drawn_on_request_but_not_on_hints() -> None:
    plain = fresh()
    with_arrows = replace(plain, look=Look(arrows=True))
    flows = len(plain.outcome.solution.paths)
    for answer, hint, arrows in (
        (plain, None, 0),
        (with_arrows, None, flows),
        (with_arrows, plain.hint("flow").found, 0),
    ):
        paths = Xml.fromstring(encoded(answer, FORMS["svg"], hint)).iter(f"{SVG}path")
        lines = [path.get("d", "") for path in paths if path.get("fill") == "none"]
        assert sum(line.count("M") > 1 for line in lines) == arrows  # each arrow is a line of several pieces


def test_a_hint_changes_nothing_but_its_own_cells() -> None:
    answer = begun()
    hint, board = answer.hint("next").found, answer._named.board
    assert hint.edges
    changed = (picture_of(answer, hint) != answer.shot.bgr).any(axis=2)
    assert changed.any()
    for strand in {strand for edge in hint.edges for strand in board.graph.edges[edge]}:
        outline = answer.reading.frame.to_px(board.layout.cells[board.layout.cell_of[strand]].outline)
        (left, top), (right, bottom) = outline.min(axis=0).astype(int), outline.max(axis=0).astype(int)
        changed[top - 1 : bottom + 2, left - 1 : right + 2] = False
    assert not changed.any()


def test_a_hint_has_steps_that_are_not_drawn_yet() -> None:
    answer = begun()
    hint, board = answer.hint("next"), answer._named.board
    already_drawn = answer._known
    assert already_drawn.isdisjoint(hint.found.edges)
    edges = [board.graph.edges[edge] for edge in hint.found.edges]
    assert [{start, end} for _letter, start, end in hint.steps] == [
        {board.lattice.places[first], board.lattice.places[second]} for first, second in edges
    ]
    assert [start for _letter, start, _end in hint.steps] == [
        board.key_of(start) for start in hint.found.starts
    ]


def test_flows_in_order_are_numbered_on_their_dots() -> None:
    answer = fresh()
    hint, layout = answer.hint("2").found, answer._named.board.layout
    assert list(numbers_of(hint).values()) == ["1", "2"]
    numbered, plain = picture_of(answer, hint), answer.draw(edges=frozenset(hint.edges), drawn=())
    for flow, pair in enumerate(answer._named.puzzle.terminals):
        for dot in pair:
            x, y = px_of(answer, layout.cells[layout.cell_of[dot]].centre)
            on_dot = np.s_[y - 12 : y + 13, x - 12 : x + 13]  # its radius is 21
            assert (numbered[on_dot] != plain[on_dot]).any() == (flow in hint.flows)
    vectors = Xml.fromstring(encoded(answer, FORMS["svg"], hint))
    assert sorted(text.text for text in vectors.iter(f"{SVG}text")) == ["1", "1", "2", "2"]
    assert numbers_of(answer.hint("flow").found) == {}


def test_a_hint_as_text_keeps_the_rest_to_itself() -> None:
    answer = fresh()
    hint = answer.hint("flow").found
    rows = HintSteps(answer, hint, answer._known)._in_colours(depth=0).splitlines()[:5]
    letters = sum(char != "." for char in "".join(rows))
    strands_of_steps = {strand for edge in hint.edges for strand in answer._named.board.graph.edges[edge]}
    assert letters == len(strands_of_steps | answer._named.puzzle.dots.keys())


def answer_of(reading: Reading) -> Answer:
    return Answer("", _seen=reading, _solved=solve(reading.puzzle))


def test_a_plain_board_to_the_letter() -> None:
    """Cells of 60 pixels begin at (12, 140); the red path goes down the first column."""
    described = answer_of(reading_of(LEVEL_5X5, pitch=60, corner=(12, 140))).to_dict(geometry=True)
    assert described["frame"] == [60, 0, 12, 0, 60, 140, 0, 0, 1]  # by rows: x = 60 · column + 12 ...
    assert described["cells_px"][1] == [[72, 140], [132, 140], [132, 200], [72, 200]]
    (red_line,) = described["flows"][0]["path_px"]
    middle, side_below, next_middle = [42, 170], [42, 200], [42, 230]
    assert red_line[:3] == [middle, side_below, next_middle]


def test_a_warp_begins_another_line() -> None:
    answer = answer_of(reading_of(SPECIAL_BOARDS["warp"].replace("A", "R")))
    strokes = answer.reading.board.layout.strokes
    warps_crossed = [
        sum(len(strokes[edge]) > 1 for edge in path.edges) for path in answer.outcome.solution.paths
    ]
    assert max(warps_crossed) > 0
    lines = [len(flow["path_px"]) for flow in answer.to_dict(geometry=True)["flows"]]
    assert lines == [1 + count for count in warps_crossed]


def test_cells_are_where_the_frame_says() -> None:
    plain = reading_of(LEVEL_5X5)
    turned = Frame((50.0, -20.0, 300.0, 20.0, 50.0, 100.0, 1e-4, 0.0, 1.0))
    geometry = geometry_object(replace(plain, frame=turned))
    matrix = np.reshape(geometry["frame"], (3, 3))
    for cell, outline in zip(plain.board.layout.cells, geometry["cells_px"], strict=True):
        mapped = np.column_stack((cell.outline, np.ones(len(cell.outline)))) @ matrix.T
        assert np.abs(mapped[:, :2] / mapped[:, 2:] - outline).max() < 0.06  # pixels are rounded to 0.1


BOARDS = {"five": LEVEL_5X5, "wide": "A" + 58 * "." + "A\n"} | SPECIAL_BOARDS


@pytest.mark.parametrize("name", BOARDS)
def test_vectors_of_a_puzzle_have_letters_and_no_pipe_and_fit_on_a_page(name: str) -> None:
    named = parse(BOARDS[name])
    drawing = Xml.fromstring(on_paper(named, FORMS["svg"]))
    assert not any(path.get("class") == "fv-pipe" for path in drawing.iter(f"{SVG}path"))
    letters = sorted(text.text or "" for text in drawing.iter(f"{SVG}text"))
    assert letters == sorted(2 * "".join(named.letters))
    assert drawing.find(f"{SVG}rect").get("fill") == PAPER.ground.hex
    width_mm = float(drawing.get("width").removesuffix("mm"))
    assert CELL_MM < width_mm <= MAX_MM + CELL_MM


def test_a_page_is_printed_in_its_size() -> None:
    named = parse(LEVEL_5X5)
    picture = decode(on_paper(named, FORMS["png"])).bgr
    assert np.array_equal(decode(on_paper(named, FORMS["webp"])).bgr, picture)
    page = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ", on_paper(named, FORMS["pdf"]))
    points_an_inch = 72
    width_mm = 25.4 * float(page[1]) / points_an_inch
    assert width_mm == pytest.approx(CELL_MM * picture.shape[1] / PAPER.cell_px, rel=0.01)


def is_moving(form: Form) -> bool:
    return form.animated == form.name


@pytest.mark.parametrize("form", FORMS.values(), ids=lambda form: form.name)
def test_a_form_holds_an_unsolved_puzzle_or_refuses_it(form: Form) -> None:
    named = parse(LEVEL_5X5)
    if is_moving(form):
        with pytest.raises(OutputError, match=f"not written as {form.words}") as raised:
            on_paper(named, form)
        offered = {SUFFIXES[suffix].name for suffix in re.findall(r"\.\w+", raised.value.hint)}
        assert offered == {
            other.name for other in FORMS.values() if not is_moving(other) and other.content != "text"
        }
    elif form.content == "text":
        (again,) = puzzles_in(on_paper(named, form).decode())
        assert again.puzzle == named.puzzle
    else:
        assert on_paper(named, form)
