"""Work on pictures and puzzles, done in the processes of ``workers/``."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from contextlib import suppress
from time import perf_counter
from typing import Any

import numpy as np

from flowvision.contract import cells_of, hint_object
from flowvision.debug.page import story_of
from flowvision.diagnosis import draft_of_error
from flowvision.errors import FlowvisionError, PuzzleInvalidError
from flowvision.export.answer import Answer, answer_to
from flowvision.export.board import Puzzle
from flowvision.files import FORMS
from flowvision.image.codec import encode
from flowvision.image.picture import Frame, Rgb, Screenshot
from flowvision.log import find_ancestor
from flowvision.palette import colour_name, letters_for, palette_for
from flowvision.pipeline import open_image
from flowvision.puzzle.check import faults_in_puzzle
from flowvision.puzzle.layout import NamedPuzzle
from flowvision.puzzle.model import drawn_starts
from flowvision.puzzle_tools.generator import new_puzzle, shape_of
from flowvision.puzzle_tools.report import PuzzleOptions, report
from flowvision.render.board_look import draw_board
from flowvision.solvers import TimeIsUpError
from flowvision.solvers.backtracking import steps
from flowvision.solvers.counting import solutions
from flowvision.solvers.deductions import difficulty
from flowvision.solvers.hints import FlowNames, hint_of, words_of
from flowvision.vision.assembly import Reading
from flowvision.vision.board import BoardRegion
from flowvision.web.queries import (
    PAGE,
    DrawingQuery,
    GeneratingQuery,
    Place,
    PuzzleQuery,
    ReadingQuery,
    bad,
    checked,
    draft_object,
    free_object,
    puzzle_in,
    puzzle_object,
    puzzle_of,
)
from flowvision.words import quoted

Query = Mapping[str, str]
MARGIN = 0.8
"""Share of a job's time that solvers get: the rest is for the answer, so that no process is killed."""
PREVIEW_PX = 2400
SAMPLES = {"0": shape_of("7x7"), "1": shape_of("8x8", holes=4), "2": shape_of("6x6", "hex")}
"""Boards to try the page with."""
FORMATS = {name: form for name, form in FORMS.items() if form.on_page}
PNG = "image/png"
MAX_STEPS = 100_000
"""Steps of a search that is watched."""


def read_picture(data: bytes, query: Query, seconds: float) -> dict[str, Any]:
    """Return the object of ``--json`` with geometry; for a refusal, with the board as far as detected.

    ``advice``: the text and choices that the page offers.
    """
    options = checked(query, ReadingQuery).options(seconds)
    answer = answer_to(data, options, name=query.get("name", "picture")[:200], is_drawn=False)
    result, shot = answer.to_dict(geometry=True), answer.shot
    extra: dict[str, Any] = {"picture": [shot.bgr.shape[1], shot.bgr.shape[0]] if shot else []}
    if answer.error is None:
        _extend(result, answer)
    else:
        extra |= _seen(answer.error, shot)
        result["advice"] = PAGE.refusal(answer.error)
    return result | {"seen": extra}


def _extend(result: dict[str, Any], answer: Answer) -> None:
    reading = answer.reading
    result["warnings"] = PAGE.warnings(answer)
    if answer.other_board is not None:
        result["advice"] = {"boards": [{"name": "other", "crop": list(answer.other_board), "grid": None}]}
    result["board"] |= {name: result.pop(name) for name in ("frame", "cells_px")}
    if reading.lattice is None:
        result["board"]["free"] = free_object(reading.board, reading.puzzle)
    for n, flow in enumerate(result["flows"]):
        flow["name"] = colour_name(reading.palette[n])
        if reading.dot_doubts:
            flow["doubts"] = [round(doubt, 3) for doubt in reading.dot_doubts[n]]
    if answer.state == "started":
        for flow, stumps in zip(result["flows"], drawn_starts(reading.puzzle, answer.pipes), strict=True):
            longest = max(stumps, key=lambda pipe: len(pipe.edges))
            flow["drawn"] = cells_of(reading.board, longest.vertices)


def _seen(error: FlowvisionError, shot: Screenshot | None) -> dict[str, Any]:
    """Return the ``board`` as far as detected, or ``corners_px`` of the region that may hold it."""
    draft = draft_of_error(error)
    if draft is not None and shot is not None:
        return {"board": draft_object(draft, shot)}
    for step in reversed(error.steps):
        if region := find_ancestor(step.source, BoardRegion):
            return {"corners_px": np.round(region.corners_px, 1).tolist()}
    return {}


