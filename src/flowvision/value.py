"""Value types: frozen dataclasses with slots, which cost little when the program starts.

``dataclass(frozen=True, slots=True)`` describes every field and writes and compiles seven methods for every
class: half a millisecond each, and some 90 of them solve a screenshot. Here methods are shared, or closures
over the fields, and ``dataclasses`` describes the fields of a class on demand.

Every result of a stage holds the one it was made of, as its ``source`` (``made_of``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields, replace
from inspect import get_annotations, signature
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeVar, dataclass_transform, overload

if TYPE_CHECKING:
    from inspect import Signature

AnyType = TypeVar("AnyType")
Setter: TypeAlias = "Callable[[Any, Any], None]"
"""A function that sets a slot of an object."""


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
        listed = _fields_of(plain, kw_only)
        inherited = {slot for base in plain.__mro__ for slot in vars(base).get("__slots__", ())}
        body = {name: value for name, value in vars(plain).items() if _is_kept(name, value, listed)}
        body["__qualname__"] = plain.__qualname__
        body["__slots__"] = tuple([name for name in listed if name not in inherited])
        body["__value_fields__"] = listed
        # Methods are there when the class is made: setting one later has every slot of the type looked at.
        setters: list[Setter] = []
        body = _methods(plain, listed, setters, eq, repr) | body
        cls: type[Any] = type(plain)(plain.__name__, plain.__bases__, body)
        setters += [getattr(cls, one.name).__set__ for one in _accepted(listed.values())]
        if cls.__doc__ is None:
            cls.__doc__ = f"{cls.__name__}{signature(cls)}".removesuffix(" -> None")
        return cls

    return make if cls is None else make(cls)


def _fields_of(plain: type[Any], kw_only: bool) -> dict[str, Field[Any]]:
    """The fields of a class by name, those of its bases first."""
    listed: dict[str, Field[Any]] = {}
    for base in reversed(plain.__mro__[1:]):
        listed |= vars(base).get("__value_fields__", {})
    for name, kind in get_annotations(plain).items():
        if str(kind).startswith(("ClassVar", "typing.ClassVar")):
            continue
        default = vars(plain).get(name, MISSING)
        one = default if isinstance(default, Field) else field(default=default)
        one.name, one.type = name, kind
        if one.kw_only is MISSING:
            one.kw_only = kw_only
        listed[name] = one
    return listed


def _is_kept(name: str, value: object, listed: Mapping[str, Field[Any]]) -> bool:
    """Whether a class has this of its own, once its fields are slots; ``__hash__`` goes with ``__eq__``."""
    if name in ("__dict__", "__weakref__") or name in listed:
        return False
    return value is not None or name != "__hash__"


def _methods(
    plain: type[Any], listed: Mapping[str, Field[Any]], setters: Sequence[Setter], eq: bool, repr: bool
) -> dict[str, Any]:
    """The methods and descriptions that a value type gets, by their names."""
    made: dict[str, Any] = {
        "__init__": _initialiser(plain, _accepted(listed.values()), setters),
        "__setattr__": _refuse_to_assign,
        "__delattr__": _refuse_to_delete,
        "__getstate__": _state,
        "__setstate__": _restore,
        "__replace__": _replaced,
        "__match_args__": tuple([one.name for one in listed.values() if one.init and not one.kw_only]),
        "__dataclass_fields__": _Described(),
        "__dataclass_params__": _Described(),
    }
    if "__init__" not in vars(plain):
        made["__signature__"] = _Signature()
    if repr:
        made["__repr__"] = _representation([one.name for one in listed.values() if one.repr])
    if eq:
        made["__eq__"] = _comparison([one.name for one in listed.values() if one.compare])
        hashed = [one.name for one in listed.values() if (one.compare if one.hash is None else one.hash)]
        made["__hash__"] = _hasher(hashed)
    return made


class _Described:
    """The description that ``dataclasses`` makes of a value type, worked out on demand."""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self.owner, self.name = owner, name

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        listed: dict[str, Field[Any]] = self.owner.__value_fields__
        kinds = {name: one.type for name, one in listed.items()}
        # Without a docstring ``dataclass`` writes one, for a millisecond.
        body = {"__doc__": "-", "__module__": self.owner.__module__, "__annotations__": kinds} | listed
        plain: Any = dataclass(init=False, repr=False, eq=False)(type("Described", (), body))
        setattr(self.owner, self.name, getattr(plain, self.name))
        return getattr(plain, self.name)


def _accepted(listed: Iterable[Field[Any]]) -> list[Field[Any]]:
    """The fields that are given to the constructor: first those that may be given by position."""
    return sorted([one for one in listed if one.init], key=attrgetter("kw_only"))


def _initialiser(
    plain: type[Any], accepted: Sequence[Field[Any]], setters: Sequence[Setter]
) -> Callable[..., None]:
    """``__init__``, quickest where every value is given by position; ``setters`` follow with the class."""
    order = [(one.name, one.default, one.default_factory) for one in accepted]
    by_position = sum(not one.kw_only for one in accepted)
    count = len(accepted) if by_position == len(accepted) else None
    finish = hasattr(plain, "__post_init__")

    def initialise(self: Any, /, *values: Any, **named: Any) -> None:
        for put, value in zip(setters, values, strict=False):
            put(self, value)
        if named or len(values) != count:
            left = len(named)
            first = len(values)
            for put, (name, usual, make) in zip(setters[first:], order[first:], strict=True):
                if name in named:
                    put(self, named[name])
                    left -= 1
                elif usual is not MISSING:
                    put(self, usual)
                elif make is not MISSING:
                    put(self, make())
                else:
                    raise _complaint(accepted, plain, values, named)
            if left or len(values) > by_position:
                raise _complaint(accepted, plain, values, named)
        if finish:
            self.__post_init__()

    initialise.__name__ = "__init__"
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
        known = ", ".join(one.name for one in accepted)
        fault = f"has no {', '.join(sorted(unknown))}. It has {known}"
    elif twice := named.keys() & set(given):
        fault = f"was given {', '.join(sorted(twice))} twice"
    else:
        needed = [one.name for one in accepted if one.default is MISSING is one.default_factory]
        fault = f"needs {', '.join(name for name in needed if name not in {*given, *named})}"
    return TypeError(f"{cls.__name__} {fault}.")


def _getter(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that gives the values of these fields of an object."""
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


