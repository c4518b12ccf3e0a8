"""Texts around a token: characters that no token joins to other characters, and common contexts."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reach.byte_tokens import completions
from tokharness_tokenizers.reach.stages import MARK
from tokharness_tokenizers.reference.byte_characters import bytes_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

RARE: Final = "\ue000\ua015\u16a0\u2603\u00a6\u3007\U00013000\u0e5b\u2e80\u0378\u07b1"
"""Letters, a symbol, an ideograph and others that are in longer tokens of few vocabularies."""

COMMON: Final = ("a", "!", "1", "\n", "x", "'", "A", ".", "-", "\u4e2d", "\u0301", "e")
MOST_RARE: Final = 6
MOST_PAIRS: Final = 8
MOST_TEXTS: Final = 5
"""Number of texts of a part of a character that are tried with further pairs."""
MOST_SINGLE: Final = 40
"""Number of tokens of one character that are also tried as neighbours."""


@dataclass(frozen=True)
class Contexts:
    """The texts that are tried before and after the text of a token.

    Attributes:
        tokens: The texts of the tokens that a text may become.
        mark: The text that a space becomes.
        writes_bytes: Whether the characters of the tokens stand for bytes.

    """

    tokens: Collection[str] = field(repr=False)
    mark: str = MARK
    writes_bytes: bool = False

    def around(
        self, token: str, *, inside: bool = False, ends: bool = False, goes_on: bool = False
    ) -> Iterator[str]:
        """Yield texts that may have a token, likely ones first.

        ``inside`` says that the token continues a word, ``ends`` that it ends a word, and
        ``goes_on`` that more text follows in its word.
        """
        texts: list[str] = []
        more = iter(self._spellings(token))
        for place, (before, after) in enumerate(self._pairs):
            if (inside and not before) or (ends and after) or (goes_on and not after):
                continue
            for text in texts[: MOST_TEXTS if place > MOST_PAIRS else None]:
                yield before + text + after
            for text in more:  # with the first pair
                texts.append(text)
                yield before + text + after

    def _spellings(self, token: str) -> Iterable[str]:
        """Return the texts of a token; the mark of a space may stand for nothing, or for itself."""
        if self.writes_bytes:
            return completions(bytes_of(token))
        spaced = token.replace(self.mark, " ")
        texts = (spaced[1:],) if token.startswith(self.mark) else ()
        return dict.fromkeys((*texts, spaced, token))

    @cached_property
    def _pairs(self) -> list[tuple[str, str]]:
        rare, common = ("", *self._rare), ("", " ", *COMMON)
        pairs = [("", ""), *((one, "") for one in rare), *(("", one) for one in rare)]
        pairs += [*product(rare, rare), *product(common, common)]
        singles = (token for token in self.tokens if len(token) == 1 and token not in COMMON)
        for one in islice(singles, MOST_SINGLE):
            pairs += [(one, ""), ("", one), (one, one)]
        return list(dict.fromkeys(pairs))

    @cached_property
    def _rare(self) -> list[str]:
        """Characters that no token joins to other characters."""
        known = frozenset().union(*(token for token in self.tokens if len(token) > 1))
        return [char for char in RARE if char not in known][:MOST_RARE]
