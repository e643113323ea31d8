import pickle
from itertools import product

import cv2
import numpy as np
import pytest

from flowvision import solve_image
from flowvision.diagnosis import Diagnosis
from flowvision.diagnosis.edges import are_two_boards
from flowvision.errors import DotsError, GridNotFoundError
from flowvision.image.picture import Bgr, Screenshot
from flowvision.reading.doubt import Doubt
from flowvision.reading.options import Options
from flowvision.reading.wording import Words, cause_object, explain
from flowvision.words import COMMAND, Option, Without
from tests import pictures
from tests.drawing import FIVE, NONE, random_text, screenshot_of
from tests.seeing import done, dots_at, geometry_of, refusal


def cause_of(bgr: Bgr, options: Options | None = None) -> tuple[Doubt, Words]:
    error = refusal(bgr, options)
    cause = error.cause
    assert error.words(COMMAND)[0] == explain(cause).message
    return cause, explain(cause)


@pytest.mark.parametrize("name", ["counters", "discs of one colour"])
def test_dots_of_few_colours_have_no_labels(name: str) -> None:
    """The same word at each dot would hide the board."""
    cause, _ = cause_of(pictures.BY_NAME[name].draw())
    assert len(cause.marks) == cause.facts["dots"]
    assert not any(mark.label for mark in cause.marks)


MOVED = "R.G.Y\n....O\n.B...\n.G.Y.\n.RBO.\n"
"""A blue dot lies in another cell, and no single step of a dot puts it right."""
SEVEN_OF_TWO = "RGRGRGR\nGRGRGRG\nRGRGRGG\nGRGRGRG\n" + 3 * "RGRGGGR\n"


def test_a_board_without_a_solution_is_not_said_to_be_misread() -> None:
    cause, _ = cause_of(screenshot_of(MOVED, 120))
    assert (cause.code, cause.facts["weakest"]) == ("no-solution", "")
    assert cause.marks


def test_a_wrong_size_is_told_with_the_right_one() -> None:
    cause, _ = cause_of(screenshot_of(FIVE, 120, (12, 300)), Options(grid="6x6"))
    assert (cause.facts["lines_cols"], cause.facts["lines_rows"]) == (5, 5)
    assert cause.advice == (Without("grid"),)
    wide = "R.G.YC\n..B.O.\n......\n.G.Y..\n.RBO.C\n"
    cause, _ = cause_of(screenshot_of(wide, 120, (12, 300)), Options(grid="3x7"))
    assert (cause.facts["lines_cols"], cause.facts["lines_rows"]) == (6, 5)
    with pytest.raises(GridNotFoundError):
        solve_image(screenshot_of(wide, 120, (12, 300)), Options(grid="3x7"))


def test_a_wrong_size_of_a_board_that_is_refused_without_it_is_told() -> None:
    cause, _ = cause_of(screenshot_of(pictures.NO_ORANGE), Options(grid="6x5"))
    assert (cause.option, cause.advice, cause.trial) == ("grid", (), None)
    assert (cause.facts["lines_cols"], cause.facts["lines_rows"]) == (5, 5)


def test_a_part_of_a_board_is_told_with_the_dots_that_are_seen_on_it() -> None:
    shown = screenshot_of("....A.\n.WN...\n..N...\n...A..\n.....P\nWP....\n", 120, (12, 300))
    shown[:, :352] = 0
    facts = cause_of(shown)[0].facts
    assert (facts["cells"], facts["dots"]) == (18, 1)
    cause, _ = cause_of(screenshot_of("...\n" * 5, 120, (12, 300)))
    assert (cause.code, cause.facts["cells"], cause.facts["none"]) == ("no-dots", 15, True)


@pytest.mark.parametrize(
    ("rows", "dots"),
    [("......\n" * 6, 0), ("..R...\n" + "......\n" * 5, 1), ("..R...\n" + "......\n" * 4 + "G...B.\n", 3)],
)
def test_the_dots_of_a_board_that_is_nearly_empty_are_counted(rows: str, dots: int) -> None:
    cause, said = cause_of(screenshot_of(rows, 120, (12, 300)))
    assert (cause.code, cause.facts["cells"], cause.facts["dots"]) == ("no-dots", 36, dots)
    assert said.says.startswith("Only" if dots else "No dots")


def test_nothing_to_say_is_no_reason_to_fail() -> None:
    assert cause_of(np.zeros((300, 200, 3), np.uint8))[0].code == "faint"
    assert cause_of(screenshot_of(NONE, 120))[0].code == "no-solution"


def test_a_diagnosis_that_fails_hides_no_error(monkeypatch: pytest.MonkeyPatch) -> None:

    def broken(case: Diagnosis) -> Doubt:
        raise ZeroDivisionError

    monkeypatch.setattr("flowvision.diagnosis.causes.CAUSES", (broken,))
    error = refusal(screenshot_of(NONE, 120))
    assert error.message.startswith(str(error.sentence))
    assert error.cause.code == "unknown"


def test_a_diagnosis_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def look(case: Diagnosis) -> Doubt | None:
        asked.append(case)
        return None

    monkeypatch.setattr("flowvision.diagnosis.causes.CAUSES", (look,))
    error = refusal(screenshot_of(pictures.COUNTERS, 120))
    assert error.message
    assert error.hint
    assert len(asked) == 1


