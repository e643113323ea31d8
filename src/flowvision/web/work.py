"""Work on pictures and puzzles, done in the processes of ``workers/``."""

from __future__ import annotations

from base64 import b64encode

import numpy as np

from flowvision.colours import colour_name, palette_for
from flowvision.contract import Object, cell_named, cells_of, places_object
from flowvision.corrections import Draft
from flowvision.debug.page import story_of
from flowvision.diagnosis import draft_of_error
from flowvision.diagnosis.causes import followed
from flowvision.doubts import WrongSize
from flowvision.errors import FlowvisionError, PuzzleInvalidError
from flowvision.export.answer import Answer, answer_to
from flowvision.image.codec import encode
from flowvision.image.picture import Frame, Rgb, Screenshot, pixels_at, scaled_size
from flowvision.log import find_ancestor
from flowvision.palette import letters_for
from flowvision.pipeline import open_image
from flowvision.puzzle.layout import Point
from flowvision.puzzle.model import Puzzle, drawn_starts
from flowvision.puzzle_tools.generator import new_puzzle, shape_of
from flowvision.puzzle_tools.report import solved
from flowvision.reading.options import Options
from flowvision.reading.title import size_typed
from flowvision.render.board_look import draw_board
from flowvision.vision.assembly import Reading
from flowvision.vision.board import BoardRegion
from flowvision.vision.kinds.circles.finding import cells_with_circles
from flowvision.vision.kinds.fit import RowsAndColumns
from flowvision.web.puzzles import TIME_SHARE
from flowvision.web.queries import (
    FORMATS,
    PAGE,
    DrawingQuery,
    Query,
    ReadingQuery,
    bad,
    checked,
    flow_object,
    free_object,
    puzzle_of,
)
from flowvision.words import Option, Without, quoted

PREVIEW_PX = 2400
SAMPLES = {"0": shape_of("7x7"), "1": shape_of("8x8", holes=4), "2": shape_of("6x6", "hex")}
"""Boards to try the page with."""
SAMPLE_MARGIN = 0.1
"""Space round a sample, as a share of its size: with less of it the hexagons look cut off."""
AROUND = np.mgrid[-2:3, -2:3].reshape(2, -1).T
"""Offsets (25, 2) of the pixels that show the colour of a dot."""
PNG = "image/png"
BUTTONS = {
    ("grid", True): "Read it as {size}",
    ("colours", True): "Read it with {colours} colours",
    ("crop", True): "Read that part",
    ("grid", False): "Read it without the size",
    ("colours", False): "Read it without the number of colours",
    ("crop", False): "Read the whole picture",
}
"""Buttons by the last option that is given, or left out."""


def read_picture(data: bytes, query: Query, seconds: float) -> Object:
    """Return the object of ``--json`` with geometry, and what the page needs besides.

    ``advice``: the text and choices that it offers. ``seen``: width and height of the picture, and of a
    refused one the board as far as detected.
    """
    options = checked(query, ReadingQuery).options(seconds)
    answer = answer_to(data, options, name=query.get("name", "picture")[:200], is_drawn=False)
    result, shot = answer.to_dict(geometry=True), answer.shot
    seen: Object = {"picture": shot.bgr.shape[1::-1] if shot else []}
    if answer.error is None:
        _extend(result, answer)
    else:
        seen |= _seen(answer.error, shot)
        result["advice"] = PAGE.refusal(answer.error) | _other_readings(answer.error)
    return result | {"seen": seen}


def _extend(result: Object, answer: Answer) -> None:
    """Add what the page needs to the object of an answer, in place: doubts, names, cells, drawn pipes."""
    reading = answer.reading
    result["advice"] = PAGE.remarks(answer)
    if answer.other_board is not None:
        other_board = _board_to_read("Read the other board", Options(crop=answer.other_board))
        result["advice"]["boards"] = [other_board]
    result["board"] |= {name: result.pop(name) for name in ("frame", "cells_px")}
    if reading.lattice is None:
        result["board"]["free"] = free_object(reading.board, reading.puzzle)
    for flow, colour in zip(result["flows"], reading.palette, strict=True):
        flow["name"] = colour_name(colour)
    for flow, doubts in zip(result["flows"], reading.dot_doubts, strict=False):
        flow["doubts"] = [round(doubt, 3) for doubt in doubts]
    if answer.state == "started":
        for flow, stumps in zip(result["flows"], drawn_starts(reading.puzzle, answer.pipes), strict=True):
            # A board of the page has one pipe per flow; the other dot may have begun one too.
            longest = max(stumps, key=lambda pipe: len(pipe.edges))
            flow["drawn"] = cells_of(reading.board, longest.vertices)


