"""What the metadata of a GGUF file says about its tokenizer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.gguf.settings import BERT, LLAMA, T5, Settings, read_settings
from tokharness_tokenizers.reference.gguf.tokens import (
    PREFIX,
    Tokens,
    array_of,
    number_of,
    read_tokens,
)
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reference.gguf.metadata import Metadata

__all__ = ["File", "read_file"]

_UNKNOWN: Final[Mapping[str, int]] = {LLAMA: 0, BERT: 100, T5: 2}
"""The id of the unknown token where the file does not say it."""


@dataclass(frozen=True)
class File:
    """The tokenizer in a file.

    Attributes:
        name: The name of the file.
        tokens: The tokens.
        settings: The settings.
        merges: The pairs of tokens that BPE merges, first ones first.
        charsmap: The rules that replace text before Unigram; empty if there are none.
        unknown: The id of the unknown token, or None.

    """

    name: str
    tokens: Tokens
    settings: Settings
    merges: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    charsmap: bytes = field(default=b"", repr=False)
    unknown: int | None = None


def read_file(metadata: Metadata, name: str) -> File:
    """Read the tokenizer of metadata.

    Raises:
        ValueError: it is damaged, or has a part that is not known; the message says which.

    """
    tokens = read_tokens(metadata)
    settings = read_settings(metadata, len(tokens.texts))
    charsmap = array_of(metadata, "precompiled_charsmap", int) or ()
    return File(
        name,
        tokens,
        settings,
        tuple(map(_pair, array_of(metadata, "merges", str) or ())),
        bytes(byte & 0xFF for byte in charsmap),
        _unknown(metadata, tokens, settings.model),
    )


def _pair(merge: str) -> tuple[str, str]:
    at = merge.find(" ", 1)  # a token may be a space
    if at < 0:
        raise ValueError(f"{PREFIX}merges has {merge!r:.60}, which is no pair of tokens")
    return merge[:at], merge[at + 1 :]


def _unknown(metadata: Metadata, tokens: Tokens, model: str) -> int | None:
    marked = next(iter(tokens.ids(PieceKind.UNKNOWN).values()), _UNKNOWN.get(model))
    return number_of(metadata, "unknown", len(tokens.texts), marked)
