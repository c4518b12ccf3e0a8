"""Groups: ``(a)``, ``(?:a)``, ``(?>a)``, ``(?<name>a)``, ``(?i:a)`` and look-arounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.oniguruma.back_references import read_name
from tokharness_tokenizers.reference.oniguruma.parts import Options, Part, anchor

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.oniguruma.scanner import Scanner

__all__ = ["Group", "closed", "read_opening"]

_LOOK_AROUNDS: Final = ("=", "!", "<=", "<!")
_FLAGS: Final = {"i": "fold", "m": "dot_all", "x": "extended"}


@dataclass(frozen=True, slots=True)
class Group:
    """The opening of a group.

    ``opening`` is what begins the translated group, ``options`` hold inside, ``number`` is that of
    a group that captures. ``has_end`` is False for ``(?i)``, which lasts to the end of the group
    around it, over alternatives. ``is_plain`` is True for ``(?:``, which may not be repeated if it
    has an anchor, and of which literals are joined with those around it.
    """

    start: int
    opening: str
    options: Options
    number: int = 0
    has_end: bool = True
    is_plain: bool = False
    is_look_around: bool = False


def read_opening(scanner: Scanner, options: Options, start: int) -> Group:
    """Read the opening of a group, whose bracket is read."""
    if not scanner.take("?"):
        if scanner.peek() == "*":
            raise scanner.unsupported("a callout", start)
        return _capturing(scanner, options, start, "")
    for sign in _LOOK_AROUNDS:
        if scanner.take(sign):
            if options.behind:
                raise scanner.unsupported("a look-around in a look-behind", start)
            inner = replace(options, behind=sign.startswith("<"))
            return Group(start, f"(?{sign}", inner, is_look_around=True)
    if scanner.take(":"):
        return Group(start, "(?:", options, is_plain=True)
    if scanner.take(">"):
        if options.behind:
            raise scanner.unsupported("an atomic group in a look-behind", start)
        return Group(start, "(?>", options)
    if (sign := scanner.peek()) in {"<", "'"}:
        scanner.at += 1
        return _capturing(scanner, options, start, read_name(scanner, sign))
    return _with_flags(scanner, options, start)


def closed(scanner: Scanner, group: Group, part: Part) -> Part:
    """Return the part for a group, from what is inside."""
    if group.number:
        scanner.closed.add(group.number)
    if group.is_look_around:
        if group.options.behind and part.has_anchor and part.has_variable_repeat:
            raise scanner.unsupported("a look-behind with an anchor and a repeat", group.start)
        whole = part.wrapped(group.opening)
        return replace(anchor(whole.expression, whole.ascii, is_pin=False), has_anchor=False)
    is_anchor, literal = (part.is_anchor, part.literal) if group.is_plain else (False, "")
    return replace(part.wrapped(group.opening), is_anchor=is_anchor, literal=literal)


def _capturing(scanner: Scanner, options: Options, start: int, name: str) -> Group:
    """Return a group that captures; without a name it does not in a pattern with names."""
    if scanner.has_names and not name:
        return Group(start, "(?:", options)
    if options.behind:
        raise scanner.unsupported("a capturing group in a look-behind", start)
    if name in scanner.names:
        raise scanner.unsupported("two groups of one name", start)
    scanner.groups += 1
    if name:
        scanner.names[name] = scanner.groups
    opening = "(" if scanner.has_references else "(?:"
    return Group(start, opening, options, scanner.groups)


def _with_flags(scanner: Scanner, options: Options, start: int) -> Group:
    found = scanner.match(r"([imx]*)(?:-([imx]*))?([:)])")
    if not found:
        raise scanner.unsupported("this kind of group", start)
    changes = {_FLAGS[char]: True for char in found[1]}
    changes |= {_FLAGS[char]: False for char in found[2] or ""}
    return Group(start, "(?:", replace(options, **changes), has_end=found[3] == ":")
