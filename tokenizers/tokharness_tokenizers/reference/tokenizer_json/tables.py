"""Patterns of a ``tokenizer.json``, and the Unicode version of each table that its stages use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tokharness.unicode.versions import VERSIONS, canonical
from tokharness_tokenizers.reference.normalizers.replacing import Replace
from tokharness_tokenizers.reference.searching import (
    find_pattern,
    find_text,
    pieces_of_pattern,
    pieces_of_text,
    substitute_pattern,
    substitute_text,
)

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


if TYPE_CHECKING:
    from tokharness_tokenizers.reference.searching import Find, Pieces
    from tokharness_tokenizers.reference.tokenizer_json.fields import Fields


def read_pattern(fields: Fields, tables: Tables) -> tuple[Find, Pieces]:
    """Return functions that find a pattern in a text, and that cut a text at its matches.

    Raises:
        ValueError: the pattern is missing, or cannot be read as Oniguruma reads it.

    """
    text, pattern = _text_or_pattern(fields)
    if pattern is None:
        return find_text(text), pieces_of_text(text)
    version = tables.version(SPLIT)
    try:
        return find_pattern(pattern, version), pieces_of_pattern(pattern, version)
    except ValueError as error:
        raise ValueError(f"{fields.where}.pattern: {error}") from error


def read_replacement(fields: Fields, tables: Tables) -> Replace:
    """Return the replacement of a pattern by a text; raises ValueError."""
    text, pattern = _text_or_pattern(fields)
    content = fields.short("content")
    if pattern is None:
        return Replace(find_text(text), content, substitute_text(text, content), literal=text)
    version = tables.version(SPLIT)
    try:
        substitute = substitute_pattern(pattern, content, version)
        return Replace(find_pattern(pattern, version), content, substitute)
    except ValueError as error:
        raise ValueError(f"{fields.where}.pattern: {error}") from error


def _text_or_pattern(fields: Fields) -> tuple[str, str | None]:
    """Return the text to find, and the pattern, if it is a pattern; old files only have a text."""
    value = fields.record.get("pattern")
    if isinstance(value, str):
        return value, None
    pattern = fields.child("pattern")
    if pattern is None:
        raise ValueError(f"{fields.where}.pattern is missing")
    if "Regex" in pattern.record:
        return "", pattern.get("Regex", str)
    return pattern.get("String", str), None
