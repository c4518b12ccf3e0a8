"""From a SentencePiece model to its tokenizer, and to tokenizers with one setting changed."""

from __future__ import annotations

import re
import struct
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from tokharness_tokenizers.reference.departing_models import NEITHER, departing_models
from tokharness_tokenizers.reference.models.pieces import WholeCharacters, WholeWords
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import (
    UNKNOWN_PENALTY,
    SentencePieceUnigram,
)
from tokharness_tokenizers.reference.normalizers.charsmap import LongestRules
from tokharness_tokenizers.reference.other_bytes import BYTES
from tokharness_tokenizers.reference.sentencepiece import model_file
from tokharness_tokenizers.reference.sentencepiece.decoding import PieceDecoding
from tokharness_tokenizers.reference.sentencepiece.model_file import ModelKind, PieceKind
from tokharness_tokenizers.reference.sentencepiece.normalizing import Normalizing
from tokharness_tokenizers.reference.sentencepiece.other_rules import other_normalizers
from tokharness_tokenizers.reference.sentencepiece.other_spaces import other_spaces
from tokharness_tokenizers.reference.sentencepiece.tokenizer import (
    DECODER,
    MODEL,
    NORMALIZER,
    Alteration,
    SentencePiece,
)
from tokharness_tokenizers.reference.sentencepiece.vocabulary import vocabulary_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from tokharness_tokenizers.reference.sentencepiece.model_file import ModelFile
    from tokharness_tokenizers.reference.sentencepiece.tokenizer import PieceModel
    from tokharness_tokenizers.reference.sentencepiece.vocabulary import Vocabulary

# Alterations of the tokenizer of a SentencePiece model: one setting of one stage is changed.
#
# If a library's ids differ from the ids of the model, the alteration with which the reference gives
# the library's ids shows what the library does: it adds no space, keeps extra spaces, applies no
# rules, or finds no user-defined pieces.

FLAGS = ("add_dummy_prefix", "remove_extra_whitespaces", "escape_whitespaces")
ADDED = "added tokens"
CONTROL_FOUND = "control pieces are found in text"


def alterations(tokenizer: SentencePiece) -> list[Alteration]:
    """Return the alterations of a tokenizer, in the order of their stages."""
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
    vocabulary = tokenizer.vocabulary
    if not vocabulary.user_defined or not isinstance(rules, LongestRules):
        return
    rules = replace(rules, verbatim=())
    normalized = replace(tokenizer, normalizing=replace(normalizing, rules=rules))
    yield ADDED, "user-defined pieces are normalized", normalized
    if isinstance(model, SentencePieceBPE):
        merged = replace(model, user_defined=())
        yield ADDED, "user-defined pieces are merged", replace(normalized, model=merged)
    found = _without(model, tokenizer.vocabulary.user_defined)
    yield ADDED, "user-defined pieces are not found", replace(normalized, model=found)
    if isinstance(model, SentencePieceUnigram):
        own = {text: vocabulary.scores[n] for text, n in vocabulary.user_defined.items()}
        as_others = replace(model, piece_scores={**model.piece_scores, **own})
        yield (
            ADDED,
            "user-defined pieces do not precede others",
            replace(tokenizer, model=as_others),
        )
    spec = normalizing.spec
    if spec.add_dummy_prefix and not normalizing.space_is_suffix:
        apart = _EachPart(spec, normalizing.rules)
        yield ADDED, "a space is added after each one, too", replace(tokenizer, normalizing=apart)
        bare = _BareAtStart(spec, normalizing.rules)
        yield ADDED, "no space is added before one", replace(tokenizer, normalizing=bare)


class _EachPart(Normalizing):
    """A normalizer of the parts of a text between user-defined pieces, each by itself."""

    def normalize(self, text: str) -> str:
        """Return the normalized parts with the user-defined pieces between them."""
        parts = enumerate(_apart(self.rules.verbatim, text))
        return "".join(
            part if at % 2 else super(_EachPart, self).normalize(part) for at, part in parts
        )


class _BareAtStart(Normalizing):
    """A normalizer that adds no space to a text that begins with a user-defined piece."""

    def normalize(self, text: str) -> str:
        """Return the normalized text."""
        normalized = super().normalize(text)
        begins = normalized[1:].startswith(self.rules.verbatim)
        return normalized.removeprefix(self.mark) if begins else normalized


