"""The memory and the time that the largest picture of every kind takes.

    python benchmarks/limits.py [KIND…]

For each kind a picture of the most pixels that it may have is drawn, a board on noise, and solved by the
command. Prints a table for `docs/limits.md`: the size of the file, the peak of the memory of the command and
of any process it started, and how long it took.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from PIL import Image
from pillow_heif import register_heif_opener

from data import options
from flowvision.image.codec import MAX_PILLOW_PIXELS, MAX_PIXELS, PNG_START, chunk, pixels_in

Image.MAX_IMAGE_PIXELS = None
SAMPLE = Path(__file__).resolve().parents[1] / "samples" / "01.png"


def picture(pixels: int) -> np.ndarray:
    """A sample screenshot as (H, W, 3), enlarged to so many pixels, with noise that packs badly."""
    bgr = cv2.imread(str(SAMPLE))
    scale = (pixels / (bgr.shape[0] * bgr.shape[1])) ** 0.5
    size = int(bgr.shape[1] * scale), int(bgr.shape[0] * scale)
    large = cv2.resize(bgr, size, interpolation=cv2.INTER_NEAREST)
    noise = np.random.default_rng(0).integers(0, 6, (512, size[0], 3), np.uint8)
    for top in range(0, len(large), 512):
        part = large[top : top + 512]
        cv2.add(part, noise[: len(part)], dst=part)
    return large


def by_opencv(
    suffix: str, channels: int = 3, wide: bool = False, *options: int
) -> Callable[[np.ndarray], bytes]:
    """Encoded by OpenCV, also with alpha or 16 bits."""

    def encode(bgr: np.ndarray) -> bytes:
        if channels == 4:
            bgr = np.dstack((bgr, np.full(bgr.shape[:2], 200, np.uint8)))
        if wide:
            bgr = bgr.astype(np.uint16) * 257
        return cv2.imencode(suffix, bgr, list(options))[1].tobytes()

    return encode


def by_pillow(kind: str, mode: str = "RGB", **options: object) -> Callable[[np.ndarray], bytes]:
    def encode(bgr: np.ndarray) -> bytes:
        image = Image.fromarray(bgr[..., ::-1]).convert(mode)
        file = io.BytesIO()
        image.save(file, kind, **options)
        return file.getvalue()

    return encode


def turned(kind: str, **options: object) -> Callable[[np.ndarray], bytes]:
    """Encoded by Pillow, lying on its side as EXIF says."""
    exif = Image.Exif()
    exif[0x112] = 6
    encode = by_pillow(kind, exif=exif.tobytes(), **options)
    return lambda bgr: encode(np.rot90(bgr))


def animated(bgr: np.ndarray) -> bytes:
    """A PNG whose header announces an animation of one frame."""
    data = by_opencv(".png")(bgr)
    start = len(PNG_START) + 25
    control = chunk(b"acTL", (1).to_bytes(4, "big") + bytes(4))
    return data[:start] + control + data[start:]


KINDS: dict[str, Callable[[np.ndarray], bytes]] = {
    "PNG": by_opencv(".png", 3, False, cv2.IMWRITE_PNG_COMPRESSION, 1),
    "PNG with alpha": by_opencv(".png", 4, False, cv2.IMWRITE_PNG_COMPRESSION, 1),
    "PNG, 16 bits": by_opencv(".png", 3, True, cv2.IMWRITE_PNG_COMPRESSION, 1),
    "PNG, 16 bits, with alpha": by_opencv(".png", 4, True, cv2.IMWRITE_PNG_COMPRESSION, 1),
    "PNG with tRNS": by_pillow("PNG", transparency=(0, 0, 0), compress_level=1),
    "PNG with EXIF": turned("PNG", compress_level=1),
    "PNG, animated": animated,
    "JPEG": by_opencv(".jpg"),
    "JPEG, progressive": by_opencv(".jpg", 3, False, cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
    "JPEG, progressive, CMYK": by_pillow("JPEG", "CMYK", progressive=True),
    "JPEG, turned": turned("JPEG"),
    "WebP": by_pillow("WEBP", quality=60, method=0),
    "WebP, lossless": by_pillow("WEBP", lossless=True, quality=0, method=0),
    "WebP with alpha": by_pillow("WEBP", "RGBA", quality=60, method=0),
    "BMP": by_pillow("BMP"),
    "GIF": by_pillow("GIF", "P"),
    "TIFF": by_pillow("TIFF"),
    "TIFF, LZW, turned": turned("TIFF", compression="tiff_lzw"),
    "TIFF, 16 bits": by_opencv(".tiff", 3, True),
    "TIFF with alpha": by_pillow("TIFF", "RGBA", compression="tiff_adobe_deflate"),
    "TIFF, CMYK": by_pillow("TIFF", "CMYK"),
    "HEIC": by_pillow("HEIF", quality=30),
    "AVIF": by_pillow("AVIF", quality=30, speed=10),
}


def largest(encode: Callable[[np.ndarray], bytes]) -> bytes:
    """A picture of the most pixels that its kind may have."""
    most = 0.995 * MAX_PIXELS
    while True:
        data = encode(picture(int(most)))
        if pixels_in(data):
            return data
        most = min(0.995 * MAX_PILLOW_PIXELS, 0.95 * most)


def measured(data: bytes, place: Path) -> tuple[int, int, float, str]:
    """Exit code, peak memory in bytes, seconds, and the last line it says."""
    (place / "shot").write_bytes(data)
    command = (sys.executable, "-m", "flowvision")
    files = (str(place / "shot"), "--force", "-o", str(place / "out.png"))
    start = time.perf_counter()
    process = subprocess.Popen([*command, *files], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    peak = 0
    while process.poll() is None:
        peak = max(peak, together(process.pid))
        time.sleep(0.005)
    assert process.stderr is not None
    said = process.stderr.read().decode().strip().splitlines() or [""]
    return process.returncode, peak, time.perf_counter() - start, said[0]


def together(pid: int) -> int:
    """The bytes of memory that a process and its children have now (Linux)."""
    total = 0
    try:
        total += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            total += together(int(child))
    except (OSError, ValueError, IndexError):
        pass
    return total


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("names", nargs="*", metavar="KIND", help=", ".join(KINDS))
    names = parser.parse_args().names
    if unknown := set(names) - set(KINDS):
        parser.error(f"no kind {', '.join(sorted(unknown))}")
    register_heif_opener()
    print("| kind | million pixels | file, MB | exit | peak, MB | seconds |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in names or KINDS:
            data = largest(KINDS[name])
            million = pixels_in(data) / 1e6
            code, peak, seconds, said = measured(data, Path(folder))
            print(
                f"| {name} | {million:.1f} | {len(data) / 1e6:.0f} "
                f"| {code} | {peak / 1e6:.0f} | {seconds:.1f} |",
                flush=True,
            )
            if code:
                print("  ", said, flush=True)


if __name__ == "__main__":
    main()
