"""Calls for tests of workers; importing them loads nothing heavy."""

import os
import signal
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any


def in_own_loop(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a coroutine in a thread: the browser of other tests keeps a loop in this one."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


def twice(number: int) -> int:
    return 2 * number


def nap(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_noted(mark: str) -> None:
    with open(mark, "a", encoding="ascii") as file:
        file.write(".")
    die()


def die_once(mark: str) -> int:
    path = Path(mark)
    if not path.exists():
        path.touch()
        die()
    return os.getpid()


def die_beside(folder: str, name: str) -> str:
    """Kill this process if another call is running in the folder."""
    mark = Path(folder, name)
    mark.touch()
    time.sleep(0.2)
    beside = len(list(Path(folder).iterdir())) > 1
    mark.unlink()
    if beside:
        die()
    return name


def hang_in_native_code() -> None:
    import ctypes

    ctypes.PyDLL(None).pause()  # keeps the interpreter's lock


def stay_in_native_code(mark: str) -> None:
    """Write the process number, then keep the interpreter's lock."""
    Path(mark).write_text(str(os.getpid()))
    hang_in_native_code()


def fail_oddly() -> None:
    class OddError(Exception):
        def __init__(self, *, word: str) -> None:
            super().__init__(word)

    raise OddError(word="odd")


def never_done(*_: object) -> None:
    time.sleep(10_000)
