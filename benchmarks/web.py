"""The server under load: uploads from eight clients, memory, clients that leave, workers that are killed.

    python benchmarks/web.py [--uploads 200] [--clients 8]

Prints a table; ratios are of one run. Reads the samples beside the checkout alone.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from flowvision.image.codec import encode  # noqa: E402
from flowvision.pipeline import solve_image  # noqa: E402
from tests.web.serving import Serving, served, until  # noqa: E402

SHOT = (ROOT / "samples" / "01.png").read_bytes()
SLOW = "\n".join("." * 40 for _ in range(38)) + "\nR" + "." * 38 + "R\nG" + "." * 38 + "G\n"
REPEATS = 15


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uploads", type=int, default=200)
    parser.add_argument("--clients", type=int, default=8)
    asked = parser.parse_args()
    with served() as serving:
        for _ in range(3):
            serving.post("/api/solve", SHOT)
        drop_to_answer(serving)
        upload(serving, asked.uploads, asked.clients)
        leave(serving)
        kill(serving)


def drop_to_answer(serving: Serving) -> None:
    """The answer to an upload, against the library and one PNG in this process, by turns."""
    took: dict[str, list[float]] = {"server": [], "library": []}
    for _ in range(REPEATS):
        began = time.perf_counter()
        assert serving.post("/api/solve", SHOT).object["ok"]
        took["server"].append(time.perf_counter() - began)
        began = time.perf_counter()
        encode(solve_image(SHOT).picture)
        took["library"].append(time.perf_counter() - began)
    server, library = (statistics.median(took[name]) for name in ("server", "library"))
    print(f"upload to answer: {1000 * server:.0f} ms; solve_image and one PNG: {1000 * library:.0f} ms; "
          f"ratio {server / library:.2f}")  # fmt: skip


def upload(serving: Serving, uploads: int, clients: int) -> None:
    """Every client sends one picture after the other; those told to wait do so."""
    statuses: Counter[int] = Counter()
    before = worker_bytes()

    def client(number: int) -> None:
        for _ in range(uploads // clients):
            while True:
                reply = serving.post("/api/solve", SHOT, **{"X-Tab": f"client {number}"})
                statuses[reply.status] += 1
                if reply.status != 429:
                    break
                time.sleep(0.1)

    began = time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(client, range(clients)))
    seconds = time.perf_counter() - began
    middle = worker_bytes()
    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(client, range(clients)))
    after = worker_bytes()
    print(f"{2 * uploads} uploads by {clients} clients: {dict(statuses)}, {uploads / seconds:.1f} a second")
    before, middle, after = (number >> 20 for number in (before, middle, after))
    print(f"memory of the workers: {before} MB before, {middle} MB after half, {after} MB after all")


def leave(serving: Serving) -> None:
    """How long a worker goes on for a client that has gone."""
    took = []
    for _ in range(5):
        with begun(serving):
            until(lambda: jobs(serving) == 1)
            left = time.perf_counter()
        until(lambda: jobs(serving) == 0)
        took.append(time.perf_counter() - left)
    print(f"a client that leaves frees its place within {1000 * max(took):.0f} ms (worst of {len(took)})")


def kill(serving: Serving) -> None:
    """A worker that is killed in mid-job costs one more try."""
    statuses: list[int] = []
    threads = [
        threading.Thread(target=lambda: statuses.append(serving.post("/api/solve?limit=20", SHOT).status))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    time.sleep(0.05)
    for pid in children():
        os.kill(pid, 9)
        break
    for thread in threads:
        thread.join()
    print(f"with a worker killed in between: {statuses}")


def begun(serving: Serving) -> socket.socket:
    """A connection on which a long job was asked for."""
    body = SLOW.encode()
    head = f"POST /api/puzzle?count=1000 HTTP/1.1\r\nHost: {serving.host}\r\nContent-Length: {len(body)}\r\n"
    connection = socket.create_connection(("127.0.0.1", serving.port))
    connection.sendall(f"{head}Authorization: {serving.bearer['Authorization']}\r\n\r\n".encode() + body)
    return connection


def jobs(serving: Serving) -> int:
    """How many there are."""
    return int(serving.ask("GET", "/api/about", headers=serving.bearer).object["jobs"])


def children() -> list[int]:
    """The processes of the workers (Linux)."""
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()] + [
        int(pid)
        for task in Path("/proc/self/task").iterdir()
        if task.name != str(os.getpid())
        for pid in (task / "children").read_text().split()
    ]


def worker_bytes() -> int:
    """What they have in memory together."""
    page = os.sysconf("SC_PAGE_SIZE")
    return sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * page for pid in children())


if __name__ == "__main__":
    main()
