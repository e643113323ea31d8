"""Processes that each do one job at a time, and that can be ended in the middle of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from multiprocessing.reduction import ForkingPickler
from time import monotonic
from typing import Any

from flowvision.errors import CrashedError, GaveUpError
from flowvision.value import value_type
from flowvision.workers.worker import Prepare, Worker, start_worker

FALSE_STARTS = 3
"""So many processes in a row that die before they are ready mean that none ever will be."""

Tell = Callable[[Any], None]


@value_type(eq=False)
class Call:
    """``function(*args)`` in another process, within ``seconds``; ``tells``: it takes ``tell`` as well."""

    function: Callable[..., Any]
    args: tuple[Any, ...] = ()
    seconds: float = 30.0
    tells: bool = False


@dataclass(slots=True, eq=False)
class _Hand:
    """A worker, and the thread that listens to it and in the end puts it away."""

    worker: Worker[str]
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "hand"))

    def kill(self) -> None:
        """End the process at once; its pipe is closed by the thread that listens to it."""
        self.worker.process.kill()
        self.thread.submit(self.worker.end)
        self.thread.shutdown(wait=False)


class Crew:
    """``count`` processes at work, and a spare that steps in at once for one that was ended."""

    def __init__(self, count: int, prepare: Prepare | None = None) -> None:
        self.count = count
        self._prepare = prepare
        self._room = asyncio.Semaphore(count)
        self._idle: asyncio.Queue[_Hand | CrashedError] = asyncio.Queue()
        self._hands: set[_Hand] = set()
        self._hiring: set[asyncio.Task[None]] = set()
        self._is_open = True

    def open(self) -> None:
        """Begin to start the processes; calls may be made at once."""
        for _ in range(self.count + 1):
            self._hire()

    async def close(self) -> None:
        """End every process, whatever it is doing."""
        self._is_open = False
        await asyncio.gather(*self._hiring, return_exceptions=True)
        for hand in list(self._hands):
            self._dismiss(hand)

    async def call(self, call: Call, tell: Tell | None = None) -> Any:
        """The result of a call, or its exception; a cancelled call has its process ended.

        A process that dies costs one more try. Raises ``GaveUpError`` when time is over and ``CrashedError``
        when processes die.
        """
        payload = bytes(ForkingPickler.dumps((call.function, call.args, {}, call.tells)))
        async with self._room:
            tries = 0
            for _ in range(self.count + 3):  # each idle process may have died unnoticed, and two in the job
                hand = await self._take()
                try:
                    return await self._converse(hand, payload, call.seconds, tell or _ignore)
                except (EOFError, OSError):
                    tries += hand.worker.begun
                    if tries == 2:
                        break
            died = hand.worker.cause_of_death()
            raise CrashedError(f"The process that did the work {died}, twice.")

    async def _take(self) -> _Hand:
        while True:
            hand = await self._idle.get()
            if isinstance(hand, CrashedError):
                self._hire()
                raise hand
            if hand.worker.process.is_alive():
                return hand
            self._dismiss(hand)
            self._hire()

    async def _converse(self, hand: _Hand, payload: bytes, seconds: float, tell: Tell) -> Any:
        """Have a process do a job, and pass on what it tells."""
        loop, done = asyncio.get_running_loop(), False
        try:
            message = await loop.run_in_executor(hand.thread, _begin, hand.worker, payload, seconds)
            while message[0] is None:
                tell(message[1])
                message = await loop.run_in_executor(hand.thread, _next_message, hand.worker)
            hand.worker.rest()
            done = True
        finally:
            if done:
                self._idle.put_nowait(hand)
            else:
                self._dismiss(hand)
                self._hire()
        worked, result = message
        if not worked:
            raise result
        return result

    def _dismiss(self, hand: _Hand) -> None:
        self._hands.discard(hand)
        hand.kill()

    def _hire(self) -> None:
        """Have one more process join the idle ones as soon as it is ready."""
        if self._is_open:
            task = asyncio.create_task(self._start())
            self._hiring.add(task)
            task.add_done_callback(self._hiring.discard)

    async def _start(self) -> None:
        for _ in range(FALSE_STARTS):
            try:
                worker = await asyncio.to_thread(start_worker, self._prepare)
            except Exception as error:  # no memory, or too many processes
                self._idle.put_nowait(CrashedError(f"No process could be started: {error}."))
                return
            hand = _Hand(worker)
            self._hands.add(hand)
            try:
                await asyncio.get_running_loop().run_in_executor(hand.thread, _next_message, worker)
            except (EOFError, OSError, GaveUpError):
                self._dismiss(hand)
                if not self._is_open:
                    return
                continue
            worker.rest()
            self._idle.put_nowait(hand)
            return
        self._idle.put_nowait(CrashedError("No process could be started: each died at once."))


def _ignore(_: Any) -> None:
    """What nobody listens to."""


def _begin(worker: Worker[str], payload: bytes, seconds: float) -> Any:
    worker.give("job", payload, seconds)
    return _next_message(worker)


def _next_message(worker: Worker[str]) -> Any:
    """The next message. Raises ``EOFError`` or ``OSError`` when it is dead, ``GaveUpError`` in time."""
    while True:
        wait(worker.watched(), max(0.0, worker.deadline - monotonic()))
        message = worker.receive()
        if message is not None:
            return message
        if monotonic() >= worker.deadline:
            raise GaveUpError("Not done in time; the process that did the work was ended.")
