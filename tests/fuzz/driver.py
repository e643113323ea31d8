"""Many cases of one kind, each made from its number: the same number is the same case for ever.

2,000 of a quick kind are run with the other tests, fewer of a slow one. `just fuzz 100000` asks for another
number by `FLOWVISION_FUZZ`; `FLOWVISION_FUZZ_SECONDS` ends each kind after so long, and
`FLOWVISION_FUZZ_FROM` begins at another case.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable
from random import Random

CASES = int(os.environ.get("FLOWVISION_FUZZ", "0"))
SECONDS = float(os.environ.get("FLOWVISION_FUZZ_SECONDS", "inf"))
FIRST = int(os.environ.get("FLOWVISION_FUZZ_FROM", "0"))

ODD_NUMBERS = (
    0,
    1,
    2,
    3,
    7,
    8,
    16,
    31,
    32,
    64,
    127,
    128,
    255,
    256,
    4096,
    32767,
    32768,
    65535,
    2**31 - 1,
    2**31,
    2**32 - 1,
)
"""At which programs slip."""


def run_cases(kind: str, case: Callable[[Random], object], usual: int = 2000) -> int:
    """Run as many cases of a kind as usual, or as were asked for; how many.

    Raises ``AssertionError`` with the number of one that went wrong.
    """
    end = time.monotonic() + SECONDS
    cases = CASES or usual
    for number in range(FIRST, FIRST + cases):
        if time.monotonic() > end:
            return number - FIRST
        try:
            case(Random(zlib.crc32(kind.encode()) + 1_000_003 * number))
        except Exception as error:
            again = f"FLOWVISION_FUZZ_FROM={number} FLOWVISION_FUZZ=1 pytest tests/fuzz -k {kind}"
            raise AssertionError(f"case {number} of {kind}: {error!r}; again: {again}") from error
    return cases


def damaged(data: bytes, random: Random, others: bytes = b"") -> bytes:
    """Bytes with one to eight changes: turned, put in, left out, cut, doubled, or numbers set to odd ones."""
    broken = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        _damage(broken, random, others)
    return bytes(broken)


def _damage(broken: bytearray, random: Random, others: bytes) -> None:
    # Headers are short and matter most.
    at = random.randrange(min(len(broken), random.choice((40, 400, 1 << 20))) or 1)
    length = random.choice((1, 2, 4, 4, 16, 200))
    match random.randrange(8):
        case 0 if broken:
            broken[min(at, len(broken) - 1)] ^= 1 << random.randrange(8)
        case 1 if broken:
            broken[min(at, len(broken) - 1)] = random.randrange(256)
        case 2:
            broken[at:at] = random.randbytes(length)
        case 3:
            del broken[at : at + length]
        case 4:
            del broken[at + length :]
        case 5:
            broken[at:at] = broken[at : at + 20 * length]
        case 6:
            start = random.randrange(len(others) or 1)
            broken[at : at + length] = others[start : start + length]
        case _:
            size = random.choice((1, 2, 4))
            number = random.choice(ODD_NUMBERS) % (1 << 8 * size)
            broken[at : at + size] = number.to_bytes(size, random.choice(("big", "little")))
