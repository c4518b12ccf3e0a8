"""The bytes that tokens stand for inside a text, where a decoder changes them by their place.

A decoder may drop a space at the start of a text, or put one between words. So it is given all
tokens in one sequence, with a mark before and after each: what it leaves between two marks is the
token inside a text, but for what it puts between marks alone.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["MARK", "texts_inside"]

MARK = "\U0010fffd"
"""A private-use character, which no decoder changes."""


def texts_inside(
    tokens: Sequence[str], decode: Callable[[list[str]], str], mark: str = MARK
) -> list[bytes]:
    """Return the UTF-8 of each token as ``decode`` shows it between two others.

    ``mark`` is how the vocabulary writes the mark inside a word. Raises ValueError if a token has
    the mark.
    """
    (gap,) = _parts(decode([mark, mark]), 1)
    between = _parts(
        decode([mark, *chain.from_iterable((one, mark) for one in tokens)]), len(tokens)
    )
    return [text.removesuffix(gap).encode("utf-8", "surrogatepass") for text in between]


def _parts(text: str, number: int) -> list[str]:
    """Return what stands between the marks of a text, so many parts."""
    _, *parts, _ = text.split(MARK)
    if len(parts) != number:
        raise ValueError(f"a token has the character U+{ord(MARK):04X}")
    return parts
