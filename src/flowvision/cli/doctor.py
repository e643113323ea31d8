"""``flowvision doctor``: what is installed, and all that a report of a fault needs in one file."""

from __future__ import annotations

import os
import platform
import re
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from flowvision.cli import fault_log, keep_fault
from flowvision.cli.options import FILE, limit_option
from flowvision.errors import FlowvisionError, crash_of
from flowvision.files import read_bytes, refuse_existing, write_bytes
from flowvision.version import VERSION

if TYPE_CHECKING:
    from pathlib import Path

    from flowvision.log import Step
    from flowvision.pipeline import SolvedPicture

PACKAGE = "flowvision-solver"
REPORT = "flowvision-report.zip"
"""Where a report about a screenshot is written."""
BUILD_LINES = ("Version control", "Parallel framework", "Intel IPP", "GUI", "FFMPEG", "PNG", "JPEG")
"""The lines of OpenCV's account of its build that tell one build from another."""


@click.command()
@click.argument("shot", required=False, metavar="[SHOT]", type=FILE)
@click.option(
    "-o",
    "--output",
    metavar="ZIP",
    type=FILE,
    help=f"Make a report, and where.  [default: {REPORT} with a SHOT, none without]",
)
@click.option("--yes", is_flag=True, help="Put the report together without asking.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@limit_option()
def doctor(shot: str | None, output: str | None, yes: bool, force: bool, limit: float) -> None:
    """Say what is installed, and where the last fault was noted.

    With a SHOT that fails: put the picture, its debug page, the versions and the last fault into one zip
    file to send, after asking; with -o alone, what there is without a picture. Nothing is sent.
    """
    text = "\n".join(installed())
    if shot is None and output is None:
        click.echo(text)
        return
    picture = read_bytes(shot) if shot else b""
    output = output or REPORT
    if not output.lower().endswith(".zip"):
        raise click.UsageError(f"A report is a zip file: `-o {os.path.splitext(output)[0]}.zip`.")
    if not force:
        refuse_existing(output)
    log = fault_log()
    if not yes:
        if not has_terminal():
            raise click.UsageError("Nobody can be asked in here: give --yes.")
        parts = [click.format_filename(shot), "its debug page"] if shot else []
        parts += ["the versions", *([f"the last fault ({last_fault()})"] if os.path.exists(log) else [])]
        click.confirm(f"Put {', '.join(parts)} into {output}?", abort=True, err=True)
    write_bytes(output, _report(picture, shot, text, limit))
    click.echo(
        f"Written in {output}. Look through it before you send it, and say what you expected to see.",
        err=True,
    )


def has_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()


def installed() -> Iterator[str]:
    """What is installed, a line each: versions, extras, OpenCV's build, the last fault."""
    from importlib.metadata import PackageNotFoundError, metadata, requires, version

    yield f"flowvision {VERSION} in {os.path.dirname(os.path.dirname(__file__))}"
    yield f"Python {platform.python_version()} ({platform.python_implementation()}), {platform.platform()}"
    try:
        extras = metadata(PACKAGE).get_all("Provides-Extra") or []
        needed = [*(requires(PACKAGE) or []), "opencv-python-headless; extra == 'headless'"]
    except PackageNotFoundError:
        extras, needed = [], ["click", "numpy", "opencv-python", "opencv-python-headless", "python-sat"]
    missing: dict[str, list[str]] = {}
    told = set[str]()
    for need in needed:
        name, _, condition = need.partition(";")
        name = re.split(r"[^\w.-]", name.strip(), maxsplit=1)[0]
        extra = condition.partition("extra ==")[2].strip(" '\"")
        try:
            line = f"{name} {version(name)}"
        except PackageNotFoundError:
            missing.setdefault(extra, []).append(name)
            continue
        if line not in told and extra not in ("dev", "docs"):
            told.add(line)
            yield line
    for extra in extras:
        if extra not in ("dev", "docs"):
            lacks = missing.get(extra)
            yield f"extra {extra}: {'there' if not lacks else 'lacks ' + ', '.join(lacks)}"
    yield from _opencv_build()
    lacks = missing.get("")
    yield f"needed and missing: {', '.join(lacks)}" if lacks else "all that is needed is installed"
    yield f"last fault: {last_fault()}"


def last_fault() -> str:
    """Where the last fault is noted, and when that was: it may be that of another picture."""
    log = fault_log()
    if not os.path.exists(log):
        return "none"
    return f"{log}, {time.strftime('%Y-%m-%d %H:%M', time.localtime(os.path.getmtime(log)))}"


def _opencv_build() -> Iterator[str]:
    try:
        import cv2
    except ImportError as error:
        yield f"OpenCV does not load: {error}"
        return
    for line in cv2.getBuildInformation().splitlines():
        name, _, value = line.strip().partition(":")
        if name in BUILD_LINES and value.strip():
            yield f"OpenCV {name}: {value.strip()}"


def _report(picture: bytes, shot: str | None, versions: str, limit: float) -> bytes:
    """The zip file: versions, the last fault, and a picture with its debug page and its outcome as JSON."""
    from io import BytesIO
    from pathlib import Path
    from tempfile import TemporaryDirectory
    from zipfile import ZIP_DEFLATED, ZipFile

    made = BytesIO()
    with TemporaryDirectory(prefix="flowvision-") as folder, ZipFile(made, "w", ZIP_DEFLATED) as archive:
        archive.writestr("versions.txt", f"{versions}\n")
        if shot:
            outcome = _looked_at(picture, shot, limit, Path(folder))
            archive.writestr(f"picture{os.path.splitext(shot)[1][:10] or '.bin'}", picture)
            archive.writestr("outcome.json", f"{outcome}\n")
        with suppress(OSError):
            archive.write(fault_log(), "last-fault.txt")
        for path in sorted(Path(folder).rglob("*")):
            archive.write(path, f"debug/{path.relative_to(folder)}")
    return made.getvalue()


def _looked_at(picture: bytes, shot: str, limit: float, folder: Path) -> str:
    """Solve it, with its debug page in the folder; the object of the contract, as JSON."""
    from flowvision.cli.screenshots import write_page
    from flowvision.contract import answer_object, error_object, json_line
    from flowvision.pipeline import solve_image
    from flowvision.reading.options import Options

    steps: list[Step] = []
    options = Options(seconds=limit)
    final: SolvedPicture | FlowvisionError
    try:
        final = solve_image(picture, options, steps.append)
    except FlowvisionError as error:
        final = error
    except Exception as error:
        keep_fault(error)
        final = crash_of(error)
    try:
        write_page(folder, steps, options, final)
    except Exception as error:  # the page itself may be what fails
        keep_fault(error)
    if isinstance(final, FlowvisionError):
        return json_line(error_object(shot, final))
    return json_line(answer_object(shot, final.checked, None))
