"""The memory of a process: its bound, and what it keeps of freed memory; workers stay the same size."""

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
"""Freed memory that a worker keeps for the next picture. Reading and drawing a phone's picture take some
60 MB, a tablet's twice that, in many pieces: with a third of it every fifth picture of a mixed folder was
followed by a trim, and took a seventh longer."""


def bound_memory(number_of_bytes: int) -> None:
    """Have allocations fail beyond a number of bytes of data, where the system can (Linux)."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (number_of_bytes, number_of_bytes))


def keep_freed() -> None:
    """Have the C library keep freed memory for the next array (glibc only).

    Otherwise every array as large as a picture is returned to the system and allocated anew, page by page:
    5 % of the time of a batch, 2 % of a single run.
    """
    with suppress(OSError, AttributeError, TypeError):
        allocator = ctypes.CDLL(None)
        for option, number_of_bytes in ((M_MMAP_THRESHOLD, 32 << 20), (M_TRIM_THRESHOLD, 256 << 20)):
            allocator.mallopt(option, number_of_bytes)


def resident_bytes() -> int:
    """Resident memory of this process; 0 if the system does not tell."""
    with suppress(OSError, ValueError, IndexError), open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def trim() -> None:
    """Return all free memory to the system, also that between pieces in use (glibc only)."""
    gc.collect()  # errors and the frames they passed through hold one another, and pictures
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def trim_before(pixels: int) -> None:
    """Trim if a picture with that number of pixels is large: memory freed by small ones would not hold it."""
    if pixels > LARGE_PIXELS:
        trim()


def trimmer(
    spare_bytes: int = SPARE_BYTES,
    resident: Callable[[], int] = resident_bytes,
    trim: Callable[[], object] = trim,
) -> Callable[[], None]:
    """A function to call after every picture: it trims once more than ``spare_bytes`` are free.

    Memory in use, such as libraries that a picture needed, does not count as free.
    """
    needed = resident()

    def trim_if_large() -> None:
        nonlocal needed
        if resident() > needed + spare_bytes:
            trim()
            needed = resident()

    return trim_if_large


def prepare_worker(modules: Iterable[str], memory_bytes: int | None = None) -> Callable[[], None]:
    """Load what calls need, bound the memory, and leave one thread to OpenCV: the processes are the threads.

    Returns what keeps the process small.
    """
    import cv2

    for name in modules:
        import_module(name)
    cv2.setNumThreads(1)
    if memory_bytes is not None:
        bound_memory(memory_bytes)
    keep_freed()
    gc.collect()
    gc.freeze()  # no garbage in what is there for good: it need not be looked through again
    return trimmer()
