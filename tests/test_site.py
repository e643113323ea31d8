"""The documentation as a site, and what carries Flowvision elsewhere: a container, a launcher."""

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
    assert (site / "_images" / "solvers.svg").exists()


@pytest.mark.parametrize(
    ("tool", "file"), [("hadolint", "Dockerfile"), ("desktop-file-validate", "docs/flowvision.desktop")]
)
def test_container_and_launcher_are_described_without_fault(tool: str, file: str) -> None:
    command = shutil.which(tool, path=f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin")
    if command is None:
        pytest.skip(f"{tool} is not installed")
    done = subprocess.run([command, str(ROOT / file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_container_has_opencv_without_windows_and_no_root() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert '"opencv-python>=' in (ROOT / "pyproject.toml").read_text()
    assert any("opencv-python-headless" in line for line in lines)
    assert lines.index("USER 1000") < lines.index('ENTRYPOINT ["flowvision"]')
