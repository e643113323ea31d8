"""What answers say of themselves."""

from __future__ import annotations

import json
import pickle
from io import BytesIO

import cv2
import numpy as np
import pytest

from flowvision import Options, SetBoard, SetCell, debug_page, read_image, solve_image, solve_puzzle
from flowvision.contract import answer_object
from flowvision.errors import OutputError, UnsolvableError
from flowvision.image.codec import encode
from flowvision.pipeline import read_image as read_checked
from tests.drawing import FIVE, FIVE_SOLVED, screenshot_of

ROWS = tuple(FIVE.split())


@pytest.fixture(scope="module")
def picture():
    """The first level, as the game draws it."""
    return screenshot_of(FIVE)


@pytest.fixture(scope="module")
def answer(picture):
    """The answer to it."""
    return solve_image(picture)


def test_grid_and_solution_are_rows_of_letters(answer, picture) -> None:
    """As the puzzle was drawn; every cell of the solution has the letter of its flow."""
    assert answer.grid == read_image(picture).grid == ROWS
    assert answer.solution == tuple(FIVE_SOLVED.split())


def test_flows_join_their_dots(answer) -> None:
    """Paths run from end to end by neighbours, cover every cell once, and lie there in pixels."""
    covered = [cell for flow in answer.flows for cell in flow.path]
    assert sorted(covered) == [(r, c) for r in range(5) for c in range(5)]
    for flow in answer.flows:
        assert (flow.path[0], flow.path[-1]) == flow.ends
        steps = np.abs(np.diff(np.array(flow.path), axis=0)).sum(axis=1)
        assert (steps == 1).all()
        assert {answer.solution[r][c] for r, c in flow.path} == {flow.letter}
        (line,) = flow.path_px
        middles = (np.array(flow.ends)[:, ::-1] * 60) + (12 + 30, 140 + 30)
        assert np.abs(line[[0, -1]] - middles).max() < 2


def test_colours_have_the_games_names(answer) -> None:
    """Red is red, as seen and by name."""
    red = next(flow for flow in answer.flows if flow.letter == "R")
    assert red.colour == "red"
    assert np.abs(np.subtract(red.rgb, (255, 0, 0))).max() < 8


def test_a_read_board_prints_as_text_and_has_no_paths(picture) -> None:
    """What ``print`` shows can be parsed again."""
    board = read_image(picture)
    assert str(board).split() == list(ROWS)
    assert all(flow.path == () for flow in board.flows)
    assert board.to_dict()["ok"] is True


def test_to_dict_is_the_object_of_the_command(answer, picture) -> None:
    """But for times, with and without geometry; it is plain JSON."""
    expected = answer_object("screenshot", read_checked(picture), None)
    made = json.loads(json.dumps(answer.to_dict()))
    assert {**made, "seconds": 0} == {**json.loads(json.dumps(expected)), "seconds": 0}
    assert {"frame", "cells_px"} <= answer.to_dict(geometry=True).keys()


@pytest.mark.parametrize(
    ("suffix", "start"), [(".png", b"\x89PNG"), (".jpg", b"\xff\xd8"), (".gif", b"GIF8"), (".svg", b"<svg")]
)
def test_every_form_is_saved_by_its_suffix(answer, tmp_path, suffix: str, start: bytes) -> None:
    """The file begins as its kind does; the source was an array, which is still there."""
    place, opened = tmp_path / f"solved{suffix}", BytesIO()
    answer.save(place)
    answer.save(opened, format=suffix[1:])
    assert place.read_bytes() == opened.getvalue() == answer.to_bytes(suffix[1:])
    assert opened.getvalue().lstrip().startswith(start)


def test_an_open_file_gets_a_png_unless_told_otherwise(answer, tmp_path) -> None:
    """As standard output does; a format given beside a path counts before its suffix."""
    opened = BytesIO()
    answer.save(opened)
    assert opened.getvalue().startswith(b"\x89PNG")
    answer.save(tmp_path / "solved.png", format="jpg")
    assert (tmp_path / "solved.png").read_bytes().startswith(b"\xff\xd8")


def test_the_picture_that_was_read_is_kept(picture, tmp_path) -> None:
    """Nothing opens the file again: it may be another picture by now, or gone, and so may the pixels."""
    path, pixels = tmp_path / "shot.png", picture.copy()
    path.write_bytes(encode(picture))
    answers = [solve_image(path), solve_image(pixels), solve_image(path, rotate=360)]
    path.write_bytes(encode(np.zeros((40, 30, 3), np.uint8)))
    pixels[...] = 90
    first = [answers[0].to_bytes("gif"), str(answers[0].hint()), answers[0].picture.tobytes()]
    path.unlink()
    for answer in answers:
        assert [answer.to_bytes("gif"), str(answer.hint()), answer.picture.tobytes()] == first
        assert answer.corrected({(0, 1): "."}).solution == answer.solution
        assert "<html" in debug_page(answer)


def test_an_answer_keeps_one_picture(picture) -> None:
    """Pixels once: those that were read, or the solved ones beside the file."""
    size = picture.nbytes
    assert len(pickle.dumps(solve_image(picture))) < 1.5 * size
    assert len(pickle.dumps(solve_image(encode(picture)))) < 1.5 * size


def test_a_size_has_columns_first(picture) -> None:
    """As the option ``grid``; cells of other shapes have none."""
    assert solve_image(picture).size == read_image(picture).size == (5, 5)
    assert solve_puzzle("R..\n..R").size == (3, 2)
    assert solve_puzzle("free\ncells 2\nR 0 1\n0: 1\n").size is None


