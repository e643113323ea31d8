"""How a job is answered: as one object, or event by event while it is done; ended when nobody listens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from flowvision.contract import error_object
from flowvision.errors import CrashedError, FlowvisionError, shortage_of
from flowvision.web.jobs import Client, Jobs, RefusedError, failure
from flowvision.workers.pool import Call
from flowvision.workers.worker import Tell

EVENTS = "text/event-stream"


def wants_events(request: Request) -> bool:
    """Whether the stages are to be told as they happen."""
    return EVENTS in request.headers.get("accept", "")


async def result_of(
    request: Request, jobs: Jobs, client: Client, call: Call, tell: Tell | None = None
) -> Any:
    """The result of a job that is ended when the client goes away. Raises what ``Jobs.run`` raises."""
    job = asyncio.ensure_future(jobs.run(client, call, tell))
    gone = asyncio.ensure_future(_until_gone(request.receive))
    try:
        await asyncio.wait({job, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not job.done():
            raise RefusedError(400, "gone", "The client has gone.")
        return job.result()
    finally:
        for task in (job, gone):
            task.cancel()
            with suppress(BaseException):
                await task


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


Handler = Callable[[Request], Awaitable[Response]]


def answering(handler: Handler) -> Handler:
    """A handler that says what is wrong, where something is."""

    async def handle(request: Request) -> Response:
        name = request.query_params.get("name", "")
        try:
            return await handler(request)
        except RefusedError as refused:
            return refused.response()
        except FlowvisionError as error:
            return failure(error, name)
        except Exception as error:  # a bug in a worker: said, never shown in detail
            return failure(_crash_in_worker(error), name)

    return handle


class EventReply(Response):
    """Server-sent events: ``stage`` for each stage as it happens, then ``answer`` with the object."""

    def __init__(self, request: Request, jobs: Jobs, client: Client, call: Call, name: str) -> None:
        super().__init__(media_type=EVENTS)
        self._request, self._jobs, self._client, self._call, self._name = request, jobs, client, call, name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        told: asyncio.Queue[tuple[str, Any] | None] = asyncio.Queue()
        job = asyncio.ensure_future(
            result_of(
                self._request,
                self._jobs,
                self._client,
                self._call,
                lambda value: told.put_nowait(("stage", value)),
            )
        )
        job.add_done_callback(lambda _: told.put_nowait(None))
        job.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may be left to hear
        headers = [(b"content-type", EVENTS.encode())]
        try:
            event = await told.get()
            if event is None and isinstance(refused := job.exception(), RefusedError):
                return await refused.response()(scope, receive, send)  # a status says that it was not begun
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            while event is not None:
                await send({"type": "http.response.body", "body": _event(*event), "more_body": True})
                event = await told.get()
            made = await _object_of(job, self._name)
            await send({"type": "http.response.body", "body": _event("answer", made), "more_body": False})
        finally:
            job.cancel()


async def _object_of(job: asyncio.Future[Any], name: str) -> Any:
    """The result, or the object of what went wrong."""
    try:
        return await job
    except RefusedError as refused:
        return refused.described
    except FlowvisionError as error:
        return error_object(name, error)
    except Exception as error:
        return error_object(name, _crash_in_worker(error))


def _crash_in_worker(error: Exception) -> CrashedError:
    """What the machine has run out of; of a bug no more than its kind."""
    return shortage_of(error) or CrashedError(f"{type(error).__name__} in a worker.")


def _event(kind: str, value: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps(value, ensure_ascii=False, allow_nan=False)}\n\n".encode()
