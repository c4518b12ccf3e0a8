"""The merges of byte-level BPE training: the textbook algorithm, and a fast equivalent.

Sennrich et al. 2016, algorithm 1, over bytes and within pre-tokens as in GPT-2: count the pairs,
merge the most frequent pair, and update the counts.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Literal, TypeAlias

from tokharness_tokenizers.reference import plain_learning
from tokharness_tokenizers.reference.word_pairs import MAX_TOKENS, WordPairs, merge_most_frequent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["MAX_TOKENS", "Merge", "Ties", "merges", "merges_simple"]

Merge: TypeAlias = "tuple[bytes, bytes]"

Ties: TypeAlias = Literal["bytes", "ids"]
"""Which of several equally frequent pairs is merged first.

``bytes``, our own rule: the least pair of byte strings, compared left, then right. ``ids``, the
rule of Hugging Face's ``BpeTrainer``: the least pair of ids. Tokens are numbered as they are made,
after the bytes, which have the order of GPT-2's byte alphabet: those with a visible character in
Latin-1 (0x21..0x7E, 0xA1..0xAC, 0xAE..0xFF), then the others.
"""

_VISIBLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
_BYTE_ORDER: Mapping[Ties, list[int]] = {
    "bytes": list(range(256)),
    "ids": sorted(range(256), key=lambda byte: (byte not in _VISIBLE, byte)),
}


def merges_simple(counts: Mapping[str, int], ties: Ties = "bytes") -> Iterator[Merge]:
    """Yield the merges that are learned from words, in order; ``counts`` maps words to counts.

    The merges end when no pair occurs at least twice. No two merges have the same bytes, since
    the merges within a token do not depend on its surroundings. This is the algorithm to read;
    only tests call it.
    """
    ids = {bytes([byte]): number for number, byte in enumerate(_BYTE_ORDER[ties])}
    words = {tuple(bytes([byte]) for byte in word.encode()): n for word, n in counts.items()}

    def by_ids(pair: Merge) -> tuple[int, int]:
        return ids[pair[0]], ids[pair[1]]

    def choose(pairs: Mapping[Merge, int], _: Mapping[bytes, int]) -> Merge | None:
        frequent = plain_learning.most_frequent(pairs)
        chosen = min(frequent, key=None if ties == "bytes" else by_ids, default=None)
        if chosen:
            ids[chosen[0] + chosen[1]] = len(ids)
        return chosen

    return plain_learning.learn(words, choose)


def merges(counts: Mapping[str, int], ties: Ties = "bytes") -> Iterator[Merge]:
    """Yield the merges of :func:`merges_simple` by way of :mod:`.word_pairs`.

    Raises ValueError for more tokens than ``MAX_TOKENS``.
    """
    names = [bytes([byte]) for byte in _BYTE_ORDER[ties]]
    numbers = {byte: number for number, byte in enumerate(_BYTE_ORDER[ties])}
    # Latin-1 has a character for each byte.
    words = WordPairs.of(
        (word.encode().decode("latin-1").translate(numbers), count)
        for word, count in counts.items()
    )
    return merge_most_frequent(words, names, operator.add, bytes if ties == "bytes" else None)
