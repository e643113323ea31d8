"""The stages in order, and the choice among readings."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

from flowvision.errors import (
    BoardNotFoundError,
    DoubtfulReadingError,
    FlowvisionError,
    GaveUpError,
    ImageUnreadableError,
    UnsolvableError,
)
from flowvision.events import STAGES, Event, StageDone, StageRunner, Trail
from flowvision.image.codec import encode
from flowvision.image.picture import Screenshot
from flowvision.pipeline import read_image, solve_image
from flowvision.puzzle.check import faults_in_solution
from flowvision.puzzle.text import parse
from flowvision.reading import search
from flowvision.reading.options import Options
from flowvision.solvers import GaveUp, Solved, solve
from flowvision.vision.reading import Reading
from tests.drawing import COLOURS, CURLED, FIVE, NONE, SEVERAL, WINDING, reading_of, screenshot_of
from tests.reading.test_partial_board import PART, marks_at

BLANK = Screenshot(np.zeros((50, 50, 3), np.uint8), "blank")


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> list[Reading]:
    """The readings that vision will offer, best first."""
    readings: list[Reading] = []

    def offer(shot: Screenshot, options: object, runner: StageRunner, end: float) -> Iterator[Trail]:
        for reading in readings:
            yield Trail(shot, reading=reading)

    monkeypatch.setattr(search, "candidates", offer)
    return readings


def test_a_screenshot_is_solved() -> None:
    """A drawn board comes back read, solved, refereed, and drawn on a copy."""
    bgr = screenshot_of(FIVE)
    before = bgr.copy()
    answer = solve_image(bgr)
    assert np.array_equal(bgr, before)
    assert answer.picture.shape == bgr.shape
    assert not np.array_equal(answer.picture, bgr)
    assert answer.outcome.unique is True
    assert faults_in_solution(answer.reading.puzzle, answer.outcome.solution) == []
    expected = {frozenset(pair) for pair in reading_of(FIVE).puzzle.terminals}
    assert {frozenset(pair) for pair in answer.reading.puzzle.terminals} == expected
    assert answer.warnings == ()
    assert 0.9 < answer.confidence <= 1
    assert answer._repr_png_().startswith(b"\x89PNG")


def test_a_picture_that_nobody_else_needs_is_drawn_upon() -> None:
    """Asked for, the solution stands on the very pixels given, the same as on a copy."""
    bgr = screenshot_of(FIVE)
    apart = solve_image(bgr)
    assert solve_image(bgr, in_place=True).picture is bgr
    assert np.array_equal(bgr, apart.picture)


def test_every_kind_of_source(shot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path, a string, bytes, pixels, a screenshot and standard input all give the same reading."""
    data = shot.read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    sources = [shot, str(shot), data, screenshot_of(FIVE), Screenshot(screenshot_of(FIVE), "named"), "-"]
    readings = [read_image(source).reading for source in sources]
    assert all(reading.puzzle == readings[0].puzzle for reading in readings)


PLAIN = tuple(stage for stage in STAGES if stage != "crossings")
"""The stages of a board that needs neither bridges nor warps."""


def test_the_observer_hears_every_stage_in_order() -> None:
    """One event a stage for a plain board, in the order of the stages, each with what led to it."""
    heard: list[Event] = []
    answer = solve_image(screenshot_of(FIVE), observer=heard.append)
    assert tuple(event.stage for event in heard) == PLAIN
    assert all(isinstance(event, StageDone) for event in heard)
    assert [len(event.trail) for event in heard] == [0, 1, 2, 3, 4, 5, 7, 7, 8]
    assert set(answer.seconds) == set(PLAIN)


def test_the_first_reading_with_one_solution_is_taken(offered: list[Reading]) -> None:
    """Readings without a solution, or with several, give way to one that has exactly one."""
    offered += [reading_of(text) for text in (NONE, SEVERAL, FIVE, FIVE)]
    checked = read_image(BLANK)
    assert checked.reading is offered[2]
    assert checked.warnings == ()


def test_several_solutions_need_a_sure_reader(offered: list[Reading]) -> None:
    """A board with several solutions is believed, with a warning, only when the reader is sure."""
    offered += [reading_of(NONE, 1.0), reading_of(SEVERAL, 0.9)]
    checked = read_image(BLANK, Options(min_confidence_if_not_unique=0.8))
    assert checked.reading is offered[1]
    assert "more than one solution" in checked.warnings[0]
    assert checked.confidence < 0.9
    offered[1] = reading_of(SEVERAL, 0.7)
    with pytest.raises(DoubtfulReadingError, match=r"5 rows and 5 columns.* 0\.70\.") as caught:
        read_image(BLANK, Options(min_confidence_if_not_unique=0.8))
    assert caught.value.evidence is offered[1]


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
        trail = Trail(BLANK, dots=marks_at(*places), reading=refuted)
        offered = [trail, Trail(BLANK, reading=part)]
        monkeypatch.setattr(search, "candidates", lambda *_, these=offered: iter(these))
        if believed:
            assert read_image(BLANK).reading is part
        else:
            with pytest.raises(UnsolvableError):
                read_image(BLANK)


