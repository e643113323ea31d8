"""Every cause of a refusal is named in the first sentence, and shown by the right stage."""

from __future__ import annotations

import pickle
import re
from itertools import product

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import solve_image
from flowvision.advice import COMMAND, Change, Option
from flowvision.corrections.correction import SetCell
from flowvision.diagnosis.edges import are_two_boards
from flowvision.diagnosis.seen import Seen
from flowvision.errors import DotsError, FlowvisionError
from flowvision.image.picture import Bgr, Screenshot
from flowvision.image.pixels import CropBox
from flowvision.log import Step
from flowvision.reading.doubt import Doubt
from flowvision.reading.options import Options
from flowvision.reading.refused import leaves_out_dots
from flowvision.reading.wording import Explanation, cause_object, explain
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.rectangular.fit import GridFit
from tests.diagnosis import refused
from tests.drawing import FIVE, NONE, random_text, screenshot_of
from tests.seeing import done, dots_at, geometry_of


def cause_of(bgr: Bgr, options: Options | None = None) -> tuple[Doubt, Explanation]:
    """Why a picture is refused."""
    with pytest.raises(FlowvisionError) as caught:
        solve_image(bgr, options)
    cause = caught.value.cause
    assert caught.value.words(COMMAND)[0] == explain(cause).message
    return cause, explain(cause)


CAUSES = {
    "erased_dot": ("lone-dots", "dots", {"name": "red", "at": (4, 1)}),
    "recoloured_dot": ("wrong-colour", "dots", {"counts": "3 yellow, 1 green"}),
    "empty_board": ("no-dots", "dots", {"none": True}),
    "photo": ("photograph", "board", {}),
    "wallpaper": ("no-board", "grid", {}),
    "discs": ("other-game", "dots", {"dots": 8, "colours": 1}),
    "strewn": ("damaged", "decode", {}),
}
"""Each picture has one cause: its code, the stage where it shows, and facts."""


@pytest.mark.sweep(7)
@pytest.mark.parametrize("name", CAUSES)
def test_the_cause_is_named_first(name: str) -> None:
    """With its facts; its sentences are whole, and say nothing of the machine room."""
    code, stage, facts = CAUSES[name]
    cause, said = cause_of(getattr(refused, name)())
    assert (cause.code, cause.stage) == (code, stage)
    assert {key: cause.facts[key] for key in facts} == facts
    assert said.todo
    shown = f"{said.says} {said.means} {said.todo}"
    assert not any(word in shown for word in ("{", "[", "Lab", "margin", "k-means", "ring ", "0.283"))


@pytest.mark.parametrize("name", ["counters", "discs"])
def test_dots_of_few_colours_have_no_labels(name: str) -> None:
    """All dots are ringed; the same word at each of them would hide the board."""
    cause, _ = cause_of(getattr(refused, name)())
    assert len(cause.marks) == cause.facts["dots"]
    assert not any(mark.label for mark in cause.marks)


def test_a_trace_of_a_dot_is_pointed_at() -> None:
    """Where a disc can hardly be told from the ground, the advice says what would stand there."""
    cause, _ = cause_of(refused.faded_dot())
    assert cause.facts["faint"] == [(0, 0)]
    assert cause.advice == (Change((0, 0), "R"),)


def test_a_board_without_a_solution_is_not_said_to_be_misread() -> None:
    """It may have been altered; the change, or the colours, that tell are named and marked."""
    cause, _ = cause_of(refused.moved_dot())
    assert (cause.code, cause.facts["weakest"]) == ("no-solution", "")
    assert cause.marks


def test_no_size_is_advised_that_leaves_out_dots() -> None:
    """A lattice of three rows with four dots is no choice where six rows show ten."""
    steps: list[Step] = []
    solve_image(screenshot_of(FIVE, 120, (12, 300)), observer=steps.append)
    whole = next(step.source for step in steps if step.stage == "pairs")
    assert isinstance(whole, Dots)
    fit = whole.geometry.fit
    assert isinstance(fit, GridFit)
    small = replace(fit, rows=3)
    dots = {fit: whole, small: replace(whole, dots=whole.dots[:5])}
    assert leaves_out_dots(small, dots)
    assert not leaves_out_dots(fit, dots)


