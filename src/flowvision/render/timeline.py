"""How a solution is drawn bit by bit: which piece of which flow appears in which frame. Data alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flowvision.render.pieces import Piece
from flowvision.value import value_type

FRAME_MS = 50
"""Twenty frames a second: a GIF shown faster is slowed down by browsers."""
MOST_FRAMES = 60
"""While paths grow: three seconds. A larger board is drawn faster, not longer."""
FRAMES_AN_EDGE = 2
"""On small boards: a step from cell to cell takes a tenth of a second."""
FIRST_MS, LAST_MS = 600, 2500
"""How long the picture is shown before anything grows, and when all is there."""


@value_type
class FramePlan:
    """What appears in a frame, and how long the frame is shown."""

    grown: tuple[Piece, ...]
    milliseconds: int


@value_type
class Turn:
    """When a piece grows: its first and last moment, in seconds from the beginning."""

    piece: Piece
    start: float
    end: float


@value_type
class Timeline:
    """Pieces that grow one after the other, all at one pace; in the first frame none is there yet."""

    pieces: tuple[Piece, ...]
    most_frames: int = MOST_FRAMES

    @property
    def edges(self) -> float:
        """The length of all pieces."""
        return sum(piece.end - piece.start for piece in self.pieces)

    @property
    def count(self) -> int:
        """How many frames things grow in."""
        return min(self.most_frames, round(FRAMES_AN_EDGE * self.edges))

    def frames(self) -> tuple[FramePlan, ...]:
        """Every frame, in order."""
        plans = [FramePlan((), FIRST_MS if self.count else LAST_MS)]
        for number in range(self.count):
            low, high = (self.edges * (number + n) / self.count for n in (0, 1))
            shown = FRAME_MS if number < self.count - 1 else LAST_MS
            plans.append(FramePlan(tuple(_between(self.pieces, low, high)), shown))
        return tuple(plans)

    def turns(self) -> tuple[Turn, ...]:
        """When each piece grows, for whoever draws continuously."""
        pace = self.count * FRAME_MS / 1000 / self.edges if self.pieces else 0.0
        clock, made = FIRST_MS / 1000, []
        for piece in self.pieces:
            until = clock + pace * (piece.end - piece.start)
            made.append(Turn(piece, clock, until))
            clock = until
        return tuple(made)


def _between(pieces: Sequence[Piece], low: float, high: float) -> Iterator[Piece]:
    """What lies between two places of the pieces laid end to end."""
    at = 0.0
    for piece in pieces:
        length = piece.end - piece.start
        start, end = max(low - at, 0.0), min(high - at, length)
        if end - start > 1e-9:
            yield Piece(piece.flow, piece.start + start, piece.start + end)
        at += length