def _other_readings(error: FlowvisionError) -> Object:
    """Return other ``boards`` of a refused picture to offer, and ``more`` words about them.

    They are read with options that were tried, or as large as the lines say.
    """
    diagnosis = error.diagnosis
    if diagnosis is None:
        return {}
    doubt = diagnosis.cause
    advice = tuple(item for item in doubt.advice if isinstance(item, Option | Without))
    if doubt.reads and len(advice) == len(doubt.advice):
        more = {"more": f"Read so, it has {doubt.reads} and exactly one solution."}
    elif isinstance(doubt, WrongSize):
        advice, more = (Option("grid", size_typed((doubt.lines_rows, doubt.lines_cols))),), {}
    else:
        return {}
    options = followed(diagnosis.options, advice)
    size, colours = options.rows_and_cols, options.colours
    text = BUTTONS[advice[-1].name, isinstance(advice[-1], Option)]
    words = text.format(size=size and f"{size[1]} × {size[0]}", colours=colours)
    return {"boards": [_board_to_read(words, options)], **more}


def _board_to_read(text: str, options: Options) -> Object:
    """Return a button of the page: its text, and the options that it reads the picture with."""
    return {"text": text, "crop": options.crop, "grid": options.rows_and_cols, "colours": options.colours}


def _seen(error: FlowvisionError, shot: Screenshot | None) -> Object:
    """Return the ``board`` as far as detected, or ``corners_px`` of the part that may be it.

    ``size``: rows and columns of its lines or circles, ``None`` without any.
    """
    draft = draft_of_error(error)
    if draft is not None and shot is not None:
        return {"board": draft_object(draft, shot)}
    regions = [region for step in error.steps if (region := find_ancestor(step.source, BoardRegion))]
    if not regions:
        return {}
    fits = [fit for step in error.steps if (fit := step.find(RowsAndColumns))]
    whole = max(regions, key=lambda region: region.view.bgr.size)
    found = (fits[-1].outline_px(), fits[-1].size) if fits else cells_with_circles(whole.view)
    corners_px, size = found or (regions[-1].corners_px, None)
    return {"corners_px": np.round(corners_px, 1).tolist(), "size": size}


def draft_object(draft: Draft, shot: Screenshot) -> Object:
    """Return a board that may be incomplete: cells, walls, and flows with any number of dots.

    ``colours``: what each dot shows in the picture; ``rgb`` is the flow's, which is wrong for one of two dots
    that were paired wrongly.
    """
    if draft.free is not None:
        result: Object = {"free": free_object(draft.free, Puzzle(draft.free.graph, terminals=()))}
        result |= {"tiling": "free", "walls": []}
    else:
        rows, cols = draft.size
        result = {"tiling": draft.tiling, "rows": rows, "cols": cols, **places_object(draft.drawn())}
    flows = []
    for letter, rgb in draft.colours.items():
        dots = {key: dot for key, dot in draft.seen.items() if dot.letter == letter}
        flow = flow_object(letter, rgb) | {"ends": [cell_named(key) for key in dots]}
        flow["doubts"] = [round(dot.doubt, 3) for dot in dots.values()]
        flow["colours"] = [_colour_at(shot, dot.centre_px) for dot in dots.values()]
        flows.append(flow)
    return result | {"frame": [float(number) for number in draft.frame.matrix], "flows": flows}


def _colour_at(shot: Screenshot, place: Point) -> str:
    """Return the mean colour of the 5 × 5 pixels round a place in pixels, as hex digits."""
    pixels, _ = pixels_at(shot.bgr, np.add(place, AROUND))
    return Rgb.of_bgr(pixels.mean(axis=0).round().astype(int).tolist()).hex


