"""Whether a part of a board, or a board that was changed, is ever answered as the whole.

    FLOWVISION_DATA=folder python benchmarks/parts.py [STRIDE] [--only NAME]… [--jobs 2] [--keep FOLDER]

Every STRIDE-th labelled real picture of a plain board that is read right today is damaged in every way of the
table: each of the four inner lines next to the border is erased, at three widths, sharp, blurred and as JPEG;
white and black pixels are strewn; the picture is cut inside the border, with and without two dots swapped; a
panel covers a row or column but for a part of it; a pair of dots is erased and the picture tilted. A row a
damage, with the columns of ``damage.py``. The last one must stay 0.
"""

from __future__ import annotations

import argparse
import zlib
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

import damage_content as content
import damage_signals as signal
from damage import COLUMNS, Verdict, verdict
from flowvision.image.picture import Bgr
from scenes import Scene, real_boards, real_scene

Random = np.random.Generator
Change = Callable[[Scene, Random], Bgr]
BORDERS = ("left", "right", "top", "bottom")
WIDTHS = (240, 480, 1080)
JPEG_60 = (cv2.IMWRITE_JPEG_QUALITY, 60)


def as_jpeg(bgr: Bgr) -> Bgr:
    """Compressed."""
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", bgr, JPEG_60)[1], cv2.IMREAD_COLOR), np.uint8)


FINISHES: dict[str, Callable[[Bgr], Bgr]] = {
    "sharp": lambda bgr: bgr,
    "JPEG 60": as_jpeg,
    "blurred": lambda bgr: np.asarray(cv2.GaussianBlur(bgr, (0, 0), 0.8), np.uint8),
}


def without_line(border: str, width: int, finish: str) -> Change:
    """The inner line next to a border erased, then the picture resized and finished."""

    def change(scene: Scene, random: Random) -> Bgr:
        bgr = content.without_line_beside(scene, border)
        factor = width / bgr.shape[1]
        how = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
        return FINISHES[finish](np.asarray(cv2.resize(bgr, None, fx=factor, fy=factor, interpolation=how)))

    return change


def cut(border: str, cells: float, change: Change | None = None) -> Change:
    """Cut off to so many cells inside a border, as it is or after another change."""

    def cut_off(scene: Scene, random: Random) -> Bgr:
        changed = scene if change is None else replace(scene, bgr=change(scene, random))
        return content.cut_off(changed, border, cells)

    return cut_off


def panel(border: str, left: float) -> Change:
    """A panel over a whole row or column but for so many cells of it, light or dark."""
    return lambda scene, random: content.covered(scene, border, 1 - left, int(random.choice((0, 40, 250))))


def tilted_without_pair(scene: Scene, random: Random) -> Bgr:
    """A pair erased, seen from slightly below."""
    return signal.tilted_away(replace(scene, bgr=content.erased_pair(scene, random)), random)


CHANGES: dict[str, dict[str, Change]] = {
    **{
        f"line erased, {width} px, {finish}": {
            border: without_line(border, width, finish) for border in BORDERS
        }
        for width in WIDTHS
        for finish in FINISHES
    },
    **{f"salt and pepper {percent} %": {"": signal.strewn(percent / 100)} for percent in (1, 2, 3, 4)},
    "cut inside the border": {border: cut(border, 0.06) for border in BORDERS},
    "cut, dots swapped": {border: cut(border, 0.06, content.swapped_dots) for border in BORDERS},
    **{
        f"panel, {left} of a row left": {border: panel(border, left) for border in BORDERS}
        for left in (0.1, 0.3, 0.6)
    },
    "pair erased, tilted": {"": tilted_without_pair},
}
"""Every way to damage a picture, by the name of its row and by where."""


def verdicts(task: tuple[int, list[str], Path | None]) -> tuple[list[str], Verdict]:
    """What became of one picture: lines to print, and counts by row and column."""
    number, names, keep = task
    cv2.setNumThreads(1)
    scene, found, told = real_scene(number), Counter[tuple[str, str]](), list[str]()
    if verdict(scene, scene.bgr)[0] not in ("right", "differs, said"):
        return told, found
    for name in names:
        for where, change in CHANGES[name].items():
            seed = zlib.crc32(f"{name} {where}".encode())
            bgr = np.ascontiguousarray(change(scene, np.random.default_rng((seed, number))))
            what, why = verdict(scene, bgr)
            found[name, what] += 1
            if what.startswith("wrong"):
                told.append(f"  {what}: {name} {where} ({number}: {scene.name}): {why}")
            if keep and what.startswith("wrong"):
                keep.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(keep / f"{what}-{name}-{where}-{number}.png".replace(" ", "_")), bgr)
    return told, found


def main() -> None:
    """Damage, read, count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("stride", nargs="?", type=int, default=1, help="every STRIDE-th picture [1]")
    parser.add_argument("--only", action="append", help="rows whose name begins so (several times: these)")
    parser.add_argument("--jobs", type=int, default=2, help="processes [2]")
    parser.add_argument("--keep", type=Path, help="write the pictures that were read wrongly there")
    given = parser.parse_args()
    names = [name for name in CHANGES if not given.only or name.startswith(tuple(given.only))]
    found = Counter[tuple[str, str]]()
    tasks = [(number, names, given.keep) for number in range(0, len(real_boards()), given.stride)]
    with ProcessPoolExecutor(given.jobs) as pool:
        for told, one in pool.map(verdicts, tasks):
            found += one
            print(*told, sep="\n", end="\n" if told else "", flush=True)
    print(f"{'':28}" + "".join(f"{column:>15}" for column in COLUMNS))
    for name in names:
        print(f"{name:28}" + "".join(f"{found[name, column]:15}" for column in COLUMNS))


if __name__ == "__main__":
    main()
