"""Which of the readings that are offered is believed, and when nobody asks on."""

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import solve_image
from flowvision.errors import DoubtfulReadingError, FlowvisionError, GaveUpError, UnsolvableError
from flowvision.image.picture import Screenshot
from flowvision.log import Step
from flowvision.pipeline import read_image
from flowvision.reading import reading_run, search
from flowvision.reading.candidates import confidence_of
from flowvision.reading.messages import solver_doubts
from flowvision.reading.options import Options
from flowvision.reading.search import repaired, repairs_of
from flowvision.solvers import GaveUp, Solved, Unsolvable
from flowvision.vision.assembly import Interpretation, Reading
from flowvision.vision.settings import ReadingSettings
from tests.drawing import CURLED, FIVE, NONE, PART, SEVERAL, reading_of, screenshot_of
from tests.seeing import BLANK, MOVED, dots_at, doubted, tried, with_reading


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> list[Reading]:
    """The readings that vision will offer, best first."""
    readings: list[Reading] = []

    def offer(shot: Screenshot, *_: object) -> Iterator[Interpretation]:
        for reading in readings:
            yield Interpretation(reading, None)

    monkeypatch.setattr(search, "interpretations", offer)
    return readings


def test_the_first_reading_with_one_solution_is_taken(offered: list[Reading]) -> None:
    """Readings without a solution, or with several, give way to one that has exactly one."""
    offered += [reading_of(text) for text in (NONE, SEVERAL, FIVE, FIVE)]
    checked = read_image(BLANK)
    assert checked.reading is offered[2]
    assert checked.warnings == ()


def test_several_solutions_need_a_sure_reader(offered: list[Reading]) -> None:
    """A board with several solutions is believed, with a warning, only when the reader is sure."""
    offered += [reading_of(NONE, 1.0), reading_of(SEVERAL, 0.9)]
    checked = read_image(BLANK, settings=with_reading(min_confidence_if_not_unique=0.8))
    assert checked.reading is offered[1]
    assert "more than one solution" in checked.warnings[0]
    assert checked.confidence < 0.9
    offered[1] = reading_of(SEVERAL, 0.7)
    with pytest.raises(DoubtfulReadingError, match=r"5 rows and 5 columns.* is not believed") as caught:
        read_image(BLANK, settings=with_reading(min_confidence_if_not_unique=0.8))
    assert caught.value.evidence is offered[1]


def test_an_unsure_answer_names_what_was_seen_least_well(offered: list[Reading]) -> None:
    """Where the confidence is below the bound, after the doubts about the solution."""
    offered.append(replace(reading_of(SEVERAL, 0.9), weakest="the walls"))
    *_, doubt = read_image(BLANK).doubts
    assert (doubt.code, doubt.facts) == ("unsure", {"weakest": "the walls"})
    assert not read_image(BLANK, settings=with_reading(warn_below=0.1)).doubts[1:]


def test_a_path_that_touches_itself_is_never_believed(offered: list[Reading]) -> None:
    """No published level has one, and misread boards often do: refused, unless one is drawn."""
    offered.append(reading_of(CURLED, 1.0))
    with pytest.raises(DoubtfulReadingError, match="touches itself"):
        read_image(BLANK)


def test_dots_of_a_refuted_reading_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of a board with one solution is not believed where another look at it saw dots beyond it."""
    part, refuted = reading_of(PART), reading_of(NONE)
    on_it, beyond = (42.0, 170.0), ((12 + 4.5 * 60, 170.0), (12 + 4.5 * 60, 230.0))
    for places, believed in (((on_it, *beyond), False), ((on_it,), True)):
        offered = [Interpretation(refuted, dots_at(*places)), Interpretation(part, None)]
        monkeypatch.setattr(search, "interpretations", lambda *_, these=offered: iter(these))
        if believed:
            assert read_image(BLANK).reading is part
        else:
            with pytest.raises(UnsolvableError):
                read_image(BLANK)


def test_no_reading_with_a_solution(offered: list[Reading]) -> None:
    """When all readings are refuted the error says what the best one saw, and carries it."""
    offered += [reading_of(NONE), reading_of("RG.\nGR.\n...\n")]
    with pytest.raises(UnsolvableError, match="has no solution") as caught:
        solve_image(BLANK)
    assert caught.value.stage == "solve"
    assert caught.value.evidence is offered[0]


def test_only_so_many_readings_are_tried(offered: list[Reading]) -> None:
    """The search ends after the bound, even when the right reading would come next."""
    offered += [reading_of(NONE), reading_of(FIVE)]
    with pytest.raises(UnsolvableError):
        read_image(BLANK, settings=with_reading(readings=1))
    assert read_image(BLANK, settings=with_reading(readings=2)).reading is offered[1]


def test_a_solver_that_gives_up(offered: list[Reading], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an answer in time nothing is believed, and nobody waits for ever."""
    offered += [reading_of(FIVE, 0.95)] * 100
    monkeypatch.setattr(reading_run, "solve", lambda *_: GaveUp(0.01, "limit"))
    for look in (read_image, solve_image):
        with pytest.raises(GaveUpError, match=r"No answer was found in time .*5 rows and 5 columns"):
            look(BLANK)


