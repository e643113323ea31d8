"""Boards of every kind played on a phone that is none, through the real adb: how many end solved, how soon.

    python benchmarks/phone.py [--boards 60] [--kind hexagons] [--own-server]

Each is drawn by the project, shown by the fake phone of the tests, and played by the game's rules. Its state
at first is one of: empty, half played, with a wrong pipe, from another dot. At the end: what a capture takes,
raw and as PNG, and the time from the command to the first touch next to that of solving the same capture.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from flowvision.errors import FlowvisionError
from flowvision.image.codec import encode
from flowvision.phone.adb import Device, devices, output_of
from flowvision.phone.play import PlayRules, play, solve_screen
from flowvision.phone.screen import capture
from flowvision.puzzle.random_cover import random_puzzle
from flowvision.puzzle_tools.generator import new_puzzle, shape_of
from flowvision.solvers import Solved, has_one_strict_solution, solve
from tests.made_boards import rhombi
from tests.phone.fake_adb import FakeDevice, FakeServer, free_port, serving
from tests.phone.fake_phone import FakePhone, Level
from tests.tools.synthetic import Style
from tests.tools.themes import PHONES

KINDS: dict[str, dict[str, object]] = {
    "squares": {},
    "hexagons": {"tiling": "hex"},
    "bridges": {"bridges": 2},
    "warps": {"warps": 3},
    "holes": {"holes": 3},
}
STATES = "empty", "half played", "wrong pipe", "other dot"
ARMS = (5, 2), (6, 2), (3, 3), (5, 3), (7, 2), (3, 4)
"""Of stars of rhombi: how many arms, and into how many parts each is cut both ways."""


def level_of(kind: str, number: int) -> Level:
    """A level of that kind, 5 to 15 cells wide, with exactly one solution."""
    if kind == "shapes":
        board = rhombi(*ARMS[number % len(ARMS)])
        for seed in range(1000):
            puzzle, _ = random_puzzle(board, seed, max(3, len(board.layout.cells) // 6))
            outcome = solve(puzzle)
            few = len(puzzle.terminals) <= 16
            if few and isinstance(outcome, Solved) and has_one_strict_solution(outcome):
                return Level(board, puzzle, outcome.solution)
    side = 5 + number % 11
    size = f"{side}x{side}"
    for seed in range(number, number + 50):
        try:
            colours = min(16, max(4, side * side // 8))
            shape = shape_of(size, **KINDS[kind])  # type: ignore[arg-type]
            named, solution = new_puzzle(shape, seed, colours, seconds=20)
        except FlowvisionError:
            continue
        return Level(named.board, named.puzzle, solution)
    raise SystemExit(f"no board of {kind}, {size}")


def begun(level: Level, state: str, random: Random) -> Level:
    """The same with what is drawn on it at first."""
    pipes: dict[int, list[int]] = {}
    flows = range(len(level.puzzle.terminals))
    for flow in random.sample(flows, len(flows) // 2) if state != "empty" else ():
        path = list(level.solution.paths[flow].vertices)
        if state == "other dot":
            path.reverse()
        pipes[flow] = path[: random.randint(2, len(path))]
    if state == "wrong pipe":
        dots = {dot for pair in level.puzzle.terminals for dot in pair}
        taken = {strand for pipe in pipes.values() for strand in pipe}
        for flow in flows:
            start, after = level.solution.paths[flow].vertices[:2]
            ways = [level.board.graph.other_end(edge, start) for edge in level.board.graph.incident[start]]
            free = [way for way in ways if way != after and way not in dots | taken]
            if flow not in pipes and free:
                pipes[flow] = [start, free[0]]
                taken.add(free[0])
    return replace(level, pipes=pipes)


@contextmanager
def connected(phone: FakePhone, adb: str | None) -> Iterator[Device]:
    """The phone as a device of the real adb's server, or of our own."""
    if adb is None:
        with serving(FakeServer(phone.run)) as port:
            os.environ["ANDROID_ADB_SERVER_PORT"] = str(port)
            yield devices()[0]
        return
    with serving(FakeDevice(phone.run)) as port:
        subprocess.run([adb, "connect", f"127.0.0.1:{port}"], check=True, capture_output=True, timeout=60)
        try:
            yield next(one for one in devices() if one.serial.endswith(str(port)))
        finally:
            subprocess.run(
                [adb, "disconnect", f"127.0.0.1:{port}"], check=True, capture_output=True, timeout=60
            )


