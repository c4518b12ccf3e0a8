"""Vocabulary against sequence length, as a table of Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping import MarkdownText, markdown, plain_markdown
from tokharness.results.comparison import format_value
from tokharness.results.comparison.lengths import ALL_LANGUAGES, ALL_TEXTS, PROSE, SOURCE_CODE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokharness.results.comparison import Length, Lengths

__all__ = ["length_table", "table_row"]

GROUPS = (PROSE, ALL_LANGUAGES, SOURCE_CODE)
EMPTY = MarkdownText("")


def table_row(cells: Iterable[MarkdownText]) -> MarkdownText:
    """Return a row of a table."""
    return MarkdownText("| {} |").format(MarkdownText(" | ").join(cells))


def length_table(lengths: Sequence[Lengths]) -> Iterator[MarkdownText]:
    """Yield a row for each unit and each target; the length of a text that is lost is lossy."""
    head = ("tokens per 100 characters", "algorithm", "vocabulary", *GROUPS, "lossy texts")
    yield table_row(map(MarkdownText, head))
    yield MarkdownText("|---|---|--:|--:|--:|--:|--:|")
    for row in lengths:
        size = "unknown" if row.vocabulary is None else f"{row.vocabulary:,}"
        length = row.of(ALL_TEXTS)
        lost = f"{length.lossy + length.not_encoded:,} of {length.texts:,}"
        cells = [
            plain_markdown(row.name) if row.is_unit else markdown(row.name),
            plain_markdown(row.algorithm) if row.algorithm else EMPTY,
            plain_markdown(size),
            *(_value(row.of(group)) for group in GROUPS),
            EMPTY if row.is_unit else plain_markdown(lost),
        ]
        yield table_row(cells)


def _value(length: Length) -> MarkdownText:
    value = plain_markdown(format_value(length.tokens_per_100_characters))
    return MarkdownText("{}, lossy").format(value) if length.loses_text else value
