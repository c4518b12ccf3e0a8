"""Faults in the engine that makes pieces of the text of a SentencePiece model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from planted._registry import fault
from planted._replaced_pieces import as_kind, with_model
from planted._sentencepiece_models import MODELS, against, healthy
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import Best, SentencePieceUnigram
from tokharness_tokenizers.reference.models.unigram import lengths_at
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind
from tokharness_tokenizers.reference.sentencepiece.reading import read
from tokharness_tokenizers.reference.sentencepiece.tokenizer import SentencePiece

MODEL = "model"


class _RightmostFirst(SentencePieceBPE):
    """A BPE that merges the last of equal pairs first."""

    def tokens(self, word: str, skips: Any = bool) -> list[tuple[int, int]]:
        found = SentencePieceBPE(
            {text[::-1]: number for text, number in self.vocabulary.items()},
            self.scores,
            self.unknown,
        ).tokens(word[::-1], skips)
        return found[::-1]


@fault(
    "TOK201",
    cause=f"{MODEL}: unused pieces are used",
    families=["plain-words"],
    against=against("sp_bpe"),
)
def unused_pieces_are_used() -> Any:
    """Encodes text as pieces that are not used any more."""
    return with_model("sp_bpe", lambda model: replace(model, unused=frozenset()))


@fault(
    "TOK201",
    cause=f"{MODEL}: pairs are merged in the order of ids",
    families=["plain-words"],
    against=against("sp_bytes"),
)
def merges_have_the_order_of_ids() -> Any:
    """Merges in the order of ids, as if the pieces were a list of merges."""
    scores = [-float(number) for number in range(len(MODELS["sp_bytes"].pieces))]
    return with_model("sp_bytes", lambda model: replace(model, scores=scores))


@fault("TOK201", cause=MODEL, families=["digits"], against=against("sp_bytes"))
def the_rightmost_of_equal_pairs_is_merged() -> Any:
    """Merges the last of pairs that become the same piece first."""
    return with_model(
        "sp_bytes",
        lambda model: _RightmostFirst(model.vocabulary, model.scores, model.unknown),
    )


@fault(
    "TOK201",
    cause=f"{MODEL}: byte_fallback is false",
    families=["zero-width"],
    against=against("sp_bytes"),
)
def byte_fallback_is_ignored() -> Any:
    """Makes unknown characters the unknown piece where the model has the pieces of their bytes."""
    tokenizer = healthy("sp_bytes")
    vocabulary = replace(tokenizer.vocabulary, byte_fallback=False)
    return replace(tokenizer, vocabulary=vocabulary, altered=None)


@fault(
    "TOK201",
    cause=f"{MODEL}: unknown characters are not joined",
    families=["homoglyphs"],
    against=against("sp_unigram"),
)
def unknown_characters_stay_apart() -> Any:
    """Makes each of several unknown characters one unknown piece."""
    return replace(healthy("sp_unigram"), joins_unknown=False, altered=None)


class _LowerCaseHexadecimal(SentencePiece):
    """A tokenizer that looks for ``<0xe2>`` where the vocabulary has ``<0xE2>``."""

    def encode(self, text: str) -> list[int]:
        texts, unknown = self.vocabulary.texts, self.vocabulary.unknown
        return [
            unknown
            if texts[number][:3] == "<0x" and texts[number].lower() != texts[number]
            else number
            for number in super().encode(text)
        ]


@fault("TOK201", cause=MODEL, families=["zero-width"], against=against("sp_bytes"))
def bytes_are_looked_for_in_lower_case() -> Any:
    """Looks for ``<0xe2>`` where the model has ``<0xE2>``: bytes with letters become unknown."""
    return as_kind("sp_bytes", _LowerCaseHexadecimal)


class _Greedy(SentencePieceUnigram):
    """A Unigram model that takes the longest piece at each place."""

    def best(self, word: str) -> Best:
        tokens, start = [], 0
        while start < len(word):
            lengths = lengths_at(self.lengths, word, start)[::-1]
            fits = (one for one in lengths if word[start : start + one] in self.piece_scores)
            length = next(fits, 1)
            piece = word[start : start + length]
            tokens.append((self.vocabulary.get(piece, self.unknown), length))
            start += length
        return Best(tokens, [], 0.0, float("inf"))


@fault("TOK201", cause=MODEL, families=["plain-words"], against=against("sp_unigram_bytes"))
def the_longest_piece_is_taken() -> Any:
    """Takes the longest piece from the left, in the place of the best sum of scores."""
    return with_model(
        "sp_unigram_bytes",
        lambda model: _Greedy(
            model.vocabulary, model.piece_scores, model.unknown_score, model.unknown
        ),
    )


@fault(
    "TOK201",
    cause=f"{MODEL}: control pieces are found in text",
    families=["special-tokens"],
    against=against("sp_unigram"),
    longest=16,
)
def control_pieces_are_found() -> Any:
    """Has control pieces among the pieces of the model, as a Unigram of a tokenizer.json does."""
    tokenizer, file = healthy("sp_unigram"), MODELS["sp_unigram"]
    pieces = tuple(
        replace(one, kind=PieceKind.NORMAL) if one.kind is PieceKind.CONTROL else one
        for one in file.pieces
    )
    other = read(replace(file, pieces=pieces), "sp_unigram, control pieces are normal")
    known = replace(tokenizer.vocabulary, of_text=other.vocabulary.of_text)
    return replace(tokenizer, model=other.model, vocabulary=known, altered=None)


class _OtherUnknown(SentencePiece):
    """A tokenizer that gives unknown text the id of another piece."""

    def encode(self, text: str) -> list[int]:
        unknown = self.vocabulary.unknown
        return [1 if number == unknown else number for number in super().encode(text)]


@fault(
    "TOK201",
    cause=f"{MODEL}: unknown text gets the id 1",
    families=["scalar-sweep"],
    against=against("sp_unigram"),
)
def unknown_text_gets_the_id_of_a_control_piece() -> Any:
    """Has a wrong unk_id."""
    return as_kind("sp_unigram", _OtherUnknown)
