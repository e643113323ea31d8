import pickle
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from flowvision import Answer, Look, Options, SetBoard, SetCell, debug_page, parse_puzzle, solve_image
from flowvision.diagnosis import draft_of_error
from flowvision.errors import BoardNotFoundError, ImageUnreadableError, OutputError, UnsolvableError
from flowvision.export.answer import answer_to
from flowvision.image.codec import encode
from tests.drawing import FIVE, FIVE_SOLVED, NONE, screenshot_of

ROWS = tuple(FIVE.split())
PICTURE = screenshot_of(FIVE)


@pytest.fixture(scope="module")
def answer() -> Answer:
    return solve_image(PICTURE)


def test_grid_and_solution_are_rows_of_letters(answer: Answer) -> None:
    assert answer.grid == answer.puzzle.grid == ROWS
    assert str(answer.puzzle).split() == list(ROWS)
    assert answer.solution == tuple(FIVE_SOLVED.split())
    assert answer.size == (5, 5)
    assert (answer.outcome.unique, answer.warnings) == (True, ())
    assert 0.9 < answer.confidence <= 1
    assert (np.asarray(answer.image) == answer.picture[..., ::-1]).all()


def test_flows_join_their_dots(answer: Answer) -> None:
    covered = [cell for flow in answer.flows for cell in flow.path]
    assert sorted(covered) == [(r, c) for r in range(5) for c in range(5)]
    for flow in answer.flows:
        assert (flow.path[0], flow.path[-1]) == flow.ends
        assert (np.abs(np.diff(np.array(flow.path), axis=0)).sum(axis=1) == 1).all()
        assert {answer.solution[r][c] for r, c in flow.path} == {flow.letter}
        (line,) = flow.path_px
        middles = (np.array(flow.ends)[:, ::-1] * 60) + (12 + 30, 140 + 30)
        assert np.abs(line[[0, -1]] - middles).max() < 2
    red = next(flow for flow in answer.flows if flow.letter == "R")
    assert red.colour == "red"
    assert np.abs(np.subtract(red.rgb, (255, 0, 0))).max() < 8
    assert all(flow.path == () for flow in answer.puzzle.flows)


@pytest.mark.parametrize(
    ("source", "error", "has_board"),
    [
        (b"no picture", ImageUnreadableError, False),
        (np.zeros((90, 80, 3), np.uint8), BoardNotFoundError, False),
        (screenshot_of(NONE), UnsolvableError, True),
    ],
)
def test_a_refused_picture_has_an_answer_too(source: Any, error: Any, has_board: bool) -> None:
    refused = answer_to(source, name="a.png")
    assert isinstance(refused.error, error)
    assert refused.to_dict()["error"]["code"] == refused.error.code
    assert refused.to_dict()["file"] == "a.png"
    assert (draft_of_error(refused.error) is not None) == has_board
    assert "refused" in repr(refused)
    assert refused.confidence == 0
    for name in ("outcome", "solution", "grid", "picture"):
        with pytest.raises(error):
            getattr(refused, name)
    sent = pickle.dumps(refused._kept())
    assert len(sent) < 10_000
    assert str(pickle.loads(sent).error) == str(refused.error)


def test_save_writes_every_form_and_replaces_only_what_is_ours(answer: Answer, tmp_path: Path) -> None:
    starts = {"png": b"\x89PNG", "jpg": b"\xff\xd8", "gif": b"GIF8", "svg": b"<svg", "txt": b"R"}
    for suffix, start in starts.items():
        place, opened = tmp_path / f"solved.{suffix}", BytesIO()
        answer.save(place)
        answer.save(opened, format=suffix)
        assert place.read_bytes() == opened.getvalue() == answer.to_bytes(suffix)
        assert opened.getvalue().lstrip().startswith(start)
    answer.save(opened := BytesIO())
    assert opened.getvalue().startswith(b"\x89PNG")
    answer.save(tmp_path / "solved.png", format="jpg")
    assert (tmp_path / "solved.png").read_bytes().startswith(b"\xff\xd8")
    assert [b"acTL" in answer.to_bytes("png", animate=moves) for moves in (False, True)] == [False, True]
    with pytest.raises(OutputError, match=r"\.xyz"):
        answer.save(tmp_path / "solved.xyz")
    assert not (tmp_path / "solved.xyz").exists()


