from contextlib import suppress

import pytest

from flowvision import solve_image
from flowvision.corrections import Draft, draft_of, draft_of_dots
from flowvision.diagnosis import Diagnosis, draft_of_error
from flowvision.errors import BoardNotFoundError, FlowvisionError, GridNotFoundError, OddDotsError
from flowvision.image.picture import Screenshot
from flowvision.log import Step
from flowvision.reading.corrected import Refused, appeal_of, dots_on
from flowvision.reading.options import Options
from flowvision.vision.assembly import Interpretation
from flowvision.vision.board import find_boards
from flowvision.vision.dots.detection import Dots
from flowvision.vision.kinds.fit import BoardGeometry
from flowvision.vision.kinds.free.finding import fit_cells
from tests import pictures
from tests.drawing import FIVE, MISSED, reading_of, screenshot_of
from tests.seeing import done, failed, geometry_of, refusal


def geometry(text: str) -> BoardGeometry:
    return geometry_of(Screenshot(screenshot_of(text)))


def test_a_refused_board_is_as_far_as_it_was_seen() -> None:
    sides, reading = geometry(MISSED), reading_of(FIVE)
    error = GridNotFoundError("none")

    def seen(error: FlowvisionError, before: object) -> Draft | None:
        return Refused(error, [failed("pairs", error.origin, before)]).draft

    assert seen(error, Interpretation(reading, sides)) == draft_of(reading)
    odd = refusal(screenshot_of(MISSED), code="odd-dots")
    dots = odd.evidence
    assert len(dots.dots) == 9
    assert seen(error, dots) == draft_of_dots(sides, dots)
    assert seen(odd, sides) == draft_of_dots(sides, dots)
    assert seen(error, sides) == draft_of_dots(sides, None)
    assert seen(BoardNotFoundError("none"), None) is None


def test_where_the_refused_attempt_saw_no_cells_it_is_the_one_that_came_furthest() -> None:
    sides = geometry(MISSED)
    final, other = BoardNotFoundError("none"), OddDotsError("odd")
    look = Refused(
        final, [done("grid", sides.fit), failed("dots", other, sides), failed("board", final, None)]
    )
    assert look.draft == draft_of_dots(sides, None)
    assert look.error is other


def test_of_two_boards_it_is_the_one_that_a_person_would_choose() -> None:
    odd, final = refusal(screenshot_of(MISSED), code="odd-dots"), GridNotFoundError("none")
    clear, empty = geometry(MISSED), geometry("......\n" * 6)
    events = [
        done("decode", Screenshot(screenshot_of(MISSED))),
        done("grid", clear.fit),
        failed("pairs", odd.origin, clear),
        done("grid", empty.fit),
        failed("dots", final, empty),
    ]
    assert Refused(final, events).draft == draft_of_dots(clear, odd.evidence)
    assert Diagnosis(final, events, Options()).draft == draft_of_dots(clear, odd.evidence)


def test_a_refused_board_has_the_dots_of_the_look_that_paired_most() -> None:
    sides, (error, other, larger) = geometry(MISSED), map(GridNotFoundError, ("none", "other", "larger"))
    dots = refusal(screenshot_of(MISSED), code="odd-dots").evidence
    six = Interpretation(reading_of("R....R\nG....G\nB....B\nY....Y\nO....O\nW....W\n"), None)
    look = Refused(
        error, [failed("pairs", other, dots), failed("pairs", larger, six), failed("dots", error, sides)]
    )
    assert look.draft == draft_of_dots(sides, dots)
    assert look.find(Dots) is dots
    assert look.error is other


@pytest.mark.parametrize("name", ["cut off below", "fingertip", "erased dot", "counters"])
def test_words_and_draft_are_about_one_look(name: str) -> None:
    error = refusal(pictures.BY_NAME[name].draw())
    seen, draft = error.diagnosis, draft_of_error(error)
    assert seen.dots is not None
    assert draft.marks == seen.draft.marks
    places = [[seen.place_of_dot(n) for n in group.dots] for group in seen.groups]
    letters = [{draft.marks[place] for place in of_one} for of_one in places]
    assert len(set.union(set(), *letters)) == sum(map(len, letters))
    assert sorted(draft.seen) == sorted(place for of_one in places for place in of_one)


def test_a_person_chooses_the_lattice_not_the_shards() -> None:
    steps: list[Step] = []
    with suppress(FlowvisionError):
        solve_image(pictures.hidden_dot(), observer=steps.append)
    lattice, dots = max(dots_on(steps).items(), key=lambda item: appeal_of(item[0], len(item[1].dots)))
    assert lattice.size == (5, 5)
    region = next(find_boards(Screenshot(screenshot_of(FIVE))))
    shards = fit_cells(region)
    assert shards.size is None
    assert appeal_of(shards, 0) < appeal_of(lattice, len(dots.dots))
