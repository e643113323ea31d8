import pickle
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from flowvision import Answer, Look, SetBoard, SetCell, debug_page, parse_puzzle, solve_image
from flowvision.diagnosis import draft_of_error
from flowvision.errors import BoardNotFoundError, ImageUnreadableError, OutputError, UnsolvableError
from flowvision.export.answer import answer_to
from flowvision.image.codec import encode
from tests.drawing import COLOURS, LEVEL_5X5, LEVEL_5X5_SOLVED, UNSOLVABLE, screenshot_of

ROWS = tuple(LEVEL_5X5.split())
PICTURE = screenshot_of(LEVEL_5X5)


@pytest.fixture(scope="module")
def answer() -> Answer:
    return solve_image(PICTURE)


def test_grid_and_solution_are_rows_of_letters(answer: Answer) -> None:
    assert answer.grid == answer.puzzle.grid == ROWS
    assert str(answer.puzzle).split() == list(ROWS)
    assert answer.solution == tuple(LEVEL_5X5_SOLVED.split())
    assert answer.size == (5, 5)
    assert (answer.outcome.unique, answer.warnings) == (True, ())
    assert 0.9 < answer.confidence <= 1
    assert np.array_equal(np.asarray(answer.image), answer.picture[..., ::-1])


def test_flows_join_their_dots(answer: Answer) -> None:
    covered = [cell for flow in answer.flows for cell in flow.path]
    assert sorted(covered) == [(r, c) for r in range(5) for c in range(5)]
    for flow in answer.flows:
        assert (flow.path[0], flow.path[-1]) == flow.ends
        steps = np.abs(np.diff(np.array(flow.path), axis=0))
        assert (steps.sum(axis=1) == 1).all()
        assert {answer.solution[r][c] for r, c in flow.path} == {flow.letter}
    assert all(flow.path == () for flow in answer.puzzle.flows)


def test_flows_have_their_places_and_colours_in_the_picture(answer: Answer) -> None:
    left, top, pitch = 12, 140, 60
    for flow in answer.flows:
        (line,) = flow.path_px
        middles = [(left + pitch * (c + 0.5), top + pitch * (r + 0.5)) for r, c in flow.ends]
        assert np.abs(line[[0, -1]] - middles).max() < 2
    red = next(flow for flow in answer.flows if flow.letter == "R")
    assert red.colour == "red"
    assert np.abs(np.subtract(red.rgb, COLOURS["R"])).max() < 8


@pytest.mark.parametrize(
    ("source", "error", "has_board"),
    [
        (b"no picture", ImageUnreadableError, False),
        (np.zeros((90, 80, 3), np.uint8), BoardNotFoundError, False),
        (screenshot_of(UNSOLVABLE), UnsolvableError, True),
    ],
)
def test_a_refused_picture_has_an_answer_too(source: Any, error: Any, has_board: bool) -> None:
    refused = answer_to(source, name="a.png")
    assert isinstance(refused.error, error)
    assert refused.to_dict()["error"]["code"] == refused.error.code
    assert refused.to_dict()["file"] == "a.png"
    assert (draft_of_error(refused.error) is not None) == has_board
    assert (refused.shot is None) == (error is ImageUnreadableError)
    assert "refused" in repr(refused)
    assert (str(refused), refused._repr_png_(), refused.confidence) == (str(refused.error), None, 0)
    for attribute in ("outcome", "solution", "grid", "picture"):
        with pytest.raises(error):
            getattr(refused, attribute)
    sent = pickle.dumps(refused._kept())
    assert len(sent) < 10_000
    assert str(pickle.loads(sent).error) == str(refused.error)


@pytest.mark.parametrize(
    ("suffix", "start"),
    [("png", b"\x89PNG"), ("jpg", b"\xff\xd8"), ("gif", b"GIF8"), ("svg", b"<svg"), ("txt", b"R")],
)
def test_an_answer_is_saved_in_every_form(answer, tmp_path, suffix: str, start: bytes) -> None:
    path, file = tmp_path / f"solved.{suffix}", BytesIO()
    answer.save(path)
    answer.save(file, format=suffix)
    assert path.read_bytes() == file.getvalue() == answer.to_bytes(suffix)
    assert file.getvalue().lstrip().startswith(start)


def test_the_form_is_that_of_the_argument_then_of_the_suffix_then_png(answer, tmp_path) -> None:
    answer.save(tmp_path / "solved.png", format="jpg")
    assert (tmp_path / "solved.png").read_bytes().startswith(b"\xff\xd8")
    answer.save(file := BytesIO())
    assert file.getvalue().startswith(b"\x89PNG")
    with pytest.raises(OutputError, match=r"\.xyz"):
        answer.save(tmp_path / "solved.xyz")
    assert not (tmp_path / "solved.xyz").exists()


