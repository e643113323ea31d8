"""What a threshold is, and what a group of them: immutable, and all of it listed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, field, fields
from typing import Any, ClassVar, NamedTuple, TypeVar, dataclass_transform

from flowvision.value import value_type

Value = TypeVar("Value")
AnyType = TypeVar("AnyType")


def setting(value: Value, unit: str, reason: str) -> Value:
    """The default of a threshold or option; its unit and the reason for it become metadata of the field."""
    made: Value = field(default=value, metadata={"unit": unit, "reason": reason})
    return made


@dataclass_transform(frozen_default=True, kw_only_default=True)
def settings_group(cls: type[AnyType]) -> type[AnyType]:
    """Make a subclass of ``SettingsGroup`` a value type whose values are given by name."""
    return value_type(kw_only=True, repr=False)(cls)


class SettingsGroup:
    """Immutable values by name, as a frozen dataclass has: ``fields`` and ``replace`` of dataclasses work."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __repr__(self) -> str:
        """Only what is not as usual."""
        values = ((one, getattr(self, one.name)) for one in fields(self))
        changed = (f"{one.name}={value!r}" for one, value in values if value != one.default)
        return f"{type(self).__name__}({', '.join(changed)})"


class Threshold(NamedTuple):
    """One threshold, for people: ``name`` as in ``dots.ring``."""

    name: str
    value: float
    unit: str
    reason: str


def thresholds(settings: SettingsGroup) -> Iterator[Threshold]:
    """Every threshold of all groups, stage by stage."""
    for group in fields(settings):
        values = getattr(settings, group.name)
        for one in fields(values):
            yield Threshold(
                f"{group.name}.{one.name}",
                getattr(values, one.name),
                one.metadata["unit"],
                one.metadata["reason"],
            )
