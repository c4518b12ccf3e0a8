"""Translated parts of a pattern, and how they are joined."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Options:
    """What holds where a part of a pattern is.

    ``fold``: case is ignored. ``dot_all``: the dot matches a line feed. ``extended``: white space
    and comments are skipped. ``behind``: the part is in a look-behind.
    """

    fold: bool = False
    dot_all: bool = False
    extended: bool = False
    behind: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    r"""A translated part of a pattern, for ``regex`` and for ``re``.

    ``may_be_empty``: it can match the empty text; ``has_no_width``: it only matches the empty text.
    ``is_anchor``: it may not be repeated. ``has_anchor``: it has an anchor outside of look-arounds.
    ``is_pin``: it has an anchor other than ``^`` and ``\A``. ``has_variable_repeat``: it has a
    quantifier with several numbers. ``starts_with_any``: it begins with ``.*``. ``literal``: the
    characters that it matches, if they are always the same except for case.
    """

    expression: str
    ascii: str
    may_be_empty: bool = False
    has_no_width: bool = False
    is_anchor: bool = False
    has_anchor: bool = False
    is_pin: bool = False
    has_variable_repeat: bool = False
    starts_with_any: bool = False
    literal: str = ""

    def wrapped(self, opening: str) -> Part:
        """Return the part in a group, which may be repeated and is not joined with literals."""
        return replace(
            self,
            expression=f"{opening}{self.expression})",
            ascii=f"{opening}{self.ascii})",
            is_anchor=False,
            literal="",
        )


def anchor(expression: str, in_ascii: str | None = None, *, is_pin: bool = True) -> Part:
    """Return a part that matches places."""
    return Part(
        expression,
        expression if in_ascii is None else in_ascii,
        may_be_empty=True,
        has_no_width=True,
        is_anchor=True,
        has_anchor=True,
        is_pin=is_pin,
    )


def alternatives(parts: Sequence[Part]) -> Part:
    """Join alternative parts."""
    if len(parts) == 1:
        return parts[0]
    return replace(
        _joined(parts, "|"),
        may_be_empty=any(part.may_be_empty for part in parts),
        is_anchor=any(part.is_anchor for part in parts),
        starts_with_any=any(part.starts_with_any for part in parts),
    )


def sequence(parts: Sequence[Part], *, starts_with_any: bool) -> Part:
    """Join parts that match one after another."""
    literal = "".join(part.literal for part in parts)
    return replace(
        _joined(parts, ""),
        may_be_empty=all(part.may_be_empty for part in parts),
        is_anchor=len(parts) == 1 and parts[0].is_anchor,
        literal=literal if all(part.literal for part in parts) else "",
        starts_with_any=starts_with_any,
    )


def _joined(parts: Sequence[Part], separator: str) -> Part:
    return Part(
        separator.join(part.expression for part in parts),
        separator.join(part.ascii for part in parts),
        has_no_width=all(part.has_no_width for part in parts),
        has_anchor=any(part.has_anchor for part in parts),
        is_pin=any(part.is_pin for part in parts),
        has_variable_repeat=any(part.has_variable_repeat for part in parts),
    )
