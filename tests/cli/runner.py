"""Commands run in this process: by their exit codes, or with what they said."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from flowvision.cli import cli, main

# Since click 8.2 stdout and stderr are always apart, and there is nothing to ask for.
_APART: dict[str, Any] = (
    {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}
)


def invoke(*arguments: object, given: str | None = None) -> Result:
    """The result of ``flowvision`` with these arguments, and ``given`` on its standard input."""
    return CliRunner(**_APART).invoke(cli, [str(argument) for argument in arguments], input=given)


def exit_code(*arguments: str | Path) -> int:
    """The code with which ``flowvision`` leaves, given these arguments."""
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    return int(left.value.code or 0)
