"""Draw the signs that ``vision/header.py`` compares glyphs with: ``python docs/header_signs.py``.

Needs Nimbus Sans (Debian's ``fonts-urw-base35``); the third font is Pillow's own.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from flowvision.vision.header import SIGNS, SIGNS_FILE, fitted
from flowvision.vision.pixels.view import Gray

URW = Path("/usr/share/fonts/opentype/urw-base35")
FONTS = (URW / "NimbusSans-Regular.otf", URW / "NimbusSans-Bold.otf", None)
"""Files of fonts; ``None``: Pillow's."""
HEIGHT_PX, PAGE_PX = 60, 200


def glyph(sign: str, font: ImageFont.FreeTypeFont) -> Gray:
    """Return the pixels (h, w) of a sign in white on black, without a margin."""
    page = Image.new("L", (PAGE_PX, PAGE_PX))
    ImageDraw.Draw(page).text((PAGE_PX / 4, PAGE_PX / 4), sign, font=font, fill=255)
    left, top, right, bottom = page.getbbox() or (0, 0, 0, 0)
    return np.asarray(page.crop((left, top, right, bottom)), np.uint8)


def sheet() -> Gray:
    """Return all signs: a row per font, a column per sign."""
    fonts = [
        ImageFont.truetype(file, HEIGHT_PX) if file else ImageFont.load_default(HEIGHT_PX) for file in FONTS
    ]
    return np.vstack([np.hstack([fitted(glyph(sign, font)) for sign in SIGNS]) for font in fonts])


if __name__ == "__main__":
    cv2.imwrite(SIGNS_FILE, sheet())
