"""Calling what is not ours: whatever it raises is an observation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Raised", "called"]


@dataclass(frozen=True, slots=True)
class Raised:
    """What a call raised, a panic or a death of the process included, in place of a value."""

    error: BaseException


def called(function: Callable[..., Any], *arguments: Any) -> Any:
    """Value of the call, or what it raised, as a value; the user's Ctrl-C is nobody's answer."""
    try:
        return function(*arguments)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Raised(error)
