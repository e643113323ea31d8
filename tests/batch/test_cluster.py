"""A real scheduler and two real workers: nothing is lost, nothing comes twice."""

import os
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import count
from typing import Any

import pytest

from flowvision.batch.session import cluster
from flowvision.errors import ClusterError
from tests.commands import PATIENCE, results, run_batch, write_numbered

pytestmark = [
    pytest.mark.xdist_group("cluster"),
    pytest.mark.skipif(find_spec("distributed") is None, reason="the extra dask is not installed"),
    pytest.mark.filterwarnings("ignore"),
]


def wait_for_answers(patch: pytest.MonkeyPatch, seconds: float) -> None:
    from distributed.client import Client

    patch.setattr("distributed.Client", lambda *given, **how: Client(*given, **how | {"timeout": seconds}))


@pytest.fixture(scope="module")
def running() -> Iterator[Any]:
    from distributed import LocalCluster

    with pytest.MonkeyPatch.context() as patch:
        wait_for_answers(patch, PATIENCE)
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as made:
            yield made


@pytest.mark.parametrize(
    ("ship", "is_killed"),
    [
        pytest.param(True, True, id="pictures are sent, a worker is killed"),
        pytest.param(False, False, id="a shared disk, all workers live"),
    ],
)
def test_every_picture_is_solved_once(running, tmp_path, ship: bool, is_killed: bool) -> None:
    pictures, out, done = 24, tmp_path / "out", count()

    def kill_one_half_way(*_: object) -> None:
        if next(done) == 9 and is_killed:
            os.kill(running.workers[0].pid, signal.SIGKILL)

    run = run_batch(
        write_numbered(tmp_path / "in", pictures),
        out,
        observe=kill_one_half_way,
        dask=running.scheduler_address,
        ship=ship,
    )
    assert run.codes == {f"{number:04}": "" for number in range(pictures)}
    assert len(list(out.glob("*.solved.png"))) == pictures
    assert [line["file"] for line in results(out)] == [outcome.source for outcome in run.outcomes]


@pytest.mark.parametrize("ship", [True, False])
def test_a_result_on_its_way_counts_when_its_worker_dies(running, tmp_path, monkeypatch, ship):
    """The scheduler reports a result as lost after it was fetched, before it is recorded."""
    from distributed.client import Client

    fetch = Client._gather_remote

    async def fetch_then_lose(client: Any, *arguments: Any) -> Any:
        response = await fetch(client, *arguments)
        for key in response["data"]:
            client._handle_lost_data(key)
        return response

    monkeypatch.setattr(Client, "_gather_remote", fetch_then_lose)
    run = run_batch(
        write_numbered(tmp_path / "in", 2), tmp_path / "out", dask=running.scheduler_address, ship=ship
    )
    assert run.codes == {"0000": "", "0001": ""}


def test_a_missing_scheduler_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    wait_for_answers(monkeypatch, seconds=1)
    with pytest.raises(ClusterError, match="No Dask scheduler"), cluster("tcp://127.0.0.1:9"):
        pass
