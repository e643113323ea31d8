"""What goes wrong overnight: broken files, killed parents, full disks, files that vanish, odd names."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from flowvision.batch.inputs import find_shots, jobs_for
from flowvision.batch.jobs import Done, Failed, Outcome
from flowvision.batch.session import Plan, run_plan
from flowvision.errors import OutputError
from tests.batch.shots import BAD, GOOD, numbered, write_shots


def run(folder: Path, out: Path, workers: int = 1) -> list[Outcome]:
    """Every outcome, in the order of the inputs."""
    outcomes: list[Outcome] = []
    jobs = jobs_for(find_shots([str(folder)]).shots, out)
    run_plan(Plan(jobs, str(out), workers=workers), lambda outcome, _: outcomes.append(outcome))
    return sorted(outcomes, key=lambda outcome: outcome.number)


def results(out: Path) -> list[dict[str, Any]]:
    """The objects of the contract, without their times."""
    lines = (out / "results.ndjson").read_text().splitlines()
    return [{key: value for key, value in json.loads(line).items() if key != "seconds"} for line in lines]


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims to be so large."""
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))


BROKEN = {
    "empty": b"",
    "one-byte": b"\x89",
    "text": b"not a picture\n" * 50,
    "html": b"<!doctype html><title>no</title>",
    "zeros": bytes(4000),
    "noise": Random(1).randbytes(5000),
    "signature": GOOD[:8],
    "header": GOOD[:33],
    "half": GOOD[: len(GOOD) // 2],
    "flipped": GOOD[:200] + bytes(255 - b for b in GOOD[200:400]) + GOOD[400:],
    "huge": png_header(40_000, 40_000),
    "flat": png_header(0, 100),
    "pdf": b"%PDF-1.7\n" + bytes(100),
    "mp4": b"\0\0\0\x18ftypmp42" + bytes(200),
    "zip": b"PK\x03\x04" + bytes(100),
    "jpeg-start": b"\xff\xd8\xff\xe0" + bytes(50),
    "gif": b"GIF89a" + bytes(20),
    "tiff": b"II*\0" + b"\xff" * 100,
    "webp": b"RIFF\x10\0\0\0WEBPVP8 ",
    "unsolvable": BAD,
}


def test_twenty_kinds_of_broken_files_harm_no_other(tmp_path: Path) -> None:
    """Each fails by itself with an error that says why; every good one among them is solved."""
    folder = write_shots(tmp_path / "in", **BROKEN)
    numbered(folder, 6)
    outcomes = run(folder, tmp_path / "out", workers=2)
    failed = {Path(one.source).stem: one for one in outcomes if isinstance(one, Failed)}
    assert set(failed) - {"flipped"} == set(BROKEN) - {"flipped"}
    assert all(one.message and one.code not in ("", "crashed") for one in failed.values())
    assert sum(isinstance(one, Done) for one in outcomes) >= 6


RUN = """
import sys
from flowvision.cli import main
main(["batch", sys.argv[1], "-o", sys.argv[2], "--jobs", "2", "--quiet"])
"""


def test_a_killed_run_continues_to_the_same_end(tmp_path: Path) -> None:
    """Killed at ten random moments, the end is that of an undisturbed run, to the byte save the times."""
    folder = numbered(tmp_path / "in", 30)
    write_shots(folder, bad=BAD, broken=b"no picture")
    run(folder, tmp_path / "out", workers=2)
    whole = {path.name: path.read_bytes() for path in (tmp_path / "out").glob("*.solved.png")}
    os.rename(tmp_path / "out", tmp_path / "undisturbed")
    random = Random(7)
    command = [sys.executable, "-c", RUN, str(folder), str(tmp_path / "out")]
    for _ in range(10):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.1, 1.4))
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert subprocess.run(command, check=False).returncode == 11
    assert results(tmp_path / "out") == results(tmp_path / "undisturbed")
    again = {path.name: path.read_bytes() for path in (tmp_path / "out").glob("*.solved.png")}
    assert again == whole
    left = [path.name for path in (tmp_path / "out").rglob("*") if path.name.endswith((".tmp", ".part"))]
    assert left == []


def test_a_full_disk_is_said_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture that could not be written fails, is said to, and is tried again in the next run."""
    from contextlib import nullcontext

    monkeypatch.setattr("flowvision.batch.session.workers", lambda *_: nullcontext(None))
    folder, out = numbered(tmp_path / "in", 4), tmp_path / "out"

    def full(path: Any, data: bytes) -> None:
        if str(path).endswith("0002.solved.png"):
            raise OutputError(f"Cannot write {path}: No space left on device.")
        Path(path).write_bytes(data)

    monkeypatch.setattr("flowvision.batch.work.write_bytes", full)
    outcomes = run(folder, out)
    assert [type(one) for one in outcomes] == [Done, Done, Failed, Done]
    assert "No space left" in getattr(outcomes[2], "message", "")
    monkeypatch.undo()
    monkeypatch.setattr("flowvision.batch.session.workers", lambda *_: nullcontext(None))
    assert [type(one) for one in run(folder, out)] == [Done] * 4


def test_a_picture_that_vanishes_fails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was there when the folder was read, and is gone when its turn comes."""
    folder = numbered(tmp_path / "in", 3)
    jobs = jobs_for(find_shots([str(folder)]).shots, tmp_path / "out")
    (folder / "0001.png").unlink()
    outcomes: list[Outcome] = []
    run_plan(Plan(jobs, str(tmp_path / "out")), lambda outcome, _: outcomes.append(outcome))
    kinds = {outcome.number: type(outcome) for outcome in outcomes}
    assert kinds == {0: Done, 1: Failed, 2: Done}


def test_odd_names(tmp_path: Path) -> None:
    """Letters of all scripts, spaces, quotes, names that look like options, no letters at all."""
    names = [
        "-o",
        "--json",
        "a b",
        "é",
        "é".encode().decode(),
        "名前",
        "🙂",
        "a'b\"c",
        "%20",
        "x;rm",
        "A",
        "a",
        ".",
    ]
    names = [name for name in dict.fromkeys(names) if name != "."] + [f"шот {n}" for n in range(5)]
    folder = tmp_path / "in"
    folder.mkdir()
    for number, name in enumerate(names):
        (folder / f"{name}.png").write_bytes(GOOD + b"%d" % number)
    outcomes = run(folder, tmp_path / "out")
    assert all(isinstance(one, Done) for one in outcomes)
    assert len(list((tmp_path / "out").glob("*.solved.png"))) == len(names)
