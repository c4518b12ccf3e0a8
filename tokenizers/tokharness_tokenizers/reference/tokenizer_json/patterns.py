"""Patterns of a ``tokenizer.json``: a text or a pattern in the dialect of Oniguruma."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.normalizers.replacing import Replace
from tokharness_tokenizers.reference.searching import (
    find_pattern,
    find_text,
    pieces_of_pattern,
    pieces_of_text,
    substitute_pattern,
    substitute_text,
)
from tokharness_tokenizers.reference.tokenizer_json.tables import SPLIT

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.searching import Find, Pieces
    from tokharness_tokenizers.reference.tokenizer_json.fields import Fields
    from tokharness_tokenizers.reference.tokenizer_json.tables import Tables


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
