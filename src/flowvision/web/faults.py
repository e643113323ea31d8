"""What the server refuses, as answers: a status, a code, what was wrong and what to do."""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse

from flowvision.contract import error_object
from flowvision.errors import CrashedError, FlowvisionError


class RefusedError(Exception):
    """A request that is not answered: HTTP ``status``, a code of its own, a message and a hint."""

    def __init__(self, status: int, code: str, message: str, hint: str = "") -> None:
        super().__init__(status, code, message, hint)
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint

    @property
    def described(self) -> dict[str, Any]:
        """The object that is answered, in the form of the contract's errors."""
        return {"ok": False, "error": {"code": self.code, "message": self.message, "hint": self.hint}}

    def response(self) -> JSONResponse:
        """The whole answer."""
        headers = {"Retry-After": "1"} if self.status == 429 else None
        return JSONResponse(self.described, self.status, headers)


def status_of(error: FlowvisionError) -> int:
    """422 for what cannot be read or solved, 500 for a fault of Flowvision."""
    return 500 if isinstance(error, CrashedError) else 422


def failure(error: FlowvisionError, name: str = "") -> JSONResponse:
    """The answer for an error of the library."""
    return JSONResponse(error_object(name, error), status_of(error))
