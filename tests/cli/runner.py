"""A runner of commands that keeps what goes to stdout and to stderr apart, with every click."""

from __future__ import annotations

import inspect
from typing import Any

from click.testing import CliRunner, Result

from flowvision.cli import cli

# Since click 8.2 the two are always apart, and there is nothing to ask for.
_APART: dict[str, Any] = (
    {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}
)


def invoke(*arguments: object, given: str | None = None) -> Result:
    """The result of ``flowvision`` with these arguments, and ``given`` on its standard input."""
    return CliRunner(**_APART).invoke(cli, [str(argument) for argument in arguments], input=given)
