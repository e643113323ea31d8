"""Arguments of the library: a wrong one raises an error in words of the argument."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from math import isfinite
from numbers import Integral, Real
from typing import ParamSpec, TypeVar

from flowvision.words import MAX_QUOTED, nearest

P = ParamSpec("P")
T = TypeVar("T")


def check_names(names: Iterable[str], parameters: Iterable[str]) -> None:
    """Raise ``TypeError`` for an unknown argument; it names the nearest one, and all there are."""
    parameters = tuple(parameters)
    for name in names:
        if name not in parameters:
            nearest_name = nearest(name, parameters)
            instead = f" It may be called {nearest_name}." if nearest_name else ""
            raise TypeError(f"There is no argument {name!r}.{instead} There are {', '.join(parameters)}.")


def with_known_names(*fields: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Give a function the ``TypeError`` of ``check_names`` for keywords beyond its own and ``fields``."""

    def decorated(function: Callable[P, T]) -> Callable[P, T]:
        """Return the function with a check of its keywords."""
        own_parameters = (name for name in signature(function).parameters if name not in ("self", "fields"))
        parameters = (*own_parameters, *fields)

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> T:
            check_names(kwargs, parameters)
            return function(*args, **kwargs)

        return checked

    return decorated


def shown(value: object) -> str:
    """Return a value for a message, truncated if it is long."""
    text = repr(value)
    return text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}…"


def wrong_type(name: str, value: object, give: str) -> TypeError:
    """Return the error about an argument of another type; ``give``: what to give instead."""
    return TypeError(f"{name} is {shown(value)}: give {give}.")


def check_type(name: str, value: object, kinds: type | tuple[type, ...], give: str) -> None:
    """Raise ``TypeError`` for a value of other types than ``kinds``; ``give``: as for ``wrong_type``."""
    if not isinstance(value, kinds):
        raise wrong_type(name, value, give)


def check_flags(**flags: object) -> None:
    """Raise ``TypeError`` for anything but true and false."""
    for name, value in flags.items():
        if type(value).__name__ not in ("bool", "bool_"):  # NumPy has its own
            raise wrong_type(name, value, "True or False")


def check_all(name: str, values: object, groups: tuple[type, ...], kind: type, give: str) -> None:
    """Raise ``TypeError`` for anything but a group of things of a ``kind``; flags are no numbers.

    ``groups``: types that the group may have; ``give``: as for ``wrong_type``.
    """
    check_type(name, values, groups, give)
    assert isinstance(values, Iterable)
    if not all(isinstance(value, kind) and not isinstance(value, bool) for value in values):
        raise wrong_type(name, values, give)


def check_whole(name: str, value: object, lower: int, upper: int | None = None) -> None:
    """Raise ``TypeError`` for anything but a whole number, ``ValueError`` outside its range."""
    scope = f"from {lower} to {upper}" if upper is not None else f"of {lower} or more"
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise wrong_type(name, value, f"a whole number {scope}")
    if int(value) < lower or (upper is not None and int(value) > upper):
        raise ValueError(f"{name} is {value}: give a number {scope}.")


def check_seconds(name: str, value: object) -> None:
    """Raise ``TypeError`` for anything but a number, ``ValueError`` for one that is not above 0."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise wrong_type(name, value, "a number of seconds")
    if not float(value) > 0:
        raise ValueError(f"{name} is {value}: give a number above 0.")


def check_finite(name: str, value: object, give: str) -> None:
    """Raise ``TypeError`` for anything but a number, ``ValueError`` for one that is not finite."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise wrong_type(name, value, give)
    if not isfinite(value):
        raise ValueError(f"{name} is {value}: give {give}.")
