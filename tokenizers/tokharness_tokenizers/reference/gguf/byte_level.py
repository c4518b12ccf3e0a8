"""The model ``gpt2`` of a GGUF file: byte-level BPE (Radford et al. 2019).

A byte that is no token is left out. It separates its neighbours, as in llama.cpp; in ``tokenizers``
these are merged. Control and user-defined tokens are their own text, as in llama.cpp: such a token
"\u00f9" is that letter, and no normal token, which would be the byte F9.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.byte_characters import bytes_of
from tokharness_tokenizers.reference.decoders import ByteLevel, Sequence
from tokharness_tokenizers.reference.decoding import Decoding
from tokharness_tokenizers.reference.gguf.file import PREFIX, SPECIAL, Stages, with_form
from tokharness_tokenizers.reference.gguf.patterns import pre_tokenization
from tokharness_tokenizers.reference.gguf.sentence_pieces import CleanUp
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.normalizers.replacing import Prepend
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind
from tokharness_tokenizers.reference.tokenizer_json.fields import SPLIT

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.gguf.file import File, Settings
    from tokharness_tokenizers.reference.tokenizer_json.fields import Tables


@dataclass(frozen=True, slots=True)
class OwnTexts(ByteLevel):
    """Join the bytes of tokens; a token of ``own`` is its own text, and not written for bytes."""

    own: frozenset[str] = field(repr=False)

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the one text of all tokens."""
        return [b"".join(map(self.bytes_of, tokens)).decode("utf-8", "replace")]

    def bytes_of(self, token: str) -> bytes:
        """Return the bytes of a token."""
        return token.encode() if token in self.own else bytes_of(token)


def model_of(file: File) -> BPE:
    """Return the model; raises ValueError if a merge names a text that is not a token.

    Of two equal merges the first one counts.
    """
    vocabulary = file.tokens.ids(*PieceKind)
    merges = tuple(dict.fromkeys(file.merges))
    for pair in merges:
        missing = next((one for one in (*pair, "".join(pair)) if one not in vocabulary), None)
        if missing is not None:
            raise ValueError(f"{PREFIX}merges has {pair!r:.80}, and {missing!r:.60} is no token")
    ignores = file.settings.ignore_merges
    return BPE(vocabulary, merges, ignore_merges=ignores, separates=True)


def stages_of(file: File, model: BPE, settings: Settings, tables: Tables) -> Stages:
    """Return the parts of the tokenizer."""
    if model.ignore_merges != settings.ignore_merges:
        model = replace(model, ignore_merges=settings.ignore_merges)
    own = frozenset(file.tokens.ids(*SPECIAL, PieceKind.USER_DEFINED))
    decoder = OwnTexts(own)
    return Stages(
        model,
        dict(enumerate(file.tokens.texts)),
        Decoding(
            Sequence((decoder, CleanUp())) if settings.cleans_up else decoder,
            bytes_of=decoder.bytes_of,
        ),
        with_form(settings, tables, Prepend(" ") if settings.add_space_prefix else None),
        pre_tokenization(settings.pre).component(tables.version(SPLIT), settings.pattern_departure),
    )