def test_an_error_that_crosses_processes_takes_no_picture_along() -> None:
    error = refusal(pictures.hidden_dot())
    sent = pickle.dumps(error)
    back = pickle.loads(sent)
    assert len(sent) < 20_000
    assert (str(back), back.stage, back.seconds) == (str(error), error.stage, error.seconds)
    assert cause_object(back.cause) == cause_object(error.cause)
    assert (back.evidence, back.steps) == (None, ())
    assert pickle.loads(pickle.dumps(back)).hint == error.hint


def test_a_board_from_edge_to_edge_of_a_screen_is_not_called_cut() -> None:
    bgr = screenshot_of("R.G.Y\n..B.O\n.....\n.....\n.G.Y.\n.RBO.\n", 140, (4, 300))
    bgr[330:420, 30:120] = 0
    cause, said = cause_of(bgr)
    assert cause.code == "lone-dots"
    assert "cut" not in said.means + said.says


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("side", "cut"), [*product(("left", "right", "bottom"), (0.5, 0.65)), ("bottom", 0.2), ("bottom", 0.3)]
)
def test_a_board_of_hexagons_that_is_cut_says_so(side: str, cut: float) -> None:
    cause, _ = cause_of(pictures.cut_hexagons(side, cut))
    assert (cause.code, cause.facts["sides"]) == ("cut-off", [side])
    assert [mark.label for mark in cause.marks if mark.kind == "line"] == ["cut here"]


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_column_that_a_screenshot_lacks_is_named(side: str) -> None:
    cause, _ = cause_of(pictures.without_column(side))
    facts = cause.facts
    assert (cause.code, facts["likely"], facts["sides"]) == ("cut-off", "most likely", [side])
    assert cause.advice == ()


def test_of_a_board_that_a_cut_leaves_one_solution_nothing_is_left_out() -> None:
    bgr = screenshot_of(LAST_ROW, 120, (12, 300))[: 300 + 4 * 120 + 2].copy()
    checked = solve_image(bgr)
    assert checked.doubts[0].code == "cut-off"
    assert (checked.doubtful, checked.confidence < 0.9) == (True, True)
    assert solve_image(bgr, Options(grid="5x4")).warnings == ()
    _, said = cause_of(bgr, Options(grid="5x5"))
    assert "Without" not in said.todo


LAST_ROW = "R.G.Y\n..B.O\n.....\nRGBYO\nM...M\n"
"""The rows above the last have one solution of their own."""


def test_what_is_read_elsewhere_says_nothing_of_a_part() -> None:
    cause, said = cause_of(pictures.small_board_beside(), Options(crop=(10, 198, 704, 704)))
    assert cause.code == "many-dots"
    assert "--crop" not in said.todo


@pytest.mark.parametrize("grid", [None, "5x5"])
def test_nothing_is_advised_that_was_given(grid: str | None) -> None:
    bgr = cv2.GaussianBlur(screenshot_of(FIVE, 120, (12, 300)), (0, 0), 12)
    cause, said = cause_of(np.asarray(bgr, np.uint8), Options(grid=grid))
    assert cause.code == "unclear"
    assert "--grid" not in said.todo


def test_two_pairs_of_one_colour_are_counted() -> None:
    cause, said = cause_of(screenshot_of(FIVE.replace("O", "R"), 120))
    assert cause.code == "many-dots"
    assert (cause.advice, bool(cause.trial)) == ((Option("colours", "5"),), True)
    assert "--set" not in said.todo


@pytest.mark.parametrize("pitch", [60, 80])
def test_a_size_that_is_seen_is_not_called_wrong(pitch: int) -> None:
    bgr = pictures.laid_over(screenshot_of(SEVEN_OF_TWO, 150, (12, 300)), pitch)
    cause, said = cause_of(bgr, Options(grid="7x7"))
    assert cause.code == "other-game"
    assert "--grid" not in said.todo


def test_no_size_is_called_wrong_for_a_part_that_ends_in_the_board() -> None:
    """Without the size, a part of the board would be read."""
    bgr = screenshot_of(FIVE, 120, (12, 300))
    options = Options(crop=(0, 0, bgr.shape[1], 300 + 4 * 120 + 60), grid="6x8")
    assert Without("grid") not in cause_of(bgr, options)[0].advice


@pytest.mark.parametrize("is_one", [True, False])
def test_parts_of_one_board_are_not_two(is_one: bool) -> None:
    whole = screenshot_of(random_text(9, 9, 9, seed=4), 60, (12, 140))
    parts, middle = [whole.copy(), whole.copy()], 12 + 4 * 60
    parts[0][:, middle + 4 :] = 0
    parts[1][:, : middle + 56] = 0
    if not is_one:
        whole[:, middle + 4 : middle + 56] = 0
    fits = [geometry_of(Screenshot(part)).fit for part in parts]
    steps = [done("dots", dots_at(*[(0, 0)] * 6), fit) for fit in fits]
    shot, error = Screenshot(whole), DotsError("refused")
    case = Diagnosis(error, [done("decode", shot), *steps], Options())
    assert (are_two_boards(case) is None) == is_one
