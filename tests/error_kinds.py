"""All kinds of errors."""

from __future__ import annotations

from flowvision import errors


def kinds(
    parent: type[errors.FlowvisionError] = errors.FlowvisionError,
) -> list[type[errors.FlowvisionError]]:
    """All kinds of errors below one."""
    return [kind for one in parent.__subclasses__() for kind in (one, *kinds(one))]