def _apart(texts: Iterable[str], text: str) -> list[str]:
    """Return the parts of a text between some texts, with these at the odd places."""
    longest_first = sorted(texts, key=len, reverse=True)
    return re.split(f"({'|'.join(map(re.escape, longest_first))})", text)


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
    if spec.add_dummy_prefix and spec.remove_extra_whitespaces:
        alone = _SpaceOfSpaces(spec, normalizing.rules, normalizing.space_is_suffix)
        yield _normalizer(tokenizer, "a text of spaces gets the added space", alone)
    if spec.add_dummy_prefix and suffix:
        twice = _TwoSpaces(spec, normalizing.rules)
        yield _normalizer(tokenizer, "two spaces are added, not one", twice)
    for what, other in chain(other_spaces(normalizing), other_normalizers(normalizing)):
        yield _normalizer(tokenizer, what, other)


class _SpaceOfSpaces(Normalizing):
    """A normalizer that adds the space although nothing of the text is left, as kitoken's does."""

    def normalize(self, text: str) -> str:
        """Return the normalized text, or the added space alone."""
        return super().normalize(text) or self.mark * bool(text)


class _TwoSpaces(Normalizing):
    """A normalizer that adds a space twice."""

    def normalize(self, text: str) -> str:
        """Return the normalized text."""
        normalized = super().normalize(text)
        return self.mark * bool(normalized) + normalized


def _normalizer(tokenizer: SentencePiece, what: str, normalizing: Any) -> Alteration:
    return NORMALIZER, what, replace(tokenizer, normalizing=normalizing)


def _of_model(tokenizer: SentencePiece) -> Iterator[Alteration]:
    vocabulary, model = tokenizer.vocabulary, tokenizer.model
    if vocabulary.byte_fallback and vocabulary.unknown >= 0:
        without = replace(vocabulary, byte_fallback=False)
        yield MODEL, "byte_fallback is false", replace(tokenizer, vocabulary=without)
        yield MODEL, NEITHER, replace(tokenizer, vocabulary=without, joins_unknown=False)
        for what, bytes_of in BYTES.items():
            other = replace(vocabulary, bytes_of=bytes_of)
            yield MODEL, what, replace(tokenizer, vocabulary=other)
    if vocabulary.unused and isinstance(model, SentencePieceBPE):
        used = replace(model, unused=frozenset())
        yield MODEL, "unused pieces are used", replace(tokenizer, model=used)
        unmerged = _without(model, [vocabulary.texts[number] for number in vocabulary.unused])
        yield MODEL, "unused pieces are not merged", replace(tokenizer, model=unmerged)
    if isinstance(model, SentencePieceBPE):
        by_id = replace(model, scores=[-float(number) for number in range(len(model.scores))])
        yield MODEL, "pairs are merged in the order of ids", replace(tokenizer, model=by_id)
    if isinstance(model, SentencePieceUnigram) and vocabulary.special:
        yield MODEL, CONTROL_FOUND, _with_found(tokenizer, model, vocabulary.special)
    if isinstance(model, SentencePieceUnigram) and vocabulary.byte_of:
        of_bytes = {vocabulary.texts[number]: number for number in vocabulary.byte_of}
        found = _with_found(tokenizer, model, of_bytes)
        yield MODEL, "pieces of bytes are found in text", found
    for what, other in departing_models(model):
        yield MODEL, what, replace(tokenizer, model=other)
    if vocabulary.unknown >= 0:
        yield MODEL, "unknown characters are not joined", replace(tokenizer, joins_unknown=False)
        yield MODEL, "unknown characters are left out", replace(tokenizer, drops_unknown=True)


