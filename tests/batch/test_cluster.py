"""A real scheduler and two real workers: nothing is lost, nothing comes twice."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from flowvision.batch.session import cluster
from flowvision.errors import ClusterError
from tests.commands import PATIENCE, numbered, results, run, until

pytestmark = [
    pytest.mark.xdist_group("cluster"),
    pytest.mark.skipif(find_spec("distributed") is None, reason="the extra dask is not installed"),
    pytest.mark.filterwarnings("ignore"),
]


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        scheduler = ["distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-show"]
        self.processes = [self._start([*scheduler, "--no-dashboard", "--scheduler-file", str(self.file)])]
        until(self._has_address)
        options = f"--nthreads 1 --nworkers 1 --no-dashboard --no-nanny --death-timeout {PATIENCE}".split()
        worker = ["distributed.cli.dask_worker", self.address, *options, "--local-directory", str(folder)]
        self.processes += [self._start(worker) for _ in range(2)]

    @staticmethod
    def _start(arguments: list[str]) -> subprocess.Popen[bytes]:
        command, unheard = [sys.executable, "-W", "ignore", "-m", *arguments], subprocess.DEVNULL
        return subprocess.Popen(command, stdout=unheard, stderr=unheard, start_new_session=True)

    def _has_address(self) -> bool:
        """The scheduler makes its file empty, and writes to it afterwards."""
        with suppress(FileNotFoundError, json.JSONDecodeError):
            self.address = json.loads(self.file.read_text())["address"]
            return True
        return False

    def has_workers(self) -> bool:
        with suppress(ClusterError), cluster(self.address) as (_, threads):
            return threads >= 2
        return False


def wait_for_answers(patch: pytest.MonkeyPatch, seconds: float) -> None:
    from distributed.client import Client

    patch.setattr("distributed.Client", lambda *given, **how: Client(*given, **how | {"timeout": seconds}))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    patched = pytest.MonkeyPatch()
    wait_for_answers(patched, PATIENCE)
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        until(made.has_workers)
        yield made
    finally:
        patched.undo()
        for process in made.processes:
            process.kill()
            process.wait()


@pytest.mark.parametrize("ship", [True, False])
def test_a_worker_killed_half_way_loses_nothing(running: Cluster, tmp_path: Path, ship: bool) -> None:
    folder, out, left = numbered(tmp_path / "in", 24), tmp_path / "out", iter(range(24))

    def kill_one(*_: object) -> None:
        if next(left) == 9 and ship:
            running.processes[1].kill()

    outcomes = run(folder, out, observe=kill_one, dask=running.address, ship=ship).outcomes
    assert [(outcome.number, outcome.code) for outcome in outcomes] == [(n, "") for n in range(24)]
    assert len(list(out.glob("*.solved.png"))) == 24
    assert [line["file"] for line in results(out)] == [outcome.source for outcome in outcomes]


@pytest.mark.parametrize("ship", [True, False])
def test_a_result_on_its_way_counts_when_its_worker_dies(running, tmp_path, monkeypatch, ship):
    """The scheduler reports a result as lost after it was fetched, before it is recorded."""
    from distributed.client import Client

    fetched = Client._gather_remote

    async def fetched_then_lost(client: Any, *given: Any) -> Any:
        response = await fetched(client, *given)
        for key in response["data"]:
            client._handle_lost_data(key)
        return response

    monkeypatch.setattr(Client, "_gather_remote", fetched_then_lost)
    done = run(numbered(tmp_path / "in", 2), tmp_path / "out", dask=running.address, ship=ship)
    assert [outcome.code for outcome in done.outcomes] == ["", ""]


def test_no_scheduler_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    wait_for_answers(monkeypatch, 1)
    with pytest.raises(ClusterError, match="No Dask scheduler"), cluster("tcp://127.0.0.1:9"):
        pass
