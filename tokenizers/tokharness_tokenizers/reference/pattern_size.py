"""The size of a pattern, counted before it is compiled.

A repeat of a fixed number is compiled to that number of copies: ``(a{1000}){1000}`` takes as much
memory as a million characters, and a pattern of a megabyte takes minutes.
"""

from __future__ import annotations

import regex

MOST_CHARACTERS = 1 << 14
"""Most characters of a pattern; the longest pattern in llama.cpp has 829."""

MOST_COPIES = 100_000
"""Most characters, classes and escapes of a pattern, counted with their copies."""

_PARTS = regex.compile(
    r"\\.|\[\^?\]?(?:[^\]\\]|\\.)*+\]|\{(?P<least>[0-9]+)(?:,[0-9]*)?\}|(?P<group>[()])|.",
    regex.DOTALL,
)


class LargeError(ValueError):
    """A value exceeds a bound; a library that gets it may take any time and memory, too."""


def refuse_large(pattern: str) -> None:
    """Raise LargeError if a pattern is too large to be compiled."""
    if len(pattern) > MOST_CHARACTERS:
        number = f"{len(pattern):,} characters, more than {MOST_CHARACTERS:,}"
        raise LargeError(f"the pattern has {number}: it begins with {pattern[:60]!r}")
    outer: list[int] = []
    size, last = 0, 0  # of the group that is open, and of the part before
    for part in _PARTS.finditer(pattern):
        if part["group"] == "(":
            outer.append(size)
            size = 0
        elif part["group"]:
            last, size = size, size + (outer.pop() if outer else 0)
        elif part["least"]:
            copies = max(int(part["least"].lstrip("0")[:9] or "0"), 1)
            size, last = size + last * (copies - 1), last * copies
        else:
            size, last = size + 1, 1
        if size > MOST_COPIES:
            raise LargeError(
                f"the pattern has more than {MOST_COPIES:,} parts, as its repeats are copied: "
                f"it begins with {pattern[:60]!r}"
            )
