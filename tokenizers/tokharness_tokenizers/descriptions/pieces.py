"""The names of the types of SentencePiece's pieces, which GGUF files have, too."""

from __future__ import annotations

from typing import Final

from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind

__all__ = ["KIND_OF", "NAME_OF"]

NAME_OF: Final = {kind: kind.name.lower().replace("_", " ") for kind in PieceKind}
KIND_OF: Final = {name: kind for kind, name in NAME_OF.items()}
