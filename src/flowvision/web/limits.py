"""What the server allows anyone to use of this machine."""

from __future__ import annotations

from flowvision.value import value_type


@value_type
class WebLimits:
    """Bytes, seconds and numbers that nobody may exceed."""

    picture_bytes: int = 32 << 20
    """Of a picture: ten times what a phone's screenshot has."""
    text_bytes: int = 256 << 10
    """Of anything else: a board of 250 × 250 cells in text form has a quarter of it."""
    workers: int = 2
    """Jobs done at the same time; one more process waits to step in for one that was ended."""
    waiting: int = 8
    """Jobs that may wait for a worker."""
    jobs_per_client: int = 2
    """Jobs of one client, waiting or not."""
    picture_seconds: float = 30.0
    """For a picture, unless a shorter time is asked for."""
    puzzle_seconds: float = 10.0
    """For a puzzle, likewise."""
    memory_bytes: int = 3 << 30
    """Of data that one worker may have, where the system can bound it."""
    connections: int = 64
    """Open at the same time, half of them from one address."""
    header_seconds: float = 10.0
    """From the opening of a connection, or the first byte of a request, to the end of its headers."""
    body_seconds: float = 60.0
    """For the body of a request."""
    idle_seconds: int = 15
    """Between two requests on one connection."""
