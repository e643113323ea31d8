"""Bodies of requests, and answers of jobs: one object, or events while the job is done."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from flowvision.web.jobs import Client, Jobs, failure, failure_reply
from flowvision.web.queries import RefusedError
from flowvision.words import whole_number
from flowvision.workers.pool import Call
from flowvision.workers.worker import Tell

EVENTS = "text/event-stream"
Handler = Callable[[Request], Awaitable[Response]]


async def read_body(request: Request, max_bytes: int, seconds: float) -> bytes:
    """Return the whole body. Raises ``RefusedError`` when it is too long, too slow or of parts."""
    if request.headers.get("content-type", "").lower().startswith("multipart/"):
        raise RefusedError(
            415,
            "not-bytes",
            "The body is a form of several parts; the bytes of the picture or text were expected.",
            "With curl: `--data-binary @shot.png`, not `-F`.",
        )
    size = f"{max_bytes >> 20} MB" if max_bytes >= 1 << 20 else f"{max_bytes >> 10} kB"
    too_long = RefusedError(413, "too-large", f"At most {size} are taken.", "Send a smaller picture or text.")
    length = whole_number(request.headers.get("content-length", "0"))
    if length is None or length > max_bytes:
        raise too_long
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > max_bytes:
                    raise too_long
    except TimeoutError:
        message = f"The body did not arrive within {seconds:g} s."
        raise RefusedError(408, "too-slow", message, "Send it again.") from None
    except ClientDisconnect:
        raise RefusedError(400, "gone", "The connection ended before the body did.") from None
    return bytes(body)


def wants_events(request: Request) -> bool:
    """Tell if the client wants the stages as they happen."""
    return EVENTS in request.headers.get("accept", "")


async def result_of(
    request: Request, jobs: Jobs, client: Client, call: Call, tell: Tell | None = None
) -> Any:
    """Return the result of a job; end it when the client disconnects. Raises what ``Jobs.run`` raises."""
    job = asyncio.ensure_future(jobs.run(client, call, tell))
    gone = asyncio.ensure_future(_until_gone(request.receive))
    try:
        await asyncio.wait({job, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not job.done():
            raise RefusedError(400, "gone", "The client has disconnected.")
        return job.result()
    finally:
        for task in (job, gone):
            task.cancel()
            with suppress(BaseException):
                await task


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def answering(handler: Handler) -> Handler:
    """Return a handler that answers errors in words, also when the server ends."""

    async def handle(request: Request) -> Response:
        try:
            return await handler(request)
        except (Exception, asyncio.CancelledError) as error:
            return failure_reply(error, request.query_params.get("name", ""))

    return handle


class EventReply(Response):
    """Server-sent events: ``stage`` for each stage as it happens, then ``answer`` with the object."""

    def __init__(self, request: Request, jobs: Jobs, client: Client, call: Call) -> None:
        super().__init__(media_type=EVENTS)
        self._request, self._jobs, self._client, self._call = request, jobs, client, call

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        told: asyncio.Queue[Any] = asyncio.Queue()
        job = asyncio.ensure_future(
            result_of(self._request, self._jobs, self._client, self._call, told.put_nowait)
        )
        job.add_done_callback(lambda _: told.put_nowait(None))
        start = {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-type", EVENTS.encode())],
        }
        is_begun = False
        try:
            while (value := await told.get()) is not None:
                if not is_begun:
                    is_begun = True
                    await send(start)
                await send(_event("stage", value))
            made = await job
        except (Exception, asyncio.CancelledError) as error:
            if not is_begun and isinstance(error, RefusedError | asyncio.CancelledError):
                await failure_reply(error)(scope, receive, send)  # its status says: not begun
                return
            _, made = failure(error, self._request.query_params.get("name", ""))
        finally:
            job.cancel()
        if not is_begun:
            await send(start)
        await send(_event("answer", made) | {"more_body": False})


def _event(kind: str, value: Any) -> dict[str, Any]:
    data = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return {
        "type": "http.response.body",
        "body": f"event: {kind}\ndata: {data}\n\n".encode(),
        "more_body": True,
    }
