"""What is public, and what is loaded when."""

import inspect
import pydoc
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

import flowvision
from tests.commands import ROOT, modules_after, python

SAMPLE = ROOT / "samples" / "02.png"

PUBLIC = """
Answer Flow FlowvisionError HintSteps Look Options Puzzle SetBoard SetCell
__version__ debug_page generate_puzzle parse_puzzle solve_folder solve_image
"""


def test_the_public_names_are_fixed_and_explained() -> None:
    """Adding or removing a public name is a decision, made here too."""
    imported: dict[str, object] = {}
    exec("from flowvision import *", imported)
    names = imported.keys() - {"__builtins__"}
    assert dir(flowvision) == sorted(PUBLIC.split())
    assert names == set(PUBLIC.split()) - {"__version__"}
    for name in names:
        assert inspect.getdoc(getattr(flowvision, name)), name
        assert name in f"{flowvision.__doc__} HintSteps"


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="solve_images") as raised:
        _ = flowvision.solve_images
    assert raised.value.obj is flowvision


def test_the_first_screen_of_help_names_what_there_is() -> None:
    shown, words = pydoc.render_doc(flowvision, renderer=pydoc.plaintext), flowvision.__doc__
    assert words.splitlines()[0] in shown
    assert "class Answer" in shown
    attributes_of = dict(re.findall(r"^(Answer|Puzzle|Flow|Look) +(.*(?:\n {16}.*)*)", words, re.MULTILINE))
    assert len(attributes_of) == 4
    for kind in ("Answer", "Puzzle", "Flow"):
        for name in re.findall(r"[a-z_]+(?=\(\)|[,\n:]|$)", attributes_of[kind].partition(":")[0]):
            assert hasattr(getattr(flowvision, kind), name), (kind, name)


@pytest.mark.parametrize("line", ["--help", "solve --help", "batch --help", "phone play --help", "--version"])
def test_help_loads_neither_opencv_nor_numpy(line: str) -> None:
    code = f"import flowvision.cli\ntry: flowvision.cli.main({line.split()})\nexcept SystemExit: pass"
    assert modules_after(code).isdisjoint({"cv2", "numpy", "pysat", "PIL"})


def test_the_package_loads_nothing_heavy() -> None:
    assert modules_after("import flowvision").isdisjoint({"cv2", "numpy", "pysat", "PIL", "click"})


UNUSED = """
numpy.ma sklearn scipy joblib PIL multiprocessing click.shell_completion
flowvision.contract flowvision.corrections
flowvision.puzzle.formats
flowvision.puzzle.text
pathlib difflib string colorsys tempfile json
pysat.solvers pysat.formula gzip lzma bz2
flowvision.vision.kinds.hexagonal flowvision.vision.kinds.free flowvision.vision.kinds.circles
flowvision.vision.dots.discs
flowvision.reading.corrected flowvision.diagnosis
flowvision.reading.resolve_pairing flowvision.solvers.counting
flowvision.solvers.repairs flowvision.solvers.backtracking
flowvision.render.repaint flowvision.render.svg
flowvision.debug flowvision.export.pictures flowvision.phone
"""
"""What a run that solves an ordinary board does without."""


LIBRARIES = "import contextlib, numpy\nwith contextlib.suppress(ImportError): import isal.isal_zlib"
"""Those whose versions differ in what they load."""


def test_a_plain_run_loads_few_modules_and_none_that_it_does_not_use(tmp_path: Path) -> None:
    """Each module of Flowvision takes a quarter of a millisecond."""
    picture = tmp_path / SAMPLE.name
    picture.write_bytes(SAMPLE.read_bytes())
    code = f"import flowvision.cli\ntry: flowvision.cli.main([{str(picture)!r}])\nexcept SystemExit as end: "
    loaded = modules_after(f"{code}assert end.code == 0") - modules_after(LIBRARIES)
    assert {"cv2", "flowvision.pipeline", "flowvision.puzzle.boards"} <= loaded
    assert [name for name in UNUSED.split() if not find_spec(name)] == [], "name what has their place"
    assert loaded.isdisjoint(UNUSED.split())
    assert sum(name.startswith("flowvision") for name in loaded) <= 105


@pytest.mark.parametrize("folder", ["benchmarks", "docs", "samples"])
def test_every_script_finds_what_it_imports(folder: str) -> None:
    """Scripts are run by hand, so a moved name would go unnoticed."""
    names = sorted(script.stem for script in (ROOT / folder).glob("*.py"))
    assert names
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    python(code, *names, cwd=ROOT / folder, check=True)
