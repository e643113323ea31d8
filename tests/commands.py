"""Commands, scripts and batches run by tests, and what only some systems have."""

import importlib.util
import inspect
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from flowvision import errors
from flowvision.batch.jobs import USUAL, Outcome, Request, find_shots, jobs_for
from flowvision.batch.session import Plan, run_plan
from flowvision.cli import cli, main
from flowvision.image.codec import encode
from tests.drawing import LEVEL_5X5, UNSOLVABLE, screenshot_of

# Since click 8.2 stdout and stderr are always apart, and there is nothing to ask for.
_APART: dict[str, Any] = (
    {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}
)


def invoke(*arguments: object, given: str | None = None) -> Result:
    """Run ``flowvision`` with ``given`` on standard input."""
    return CliRunner(**_APART).invoke(cli, [str(argument) for argument in arguments], input=given)


def exit_code(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    return int(left.value.code or 0)


def flowvision(*arguments: str | bytes | Path, **options: Any) -> subprocess.CompletedProcess[Any]:
    """Run ``flowvision`` in a process of its own."""
    command = [sys.executable, "-m", "flowvision", *arguments]
    return subprocess.run(command, capture_output=True, check=False, **options)


def python(
    code: str, *arguments: object, check: bool = False, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=check, **options)


def modules_after(code: str) -> set[str]:
    """Return the modules that a fresh interpreter has loaded after ``code``."""
    done = python(f"{code}\nimport sys; print(' '.join(sys.modules))", check=True)
    return set(done.stdout.splitlines()[-1].split())


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals, pipes, limits and rights of POSIX")
interruptible = pytest.mark.skipif(
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN,
    reason="Ctrl-C is ignored in processes that a script starts in the background",
)


NIGHTLY = bool(os.environ.get("FLOWVISION_NIGHTLY"))
"""All cases of the sweeps, and new random ones: ``just nightly``."""
ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 300.0
"""Seconds after which a test gives up."""


def wait_until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


def script(place: str) -> ModuleType:
    """Import a script below the project's root, such as ``samples/make.py``."""
    spec = importlib.util.spec_from_file_location(place.replace("/", "_").removesuffix(".py"), ROOT / place)
    module = importlib.util.module_from_spec(spec)
    # Its dataclasses look for their module there.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def error_kinds(
    parent: type[errors.FlowvisionError] = errors.FlowvisionError,
) -> list[type[errors.FlowvisionError]]:
    return [kind for one in parent.__subclasses__() for kind in (one, *error_kinds(one))]


def submit(function: Callable[..., Any], *args: Any) -> Future[Any]:
    """Call in this thread; an interruption passes through."""
    made: Future[Any] = Future()
    try:
        made.set_result(function(*args))
    except Exception as error:
        made.set_exception(error)
    return made


def run_jobs_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the jobs of batches in this process."""
    monkeypatch.setattr("flowvision.batch.session.submitter_for", lambda _: nullcontext((submit, 1)))


class Run(NamedTuple):
    """A batch: its outcomes in input order, the names of pictures that were not reused, its messages."""

    outcomes: list[Outcome]
    redone: list[str]
    messages: list[str]

    @property
    def codes(self) -> dict[str, str]:
        """Return the code of each picture's error by its name; "" if it was solved."""
        return {Path(outcome.source).stem: outcome.code for outcome in self.outcomes}


def run_batch(
    folder: Path,
    out: Path,
    request: Request = USUAL,
    observe: Callable[[Outcome, bool], object] = lambda *_: None,
    **plan: Any,
) -> Run:
    """Run a batch of a folder tree; ``observe`` gets each outcome."""
    made = Run([], [], [])

    def noted(outcome: Outcome, reused: bool) -> None:
        made.outcomes.append(outcome)
        if not reused:
            made.redone.append(Path(outcome.source).stem)
        observe(outcome, reused)

    jobs = jobs_for(find_shots([str(folder)], recursive=True)[0], out, request)
    run_plan(Plan(jobs, str(out), tell=made.messages.append, **plan), noted)
    made.outcomes.sort(key=lambda outcome: outcome.number)
    return made


def results(out: Path) -> list[dict[str, Any]]:
    """Return the objects of an output folder without their times."""
    lines = (out / "results.ndjson").read_text().splitlines()
    return [{key: value for key, value in json.loads(line).items() if key != "seconds"} for line in lines]


LEVEL_PNG = encode(screenshot_of(LEVEL_5X5, pitch=20, corner=(4, 40)))
UNSOLVABLE_PNG = encode(screenshot_of(UNSOLVABLE, pitch=30, corner=(4, 40)))


def write_shots(folder: Path, **contents: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in contents.items():
        (folder / f"{name}.png").write_bytes(data)
    return folder


def write_numbered(folder: Path, count: int) -> Path:
    """Write distinct solvable screenshots into a folder."""
    return write_shots(folder, **{f"{number:04}": LEVEL_PNG + b"%d" % number for number in range(count)})
