"""Every cause of a refusal is named in the first line of the page, and shown by the right picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flowvision.debug.attempts import Attempt
from flowvision.debug.choice import leaves_out_dots
from flowvision.debug.story import Story, story_of
from flowvision.errors import FlowvisionError
from flowvision.events import Event, StageDone
from flowvision.image.picture import Bgr
from flowvision.pipeline import solve_image
from flowvision.reading.options import Options
from flowvision.vision.kinds.rectangular.fit import GridFit
from tests.debug import refused
from tests.drawing import FIVE, NONE, screenshot_of


def told(bgr: Bgr, options: Options | None = None) -> Story:
    """The story of a picture that is refused."""
    events: list[Event] = []
    options = options or Options()
    with pytest.raises(FlowvisionError) as caught:
        solve_image(bgr, options, events.append)
    return story_of(events, options, caught.value)


CAUSES = {
    "cut": (refused.cut_board, "is cut off at the bottom edge", "01-board.png"),
    "hidden": (refused.hidden_dot, "covers the cell in row 1, column 1: the red dot", "04-marks.png"),
    "finger": (refused.finger, "cells at the lower right of the board", "04-marks.png"),
    "erased": (refused.erased_dot, "The red dot in row 5, column 2 has no partner", "04-marks.png"),
    "recoloured": (refused.recoloured_dot, "3 dots are yellow and only 1 is green", "04-marks.png"),
    "letters": (refused.letters, "Letters, symbols or pieces instead of dots", "04-marks.png"),
    "empty": (refused.empty_board, "The board is empty", "04-marks.png"),
    "menu": (refused.menu, "5 separate boxes, as a menu has them", "03-grid.png"),
    "photo": (refused.photo, "looks like a photograph", "01-board.png"),
    "wallpaper": (refused.wallpaper, "like a pattern or a wallpaper", "03-grid.png"),
    "two": (refused.two_boards, "Two boards are on the picture", "01-board.png"),
    "counters": (refused.counters, "Not this game: 25 dots have only 2 colours", "04-marks.png"),
    "discs": (refused.discs, "Not this game: all 8 dots have one colour", "04-marks.png"),
    "colourless": (refused.colourless, "The picture has no colours", "04-marks.png"),
    "tilted": (refused.tilted, "tilted by 30 degrees and runs out of the picture at the left", "03-grid.png"),
    "blurred": (refused.blurred, "The picture is blurred", "01-board.png"),
    "small": (refused.tiny_dots, "The picture is too small: 60 × 117 pixels", ""),
}
"""Each picture has one cause: what the first sentence says of it, and the stage where it shows."""
ONE_WORD_EACH = (
    "cut off", "cover", "no partner", "only 1", "Letters", "empty", "menu", "photograph", "wallpaper",
    "Two boards", "Not this game", "no colours", "tilted", "blurred", "too small",
)  # fmt: skip
"""What names a cause: a first sentence has one of them, but for what is covered, which leaves dots alone."""


@pytest.mark.parametrize("name", CAUSES)
def test_the_cause_is_named_first(name: str) -> None:
    """The first sentence says it and names no other cause; what to do and a marked picture go with it."""
    drawn, words, panel = CAUSES[name]
    story = told(drawn())
    finding = story.findings[0]
    assert words in finding.says
    named = [word for word in ONE_WORD_EACH if word in finding.says]
    assert len(named) == 1 or named == ["cover", "no partner"]
    assert finding.then
    assert story.cause is not None
    assert story.culprit is not None
    if panel:
        assert finding.panel == story.culprit.name == panel


def test_numbers_stay_off_the_first_screen() -> None:
    """No sentence of it speaks of Lab, margins or rings, or has a share with three digits."""
    for drawn, _, _ in CAUSES.values():
        finding = told(drawn()).findings[0]
        said = f"{finding.says} {finding.means} {finding.then}"
        assert "{" not in said
        assert not any(word in said for word in ("Lab", "margin", "k-means", "ring ", "0.283"))


def test_a_trace_of_a_dot_is_pointed_at() -> None:
    """Where a disc can hardly be told from the ground, the command says what would stand there."""
    story = told(refused.faded_dot())
    assert "trace of a disc is in row 1, column 1" in story.findings[0].means
    assert story.command.endswith("--set 0,0=R")


def test_a_board_without_a_solution_is_not_said_to_be_misread() -> None:
    """It may have been altered; the change, or the colours, that tell are named and marked."""
    story = told(refused.moved_dot())
    finding = story.findings[0]
    assert "seen clearly, but what it shows has no solution" in finding.says
    assert "altered or one thing was misread" in finding.means
    assert finding.marks


def test_no_size_is_advised_that_leaves_out_dots() -> None:
    """A lattice of three rows with four dots is no choice where six rows show ten."""
    events: list[Event] = []
    solve_image(screenshot_of(FIVE, 120, (12, 300)), observer=events.append)
    trail = next(one.trail for one in events if isinstance(one, StageDone) and one.stage == "pairs")
    assert isinstance(trail.fit, GridFit)
    assert trail.dots is not None
    large = Attempt(1, "lattice", trail.fit, trail, dots=10)
    fit = replace(trail.fit, rows=3)
    dots = replace(trail.dots, dots=trail.dots.dots[:5])
    small = Attempt(1, "lattice", fit, trail.with_(fit=fit, dots=dots), dots=5)
    assert leaves_out_dots(small, [small, large])
    assert not leaves_out_dots(large, [small, large])


def test_a_wrong_size_is_told_with_the_right_one() -> None:
    """The size that the lines show is what the command is filled with."""
    story = told(screenshot_of(FIVE, 120, (12, 300)), Options(grid="6x6"))
    assert "the lines show 5 columns and 5 rows" in story.findings[0].says
    assert story.command.endswith("--grid 5x5")
    wide = "R.G.Y.\n..B.O.\n......\n.G.YCC\n.RBO..\n"
    story = told(screenshot_of(wide, 120, (12, 300)), Options(grid="3x7"))
    assert story.command.endswith("--grid 6x5"), "columns before rows, as the option takes them"


def test_a_ring_wider_than_the_dots_is_told_in_numbers() -> None:
    """Dots that the reader is told to look for at a wider ring than they are: both numbers are said."""
    import cv2

    from flowvision.debug.discs import cell_discs
    from flowvision.debug.dot_findings import are_smaller
    from flowvision.debug.finding import Seen
    from flowvision.debug.scene import Scene
    from flowvision.errors import DotsError
    from flowvision.events import Trail
    from flowvision.image.picture import Screenshot
    from flowvision.vision.dots.detection import find_dots
    from tests.seeing import SETTINGS, sides_of

    bgr = screenshot_of(".....\n" * 5, 120, (12, 300))
    for r, row in enumerate(FIVE.split()):
        for c, letter in enumerate(row):
            if letter != ".":
                cv2.circle(bgr, (72 + 120 * c, 360 + 120 * r), 24, (40, 90, 250), -1, cv2.LINE_AA)
    shot = Screenshot(bgr)
    sides = sides_of(shot)
    model = sides.fit.usual_dots(SETTINGS.dots)
    with pytest.raises(DotsError) as caught:
        find_dots(sides, model, SETTINGS.dots)
    trail = Trail(shot, fit=sides.fit, sides=sides, model=model, dots=caught.value.evidence)
    finding = are_smaller(Seen(Scene(shot, trail, SETTINGS), caught.value, caught.value, Options()))
    assert finding is not None
    assert "10 cells hold discs that are" in finding.says
    assert "0.283 of a cell" in finding.detail
    discs = cell_discs(sides, SETTINGS.dots)
    assert finding.saw == pytest.approx(0.2, abs=0.03)
    assert len(discs.cells(SETTINGS.dots)) == 10


def test_nothing_to_say_is_no_reason_to_fail() -> None:
    """A picture of one colour, and a board without a solution, still have a first finding and its picture."""
    assert "next to nothing" in told(np.zeros((300, 200, 3), np.uint8)).findings[0].says
    story = told(screenshot_of(NONE, 120))
    assert "no solution" in story.findings[0].says
    assert story.culprit is not None
