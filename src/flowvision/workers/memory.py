"""The memory of a process: what it keeps of what pictures have used; of a worker it is the same for days."""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Callable
from contextlib import suppress

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Names of glibc's malloc.h: what is kept of freed memory, and from what size on memory is not its own."""
LARGE = 8_000_000
"""Pixels: twice those of a phone. While it is decoded, a picture is there twice."""
ROOM = 192 << 20
"""Bytes beyond what it needs between pictures that a worker keeps for the next one. Reading and drawing a
phone's picture take some 60 MB, a tablet's twice that, and not all of it lies together: with a third of the
room every fifth picture of a mixed folder was followed by a trim, and took a seventh longer; with two thirds,
each had 5 MB of its memory anew, a twentieth of its time."""


def keep_freed() -> None:
    """Have the C library keep what is freed for the next array, where that can be asked for (glibc).

    Otherwise every array of a picture's size is given back to the system and comes anew, page by page: a
    twentieth of all the time, and a fiftieth of a cold run.
    """
    with suppress(OSError, AttributeError, TypeError):
        allocator = ctypes.CDLL(None)
        for option, number_of_bytes in ((M_MMAP_THRESHOLD, 32 << 20), (M_TRIM_THRESHOLD, 256 << 20)):
            allocator.mallopt(option, number_of_bytes)


def resident() -> int:
    """The bytes of memory that this process has now; 0 where the system does not say."""
    with suppress(OSError, ValueError, IndexError), open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def give_back() -> None:
    """Give all that is free back to the system, also what lies between pieces in use (glibc)."""
    gc.collect()  # errors and the frames they passed through hold one another, and pictures
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def make_room(pixels: int) -> None:
    """Give back what is free before a picture of so many pixels, if that is a large one.

    What smaller ones left would hardly serve it, and add to the most that the process ever has.
    """
    if pixels > LARGE:
        give_back()


def tidier(
    room: int = ROOM, now: Callable[[], int] = resident, give: Callable[[], object] = give_back
) -> Callable[[], None]:
    """What to call after every picture: it gives memory back once there is more than ``room`` of it to spare.

    Large pictures leave holes that the next ones do not fill. What is in use, such as libraries that some
    picture needed, is not to spare.
    """
    needed = now()

    def tidy() -> None:
        nonlocal needed
        if now() > needed + room:
            give()
            needed = now()

    return tidy
