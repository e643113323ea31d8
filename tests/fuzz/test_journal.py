"""Damaged journals: the run goes on, and nothing outside the folder is touched."""

import json
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from flowvision.batch import store as store_module
from flowvision.batch.jobs import Job, Outcome, find_shots, jobs_for
from flowvision.batch.store import Store
from flowvision.batch.work import run_job
from tests.commands import BAD, GOOD, run, work_here, write_shots
from tests.fuzz.driver import changed, damaged, random_cases

JOURNAL = ".flowvision/journal.ndjson"
NAMES = (
    "../victim", "/etc/passwd", "a", "..", "", "a/../../victim", "sub/a", "\0", "link/victim",
    "../victim.solved.png",
)  # fmt: skip


def other_line(line: bytes, random: Random) -> bytes:
    if random.random() < 0.4:
        return damaged(line, random, line)
    entry = json.loads(line)
    if random.random() < 0.3:
        entry["files"] = [[random.choice(NAMES), random.choice((0, 8, -1))]]
    if random.random() < 0.3:
        entry["name"] = random.choice(NAMES)
    return json.dumps(changed(entry, random) if random.random() < 0.7 else entry).encode() + b"\n"


class Folder(NamedTuple):
    out: Path
    jobs: list[Job]
    lines: list[bytes]
    outcomes: list[Outcome]
    victims: list[Path]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    work_here(monkeypatch)
    folder, out = write_shots(tmp_path / "in", a=GOOD, b=BAD), tmp_path / "out"
    run(folder, out)
    jobs = jobs_for(find_shots([str(folder)])[0], out)
    lines = (out / JOURNAL).read_bytes().splitlines(keepends=True)
    victims = [tmp_path / name for name in ("victim", "victim.solved.png")]
    for victim in victims:
        victim.write_text("precious")
    (out / "link").symlink_to(tmp_path)
    outcomes = [run_job(job) for job in jobs]
    # Damaged lines hold any numbers: these objects are not ours to hold against the schema.
    monkeypatch.setattr(store_module, "json_line", json.dumps)
    monkeypatch.setattr("flowvision.contract.json_line", json.dumps)
    return Folder(out, list(jobs), lines, outcomes, victims)


@random_cases()
def test_journal(folder: Folder, random: Random) -> None:
    broken = [other_line(line, random) if random.random() < 0.7 else line for line in folder.lines]
    (folder.out / JOURNAL).write_bytes(b"".join(broken))
    with Store(folder.out) as store:
        for job, outcome in zip(folder.jobs, folder.outcomes, strict=True):
            if store.known(job) is None:
                store.add(job, outcome)
        store.publish(folder.jobs)
    assert len((folder.out / "results.ndjson").read_bytes().splitlines()) == len(folder.jobs)
    assert all(victim.read_text() == "precious" for victim in folder.victims)
    assert (folder.out / "a.solved.png").exists()
