"""Mutate the package, and report which mutations no test notices.

    python tests/tools/mutations.py [--seed 1] [--count 40] [ROOM ...]

Each mutation changes one operator, number, condition or result in a copy of the package, and runs the nearest
tests; if it survives them, all tests of its room and the quick ones. Rooms take turns, so that large ones
have no more mutations than small ones.
"""

import argparse
import ast
import os
import random
import re
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


def mutable(path: Path) -> tuple[ast.Module, list[ast.AST]]:
    """Return the tree of a module, and its nodes that have a mutation, in order; not those of annotations."""
    tree = ast.parse(path.read_text("utf-8"))
    found: list[ast.AST] = []

    def collect(node: ast.AST) -> None:
        found.extend([node] if mutate(node) is not None else [])
        for name, field in ast.iter_fields(node):
            if name not in ("annotation", "returns", "type_params", "decorator_list"):
                for item in field if isinstance(field, list) else [field]:
                    if isinstance(item, ast.AST):
                        collect(item)

    collect(tree)
    return tree, found


def chosen(rooms: list[str], count: int, seed: int) -> Iterator[tuple[Path, int]]:
    """Yield modules with the number of a node that can be mutated, room by room in turn."""
    draw = random.Random(seed)
    places: dict[str, list[tuple[Path, int]]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        room = path.relative_to(PACKAGE).parts[0] if path.parent != PACKAGE else "top"
        if not rooms or room in rooms:
            places.setdefault(room, []).extend((path, number) for number in range(len(mutable(path)[1])))
    turns = draw.sample(sorted(places), len(places))
    for turn in range(count):
        yield draw.choice(places[turns[turn % len(turns)]])


def mutation(path: Path, number: int) -> tuple[str, str]:
    """Return a line that shows a mutation, and the source of its module."""
    tree, found = mutable(path)
    node, place = found[number], path.relative_to(PACKAGE).as_posix()
    shown = f"{place}:{getattr(node, 'lineno', 0)}  {ast.unparse(node).splitlines()[0]}"
    new = mutate(node)
    assert new is not None
    node.__class__, node.__dict__ = new.__class__, new.__dict__
    return f"{shown}  ->  {ast.unparse(node).splitlines()[0]}", ast.unparse(tree)


def tests_of(path: Path) -> list[Path]:
    """Return the eight nearest test modules: they mirror a module or its importers, or import it."""
    mirror = mirror_of(path)
    importers = [mirror_of(module) for module in PACKAGE.rglob("*.py") if imports(module, path)]
    tests = [test for test in sorted(ROOT.rglob("tests/**/test_*.py")) if "test_page_" not in test.name]
    near = [test for test in tests if test in (mirror, *importers) or imports(test, path)]
    return sorted(near, key=lambda test: (test != mirror, test.parent != mirror.parent))[:8] or [
        mirror.parent
    ]


def wider_tests_of(path: Path) -> list[Path]:
    """Return the tests of a module's room, and those that `just quick` runs."""
    quick = re.findall(r'^QUICK := "(.+)"$', (ROOT / "justfile").read_text("utf-8"), re.MULTILINE)[0]
    room = ROOT / "tests" / path.relative_to(PACKAGE).parts[0]
    return [*([room] if room.is_dir() else []), *(ROOT / part for part in quick.split())]


def mirror_of(path: Path) -> Path:
    return ROOT / "tests" / path.relative_to(PACKAGE).with_name(f"test_{path.stem}.py")


def imports(text: Path, path: Path) -> bool:
    module = path.parent if path.stem == "__init__" else path.with_suffix("")
    return ".".join(module.relative_to(PACKAGE.parent).parts) in imports_of(text)


@cache
def imports_of(text: Path) -> set[str]:
    """Return the modules that Python code imports, and the names with their modules."""
    tree = ast.walk(ast.parse(text.read_text("utf-8")))
    found = [node for node in tree if isinstance(node, ast.ImportFrom)]
    return {
        f"{node.module}{end}" for node in found for end in ("", *(f".{name.name}" for name in node.names))
    }


def fate_of(path: Path, source: str, folder: Path) -> str:
    """Run tests on a copy of the package that has another source for a module."""
    shutil.copytree(ROOT / "src", folder / "src")
    (folder / "src" / "flowvision" / path.relative_to(PACKAGE)).write_text(source, "utf-8")
    fate = fate_by(tests_of(path), folder)
    return fate_by(wider_tests_of(path), folder) if fate == "SURVIVED" else fate


def fate_by(tests: list[Path], folder: Path) -> str:
    # The copy comes before the installed package on the path of modules.
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-xq", "-p", "no:cacheprovider", *map(str, tests)]
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
    given = parser.parse_args()
    fates = Counter[str]()
    for path, number in chosen(given.rooms, given.count, given.seed):
        shown, source = mutation(path, number)
        with tempfile.TemporaryDirectory() as folder:
            fate = fate_of(path, source, Path(folder))
        fates[fate] += 1
        print(f"{fate:8} {shown}", flush=True)
    print(", ".join(f"{count} {fate}" for fate, count in sorted(fates.items())))


if __name__ == "__main__":
    main()
