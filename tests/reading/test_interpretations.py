"""The order in which boards are looked at, and when that ends."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision.image.picture import Screenshot
from flowvision.log import Log, Step
from flowvision.reading import interpretations, reading_run
from flowvision.reading.attempts import BoardCache
from flowvision.reading.candidates import FEW_COLOURS
from flowvision.reading.options import Options
from flowvision.reading.reading_run import ReadingRun
from flowvision.reading.strategies import DOTS, FITS, WITHOUT_LINES
from flowvision.vision.board import BoardRegion, PicturePart, find_boards
from flowvision.vision.dots import copies
from flowvision.vision.grid.side_coverage import SideCoverage
from flowvision.vision.kinds.rectangular.lattice import even_fit
from tests.drawing import FIVE, NONE, screenshot_of
from tests.seeing import SETTINGS, geometry_of, shot_of, with_stroke
from tests.vision.dots.copies import copy_of


@pytest.mark.parametrize("looks", [0, 1])
def test_second_looks_end_with_the_time(looks, monkeypatch: pytest.MonkeyPatch):
    """Circles round a board may take a second: boards are looked at one by one, while there is time."""
    now, begun = 0.0, 0

    def discs(*arguments):
        nonlocal now, begun
        begun += 1
        now = 100.0 if begun == looks else now
        return as_it_was(*arguments)

    as_it_was = copies.middles_of_discs
    monkeypatch.setattr(copies, "middles_of_discs", discs)
    monkeypatch.setattr(reading_run, "perf_counter", lambda: now if looks else 100.0)
    shot, log = Screenshot(screenshot_of(NONE, 90)), Log()
    assert list(interpretations.interpretations(ReadingRun(shot, Options(), log, 30.0)))
    assert begun == looks


def test_the_first_reading_is_of_the_board_as_the_game_draws_it():
    """Whoever is content with it waits for nothing else."""
    shot = Screenshot(screenshot_of(FIVE))
    one = next(interpretations.interpretations(ReadingRun(shot, Options(), Log(), 0.0)))
    assert (one.reading.lattice.rows, one.reading.lattice.cols) == (5, 5)
    assert one.geometry.fit.strategy == "lattice"
    assert one.dots.hypothesis.strategy == "usual dots"


def test_every_strategy_that_is_tried_is_heard_of():
    """The observer hears of second looks as of first ones; errors of first ones alone are ranked."""
    heard: list[Step] = []
    log = Log(heard.append)
    shot = Screenshot(screenshot_of(NONE, 90))
    assert list(interpretations.interpretations(ReadingRun(shot, Options(), log, 1e9)))
    strategies = {step.name for step in heard if step.stage == "grid"}
    assert (
        {"lattice", "hexagons", "free cells"} <= strategies <= {one.name for one in (*FITS, *WITHOUT_LINES)}
    )
    models = {step.name for step in heard if step.stage == "dots"}
    assert {"usual dots", "wide rings", "small dots"} <= models
    assert len(models) <= len(DOTS)
    hushed = [step for step in heard if step.error and step not in log.failures]
    assert any(step.name == "hexagons" for step in hushed)


def test_boards_without_a_solution_are_offered_without_walls_before_other_dots():
    """After all first looks, and only those that somebody refuted; they say what was left out."""
    shot = Screenshot(with_stroke(shot_of(NONE), ((1, 1), (1, 2)), 0.4))
    plain = list(interpretations.interpretations(ReadingRun(shot, Options(), Log(), 1e9)))
    assert not any(one.ignored_walls for one in plain)
    refuted, seen = [], []
    for one in interpretations.interpretations(ReadingRun(shot, Options(), Log(), 1e9), lambda: refuted):
        seen.append(one)
        if not one.ignored_walls:
            refuted.append(one)
    bare = [place for place, one in enumerate(seen) if one.ignored_walls]
    assert {wall.places for place in bare for wall in seen[place].ignored_walls} == {((1, 1), (1, 2))}
    assert bare == list(range(bare[0], bare[-1] + 1))
    assert all(one.dots.hypothesis.strategy == "usual dots" for one in seen[: bare[0]])
    assert any(one.dots.hypothesis.strategy != "usual dots" for one in seen[bare[-1] + 1 :])


def test_pieces_of_another_game_end_the_search():
    """A whole lattice full of discs of three colours: nothing else is looked at, and it is said why."""
    colours = np.array([(0, 0, 230), (0, 220, 240), (230, 240, 250)])
    bgr = np.full((700, 800, 3), (120, 60, 0), np.uint8)
    for number, which in enumerate(np.random.default_rng(1).integers(3, size=42).tolist()):
        x, y = 100 * (number % 7) + 50, 100 * (number // 7) + 50
        cv2.rectangle(bgr, (x, y), (x + 100, y + 100), (200, 140, 60), 3)
        cv2.circle(bgr, (x + 50, y + 50), 40, colours[which].tolist(), -1, cv2.LINE_AA)
    heard: list[Step] = []
    assert not list(
        interpretations.interpretations(ReadingRun(Screenshot(bgr), Options(), Log(heard.append), 1e9))
    )
    assert any(step.error and step.error.doubt == FEW_COLOURS for step in heard)
    assert len({step.find(BoardRegion) for step in heard if step.stage == "grid"}) == 1


def test_small_cells_are_looked_at_enlarged(monkeypatch: pytest.MonkeyPatch):
    """At the end, and only where the likeliest cells have few pixels."""
    asked = []
    monkeypatch.setattr(
        interpretations, "PicturePart", lambda *settings: asked.append(settings[3]) or PicturePart(*settings)
    )
    for pitch in (14, 60):
        list(
            interpretations.interpretations(
                ReadingRun(Screenshot(screenshot_of(NONE, pitch)), Options(), Log(), 1e9)
            )
        )
    assert asked == [1, 2, 1]


def test_a_size_that_is_given_is_sought_in_all_regions_before_it_is_laid_over_one():
    """The outermost lines may be those of a window."""
    bgr = screenshot_of(FIVE, 60, (200, 200))
    height, width = bgr.shape[:2]
    cv2.rectangle(bgr, (20, 20), (width - 20, height - 20), (110, 110, 110), 2)
    heard: list[Step] = []
    given = interpretations.interpretations(
        ReadingRun(Screenshot(bgr), Options(grid="5x4"), Log(heard.append), 1e9)
    )
    list(given)
    tried = [step.name for step in heard if step.stage == "grid"]
    assert tried.index("even lattice") > max(
        n for n, name in enumerate(tried) if name == "lattice of that size"
    )


def test_boards_with_something_in_their_cells_come_first():
    """Of lattices twice as fine dots lie on the lines, however many of these were seen better."""
    region = next(find_boards(Screenshot(copy_of(FIVE, 0.22)), SETTINGS))
    sizes = [(5, 10), (10, 5), (10, 10), (5, 5), (5, 10), (10, 5), (10, 10), (5, 5)]
    fits = [even_fit(region, *size, SETTINGS) for size in sizes]
    boards = [BoardCache(fit.cut_board(SETTINGS), SETTINGS) for fit in fits]
    found = interpretations._second_attempts(boards, SETTINGS.board)
    assert found[:2] == [boards[3], boards[7]]
    assert found[2:] == [one for one in boards if one not in found[:2]][: SETTINGS.board.second_attempts - 2]


@pytest.mark.parametrize(("lines", "order"), [(0.0, ["five", "six", "part"]), (1.0, ["six", "five", "part"])])
def test_a_part_of_a_larger_lattice_is_no_likelier(lines, order):
    """It comes after it, however clear; but a row into which no line reaches makes no lattice larger."""
    geometry = geometry_of(Screenshot(screenshot_of(FIVE, 60)))
    five = geometry.fit
    upright = np.vstack((five.cover.vertical, five.cover.vertical[-1:]))
    upright[-1, 1:-1] *= lines
    level = np.vstack((five.cover.horizontal, five.cover.horizontal[-1:]))
    six = replace(five, rows=6, cover=SideCoverage(upright, level), score=0.8 * five.score)
    part = replace(five, rows=3, cols=3, cover=five.cover.cut(slice(0, 3), slice(0, 3)), score=0.1)
    names = {6 * 5: "six", 5 * 5: "five", 3 * 3: "part"}
    boards = [BoardCache(fit.cut_board(SETTINGS), SETTINGS) for fit in (part, five, six)]
    found = interpretations._likeliest(boards, SETTINGS)
    assert [names[len(board.geometry.board.layout.cells)] for board in found] == order
