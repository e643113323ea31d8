"""What goes wrong overnight: killed parents, full disks, folders without rights."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EFBIG, ENOSPC
from pathlib import Path
from typing import Any

import pytest

from flowvision.batch.jobs import find_shots, jobs_for
from flowvision.batch.session import Plan, run_plan
from flowvision.batch.store import Journal
from flowvision.errors import ExitCode, OutputError
from flowvision.files import UNFINISHED, cannot_write
from flowvision.image.codec import decode
from tests.commands import (
    UNSOLVABLE_PNG,
    exit_code,
    posix_only,
    results,
    run_batch,
    run_jobs_in_this_process,
    write_numbered,
    write_shots,
)

RUN = """
import os, signal, sys, threading
from flowvision.batch.store import Store
from flowvision.cli import main

folder, out, *killed = sys.argv[1:]
left, delay = [int(killed[0]), float(killed[1])] if killed else [-1, 0.0]
add = Store.add

def counted(store, job, outcome):
    global left
    fresh = add(store, job, outcome)
    left -= fresh
    kill_at_zero()
    return fresh

def kill_at_zero():
    if left == 0:
        threading.Timer(delay, os.kill, (os.getpid(), signal.SIGKILL)).start()

Store.add = counted
kill_at_zero()
main(["batch", folder, "-o", out, "--jobs", "2", "--quiet"])
"""
"""A run that kills itself some seconds after some new outcomes: a parent could be late."""


def published(out: Path) -> dict[str, bytes]:
    """Return the pixels of every picture; the same ones may be packed in two ways."""
    pictures = [path for path in out.rglob("*") if path.suffix in (".png", ".jpg")]
    return {str(path.relative_to(out)): decode(path.read_bytes()).bgr.tobytes() for path in pictures}


PICTURES = 16


@posix_only
def test_a_killed_run_continues_to_the_same_end(tmp_path: Path) -> None:
    folder, out, undisturbed = write_numbered(tmp_path / "in", 14), tmp_path / "out", tmp_path / "undisturbed"
    write_shots(folder, bad=UNSOLVABLE_PNG, broken=b"no picture")
    run_batch(folder, out, workers=2)
    os.rename(out, undisturbed)  # its files name the folder ``out``
    journal, lines_reached = out / ".flowvision" / "journal.ndjson", set[int]()
    command = [sys.executable, "-c", RUN, str(folder), str(out)]
    for new_outcomes, seconds in ((0, 0.0), (3, 0.02), (1, 0.01), (4, 0.0)):  # 0: killed as it starts
        subprocess.run([*command, str(new_outcomes), str(seconds)], stderr=subprocess.DEVNULL, check=False)
        lines_reached.add(journal.read_bytes().count(b"\n") if journal.exists() else 0)
    # Enough to know that runs were cut in the middle: on a busy machine a kill may come late.
    assert len(lines_reached - {0, PICTURES}) >= 2, lines_reached
    assert subprocess.run(command, check=False).returncode == ExitCode.SOME_FAILED
    assert results(out) == results(undisturbed)
    assert published(out) == published(undisturbed)
    assert not [path for path in out.rglob("*") if path.name.endswith(UNFINISHED)]


def test_a_full_disk_is_reported_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_jobs_in_this_process(monkeypatch)
    folder, out = write_numbered(tmp_path / "in", 4), tmp_path / "out"

    def full_for_one(path: Any, chunks: tuple[bytes, ...], _: object) -> None:
        if str(path).endswith("0002.solved.png"):
            raise cannot_write(path, OSError(ENOSPC, "No space left on device"))
        Path(path).write_bytes(b"".join(chunks))

    with monkeypatch.context() as patch:
        patch.setattr("flowvision.batch.work.put_file", full_for_one)
        first = run_batch(folder, out)
    assert first.codes == {"0000": "", "0001": "", "0002": "output-not-written", "0003": ""}
    assert "No space left" in first.outcomes[2].message
    assert first.outcomes[2].answer["error"]["hint"]
    second = run_batch(folder, out)
    assert (second.redone, set(second.codes.values())) == (["0002"], {""})


def test_a_journal_that_cannot_grow_ends_the_run_whole(tmp_path, monkeypatch, capsys) -> None:
    run_jobs_in_this_process(monkeypatch)
    folder, out, add = write_numbered(tmp_path / "in", 6), tmp_path / "out", Journal.add

    def full_at_0003(journal: Journal, entry: dict[str, Any]) -> None:
        if entry["name"] == "0003":
            raise cannot_write(journal.path, OSError(EFBIG, "File too large"))
        add(journal, entry)

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "add", full_at_0003)
        assert exit_code("batch", folder, "-o", out) == ExitCode.OUTPUT_NOT_WRITTEN
    printed = capsys.readouterr().err
    assert "journal.ndjson: File too large" in printed
    assert "the same command continues" in printed
    recorded = [out / f"000{number}.solved.png" for number in range(3)]
    times = [path.stat().st_mtime_ns for path in recorded]
    assert exit_code("batch", folder, "-o", out) == 0
    assert "3 were done before" in capsys.readouterr().err
    assert len(results(out)) == 6
    assert [path.stat().st_mtime_ns for path in recorded] == times


@contextmanager
def bound_by_permissions() -> Iterator[None]:
    """Give up the rights of root for a while."""
    user = os.geteuid()
    os.seteuid(user or 65534)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder whose rights are restored in the end."""
    folder = Path(tempfile.mkdtemp())
    yield folder
    for path in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
        path.chmod(0o755)
    shutil.rmtree(folder)


@posix_only
def test_nothing_is_written_to_a_folder_that_is_read_only(tmp_path, place, monkeypatch) -> None:
    run_jobs_in_this_process(monkeypatch)
    folder = write_numbered(tmp_path / "in", 2)
    run_batch(folder, place / "out")
    before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    for path in (place, *place.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    for out in (place / "out", place / "new"):
        jobs = jobs_for(find_shots([str(folder)])[0], out)
        with bound_by_permissions(), pytest.raises(OutputError, match="Permission denied"):
            run_plan(Plan(jobs, str(out)), lambda *_: None)
    assert {path: path.read_bytes() for path in place.rglob("*") if path.is_file()} == before