def test_an_unknown_suffix_writes_nothing(answer, tmp_path) -> None:
    """The error names those there are."""
    with pytest.raises(OutputError, match=r"\.xyz"):
        answer.save(tmp_path / "solved.xyz")
    assert not list(tmp_path.iterdir())


def test_a_saved_png_moves_only_where_that_is_wanted(answer, tmp_path) -> None:
    """Still by default."""
    answer.save(tmp_path / "still.png")
    answer.save(tmp_path / "moving.png", animate=True)
    assert b"acTL" not in (tmp_path / "still.png").read_bytes()
    assert b"acTL" in (tmp_path / "moving.png").read_bytes()


def test_image_and_picture_are_the_same_in_two_orders(answer) -> None:
    """RGB for Pillow, BGR for OpenCV."""
    assert (np.asarray(answer.image) == answer.picture[..., ::-1]).all()


def test_a_notebook_shows_the_board_at_most_600_pixels_wide() -> None:
    """The part of the picture with the board, scaled down where it is larger."""
    shown = cv2.imdecode(
        np.frombuffer(solve_image(screenshot_of(FIVE, pitch=200))._repr_png_(), np.uint8), cv2.IMREAD_COLOR
    )
    assert shown.shape[1] == 600
    assert 0.95 < shown.shape[0] / shown.shape[1] < 1.05


def test_a_correction_is_solved_over_the_same_picture(answer) -> None:
    """An added wall forbids the step across it; what cannot be solved says so."""
    same = answer.corrected({(0, 1): "."})
    assert same.solution == answer.solution
    walled = answer.corrected(SetBoard(f"{answer.text}wall 1,1/1,2\n"))
    assert walled.to_dict()["board"]["walls"] == [[[0, 0], [0, 1]]]
    with pytest.raises(UnsolvableError):
        answer.corrected({(0, 0): ".", (0, 1): "R"})


def test_corrections_of_options_stay(picture) -> None:
    """Further ones come after them."""
    options = Options(corrections=(SetBoard(f"{FIVE}wall 1,1/1,2\n"),))
    board = read_image(picture, options).corrected({(0, 1): "."})
    assert len(board.to_dict()["board"]["walls"]) == 1


def test_hints_lead_to_the_solution(answer) -> None:
    """Each adds steps of the solution that were not there; together they are all of it."""
    edges: set[int] = set()
    for hint in answer.hints():
        assert hint.edges - edges
        edges |= hint.edges
        assert hint.why
    assert edges == {edge for path in answer.outcome.solution.paths for edge in path.edges}
    # The last one shows all of them, in its picture as in its text.
    assert str(hint).startswith(str(answer))
    assert read_image(hint.picture).state == "solved"


def test_what_a_shell_shows_is_a_line(answer) -> None:
    """Of answers, of hints, of puzzles."""
    assert repr(answer).startswith(
        "<Answer 'screenshot': 5 rows and 5 columns with 5 pairs of dots, unique, conf"
    )
    assert repr(answer.hint()).startswith("<HintSteps: The ")
    assert repr(solve_puzzle(FIVE)) == "<SolvedPuzzle '': 5 flows, unique>"


def test_a_hint_names_cells_and_draws_them(answer) -> None:
    """Its steps are neighbours of one flow, and its picture differs from the unsolved one."""
    hint = answer.hint("R")
    assert {letter for letter, _, _ in hint.steps} == {"R"}
    for _, a, b in hint.steps:
        assert abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
    assert (np.asarray(hint.image)[..., ::-1] != answer.shot.bgr).any()


def test_boards_without_rows_have_numbers(tmp_path) -> None:
    """No grid, but flows by cell number in the one row that they have, text and vectors."""
    solved = solve_puzzle("free\ncells 4\nR 0 3\n0: 1\n1: 2\n2: 3\n")
    assert solved.grid == solved.solution == ()
    assert solved.flows[0].path == ((0, 0), (0, 1), (0, 2), (0, 3))
    solved.save(tmp_path / "free.svg")
    assert solved.svg().startswith("<svg")


def test_a_file_of_somebody_is_not_replaced(answer, tmp_path) -> None:
    """The screenshot itself least of all; what Flowvision wrote is, and all with ``force``."""
    place = tmp_path / "shot.png"
    place.write_bytes(encode(answer.shot.bgr))
    before = place.read_bytes()
    with place.open("rb") as opened:
        sources = place, str(place), before, opened
        for source in sources:
            for force in (False, True):
                for call in (solve_image, read_image):
                    with pytest.raises(OutputError, match="one of the screenshots given"):
                        call(source).save(place, force=force)
                    opened.seek(0)
    with pytest.raises(OutputError, match="force=True"):
        answer.save(place)
    assert place.read_bytes() == before
    answer.save(place, force=True)
    answer.save(place)
    assert place.read_bytes() != before


@pytest.mark.parametrize("changes", [[SetCell((0, 0), "R")], iter([SetCell((0, 0), "R")])])
def test_corrections_come_in_any_collection(answer, changes) -> None:
    """A list or a generator as well as a tuple."""
    assert answer.corrected(changes).to_dict()["corrected"]


@pytest.mark.parametrize("changes", ["1,4=.", 5, None, [(0, 3, ".")], {"0,3": "."}, {(0, 3): 5}, ["rubbish"]])
def test_what_is_no_correction_is_refused_by_name(answer, changes) -> None:
    """Nothing is left out in silence."""
    with pytest.raises(TypeError, match=r"correction|mark|cell"):
        answer.corrected(changes)
