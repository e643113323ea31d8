"""Write the page as files for any web space: it reads, solves and plays in the browser's own Python.

That is Pyodide: a core, and packages with their lock. A part (``solver``, ``pictures``, ``later``) is a set
of packages that are loaded together. Pins are the versions and sums that the page was tested with.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from flowvision import __version__
from flowvision.errors import OutputError
from flowvision.files import make_folder, put_file
from flowvision.web.app import WebLimits, page_files
from flowvision.web.queries import about_object
from flowvision.web.server import LOOPBACK, listen
from flowvision.web.work import SAMPLES, sample

LIST = "files.json"
"""The file by which a written folder is recognized."""
WHEEL = f"flowvision_solver-{__version__}-py3-none-any.whl"
CORE_URL = "https://cdn.jsdelivr.net/npm/pyodide@{}/"
PACKAGES_URL = "https://cdn.jsdelivr.net/pyodide/v{}/full/"
BESIDE = "pyodide/"
"""Where a copy of Pyodide is laid."""
LEFT_OUT = ("batch/", "cli/", "phone/", "web/page/")
"""Parts of the package that the browser does not need."""
INSTALLED = ("manifest.webmanifest", "icon-192.png", "icon-512.png", "icon-mask.png")
"""Files of an installed page: ``icon.svg`` without round corners, the last time within a circle."""
SCRIPTS = {"local.js": "end.js", "worker.js": "worker.js", "sw.js": "sw.js"}
"""Scripts of this end of the page, and their names in the folder."""
WHEEL_FACTS = {
    "METADATA": f"Metadata-Version: 2.1\nName: flowvision-solver\nVersion: {__version__}\n",
    "WHEEL": "Wheel-Version: 1.0\nGenerator: flowvision\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "RECORD": "",
}


class Pin(Struct):
    """A file of Pyodide's core."""

    bytes: int
    sha256: str


class Package(Struct):
    """A package of Pyodide's lock; ``part``: when it is loaded."""

    name: str
    version: str
    file_name: str
    install_dir: str
    sha256: str
    package_type: str
    imports: list[str]
    depends: list[str]
    part: str


class Pins(Struct):
    """The version of Pyodide, its core by name, facts of its lock, and the packages that the page loads."""

    version: str
    core: dict[str, Pin]
    info: dict[str, str]
    packages: dict[str, Package]


class Item(Struct):
    """A file that the page loads; ``bytes``: 0 if its size is not known."""

    name: str
    url: str
    bytes: int
    sha256: str
    part: str


def write_page(folder: str, pyodide: str | None = None) -> tuple[str, ...]:
    """Write the page into a new folder, or over one written before; return the packages that it lacks.

    ``pyodide``: a folder with the files of Pyodide's npm package and wheels of its packages. They are laid
    beside the page, which then asks no other place. Raises ``OutputError``.
    """
    target = make_folder(folder)
    if any(target.iterdir()) and not (target / LIST).is_file():
        raise OutputError(f"{folder} holds other files.", "Give a new folder.")
    pins = msgspec.json.decode(files("flowvision.web").joinpath("pyodide.json").read_bytes(), type=Pins)
    copy, lacking = dict[str, bytes](), tuple[str, ...]()
    if pyodide is not None:
        source, pins = Path(pyodide), replace(pins, packages=_packages_in(Path(pyodide), pins))
        lacking = tuple(name for name, package in pins.packages.items() if not package.file_name)
        copy = _copy(source, pins)
    beside = {BESIDE + name: data for name, data in copy.items()}
    content = _page(pins, copy) | beside
    if copy:
        make_folder(target / BESIDE)
    for name, data in content.items():
        put_file(target / name, [data])
    return lacking


def _packages_in(folder: Path, pins: Pins) -> dict[str, Package]:
    """Return the packages as they lie in a folder; without a file name if it lacks one.

    A wheel of the lock must have its sum. Another one is taken as it is, such as PyPI's for Pyodide.
    """
    packages = {}
    for name, package in pins.packages.items():
        wheels = sorted(folder.glob(f"{name.replace('-', '_')}-*.whl"))
        if not wheels:
            packages[name] = replace(package, file_name="", sha256="")
            continue
        locked = folder / package.file_name
        wheel = locked if locked in wheels else wheels[-1]
        total = sha256(wheel.read_bytes()).hexdigest()
        if wheel == locked and total != package.sha256:
            raise OutputError(f"{wheel} is not the file of Pyodide {pins.version}: its SHA-256 differs.")
        _, version, *_ = wheel.name.split("-")
        packages[name] = replace(package, file_name=wheel.name, sha256=total, version=version)
    needed = (package for package in packages.values() if package.part == "solver")
    if missing := [package.name for package in needed if not package.file_name]:
        raise OutputError(
            f"{folder} lacks wheels of {', '.join(missing)}.", "docs/web.md says where they are."
        )
    return packages


def _copy(folder: Path, pins: Pins) -> dict[str, bytes]:
    """Return the files of core and packages in a folder, by name.

    Raises ``OutputError`` for a core of another version.
    """
    copy = {}
    for name, pin in pins.core.items():
        path = folder / name
        copy[name] = path.read_bytes() if path.is_file() else b""
        if sha256(copy[name]).hexdigest() != pin.sha256:
            raise OutputError(
                f"{path} is not the file of Pyodide {pins.version}.",
                f"`npm pack pyodide@{pins.version}` has it.",
            )
    for package in pins.packages.values():
        if package.file_name:
            copy[package.file_name] = (folder / package.file_name).read_bytes()
    return copy


