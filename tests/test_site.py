"""The documentation as a site, and the launcher."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import flowvision
from tests.commands import ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    folder = tmp_path_factory.mktemp("site")
    command = (sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", ROOT / "docs", folder / "html")
    done = subprocess.run([*command, "-d", folder / "trees"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "html"


def test_pages_names_and_pictures_are_in_the_site(site: Path) -> None:
    index, reference = ((site / f"{name}.html").read_text() for name in ("index", "api"))
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").with_suffix(".html").as_posix()
        assert name == "index.html" or f'href="{name}"' in index
    names = [name for name in dir(flowvision) if name != "__version__"]
    assert [name for name in names if f"flowvision.{name}" not in reference] == []
    assert (site / "_images" / "how-crop.webp").exists()


VALIDATOR = shutil.which("desktop-file-validate")


@pytest.mark.skipif(VALIDATOR is None, reason="desktop-file-validate is not installed")
def test_the_launcher_is_described_without_fault() -> None:
    launcher = ROOT / "docs" / "flowvision.desktop"
    done = subprocess.run([VALIDATOR, launcher], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
