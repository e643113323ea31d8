"""Random cases by Hypothesis: the same at every landing, twenty times as many new ones every night."""

from collections.abc import Callable
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.commands import NIGHTLY

ODD_NUMBERS = (*range(3), 127, *(2**bits - less for bits in (3, 5, 8, 12, 15, 16, 31, 32) for less in (0, 1)))
VALUES = (
    None, True, -1, 0, 0.5, 1e308, float("inf"), float("nan"), "", "²", "x" * 300, 10**400,
    [], [[]], [[1]], {},
)  # fmt: skip


def random_cases(usual: int = 200) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with ``usual`` sources of randomness, its last parameter."""

    def with_cases(test: Callable[..., None]) -> Callable[..., None]:
        checks = settings(
            max_examples=usual * (20 if NIGHTLY else 1),
            suppress_health_check=[HealthCheck.function_scoped_fixture],
        )
        return checks(given(random=st.integers(0, 2**64).map(Random))(test))

    return with_cases


def damaged(data: bytes, random: Random, others: bytes = b"") -> bytes:
    """Return bytes with one to eight changes."""
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


def other_value(random: Random) -> object:
    if random.random() < 0.2:
        deep: object = 1
        for _ in range(random.choice((3, 100, 500))):
            deep = [deep]
        return deep
    return random.choice((*VALUES, random.choice(ODD_NUMBERS)))


def changed(value: object, random: Random) -> object:
    """Return a JSON value with a part of it changed."""
    if random.random() < 0.25 or not isinstance(value, dict | list) or not value:
        return other_value(random)
    if isinstance(value, dict):
        key = random.choice(list(value))
        kept = {name: inner for name, inner in value.items() if name != key or random.random() < 0.9}
        return kept | ({key: changed(value[key], random)} if key in kept else {})
    place = random.randrange(len(value))
    return [*value[:place], changed(value[place], random), *value[place + random.randrange(2) :]]
