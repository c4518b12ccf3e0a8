"""Calls of functions of plugins that look at a file or a folder."""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING

from tokharness.errors import UsageError
from tokharness.plugins.calls import wrong_type
from tokharness.plugins.constants import LINE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from tokharness.plugins.calls import PluginFunction

__all__ = ["checked_describe", "checked_healthy", "checked_recognize"]


def checked_recognize(
    call: PluginFunction, recognize: Callable[[Path], str | Iterable[str] | None]
) -> Callable[[Path], tuple[str, ...]]:
    """Return ``recognize`` of an adapter, whose result may be a string, strings or None."""

    @functools.wraps(recognize)
    def checked(path: Path) -> tuple[str, ...]:
        with call, _readable(path):
            rests = _strings(recognize(path))
        return _checked(call, rests)

    return checked


def checked_healthy(
    call: PluginFunction, healthy: Callable[[str], str | Iterable[str] | None]
) -> Callable[[str], tuple[str, ...]]:
    """Return ``healthy`` of an adapter, whose result may be a string, strings or None."""

    @functools.wraps(healthy)
    def checked(rest: str) -> tuple[str, ...]:
        with call:
            rests = _strings(healthy(rest))
        return _checked(call, rests)

    return checked


def _strings(result: str | Iterable[str] | None) -> tuple[str, ...]:
    return (result,) if isinstance(result, str) else tuple(result or ())


def _checked(call: PluginFunction, rests: tuple[str, ...]) -> tuple[str, ...]:
    if wrong := wrong_type(rests, str):
        raise call.error(f"gives {wrong} as the rest of a spec, not a str")
    return rests


def checked_describe(
    call: PluginFunction, describe: Callable[[Path], str | None]
) -> Callable[[Path], str | None]:
    """Return ``describe`` of a package of adapters, which has to return one line or None."""

    @functools.wraps(describe)
    def checked(path: Path) -> str | None:
        with call, _readable(path):
            result = describe(path)
        if result is not None and not (isinstance(result, str) and LINE.fullmatch(result)):
            raise call.error(f"returned {result!r}, not one line of text")
        return result

    return checked


@contextlib.contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Turn an OSError, which is no fault of the plugin, into a UsageError."""
    try:
        yield
    except OSError as error:
        where = str(error.filename or path)
        raise UsageError(f"cannot read {where!r}: {error.strerror or error}") from error