def test_a_wrong_size_is_told_with_the_right_one() -> None:
    """The size that the lines show is advised, columns before rows as the option takes them."""
    cause, _ = cause_of(screenshot_of(FIVE, 120, (12, 300)), Options(grid="6x6"))
    assert (cause.facts["lines_cols"], cause.facts["lines_rows"]) == (5, 5)
    assert cause.advice == (Option("grid", "5x5"),)
    wide = "R.G.YC\n..B.O.\n......\n.G.Y..\n.RBO.C\n"
    cause, _ = cause_of(screenshot_of(wide, 120, (12, 300)), Options(grid="3x7"))
    assert cause.advice == (Option("grid", "6x5"),)


def test_a_part_of_a_board_is_told_with_the_dots_that_are_seen_on_it() -> None:
    """Half of it is hidden: that the rest has no dots is not said beside a board with some."""
    shown = screenshot_of("....A.\n.WN...\n..N...\n...A..\n.....P\nWP....\n", 120, (12, 300))
    shown[:, :352] = 0
    facts = cause_of(shown)[0].facts
    assert (facts["cells"], facts["dots"]) == (18, 1)
    cause, _ = cause_of(screenshot_of("...\n" * 5, 120, (12, 300)))
    assert (cause.code, cause.facts["cells"], cause.facts["none"]) == ("no-board", 15, True)


@pytest.mark.parametrize(
    ("rows", "dots"),
    [("......\n" * 6, 0), ("..R...\n" + "......\n" * 5, 1), ("..R...\n" + "......\n" * 4 + "G...B.\n", 3)],
)
def test_the_dots_of_a_board_that_is_nearly_empty_are_counted(rows: str, dots: int) -> None:
    """They are not denied first."""
    cause, said = cause_of(screenshot_of(rows, 120, (12, 300)))
    assert (cause.code, cause.facts["cells"], cause.facts["dots"]) == ("no-dots", 36, dots)
    assert said.says.startswith("Only" if dots else "No dots")


def test_nothing_to_say_is_no_reason_to_fail() -> None:
    """A picture of one colour, and a board without a solution, still have a cause."""
    assert cause_of(np.zeros((300, 200, 3), np.uint8))[0].code == "faint"
    assert cause_of(screenshot_of(NONE, 120))[0].code == "no-solution"


def test_a_diagnosis_that_fails_hides_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The words of the stage are there instead."""

    def broken(seen: Seen) -> Doubt:
        raise ZeroDivisionError

    monkeypatch.setattr("flowvision.diagnosis.causes.CAUSES", (broken,))
    with pytest.raises(FlowvisionError) as caught:
        solve_image(screenshot_of(NONE, 120))
    assert caught.value.message.startswith(caught.value.stage_message)
    assert caught.value.cause.code == "unknown"


def test_a_diagnosis_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is in one of the steps that it looks at, and is never asked for its words."""
    asked = []

    def look(seen: Seen) -> Doubt | None:
        asked.append(seen)
        return None

    monkeypatch.setattr("flowvision.diagnosis.causes.CAUSES", (look,))
    with pytest.raises(FlowvisionError) as caught:
        solve_image(refused.counters())
    assert caught.value.message
    assert caught.value.hint
    assert len(asked) == 1


def test_an_error_that_crosses_processes_takes_no_picture_along() -> None:
    """Its words, cause, stage and times are those of before; its traces fit into a few kB."""
    with pytest.raises(FlowvisionError) as caught:
        solve_image(refused.hidden_dot())
    error = caught.value
    sent = pickle.dumps(error)
    back = pickle.loads(sent)
    assert len(sent) < 20_000
    assert (str(back), back.stage, back.seconds) == (str(error), error.stage, error.seconds)
    assert cause_object(back.cause) == cause_object(error.cause)
    assert (back.evidence, back.steps) == (None, ())
    assert pickle.loads(pickle.dumps(back)).hint == error.hint


def test_a_banner_lies_where_most_is_covered() -> None:
    """The words of the game above a board are none."""
    cause, _ = cause_of(refused.banner_below_words())
    assert (cause.code, cause.facts["side"]) == ("covered", "bottom")


