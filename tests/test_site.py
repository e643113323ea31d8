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


def test_every_page_is_in_the_site_and_its_index(site: Path) -> None:
    index = (site / "index.html").read_text()
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").with_suffix(".html").as_posix()
        assert name == "index.html" or f'href="{name}"' in index


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    reference = (site / "api.html").read_text()
    missing = [
        name for name in dir(flowvision) if name != "__version__" and f"flowvision.{name}" not in reference
    ]
    assert not missing


def test_pictures_of_the_documents_are_in_the_site(site: Path) -> None:
    shown = {path.name for path in (site / "_images").iterdir()}
    assert "solvers.svg" in shown


def linted(tool: str, file: str) -> subprocess.CompletedProcess[str]:
    command = shutil.which(tool, path=f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin")
    if command is None:
        pytest.skip(f"{tool} is not installed")
    return subprocess.run([command, str(ROOT / file)], capture_output=True, text=True, check=False)


def test_the_container_is_described_without_fault() -> None:
    done = linted("hadolint", "Dockerfile")
    assert done.returncode == 0, done.stdout


def test_the_container_has_opencv_without_windows_and_no_root() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert '"opencv-python>=' in (ROOT / "pyproject.toml").read_text()
    assert any("opencv-python-headless" in line for line in lines)
    assert lines.index("USER 1000") < lines.index('ENTRYPOINT ["flowvision"]')


def test_the_launcher_is_valid() -> None:
    done = linted("desktop-file-validate", "docs/flowvision.desktop")
    assert done.returncode == 0, done.stdout
