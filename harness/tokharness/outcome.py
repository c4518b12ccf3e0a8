"""Calls of foreign code, in which every exception is an observation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Raised:
    """The exception that a call raised, a Rust panic or a TargetDeath included."""

    error: BaseException


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the value of a call, or the exception as :class:`Raised`; Ctrl-C still raises."""
    try:
        return function(*arguments)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Raised(error)
