"""Faults of entry points of a library that reads SentencePiece models."""

from __future__ import annotations

from typing import Any

from planted._registry import fault
from planted._replaced_pieces import as_kind
from planted._sentencepiece_models import against
from tokharness_tokenizers.reference.sentencepiece.tokenizer import SentencePiece


class _ReadsControlPieces(SentencePiece):
    """A tokenizer that reads control pieces from text."""

    def encode(self, text: str) -> list[int]:
        before, found, after = text.partition("</s>")
        if not found:
            return super().encode(text)
        return [*super().encode(before), self.special_tokens[found], *self.encode(after)]


@fault("TOK103", cause="special token: exact text", families=["special-tokens"], longest=4)
def control_pieces_are_read_from_text() -> Any:
    """Reads "</s>" in the text of a user as the end of the text."""
    return as_kind("sp_bpe", _ReadsControlPieces)


class _OffsetsInBytes(SentencePiece):
    """A tokenizer whose spans count bytes."""

    def encode_with_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ids, spans = super().encode_with_offsets(text)
        places = [len(text[:at].encode("utf-8", "replace")) for at in range(len(text) + 1)]
        return ids, [(places[start], places[end]) for start, end in spans]


@fault(
    "TOK107", cause="offsets: bytes of UTF-8", families=["plain-words"], against=against("sp_bpe")
)
def offsets_are_bytes() -> Any:
    """Counts offsets in bytes, as the protocol buffers of the library do."""
    return as_kind("sp_bpe", _OffsetsInBytes)
