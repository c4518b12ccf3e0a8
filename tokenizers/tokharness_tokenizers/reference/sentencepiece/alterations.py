"""Alterations of the tokenizer of a SentencePiece model: one setting of one stage is changed.

Where the ids of a library are not those of the model, the alteration with which the reference gives
them says what the library does: it adds no space, keeps extra ones, applies no rules, finds no
user-defined pieces.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.reference.departing_models import departing_models
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.normalizers.longest_rules import LongestRules
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind
from tokharness_tokenizers.reference.sentencepiece.other_rules import other_rules
from tokharness_tokenizers.reference.sentencepiece.tokenizer import (
    DECODER,
    MODEL,
    NORMALIZER,
    Alteration,
    SentencePiece,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tokharness_tokenizers.reference.sentencepiece.decoding import PieceDecoding

__all__ = ["alterations"]

FLAGS = ("add_dummy_prefix", "remove_extra_whitespaces", "escape_whitespaces")
ADDED = "added tokens"


def alterations(tokenizer: SentencePiece) -> list[Alteration]:
    """Return the alterations of a tokenizer, those of earlier stages first."""
    rows = (*_of_added(tokenizer), *_of_normalizer(tokenizer), *_of_model(tokenizer))
    return [
        *((stage, what, replace(one, altered=None)) for stage, what, one in rows),
        *(
            (DECODER, what, replace(tokenizer, decoding=one))
            for what, one in _of_decoder(tokenizer)
        ),
    ]


def _of_added(tokenizer: SentencePiece) -> Iterator[Alteration]:
    normalizing, model, rules = tokenizer.normalizing, tokenizer.model, tokenizer.normalizing.rules
    if not tokenizer.vocabulary.user_defined or not isinstance(rules, LongestRules):
        return
    rules = replace(rules, verbatim=())
    normalized = replace(tokenizer, normalizing=replace(normalizing, rules=rules))
    yield ADDED, "user-defined pieces are normalized", normalized
    if isinstance(model, SentencePieceBPE):
        merged = replace(model, user_defined=())
        yield ADDED, "user-defined pieces are merged", replace(normalized, model=merged)
    found = _without(model, tokenizer.vocabulary.user_defined)
    yield ADDED, "user-defined pieces are not found", replace(normalized, model=found)


def _of_normalizer(tokenizer: SentencePiece) -> Iterator[Alteration]:
    normalizing = tokenizer.normalizing
    spec = normalizing.spec
    for flag in FLAGS:
        value = not getattr(spec, flag)
        changed: dict[str, Any] = {flag: value}
        other = replace(normalizing, spec=replace(spec, **changed))
        yield _normalizer(tokenizer, f"{flag} is {str(value).lower()}", other)
    suffix = not normalizing.space_is_suffix
    if spec.add_dummy_prefix:
        what = f"treat_whitespace_as_suffix is {str(suffix).lower()}"
        yield _normalizer(tokenizer, what, replace(normalizing, space_is_suffix=suffix))
    for what, rules in other_rules(normalizing.rules):
        yield _normalizer(tokenizer, what, replace(normalizing, rules=rules))


def _normalizer(tokenizer: SentencePiece, what: str, normalizing: Any) -> Alteration:
    return NORMALIZER, what, replace(tokenizer, normalizing=normalizing)


def _of_model(tokenizer: SentencePiece) -> Iterator[Alteration]:
    vocabulary, model = tokenizer.vocabulary, tokenizer.model
    if vocabulary.byte_fallback and vocabulary.unknown >= 0:
        without = replace(vocabulary, byte_fallback=False)
        yield MODEL, "byte_fallback is false", replace(tokenizer, vocabulary=without)
    if vocabulary.unused and isinstance(model, SentencePieceBPE):
        used = replace(model, unused=frozenset())
        yield MODEL, "unused pieces are used", replace(tokenizer, model=used)
        unmerged = _without(model, [vocabulary.texts[number] for number in vocabulary.unused])
        yield MODEL, "unused pieces are not merged", replace(tokenizer, model=unmerged)
    if isinstance(model, SentencePieceBPE):
        by_id = replace(model, scores=[-float(number) for number in range(len(model.scores))])
        yield MODEL, "pairs are merged in the order of ids", replace(tokenizer, model=by_id)
    for what, other in departing_models(model):
        yield MODEL, what, replace(tokenizer, model=other)
    if vocabulary.unknown >= 0:
        yield MODEL, "unknown characters are not joined", replace(tokenizer, joins_unknown=False)


def _without(model: Any, texts: Collection[str]) -> Any:
    """Return a model without some pieces."""
    tables = ("vocabulary", "piece_scores")
    changed: dict[str, Any] = {
        name: {text: value for text, value in getattr(model, name).items() if text not in texts}
        for name in tables
        if hasattr(model, name)
    }
    if hasattr(model, "user_defined"):
        changed["user_defined"] = tuple(one for one in model.user_defined if one not in texts)
    return replace(model, **changed)


def _of_decoder(tokenizer: SentencePiece) -> Iterator[tuple[str, PieceDecoding]]:
    decoding = tokenizer.decoding
    spec, vocabulary = decoding.normalizer, decoding.vocabulary
    for prefix, removes in ((False, False), (True, False), (True, True)):
        if (spec.add_dummy_prefix, spec.remove_extra_whitespaces) != (prefix, removes):
            what = "all spaces at the start go" if removes else "a space at the start goes"
            other = replace(spec, add_dummy_prefix=prefix, remove_extra_whitespaces=removes)
            yield (
                what if prefix else "a space at the start stays",
                replace(decoding, normalizer=other),
            )
    for surface in ("", "\u2047", " \u2047 ", vocabulary.texts[vocabulary.unknown], "\ufffd"):
        if surface != decoding.unknown_surface:
            what = f"unk_surface is {surface!a}"
            yield what, replace(decoding, unknown_surface=surface)
    if decoding.denormalizer is not None:
        yield "the denormalizer is not applied", replace(decoding, denormalizer=None)
    yield "U+2581 stays", replace(decoding, shows_marks=True)
    for kind, what in ((PieceKind.CONTROL, "control pieces are"), (PieceKind.BYTE, "bytes are")):
        kinds = tuple(PieceKind.NORMAL if one is kind else one for one in vocabulary.kinds)
        if kinds != vocabulary.kinds:
            yield f"{what} shown", replace(decoding, vocabulary=replace(vocabulary, kinds=kinds))