def measure(device: Device, phone: FakePhone) -> None:
    """What captures take, and the way to the first touch."""
    for command in ("screencap", "screencap -p"):
        taken = [timed(lambda command=command: output_of(device, command)) for _ in range(9)]
        print(f"{command}: {median(taken):.0f} ms, {len(output_of(device, command)):,} bytes")
    with TemporaryDirectory() as folder:
        shot = Path(folder) / "shot.png"
        shot.write_bytes(encode(phone.screen()))
        ratios, plain, first = [], [], []
        for _ in range(7):
            capture_ms = timed(lambda: capture(device))
            solve_ms = timed(lambda: run(["solve", str(shot), "--force"]))
            before = perf_counter()
            phone.__post_init__()
            run(["phone", "play", "--yes", "--serial", device.serial])
            touched_ms = 1000 * (phone.first_touch - before)
            ratios.append((touched_ms - capture_ms) / solve_ms)
            plain.append(solve_ms)
            first.append(touched_ms)
        print(
            f"first touch after {median(first):.0f} ms, `flowvision SHOT` {median(plain):.0f} ms: "
            f"without one capture {median(ratios):.2f} of it"
        )


def run(words: list[str]) -> None:
    """The command in a process of its own."""
    subprocess.run([sys.executable, "-m", "flowvision", *words], check=True, capture_output=True, timeout=120)


def timed(work: object) -> float:
    """Milliseconds."""
    start = perf_counter()
    work()  # type: ignore[operator]
    return 1000 * (perf_counter() - start)


def main() -> None:
    """Play them all, and say how they ended."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, default=60)
    parser.add_argument("--own-server", action="store_true", help="without the real adb")
    parser.add_argument("--kind", choices=[*KINDS, "shapes"], help="no others")
    given = parser.parse_args()
    adb = None if given.own_server else shutil.which("adb")
    print(f"through {adb or 'a server of our own'}")
    kinds = [given.kind] if given.kind else [*KINDS, "shapes"]
    ended: Counter[str] = Counter()
    with ExitStack() as stack:
        if adb:
            os.environ["ANDROID_ADB_SERVER_PORT"] = str(free_port())
            os.environ["HOME"] = stack.enter_context(TemporaryDirectory())
            subprocess.run([adb, "start-server"], check=True, capture_output=True, timeout=60)
            stack.callback(subprocess.run, [adb, "kill-server"], check=True, capture_output=True, timeout=60)
        for number in range(given.boards):
            kind, state = kinds[number % len(kinds)], STATES[(number // len(kinds)) % len(STATES)]
            level = begun(level_of(kind, number // len(kinds) * 3 + 1), state, Random(number))
            style = Style(phone=PHONES["galaxy"], drawn=0.0)
            phone = FakePhone([level], style)
            words, attempts = "", 0
            with connected(phone, adb) as device:
                try:
                    shot, answer = solve_screen(device, PlayRules())
                    steps = [event.step for event in play(device, shot, answer.checked, PlayRules())]
                    attempts = steps.count("touch") - steps.count("there")
                except FlowvisionError as error:
                    words = error.message
            end = "solved" if phone.game.solved() else "not solved"
            faults = ["finger down"] * phone.is_down + ["touched beside the board"] * bool(phone.strays)
            ended[", ".join([end, *faults])] += 1
            cells = len(level.board.layout.cells)
            print(
                f"{number + 1:3} {kind}, {cells} cells, {state}: {end}, {phone.events} events, "
                f"{phone.milliseconds / 1000:.2f} s at 16 ms each; {attempts} again {words}",
                *faults,
            )
        print(*(f"{count} {end}" for end, count in ended.items()), sep="\n")
        phone = FakePhone([level_of("squares", 4)], Style(phone=PHONES["galaxy"]))
        with connected(phone, adb) as device:
            measure(device, phone)


if __name__ == "__main__":
    main()
