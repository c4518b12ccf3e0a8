"""Healthy SentencePiece models, small ones that show each algorithm and each setting.

``MODELS`` has them by name; :func:`against` returns the spec of the tokenizer of one.
"""

from __future__ import annotations

import string
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.reference.sentencepiece.generate_nmt_nfkc import charsmap_bytes
from tokharness_tokenizers.reference.sentencepiece.model_file import (
    ModelFile,
    ModelKind,
    NormalizerSpec,
    Piece,
    PieceKind,
    TrainerSpec,
)
from tokharness_tokenizers.reference.sentencepiece.reading import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokharness_tokenizers.reference.sentencepiece.tokenizer import SentencePiece

MARK = "\u2581"
RULES = {
    **dict.fromkeys(("\t", "\n", "\r", "\u00a0", "\u3000"), " "),
    **dict.fromkeys(("\u200b", "\ufeff"), ""),
    **{chr(point + 0xFEE0): chr(point) for point in range(0x21, 0x7F)},
    "\ufb01": "fi",
    "e\u0301": "\u00e9",
    "\u00a8": " \u0308",
    **{f"\u1100{vowel}": chr(0xAC00 + 28 * at) for at, vowel in enumerate("\u1161\u1162\u1163")},
    **{f"\u1100\u1161{chr(0x11A7 + at)}": chr(0xAC00 + at) for at in range(1, 28)},
}
"""Some rules of NFKC and of SentencePiece's ``nmt_nfkc``."""
CHARACTERS = (
    MARK,
    *string.digits,
    *string.punctuation,
    *string.ascii_letters,
    "\u00e9",
    *map(chr, range(0xAC00, 0xAC1C)),
)
JOINED = (
    *("th", "in", "the", "ing", f"{MARK}a", f"{MARK}t", f"{MARK}th", f"{MARK}the", "an", "and"),
    *("er", "re", "ou", "00", "12", "ab", "bc", "abc", f"{MARK}value", "va", "lue", "value"),
)
CONTROL = (Piece("<s>", kind=PieceKind.CONTROL), Piece("</s>", kind=PieceKind.CONTROL))
UNKNOWN = Piece("<unk>", kind=PieceKind.UNKNOWN)
BYTES = tuple(Piece(f"<0x{byte:02X}>", kind=PieceKind.BYTE) for byte in range(256))
DEFAULT = NormalizerSpec("nmt_nfkc", charsmap_bytes(RULES))
PLAIN = NormalizerSpec(
    "dashes", add_dummy_prefix=False, remove_extra_whitespaces=False, escape_whitespaces=False
)
"""The settings of a denormalizer."""
LLAMA = NormalizerSpec("identity", remove_extra_whitespaces=False)
"""The settings of Llama 2."""


def _scored(texts: Iterable[str]) -> list[Piece]:
    """Return pieces of which the first one has the highest score."""
    return [Piece(text, -float(rank)) for rank, text in enumerate(texts, 1)]


def _user_defined(*texts: str) -> tuple[Piece, ...]:
    return tuple(Piece(text, kind=PieceKind.USER_DEFINED) for text in texts)


def _with_unused(pieces: Iterable[Piece], *texts: str) -> list[Piece]:
    """Return pieces of which some are not used any more."""
    return [replace(one, kind=PieceKind.UNUSED) if one.text in texts else one for one in pieces]


def _model(
    kind: ModelKind, pieces: Iterable[Piece], spec: NormalizerSpec, **flags: Any
) -> ModelFile:
    bytes_ = BYTES if flags.get("byte_fallback") else ()
    return ModelFile((UNKNOWN, *CONTROL, *bytes_, *pieces), TrainerSpec(kind, **flags), spec)


# The ids are not in the order of the scores.
BPE = [*_scored((*JOINED, *CHARACTERS))[::-1]]
UNIGRAM = [
    Piece(text, -3.0 - len(text) % 3 - rank / 64)
    for rank, text in enumerate((*CHARACTERS, *JOINED))
]
MODELS: dict[str, ModelFile] = {
    "sp_bpe": _model(ModelKind.BPE, _with_unused(BPE, "in", f"{MARK}the"), DEFAULT),
    "sp_defined": _model(
        ModelKind.BPE,
        (
            *_user_defined(*string.digits, "\u3000"),
            *(p for p in BPE if p.text not in string.digits),
        ),
        DEFAULT,
    ),
    "sp_bytes": _model(ModelKind.BPE, BPE, LLAMA, byte_fallback=True),
    "sp_unigram": _model(ModelKind.UNIGRAM, _with_unused(UNIGRAM, "ing"), DEFAULT),
    "sp_unigram_bytes": _model(ModelKind.UNIGRAM, UNIGRAM, LLAMA, byte_fallback=True),
    "sp_suffix": _model(
        ModelKind.UNIGRAM,
        [
            *_scored(
                (
                    *CHARACTERS,
                    *(
                        text[1:] + MARK if text[0] == MARK else text
                        for text in JOINED
                        if text != f"{MARK}value"
                    ),
                )
            )
        ],
        DEFAULT,
        treat_whitespace_as_suffix=True,
    ),
    "sp_words": _model(
        ModelKind.WORD, _scored(f"{MARK}{word}" for word in ("the", "value", "a", "and")), DEFAULT
    ),
    "sp_characters": _model(ModelKind.CHAR, _scored(CHARACTERS), DEFAULT, unk_surface="\u2047"),
    "sp_denormalizer": replace(
        _model(ModelKind.BPE, BPE, DEFAULT),
        denormalizer=replace(
            PLAIN, precompiled_charsmap=charsmap_bytes({"--": "\u2014", "...": "\u2026"})
        ),
    ),
}
"""Every healthy model, by name."""


def __getattr__(name: str) -> Callable[[], SentencePiece]:
    """Return the factory of a healthy tokenizer, for its spec."""
    if name not in MODELS:
        raise AttributeError(f"there is no model {name}")
    return partial(healthy, name)


def against(name: str) -> str:
    """Return the spec of a healthy tokenizer."""
    return f"python:{__name__}:{name}"


@cache
def healthy(name: str) -> SentencePiece:
    """Make the tokenizer of a healthy model."""
    return read(MODELS[name], name)


def altered(name: str, part: str, **changes: Any) -> Any:
    """Make the tokenizer of a model of which a part has other settings."""
    model = MODELS[name]
    changed: dict[str, Any] = {part: replace(getattr(model, part), **changes)}
    return replace(read(replace(model, **changed), f"{name}, altered"), altered=None)
