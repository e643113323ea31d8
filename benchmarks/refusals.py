"""What is said of pictures that are refused, each for one known cause, and what it takes to say it.

    python benchmarks/refusals.py [NAME]… [--keep FOLDER | --blind FOLDER]

Draws the pictures of ``refused_pictures.py`` and prints for each the cause that is told, right or wrong, the
seconds of CPU for refusing and for the diagnosis, and what the terminal says. ``--keep`` writes pictures and
debug pages. ``--blind`` does so for people who are to name the causes: pictures and pages are called 01, 02
and so on, drawn by lot; what the terminal says of each is in lines.txt, which is which in key.txt.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

import cv2

from flowvision.debug.folder import write_debug_folder
from flowvision.errors import FlowvisionError
from flowvision.events import Event
from flowvision.image.picture import Screenshot
from flowvision.pipeline import solve_image
from refused_pictures import SPOILT, Spoilt


def refused(one: Spoilt, name: str, keep: Path | None) -> tuple[bool, float, str]:
    """Whether the right cause is told, the seconds it took, and what is said; all is printed."""
    events, bgr = list[Event](), one.draw()
    start = process_time()
    try:
        final = solve_image(Screenshot(bgr, f"{name}.png"), one.options, events.append)
        code, told, refusing, seconds = "READ", f"{final!r}", process_time() - start, 0.0
    except FlowvisionError as error:
        final, refusing = error, process_time() - start
        told = f"{error.message}\n    → {error.hint}"
        seconds = process_time() - start - refusing
        code = error.cause.code if error.cause else error.code
    is_right = code in one.codes
    print(f"{'ok ' if is_right else 'NO '} {one.name}: {code} ({refusing:.2f} + {seconds:.2f} s)\n    {told}")
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(keep / f"{name}.png"), bgr)
        write_debug_folder(keep / name, events, one.options, final)
    return is_right, seconds, f"{name}: {told}"


def main() -> None:
    """Draw, read, count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="these alone")
    parser.add_argument("--keep", type=Path, help="write the pictures and their debug pages there")
    parser.add_argument("--blind", type=Path, help="the same under names that say nothing, with a key")
    given = parser.parse_args()
    chosen = [one for one in SPOILT if not given.names or one.name in given.names]
    names = [one.name.replace(" ", "-").replace("%", "percent") for one in chosen]
    if given.blind:
        Random().shuffle(chosen)
        names = [f"{number:02}" for number in range(1, len(chosen) + 1)]
    keep = given.blind or given.keep
    found = [refused(one, name, keep) for one, name in zip(chosen, names, strict=True)]
    if given.blind:
        key = "".join(f"{name} {one.name}\n" for name, one in zip(names, chosen, strict=True))
        (given.blind / "key.txt").write_text(key)
        (given.blind / "lines.txt").write_text("\n\n".join(said for _, _, said in found) + "\n")
    seconds = [taken for _, taken, _ in found]
    print(
        f"{sum(right for right, _, _ in found)} of {len(found)} told right; a diagnosis takes "
        f"{median(seconds):.2f} s in the median, {max(seconds):.2f} s at most"
    )


if __name__ == "__main__":
    main()
