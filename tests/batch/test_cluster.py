"""A real scheduler and two real workers: nothing is lost, nothing comes twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from flowvision.batch.jobs import Outcome, find_shots, jobs_for
from flowvision.batch.session import Plan, cluster, run_plan
from flowvision.errors import ClusterError
from tests.commands import numbered

pytestmark = [
    pytest.mark.xdist_group("cluster"),
    pytest.mark.skipif(find_spec("distributed") is None, reason="the extra dask is not installed"),
    pytest.mark.filterwarnings("ignore"),
]


LONG = 300
"""Seconds: far more than anything here takes, however busy the machine."""


class Cluster:
    """A scheduler and two workers on loopback, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        scheduler = ["distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-show"]
        self.processes = [self._start([*scheduler, "--no-dashboard", "--scheduler-file", str(self.file)])]
        self.address = self._address()
        worker = ["distributed.cli.dask_worker", self.address, "--nthreads", "1", "--nworkers", "1"]
        quiet = [
            "--no-dashboard",
            "--no-nanny",
            "--death-timeout",
            str(LONG),
            "--local-directory",
            str(folder),
        ]
        self.processes += [self._start([*worker, *quiet]) for _ in range(2)]

    @staticmethod
    def _start(arguments: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _address(self) -> str:
        """Of the scheduler, once its file is there and whole: it is made empty, and written to afterwards."""
        end = time.monotonic() + LONG
        while time.monotonic() < end:
            with suppress(FileNotFoundError, json.JSONDecodeError):
                return str(json.loads(self.file.read_text())["address"])
            time.sleep(0.05)
        raise AssertionError("the scheduler did not come")

    def wait_for_workers(self, count: int) -> None:
        """Until so many have come."""
        end = time.monotonic() + LONG
        while time.monotonic() < end:
            try:
                with cluster(self.address) as (_, threads):
                    if threads >= count:
                        return
            except ClusterError:
                pass
            time.sleep(0.2)
        raise AssertionError("the workers did not come")

    def kill(self, number: int) -> None:
        """End a process at once."""
        os.kill(self.processes[number].pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The cluster, ended with the tests."""
    patched = pytest.MonkeyPatch()
    patched.setattr("flowvision.batch.session.ANSWER_SECONDS", LONG)
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.wait_for_workers(2)
        yield made
    finally:
        patched.undo()
        for process in made.processes:
            process.kill()
            process.wait()


@pytest.mark.parametrize("ship", [True, False])
def test_a_worker_killed_half_way_loses_nothing(running: Cluster, tmp_path: Path, ship: bool) -> None:
    """Every picture has one outcome and one solution, with and without a common disk."""
    folder, out = numbered(tmp_path / "in", 40), tmp_path / "out"
    jobs = jobs_for(find_shots([str(folder)])[0], out)
    outcomes = list[Outcome]()

    def observe(outcome: Outcome, _: bool) -> None:
        outcomes.append(outcome)
        if len(outcomes) == 15 and ship:
            running.kill(1)

    run_plan(Plan(jobs, str(out), dask=running.address, ship=ship), observe)
    assert sorted(outcome.number for outcome in outcomes) == list(range(40))
    assert [outcome for outcome in outcomes if outcome.code] == []
    assert len(list(out.glob("*.solved.png"))) == 40
    lines = [json.loads(line) for line in (out / "results.ndjson").read_text().splitlines()]
    assert [line["file"] for line in lines] == [job.source for job in jobs]


@pytest.mark.parametrize("ship", [True, False])
def test_a_result_on_its_way_counts_when_its_worker_dies(
    running: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ship: bool
) -> None:
    """The scheduler tells of a lost result after it was fetched, and before it was taken in."""
    from distributed import Client

    fetched = Client._gather_remote

    async def fetched_then_lost(client: Any, *given: Any) -> Any:
        response = await fetched(client, *given)
        for key in response["data"]:
            client._handle_lost_data(key)
        return response

    monkeypatch.setattr(Client, "_gather_remote", fetched_then_lost)
    jobs = jobs_for(find_shots([str(numbered(tmp_path / "in", 2))])[0], tmp_path / "out")
    outcomes = list[Outcome]()
    run_plan(
        Plan(jobs, str(tmp_path / "out"), dask=running.address, ship=ship),
        lambda one, _: outcomes.append(one),
    )
    assert [outcome.code for outcome in outcomes] == ["", ""]


def test_no_scheduler_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a while, with what to do."""
    monkeypatch.setattr("flowvision.batch.session.ANSWER_SECONDS", 1)
    with pytest.raises(ClusterError, match="No Dask scheduler"), cluster("tcp://127.0.0.1:9"):
        pass