def test_no_reading_with_a_solution(offered: list[Reading]) -> None:
    """When all readings are refuted the error says what the best one saw, and carries it."""
    offered += [reading_of(NONE), reading_of("RG.\nGR.\n...\n")]
    with pytest.raises(UnsolvableError, match="3 rows and 3 columns with 2 pairs") as caught:
        solve_image(BLANK)
    assert caught.value.stage == "solve"
    assert caught.value.evidence is offered[0]


def test_only_so_many_readings_are_tried(offered: list[Reading]) -> None:
    """The search ends after the bound, even when the right reading would come next."""
    offered += [reading_of(NONE), reading_of(FIVE)]
    with pytest.raises(UnsolvableError):
        read_image(BLANK, Options(readings=1))
    assert read_image(BLANK, Options(readings=2)).reading is offered[1]


def test_a_solver_that_gives_up(offered: list[Reading], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an answer in time nothing is believed, and nobody waits for ever."""
    offered += [reading_of(FIVE, 0.95)] * 100
    monkeypatch.setattr(search, "solve", lambda *_: GaveUp(0.01, "limit"))
    for look in (read_image, solve_image):
        with pytest.raises(GaveUpError, match=r"5 rows and 5 columns.*gave up after 0\.0 s"):
            look(BLANK)


def test_time_is_bounded(offered: list[Reading], monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver is given no more than what is left of the picture's time."""
    offered += [reading_of(SEVERAL)] * 3
    given: list[float] = []

    def slow(puzzle: object, solver: str, limits: object) -> Solved:
        given.append(limits.seconds)
        return pipeline_solve(puzzle, solver, limits)

    pipeline_solve = search.solve
    monkeypatch.setattr(search, "solve", slow)
    read_image(BLANK, Options(seconds=500.0))
    assert len(given) == 3
    assert 500.0 >= given[0] >= given[1] >= given[2] > 0


def test_looking_is_bounded_too() -> None:
    """Of a picture of many grids without dots, no other region is looked at once the time is up."""
    grid = screenshot_of(".....\n" * 5, 30)
    bgr = np.hstack((np.vstack((grid, grid)),) * 2)
    regions: dict[float, int] = {}
    for seconds in (0.0, 600.0):
        seen: list[Event] = []
        with pytest.raises(FlowvisionError):
            read_image(bgr, Options(seconds=seconds), seen.append)
        regions[seconds] = sum(isinstance(event, StageDone) and event.stage == "board" for event in seen)
    assert regions[0.0] == 1
    assert regions[600.0] > 4


@pytest.mark.parametrize(("seconds", "looks"), [(1.0, 3), (100.0, 1)])
def test_boards_beside_use_no_time_of_their_own(
    monkeypatch: pytest.MonkeyPatch, seconds: float, looks: int
) -> None:
    """Two grids without dots beside a board are looked at until the time for the picture, 30 s, is up."""
    now, ends = [0.0], list[float]()

    def slowly(shot: Screenshot, options: Options, runner: StageRunner, end: float) -> object:
        ends.append(end)
        try:
            return read(shot, options, runner, end)
        finally:
            now[0] += seconds

    read = search._read
    monkeypatch.setattr(search, "_read", slowly)
    monkeypatch.setattr(search, "perf_counter", lambda: now[0])
    board, grid = screenshot_of(FIVE, 60), screenshot_of(".....\n" * 5, 40)
    grid = np.pad(grid, ((0, len(board) - len(grid)), (0, 0), (0, 0)))
    read_image(np.hstack((board, grid, grid)))
    assert ends == [30.0] * looks


@pytest.mark.parametrize("bgr", [np.zeros((300, 200, 3), np.uint8), np.full((3, 3, 3), 255, np.uint8)])
def test_a_picture_without_a_board(bgr: np.ndarray) -> None:
    """Nothing to see is a board not found, with the stage and the evidence."""
    with pytest.raises(BoardNotFoundError) as caught:
        solve_image(bgr)
    assert caught.value.stage == "board"
    assert caught.value.evidence is not None


def test_an_unreadable_source_fails_at_decoding(tmp_path: Path) -> None:
    """A file that is no picture fails at the first stage."""
    (tmp_path / "no.png").write_bytes(b"no picture")
    with pytest.raises(ImageUnreadableError) as caught:
        solve_image(tmp_path / "no.png")
    assert caught.value.stage == "decode"


@pytest.mark.parametrize("seed", range(20))
def test_noise_never_breaks_anything(seed: int) -> None:
    """On random shapes and noise the pipeline answers or raises its own errors, nothing else."""
    rng = np.random.default_rng(seed)
    height, width = rng.integers(1, 400, 2)
    noise = rng.integers(0, 256, (height, width, 3)).astype(np.uint8)
    blocks = np.kron(noise[: height // 16 + 1, : width // 16 + 1], np.ones((16, 16, 1), np.uint8))
    lines = blocks[:height, :width].copy()
    lines[:: rng.integers(5, 60)] = 90
    lines[:, :: rng.integers(5, 60)] = 90
    for bgr in (noise, lines):
        with suppress(FlowvisionError):
            assert solve_image(bgr, Options(seconds=2)).outcome.unique is not None


def test_encoded_pictures_are_solved_like_their_pixels() -> None:
    """JPEG at a middling quality reads as the pixels do."""
    answer = solve_image(encode(screenshot_of(FIVE), ".jpg"))
    assert answer.outcome.unique is True


def drawn_board(text: str, edges: dict[str, list[tuple[int, int]]]) -> np.ndarray:
    """A screenshot with pipes of these flows drawn along these places."""
    bgr = screenshot_of(text)
    for letter, places in edges.items():
        line = np.array([(12 + 60 * c + 30, 140 + 60 * r + 30) for r, c in places])
        cv2.polylines(bgr, [line], False, COLOURS[letter][::-1], 20, cv2.LINE_AA)
    return bgr


def test_drawn_pipes_are_kept() -> None:
    """Of several solutions, the one that goes on from the pipes on the board; without the option, any."""
    text = SEVERAL
    plain = solve_image(screenshot_of(text))
    assert plain.outcome.second is not None
    board = plain.reading.board
    for solution in (plain.outcome.solution, plain.outcome.second):
        longest = max(range(len(solution.paths)), key=lambda k: len(solution.paths[k].edges))
        places = [board.lattice.places[v] for v in solution.paths[longest].vertices]
        colour = plain.reading.palette[longest]
        letter = min(
            COLOURS, key=lambda name: sum(abs(a - b) for a, b in zip(COLOURS[name], colour, strict=True))
        )
        picture = drawn_board(text, {letter: places})
        kept = solve_image(picture, Options(keep_drawn=True))
        flow = [p for p in kept.outcome.solution.paths if p.vertices[0] in solution.paths[longest].vertices]
        assert set(flow[0].edges) == set(solution.paths[longest].edges)


def test_a_path_that_touches_itself_is_believed_where_it_is_drawn() -> None:
    """Pipes that join all pairs and cover all cells prove the reading, and are the answer."""
    with pytest.raises(DoubtfulReadingError, match="touches itself"):
        read_image(screenshot_of(WINDING))
    given = parse(WINDING)
    outcome = solve(given.puzzle)
    assert isinstance(outcome, Solved)
    assert outcome.second is not None
    for solution in (outcome.solution, outcome.second):
        pipes = {
            letter: [given.board.lattice.places[strand] for strand in path.vertices]
            for letter, path in zip(given.letters, solution.paths, strict=True)
        }
        answer = solve_image(drawn_board(WINDING, pipes))
        assert set(map(frozenset, (path.edges for path in answer.outcome.solution.paths))) == set(
            map(frozenset, (path.edges for path in solution.paths))
        )
        assert answer.outcome.second is not None
        assert answer.outcome.second != answer.outcome.solution
        assert "in the one that is drawn as well" in answer.warnings[0]
        assert answer.confidence < 0.9
        for letter in pipes:
            unfinished = {**pipes, letter: pipes[letter][:-2]}
            with pytest.raises(DoubtfulReadingError, match="touches itself"):
                read_image(drawn_board(WINDING, unfinished))


def test_a_wrong_pipe_is_named() -> None:
    """No solution goes on from it: the error says which it is and where; without the option it is ignored."""
    picture = drawn_board(FIVE, {"R": [(0, 0), (0, 1)], "B": [(1, 2), (2, 2)]})
    assert solve_image(picture).outcome.unique is True
    with pytest.raises(UnsolvableError, match=r"wrong: R \(#ff0000, row 1, column 1\)\.") as caught:
        solve_image(picture, Options(keep_drawn=True))
    assert "--keep-drawn" in caught.value.hint
