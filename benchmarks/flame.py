"""Where the time of one screenshot goes: a flame graph of the command, or of solving in one process.

    python benchmarks/flame.py cold|warm [SHOT] [--runs N] [--plot docs/notes/flame-cold.svg]

Samples the stacks by py-spy (``pip install py-spy matplotlib``), of N runs of ``flowvision SHOT``, or of
solving and encoding it N times 100 times. Frames of the import system are left out: what is loaded is named
by its package, our own modules by theirs. Prints the widest frames as shares of all samples.
"""

from __future__ import annotations

import argparse
import compileall
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from data import ROOT

RATE = 1000
"""Samples a second."""
WARM = """
import sys
from flowvision import solve_image
from flowvision.image.codec import encode
data = open(sys.argv[1], "rb").read()
for _ in range(int(sys.argv[2])):
    encode(solve_image(data).picture)
"""
LEAST, SHOWN = 0.004, 0.02
"""Of all samples: what is drawn at all, and what is printed."""
FRAME = re.compile(r"(?P<name>.+) \((?P<file>[^():]*)(:\d+)?\)$")
UNTOLD = re.compile(r"<frozen importlib|functools|runpy|<frozen runpy")
Stack = tuple[str, ...]


@dataclass
class Node:
    """A frame, the samples in it, and the frames it called."""

    name: str
    samples: int = 0
    calls: dict[str, Node] = field(default_factory=dict)


def recorded(command: list[str]) -> Iterator[tuple[Stack, int]]:
    """The stacks of one run of a command, outermost first, and how often each was seen."""
    alone = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    with tempfile.NamedTemporaryFile(suffix=".raw") as raw:
        spy = [
            "py-spy",
            "record",
            "--rate",
            str(RATE),
            "--format",
            "raw",
            "--function",
            "--nonblocking",
            "-o",
            raw.name,
        ]
        subprocess.run([*spy, "--", *command], check=True, capture_output=True, env=alone)
        for line in Path(raw.name).read_text().splitlines():
            stack, count = line.rsplit(" ", 1)
            yield tuple(frames(stack.split(";"))), int(count)


def frames(stack: list[str]) -> Iterator[str]:
    """The frames worth showing: functions of ours, and what is imported."""
    last = ""
    for entry in stack:
        match = FRAME.fullmatch(entry)
        if match is None or "<locals>" in match["name"] or UNTOLD.match(match["file"]):
            continue
        module = match["file"].removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        own = module.startswith("flowvision.")
        if match["name"] == "<module>":
            name = f"import {module.removeprefix('flowvision.') if own else module.split('.')[0]}"
        else:
            name = match["name"] if own else module.split(".")[0]
        if name != last:
            yield name
        last = name


def tree(stacks: Iterator[tuple[Stack, int]]) -> Node:
    """All stacks as one tree."""
    root = Node("all")
    for stack, count in stacks:
        node = root
        node.samples += count
        for name in stack:
            node = node.calls.setdefault(name, Node(name))
            node.samples += count
    return root


def boxes(node: Node, left: float, depth: int, whole: int) -> Iterator[tuple[Node, float, int]]:
    """Every frame that is wide enough, with where it begins (of all samples) and how deep it lies."""
    yield node, left, depth
    for call in sorted(node.calls.values(), key=lambda one: -one.samples):
        if call.samples >= LEAST * whole:
            yield from boxes(call, left, depth + 1, whole)
        left += call.samples / whole


def plot(root: Node, title: str, file: Path) -> None:
    """Frames as bars, each above what called it, as wide as its share of the samples."""
    from matplotlib import pyplot, rcParams

    rcParams["svg.fonttype"], rcParams["svg.hashsalt"] = "none", "flame"
    found = list(boxes(root, 0.0, 0, root.samples))
    deepest = max(depth for _, _, depth in found)
    figure, axes = pyplot.subplots(figsize=(15, 0.24 * (deepest + 3)), layout="constrained")
    for node, left, depth in found:
        share = node.samples / root.samples
        colour = "#d9c8a9" if node.name.startswith("import ") else "#f0a868"
        axes.barh(depth, share, 0.92, left, color=colour, edgecolor="white", linewidth=0.5)
        room = int(share * 190)
        label = f"{node.name} {share:.0%}" if len(node.name) + 5 <= room else node.name[:room]
        if room > 2:
            axes.text(left + 0.002, depth, label, va="center", fontsize=6.5, clip_on=True)
    axes.set(xlim=(0, 1), ylim=(-0.6, deepest + 0.6), xticks=[], yticks=[], title=title)
    axes.set_frame_on(False)
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


def main() -> None:
    """Sample, print, draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=("cold", "warm"))
    parser.add_argument("shot", nargs="?", default=str(ROOT / "samples" / "02.png"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    compileall.compile_dir(ROOT / "src", quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        shot = [given.shot, "--force", "-o", f"{folder}/out.png"]
        if given.kind == "cold":
            runs = [[sys.executable, "-m", "flowvision", *shot]] * given.runs
        else:
            runs = [[sys.executable, "-c", WARM, given.shot, str(100 * given.runs)]]
        root = tree(one for command in runs for one in recorded(command))
    if given.kind == "warm":
        root = tree_below(root)
    for node, _, depth in boxes(root, 0.0, 0, root.samples):
        if node.samples >= SHOWN * root.samples:
            print(f"{node.samples / root.samples:6.1%}  {'  ' * depth}{node.name}")
    if given.plot:
        plot(root, f"{given.kind}: {root.samples:,} samples of {Path(given.shot).name}", given.plot)


def tree_below(root: Node) -> Node:
    """The part of the tree that solves and encodes, without what was imported before."""
    (script,) = (call for call in root.calls.values() if "solve_image" in call.calls)
    kept = {name: call for name, call in script.calls.items() if name in ("solve_image", "encode")}
    return Node("all", sum(call.samples for call in kept.values()), kept)


if __name__ == "__main__":
    main()
