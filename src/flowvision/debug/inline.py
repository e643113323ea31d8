"""Pictures as part of a page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

from flowvision.image.codec import encode
from flowvision.image.picture import Bgr

QUALITY = 80
HANDS = 2
"""Threads that compress: Pillow lets others work meanwhile."""


def data_addresses(pictures: Iterable[Bgr]) -> list[str]:
    """Pictures as addresses that hold their data."""
    with ThreadPoolExecutor(HANDS) as hands:
        return list(hands.map(_data_address, pictures))


def _data_address(bgr: Bgr) -> str:
    """WebP, which all browsers show, a tenth of PNG; PNG where Pillow was built without."""
    from PIL import Image, features

    if not features.check("webp"):
        return f"data:image/png;base64,{b64encode(encode(bgr)).decode()}"
    file = BytesIO()
    Image.fromarray(bgr[:, :, ::-1]).save(file, "WEBP", quality=QUALITY, method=0)
    return f"data:image/webp;base64,{b64encode(file.getvalue()).decode()}"
