"""The workers of a Dask cluster, as an executor like any other."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any, cast

from flowvision.errors import ClusterError, MissingExtraError

RETRIES = 2
"""Times that a job is given to another worker when its own is lost."""
ANSWER_SECONDS = 10


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """An executor over the workers of the scheduler at ``address``, and how many calls they make at once.

    Flowvision must be installed on every worker. Raises ``MissingExtraError`` without the extra ``dask``,
    ``ClusterError`` when no scheduler with workers answers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtraError(
            "A cluster needs Dask, which is not installed.", "pip install 'flowvision-solver[dask]'"
        ) from None
    try:
        connect: Any = Client
        client = connect(address, timeout=ANSWER_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"No Dask scheduler answers at {address}: {error}.") from None
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise ClusterError(f"The Dask scheduler at {address} has no workers.")
        yield cast(Executor, client.get_executor(pure=False, retries=RETRIES)), threads
    finally:
        client.close()
