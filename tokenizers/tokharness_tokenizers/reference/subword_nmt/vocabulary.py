"""The ids of subwords, which subword-nmt does not have: it reads and writes text.

A subword is written with ``@@`` unless it is the last subword of its word. ``<unk>`` has the id 0.
The other subwords have the next ids, in the order of the file of codes: for each merge the new
characters, each as ``x@@`` and ``x``, and then the symbol that it makes, as ``x@@``, or as ``x`` if
it has the end of a word. In version 0.1 a symbol has both forms, since the end is a symbol of its
own.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.subword_nmt.codes import END

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness_tokenizers.reference.subword_nmt.codes import Codes

SEPARATOR: Final = "@@"
UNKNOWN: Final = "<unk>"


def written(subwords: list[str]) -> list[str]:
    """Return the subwords of a word as they are written."""
    return [subword + SEPARATOR for subword in subwords[:-1]] + subwords[-1:]


def vocabulary_of(codes: Codes) -> tuple[str, ...]:
    """Return the written subwords of a file of codes; the place of a subword is its id."""
    return tuple(dict.fromkeys(chain([UNKNOWN], _of_merges(codes))))


def _of_merges(codes: Codes) -> Iterator[str]:
    for pair in codes.merges:
        for char in dict.fromkeys("".join(symbol.removesuffix(END) for symbol in pair)):
            yield char + SEPARATOR
            yield char
        symbol = "".join(pair)
        text = symbol.removesuffix(END)
        if text == symbol:
            yield text + SEPARATOR
        if text != symbol or codes.version == "0.1":
            yield text
