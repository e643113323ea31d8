"""Thresholds of the reader: immutable groups whose fields are annotated with a unit and a reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, get_type_hints

from msgspec import Struct


class SettingsGroup(Struct, frozen=True, repr_omit_defaults=True):
    """Base of the groups. A threshold is ``name: Annotated[type, unit, reason] = value``."""


class Threshold(NamedTuple):
    """A threshold to be shown; ``name`` as in ``dots.ring``."""

    name: str
    value: float
    unit: str
    reason: str


def thresholds(settings: Struct) -> Iterator[Threshold]:
    """Yield every threshold of all groups, stage by stage."""
    for group in settings.__struct_fields__:
        values = getattr(settings, group)
        hints = get_type_hints(type(values), include_extras=True)
        for name in values.__struct_fields__:
            unit, reason = hints[name].__metadata__
            yield Threshold(f"{group}.{name}", getattr(values, name), unit, reason)
