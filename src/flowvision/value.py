"""Value types: frozen dataclasses with slots, which cost little when the program starts.

``dataclass(frozen=True, slots=True)`` writes and compiles seven methods for every class: half a millisecond
each, and 85 of them solve a screenshot. Here methods are shared, or are closures over the fields.

Every result of a stage holds the one it was made of, as its ``source``: ``led_to`` goes back from any.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, dataclass_transform, overload

if TYPE_CHECKING:
    from inspect import Signature


AnyType = TypeVar("AnyType")


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value_type(cls: type[AnyType], /) -> type[AnyType]: ...


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value_type(
    *, eq: bool = True, repr: bool = True, kw_only: bool = False
) -> Callable[[type[AnyType]], type[AnyType]]: ...


def value_type(cls: Any = None, /, *, eq: bool = True, repr: bool = True, kw_only: bool = False) -> Any:
    """Make a class what ``dataclass(frozen=True, slots=True)`` makes of it, with the same parameters.

    The functions of ``dataclasses`` work with it, as do ``copy``, ``pickle``, ``match`` and ``inspect``.
    There is no ``InitVar``; a field with ``init=False`` has no default, for ``__post_init__`` sets it.

    >>> @value_type
    ... class Place:
    ...     row: int
    ...     col: int = 0
    >>> Place(2)
    Place(row=2, col=0)
    """

    def make(plain: Any) -> type[Any]:
        own = {name for name, value in vars(plain).items() if value is not None}
        if "__init__" not in own:
            plain.__signature__ = _Signature()
        made = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(plain)
        for name, method in _methods(made, eq, repr):
            if name not in own:
                setattr(made, name, method)
        return made

    return make if cls is None else make(cls)


def _methods(cls: type[Any], eq: bool, repr: bool) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The methods of a value type by their names."""
    listed = fields(cls)
    yield "__init__", _initialiser(cls, _accepted(listed))
    yield "__setattr__", _refuse_to_assign
    yield "__delattr__", _refuse_to_delete
    yield "__getstate__", _state
    yield "__setstate__", _restore
    if repr:
        yield "__repr__", _repr
    if eq:
        yield "__eq__", _comparison([one.name for one in listed if one.compare])
        hashed = [one.name for one in listed if (one.compare if one.hash is None else one.hash)]
        yield "__hash__", _hasher(hashed)


def _accepted(listed: Iterable[Field[Any]]) -> list[Field[Any]]:
    """The fields that are given to the constructor: first those that may be given by position."""
    return sorted([one for one in listed if one.init], key=attrgetter("kw_only"))


def _initialiser(cls: type[Any], accepted: Sequence[Field[Any]]) -> Callable[..., None]:
    """``__init__``, quickest where every value is given by position."""
    order = [(one.name, getattr(cls, one.name).__set__, one.default, one.default_factory) for one in accepted]
    setters = tuple([put for _, put, _, _ in order])
    by_position = sum(not one.kw_only for one in accepted)
    count = len(order) if by_position == len(order) else None
    finish = hasattr(cls, "__post_init__")

    def initialise(self: Any, /, *values: Any, **named: Any) -> None:
        for put, value in zip(setters, values, strict=False):
            put(self, value)
        if named or len(values) != count:
            left = len(named)
            for name, put, usual, make in order[len(values) :]:
                if name in named:
                    put(self, named[name])
                    left -= 1
                elif usual is not MISSING:
                    put(self, usual)
                elif make is not MISSING:
                    put(self, make())
                else:
                    raise _complaint(accepted, cls, values, named)
            if left or len(values) > by_position:
                raise _complaint(accepted, cls, values, named)
        if finish:
            self.__post_init__()

    return initialise


def _complaint(
    accepted: Sequence[Field[Any]], cls: type[Any], values: Collection[Any], named: Mapping[str, Any]
) -> TypeError:
    """Why these values do not make an object of a type."""
    names = [one.name for one in accepted if not one.kw_only]
    given = names[: len(values)]
    if len(values) > len(names):
        fault = f"takes {len(names)} values by position, not {len(values)}"
    elif unknown := named.keys() - {one.name for one in accepted}:
        fault = f"has no {', '.join(sorted(unknown))}"
    elif twice := named.keys() & set(given):
        fault = f"was given {', '.join(sorted(twice))} twice"
    else:
        needed = [one.name for one in accepted if one.default is MISSING is one.default_factory]
        fault = f"needs {', '.join(name for name in needed if name not in {*given, *named})}"
    return TypeError(f"{cls.__name__} {fault}.")


def _getter(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the values of these fields of an object."""
    match names:
        case []:
            return lambda self: ()
        case [name]:
            return lambda self: (getattr(self, name),)
        case several:
            return attrgetter(*several)


def _comparison(names: Sequence[str]) -> Callable[[Any, object], Any]:
    """``__eq__`` by these fields, among objects of the same type."""
    compared = _getter(names)

    def equal(self: Any, other: object) -> Any:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    return equal


def _hasher(names: Sequence[str]) -> Callable[[Any], int]:
    """``__hash__`` of these fields."""
    hashed = _getter(names)
    return lambda self: hash(hashed(self))


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse_to_assign(self: object, name: str, value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    """What is pickled: the values of all fields."""
    return [getattr(self, one.name) for one in fields(self)]


def _restore(self: Any, state: Iterable[Any]) -> None:
    """Set what was pickled."""
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


class _Factory:
    """What stands in a signature for a default that is made anew each time."""

    def __repr__(self) -> str:
        return "<factory>"


class _Signature:
    """The signature of a value type, made when it is asked for."""

    def __get__(self, instance: object, owner: type[Any]) -> Signature | None:
        if "__init__" in vars(owner) and "__dataclass_fields__" not in vars(owner):
            return None  # a plain subclass with a constructor of its own
        from inspect import Parameter, Signature

        def parameter(one: Field[Any]) -> Parameter:
            kind = Parameter.KEYWORD_ONLY if one.kw_only else Parameter.POSITIONAL_OR_KEYWORD
            usual = one.default if one.default_factory is MISSING else _Factory()
            default = Parameter.empty if usual is MISSING else usual
            return Parameter(one.name, kind, default=default, annotation=one.type)

        return Signature([parameter(one) for one in _accepted(fields(owner))], return_annotation=None)


T = TypeVar("T")


def led_to(result: object) -> Iterator[object]:
    """A result, what it was made of, what that was made of, and so on."""
    while result is not None:
        yield result
        result = getattr(result, "source", None)


def found_on_the_way(result: object, kind: type[T]) -> T | None:
    """The latest result of a type among those that led to one; ``None`` where there is none."""
    return next((one for one in led_to(result) if isinstance(one, kind)), None)
