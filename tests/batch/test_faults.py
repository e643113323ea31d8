"""What goes wrong overnight: broken files, killed parents, full disks, files that vanish, odd names."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import zlib
from multiprocessing import active_children
from pathlib import Path
from random import Random

import pytest

from flowvision.batch.jobs import Outcome, find_shots, jobs_for
from flowvision.batch.session import Plan, run_plan
from flowvision.files import UNFINISHED
from flowvision.image.codec import decode
from tests.commands import BAD, GOOD, numbered, posix_only, results, run, write_shots


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims to be so large."""
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))


BROKEN = {
    "empty": b"",
    "text": b"not a picture\n" * 50,
    "noise": Random(1).randbytes(5000),
    "header": GOOD[:33],
    "half": GOOD[: len(GOOD) // 2],
    "huge": png_header(40_000, 40_000),
    "flat": png_header(0, 100),
    "mp4": b"\0\0\0\x18ftypmp42" + bytes(200),
    "gif": b"GIF89a" + bytes(20),
    "unsolvable": BAD,
}


def test_broken_files_harm_no_other(tmp_path: Path) -> None:
    """Each fails by itself with an error that says why; every good one among them is solved."""
    folder = write_shots(tmp_path / "in", **BROKEN)
    numbered(folder, 6)
    outcomes = run(folder, tmp_path / "out", workers=2)
    failed = {Path(one.source).stem: one for one in outcomes if one.code}
    assert set(failed) == set(BROKEN)
    assert all(one.message and one.code not in ("", "crashed") for one in failed.values())
    assert sum(not one.code for one in outcomes) == 6


PICTURES = (".png", ".jpg")

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
"""A run that is killed so many seconds after so many new outcomes: it counts itself, for whoever looked on
from outside could be late."""


def published(out: Path) -> dict[str, bytes]:
    """The pixels of every picture of a run, solved and small; the same ones may be packed in two ways."""
    pictures = [path for path in out.rglob("*") if path.suffix in PICTURES]
    return {str(path.relative_to(out)): decode(path.read_bytes()).bgr.tobytes() for path in pictures}


def lines_of(path: Path) -> int:
    """How many lines a file has by now."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


@posix_only
def test_a_killed_run_continues_to_the_same_end(tmp_path: Path) -> None:
    """Killed at four moments, the end is that of an undisturbed run, but for the times."""
    folder, out = numbered(tmp_path / "in", 14), tmp_path / "out"
    write_shots(folder, bad=BAD, broken=b"no picture")
    run(folder, out, workers=2)
    os.rename(out, tmp_path / "undisturbed")
    journal, reached = out / ".flowvision" / "journal.ndjson", list[int]()
    command = [sys.executable, "-c", RUN, str(folder), str(out)]
    for count, seconds in ((0, 0.0), (3, 0.02), (1, 0.01), (4, 0.0)):  # 0: killed as it starts
        subprocess.run([*command, str(count), str(seconds)], stderr=subprocess.DEVNULL, check=False)
        reached.append(lines_of(journal))
    # Enough to know that runs were cut in the middle: on a busy machine a kill may come late.
    assert len({lines for lines in reached if 0 < lines < 16}) >= 2, reached
    assert subprocess.run(command, check=False).returncode == 11
    assert results(out) == results(tmp_path / "undisturbed")
    assert published(out) == published(tmp_path / "undisturbed")
    assert not [path for path in out.rglob("*") if path.name.endswith(UNFINISHED)]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_worker_killed_while_busy_costs_nothing(tmp_path: Path) -> None:
    """Every picture still has one outcome, and is solved."""
    folder, outcomes = numbered(tmp_path / "in", 20), list[Outcome]()
    jobs = jobs_for(find_shots([str(folder)])[0], tmp_path / "out")

    def observe(outcome: Outcome, _: bool) -> None:
        outcomes.append(outcome)
        if len(outcomes) in (3, 8):
            os.kill(active_children()[0].pid or 0, signal.SIGKILL)

    run_plan(Plan(jobs, str(tmp_path / "out"), workers=2), observe)
    assert sorted(one.number for one in outcomes) == list(range(20))
    assert all(not one.code for one in outcomes)


def test_pictures_that_vanish_midway_fail_alone(tmp_path: Path) -> None:
    """They were there when the folder was read, and gone when their turn comes; once back, they are done."""
    folder, outcomes = numbered(tmp_path / "in", 16), list[Outcome]()
    jobs = jobs_for(find_shots([str(folder)])[0], tmp_path / "out")
    away = [folder / f"{number:04}.png" for number in range(12, 16)]

    def observe(outcome: Outcome, _: bool) -> None:
        if not outcomes:
            for path in away:
                path.rename(tmp_path / path.name)
        outcomes.append(outcome)

    run_plan(Plan(jobs, str(tmp_path / "out")), observe)
    assert sorted(one.number for one in outcomes if one.code) == [12, 13, 14, 15]
    for path in away:
        (tmp_path / path.name).rename(path)
    assert all(not one.code for one in run(folder, tmp_path / "out"))
