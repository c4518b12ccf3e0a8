r"""Back references, ``\1`` and ``\k<name>``, and the names of groups."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.oniguruma.parts import Part

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.oniguruma.parts import Options
    from tokharness_tokenizers.reference.oniguruma.scanner import Scanner

__all__ = ["numbered_reference", "read_name", "read_named_reference"]

_CLOSING: Final = {"<": ">", "'": "'"}


def read_name(scanner: Scanner, opening: str) -> str:
    """Return the name of a group, whose opening "<" or "'" is read."""
    start = scanner.at
    name = scanner.until(_CLOSING[opening])
    if name is None or not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
        raise scanner.unsupported("this name of a group", start)
    return name


def numbered_reference(scanner: Scanner, number: int, options: Options, start: int) -> Part:
    r"""Return the part for a reference such as ``\1``."""
    if scanner.has_names:
        raise scanner.error("a back reference by number in a pattern with names", start)
    if number > 9 and number not in scanner.closed:
        raise scanner.unsupported("an octal number without a leading 0", start)
    return _reference(scanner, number, options, start)


def read_named_reference(scanner: Scanner, options: Options) -> Part:
    r"""Return the part for ``\k<name>`` or ``\k<1>``, whose "k" is read."""
    start = scanner.at - 2
    opening = scanner.next("a back reference")
    if opening not in _CLOSING:
        raise scanner.unsupported(r"\k without a name", start)
    if not (found := scanner.match("([0-9]+)" + _CLOSING[opening])):
        number = scanner.names.get(read_name(scanner, opening), 0)
        return _reference(scanner, number, options, start)
    if scanner.has_names:
        raise scanner.error("a back reference by number in a pattern with names", start)
    return _reference(scanner, int(found[1]), options, start)


def _reference(scanner: Scanner, number: int, options: Options, start: int) -> Part:
    if number not in scanner.closed:
        raise scanner.unsupported("a reference to a group that is not complete before", start)
    if options.fold or options.behind:
        raise scanner.unsupported("a back reference in a look-behind or without case", start)
    expression = rf"(?:\{number})"
    return Part(expression, expression, may_be_empty=True)