def stage_pictures(data: bytes, query: Query, seconds: float) -> Object:
    """Return name, title, caption and picture (``jpeg``, base64) of each stage, in order, as ``stages``."""
    answer = answer_to(data, checked(query, ReadingQuery).options(seconds))
    stages = []
    for panel in story_of(answer).panels:
        jpeg = b64encode(encode(panel.bgr, ".jpg")).decode("ascii")
        stage = {"name": panel.name.removesuffix(".png"), "title": panel.title, "caption": panel.caption}
        stages.append(stage | {"jpeg": jpeg})
    return {"stages": stages}


def preview(data: bytes, query: Query, seconds: float) -> tuple[bytes, str]:
    """Return a picture that any browser shows, turned by ``rotate``, at most ``PREVIEW_PX`` long."""
    import cv2

    bgr = open_image(data, checked(query, ReadingQuery).rotate).bgr
    scale = PREVIEW_PX / max(bgr.shape[:2])
    if scale < 1:
        small = cv2.resize(bgr, scaled_size(bgr, scale), interpolation=cv2.INTER_AREA)
        bgr = np.asarray(small, np.uint8)
    return encode(bgr), PNG


def sample(_: bytes, query: Query, seconds: float) -> tuple[bytes, str]:
    """Draw the sample of ``SAMPLES`` with this ``number``."""
    number = query.get("number", "0")
    if number not in SAMPLES:
        raise bad(f"number={quoted(number)} must be one of {', '.join(SAMPLES)}.")
    named, _solution = new_puzzle(SAMPLES[number], seed=4)
    bgr, _frame = draw_board(named.board, named.puzzle, palette_for(named.letters))
    margin = round(SAMPLE_MARGIN * max(bgr.shape))
    return encode(np.pad(bgr, ((margin, margin), (margin, margin), (0, 0)))), PNG


def solved_picture(data: bytes, query: Query, seconds: float) -> tuple[bytes, str]:
    """Return a solved screenshot as a file, or a solved ``puzzle``, over its screenshot or alone.

    Raises ``FlowvisionError`` for a puzzle without a solution, or a frame that puts it off the picture.
    """
    kind = query.get("format", "png")
    if kind not in FORMATS:
        raise bad(f"format={kind!r} must be one of {', '.join(FORMATS)}.")
    form = FORMATS[kind]
    if query.get("puzzle"):
        return _drawn(data, checked(query, DrawingQuery), seconds)._encoded(form), form.media_type
    if not data:
        raise bad("There is neither a picture in the body nor a puzzle in the query.")
    options = checked(query, ReadingQuery).options(seconds)
    return answer_to(data, options, is_drawn=False)._raised()._encoded(form), form.media_type


def _drawn(data: bytes, query: DrawingQuery, seconds: float) -> Answer:
    """Return the answer to the puzzle of a query, over the picture in ``data`` or on a plain board.

    Raises as ``solved_picture`` does, and ``RefusedError`` for a picture without a frame.
    """
    if data and not query.frame:
        raise bad("A picture with a puzzle needs frame: nine numbers, from the answer of /api/solve.")
    named = puzzle_of(query.puzzle)
    board, puzzle, flows = named.board, named.puzzle, len(named.puzzle.terminals)
    colours = query.colours.replace("#", "").split(",") if query.colours else []
    if len(colours) < flows:
        raise PuzzleInvalidError(f"{len(colours)} colours for {flows} flows.", "Give one for each flow.")
    palette = tuple(Rgb(*bytes.fromhex(digits)) for digits in colours[:flows])
    outcome = solved(named, TIME_SHARE * min(seconds, query.limit))
    if data:
        base = open_image(data, query.rotate).bgr
        frame = Frame(tuple(map(float, query.frame.split(","))))
        with np.errstate(all="ignore"):
            corners_px = frame.to_px(board.layout.corners)
        farthest_px = np.abs(corners_px).max()
        if not farthest_px <= 2 * sum(base.shape[:2]):  # also where it is not a number
            raise PuzzleInvalidError(
                "The frame puts the board off the picture.", "Give the frame of its answer."
            )
    else:
        base, frame = draw_board(board, puzzle, palette)
    names = letters_for(palette)
    reading = Reading(board, puzzle, frame, palette, confidence=1.0, ends_px=(), names=names)
    return Answer("", shot=Screenshot(base), _seen=reading, _solved=outcome)
