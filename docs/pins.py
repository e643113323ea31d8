"""Write the pins of Pyodide from its unpacked npm package: ``python docs/pins.py FOLDER``.

A pin is the size and the SHA-256 of a file that the page in the browser loads.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
PARTS = {
    "solver": ("msgspec", "python-sat"),
    "pictures": ("numpy", "opencv-python", "pillow"),
    "later": ("scikit-learn", "jinja2"),
}
"""Packages in the order in which they are loaded; those of ``later`` when something imports them."""
UNUSED = ("six",)
"""Needed by a part of python-sat that is never imported."""
KEPT = ("name", "version", "file_name", "install_dir", "sha256", "package_type", "imports", "depends")
PINS = Path(__file__).parents[1] / "src/flowvision/web/pyodide.json"


def main(folder: Path) -> None:
    """Write ``pyodide.json``."""
    lock = json.loads((folder / "pyodide-lock.json").read_text())
    packages: dict[str, dict[str, object]] = {}

    def add(name: str, part: str) -> None:
        item = lock["packages"][name]
        if name not in packages:
            depends = [other for other in item["depends"] if other not in UNUSED]
            packages[name] = {key: item[key] for key in KEPT} | {"depends": depends, "part": part}
            for other in depends:
                add(other, part)

    for part, names in PARTS.items():
        for name in names:
            add(name, part)
    core = {}
    for name in CORE:
        data = (folder / name).read_bytes()
        core[name] = {"bytes": len(data), "sha256": sha256(data).hexdigest()}
    version = json.loads((folder / "package.json").read_text())["version"]
    pins = {"version": version, "core": core, "info": lock["info"], "packages": packages}
    PINS.write_text(json.dumps(pins, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