def test_a_png_is_animated_on_request(answer: Answer) -> None:
    animation_chunk = b"acTL"
    assert animation_chunk in answer.to_bytes("png", animate=True)
    assert animation_chunk not in answer.to_bytes("png")


def test_save_replaces_a_file_of_the_user_by_force_alone(answer: Answer, shot: Path) -> None:
    before = shot.read_bytes()
    with pytest.raises(OutputError):
        answer.save(shot)  # not the picture that it was read from
    assert shot.read_bytes() == before
    answer.save(shot, force=True)
    answer.save(shot)
    assert shot.read_bytes() != before


def test_an_answer_keeps_the_picture_that_it_was_read_from_once(shot: Path) -> None:
    pixels = PICTURE.copy()
    answers = [solve_image(shot), solve_image(pixels), solve_image(shot, rotate=360)]
    hint, picture = str(answers[0].hint()), answers[0].picture
    shot.write_bytes(encode(np.zeros((40, 30, 3), np.uint8)))
    pixels[...] = 90  # now both sources show something else
    for answer in answers:
        assert str(answer.hint()) == hint
        assert np.array_equal(answer.picture, picture)
        assert answer.corrected({(0, 1): "."}).solution == answer.solution
        assert "<html" in debug_page(answer)
    for source in (PICTURE, encode(PICTURE)):
        assert len(pickle.dumps(solve_image(source))) < 1.5 * PICTURE.nbytes


def test_a_notebook_shows_the_picture_at_most_600_pixels_large() -> None:
    shown = solve_image(screenshot_of(LEVEL_5X5, pitch=200))._repr_png_()
    assert max(cv2.imdecode(np.frombuffer(shown, np.uint8), cv2.IMREAD_COLOR).shape) == 600


@pytest.mark.parametrize(
    "changes", [{(0, 1): "."}, [SetCell((0, 1), ".")], SetBoard(LEVEL_5X5), SetBoard(ROWS)], ids=repr
)
def test_corrected_solves_over_the_same_picture(answer: Answer, changes: Any) -> None:
    corrected = answer.corrected(changes)
    assert corrected.solution == answer.solution
    assert corrected.to_dict()["corrected"]


def test_corrections_are_added_to_those_before() -> None:
    with_wall = solve_image(PICTURE, corrections=(SetBoard(f"{LEVEL_5X5}wall 1,1/1,2\n"),))
    corrected = with_wall.corrected({(0, 1): "."})
    assert corrected.to_dict()["board"]["walls"] == [[[0, 0], [0, 1]]]
    with pytest.raises(UnsolvableError):
        corrected.corrected({(0, 0): ".", (0, 1): "R"})


def test_geometry_is_added_on_request(answer: Answer) -> None:
    assert answer.to_dict(geometry=True).keys() - answer.to_dict().keys() == {"frame", "cells_px"}


def test_hints_lead_to_the_solution(answer: Answer) -> None:
    edges: set[int] = set()
    for hint in answer.hints():
        assert hint.edges - edges
        edges |= hint.edges
        assert hint.why
    assert edges == answer.outcome.solution.edges
    # The last hint shows the whole solution, in its picture as in its text.
    assert str(hint).startswith(str(answer))
    assert solve_image(hint.picture).state == "solved"


def test_a_hint_names_cells_and_draws_them(answer: Answer) -> None:
    hint = answer.hint("R")
    assert {letter for letter, _, _ in hint.steps} == {"R"}
    for _, a, b in hint.steps:
        assert abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
    assert (np.asarray(hint.image)[..., ::-1] != answer.shot.bgr).any()
    assert str(answer.hint(2)) == str(answer.hint("2"))


def test_a_shell_shows_a_line(answer: Answer) -> None:
    for value, start in (
        (answer, "<Answer 'screenshot': 5 rows and 5 columns with 5 pairs of dots, unique, conf"),
        (answer.hint(), "<HintSteps: The "),
        (parse_puzzle(LEVEL_5X5).solve(), "<Answer '': 5 flows, unique, confidence 1>"),
        (answer.puzzle, "<Puzzle 'screenshot': 5 flows>"),
    ):
        assert repr(value).startswith(start)


def test_boards_without_rows_have_numbers() -> None:
    solved = parse_puzzle("free\ncells 4\nR 0 3\n0: 1\n1: 2\n2: 3\n").solve()
    assert solved.grid == solved.solution == ()
    assert solved.size is None
    assert solved.flows[0].path == ((0, 0), (0, 1), (0, 2), (0, 3))
    assert solved.to_bytes("svg").startswith(b"<svg")


def test_a_look_has_a_letter_for_every_flow() -> None:
    with pytest.raises(ValueError, match="2 letters were given; the board has 5 flows"):
        solve_image(PICTURE, look=Look(letters=("1", "2")))
    svg = solve_image(PICTURE, look=Look(letters=tuple("12345"))).to_bytes("svg").decode()
    assert all(f">{letter}</text>" in svg for letter in "12345")