def _representation(names: Sequence[str]) -> Callable[[Any], str]:
    """``__repr__`` with these fields; a type that inherits it shows no others."""

    @recursive_repr()
    def shown(self: Any) -> str:
        values = (f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({', '.join(values)})"

    return shown


def _refuse_to_assign(self: object, name: str, value: object) -> NoReturn:
    """Raises ``FrozenInstanceError``."""
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> NoReturn:
    """Raises ``FrozenInstanceError``."""
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    """The values of all fields, to be pickled."""
    return [getattr(self, one.name) for one in fields(self)]


def _restore(self: Any, state: Iterable[Any]) -> None:
    """Set what was pickled."""
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


def _replaced(self: Any, /, **changes: Any) -> Any:
    """The same with other values in these fields."""
    return replace(self, **changes)


# ``help`` shows a method under the name that its function has.
for _name, _method in (
    ("__setattr__", _refuse_to_assign),
    ("__delattr__", _refuse_to_delete),
    ("__getstate__", _state),
    ("__setstate__", _restore),
    ("__replace__", _replaced),
):
    _method.__name__ = _name


class _Factory:
    """The stand-in in a signature for a default that is made anew each time."""

    def __repr__(self) -> str:
        return "<factory>"


class _Signature:
    """The signature of a value type, made on demand."""

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


def made_of(field_name: str) -> property:
    """The ``source`` of a result: the field that holds the result it was made of."""
    return property(attrgetter(field_name))


def ancestors(result: object) -> Iterator[object]:
    """Yield a result, the one it was made of, and so on."""
    while result is not None:
        yield result
        result = getattr(result, "source", None)


def find_ancestor(result: object, kind: type[T]) -> T | None:
    """Return the latest result of a type among those that led to one."""
    return next((item for item in ancestors(result) if isinstance(item, kind)), None)
