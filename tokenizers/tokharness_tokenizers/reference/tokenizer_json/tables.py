"""The Unicode version of each table that the stages of a tokenizer use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tokharness.unicode.versions import VERSIONS, canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMS: Final = "normalizer"
"""Normal forms."""

MARKS: Final = "normalizer, marks"
"""The marks that StripAccents removes."""

CATEGORIES: Final = "normalizer, categories"
"""The controls and marks that BertNormalizer removes."""

CLUSTERS: Final = "normalizer, grapheme clusters"
"""The grapheme clusters that Precompiled examines."""

CASE: Final = "case mapping"

SPLIT: Final = "split"
"""The patterns by which text is cut into pre-tokens."""

WHITESPACE: Final = "split, words"
"""The word characters of Whitespace."""

PUNCTUATION: Final = "split, punctuation"
"""The punctuation of BertPreTokenizer and Punctuation."""

NUMBERS: Final = "split, numbers"
"""The numbers of Digits."""

SCRIPTS: Final = "split, scripts"
"""The scripts of UnicodeScripts."""

WORDS: Final = "added tokens"
"""The word characters of added tokens that are words of their own."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The Unicode version of each table; a table that is not among them has the newest.

    ``used`` has the tables whose version was read.
    """

    versions: Mapping[str, str] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)

    def version(self, name: str) -> str:
        """Return the version of a table, and note that it is used; raises ValueError."""
        self.used[name] = canonical(self.versions.get(name, VERSIONS[-1]))
        return self.used[name]
