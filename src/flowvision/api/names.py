"""Wrong names of arguments, told with the right ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from functools import wraps
from inspect import signature
from typing import ParamSpec, TypeVar

from flowvision.reading.options import Options

OPTIONS = frozenset(field.name for field in fields(Options))
"""What is said in ``Options``."""
COMMON = {"colors": "colours", "size": "grid", "limit": "seconds", "timeout": "seconds", "rotation": "rotate"}
"""Other names that people give them."""

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def named_arguments(call: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """The same; a name that it does not take is told with the one that it takes, or where it belongs."""

    @wraps(call)
    def checked(*args: Parameters.args, **named: Parameters.kwargs) -> Result:
        try:
            return call(*args, **named)
        except TypeError:
            if wrong := _wrong_names(call, named):
                raise TypeError(f"{call.__name__} {wrong}") from None
            raise

    return checked


def _wrong_names(call: Callable[..., object], named: Mapping[str, object]) -> str:
    """The first of the names that a call does not take, and where it belongs; empty where it takes all."""
    taken = [name for name in signature(call).parameters if name != "self"]
    said = {COMMON.get(name, name): value for name, value in named.items() if name not in taken}
    if not said:
        return ""
    options = ", ".join(f"{name}={value!r}" for name, value in said.items() if name in OPTIONS)
    if "options" in taken and options:
        return f"takes no {options.partition('=')[0]}; say {call.__name__}(…, Options({options}))."
    wrong, common = next((name, COMMON.get(name, name)) for name in named if name not in taken)
    near = [common] if common in taken else get_close_matches(wrong, taken, 1)
    meant = f"did you mean {near[0]}?" if near else f"it takes {', '.join(taken)}."
    return f"takes no {wrong}; {meant}"
