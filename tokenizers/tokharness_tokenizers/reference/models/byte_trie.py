"""Greedy longest match on bytes: at each place the longest token that begins there is taken.

RWKV's "World" tokenizer consists only of this model, over a trie of byte strings, without a
pre-tokenizer (Peng et al. 2024, "Eagle and Finch: RWKV with Matrix-Valued States and Dynamic
Recurrence").
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.byte_characters import CHARACTER_OF, bytes_of

if TYPE_CHECKING:
    from collections.abc import Mapping

HEAD = 2
"""Bytes by which the lengths of tokens are looked up."""


@dataclass(frozen=True)
class ByteTrie:
    """A vocabulary of byte strings.

    :meth:`encode` reads bytes. As a component of a pipeline (:meth:`tokens`), the model reads words
    in which each byte is a character (:mod:`~..byte_characters`), as the pre-tokenizer
    ``ByteLevel`` writes them.

    Attributes:
        ids: The id of each token. The empty token is never taken.

    """

    ids: Mapping[bytes, int] = field(repr=False)

    @cached_property
    def _lengths(self) -> dict[bytes, tuple[int, ...]]:
        """The lengths of the tokens that begin with two bytes, longest first.

        A single byte may begin any pair, so that the length 1 is the last length of each pair; the
        single byte is also the key for the last byte of a text.
        """
        lengths: dict[bytes, set[int]] = {}
        for token in self.ids:
            if token:
                lengths.setdefault(token[:HEAD], {1}).add(len(token))
        return {head: tuple(sorted(found, reverse=True)) for head, found in lengths.items()}

    def encode(self, data: bytes) -> list[int]:
        """Return the ids of bytes; raises KeyError at a place where no token begins."""
        ids: list[int] = []
        number_of, lengths_of, at = self.ids.get, self._lengths.get, 0
        while at < len(data):
            for length in lengths_of(data[at : at + HEAD], (1,)):
                number = number_of(data[at : at + length])
                if number is not None and at + length <= len(data):
                    break
            else:
                raise KeyError(f"no token begins at byte {at}, with 0x{data[at]:02X}")
            ids.append(number)
            at += length
        return ids

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """The id of each token, written with a character for each byte."""
        return {"".join(map(CHARACTER_OF.__getitem__, token)): n for token, n in self.ids.items()}

    @property
    def unknown_id(self) -> None:
        """The model has no unknown token."""

    @cached_property
    def size_of(self) -> dict[int, int]:
        """The number of bytes of each token."""
        return {number: len(token) for token, number in self.ids.items()}

    def tokens(self, word: str) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each token of a word.

        Each character of the word stands for a byte. Raises KeyError at a byte without a token.
        """
        return [(number, self.size_of[number]) for number in self.encode(bytes_of(word))]
