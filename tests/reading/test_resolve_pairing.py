from collections.abc import Sequence
from functools import cache
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from flowvision import Answer, solve_image
from flowvision.doubts import AlikeDots, PairedDots
from flowvision.errors import AmbiguousColoursError, DotsError, FlowvisionError, OddDotsError
from flowvision.image.picture import Bgr, Rgb, Screenshot
from flowvision.puzzle.formats import written
from flowvision.puzzle.text import Drawn, parse
from flowvision.puzzle_tools.generator import new_puzzle, shape_of
from flowvision.reading.doubts import DOUBTFUL
from flowvision.reading.options import Options
from flowvision.reading.resolve_pairing import counted_dots
from flowvision.reading.strategies import BoardCache, usual_dots
from flowvision.vision.dots.detection import DotHypothesis
from tests.boards import pairs_of
from tests.commands import NIGHTLY
from tests.drawing import DOT_MISSED, LEVEL_5X5, screenshot_of
from tests.seeing import geometry_of, refusal
from tests.tools.synthetic import CURRENT, Style, draw_screenshot

BLOWN_OUT = Rgb(250, 250, 225)
"""White and yellow alike, where a photograph is overexposed."""
PLAIN = Style(chrome=False)


@cache
def puzzle_of(seed: int) -> Drawn:
    size = Random(seed).choice(("6x6", "7x6", "7x7"))
    item, solution = new_puzzle(shape_of(size), seed)
    return parse(written(item, "text", solution))


def merged(seed: int, alike: int, colour: Rgb | None = None, noise: float = 3) -> Bgr:
    """A board on which the first flows, ``alike`` of them, have nearly one colour, with noise."""
    random, puzzle = Random(seed), puzzle_of(seed)
    palette = list(CURRENT.palette)
    random.shuffle(palette)
    base = colour or palette[0]
    for flow in range(alike):
        palette[flow] = Rgb(*(min(255, max(0, value + random.randint(-4, 4))) for value in base))
    theme = replace(CURRENT, palette=tuple(palette[: len(puzzle.letters)]))
    drawn = draw_screenshot(puzzle.board, puzzle.puzzle, replace(PLAIN, theme=theme), seed).screenshot.bgr
    grain = np.random.default_rng(seed).normal(0, noise, drawn.shape)
    return np.asarray(np.clip(drawn + grain, 0, 255), np.uint8)


def drawn(seed: int, shares: Sequence[float]) -> Bgr:
    """A board whose channels, blue first, are dimmed to these shares."""
    puzzle = puzzle_of(seed)
    bgr = draw_screenshot(puzzle.board, puzzle.puzzle, PLAIN, seed).screenshot.bgr
    return np.asarray(bgr * np.array(shares), np.uint8)


def without_channel(seed: int) -> Bgr:
    shares = [1.0, 1.0, 1.0]
    shares[seed % 3] = 0.0
    return drawn(seed, shares)


def night_shift(seed: int) -> Bgr:
    return drawn(seed, (0.1, 0.45, 1.0))


def read(seed: int, bgr: Bgr, colours: int | None) -> Answer | FlowvisionError:
    """Return the answer to a picture, or its error; ``colours``: the number that is given."""
    try:
        return solve_image(bgr, Options(colours=colours, seconds=600))
    except FlowvisionError as error:
        return error


def number_of_colours(seed: int) -> int:
    return len(puzzle_of(seed).letters)


def is_right(seed: int, answer: Answer) -> bool:
    drawn, read = puzzle_of(seed), answer.reading
    has_pairs = pairs_of(drawn.puzzle) == pairs_of(read.puzzle)
    return has_pairs and drawn.board.graph.edges == read.board.graph.edges


def alike(seed: int) -> Bgr:
    match seed % 3:
        case 0:
            return merged(seed, alike=2)
        case 1:
            return merged(seed, alike=2, colour=BLOWN_OUT)
        case _:
            return merged(seed, alike=3)


@pytest.mark.parametrize(
    ("damaged", "seeds", "min_right"), [(alike, 12, 4), (without_channel, 9, 2), (night_shift, 6, 1)]
)
def test_colours_that_look_alike_are_paired_rightly_or_refused(damaged, seeds, min_right):
    """``min_right``: boards that a landing reads of its third of the seeds; it refuses the others."""
    right = 0
    for seed in range(seeds if NIGHTLY else seeds // 3):
        result = read(seed, damaged(seed), number_of_colours(seed))
        if isinstance(result, FlowvisionError):
            assert result.code in ("ambiguous-colours", "odd-dots", "no-dots", "doubtful-reading"), seed
        else:
            assert is_right(seed, result), seed
            right += 1
    assert right >= min_right


@pytest.mark.parametrize(("text", "kind"), [(LEVEL_5X5, DotsError), (DOT_MISSED, OddDotsError)])
def test_another_number_of_dots_than_of_two_a_colour_is_refused(text, kind):
    geometry = geometry_of(Screenshot(screenshot_of(text)))
    (model,) = usual_dots(BoardCache(geometry))
    with pytest.raises(DotsError) as caught:
        counted_dots(DotHypothesis(geometry, model), colours=6)
    assert type(caught.value) is kind


def test_dots_that_only_the_solution_separates_are_a_doubt():
    """A given number of colours lets the solver choose among the pairs that their colours allow."""
    seed = 5
    bgr = merged(seed, alike=2, colour=BLOWN_OUT, noise=0)
    assert isinstance(read(seed, bgr, colours=None), AmbiguousColoursError)
    answer = read(seed, bgr, number_of_colours(seed))
    assert is_right(seed, answer)
    (doubt,) = answer.doubts
    assert isinstance(doubt, PairedDots)
    assert len(doubt.places) in (4, 6)  # the dots of two flows that look alike, or of three
    assert answer.confidence <= 1 - DOUBTFUL


def test_several_ways_to_pair_dots_are_refused_with_their_places():
    seed = 14
    error = read(seed, merged(seed, alike=3, colour=BLOWN_OUT, noise=0), number_of_colours(seed))
    assert isinstance(error, AmbiguousColoursError)
    assert isinstance(error.cause, AlikeDots)
    assert error.cause.places == error.doubt.places
    assert len(error.cause.places) == len(error.cause.marks) >= 6


@pytest.mark.parametrize("colours", [1, 4, 6, 400])
def test_another_number_of_colours_is_refused_as_such(colours):
    error = refusal(screenshot_of(LEVEL_5X5), Options(colours=colours), code="no-dots")
    assert error.cause.option == "colours"
    assert error.cause.reads
