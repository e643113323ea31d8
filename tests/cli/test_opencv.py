"""OpenCV's extension alone is all of OpenCV that is used."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.systems import posix_only

ROOT = Path(__file__).resolve().parents[2]
LOAD = "import sys; from flowvision.cli.opencv import load_extension; load_extension()"


def said(code: str, *arguments: str) -> str:
    """What a program of its own prints after the extension was loaded."""
    command = [sys.executable, "-c", f"{LOAD}\n{code}", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def test_it_has_all_that_is_used() -> None:
    """Every function and constant of OpenCV that the sources name, and as they are in the whole package."""
    sources = (ROOT / "src" / "flowvision").rglob("*.py")
    used = {name for file in sources for name in re.findall(r"\bcv2\.([A-Za-z_]\w*)", file.read_text())}
    assert {"imdecode", "resize", "ipp"} < used
    code = "import cv2; print(*(name for name in sys.argv[1:] if not hasattr(cv2, name)))"
    assert said(code, *sorted(used - {"typing"})) == ""


@posix_only
def test_the_rest_of_opencv_is_left_out_but_can_be_had() -> None:
    """Its Python files are loaded when somebody imports them."""
    loaded = "'cv2' in sys.modules and 'cv2.mat_wrapper' not in sys.modules"
    assert said(f"print({loaded})") == "True"
    assert said("import cv2.typing; print(cv2.typing.__name__)") == "cv2.typing"


def test_what_is_loaded_stays() -> None:
    """Whoever has imported OpenCV keeps it."""
    code = "import cv2; before = vars(cv2).copy(); load_extension(); print(vars(cv2) == before)"
    assert said(code) == "True"


def test_a_package_without_an_extension_is_imported_as_usual(tmp_path: Path) -> None:
    """Some systems build OpenCV otherwise; and one that does not load says why when it is imported."""
    for text, expected in (("", "True"), (None, "ImportError")):
        package = tmp_path / str(expected) / "cv2"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("WHOLE = True")
        if text is None:
            (package / "cv2.abi3.so").write_bytes(b"no library")
            (package / "__init__.py").write_text("raise ImportError('libGL.so.1')")
        code = (
            f"import sys; sys.path.insert(0, {str(package.parent)!r})\n{LOAD}\n"
            "try:\n    import cv2; print(cv2.WHOLE)\nexcept ImportError as error: print(type(error).__name__)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == expected
