import dataclasses
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import SetCell, solve_image
from flowvision.doubts import RunsOn, WeakPart
from flowvision.errors import DotsError
from flowvision.export.answer import answer_to
from flowvision.image.picture import Bgr, Screenshot
from flowvision.log import Log, Step
from flowvision.reading import corrected, run, search
from flowvision.reading.doubts import with_solver_doubts
from flowvision.reading.options import Options
from flowvision.reading.run import Candidate, ReadingRun
from flowvision.reading.search import Search, most_credible
from flowvision.reading.strategies import DOT_MODELS, FITS, WITHOUT_LINES, BoardCache
from flowvision.solvers import GaveUp, Outcome, Solved, Unsolvable, counting
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.board import PicturePart
from flowvision.vision.kinds.rectangular.lattice import even_fit
from flowvision.vision.settings import BOARD, READING
from flowvision.words import Part
from tests import pictures
from tests.drawing import LEVEL_5X5, SEVERAL, UNSOLVABLE, clone_shot, collage, reading_of, screenshot_of
from tests.seeing import (
    BLANK_SHOT,
    assert_refused,
    candidate_of,
    changed_thresholds,
    find_boards,
    phone_shot,
    refusal,
    with_stroke,
)
from tests.tools.copies import case, draw, outcome_of


def search_in(bgr: Bgr, log: Log | None = None, deadline: float = 1e9, **options: object) -> Search:
    return Search(ReadingRun(Screenshot(bgr), Options(**options), log or Log(), deadline))


class Look(NamedTuple):
    """All interpretations of a picture, and the steps to them."""

    interpretations: list[Interpretation]
    steps: list[Step]


def look_at(bgr: Bgr, **options: object) -> Look:
    steps: list[Step] = []
    return Look(list(search.interpretations(search_in(bgr, Log(steps.append), **options))), steps)


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> list[Reading]:
    """Readings that the search offers in turn, whatever the picture."""
    readings: list[Reading] = []

    def offer(shot: Screenshot, *_: object) -> Iterator[Interpretation]:
        for reading in readings:
            yield Interpretation(reading, geometry=None)

    monkeypatch.setattr(search, "interpretations", offer)
    return readings


@pytest.mark.parametrize(
    ("texts_and_confidences", "chosen", "code"),
    [
        ([(UNSOLVABLE, 0.9), (SEVERAL, 0.9), (LEVEL_5X5, 0.9), (LEVEL_5X5, 0.9)], 2, ""),
        ([(UNSOLVABLE, 1.0), (SEVERAL, 0.9)], 1, ""),
        ([(UNSOLVABLE, 1.0), (SEVERAL, 0.7)], 1, "doubtful-reading"),
        ([(UNSOLVABLE, 0.9), ("RG.\nGR.\n...\n", 0.9)], 0, "unsolvable"),
    ],
)
def test_the_most_credible_reading_is_taken(
    offered: list[Reading], texts_and_confidences: list[tuple[str, float]], chosen: int, code: str
) -> None:
    offered += [reading_of(text, confidence) for text, confidence in texts_and_confidences]
    if code:
        assert refusal(BLANK_SHOT, code=code).reading is offered[chosen]
    else:
        assert solve_image(BLANK_SHOT).reading is offered[chosen]


