"""A drawing as the bytes of a file: still, moving or as vectors; all of the solution, or a hint of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from flowvision.export.drawing import Drawing
from flowvision.export.hints import draw_numbers, hint_pieces, numbers_of
from flowvision.export.kinds import Kind
from flowvision.image.codec import encode
from flowvision.image.picture import Bgr
from flowvision.render.growth import Scene, clip_of
from flowvision.render.timeline import Piece, Timeline, pieces_of
from flowvision.solvers.base import Limits
from flowvision.solvers.hints import Hint, play_order

ORDER_SECONDS = 0.5
"""For the order of an animation; what is not ordered by then follows, the shortest first."""


def encoded(drawing: Drawing, kind: Kind, hint: Hint | None = None) -> bytes:
    """The file of a kind: the solved picture, or with a ``hint`` only its steps.

    Raises ``MissingExtraError`` for an MP4 where nothing can encode one.
    """
    if kind in ("png", "jpeg"):
        return encode(picture_of(drawing, hint), f".{kind}")
    if kind == "svg":
        return _svg(drawing, hint).encode()
    return _moving(drawing, kind, hint)


def picture_of(drawing: Drawing, hint: Hint | None = None) -> Bgr:
    """The picture with the solution on it, or with the steps of a hint; several flows are numbered."""
    if hint is None:
        return drawing.solved
    canvas = drawing.with_edges(hint.edges)
    draw_numbers(canvas, drawing, hint)
    return canvas


def pieces_to_grow(drawing: Drawing, hint: Hint | None = None) -> tuple[Piece, ...]:
    """The flows that are not finished, or the steps of a hint, in the order in which a person would play."""
    if hint is not None:
        return hint_pieces(hint, drawing.solution)
    order = play_order(drawing.puzzle, drawing.solution, drawing.known, Limits(ORDER_SECONDS))
    missing = {edge for path in drawing.solution.paths for edge in path.edges} - drawing.finished
    return pieces_of(drawing.solution, order, missing)


def _moving(drawing: Drawing, kind: Kind, hint: Hint | None) -> bytes:
    final = picture_of(drawing, hint)
    if hint is None:
        base, drawn_with = drawing.with_flows(()), drawing.with_flows
    else:
        base, drawn_with = drawing.base, partial(_with_flows_of, drawing, hint)
    scene = Scene(base, final, drawing.board, drawing.solution, drawing.frame, drawn_with)
    clip = clip_of(scene, Timeline(pieces_to_grow(drawing, hint)).frames())
    if kind == "gif":
        from flowvision.image.gif import gif_of

        return gif_of(clip)
    if kind == "apng":
        from flowvision.image.apng import apng_of

        return apng_of(clip)
    from flowvision.image.video import mp4_of

    return mp4_of(clip)


def _with_flows_of(drawing: Drawing, hint: Hint, flows: Sequence[int]) -> Bgr:
    """The base with the steps of these flows."""
    return drawing.with_edges([e for e, flow in zip(hint.edges, hint.flows, strict=True) if flow in flows])


def _svg(drawing: Drawing, hint: Hint | None) -> str:
    from flowvision.render.svg import SvgBoard, svg_of

    there = drawing.known if hint else drawing.finished
    labels = numbers_of(hint) if hint else {}
    if not labels and drawing.look.letters:
        labels = dict(enumerate(drawing.letters))
    return svg_of(
        SvgBoard(
            drawing.board,
            drawing.puzzle,
            drawing.palette,
            drawing.letters,
            drawing.solution,
            pieces_of(drawing.solution, range(len(drawing.solution.paths)), there),
            Timeline(pieces_to_grow(drawing, hint)).turns(),
            labels,
        )
    )
