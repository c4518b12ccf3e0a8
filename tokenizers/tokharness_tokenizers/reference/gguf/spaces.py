"""Decoders of GGUF files that change spaces."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.decoders.tokens import clean_up
from tokharness_tokenizers.reference.sentencepiece.decoding import decode_bytes
from tokharness_tokenizers.reference.sentencepiece.vocabulary import MARK

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CleanUp", "PieceTexts"]


@dataclass(frozen=True, slots=True)
class CleanUp:
    """Remove the spaces before punctuation."""

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the one text of all tokens."""
        return [clean_up("".join(tokens))]


@dataclass(frozen=True, slots=True)
class PieceTexts:
    """Join pieces of SentencePiece.

    Attributes:
        bytes_of: The byte that each token of a byte stands for, by the text of the token.
        loses_space: Whether the text loses a space at its start, which encoding put there.

    """

    bytes_of: Mapping[str, int] = field(repr=False)
    loses_space: bool = True

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the one text of all tokens; each byte that is invalid becomes one U+FFFD."""
        texts = []
        for is_byte, run in groupby(tokens, key=self.bytes_of.__contains__):
            if is_byte:
                texts.append(decode_bytes(bytes(map(self.bytes_of.__getitem__, run))))
            else:
                texts.append("".join(run).replace(MARK, " "))
        text = "".join(texts)
        return [text.removeprefix(" ") if self.loses_space else text]
