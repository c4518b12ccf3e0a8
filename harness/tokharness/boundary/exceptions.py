"""Exceptions and opaque objects of a target, in the place of what the target raises or returns.

An exception of ours has the name and the message of the target's. An object without an exact
built-in value stays in a box, which we never open.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_MESSAGE, LONGEST_NAME = 2000, 100
UNREADABLE = "(its message cannot be read)"


class ResultTooLongError(Exception):
    """A result of a target exceeds the bound for its size."""


def _keeps_message(kind: Any) -> bool:
    try:
        return str(kind("x")) == "x"
    except TypeError:
        return False


KEPT = {
    id(kind): kind
    for kind in (*vars(builtins).values(), ResultTooLongError)
    if isinstance(kind, type) and issubclass(kind, BaseException) and _keeps_message(kind)
    # It would end an iteration of ours.
    if not issubclass(kind, StopIteration | StopAsyncIteration)
}
"""Classes that a replacement may have, by identity: to compare or hash a class may run its code."""

BASES = (MemoryError, UnicodeError, LookupError, Exception, BaseException)
"""Bases of replacements: the first base that the class of the exception has is used."""

_name_of = type.__dict__["__name__"].__get__
"""Reads the name of a class, without the properties of its metaclass."""


def observed(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call foreign code and return the result; an exception is replaced, except Ctrl-C."""
    try:
        return function(*arguments)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        replacement = exception_of(error)
    raise replacement  # here, so that it does not have the original as context


def exception_of(error: BaseException) -> BaseException:
    """Return an exception of ours with the name and the message of another."""
    kind = type(error)
    if id(kind) in KEPT:
        return KEPT[id(kind)](_message_of(error))
    base = next(base for base in BASES if issubclass(kind, base))
    return named_exception(name_of_class(kind), _message_of(error), base)


def named_exception(
    name: str, message: str, base: type[BaseException] = Exception
) -> BaseException:
    """Return an exception whose type has this name; exhausted memory gives a MemoryError."""
    if base is MemoryError or name == "MemoryError":
        return MemoryError(bounded(message))
    return _class(name[:LONGEST_NAME], base)(bounded(message))  # type: ignore[arg-type]


def builtin_exception(error: Exception) -> Exception:
    """Return an exception of the built-in class that an error of another process is named after.

    If that class takes more than a message, a base of it is used; any other error stays as it is.
    """
    kind = getattr(builtins, type(error).__name__, None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        return error
    message = _message_of(error)
    for class_ in kind.__mro__:
        with contextlib.suppress(TypeError):
            # A KeyError shows its message in quotes.
            made: Exception = class_(message.strip("'") if class_ is KeyError else message)
            return made
    return error


def bounded(text: str, most: int = LONGEST_MESSAGE) -> str:
    """Return a text, cut and with its length if it is longer than ``most`` characters."""
    return text if len(text) <= most else f"{text[:most]}... ({len(text):,} characters)"


def name_of_class(kind: type) -> str:
    """Return the name of a class as an exact string."""
    return str.__str__(_name_of(kind))[:LONGEST_NAME]


@functools.lru_cache(maxsize=1000)
def _class(name: str, base: type[BaseException]) -> type[BaseException]:
    encodable = name.encode("utf-8", "replace").decode().replace("\0", "?")
    return type(encodable or "Error", (base,), {})


def _message_of(error: BaseException) -> str:
    try:
        return bounded(str.__str__(str(error)))
    except KeyboardInterrupt:
        raise
    except BaseException:
        return UNREADABLE


LONGEST_DESCRIPTION = 100
ADDRESS = re.compile("0x[0-9a-fA-F]+")


class Opaque:
    """An object of a target, known by the name of its type and the start of its ``repr``.

    ``raw`` is the object, to give it back to the target and for nothing else.
    """

    __slots__ = ("_description", "raw", "type_name")

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.type_name = name_of_class(type(raw))
        try:
            self._description = ADDRESS.sub("", str.__str__(repr(raw))[:LONGEST_DESCRIPTION])
        except KeyboardInterrupt:
            raise
        except BaseException:
            self._description = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Opaque) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"a {self.type_name}"

    def __index__(self) -> int:
        raise TypeError(f"'{self.type_name}' object cannot be interpreted as an integer")

    @property
    def _key(self) -> tuple[str, str]:
        return self.type_name, self._description


def type_name(value: object) -> str:
    """Return the name of the type that a value of a target has, or had."""
    return value.type_name if isinstance(value, Opaque) else type(value).__name__
