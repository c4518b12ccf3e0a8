"""Reach of the tokens of WordLevel, each of which is a word."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.reach.contexts import Contexts

__all__ = ["WordLevelReach"]


@dataclass(frozen=True)
class WordLevelReach:
    """The words of a vocabulary.

    Attributes:
        contexts: The texts around a word.
        reason_of_text: Returns why no word has a text as a part.

    """

    contexts: Contexts
    reason_of_text: Callable[[str], str] = field(repr=False)

    def texts(self, _: int, token: str) -> Iterator[str]:
        """Yield texts that may have a word."""
        return self.contexts.around(token)

    def reason(self, _: int, token: str) -> str:
        """Return why no text has a word; "" if one may have it."""
        return self.reason_of_text(token)
