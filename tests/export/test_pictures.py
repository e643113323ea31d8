import re
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
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.model import Puzzle, letters_for
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle.text import parse
from flowvision.render.look import Look
from flowvision.render.ruling import PAPER, SCREEN
from flowvision.render.text import solved_text
from flowvision.solvers import solve
from tests.boards import MADE, SMALL_BOARDS
from tests.drawing import FIVE, reading_of, screenshot_of
from tests.tools.synthetic import Style, draw_screenshot

SVG = "{http://www.w3.org/2000/svg}"


def begun() -> Answer:
    board = boards.square(6, 6)
    puzzle, solution = random_puzzle(board, 3, 5)
    return solve_image(draw_screenshot(board, puzzle, Style(drawn=0.5), 3, solution).screenshot)


def fresh() -> Answer:
    return solve_image(screenshot_of(FIVE))


@pytest.mark.parametrize("dim", [0.4, 0.65])
def test_a_dimmed_board_has_the_letters_and_colours_of_the_game(dim: float) -> None:
    board = boards.square(7, 7)
    puzzle, _ = random_puzzle(board, 3, 7)
    full, dimmed = (
        solve_image(draw_screenshot(board, puzzle, Style(dim=brightness), 5).screenshot)
        for brightness in (1.0, dim)
    )
    assert dimmed._named.letters == full._named.letters
    for kind in ("next", *full._named.letters):
        assert dimmed.hint(kind).why == full.hint(kind).why
    drawings = [encoded(one, FORMS["svg"]).decode() for one in (dimmed, full)]
    painted = [re.findall(r'<circle[^>]* fill="#(\w+)"', drawing) for drawing in drawings]
    assert len(painted[0]) == 14
    for seen, wanted in zip(*painted, strict=True):
        assert np.abs(np.subtract(list(bytes.fromhex(seen)), list(bytes.fromhex(wanted)))).max() <= 8


def test_what_is_drawn_is_known() -> None:
    new, drawing = fresh(), begun()
    assert np.array_equal(new.shot.bgr, screenshot_of(FIVE))
    assert not np.array_equal(new.shot.bgr, new.picture)
    assert new._known == new._finished == frozenset()
    assert drawing._finished < drawing._known
    assert sum(drawing._finished.issuperset(path.edges) for path in drawing.outcome.solution.paths) >= 2
    assert new.wrong == drawing.wrong == ()


FREE = parse("free\ncells 6\nR 0 2\nG 3 5\n0: 1 4 5\n1: 2 5\n2: 3 5\n3: 4 5\n4: 5\n")
KNOTTED = parse("free\ncells 9\nR 0 2\nG 3 8\n" + "".join(f"{n}: {n + 1} {(n + 4) % 9}\n" for n in range(8)))
"""Lines between its cells, laid anywhere, run over others."""


def drawn_puzzle(kind_of_board: str) -> Answer:
    if kind_of_board in ("free", "knotted"):
        return answer_to_puzzle(FREE if kind_of_board == "free" else KNOTTED)
    board = SMALL_BOARDS[kind_of_board]
    puzzle, _ = random_puzzle(board, 1)
    return answer_to_puzzle(NamedPuzzle("", board, puzzle, letters_for(len(puzzle.terminals))))


def answer_to_puzzle(given: NamedPuzzle) -> Answer:
    return Answer("", _given=given, _solved=solve(given.puzzle, board=given.board))._pictured


@pytest.mark.sweep(12)
@pytest.mark.parametrize(
    ("kind_of_board", "kind"),
    # One video is enough: its frames are those of a GIF.
    [(board, kind) for board in (*SMALL_BOARDS, "knotted") for kind in FORMS if kind != "mp4"]
    + [("free", kind) for kind in FORMS],
)
def test_every_kind_of_board_is_drawn_in_every_form(kind_of_board: str, kind: str) -> None:
    if kind == "mp4":
        pytest.importorskip("av")
    drawing = drawn_puzzle(kind_of_board)
    data = encoded(drawing, FORMS[kind])
    if FORMS[kind].content == "vectors":
        assert b"NaN" not in data
        assert len(Xml.fromstring(data.decode()).findall(".//{*}circle")) == 2 * len(drawing.palette)
        return
    if FORMS[kind].content == "text":
        assert all(letter in data.decode() for letter in drawing._named.letters)
        return
    if kind in ("mp4", "pdf"):  # nothing here reads them
        assert (data[4:8] == b"ftyp") if kind == "mp4" else data.startswith(b"%PDF-")
        return
    shown = Image.open(BytesIO(data))
    shown.seek(getattr(shown, "n_frames", 1) - 1)
    rgb, layout = np.asarray(shown.convert("RGB")), drawing._named.board.layout
    for strand, flow in drawing.outcome.solution.flow_of.items():
        cell = layout.cell_of[strand]
        if cell not in layout.bridges:  # there the other path may lie above
            x, y = drawing.reading.frame.to_px(layout.cells[cell].centre)[0].round().astype(int)
            assert np.abs(rgb[y, x].astype(int) - drawing.palette[flow]).max() < 60


