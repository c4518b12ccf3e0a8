"""The tokens of a GGUF file: text, score and type of each, and the ids of special ones.

The types are those of SentencePiece's pieces. A file without types has normal tokens alone. A type
that is not known, such as 0 (undefined), is that of a token which no text becomes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.gguf.metadata import Metadata

__all__ = ["PREFIX", "Tokens", "array_of", "number_of", "read_tokens", "setting"]

PREFIX = "tokenizer.ggml."
"""What begins the keys of a tokenizer."""

Kind = TypeVar("Kind", bool, str)


@dataclass(frozen=True)
class Tokens:
    """The tokens, whose ids are their places."""

    texts: tuple[str, ...] = field(repr=False)
    scores: tuple[float, ...] = field(repr=False)
    kinds: tuple[PieceKind, ...] = field(repr=False)

    def ids(self, *kinds: PieceKind) -> dict[str, int]:
        """Return the ids of the tokens of some types, by text; of two with one text the later."""
        rows = enumerate(zip(self.texts, self.kinds, strict=True))
        return {text: number for number, (text, kind) in rows if text and kind in kinds}


def read_tokens(metadata: Metadata) -> Tokens:
    """Read the tokens.

    Raises:
        ValueError: there are none, fewer scores or types than tokens, or a score is not a number.

    """
    texts = array_of(metadata, "tokens", str)
    if texts is None:
        raise ValueError(f"the file has no {PREFIX}tokens: it has no tokenizer")
    scores = _column(metadata, "scores", len(texts), 0.0)
    kinds = _column(metadata, "token_type", len(texts), PieceKind.NORMAL)
    known = {int(kind): kind for kind in PieceKind}
    if any(map(math.isnan, scores)):
        raise ValueError(f"{PREFIX}scores has a NaN, which is no score")
    types = tuple(known.get(kind, PieceKind.UNUSED) for kind in kinds)
    return Tokens(texts, tuple(map(float, scores)), types)


def _column(metadata: Metadata, name: str, size: int, default: Any) -> tuple[Any, ...]:
    values = array_of(metadata, name, (int, float))
    if values is None:
        return (default,) * size
    if len(values) < size:
        raise ValueError(f"{PREFIX}{name} has {len(values):,} values for {size:,} tokens")
    return values[:size]


def array_of(metadata: Metadata, name: str, kind: Any) -> tuple[Any, ...] | None:
    """Return an array; None if it is not there. Raises ValueError if it has another type."""
    values = metadata.get(PREFIX + name)
    if values is None:
        return None
    if not isinstance(values, tuple) or not all(isinstance(one, kind) for one in values):
        raise ValueError(f"{PREFIX}{name} is no array of the type that it needs")
    return values


def setting(metadata: Metadata, name: str, default: Kind) -> Kind:
    """Return a setting; raises ValueError if it has another type than its default."""
    value = metadata.get(PREFIX + name, default)
    if type(value) is not type(default):
        raise ValueError(f"{PREFIX}{name} is {value!r:.60}, not a {type(default).__name__}")
    return value


def number_of(metadata: Metadata, name: str, size: int, default: int | None) -> int | None:
    """Return the id of a token, or the default; None if no token has it."""
    value = metadata.get(f"{PREFIX}{name}_token_id", default)
    if value is None:
        return None
    if type(value) is not int:
        raise ValueError(f"{PREFIX}{name}_token_id is {value!r:.60}, not an id")
    return value if 0 <= value < size else None
