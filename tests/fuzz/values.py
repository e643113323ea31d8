"""JSON values in which something was changed."""

from __future__ import annotations

from random import Random

from tests.fuzz.driver import ODD_NUMBERS

VALUES = (
    None,
    True,
    -1,
    0,
    0.5,
    1e308,
    float("inf"),
    float("nan"),
    "",
    "²",
    "x" * 300,
    [],
    [[]],
    {},
    [[1]],
    10**400,
)


def other_value(random: Random) -> object:
    """Anything that JSON can say."""
    if random.random() < 0.2:
        deep: object = 1
        for _ in range(random.choice((3, 100, 500))):
            deep = [deep]
        return deep
    return random.choice((*VALUES, random.choice(ODD_NUMBERS)))


def changed(value: object, random: Random) -> object:
    """A JSON value with something within it changed."""
    if random.random() < 0.25 or not isinstance(value, dict | list) or not value:
        return other_value(random)
    if isinstance(value, dict):
        key = random.choice(list(value))
        kept = {name: inner for name, inner in value.items() if name != key or random.random() < 0.9}
        return kept | ({key: changed(value[key], random)} if key in kept else {})
    place = random.randrange(len(value))
    return [*value[:place], changed(value[place], random), *value[place + random.randrange(2) :]]
