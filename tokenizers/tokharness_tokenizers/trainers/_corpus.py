"""The texts of a training, measured while they are read."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokharness.errors import UsageError
from tokharness_tokenizers.reference.splitting import join_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Corpus"]


@dataclass(slots=True)
class Corpus:
    """Texts without surrogates, whose size and digest are computed during the iteration."""

    texts: Iterable[str]
    characters: int = 0
    size: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def __iter__(self) -> Iterator[str]:
        for text in map(join_surrogates, self.texts):
            data = text.encode()
            self.characters += len(text)
            self.size += len(data)
            self.digest.update(data)
            yield text

    def nothing_found(self, words: str) -> UsageError:
        """Return the error if there is nothing to train on; ``words`` say why, if it has text."""
        what = words if self.size else "the corpus is empty"
        return UsageError(f"{what}: there is nothing to train on")