def _with_found(
    tokenizer: SentencePiece, model: SentencePieceUnigram, ids: Mapping[str, int]
) -> SentencePiece:
    """Return a tokenizer whose model finds pieces in text that no text becomes, with these ids."""
    vocabulary = tokenizer.vocabulary
    scores = {text: vocabulary.scores[number] for text, number in ids.items()}
    model = replace(
        model,
        vocabulary={**ids, **model.vocabulary},
        piece_scores={**scores, **model.piece_scores},
    )
    of_text = {**ids, **vocabulary.of_text}
    return replace(tokenizer, model=model, vocabulary=replace(vocabulary, of_text=of_text))


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
    kept = replace(spec, add_dummy_prefix=False, remove_extra_whitespaces=False)
    at_start = replace(decoding, shows_marks=True, normalizer=kept)
    yield "U+2581 stays, at the start, too", at_start
    yield "each piece loses a space at its start", replace(decoding, strips_each=True)
    if vocabulary.byte_fallback:
        for what, function in TEXTS_OF_BYTES.items():
            yield what, replace(decoding, bytes_to_text=function)
    yield "the first character goes", replace(decoding, loses_first=True)
    for kind, what in ((PieceKind.CONTROL, "control pieces are"), (PieceKind.BYTE, "bytes are")):
        kinds = tuple(PieceKind.NORMAL if one is kind else one for one in vocabulary.kinds)
        if kinds != vocabulary.kinds:
            yield f"{what} shown", replace(decoding, vocabulary=replace(vocabulary, kinds=kinds))


def _each_byte(data: bytes) -> str:
    return "".join(chr(byte) if byte < 0x80 else "\ufffd" for byte in data)


def _all_or_none(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return "\ufffd" * len(data)


TEXTS_OF_BYTES: Final[Mapping[str, Callable[[bytes], str]]] = {
    "each byte is decoded alone": _each_byte,
    "bytes are characters of Latin-1": lambda data: data.decode("latin-1"),
    "an invalid part of a run of bytes is one U+FFFD": lambda data: data.decode("utf-8", "replace"),
    "invalid bytes are left out": lambda data: data.decode("utf-8", "ignore"),
    "each byte of a run with invalid ones is U+FFFD": _all_or_none,
}
"""Returns the text of a run of bytes, by what is done."""

ALGORITHMS: Final = {
    ModelKind.UNIGRAM: "Unigram",
    ModelKind.BPE: "SentencePiece BPE",
    ModelKind.WORD: "word",
    ModelKind.CHAR: "character",
}


def load(path: Path) -> SentencePiece:
    """Read a file.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is damaged; the message says where.

    """
    model = model_file.load(path)
    try:
        return read(model, str(path))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def read(model: ModelFile, name: str) -> SentencePiece:
    """Make the tokenizer of a model.

    Raises:
        ValueError: it contradicts itself, or a charsmap is damaged.

    """
    vocabulary = vocabulary_of(model)
    suffix = model.trainer.treat_whitespace_as_suffix
    user_defined = tuple(vocabulary.user_defined)
    normalizing = Normalizing.of(model.normalizer, user_defined, space_is_suffix=suffix)
    denormalizing = None
    if model.denormalizer is not None and model.denormalizer.precompiled_charsmap:
        denormalizing = Normalizing.of(model.denormalizer, space_is_suffix=False)
    return SentencePiece(
        name,
        vocabulary,
        normalizing,
        _model(model.trainer.model, vocabulary),
        PieceDecoding(vocabulary, model.normalizer, model.trainer.unk_surface, denormalizing),
        ALGORITHMS[model.trainer.model] + ", byte fallback" * vocabulary.byte_fallback,
        altered=alterations,
    )


def _model(kind: ModelKind, vocabulary: Vocabulary) -> PieceModel:
    user_defined = tuple(vocabulary.user_defined)
    if kind is ModelKind.BPE:
        return SentencePieceBPE(
            vocabulary.of_text,
            vocabulary.scores,
            vocabulary.unknown,
            user_defined,
            vocabulary.unused,
        )
    used = {text: i for text, i in vocabulary.of_text.items() if i not in vocabulary.unused}
    if kind is ModelKind.WORD:
        return WholeWords(used, vocabulary.unknown)
    if kind is ModelKind.CHAR:
        return WholeCharacters(used, vocabulary.unknown, user_defined)
    return _unigram(used, vocabulary)


def _unigram(used: dict[str, int], vocabulary: Vocabulary) -> SentencePieceUnigram:
    normal = [vocabulary.scores[i] for i in vocabulary.ids(PieceKind.NORMAL)]
    scores = {
        text: _single(0.1 * (len(text.encode()) - 1))
        if text in vocabulary.user_defined
        else vocabulary.scores[number]
        for text, number in used.items()
    }
    unknown_score = _single(min(normal, default=0.0) - UNKNOWN_PENALTY)
    return SentencePieceUnigram(used, scores, unknown_score, vocabulary.unknown)


def _single(value: float) -> float:
    """Round to a float of four bytes."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])
