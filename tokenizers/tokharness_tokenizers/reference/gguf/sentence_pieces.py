"""The models ``llama`` and ``t5`` of a GGUF file: SentencePiece's BPE and Unigram, and spaces.

Sources: Kudo and Richardson 2018; Kudo 2018. Differences from SentencePiece that come with the
format:

- a space is put before each part of a text between tokens that are found first, as in llama.cpp and
  in ``tokenizers``; SentencePiece puts a space before the whole text,
- of two segmentations with nearly the same score, the segmentation with the higher exact sum is
  taken; SentencePiece adds floats of four bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.aligned import Aligned
from tokharness_tokenizers.reference.decoders import clean_up
from tokharness_tokenizers.reference.decoding import Decoding
from tokharness_tokenizers.reference.gguf.file import CHANGED, LLAMA, Stages, with_form
from tokharness_tokenizers.reference.models.pieces import Pieces
from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.sentencepiece.decoding import decode_bytes
from tokharness_tokenizers.reference.sentencepiece.model_file import NormalizerSpec, PieceKind
from tokharness_tokenizers.reference.sentencepiece.normalizing import Normalizing
from tokharness_tokenizers.reference.sentencepiece.vocabulary import MARK

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokharness_tokenizers.reference.gguf.file import File, Settings
    from tokharness_tokenizers.reference.tokenizer_json.fields import Tables

# Decoders of GGUF files that change spaces.


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
        loses_space: Whether the text loses a space at its start that encoding put there.

    """

    bytes_of: Mapping[str, int] = field(repr=False)
    loses_space: bool = True

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the one text of all tokens; each invalid byte becomes a U+FFFD."""
        texts = []
        for is_byte, run in groupby(tokens, key=self.bytes_of.__contains__):
            if is_byte:
                texts.append(decode_bytes(bytes(map(self.bytes_of.__getitem__, run))))
            else:
                texts.append("".join(run).replace(MARK, " "))
        text = "".join(texts)
        return [text.removeprefix(" ") if self.loses_space else text]


BYTES = {f"<0x{byte:02X}>": byte for byte in range(0x100)}
_CROSSES = re.compile(f"[^{MARK}]{MARK}")
NO_TOKEN = -1
"""Placeholder for the id of the unknown token, if there is none."""


@dataclass(frozen=True, slots=True)
class Base:
    """The model without its bytes, and the normalizer at the settings of the file."""

    model: SentencePieceBPE | Unigram
    normalizer: PieceNormalizer


@dataclass(frozen=True, slots=True)
class PieceNormalizer:
    """The normalizer of SentencePiece as a component of a pipeline."""

    normalizing: Normalizing

    def normalize(self, text: str) -> str:
        """Return the normalized text."""
        return self.normalizing.normalize(text)

    def apply(self, text: Aligned) -> Aligned:
        """Normalize an aligned text; a character has the span of the chunk that it came from."""
        new, starts = self.normalizing.with_starts(text.text)
        if text.spans is None:
            return Aligned(new)
        return Aligned(new, tuple(text.span(*ends) for ends in pairwise(starts)))


def model_of(file: File) -> Base:
    """Return the model; raises ValueError if the charsmap is damaged."""
    unknown = NO_TOKEN if file.unknown is None else file.unknown
    make = _bpe if file.settings.model == LLAMA else _unigram
    return Base(make(file, unknown), _normalizer(file, file.settings))


def _bpe(file: File, unknown: int) -> SentencePieceBPE:
    tokens = file.tokens
    unused = frozenset(tokens.ids(PieceKind.UNUSED).values())
    found = tokens.ids(PieceKind.NORMAL, PieceKind.UNUSED)
    return SentencePieceBPE(found, tokens.scores, unknown, unused=unused)


def _unigram(file: File, unknown: int) -> Unigram:
    """Return the model in which tokens that text never becomes have no text."""
    tokens = file.tokens
    rows = zip(tokens.texts, tokens.scores, tokens.kinds, strict=True)
    normal = PieceKind.NORMAL
    pieces = [(text, score) if kind is normal else ("", 0.0) for text, score, kind in rows]
    return Unigram(pieces, unknown)


def _normalizer(file: File, settings: Settings) -> PieceNormalizer:
    spec = NormalizerSpec(
        precompiled_charsmap=file.charsmap if settings.applies_charsmap else b"",
        add_dummy_prefix=settings.add_space_prefix,
        remove_extra_whitespaces=settings.remove_extra_whitespaces,
    )
    suffix = settings.treat_whitespace_as_suffix
    return PieceNormalizer(Normalizing.of(spec, space_is_suffix=suffix))


def stages_of(file: File, base: Base, settings: Settings, tables: Tables) -> Stages:
    """Return the parts of the tokenizer."""
    of_bytes = file.tokens.ids(PieceKind.BYTE)
    bytes_of = {text: byte for text, byte in BYTES.items() if text in of_bytes}
    # Readers of this format look for the token of a byte by its text, whatever its kind: llama.cpp,
    # which decodes it by its kind, and the converter of transformers.
    found = file.tokens.ids(*PieceKind) if settings.model == LLAMA else of_bytes
    known = {byte: found[text] for text, byte in BYTES.items() if text in found}
    ids = known if settings.reads_bytes else {}
    model = Pieces(base.model, file.tokens.ids(PieceKind.NORMAL, PieceKind.UNUSED), ids)
    is_same = settings == file.settings
    loses_space = settings.add_space_prefix and not settings.treat_whitespace_as_suffix
    return Stages(
        model,
        _texts(file, settings),
        Decoding(PieceTexts(bytes_of, loses_space), reads_bytes=bool(bytes_of)),
        with_form(settings, tables, base.normalizer if is_same else _normalizer(file, settings)),
        cut=_cut(model),
        changes=CHANGED,
    )


def _texts(file: File, settings: Settings) -> dict[int, str]:
    """Return the text of each token when it is decoded."""
    unwritten = () if settings.writes_unused else file.tokens.ids(PieceKind.UNUSED).values()
    return dict(enumerate(file.tokens.texts)) | dict.fromkeys(unwritten, "")


def _cut(model: Pieces) -> Callable[[str], list[str]] | None:
    """Return a function that cuts a text before U+2581, if no token has it inside."""
    if MARK not in model.vocabulary or model.has_unused:
        return None
    if any(map(_CROSSES.search, model.vocabulary)):
        return None
    return re.compile(f"{MARK}+[^{MARK}]*|[^{MARK}]+").findall
