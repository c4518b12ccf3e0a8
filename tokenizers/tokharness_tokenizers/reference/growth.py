"""How long the components of a stage may make a text, one after the other.

A component that doubles a text is harmless; forty of them take all memory for a single letter. A
sequence with several components that may make a text longer measures it after each component.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.pattern_size import LargeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MOST_TIMES: Final = 64
"""Most characters for each character; U+FDFA becomes 18 characters of NFKC, and these 33 bytes."""
MOST_MORE: Final = 1 << 14
"""Most further characters, as components put some before each text or each word."""
MOST_COMPONENTS: Final = 1000
"""Most components of a stage, each of which is applied to each text."""
FEW: Final = 2
"""Components that write bytes as characters, or spaces as marks: so few cannot exceed a bound."""

PROBES: Final = tuple(
    text * 64
    for text in ("a", "\u00e9 ", "\u4e2d", "\U0001f600", "\ufdfa", "1", "\u2581", "\t\n", "Ab'.-")
)
"""Texts that go through the components of a file when it is read."""


def probe(where: str, apply: Callable[[str], object], literals: Iterable[str] = ()) -> None:
    """Raise LargeError if the components at a place of a file make a probe too long.

    ``literals`` are texts that the components replace.
    """
    for text in (*PROBES, *(literal * 64 for literal in literals)):
        try:
            apply(text)
        except LargeError as error:
            raise LargeError(f"{where}: {error}") from error


def refuse_growth(before: int, after: int) -> None:
    """Raise LargeError if components made too many characters of a text.

    ``before`` and ``after`` are numbers of characters.
    """
    if after > MOST_TIMES * before + MOST_MORE:
        raise LargeError(
            f"its components make {after:,} characters of a text of {before:,}, and "
            f"{MOST_TIMES * before + MOST_MORE:,} at most are read"
        )