def test_save_replaces_a_file_of_the_user_by_force_alone_and_never_the_screenshot(
    answer: Answer, shot: Path
) -> None:
    before = shot.read_bytes()
    for saved, force in ((answer, False), (solve_image(shot), False), (solve_image(shot), True)):
        with pytest.raises(OutputError):
            saved.save(shot, force=force)
    assert shot.read_bytes() == before
    answer.save(shot, force=True)
    answer.save(shot)
    assert shot.read_bytes() != before


def test_the_picture_that_was_read_is_kept_once(shot: Path) -> None:
    pixels = PICTURE.copy()
    answers = [solve_image(shot), solve_image(pixels), solve_image(shot, rotate=360)]
    shot.write_bytes(encode(np.zeros((40, 30, 3), np.uint8)))
    pixels[...] = 90
    first = [str(answers[0].hint()), answers[0].picture.tobytes()]
    for answer in answers:
        assert [str(answer.hint()), answer.picture.tobytes()] == first
        assert answer.corrected({(0, 1): "."}).solution == answer.solution
        assert "<html" in debug_page(answer)
    for source in (PICTURE, encode(PICTURE)):
        assert len(pickle.dumps(solve_image(source))) < 1.5 * PICTURE.nbytes


def test_a_notebook_shows_the_picture_at_most_600_pixels_large() -> None:
    shown = solve_image(screenshot_of(FIVE, pitch=200))._repr_png_()
    assert max(cv2.imdecode(np.frombuffer(shown, np.uint8), cv2.IMREAD_COLOR).shape) == 600


def test_corrected_solves_over_the_same_picture(answer: Answer) -> None:
    changes: tuple[Any, ...] = ({(0, 1): "."}, [SetCell((0, 1), ".")], SetBoard(FIVE), SetBoard(ROWS))
    for change in changes:
        corrected = answer.corrected(change)
        assert corrected.solution == answer.solution
        assert corrected.to_dict()["corrected"]
    options = Options(corrections=(SetBoard(f"{FIVE}wall 1,1/1,2\n"),))
    walled = solve_image(PICTURE, options).corrected({(0, 1): "."})
    assert walled.to_dict()["board"]["walls"] == [[[0, 0], [0, 1]]]
    assert walled.to_dict(geometry=True).keys() - walled.to_dict().keys() == {"frame", "cells_px"}
    with pytest.raises(UnsolvableError):
        walled.corrected({(0, 0): ".", (0, 1): "R"})


@pytest.mark.parametrize("changes", ["1,4=.", 5, None, [(0, 3, ".")], ["rubbish"]])
def test_corrected_refuses_wrong_corrections_by_name(answer: Answer, changes: Any) -> None:
    with pytest.raises(TypeError, match="correction"):
        answer.corrected(changes)


def test_hints_lead_to_the_solution(answer: Answer) -> None:
    edges: set[int] = set()
    for hint in answer.hints():
        assert hint.edges - edges
        edges |= hint.edges
        assert hint.why
    assert edges == {edge for path in answer.outcome.solution.paths for edge in path.edges}
    # The last one shows all of them, in its picture as in its text.
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
    for shown, start in (
        (answer, "<Answer 'screenshot': 5 rows and 5 columns with 5 pairs of dots, unique, conf"),
        (answer.hint(), "<HintSteps: The "),
        (parse_puzzle(FIVE).solve(), "<Answer '': 5 flows, unique, confidence 1>"),
        (answer.puzzle, "<Puzzle 'screenshot': 5 flows>"),
    ):
        assert repr(shown).startswith(start)


def test_boards_without_rows_have_numbers() -> None:
    solved = parse_puzzle("free\ncells 4\nR 0 3\n0: 1\n1: 2\n2: 3\n").solve()
    assert solved.grid == solved.solution == ()
    assert solved.size is None
    assert solved.flows[0].path == ((0, 0), (0, 1), (0, 2), (0, 3))
    assert solved.to_bytes("svg").startswith(b"<svg")


def test_a_look_that_cannot_be_drawn_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="2 letters were given; the board has 5 flows"):
        solve_image(PICTURE, look=Look(letters=("1", "2")))
    svg = solve_image(PICTURE, look=Look(letters=tuple("12345"))).to_bytes("svg").decode()
    assert all(f">{letter}</text>" in svg for letter in "12345")
