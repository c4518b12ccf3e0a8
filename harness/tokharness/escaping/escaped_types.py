"""The base of the types of escaped text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable


class Escaped(str):
    """A text that is escaped for one kind of output.

    ``Shown("...")`` is for words of our own source only; a test finds other calls.
    """

    __slots__ = ()

    @classmethod
    def of(cls, value: str | bytes) -> Self:
        """Escape a value; a value that is already escaped stays."""
        raise NotImplementedError

    def format(self, *values: str | bytes | float) -> Self:  # type: ignore[override]
        """Return this template with the values in it, each value escaped."""
        cls = type(self)
        escaped = (
            value if isinstance(value, cls | int | float) else cls.of(value) for value in values
        )
        return cls(str.format(self, *escaped))

    def join(self, parts: Iterable[Self]) -> Self:  # type: ignore[override]
        """Join escaped texts."""
        return type(self)(str.join(self, parts))

    def strip(self, characters: str | None = None, /) -> Self:
        """Return the text without white space at its ends."""
        return type(self)(str.strip(self, characters))

    def capitalize(self) -> Self:
        """Return the text with its first character in upper case."""
        return type(self)(str.capitalize(self))
