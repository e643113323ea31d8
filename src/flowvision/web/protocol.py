"""HTTP as uvicorn speaks it, with bounds for those who open connections and say nothing."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from flowvision.web.limits import WebLimits


def bounded_protocol(limits: WebLimits) -> type[H11Protocol]:
    """The protocol of connections with these limits, as uvicorn takes it: a class."""
    return type("BoundedProtocol", (_Bounded,), {"limits": limits})


class _Bounded(H11Protocol):
    """One connection, with a time limit for headers; an address may have half of all connections."""

    limits: ClassVar[WebLimits]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._headers_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        same = sum(_address(other) == _address(self) for other in self.connections)
        if len(self.connections) > self.limits.connections or same > self.limits.connections // 2:
            transport.abort()
            return
        self._watch_headers()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._headers_due:
            self._headers_due.cancel()

    def _watch_headers(self) -> None:
        """Count the time while a request has not come in whole, and only then."""
        if not self._is_waiting():
            if self._headers_due:
                self._headers_due.cancel()
                self._headers_due = None
        elif self._headers_due is None:
            self._headers_due = self.loop.call_later(self.limits.header_seconds, self._too_slow)

    def _is_waiting(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _too_slow(self) -> None:
        self._headers_due = None
        if self._is_waiting():
            self.transport.abort()


def _address(connection: Any) -> str | None:
    return connection.client[0] if connection.client else None
