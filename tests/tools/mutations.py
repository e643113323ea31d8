"""Mutate the package, and report which mutations no test notices.

    python tests/tools/mutations.py [--seed 1] [--count 40] [--far] [ROOM ...]

Each mutation changes one operator, number, condition or result in a copy of the package. Rooms take turns, so
that large ones have no more mutations than small ones; the modules of the top level are one room.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "flowvision"
SECONDS = 900
SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Mod: ast.Mult,
}  # fmt: skip


def mutate(node: ast.AST) -> ast.AST | None:
    """Return a changed copy of a node, or ``None`` for a node that has no mutation."""
    made = deepcopy(node)
    match made:
        case ast.Compare(ops=[op]) if type(op) in SWAPS:
            made.ops = [SWAPS[type(op)]()]
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in SWAPS:
            made.op = SWAPS[type(op)]()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case ast.Constant(value=bool(value)):
            made.value = not value
        case ast.Constant(value=float(value)):
            made.value = 1.5 * value or 1.0
        case ast.Constant(value=int(value)):
            made.value = value + max(1, value // 2)
        case ast.If(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.Name):
            made.test = ast.UnaryOp(ast.Not(), test)
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            made.value = ast.Constant(None)
        case _:
            return None
    return made


def nodes(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Yield the place of every node but annotations: its parent, the field, and the index in a list."""
    for name, field in ast.iter_fields(tree):
        if name in ("annotation", "returns", "type_params", "decorator_list"):
            continue
        for index, node in enumerate(field) if isinstance(field, list) else ((None, field),):
            if isinstance(node, ast.AST):
                yield tree, name, index
                yield from nodes(node)


def chosen(rooms: list[str], count: int, seed: int) -> Iterator[tuple[Path, int]]:
    """Yield modules with the number of a node that can be mutated, room by room in turn."""
    draw = random.Random(seed)
    places: dict[str, list[tuple[Path, int]]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        room = path.relative_to(PACKAGE).parts[0] if path.parent != PACKAGE else "top"
        if rooms and room not in rooms:
            continue
        for number, (parent, name, index) in enumerate(nodes(ast.parse(path.read_text("utf-8")))):
            field = getattr(parent, name)
            if mutate(field if index is None else field[index]) is not None:
                places.setdefault(room, []).append((path, number))
    turns = draw.sample(sorted(places), len(places))
    for turn in range(count):
        yield draw.choice(places[turns[turn % len(turns)]])


def mutation(path: Path, number: int) -> tuple[str, str]:
    """Return a line that shows a mutation, and the source of its module."""
    tree = ast.parse(path.read_text("utf-8"))
    parent, name, index = list(nodes(tree))[number]
    field = getattr(parent, name)
    old = field if index is None else field[index]
    new = mutate(old)
    assert new is not None
    if index is None:
        setattr(parent, name, new)
    else:
        field[index] = new
    source = ast.unparse(ast.fix_missing_locations(tree))
    was, now = (ast.unparse(node).splitlines()[0] for node in (old, new))
    return f"{path.relative_to(PACKAGE).as_posix()}:{old.lineno}  {was}  ->  {now}", source


def tests_of(path: Path, far: bool) -> list[Path]:
    """Return the tests that mirror a module, or those nearest to it; with ``far`` all near it."""
    mirror = mirror_of(path)
    if mirror.exists() and not far:
        return [mirror]
    importers = [mirror_of(module) for module in PACKAGE.rglob("*.py") if names(module, path)]
    tests = sorted(ROOT.rglob("tests/**/test_*.py"))
    near = [test for test in tests if test == mirror or test in importers or names(test, path)]
    near.sort(key=lambda test: (test != mirror, test.parent != mirror.parent))
    same = [test for test in near if test.parent == mirror.parent]
    return (near if far else same or near) or [mirror.parent]


def mirror_of(path: Path) -> Path:
    return ROOT / "tests" / path.relative_to(PACKAGE).with_name(f"test_{path.stem}.py")


def names(text: Path, path: Path) -> bool:
    module = path.parent if path.stem == "__init__" else path.with_suffix("")
    return ".".join(module.relative_to(PACKAGE.parent).parts) in imports_of(text)


@cache
def imports_of(text: Path) -> set[str | None]:
    """Return the modules that Python code imports, and the names with their modules."""
    found = [
        node for node in ast.walk(ast.parse(text.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)
    ]
    return {node.module for node in found} | {f"{node.module}.{x.name}" for node in found for x in node.names}


def fate_of(path: Path, source: str, folder: Path, far: bool) -> str:
    """Run the tests of a module on a copy of the package that has another source for it."""
    shutil.copytree(ROOT / "src", folder / "src")
    (folder / "src" / "flowvision" / path.relative_to(PACKAGE)).write_text(source, "utf-8")
    # The copy comes before the installed package on the path of modules.
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-xq",
        "-p",
        "no:cacheprovider",
        *map(str, tests_of(path, far)),
    ]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return "endless"
    return "killed" if done.returncode else "SURVIVED"


def main() -> None:
    """Print each mutation with its fate, and the share that was killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rooms", nargs="*", help="packages, or 'top'; all by default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--far", action="store_true", help="also run the tests of importers")
    given = parser.parse_args()
    fates = Counter[str]()
    for path, number in chosen(given.rooms, given.count, given.seed):
        shown, source = mutation(path, number)
        with tempfile.TemporaryDirectory() as folder:
            fate = fate_of(path, source, Path(folder), given.far)
        fates[fate] += 1
        print(f"{fate:8} {shown}", flush=True)
    print(", ".join(f"{count} {fate}" for fate, count in sorted(fates.items())))


if __name__ == "__main__":
    main()
