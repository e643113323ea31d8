"""``flowvision doctor``: installed versions, and one zip file for a bug report."""

from __future__ import annotations

import os
import platform
import re
import traceback
from collections.abc import Iterator
from contextlib import suppress

import click

from flowvision import __version__
from flowvision.cli.options import FILE
from flowvision.cli.printing import tell
from flowvision.errors import crash_of
from flowvision.files import read_bytes, refuse_replacing, write_bytes

PACKAGE = "flowvision-solver"
REPORT = "flowvision-report.zip"


@click.command()
@click.argument("shot", required=False, metavar="[SHOT]", type=FILE)
def doctor(shot: str | None) -> None:
    """List what is installed.

    With a SHOT, write flowvision-report.zip for a bug report: the picture, its debug page and the versions.
    Nothing is sent.
    """
    text = "\n".join(installed())
    if shot is None:
        click.echo(text)
        return
    picture = read_bytes(shot)
    refuse_replacing(REPORT, hint="Move it away first.")
    write_bytes(REPORT, _report(shot, picture, text))
    tell(f"Written to {REPORT}. Look through it, and say what you expected to see.", err=True)


def installed() -> Iterator[str]:
    """Yield what is installed, a line each: versions and extras."""
    from importlib.metadata import PackageNotFoundError, requires, version

    yield f"flowvision {__version__} in {os.path.dirname(os.path.dirname(__file__))}"
    version_and_kind = f"{platform.python_version()} ({platform.python_implementation()})"
    yield f"Python {version_and_kind}, {platform.platform()}"
    with suppress(PackageNotFoundError):  # run from its source
        for need in requires(PACKAGE) or ():
            name = re.split(r"[^\w.-]", need, maxsplit=1)[0]
            extra = need.partition("extra ==")[2].strip(" '\"")
            if extra not in ("dev", "docs"):
                try:
                    version_words = version(name)
                except PackageNotFoundError:
                    version_words = "is missing"
                yield f"{name} {version_words}{f' (extra {extra})' if extra else ''}"
    try:
        import cv2
    except ImportError as error:
        yield f"OpenCV does not load: {error}"
    else:
        yield f"OpenCV {cv2.__version__}"


def _report(shot: str, picture: bytes, versions: str) -> bytes:
    """Return a zip file: versions, outcome, bugs, the picture, and its debug page.

    ``shot``: the name of the picture.
    """
    from io import BytesIO
    from pathlib import Path
    from tempfile import TemporaryDirectory
    from zipfile import ZIP_DEFLATED, ZipFile

    from flowvision.cli.solve import write_page
    from flowvision.contract import json_line
    from flowvision.export.answer import Answer, answer_to

    data, bugs = BytesIO(), ""
    with TemporaryDirectory(prefix="flowvision-") as folder, ZipFile(data, "w", ZIP_DEFLATED) as archive:
        try:
            answer = answer_to(picture, name=shot)
        except Exception as error:
            bugs, answer = traceback.format_exc(), Answer(shot, error=crash_of(error))
        if answer.error and answer.error.code == "crashed":
            bugs = "".join(traceback.format_exception(answer.error.__cause__ or answer.error))
        try:
            write_page(Path(folder), answer)
        except Exception:  # the page itself may be what fails
            bugs += traceback.format_exc()
        outcome = json_line(answer.to_dict())
        for name, text in (("versions.txt", versions), ("outcome.json", outcome), ("bugs.txt", bugs)):
            archive.writestr(name, f"{text}\n")
        suffix = os.path.splitext(shot)[1][:10]
        archive.writestr(f"picture{suffix or '.bin'}", picture)
        for path in sorted(Path(folder).rglob("*")):
            archive.write(path, f"debug/{path.relative_to(folder)}")
    return data.getvalue()
