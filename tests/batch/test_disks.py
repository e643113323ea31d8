"""Disks that are full, and folders that may not be written."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest

from flowvision.batch.jobs import find_shots, jobs_for
from flowvision.batch.session import Plan, run_plan
from flowvision.errors import ExitCode, OutputError
from flowvision.files import cannot_write
from tests.commands import numbered, run, work_here


def test_a_full_disk_is_said_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work_here(monkeypatch)
    folder, out = numbered(tmp_path / "in", 4), tmp_path / "out"

    def full(path: Any, chunks: tuple[bytes, ...], _: object) -> None:
        if str(path).endswith("0002.solved.png"):
            raise cannot_write(path, OSError(ENOSPC, "No space left on device"))
        Path(path).write_bytes(b"".join(chunks))

    monkeypatch.setattr("flowvision.batch.work.put_file", full)
    outcomes = run(folder, out).outcomes
    assert [one.code for one in outcomes] == ["", "", "output-not-written", ""]
    assert "No space left" in outcomes[2].message
    assert "Make room" in outcomes[2].answer["error"]["hint"]
    monkeypatch.undo()
    work_here(monkeypatch)
    assert [one.code for one in run(folder, out).outcomes] == [""] * 4


LIMITED = """
import resource, sys
from flowvision.cli import main
if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
    main(["batch", sys.argv[1], "-o", sys.argv[2], "--jobs", "1"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes")
def test_a_journal_that_cannot_grow_ends_the_run_whole(tmp_path: Path) -> None:
    """The system cuts a line short: what was done before is kept, said, and continued from."""
    folder, out, script = numbered(tmp_path / "in", 24), tmp_path / "out", tmp_path / "limited.py"
    script.write_text(LIMITED)

    def batch(most: int) -> subprocess.CompletedProcess[str]:
        # -B: the limit would cut bytecode short as well, in the cache that all other tests read.
        command = [sys.executable, "-B", str(script), str(folder), str(out), str(most)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    stopped = batch(14_000)  # any picture is smaller, the objects of all pictures are larger
    assert stopped.returncode == ExitCode.OUTPUT_NOT_WRITTEN
    assert "journal.ndjson: File too large" in stopped.stderr
    assert "the same command continues" in stopped.stderr
    lines = (out / ".flowvision" / "journal.ndjson").read_text().splitlines()
    names = [json.loads(line)["name"] for line in lines]
    assert 0 < len(names) < 24
    done = {name: (out / f"{name}.solved.png").stat().st_mtime_ns for name in names}
    again = batch(10**9)
    assert (again.returncode, f"{len(names)} were done before" in again.stderr) == (0, True)
    assert len((out / "results.ndjson").read_text().splitlines()) == 24
    assert all((out / f"{name}.solved.png").stat().st_mtime_ns == at for name, at in done.items())


@contextmanager
def nobody() -> Iterator[None]:
    """Someone whom permissions bind, as they do not bind root."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of folders")
def test_a_folder_that_is_read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said before anything is solved, of an earlier run's folder and of a new one; nothing changes."""
    work_here(monkeypatch)
    folder, place = numbered(tmp_path / "in", 2), Path(tempfile.mkdtemp())
    try:
        run(folder, place / "out")
        before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
        for path in (place, *place.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        for out in (place / "out", place / "new"):
            jobs = jobs_for(find_shots([str(folder)])[0], out)
            with nobody(), pytest.raises(OutputError, match="Permission denied"):
                run_plan(Plan(jobs, str(out)), lambda *_: None)
        assert {path: path.read_bytes() for path in place.rglob("*") if path.is_file()} == before
    finally:
        for path in (place, *(path for path in place.rglob("*") if path.is_dir())):
            path.chmod(0o755)
        shutil.rmtree(place)
