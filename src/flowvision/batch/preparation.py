"""What a worker of a batch has at hand before its first picture."""

from __future__ import annotations

import gc
from collections.abc import Callable


def prepare_worker(for_long: bool = False) -> Callable[[], None]:
    """Load what solving needs, and leave one thread to OpenCV: the processes are the threads.

    ``for_long``: also what only few pictures need, but sooner or later one of many does. Returns what keeps
    the process small.
    """
    import cv2

    import flowvision.batch.work  # noqa: F401
    from flowvision.workers.memory import keep_freed, tidier

    if for_long:
        import scipy.optimize  # noqa: F401
        import sklearn.cluster  # noqa: F401
    cv2.setNumThreads(1)
    keep_freed()
    gc.collect()
    gc.freeze()  # no garbage in what is there for good: it need not be looked through again
    return tidier()
