"""Faults in the decoder of a SentencePiece model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from planted._registry import fault
from planted._replaced_pieces import with_decoding
from planted._sentencepiece_models import MODELS, against, healthy
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind
from tokharness_tokenizers.reference.sentencepiece.reading import read


@fault("TOK101", cause="decoder: U+2581 stays", families=["plain-words"], against=against("sp_bpe"))
def the_decoder_keeps_the_mark() -> Any:
    """Joins the texts of pieces, in which U+2581 stands for spaces."""
    return with_decoding("sp_bpe", shows_marks=True)


@fault(
    "TOK101",
    cause="decoder: a space at the start stays",
    families=["plain-words"],
    against=against("sp_bytes"),
)
def the_decoder_keeps_the_dummy_prefix() -> Any:
    """Does not take the space off that the normalizer put first."""
    spec = replace(MODELS["sp_bytes"].normalizer, add_dummy_prefix=False)
    return with_decoding("sp_bytes", normalizer=spec)


@fault(
    "TOK101",
    cause="decoder: all spaces at the start go",
    families=["white-space"],
    against=against("sp_bytes"),
)
def the_decoder_strips_all_spaces() -> Any:
    """Takes all spaces off at the start, where only one was put there."""
    spec = replace(MODELS["sp_bytes"].normalizer, remove_extra_whitespaces=True)
    return with_decoding("sp_bytes", normalizer=spec)


@fault("TOK202", cause="decoder: unk_surface is ''", against=against("sp_bpe"))
def the_unknown_surface_is_lost() -> Any:
    """Decodes the unknown piece to nothing, so that text outside the vocabulary leaves no trace."""
    return with_decoding("sp_bpe", unknown_surface="")


@fault(
    "TOK101", cause="decoder: bytes are shown", families=["zero-width"], against=against("sp_bytes")
)
def the_decoder_shows_bytes() -> Any:
    """Decodes the pieces of bytes to their names, such as "<0xE2>"."""
    tokenizer = healthy("sp_bytes")
    kinds = tuple(
        PieceKind.NORMAL if kind is PieceKind.BYTE else kind for kind in tokenizer.vocabulary.kinds
    )
    return with_decoding("sp_bytes", vocabulary=replace(tokenizer.vocabulary, kinds=kinds))


@fault(
    "TOK101",
    cause="decoder: the denormalizer is not applied",
    families=["code"],
    against=against("sp_denormalizer"),
)
def the_denormalizer_is_not_applied() -> Any:
    """Ignores the rules for decoded text."""
    return replace(read(replace(MODELS["sp_denormalizer"], denormalizer=None), "x"), altered=None)


@fault(
    "TOK101",
    cause="decoder: each piece loses a space at its start",
    families=["plain-words"],
    against=against("sp_bytes"),
)
def the_decoder_strips_each_piece() -> Any:
    """Takes a space off each piece, as a conversion whose pieces are not joined before."""
    return with_decoding("sp_bytes", strips_each=True)


@fault(
    "TOK101",
    cause="decoder: U+2581 stays, at the start, too",
    families=["plain-words"],
    against=against("sp_bytes"),
)
def the_decoder_keeps_all_marks() -> Any:
    """Joins the texts of pieces as they are, where the mark at the start is no space."""
    spec = replace(MODELS["sp_bytes"].normalizer, add_dummy_prefix=False)
    return with_decoding("sp_bytes", shows_marks=True, normalizer=spec)
