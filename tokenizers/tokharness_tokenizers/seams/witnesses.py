"""Texts that show what a cut, an append or a prepend changes: nothing is said without such a text.

All ids come from the reference, so that each text is its own evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from tokharness_tokenizers.seams.partition import Spans

Encode: TypeAlias = Callable[[str], Sequence[int]]

COMMON = (
    "a", "e", "A", "1", "'", ".", "/", "-", " ", "\n", "\r", "\t", "s", "l", "\u00e9", "\u0301",
    "\u4e2d", "\uac00", "\u1161", "\u200d", "\U0001f600", "\x00", "\u00a0", "\u2581",
)  # fmt: skip
"""Characters that people know, of which a class shows the first that it has."""

BEFORE = ("", "a", " ", "'", "1", "\n", "\u4e2d")
AFTER = ("", "a", "s", " ", "\n", "1", "l", "\u0301", "ll")

SIZES = (16, 48, 144, 432)
"""How often a family repeats its middle; what grows at each size is shown to grow."""

CORES = ("a", "1", " ", "\n", "!", "-", "\u4e2d", "A", "\u0301", "ab", "\n ", " a", "=")
ENDS = ("", "a", "1", " ", "\n", "!", "'")
ADDED = ("a", "1", " ", "\n", "-", "\u4e2d")


@dataclass(frozen=True, slots=True)
class Family:
    """Texts that show that more and more tokens change.

    Attributes:
        before: What the texts begin with.
        repeated: What is repeated.
        after: What the texts end with.
        added: The text that is appended or prepended.
        times: How often it is repeated.
        changed: The tokens of each text that the added text changes.

    """

    before: str
    repeated: str
    after: str
    added: str
    times: tuple[int, ...]
    changed: tuple[int, ...]


def examples(spans: Spans, most: int = 4) -> list[str]:
    """Return characters of a class, those that people know first."""
    known = [char for char in COMMON if any(start <= ord(char) < end for start, end in spans)]
    return (known or [chr(start) for start, _ in spans])[:most]


def changing_cut(
    lasts: Sequence[str], firsts: Sequence[str], encode: Encode
) -> tuple[str, str] | None:
    """Return two texts whose ids change if they are joined; None if none of those tried do."""
    for last, first in product(lasts, firsts):
        for before, after in product(BEFORE, AFTER):
            left, right = before + last, first + after
            try:
                if [*encode(left), *encode(right)] != [*encode(left + right)]:
                    return left, right
            except KeyError:  # a character without a token
                continue
    return None


def growing_family(encode: Encode, *, appends: bool) -> Family | None:
    """Return texts of which a text that is appended, or prepended, changes more and more tokens."""
    for before, core, added in product(ENDS, CORES, ADDED):
        try:
            changed = _changes(encode, (before, core, added), SIZES[:2], appends=appends)
            if not _grows(changed):
                continue
            changed = _changes(encode, (before, core, added), SIZES, appends=appends)
        except KeyError:
            continue
        if _grows(changed):
            first, last = (before, "") if appends else ("", before)
            return Family(first, core, last, added, SIZES, tuple(changed))
    return None


def _changes(
    encode: Encode, parts: tuple[str, str, str], sizes: Sequence[int], *, appends: bool
) -> list[int]:
    end, core, added = parts
    return [
        len(_changed(encode, end + core * size, added, appends=True))
        if appends
        else len(_changed(encode, core * size + end, added, appends=False))
        for size in sizes
    ]


def _changed(encode: Encode, text: str, added: str, *, appends: bool) -> Sequence[int]:
    """Return the tokens of a text that are not there any more with another text."""
    alone = [*encode(text)]
    joined = [*encode(text + added if appends else added + text)]
    if not appends:
        alone.reverse()
        joined.reverse()
    same = 0
    while same < len(alone) and same < len(joined) and alone[same] == joined[same]:
        same += 1
    return alone[same:]


def _grows(changed: Sequence[int]) -> bool:
    """Whether each number is at least twice the one before it, as the texts grow threefold."""
    return changed[0] > 0 and all(now >= 2 * last for last, now in pairwise(changed))


def most_changed(encode: Encode) -> Iterator[tuple[int, str, str]]:
    """Yield how many tokens at the end of short texts an append changes, with the two texts."""
    for before, core, added in product(ENDS, CORES, ADDED):
        for times in (1, 2, 3):
            text = before + core * times
            try:
                yield len(_changed(encode, text, added, appends=True)), text, added
            except KeyError:
                continue
