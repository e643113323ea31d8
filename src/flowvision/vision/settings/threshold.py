"""What a threshold is, and what a group of them: cheap to import, immutable, and all of it listed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, FrozenInstanceError, dataclass, field, fields
from typing import Any, ClassVar, NamedTuple, NoReturn, TypeVar, dataclass_transform

Number = TypeVar("Number", int, float)
AnyType = TypeVar("AnyType")


def threshold(value: Number, unit: str, reason: str) -> Number:
    """The default of a threshold with its unit and the reason for it, kept as metadata of its field."""
    made: Number = field(default=value, metadata={"unit": unit, "reason": reason})
    return made


@dataclass_transform(frozen_default=True, kw_only_default=True)
def settings_group(cls: type[AnyType]) -> type[AnyType]:
    """Make a subclass of ``SettingsGroup`` a dataclass that generates no methods of its own.

    To generate them for every group would take 10 ms at each start of the program.
    """
    return dataclass(init=False, repr=False, eq=False, match_args=False)(cls)


class SettingsGroup:
    """Immutable values by name, as a frozen dataclass has: ``fields`` and ``replace`` of dataclasses work.

    Raises ``TypeError`` for names that there are not.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init__(self, **changed: Any) -> None:
        if unknown := changed.keys() - self.__dataclass_fields__.keys():
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}.")
        self.__dict__.update(changed)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        """Only what is not as usual."""
        changed = (
            f"{one.name}={value!r}"
            for one, value in zip(fields(self), self._values(), strict=True)
            if value != one.default
        )
        return f"{type(self).__name__}({', '.join(changed)})"

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__dataclass_fields__)


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
