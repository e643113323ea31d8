"""Memory of a worker: its bound, and the freed memory that it keeps."""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Options of mallopt (malloc.h of glibc)."""
LARGE_PIXELS = 8_000_000
"""Twice a phone's screen; while it is decoded, a picture is in memory twice."""
SPARE_BYTES = 192 << 20
"""Freed memory that a worker keeps for the next picture. Reading and drawing take some 60 MB for a phone's
picture, twice that for a tablet's; with a third of this a mixed folder takes a seventh longer."""


def keep_freed() -> None:
    """Have the C library keep freed memory for the next array (glibc only).

    Otherwise every array as large as a picture is returned to the system and allocated again, page by page:
    5 % of the time of a batch, 2 % of a single run.
    """
    with suppress(OSError, AttributeError, TypeError):
        allocator = ctypes.CDLL(None)
        for option, number_of_bytes in ((M_MMAP_THRESHOLD, 32 << 20), (M_TRIM_THRESHOLD, 256 << 20)):
            allocator.mallopt(option, number_of_bytes)


def resident_bytes() -> int:
    """Return the resident memory of this process; 0 if the system does not tell."""
    with suppress(OSError, ValueError, IndexError), open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def trim() -> None:
    """Return all free memory to the system, also that between pieces in use (glibc only)."""
    gc.collect()  # errors and the frames they passed through hold one another, and pictures
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def trim_before(pixels: int) -> None:
    """Trim before a large picture: memory freed by small ones would not hold it."""
    if pixels > LARGE_PIXELS:
        trim()


def trimmer() -> Callable[[], None]:
    """Return a function to call after every picture: it trims when more than ``SPARE_BYTES`` are free.

    Memory in use, such as libraries that a picture needed, does not count as free.
    """
    needed = resident_bytes()

    def trim_if_large() -> None:
        nonlocal needed
        if resident_bytes() > needed + SPARE_BYTES:
            trim()
            needed = resident_bytes()

    return trim_if_large


def prepare_worker(modules: Iterable[str], memory_bytes: int | None = None) -> Callable[[], None]:
    """Load what calls need, bound the data of the process (Linux), and leave one thread to OpenCV.

    Returns a function to run after each call: it keeps the process small.
    """
    import cv2

    for name in modules:
        import_module(name)
    cv2.setNumThreads(1)  # the processes are the threads
    if memory_bytes is not None:
        with suppress(ImportError, OSError, ValueError):
            import resource

            resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    keep_freed()
    gc.collect()
    gc.freeze()  # what is loaded now stays: the collector need not look through it again
    return trimmer()