def test_a_picture_of_a_board_alone_may_lack_a_column() -> None:
    """With fewer columns than rows; it ends above and below it as well, where nothing is missing."""
    cause, _ = cause_of(refused.cut_column())
    assert cause.code == "lone-dots"
    assert "perhaps a column is cut off" in cause.facts["cut"]


def test_a_board_from_edge_to_edge_of_a_screen_is_not_called_cut() -> None:
    """It has fewer columns than rows, and ends where its border is seen; a dot is covered."""
    bgr = screenshot_of("R.G.Y\n..B.O\n.....\n.....\n.G.Y.\n.RBO.\n", 140, (4, 300))
    bgr[330:420, 30:120] = 0
    cause, said = cause_of(bgr)
    assert cause.code == "lone-dots"
    assert "cut" not in said.means + said.says


@pytest.mark.parametrize("axis", [0, 1])
def test_boards_of_one_size_on_one_lattice_are_two(axis: int) -> None:
    """Of every colour there are four dots; either part that is advised has one board, and is read."""
    other = "\n".join(row[::-1] for row in FIVE.split())
    boards = [screenshot_of(text, 120, (2, 2))[:604, :604] for text in (FIVE, other)]
    picture = np.concatenate(boards, axis=axis)
    cause, said = cause_of(picture)
    assert cause.code == "two-boards"
    parts = [tuple(map(int, part.split(","))) for part in re.findall(r"--crop ([\d,]+)", said.todo)]
    read = [solve_image(picture, Options(crop=CropBox(*part), grid="5x5")).reading for part in parts]
    assert [len(one.board.layout.cells) for one in read] == [25, 25]


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("side", "cut"), [*product(("left", "right", "bottom"), (0.5, 0.65)), ("bottom", 0.2), ("bottom", 0.3)]
)
def test_a_board_of_hexagons_that_is_cut_says_so(side: str, cut: float) -> None:
    """Lines lead to that edge of the picture alone; it has no rows or columns to count."""
    cause, _ = cause_of(refused.cut_hexagons(side, cut))
    assert (cause.code, cause.facts["sides"]) == ("cut-off", [side])
    assert [mark.label for mark in cause.marks if mark.kind == "line"] == ["cut here"]


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_column_that_a_screenshot_lacks_is_named(side: str) -> None:
    """The board has one column less than rows: no dot is to be moved for that, whatever solution it gives."""
    cause, _ = cause_of(refused.without_column(side))
    facts = cause.facts
    assert (cause.code, facts["likely"], facts["sides"]) == ("cut-off", "most likely", [side])
    assert (facts["refuted"], cause.advice) == (True, ())


def test_an_answer_to_a_board_that_lacks_a_column_keeps_the_warning() -> None:
    """Dots that are moved until there is a solution make no column."""
    bgr = refused.without_column("right")
    moved = (SetCell((2, 2), "."), SetCell((2, 1), "N"))
    (warning,) = solve_image(bgr, Options(corrections=moved)).warnings
    assert "Without it this answer is wrong." in warning


def test_of_a_board_that_a_cut_leaves_one_solution_nothing_is_left_out() -> None:
    """What was given is right; without it the rest is answered, less surely and with a warning."""
    bgr = screenshot_of(LAST_ROW, 120, (12, 300))[: 300 + 4 * 120 + 2].copy()
    checked = solve_image(bgr)
    assert checked.doubts[0].code == "perhaps-cut"
    assert (checked.doubtful, checked.confidence < 0.9) == (True, True)
    assert solve_image(bgr, Options(grid="5x4")).warnings == ()
    cause, said = cause_of(bgr, Options(grid="5x5"))
    assert cause.code != "wrong-option"
    assert "Without" not in said.todo


LAST_ROW = "R.G.Y\n..B.O\n.....\nRGBYO\nM...M\n"
"""The rows above the last have one solution of their own."""


@pytest.mark.parametrize(("given", "code"), [("5x5", "cut-off"), ("4x5", "cut-off"), ("5x6", "wrong-size")])
def test_the_size_of_a_board_that_is_cut_says_so(given: str, code: str) -> None:
    """It is right, the picture is not; what the lines show is no size to give."""
    cause, _ = cause_of(refused.without_column("right"), Options(grid=given))
    assert cause.code == code
    assert cause.advice == ()
    if code == "cut-off":
        assert (cause.facts["sides"], cause.facts["cols"]) == (["right"], 4)