def test_cells_that_lie_apart_are_joined_by_lines() -> None:
    drawing = drawn_puzzle("free")
    used = {edge for path in drawing.outcome.solution.paths for edge in path.edges}
    for edge, ((_, middle, _),) in enumerate(drawing._named.board.layout.strokes):
        x, y = drawing.reading.frame.to_px(middle)[0].round().astype(int)
        assert drawing.shot.bgr[y, x].tolist() == list(SCREEN.line[::-1])
        assert (drawing.picture[y, x].tolist() == list(SCREEN.line[::-1])) == (edge not in used)


def test_more_cells_that_lie_apart_than_a_picture_holds_are_not_drawn(monkeypatch):
    monkeypatch.setattr("flowvision.export.answer.MAX_AREA", 310)
    line, longer = (
        parse(
            f"free\ncells {count}\nR 0 {count - 1}\n" + "".join(f"{n}: {n + 1}\n" for n in range(count - 1))
        )
        for count in (40, 41)
    )
    assert answer_to_puzzle(line).picture.any()
    with pytest.raises(PuzzleInvalidError, match="too large"):
        answer_to_puzzle(longer)
    solution = solve(longer.puzzle).solution
    assert solved_text(longer.board, longer.puzzle, solution, longer.letters, [Rgb(255, 0, 0)], 24)
    large = boards.square(1, 40_001)
    with pytest.raises(PuzzleInvalidError, match="too large"):
        _ = Answer("", _given=NamedPuzzle("", large, Puzzle(large.graph, ()), ()))._pictured


def test_an_svg_has_every_flow() -> None:
    for drawing in (fresh(), begun()):
        assert b"fv-grow" not in encoded(drawing, FORMS["svg"])
        root, paths = Xml.fromstring(encoded(drawing, FORMS["moving-svg"])), drawing.outcome.solution.paths
        classes = [path.get("class", "") for path in root.iter(f"{SVG}path")]
        assert sum("fv-pipe" in name for name in classes) == len(paths)
        assert classes.count("fv-pipe") == sum(drawing._finished.issuperset(path.edges) for path in paths)


def test_arrows_are_drawn_on_request_but_not_on_hints() -> None:
    plain = fresh()
    arrowed = replace(plain, look=Look(arrows=True))
    count = len(plain.outcome.solution.paths)
    hint = plain.hint("flow").found
    for drawing, shown, arrows in ((plain, None, 0), (arrowed, None, count), (arrowed, hint, 0)):
        paths = Xml.fromstring(encoded(drawing, FORMS["svg"], shown)).iter(f"{SVG}path")
        lines = [path.get("d", "") for path in paths if path.get("fill") == "none"]
        assert sum(line.count("M") > 1 for line in lines) == arrows


def test_a_hint_changes_nothing_but_its_own_cells() -> None:
    drawing = begun()
    hint = drawing.hint("next").found
    assert hint.edges
    assert drawing._known.isdisjoint(hint.edges)
    places, edges = drawing._named.board.lattice.places, drawing._named.board.graph.edges
    joined = [(places[edges[edge][0]], places[edges[edge][1]]) for edge in hint.edges]
    assert [step[1:] for step in drawing.hint("next").steps] == joined
    shown = picture_of(drawing, hint)
    changed = (shown != drawing.shot.bgr).any(axis=2)
    assert changed.any()
    layout = drawing._named.board.layout
    near = np.zeros(changed.shape, bool)
    for strand in {strand for edge in hint.edges for strand in edges[edge]}:
        outline = drawing.reading.frame.to_px(layout.cells[layout.cell_of[strand]].outline).astype(int)
        (left, top), (right, bottom) = outline.min(axis=0) - 1, outline.max(axis=0) + 2
        near[top:bottom, left:right] = True
    assert not (changed & ~near).any()


def test_flows_in_order_are_numbered_on_the_picture() -> None:
    drawing = fresh()
    hint = drawing.hint("2").found
    assert list(numbers_of(hint).values()) == ["1", "2"]
    numbered, plain = picture_of(drawing, hint), drawing.draw(edges=frozenset(hint.edges), drawn=())
    layout = drawing._named.board.layout
    for flow, pair in enumerate(drawing._named.puzzle.terminals):
        for dot in pair:
            x, y = drawing.reading.frame.to_px(layout.cells[layout.cell_of[dot]].centre)[0].astype(int)
            on_dot = np.s_[y - 12 : y + 13, x - 12 : x + 13]
            assert (numbered[on_dot] != plain[on_dot]).any() == (flow in hint.flows)
    assert numbers_of(drawing.hint("flow").found) == {}
    vectors = Xml.fromstring(encoded(drawing, FORMS["svg"], hint))
    assert sorted(text.text for text in vectors.iter(f"{SVG}text")) == ["1", "1", "2", "2"]