def stage_pictures(data: bytes, query: Query, seconds: float) -> dict[str, Any]:
    """Return name, title, caption and picture (``jpeg``, base64) of each stage, in order, as ``stages``."""
    answer = answer_to(data, checked(query, ReadingQuery).options(seconds))
    stages = []
    for panel in story_of(answer).panels:
        jpeg, name = b64encode(encode(panel.bgr, ".jpg")).decode("ascii"), panel.name.removesuffix(".png")
        stages.append({"name": name, "title": panel.title, "caption": panel.caption, "jpeg": jpeg})
    return {"stages": stages}


def preview(data: bytes, query: Query, seconds: float) -> tuple[bytes, str]:
    """Return a picture that any browser shows, turned by ``rotate``, at most ``PREVIEW_PX`` long."""
    import cv2

    bgr = open_image(data, checked(query, ReadingQuery).rotate).bgr
    scale = PREVIEW_PX / max(bgr.shape[:2])
    if scale < 1:
        size = max(1, round(bgr.shape[1] * scale)), max(1, round(bgr.shape[0] * scale))
        bgr = np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    return encode(bgr), PNG


def sample(_: bytes, query: Query, seconds: float) -> tuple[bytes, str]:
    """Draw the sample of ``SAMPLES`` with this ``number``."""
    number = query.get("number", "0")
    if number not in SAMPLES:
        raise bad(f"number={quoted(number)} must be one of {', '.join(SAMPLES)}.")
    named, _solution = new_puzzle(SAMPLES[number], seed=4)
    return encode(draw_board(named.board, named.puzzle, palette_for(named.letters))[0]), PNG


def solved_picture(data: bytes, query: Query, seconds: float) -> tuple[bytes, str]:
    """Return a solved screenshot as a file, or a solved ``puzzle``, over its screenshot or alone.

    Raises ``FlowvisionError`` for a puzzle without a solution, or a frame that puts it off the picture.
    """
    kind = query.get("format", "png")
    if kind not in FORMATS:
        raise bad(f"format={kind!r} must be one of {', '.join(FORMATS)}.")
    form = FORMATS[kind]
    if query.get("puzzle"):
        return _drawn(data, checked(query, DrawingQuery), seconds).encoded(form), form.media_type
    if not data:
        raise bad("There is neither a picture in the body nor a puzzle in the query.")
    options = checked(query, ReadingQuery).options(seconds)
    return answer_to(data, options, is_drawn=False).raised().encoded(form), form.media_type


def _drawn(data: bytes, query: DrawingQuery, seconds: float) -> Answer:
    if data and not query.frame:
        raise bad("A picture with a puzzle needs frame: nine numbers, from the answer of /api/solve.")
    named = puzzle_of(query.puzzle)
    board, puzzle, flows = named.board, named.puzzle, len(named.puzzle.terminals)
    words = query.colours.split(",") if query.colours else []
    if len(words) < flows:
        raise PuzzleInvalidError(f"{len(words)} colours for {flows} flows.", "Give one for each flow.")
    palette = tuple(Rgb(*bytes.fromhex(word.removeprefix("#"))) for word in words[:flows])
    outcome = Puzzle(named).solve(MARGIN * min(seconds, query.limit)).outcome
    if data:
        base, at = open_image(data, query.rotate).bgr, Frame(tuple(map(float, query.frame.split(","))))
        with np.errstate(all="ignore"):
            points = at.to_px(board.layout.corners)
        if not np.isfinite(points).all() or (np.abs(points) > 2 * sum(base.shape[:2])).any():
            raise PuzzleInvalidError(
                "The frame puts the board off the picture.", "Give the frame of its answer."
            )
    else:
        base, at = draw_board(board, puzzle, palette)
    seen = Reading(board, puzzle, at, palette, 1.0, (), names=letters_for(palette))
    return Answer("", shot=Screenshot(base), seen=seen, solved=outcome)


