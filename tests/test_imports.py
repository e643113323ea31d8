"""What is public, and what is loaded when."""

from __future__ import annotations

import inspect
import pydoc
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import flowvision
from flowvision.errors import FlowvisionError
from tests.loaded import modules_after

SAMPLE = Path(__file__).resolve().parents[1] / "samples" / "02.png"
"""A board drawn as the game draws it."""

PUBLIC = """
AmbiguousColoursError Answer Board BoardNotFoundError Cell CheckedReading ClusterError CrashedError
DotsError DoubtfulReadingError ExitCode Flow FlowvisionError Frame GaveUp GaveUpError Graph
GridNotFoundError HintSteps ImageUnreadableError Lattice Layout Limits Look MissingExtraError NamedPuzzle
OddDotsError Options OutputError Path PhoneError PlayError Puzzle PuzzleInvalidError ReadBoard Reading
Rgb Screenshot SetBoard ShortageError SetCell Settings Solution Solved SolvedPuzzle
Step Unsolvable UnsolvableError __version__ count_solutions debug_page draw_puzzle
format_puzzle
generate_puzzle parse parse_puzzle puzzle_svg read_image solve solve_folder solve_image solve_puzzle
"""


def after_solving(picture: Path) -> set[str]:
    """The modules that the command loads to solve a picture, and nothing besides."""
    code = f"import flowvision.cli\ntry: flowvision.cli.main([{str(picture)!r}])\nexcept SystemExit as end: "
    loaded = modules_after(f"{code}assert end.code == 0")
    assert {"cv2", "flowvision.pipeline", "flowvision.puzzle.boards"} <= loaded
    return loaded


def test_the_public_names_are_fixed() -> None:
    """Adding or removing a public name is a decision: it is made here too."""
    assert dir(flowvision) == sorted(PUBLIC.split())


@pytest.mark.parametrize("name", dir(flowvision))
def test_every_public_name_is_there(name: str) -> None:
    """Each name loads."""
    assert getattr(flowvision, name) is not None


def test_the_first_screen_of_help_tells_all() -> None:
    """Every function of the library, and the names of what people look for; it fits three of 40 lines."""
    shown = pydoc.render_doc(flowvision, renderer=pydoc.plaintext)
    # From Python 3.13 on every parameter of a long signature has a line of its own.
    assert len(shown.splitlines()) <= (120 if sys.version_info < (3, 13) else 160)
    first = "\n".join(shown.splitlines()[:40])
    told = flowvision.__doc__ or ""
    assert all(line.strip() in first for line in told.splitlines())
    functions = {name for name in PUBLIC.split() if inspect.isfunction(getattr(flowvision, name))}
    assert {name for name in functions if not re.search(rf"\b{name}\b(?!\w)", told)} == {
        "format_puzzle",
        "parse",
        "solve",
    }
    for name in re.findall(r"\b[A-Z]\w+\b(?= {3}|, Set)", told):
        assert name in PUBLIC.split()
    for name, side in (("Answer", 0), ("Flow", 0), ("Options", 2), ("Look", 2)):  # of the colon
        said = next(line for line in told.splitlines() if line.startswith(f"{name} "))[len(name) :]
        for field in re.sub(r"\(\)|=\S+(?=,)", "", said.partition(":")[side]).split(","):
            assert hasattr(getattr(flowvision, name), field.strip()), (name, field)


def test_a_star_brings_every_public_name_but_one() -> None:
    """``Path`` of pathlib is not hidden by ours."""
    brought: dict[str, object] = {}
    exec("from pathlib import Path\nfrom flowvision import *", brought)
    assert brought["Path"] is Path
    assert set(PUBLIC.split()) - {"__version__"} <= set(brought)
    assert all(brought[name] is getattr(flowvision, name) for name in ("Options", "FlowvisionError", "Rgb"))


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        *(("nonsense", ""), ("read", "read_image"), ("Error", "FlowvisionError")),
        *(("solve_images", "solve_image"), ("Option", "Options"), ("hint", "solve_image(…).hint()")),
    ],
)
def test_there_are_no_other_names(name: str, meant: str) -> None:
    """A name that is not public is an attribute error, with what may be meant."""
    with pytest.raises(AttributeError, match=name) as caught:
        getattr(flowvision, name)
    assert str(caught.value).endswith(f"; it has {meant}" if meant else f"{name!r}")