def test_a_hint_as_text_keeps_the_rest_to_itself() -> None:
    drawing = fresh()
    hint = drawing.hint("flow").found
    rows = HintSteps(drawing, hint, drawing._known)._in_colours(0).splitlines()[:5]
    shown = sum(char != "." for char in "".join(rows))
    steps = {strand for edge in hint.edges for strand in drawing._named.board.graph.edges[edge]}
    dots = {dot for pair in drawing._named.puzzle.terminals for dot in pair}
    assert shown == len(steps | dots)


def test_a_puzzle_without_a_picture() -> None:
    drawing = answer_to_puzzle(parse(FIVE))
    assert solve_image(drawing.shot.bgr).outcome.solution == drawing.outcome.solution
    assert decode(encoded(drawing, FORMS["png"])).bgr.shape == drawing.shot.bgr.shape


def test_a_plain_board_to_the_letter() -> None:
    reading = reading_of(FIVE, pitch=60, corner=(12, 140))
    made = Answer("", _seen=reading, _solved=solve(reading.puzzle)).to_dict(geometry=True)
    assert made["frame"] == [60, 0, 12, 0, 60, 140, 0, 0, 1]
    assert made["cells_px"][1] == [[72, 140], [132, 140], [132, 200], [72, 200]]
    assert made["flows"][0]["path_px"][0][:3] == [[42, 170], [42, 200], [42, 230]]


def test_a_warp_begins_another_line() -> None:
    reading = reading_of(MADE["warp"].replace("A", "R"))
    answer = Answer("", _seen=reading, _solved=solve(reading.puzzle))
    lines = [flow["path_px"] for flow in answer.to_dict(geometry=True)["flows"]]
    strokes, paths = reading.board.layout.strokes, answer.outcome.solution.paths
    crossed = [sum(len(strokes[edge]) > 1 for edge in path.edges) for path in paths]
    assert [len(line) for line in lines] == [1 + count for count in crossed]
    assert max(crossed) > 0


def test_cells_are_where_the_frame_says() -> None:
    reading = reading_of(FIVE)
    turned = Frame((50.0, -20.0, 300.0, 20.0, 50.0, 100.0, 1e-4, 0.0, 1.0))
    made = geometry_object(
        type(reading)(reading.board, reading.puzzle, turned, reading.palette, 1.0, reading.ends_px)
    )
    matrix = np.reshape(made["frame"], (3, 3))
    for cell, outline in zip(reading.board.layout.cells, made["cells_px"], strict=True):
        mapped = np.column_stack((cell.outline, np.ones(len(cell.outline)))) @ matrix.T
        assert np.abs(mapped[:, :2] / mapped[:, 2:] - outline).max() < 0.06


BOARDS = {"five": FIVE, "wide": "A" + 58 * "." + "A\n"} | MADE


@pytest.mark.parametrize("name", BOARDS)
def test_vectors_have_dots_with_letters_and_no_pipe(name: str) -> None:
    item = parse(BOARDS[name])
    drawing = Xml.fromstring(on_paper(item, FORMS["svg"]))
    assert not any(path.get("class") == "fv-pipe" for path in drawing.iter(f"{SVG}path"))
    letters = sorted(text.text or "" for text in drawing.iter(f"{SVG}text"))
    assert letters == sorted(2 * "".join(item.letters))
    assert drawing.find(f"{SVG}rect").get("fill") == PAPER.ground.hex
    width = drawing.get("width") or ""
    assert width.endswith("mm")
    assert CELL_MM < float(width[:-2]) <= MAX_MM + CELL_MM


def test_a_page_is_printed_in_its_size() -> None:
    item = parse(FIVE)
    picture = decode(on_paper(item, FORMS["png"])).bgr
    assert np.array_equal(decode(on_paper(item, FORMS["webp"])).bgr, picture)
    page = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ", on_paper(item, FORMS["pdf"]))
    width_mm = 25.4 * float(page[1]) / 72
    assert width_mm == pytest.approx(CELL_MM * picture.shape[1] / PAPER.cell_px, rel=0.01)


@pytest.mark.parametrize("form", FORMS.values(), ids=lambda form: form.name)
def test_a_form_holds_an_unsolved_puzzle_or_refuses_it(form: Form) -> None:
    item = parse(FIVE)
    if form.animated == form.name:
        with pytest.raises(OutputError, match=f"not written as {form.words}") as raised:
            on_paper(item, form)
        offered = {SUFFIXES[suffix].name for suffix in re.findall(r"\.\w+", raised.value.hint)}
        assert offered == {
            one.name for one in FORMS.values() if one.animated != one.name and one.content != "text"
        }
    elif form.content == "text":
        (again,) = puzzles_in(on_paper(item, form).decode())
        assert again.puzzle == item.puzzle
    else:
        assert on_paper(item, form)
