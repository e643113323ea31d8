"""``flowvision doctor``: installed versions, and one zip file for a bug report."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from flowvision.cli import fault_log, keep_fault
from flowvision.cli.options import FILE, limit_option
from flowvision.errors import crash_of
from flowvision.files import read_bytes, refuse_existing, write_bytes
from flowvision.version import VERSION

if TYPE_CHECKING:
    from pathlib import Path

    from flowvision.log import Step

PACKAGE = "flowvision-solver"
REPORT = "flowvision-report.zip"
BUILD_LINES = ("Version control", "Parallel framework", "Intel IPP", "GUI", "FFMPEG", "PNG", "JPEG")
"""Lines of OpenCV's build information that tell builds apart."""


@click.command()
@click.argument("shot", required=False, metavar="[SHOT]", type=FILE)
@click.option(
    "-o",
    "--output",
    metavar="ZIP",
    type=FILE,
    help=f"Write a report there.  [default: {REPORT} with a SHOT, else none]",
)
@click.option("--force", is_flag=True, help="Replace an existing file.")
@limit_option()
def doctor(shot: str | None, output: str | None, force: bool, limit: float) -> None:
    """List what is installed, and the place of the last fault.

    With a SHOT, write a zip file for a bug report: the picture, its debug page, the versions and the last
    fault. With -o alone, write one without a picture. Nothing is sent.
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
    write_bytes(output, _report(picture, shot, text, limit))
    click.echo(f"Written to {output}. Look through it, and say what you expected to see.", err=True)


def installed() -> Iterator[str]:
    """Yield what is installed, a line each: versions, extras, OpenCV's build, the last fault."""
    from importlib.metadata import PackageNotFoundError, requires, version

    yield f"flowvision {VERSION} in {os.path.dirname(os.path.dirname(__file__))}"
    yield f"Python {platform.python_version()} ({platform.python_implementation()}), {platform.platform()}"
    with suppress(PackageNotFoundError):  # run from its source
        for need in requires(PACKAGE) or ():
            name = re.split(r"[^\w.-]", need, maxsplit=1)[0]
            extra = need.partition("extra ==")[2].strip(" '\"")
            if extra not in ("dev", "docs"):
                try:
                    found = version(name)
                except PackageNotFoundError:
                    found = "is missing"
                yield f"{name} {found}{f' (extra {extra})' if extra else ''}"
    try:
        import cv2
    except ImportError as error:
        yield f"OpenCV does not load: {error}"
    else:
        yield f"OpenCV {cv2.__version__}"
        for line in cv2.getBuildInformation().splitlines():
            build, _, value = line.strip().partition(":")
            if build in BUILD_LINES and value.strip():
                yield f"OpenCV {build}: {value.strip()}"
    yield f"last fault: {fault_log() if os.path.exists(fault_log()) else 'none'}"


def _report(picture: bytes, shot: str | None, versions: str, limit: float) -> bytes:
    """Return the zip file: versions, the last fault, and a picture with its debug page and outcome."""
    from io import BytesIO
    from pathlib import Path
    from tempfile import TemporaryDirectory
    from zipfile import ZIP_DEFLATED, ZipFile

    data = BytesIO()
    with TemporaryDirectory(prefix="flowvision-") as folder, ZipFile(data, "w", ZIP_DEFLATED) as archive:
        archive.writestr("versions.txt", f"{versions}\n")
        if shot:
            archive.writestr("outcome.json", f"{_outcome(picture, shot, limit, Path(folder))}\n")
            archive.writestr(f"picture{os.path.splitext(shot)[1][:10] or '.bin'}", picture)
        with suppress(OSError):
            archive.write(fault_log(), "last-fault.txt")
        for path in sorted(Path(folder).rglob("*")):
            archive.write(path, f"debug/{path.relative_to(folder)}")
    return data.getvalue()


def _outcome(picture: bytes, shot: str, limit: float, folder: Path) -> str:
    """Solve a picture and write its debug page; return the object of the contract as JSON."""
    from flowvision.cli.solve import write_page
    from flowvision.contract import json_line
    from flowvision.export.answer import Answer, answer_to
    from flowvision.reading.options import Options

    steps: list[Step] = []
    options = Options(seconds=limit)
    try:
        answer = answer_to(picture, options, steps.append, name=shot)
    except Exception as error:
        keep_fault(error)
        answer = Answer(shot, options, steps=tuple(steps), error=crash_of(error))
    try:
        write_page(folder, answer)
    except Exception as error:  # the page itself may be what fails
        keep_fault(error)
    return json_line(answer.to_dict())
