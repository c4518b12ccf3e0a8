r"""Word characters of the Rust crate ``regex``: ``\w`` of UTS #18, annex C."""

from __future__ import annotations

from functools import cache
from typing import Final

from tokharness.unicode import versions
from tokharness.unicode.properties import members

__all__ = ["rust_word"]

_WORD: Final = r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]"


@cache
def rust_word(version: str | None = None) -> frozenset[str]:
    r"""Return the characters of ``\w`` in a Unicode version, by default the current one.

    ``tokenizers`` 0.23.3 has 16.0 there.
    """
    word = frozenset(map(chr, members(_WORD)))
    if version is None:
        return word
    table = versions.standins(versions.canonical(version), versions.REGEX_VERSION)
    gone = {chr(point) for point, image in table.items() if chr(image) not in word}
    come = {chr(point) for point, image in table.items() if chr(image) in word}
    return (word - gone) | come
