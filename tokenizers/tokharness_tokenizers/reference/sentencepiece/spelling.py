"""Unknown characters: one unknown piece for neighbours, or the pieces of their bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness_tokenizers.reference.sentencepiece.vocabulary import Vocabulary


def merged(tokens: Iterable[tuple[int, int]], unknown: int) -> list[tuple[int, int]]:
    """Join neighbouring unknown tokens, each with its number of characters."""
    found: list[tuple[int, int]] = []
    for number, length in tokens:
        if number == unknown and found and found[-1][0] == unknown:
            found[-1] = (unknown, found[-1][1] + length)
        else:
            found.append((number, length))
    return found


def byte_pieces(
    tokens: Iterable[tuple[int, int]], text: str, vocabulary: Vocabulary
) -> list[tuple[int, int]]:
    """Replace each unknown token by the pieces of its bytes; the last piece has its length."""
    unknown, pieces = vocabulary.unknown, vocabulary.bytes
    found: list[tuple[int, int]] = []
    at = 0
    for number, length in tokens:
        if number == unknown:
            *before, last = (pieces[byte] for byte in text[at : at + length].encode())
            found += [*((one, 0) for one in before), (last, length)]
        else:
            found.append((number, length))
        at += length
    return found
