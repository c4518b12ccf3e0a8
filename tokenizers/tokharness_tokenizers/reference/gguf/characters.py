r"""The model ``gemma4`` of a GGUF file: BPE over characters, with SentencePiece's marks and bytes.

Each space becomes U+2581, and a text is cut only where line feeds begin or end. A run of line feeds
that is a token is this token, since no merges lead to some of them; a character that is no token is
written with the tokens of its bytes. Source: llama.cpp (``llama-vocab.cpp``), as no key of the file
describes these stages.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.decoders import Sequence
from tokharness_tokenizers.reference.decoding import Decoding
from tokharness_tokenizers.reference.gguf import byte_level
from tokharness_tokenizers.reference.gguf.file import CHANGED, Stages, with_form
from tokharness_tokenizers.reference.gguf.patterns import split
from tokharness_tokenizers.reference.gguf.sentence_pieces import BYTES, CleanUp, PieceTexts
from tokharness_tokenizers.reference.normalizers.replacing import Replace
from tokharness_tokenizers.reference.searching import find_text, substitute_text
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind
from tokharness_tokenizers.reference.sentencepiece.vocabulary import MARK
from tokharness_tokenizers.reference.tokenizer_json.fields import SPLIT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reference.gguf.file import File, Settings
    from tokharness_tokenizers.reference.models.bpe import BPE
    from tokharness_tokenizers.reference.tokenizer_json.fields import Tables

LINE_FEEDS = r"[^\n]+|\n+"


@dataclass(frozen=True, slots=True)
class LineFeedBPE:
    """BPE in which a run of line feeds that is a token is this token."""

    bpe: BPE

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """The id of each token, by its text."""
        return self.bpe.vocabulary

    @property
    def unknown_id(self) -> int | None:
        """The id of the unknown token; None if the model has none."""
        return self.bpe.unknown_id

    def tokens(self, word: str) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each token of a word."""
        if not word.strip("\n") and word in self.bpe.vocabulary:
            return [(self.bpe.vocabulary[word], len(word))]
        return self.bpe.tokens(word)


def model_of(file: File) -> BPE:
    """Return the model; raises ValueError if a merge names a text that is not a token."""
    return replace(byte_level.model_of(file), byte_fallback=True)


def stages_of(file: File, model: BPE, settings: Settings, tables: Tables) -> Stages:
    """Return the parts of the tokenizer."""
    known = file.tokens.ids(PieceKind.BYTE)
    decoder = PieceTexts(
        {text: byte for text, byte in BYTES.items() if text in known}, loses_space=False
    )
    if settings.reads_bytes != model.byte_fallback:
        model = replace(model, byte_fallback=settings.reads_bytes)
    return Stages(
        LineFeedBPE(model),
        dict(enumerate(file.tokens.texts)),
        Decoding(
            Sequence((decoder, CleanUp())) if settings.cleans_up else decoder,
            reads_bytes=bool(known),
        ),
        with_form(settings, tables, Replace(find_text(" "), MARK, substitute_text(" ", MARK), " ")),
        split(LINE_FEEDS, tables.version(SPLIT)),
        changes=CHANGED,
    )
