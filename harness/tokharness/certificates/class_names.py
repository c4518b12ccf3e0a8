"""Names of classes of characters, from the general categories that they have."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING

from tokharness.escaping import terminal
from tokharness.unicode.properties import runs_of_members

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GROUPS = {
    "capital letters": r"[\p{Lu}\p{Lt}]",
    "small letters": r"\p{Ll}",
    "letters without case": r"[\p{Lm}\p{Lo}]",
    "marks": r"\p{M}",
    "numbers": r"\p{N}",
    "punctuation": r"\p{P}",
    "symbols": r"\p{S}",
    "line breaks": r"[\n\r]",
    "other white space": r"[\t\x0b\x0c\x85\p{Z}]",
    "controls and format characters": r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\p{Cf}]",
    "code points without a character": r"[\p{Cn}\p{Co}]",
}
"""Sets of ``regex`` that contain each character once."""

LETTERS = ("capital letters", "small letters", "letters without case")
ASCII = "".join(map(chr, range(0x80)))
FEW = 8
"""Characters of a class that are all shown."""
MOST, SOME = 0.9, 0.1
"""Shares of a group from which a class has it, or some of it."""


def class_name(spans: Sequence[tuple[int, int]], examples: Sequence[str]) -> str:
    """Return the name of a class of characters, with some of its characters."""
    size = sum(end - start for start, end in spans)
    if size <= FEW:
        return " ".join(_quoted(chr(p)) for start, end in spans for p in range(start, end))
    whole: list[str] = []
    some: list[str] = []
    named: set[str] = set()
    for group, (starts, ends) in _groups().items():
        total = sum(ends) - sum(starts)
        common = _common(spans, starts, ends)
        if common >= MOST * total:
            whole.append(group)
        elif common >= SOME * total or 2 * common > size:
            some.append(f"some {group}")
        if group in whole or some[-1:] == [f"some {group}"]:
            named.update(char for char in ASCII if _holds(char, zip(starts, ends, strict=True)))
    if set(LETTERS) <= set(whole):
        whole = ["letters", *(one for one in whole if one not in LETTERS)]
    words = [*whole, *some] or ["a few characters"]
    others = [char for char in ASCII if _holds(char, spans) and char not in named]
    words += map(_quoted, others[:4])
    shown = " ".join(map(_quoted, examples[:4]))
    return f"{', '.join(words)} ({shown} ...)"


def _holds(char: str, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= ord(char) < end for start, end in spans)


def _quoted(char: str) -> str:
    return f'"{terminal(char)}"'


@cache
def _groups() -> dict[str, tuple[list[int], list[int]]]:
    found = {}
    for name, expression in GROUPS.items():
        runs = runs_of_members(expression)
        found[name] = [run.start for run in runs], [run.stop for run in runs]
    return found


def _common(spans: Sequence[tuple[int, int]], starts: list[int], ends: list[int]) -> int:
    """Return the number of code points that spans and runs share."""
    found = 0
    for start, end in spans:
        place = max(bisect_right(starts, start) - 1, 0)
        while place < len(starts) and starts[place] < end:
            found += max(0, min(end, ends[place]) - max(start, starts[place]))
            place += 1
    return found
