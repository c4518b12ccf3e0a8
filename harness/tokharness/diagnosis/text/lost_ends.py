"""Ends that are lost since a target reads a text in parts of a size, and drops a short last part.

Two texts of letters with one character behind one part and behind two parts show it. How short the
last part has to be is searched.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.targets.subject import Subject

    Transform = Callable[[str], str | None]

LAST = 3
"""Bytes of a character that is cut at the end of a part, and lost with it."""

REPLACEMENT = "\ufffd"

SIZES = (
    *(16, 32, 50, 64, 100, 128, 200, 250, 256, 500, 512, 1000, 1024, 2000, 2048, 4000, 4096),
    *(5000, 8000, 8192, 10_000, 16_384, 32_768, 65_536),
)
"""Usual sizes of parts, in characters or in bytes."""

ENCODINGS = {"characters": "utf-32-le", "bytes": "utf-8"}
WIDTHS = {"characters": 4, "bytes": 1}
LETTERS = {"characters": "\u00e9\u00e8 ", "bytes": "ab "}
"""Texts that are cut: two bytes a letter set characters and bytes apart."""


@dataclass(frozen=True, slots=True)
class _LostEnd:
    """The size of the parts, and from which size on the last part is kept."""

    size: int
    kept: int
    unit: str

    def rest(self, text: str) -> str:
        """Return what is left of a text."""
        data = _data(text, self.unit)
        width = WIDTHS[self.unit]
        end = len(data) // width % self.size
        if len(data) // width < self.size or not 0 < end < self.kept:
            return text
        return data[: -end * width].decode(ENCODINGS[self.unit], "ignore")


def lost_end_causes(
    text: str, result: str, subject: Subject, transform: Transform, via: str
) -> list[Cause]:
    """Return the cause that names the size of parts, if a short last part of the text is lost."""
    result = result.rstrip(REPLACEMENT)
    if not result or result == text or not text.startswith(result):
        return []
    for unit, width in WIDTHS.items():
        length = len(_data(result, unit)) // width
        most = LAST if unit == "bytes" else 0
        for size in (size for size in SIZES if -length % size <= most):
            found = subject.cache.get_or_compute(
                f"{via}: lost end of parts of {size} {unit}",
                partial(_lost_end, size, unit, transform),
            )
            if found and found.rest(text).rstrip(REPLACEMENT) == result:
                _known(subject, via)[str(cause := _cause(found))] = found
                return [cause]
    return []


def without_lost_end(cause: Cause, subject: Subject, via: str) -> Callable[[str], str] | None:
    """Return how a cause of :func:`lost_end_causes` changes a text; None for other causes."""
    found = _known(subject, via).get(str(cause))
    return None if found is None else found.rest


def _known(subject: Subject, via: str) -> dict[str, _LostEnd]:
    return subject.cache.get_or_compute(f"{via}: lost ends", dict)


def _cause(found: _LostEnd) -> Cause:
    most = f"{found.kept:,} {found.unit}"
    behind = "" if found.kept == found.size else f" behind each {found.size:,}"
    message = f"a text is read in parts of {found.size:,} {found.unit}, and a last part of fewer "
    message += f"than {found.kept:,} is lost"
    return Cause(
        "truncated", (("without", f"an end of fewer than {most}{behind}"),), message=message
    )


def _lost_end(size: int, unit: str, transform: Transform) -> _LostEnd | None:
    def is_lost(parts: int, end: int) -> bool:
        text = _letters(parts * size + end, unit)
        return transform(text) == text[: parts * size]

    if not is_lost(1, 1) or not is_lost(2, 1):
        return None
    return _LostEnd(size, bisect_left(range(size), 1, 1, key=lambda end: not is_lost(1, end)), unit)


def _letters(number: int, unit: str) -> str:
    """Return so many letters and spaces that end in a letter."""
    words = LETTERS[unit]
    text = (words * (number // len(words) + 1))[:number]
    return f"{text[:-1]}{words[0]}"


def _data(text: str, unit: str) -> bytes:
    return text.encode(ENCODINGS[unit], "surrogatepass")