def _page(pins: Pins, copy: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of the page by name, with the list of what it loads.

    ``copy``: files of Pyodide that will lie beside it, none if they are fetched from its network.
    """
    wheel, limits = _wheel(), WebLimits()
    packages = {name: package for name, package in pins.packages.items() if package.file_name}
    for_pictures = {name for name, package in pins.packages.items() if package.part == "pictures"}
    page, content = files("flowvision.web").joinpath("page"), page_files()
    sources = SCRIPTS | {name: name for name in INSTALLED}
    content |= {name: page.joinpath(source).read_bytes() for source, name in sources.items()}
    content["index.html"] = _index(content["index.html"].decode(), pins, is_whole=bool(copy)).encode()
    reads = for_pictures <= packages.keys()
    about = about_object(limits.picture_bytes, limits.text_bytes, reads, keeps=True)
    content["about.json"] = json.dumps(about).encode()
    for number in SAMPLES:
        content[f"sample-{number}.png"], _ = sample(b"", {"number": number}, seconds=1.0)
    own_wheel = Item("flowvision.whl", WHEEL, len(wheel), sha256(wheel).hexdigest(), "solver")
    listed = _list(pins, packages, [own_wheel, *_items(pins, packages, copy)])
    content[LIST] = msgspec.json.encode(listed)
    content[WHEEL] = wheel
    names = ["./", *(name for name in content if name != "sw.js")]
    in_order = b"".join(content[name] for name in sorted(content))
    version = sha256(in_order).hexdigest()[:16]  # another one for any change, which installed pages notice
    script = content["sw.js"].decode().replace('"VERSION"', f'"{version}"', 1)
    content["sw.js"] = script.replace('["FILES"]', json.dumps(names), 1).encode()
    return content


def _items(pins: Pins, packages: Mapping[str, Package], copy: Mapping[str, bytes]) -> Iterator[Item]:
    """Yield the files of Pyodide that the page loads, from beside it or from its network."""
    core, base = (BESIDE, BESIDE) if copy else _places(pins)
    for name, pin in pins.core.items():
        yield Item(name, core + name, pin.bytes, pin.sha256, "solver")
    for package in packages.values():
        name, size = package.file_name, len(copy.get(package.file_name, b""))
        yield Item(name, base + name, size, package.sha256, package.part)


def _places(pins: Pins) -> tuple[str, str]:
    """Return the addresses of Pyodide's core and of its packages, each with a slash at its end."""
    return CORE_URL.format(pins.version), PACKAGES_URL.format(pins.version)


def _list(pins: Pins, packages: Mapping[str, Package], items: list[Item]) -> dict[str, object]:
    """Return what the worker loads: its files, the names of packages by part, and the package of each module.

    ``packages``: by name. The modules are those of the part ``later``.
    """
    parts: dict[str, list[str]] = {}
    for name, package in packages.items():
        parts.setdefault(package.part, []).append(name)
    # Packages of this part are loaded when one of their modules is imported.
    later = {module: name for name in parts.pop("later", ()) for module in packages[name].imports}
    lock = {"info": pins.info, "packages": packages}
    return {"files": items, "packages": parts, "modules": later, "lock": lock}


def _index(page: str, pins: Pins, is_whole: bool) -> str:
    """Return the page with its content policy and the links of an installed page.

    ``is_whole``: Pyodide lies beside it, so that it connects to no other place.
    """
    connected = ("connect-src 'self'", *(() if is_whole else _places(pins)))
    policy = "; ".join(
        (
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval' blob:",  # blob: what was checked against the list
            "worker-src 'self' blob:",
            "style-src 'self'",
            "img-src 'self' blob:",
            " ".join(connected),
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types flowvision",
        )
    )
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="description" content="Solve screenshots of Flow Free, on this device.">\n'
        '<meta name="theme-color" content="#14161a">\n'
        '<link rel="manifest" href="manifest.webmanifest">\n'
        '<link rel="apple-touch-icon" href="icon-192.png">\n'
    )
    return page.replace('<meta charset="utf-8">\n', f'<meta charset="utf-8">\n{head}', 1)


def _wheel() -> bytes:
    """Return this package as a wheel, from its installed files."""
    content = dict(sorted(_sources(files("flowvision"))))
    for name, text in WHEEL_FACTS.items():
        content[f"flowvision_solver-{__version__}.dist-info/{name}"] = text.encode()
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, data in content.items():
            # Dated 1980: the same sources make the same wheel.
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED, compresslevel=9)
    return packed.getvalue()


def _sources(folder: Traversable, path: str = "") -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of the files of this package, without those left out."""
    for entry in folder.iterdir():
        name = f"{path}{entry.name}"
        if entry.is_dir() and entry.name != "__pycache__" and f"{name}/" not in LEFT_OUT:
            yield from _sources(entry, f"{name}/")
        elif entry.is_file() and not entry.name.endswith(".pyc"):
            yield f"flowvision/{name}", entry.read_bytes()


def serve_folder(say: Callable[[str], object], folder: str, port: int) -> None:
    """Serve a written folder on this machine until Ctrl-C."""
    handler = partial(QuietHandler, directory=folder)
    (listening, *_), port = listen((LOOPBACK,), port)
    listening.close()  # it was opened only to find a free port
    with ThreadingHTTPServer((LOOPBACK, port), handler) as server, suppress(KeyboardInterrupt):
        say(f"http://localhost:{port}/ (Ctrl-C ends it)")
        server.serve_forever()


class QuietHandler(SimpleHTTPRequestHandler):
    """Files with the media types of the page."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }

    def log_message(self, *_: object) -> None:
        """Print nothing."""
