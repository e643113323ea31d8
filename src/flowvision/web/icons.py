"""Icons of the installed page in pixels, drawn from the shapes of ``icon.svg``."""

from __future__ import annotations

import re
from importlib.resources import files
from xml.etree import ElementTree as Xml

import numpy as np

from flowvision.colours import Rgb
from flowvision.image.codec import encode
from flowvision.image.picture import Floats
from flowvision.render.paint import disc, stroke

SIDE = 64
"""Width of ``icon.svg`` in its own units."""
STEP = re.compile(r"([Mvh])([\d.]+)(?:[ ,]([\d.]+))?")
OVERSIZE = 1.5
"""OpenCV draws antialiased lines this many pixels wider than it is told."""


def icon(size_px: int, scale: float) -> bytes:
    """Return the icon as a square PNG without round corners; ``scale``: of its shapes, about the middle."""
    root = Xml.fromstring(files("flowvision.web").joinpath("page/icon.svg").read_bytes())
    unit, offset = size_px * scale / SIDE, size_px * (1 - scale) / 2
    canvas = np.zeros((size_px, size_px, 3), np.uint8)
    for node in root.iter():
        tag, given = node.tag.rpartition("}")[2], node.attrib
        if tag == "rect":
            canvas[:] = _rgb(given["fill"])[::-1]
        elif tag == "path":
            width = float(root.find("*[@stroke-width]").attrib["stroke-width"])  # type: ignore[union-attr]
            stroke(
                canvas, offset + unit * _points(given["d"]), _rgb(given["stroke"]), width * unit - OVERSIZE
            )
        elif tag == "circle":
            middle = offset + unit * np.array([float(given["cx"]), float(given["cy"])])
            disc(canvas, middle.tolist(), float(given["r"]) * unit, _rgb(given["fill"]))
    return encode(canvas)


def _rgb(word: str) -> Rgb:
    return Rgb(*bytes.fromhex(word.removeprefix("#")))


def _points(path: str) -> Floats:
    """Return the corners (N, 2) of a path of absolute moves and relative lines down and to the right."""
    places = list[tuple[float, float]]()
    for kind, first, second in STEP.findall(path):
        if kind == "M":
            places.append((float(first), float(second)))
            continue
        x, y = places[-1]
        places.append((x + float(first), y) if kind == "h" else (x, y + float(first)))
    return np.array(places, np.float64)