def test_boxes_that_were_taken_for_dots_are_named() -> None:
    """They make a pair of their own, and the other cells are not all that there is to look at."""
    cause, _ = cause_of(refused.boxes((0, 0), (1, 2)))
    assert (cause.code, cause.facts["odd"]) == ("lone-dots", [(0, 0), (1, 2)])


@pytest.mark.parametrize("width", [40, 60])
def test_glow_behind_cells_is_not_named_as_a_mark(width: int) -> None:
    """It runs over their sides, and is hardly brighter than the ground: it covers no dot."""
    glow = np.zeros_like(refused.erased_dot())
    glow[300 + 240 : 300 + 480, 142 : 142 + width] = (28, 28, 0)
    cause, _ = cause_of(np.maximum(refused.erased_dot(), glow))
    assert cause.code == "lone-dots"
    assert cause.facts["others"] == []


def test_what_is_read_elsewhere_says_nothing_of_a_part() -> None:
    """The large board is refused in its own part of the picture, though the small one is read without it."""
    cause, said = cause_of(refused.small_board_beside(), Options(crop=(10, 198, 704, 704)))
    assert cause.code == "wrong-colour"
    assert "--crop" not in said.todo


@pytest.mark.parametrize("grid", [None, "5x5"])
def test_nothing_is_advised_that_was_given(grid: str | None) -> None:
    """On a blurred picture no size helps, and none is asked for."""
    bgr = cv2.GaussianBlur(screenshot_of(FIVE, 120, (12, 300)), (0, 0), 12)
    cause, said = cause_of(np.asarray(bgr, np.uint8), Options(grid=grid))
    assert cause.code == "blurred"
    assert "--grid" not in said.todo


def test_two_pairs_of_one_colour_are_counted() -> None:
    """The number of colours, tried, reads the board; nothing need be taken away."""
    cause, said = cause_of(refused.two_red_pairs())
    assert cause.code == "many-dots"
    assert (cause.advice, bool(cause.trial)) == ((Option("colours", "5"),), True)
    assert "--set" not in said.todo


@pytest.mark.parametrize("pitch", [60, 80])
def test_a_size_that_is_seen_is_not_called_wrong(pitch: int) -> None:
    """The lines show it, though a screenshot that lies over them has another one, and may be read alone."""
    bgr = refused.laid_over(refused.advertisement(), pitch)
    cause, said = cause_of(bgr, Options(grid="7x7"))
    assert cause.code == "other-game"
    assert "--grid" not in said.todo
    assert cause_of(bgr, Options(grid="8x12"))[0].code == "wrong-size"


def test_a_part_that_ends_in_the_board_is_told_before_a_size() -> None:
    """What its lines show there is no size of the board; with the board whole in it the size is wrong."""
    bgr = screenshot_of(FIVE, 120, (12, 300))
    height, width = bgr.shape[:2]
    for given, code in ((300 + 4 * 120 + 60, "wrong-crop"), (height, "wrong-size")):
        cause, _ = cause_of(bgr, Options(crop=(0, 0, width, given), grid="6x8"))
        assert cause.code == code
        assert Option("grid", "5x4") not in cause.advice


@pytest.mark.parametrize("is_one", [True, False])
def test_parts_of_one_board_are_not_two(is_one: bool) -> None:
    """Two lattices beside each other are one board where the lines of either go on to the other."""
    whole = screenshot_of(random_text(9, 9, 9, seed=4), 60, (12, 140))
    parts, middle = [whole.copy(), whole.copy()], 12 + 4 * 60
    parts[0][:, middle + 4 :] = 0
    parts[1][:, : middle + 56] = 0
    if not is_one:
        whole[:, middle + 4 : middle + 56] = 0
    fits = [geometry_of(Screenshot(part)).fit for part in parts]
    steps = [done("dots", dots_at(*[(0, 0)] * 6), fit) for fit in fits]
    shot, error = Screenshot(whole), DotsError("refused")
    seen = Seen(shot, error, None, None, shot, error, Options(), steps)
    assert (are_two_boards(seen) is None) == is_one