def test_what_may_be_meant_is_there() -> None:
    """Each name that stands for another is none itself, and leads to one."""
    for name, instead in flowvision.INSTEAD.items():
        assert name not in dir(flowvision)
        assert re.match(r"\w+", instead)[0] in dir(flowvision)


def test_every_error_is_public() -> None:
    """Whoever catches errors can import each of them from the package."""

    def below(kind: type[FlowvisionError]) -> set[str]:
        return {kind.__name__}.union(*(below(child) for child in kind.__subclasses__()))

    assert below(FlowvisionError) <= set(dir(flowvision))


def test_importing_the_package_loads_nothing() -> None:
    """Neither OpenCV nor numpy nor click."""
    assert modules_after("import flowvision").isdisjoint({"cv2", "numpy", "click", "pysat"})


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["solve", "--help"], ["batch", "--help"], ["phone", "play", "--help"], ["--version"]],
)
def test_help_loads_neither_opencv_nor_numpy(arguments: list[str]) -> None:
    """Help answers before anything heavy is loaded."""
    code = f"import flowvision.cli\ntry: flowvision.cli.main({arguments})\nexcept SystemExit: pass"
    assert modules_after(code).isdisjoint({"cv2", "numpy", "pysat", "PIL"})


def test_the_command_begins_without_looking_for_like_names() -> None:
    """As the package does for a name that it has not, such as a module that is not loaded yet."""
    command = [sys.executable, "-X", "importtime", "-m", "flowvision", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "flowvision.cli" in loaded
    assert "difflib" not in loaded


def test_an_exact_screenshot_needs_no_heavy_library(shot: Path) -> None:
    """Neither scikit-learn nor scipy nor Pillow is loaded to solve a plain PNG."""
    heavy = {"sklearn", "scipy", "PIL", "pandas", "joblib", "multiprocessing"}
    assert after_solving(shot).isdisjoint(heavy)


UNUSED = """
numpy.ma click.shell_completion flowvision.contract flowvision.corrections
flowvision.puzzle.bounds flowvision.puzzle.formats flowvision.puzzle.levels flowvision.puzzle.records
flowvision.puzzle.text
pathlib difflib string colorsys tempfile json
pysat.solvers pysat.formula decimal gzip lzma bz2
flowvision.vision.kinds.hexagonal flowvision.vision.kinds.free flowvision.vision.kinds.circles
flowvision.vision.dots.copies
flowvision.reading.corrected flowvision.diagnosis
flowvision.reading.resolve_pairing flowvision.solvers.reasons flowvision.solvers.continuation
flowvision.solvers.repairs flowvision.solvers.backtracking
flowvision.render.repaint flowvision.render.svg
flowvision.debug flowvision.export flowvision.phone
"""
"""What a run that solves an ordinary board does without: written forms of puzzles, JSON, corrections,
completion of commands, masked arrays; paths as objects; PySAT's modules, and what they bring;
boards that are no lattice of squares, dots that are not those of the game; what
explains and mends boards without a solution; other forms of answers."""


LIBRARIES = "import contextlib, numpy\nwith contextlib.suppress(ImportError): import isal.isal_zlib"
"""Those whose versions differ in what they load."""


@pytest.fixture(scope="module")
def loaded_plainly(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What a run has loaded in the end that solved an ordinary board, beside numpy and isal.

    Some versions of these load more than others, whatever is asked of them.
    """
    picture = tmp_path_factory.mktemp("plain") / SAMPLE.name
    picture.write_bytes(SAMPLE.read_bytes())
    return after_solving(picture) - modules_after(LIBRARIES)


@pytest.mark.parametrize("name", UNUSED.split())
def test_a_plain_run_loads_nothing_that_it_does_not_use(name: str, loaded_plainly: set[str]) -> None:
    """Each module takes time at every start."""
    assert find_spec(name), f"{name} is gone: name what has its place"
    assert name not in loaded_plainly


def test_a_plain_run_loads_few_modules(loaded_plainly: set[str]) -> None:
    """Each of Flowvision's own takes a quarter of a millisecond: 95 do, and there is room for a few more."""
    assert sum(name.startswith("flowvision") for name in loaded_plainly) <= 105


def test_every_benchmark_finds_what_it_imports() -> None:
    """They are no tests, and run by hand; a name that moved would be missed in them."""
    benchmarks = Path(__file__).resolve().parents[1] / "benchmarks"
    names = sorted(script.stem for script in benchmarks.glob("*.py"))
    assert names
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    subprocess.run([sys.executable, "-c", code, *names], cwd=benchmarks, check=True)
