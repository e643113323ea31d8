"""Names of files that people, phones and other systems leave behind, as bytes."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import count, islice
from random import Random

WORDS = (
    *("Skjermbilde på fjellet", "café", "Ångström", "스크린샷", "がぎぐ", "Ảnh chụp"),  # written in two ways
    *("🙂", "👩\u200d👧", "🇳🇴", "\u202egnp.", "لقطة شاشة", "צילום", "a\u200bb", "名前", "шот"),
    *(
        "line\nbreak",
        "tab\there",
        "\x01\x7f",
        "-o",
        "--json",
        "-",
        " ",
        " a",
        "a ",
        "a.",
        "..a",
        "~",
        "$HOME",
    ),
    *("%20", "%", "#1", "?x=1", "a&b", "<b>", "'", '"', "a\\b", "[1]", "*", "{a}", "!", ";", "|", "`id`"),
    *("con", "NUL", "ß", "ſs", "İ"),
)


def _endless(random: Random) -> Iterator[bytes]:
    yield from (b"\xff\xfe", b"caf\xe9", b"\xed\xb3\xbf", b"a\x80b", b"\xc3")  # in no encoding of today
    for number in count():
        for word in WORDS:
            name = word if not number else f"{word} {number}"
            for form in ("NFC", "NFD"):
                yield unicodedata.normalize(form, name).encode()
            yield name.swapcase().encode()
        long = random.choice("xéあ🙂") * 250
        for end in ("", "1", "2"):
            yield long.encode()[: 250 - 4 - len(end) - len(str(number))] + f"{number}{end}".encode()
        yield random.randbytes(8).translate(None, b"/\0") + b"%d" % number


def odd_names(wanted: int) -> list[bytes]:
    """So many different names of files, all ending in ``.png``; none hidden or longer than 250 bytes."""
    names = dict.fromkeys(name + b".png" for name in islice(_endless(Random(5)), 2 * wanted + 100))
    return [name for name in names if not name.startswith(b".") and len(name) <= 250][:wanted]