def test_time_is_bounded(offered: list[Reading], monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver is given no more than what is left of the picture's time."""
    offered += [reading_of(SEVERAL)] * 3
    given: list[float] = []

    def slow(puzzle: object, solver: str, limits: object) -> Solved:
        given.append(limits.seconds)
        return pipeline_solve(puzzle, solver, limits)

    pipeline_solve = reading_run.solve
    monkeypatch.setattr(reading_run, "solve", slow)
    read_image(BLANK, Options(seconds=500.0))
    assert len(given) == 3
    assert 500.0 >= given[0] >= given[1] >= given[2] > 0


def test_looking_is_bounded_too() -> None:
    """Of a picture of many grids without dots, no other region is looked at once the time is up."""
    grid = screenshot_of(".....\n" * 5, 30)
    bgr = np.hstack((np.vstack((grid, grid)),) * 2)
    regions: dict[float, int] = {}
    for seconds in (1e-9, 600.0):
        seen: list[Step] = []
        with pytest.raises(FlowvisionError):
            read_image(bgr, Options(seconds=seconds), seen.append)
        regions[seconds] = sum(step.stage == "board" and step.result is not None for step in seen)
    assert regions[1e-9] == 1
    assert regions[600.0] > 4


def test_a_doubtful_dot_is_moved_back_and_said_so():
    """The one repair of a dot that was seen badly is taken, with a warning and little confidence."""
    refuted = tried(doubted(MOVED, "G"))
    assert isinstance(refuted.outcome, Unsolvable)
    offered = repairs_of(refuted.reading, 600)
    mended = repaired(refuted, offered, 0.3)
    assert mended is not None
    expected = {frozenset(pair) for pair in reading_of(FIVE).puzzle.terminals}
    assert {frozenset(pair) for pair in mended.reading.puzzle.terminals} == expected
    assert isinstance(mended.outcome, Solved)
    assert solver_doubts(mended)[0].code == "repaired"
    assert confidence_of(mended, ReadingSettings()) < 0.8


def test_a_moved_dot_lies_in_the_middle_of_its_cell_and_all_others_where_they_were_seen():
    """Whoever draws the solution draws it through the dots."""
    refuted = tried(doubted(MOVED, "G"))
    shifted = tuple(((a[0] + 2, a[1] - 1), (b[0] - 3, b[1] + 1)) for a, b in refuted.reading.ends_px)
    refuted = replace(refuted, source=Interpretation(replace(refuted.reading, ends_px=shifted), None))
    mended = repaired(refuted, repairs_of(refuted.reading, 600), 0.3)
    seen, now = (
        {
            dot: px
            for pair in zip(one.puzzle.terminals, one.ends_px, strict=True)
            for dot, px in zip(*pair, strict=True)
        }
        for one in (refuted.reading, mended.reading)
    )
    (moved,) = now.keys() - seen.keys()
    layout = mended.reading.board.layout
    assert np.allclose(now[moved], mended.reading.frame.to_px([layout.cells[moved].centre])[0])
    assert all(now[dot] == seen[dot] for dot in now.keys() & seen.keys())


@pytest.mark.parametrize("doubt", [0.0, 0.2, 0.29, 0.3, 0.9])
def test_only_dots_that_were_seen_badly_are_changed(doubt):
    """From the given doubt on; all changed dots must have it."""
    refuted = tried(doubted(MOVED, "G", doubt))
    assert (repaired(refuted, repairs_of(refuted.reading, 600), 0.3) is None) == (doubt < 0.3)


def test_one_of_several_repairs_is_none():
    """Nor is the only one that was found before the time was over: there may be others."""
    refuted = tried(doubted(MOVED, "G"))
    offered = repairs_of(refuted.reading, 600)
    assert len(offered.found) == 1
    assert repaired(refuted, replace(offered, found=offered.found * 2), 0.3) is None
    assert repaired(refuted, replace(offered, complete=False), 0.3) is None
    assert repaired(refuted, replace(offered, found=()), 0.3) is None


def test_swapped_dots_are_swapped_back():
    """Two dots read in one another's colours keep their places; the pairs are those of the level."""
    swapped = doubted(FIVE.replace("..B.O", "..O.B", 1), "BO")
    refuted = tried(swapped)
    assert isinstance(refuted.outcome, Unsolvable)
    mended = repaired(refuted, repairs_of(swapped, 600), 0.3)
    expected = {frozenset(pair) for pair in reading_of(FIVE).puzzle.terminals}
    assert {frozenset(pair) for pair in mended.reading.puzzle.terminals} == expected
    places = [{end for pair in one.ends_px for end in pair} for one in (swapped, mended.reading)]
    assert places[0] == places[1]
