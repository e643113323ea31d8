"""What a worker of the page has at hand before its first job, and what it may not exceed."""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import suppress


def prepare_worker(memory_bytes: int) -> Callable[[], None]:
    """Load what solving needs, bound the memory, leave one thread to OpenCV. Returns what keeps it small."""
    import cv2

    import flowvision.web.phone_tasks
    import flowvision.web.picture_tasks
    import flowvision.web.puzzle_tasks  # noqa: F401
    from flowvision.workers.memory import keep_freed, trimmer

    cv2.setNumThreads(1)
    bound_memory(memory_bytes)
    keep_freed()
    gc.collect()
    gc.freeze()
    return trimmer()


def bound_memory(number_of_bytes: int) -> None:
    """Have allocations beyond so many bytes of data fail, where the system can (Linux)."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (number_of_bytes, number_of_bytes))