def solve_puzzle(body: bytes, query: Query, seconds: float) -> dict[str, Any]:
    """Return the object of ``flowvision puzzle --json``, with the puzzle as it was understood.

    ``count``: solutions to count; ``repair``: look for changes that leave exactly one.
    """
    named, given = puzzle_in(body, query)
    limit = MARGIN * min(seconds, given.limit)
    result = report(named, PuzzleOptions(seconds=limit, count=given.count or None, repair=given.repair))
    described = result.described | {"puzzle": puzzle_object(named)}
    return described | ({"error": PAGE.error_object(result.error)} if result.error else {})


def solutions_of(body: bytes, query: Query, seconds: float) -> dict[str, Any]:
    """Return up to ``count`` ``solutions``, each as paths; ``complete``: true if these are all."""
    named, given = _valid(body, query)
    found, is_complete = list[Any](), False
    with suppress(TimeIsUpError):
        for solution in solutions(named.puzzle, MARGIN * min(seconds, given.limit)):
            if len(found) == (given.count or 100):
                break
            found.append([cells_of(named.board, path.vertices) for path in solution.paths])
        else:
            is_complete = True
    return {"solutions": found, "complete": is_complete}


def hint_for(body: bytes, query: Query, seconds: float) -> dict[str, Any]:
    """Return the hint of a ``kind``, as for ``hint_of``, beside the steps known already.

    ``names``: of the flows' colours, in place of letters. ``sentences``: of ``why``. Raises
    ``FlowvisionError`` without a solution.
    """
    named, given = puzzle_in(body, query)
    half = MARGIN * min(seconds, given.limit) / 2
    outcome = Puzzle(named).solve(half).outcome
    drawn = _edges_of(named, given.known)
    hint = hint_of(named.puzzle, outcome.solution, named.letters, given.kind, drawn, half)
    names = tuple(filter(None, given.names.split(",")))
    flows = FlowNames("?" * len(named.letters) if names else named.letters, names)
    words = words_of(hint, named.puzzle, named.board, flows)
    return hint_object(named.board, hint, words) | {"sentences": words}


def search_steps(body: bytes, query: Query, seconds: float) -> dict[str, Any]:
    """Return the backtracking search up to its first solution.

    ``steps``: kind, flow, and the cells that each goes from and to.
    """
    named, given = _valid(body, query)
    end = perf_counter() + MARGIN * min(seconds, given.limit)
    ended = "no solution in which no path touches itself"
    cell_of, found = named.board.layout.cell_of, list[tuple[str, int, int, int]]()
    for step in steps(named.puzzle, "strict"):
        found.append((step.kind, step.flow, cell_of[step.start], cell_of[step.strand]))
        if step.solution or len(found) >= MAX_STEPS or perf_counter() > end:
            ended = "solved" if step.solution else "out of time"
            break
    return {"steps": found, "ended": ended}


def generate(_: bytes, query: Query, seconds: float) -> dict[str, Any]:
    """Return a puzzle with exactly one solution, and its difficulty if found in time."""
    given = checked(query, GeneratingQuery)
    limit = min(seconds, given.limit)
    end = perf_counter() + limit
    counts = {name: getattr(given, name) for name in ("holes", "walls", "bridges", "warps")}
    shape = shape_of(given.size, given.tiling, **counts)
    colours, level = given.colours or None, given.difficulty or None
    named, solution = new_puzzle(shape, given.seed, colours, level, limit * MARGIN)
    grade = None
    with suppress(TimeIsUpError):
        grade = difficulty(named.puzzle, solution, end - perf_counter()).grade
    return {"puzzle": puzzle_object(named), "difficulty": grade}


def _valid(body: bytes, query: Query) -> tuple[NamedPuzzle, PuzzleQuery]:
    named, given = puzzle_in(body, query)
    if faults := faults_in_puzzle(named.puzzle, named.board):
        raise PuzzleInvalidError(" ".join(faults))
    return named, given


def _edges_of(named: NamedPuzzle, known: Iterable[tuple[Place, Place]]) -> set[int]:
    lattice, cell_of = named.board.lattice, named.board.layout.cell_of
    edges = {frozenset((cell_of[u], cell_of[v])): n for n, (u, v) in enumerate(named.puzzle.graph.edges)}
    number = {} if lattice is None else {place: cell for cell, place in enumerate(lattice.places)}
    try:
        return {
            edges[frozenset(number[at] if isinstance(at, tuple) else at for at in pair)] for pair in known
        }
    except KeyError:
        words = "A known step does not join two neighbouring cells of the board."
        raise PuzzleInvalidError(words, "Give pairs of neighbours.") from None