@pytest.mark.parametrize(("second", "code"), [(LEVEL_5X5, "doubtful-reading"), (SEVERAL, "")])
def test_what_one_fit_shows_beyond_its_cells_holds_for_all_of_them(
    offered: list[Reading], second: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines of a second fit lie beside the first one's, and show nothing; another board is a board."""
    offered += [reading_of(LEVEL_5X5), reading_of(second, confidence=0.95)]
    runs_on = RunsOn(rows=5, cols=5, perhaps=False, weight=1.0)

    def doubt_first(candidate: Candidate, _: ReadingRun) -> Candidate:
        is_first = candidate.reading is offered[0]
        return replace(with_solver_doubts(candidate), doubts=(runs_on,) if is_first else ())

    monkeypatch.setattr(search, "with_doubts", doubt_first)
    if code:
        assert_refused(BLANK_SHOT, code=code)
    else:
        assert solve_image(BLANK_SHOT).reading is offered[1]


def test_an_unsure_answer_names_what_was_seen_least_well(offered: list[Reading]) -> None:
    offered.append(replace(reading_of(SEVERAL, confidence=0.9), weakest=Part("the walls")))
    *_, doubt = solve_image(BLANK_SHOT).doubts
    assert doubt == WeakPart(Part("the walls"))
    with changed_thresholds(READING, warn_below=0.1):
        assert not solve_image(BLANK_SHOT).doubts[1:]


def test_only_so_many_readings_are_tried(offered: list[Reading]) -> None:
    offered += [reading_of(UNSOLVABLE), reading_of(LEVEL_5X5)]
    with changed_thresholds(READING, readings=1):
        assert_refused(BLANK_SHOT, code="unsolvable")
    with changed_thresholds(READING, readings=2):
        assert solve_image(BLANK_SHOT).reading is offered[1]


def test_a_solver_that_gives_up(offered: list[Reading], monkeypatch: pytest.MonkeyPatch) -> None:
    offered += [reading_of(LEVEL_5X5, confidence=0.95)] * 100
    monkeypatch.setattr(run, "solve", lambda *_: GaveUp(0.01))
    assert "5 rows and 5 columns" in refusal(BLANK_SHOT, code="gave-up").message


def test_time_is_bounded(offered: list[Reading], monkeypatch: pytest.MonkeyPatch) -> None:
    offered += [reading_of(SEVERAL)] * 3
    given: list[float] = []
    real_solve = run.solve

    def slow(puzzle: object, solver: str, seconds: float) -> Solved:
        given.append(seconds)
        return real_solve(puzzle, solver, seconds)

    monkeypatch.setattr(run, "solve", slow)
    solve_image(BLANK_SHOT, Options(seconds=500.0))
    assert len(given) == 3
    assert 500.0 >= given[0] >= given[1] >= given[2] > 0


def test_looking_is_bounded_too() -> None:
    grid = screenshot_of(".....\n" * 5, pitch=30)
    four_grids = collage(collage(grid, grid), collage(grid, grid), axis=0)

    def regions_seen(seconds: float) -> int:
        steps: list[Step] = []
        with pytest.raises(DotsError):
            solve_image(four_grids, Options(seconds=seconds), steps.append)
        return sum(step.stage == "board" and step.result is not None for step in steps)

    assert regions_seen(1e-9) == 1
    assert regions_seen(600.0) > 4


def test_nothing_is_credible_when_all_is_refuted():
    assert most_credible([candidate_of(reading_of(UNSOLVABLE))]) is None
    assert most_credible([]) is None


@pytest.mark.parametrize(("seen", "chosen"), [((0.5, 0.9), 1), ((0.9, 0.95), 0), ((0.5, 0.54), 0)])
def test_a_settled_reading_that_was_seen_badly_gives_way(seen: tuple[float, float], chosen: int):
    readings = [replace(reading_of(LEVEL_5X5), lines_confidence=one, confidence=one) for one in seen]
    candidates = [candidate_of(one) for one in readings]
    assert most_credible(candidates) is candidates[chosen]


@pytest.mark.parametrize("is_late", [False, True])
def test_second_looks_end_with_the_time(is_late: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Step] = []
    # In seconds; the deadline is 30.
    monkeypatch.setattr(run, "perf_counter", lambda: 100.0 if is_late and heard else 0.0)
    late = search_in(screenshot_of(UNSOLVABLE), Log(heard.append), deadline=30.0)
    assert list(search.interpretations(late))
    assert ("discs" in {step.name for step in heard}) != is_late


def test_the_first_reading_is_of_the_board_as_the_game_draws_it():
    first = next(search.interpretations(search_in(screenshot_of(LEVEL_5X5), deadline=0.0)))
    assert (first.reading.lattice.rows, first.reading.lattice.cols) == (5, 5)
    assert first.geometry.fit.strategy == "lattice"
    assert first.dots.hypothesis.strategy == "usual dots"


def test_every_strategy_that_is_tried_is_heard_of():
    look = look_at(screenshot_of(UNSOLVABLE))
    assert look.interpretations
    strategies = {step.name for step in look.steps if step.stage == "grid"}
    assert strategies >= {"lattice", "free cells"}
    assert strategies <= {one.name for one in (*FITS, *WITHOUT_LINES)}
    models = {step.name for step in look.steps if step.stage == "dots"}
    assert models >= {"usual dots", "discs"}
    assert models <= {one.name for one in DOT_MODELS}


def test_boards_without_a_solution_are_offered_without_walls_before_other_dots():
    stroke = ((1, 1), (1, 2))
    bgr = with_stroke(phone_shot(UNSOLVABLE), stroke, share=0.4)
    assert not any(one.ignored_walls for one in look_at(bgr).interpretations)  # as long as nothing is refuted
    offered, searched = [], search_in(bgr)
    for one in search.interpretations(searched):
        offered.append(one)
        if not one.ignored_walls:
            searched.tried.append(Candidate(one, Unsolvable(0.0)))
    assert {wall.places for one in offered for wall in one.ignored_walls} == {stroke}
    first_without_walls = [bool(one.ignored_walls) for one in offered].index(True)
    strategies = [one.dots.hypothesis.strategy for one in offered]
    assert set(strategies[:first_without_walls]) == {"usual dots"}
    assert set(strategies[first_without_walls:]) > {"usual dots"}


@pytest.mark.parametrize(
    ("bgr", "times"),
    [
        pytest.param(screenshot_of(UNSOLVABLE, pitch=14), [2], id="small cells"),
        pytest.param(screenshot_of(UNSOLVABLE, pitch=60), [], id="large cells"),
        pytest.param(BLANK_SHOT.bgr, [2], id="small and blank"),
        pytest.param(np.zeros((600, 600, 3), np.uint8), [], id="large and blank"),
    ],
)
def test_small_cells_are_looked_at_enlarged(bgr: Bgr, times: list[int], monkeypatch: pytest.MonkeyPatch):
    part = Mock(wraps=PicturePart)
    monkeypatch.setattr(search, "PicturePart", part)
    look_at(bgr)
    assert [enlarged for call in part.call_args_list for enlarged in call.args[2:]] == times


def test_a_size_that_is_given_is_sought_in_all_regions_before_it_is_laid_over_one():
    bgr = screenshot_of(LEVEL_5X5, pitch=60, corner=(200, 200))
    height, width = bgr.shape[:2]
    cv2.rectangle(bgr, (20, 20), (width - 20, height - 20), (110, 110, 110), 2)
    names = [step.name for step in look_at(bgr, grid="5x4").steps if step.stage == "grid"]
    assert "lattice of that size" in names
    assert "lattice of that size" not in names[names.index("even lattice") :]


def test_boards_with_discs_in_their_cells_come_first():
    """Each lattice comes twice, so that there are more boards than second attempts."""
    region = next(find_boards(Screenshot(clone_shot(LEVEL_5X5, dot=0.22))))
    right, wrong = (5, 5), [(5, 10), (10, 5), (10, 10)]
    sizes = [*wrong, right, *wrong, right]
    boards = [BoardCache(even_fit(region, *size).cut_board()) for size in sizes]
    found = search._second_attempts(boards)
    assert boards[sizes.index(right)] in found
    have_discs = [bool(board.discs[0].cells) for board in found]
    assert have_discs == sorted(have_discs, reverse=True)
    assert len(found) == BOARD.second_attempts


LATE = {
    "corrected": (LEVEL_5X5, Options(seconds=60.0, corrections=(SetCell((0, 0), "R"),))),
    "keeping what is drawn": (LEVEL_5X5, Options(seconds=60.0, keep_drawn=True)),
}


@pytest.mark.parametrize("name", LATE)
def test_every_late_solve_ends_at_the_one_deadline(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step takes a second of the clock that measures the deadline."""
    text, options = LATE[name]
    now, solved = [0.0], list[tuple[float, float]]()

    def noted(solve: Callable[..., Outcome]) -> Callable[..., Outcome]:
        def timed(*args: Any, **named: Any) -> Outcome:
            seconds = named.get("seconds") or next(one for one in args if isinstance(one, float))
            solved.append((now[0], seconds))
            return solve(*args, **named)

        return timed

    def pass_a_second(_: Step) -> None:
        now[0] += 1.0

    monkeypatch.setattr(run, "perf_counter", lambda: now[0])
    monkeypatch.setattr(corrected, "solve", noted(corrected.solve))
    monkeypatch.setattr(counting, "continued", noted(counting.continued))
    assert answer_to(screenshot_of(text), options, pass_a_second).error is None
    assert solved
    assert all(at > 3 and at + seconds <= 60.0 + 1.0 for at, seconds in solved)


@pytest.mark.sweep(at_landing=6)
@pytest.mark.parametrize("sample", sorted(path.name for path in pictures.SAMPLES.glob("*.[pj]*g")))
def test_true_options_read_the_same(sample: str) -> None:
    bgr = pictures.sample(sample)
    alone = solve_image(bgr)
    given = {"grid": alone.size, "colours": len(alone.palette)}
    for options in ({"grid": alone.size}, {"colours": len(alone.palette)}, given):
        same = solve_image(bgr, **options)
        assert (same.grid, same.text, same.confidence) == (alone.grid, alone.text, alone.confidence)


@pytest.mark.sweep(at_landing=3)
@pytest.mark.parametrize(
    "seed",
    [
        720044,  # pieces of a lattice that pipes cut, which are no free cells
        930041,  # wide pipes over rings of nearly their colour
        740095,  # grain that looks like walls, and small dots
        740178,  # pipes along outer cells without a border
        740014,  # small dots with a white rim and a gloss
    ],
)
def test_copies_are_read(seed: int) -> None:
    text, _traits, bgr = case(seed)
    assert outcome_of(text, bgr) == "right"


@pytest.mark.sweep(at_landing=1)
@pytest.mark.parametrize("number", [0, 7, 11])
def test_cells_that_only_colours_tell_apart_are_read(number: int) -> None:
    text, traits, _bgr = case(number)
    chequered = dataclasses.replace(traits, cells="chequered", setting="plain")
    assert outcome_of(text, draw(text, chequered, Random(number))) == "right"


@pytest.mark.parametrize("options", [{}, {"grid": "5x5"}])
@pytest.mark.parametrize("is_solved", [False, True])
def test_steps_between_areas_are_searched_if_no_board_was_solved_and_no_size_is_given(
    is_solved: bool, options: dict[str, object]
) -> None:
    """A lattice of a given size is spread evenly over a region instead."""
    heard: list[Step] = []
    looking = search_in(screenshot_of(LEVEL_5X5), Log(heard.append), **options)
    (first, *_) = search.interpretations(looking)
    outcome = run.solve(first.reading.puzzle) if is_solved else Unsolvable(0.0, "")
    looking.tried.append(Candidate(first, outcome))
    heard.clear()
    list(search._on_steps(looking))
    assert bool(heard) == (not is_solved and not options)
