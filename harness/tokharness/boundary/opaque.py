"""Boxes, which we never open, for objects of a target without an exact built-in value."""

from __future__ import annotations

import re
from typing import Any

from tokharness.boundary.exceptions import name_of_class

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
