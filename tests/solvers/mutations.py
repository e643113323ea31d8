"""A mutation check: break each rule of the solver in turn, and see that the tests notice.

    python tests/solvers/mutations.py [WORD]

Each mutation replaces one piece of source text in a copy of the package, on which the solver's tests are
run; with a WORD, only those whose rule has it. A mutation that no test notices is printed, and the exit
code is 1.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


MEMORY = 2 << 30

NO_SHRINKING = """
from hypothesis import Phase, settings
settings.register_profile("quick", phases=[Phase.generate], deadline=None)
settings.load_profile("quick")
"""
"""Any failure will do here; the smallest one takes minutes."""


@dataclass(frozen=True)
class Mutation:
    """``old`` becomes ``new`` in a module of the package."""

    rule: str
    module: str
    old: str
    new: str


CYCLES, ENCODING = "solvers/cycles.py", "solvers/encoding.py"
LAZY, SAT = "solvers/loop_cutting.py", "solvers/sat.py"
MUTATIONS = (
    Mutation("a dot has at most one edge", ENCODING, "*_at_most(literals, 1), ", ""),
    Mutation("a dot has an edge", ENCODING, ", tuple(literals))", ",)"),
    Mutation("a strand has at most two edges", ENCODING, "*_at_most(literals, 2), *comb", "*comb"),
    Mutation("a strand has two edges", ENCODING, ", *combinations(literals, len(literals) - 1))", ",)"),
    Mutation("a dot has its colour", ENCODING, "bit if flow >> place & 1 else -bit", "-bit"),
    Mutation("an edge carries the colour one way", ENCODING, "yield ~edge, -p, q", "pass"),
    Mutation("an edge carries the colour the other way", ENCODING, "yield ~edge, p, -q", "pass"),
    Mutation("colours have enough bits", ENCODING, "- 1).bit_length())", "- 1).bit_length() - 1)"),
    Mutation("the 2×2 rule is only for strict rules", ENCODING, "(-switch, *some) for", "some for"),
    Mutation(
        "the 2×2 rule allows two sides of a square",
        ENCODING,
        "unused, len(cycle) - 1",
        "unused, len(cycle) - 2",
    ),
    Mutation("triangles are cycles too", CYCLES, "if d in near[b]:", "if False:"),
    Mutation("a dot ends a diagonal", CYCLES, "{*dots, -1}", "{-1}"),
    Mutation("a path passes by dots of others", CYCLES, "*edges, *other)", "*edges)"),
    Mutation("loops are cut", LAZY, "for loop in found.loops]", "for loop in ()]"),
    Mutation("a loop may be left by any edge", LAZY, "not in inside\n    ]", "not in inside\n    ][:1]"),
    Mutation("free rules follow strict ones", LAZY, 'first = search.next_solution("free")', "pass"),
    Mutation("uniqueness is asked for", LAZY, "search.forbid(first)", "pass"),
    Mutation(
        "the answer's rules are those of the second", LAZY, "next_solution(rules)", 'next_solution("free")'
    ),
    Mutation("touching further away is cut", SAT, 'if not cuts and rules == "strict":', "if False:"),
    Mutation("a touching path may go another way", SAT, "for edge in between)", "for edge in between[:1])"),
    Mutation("cuts of touching paths are only for strict rules", SAT, "[-self.strict, *(", "[*("),
    Mutation("a rule is dropped when a contradiction needs it", SAT, "if not needed:", "if True:"),
    Mutation("a contradiction without rules is a proof", SAT, "if not needed:", "if not kept:"),
    Mutation("the clock is looked at", SAT, "left = self.check_clock()", "left = 1.0"),
)


def noticed(mutation: Mutation, folder: Path) -> bool:
    """Whether a test fails on the mutated copy."""
    shutil.copytree(ROOT / "src", folder / "src")
    shutil.copytree(ROOT / "tests", folder / "tests")
    shutil.copy(ROOT / "pyproject.toml", folder)
    conftest = folder / "tests" / "conftest.py"
    conftest.write_text(conftest.read_text() + NO_SHRINKING)
    file = folder / "src" / "flowvision" / mutation.module
    source = file.read_text()
    file.write_text(source.replace(mutation.old, mutation.new))
    # The copy comes before the installed package, so that it is the copy that is tested.
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    names = ("sat", "cycles", "implied", "engines", "counting")
    tests = [f"tests/solvers/test_{name}.py" for name in names]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        "not published",
        *tests,
    ]
    try:
        run = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            timeout=60,
            check=False,
            preexec_fn=limit_memory,
        )
    except subprocess.TimeoutExpired:
        return True
    if run.returncode > 1:
        raise SystemExit(run.stdout.decode() + run.stderr.decode())
    return run.returncode != 0


def limit_memory() -> None:
    """A mutant that goes round in circles soon fails."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def main(word: str) -> int:
    """Try every mutation whose rule has this word, and none."""
    missed = []
    for mutation in MUTATIONS:
        if mutation.old not in (ROOT / "src/flowvision" / mutation.module).read_text():
            raise SystemExit(f"{mutation.module} has no {mutation.old!r}: mend the list of mutations.")
    nothing = Mutation("nothing is changed", ENCODING, "Clauses", "Clauses")
    chosen = [mutation for mutation in MUTATIONS if word in mutation.rule]
    for mutation in (nothing, *chosen):
        with tempfile.TemporaryDirectory() as folder:
            found = noticed(mutation, Path(folder))
        expected = mutation.old != mutation.new
        print(f"{'noticed' if found else 'passed ':8} {mutation.rule}", flush=True)
        if found != expected:
            missed.append(mutation.rule)
    print(
        f"Not as it should be: {', '.join(missed)}" if missed else f"All {len(chosen)} mutations are noticed."
    )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:] or [""]))
