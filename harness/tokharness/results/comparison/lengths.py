"""A comparison of targets: vocabulary against sequence length, with units that need no training.

A larger vocabulary makes shorter sequences. Characters, bytes and words are the ends of this scale:
their number is known without a tokenizer, and their vocabulary has all characters, or all words, of
the compared texts. A target that loses text has fewer tokens because of the loss; therefore lost
texts are counted next to each length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tokharness.engine.measures.sequences import ALL_LANGUAGES, ALL_TEXTS, PROSE, SOURCE_CODE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = [
    "ALL_LANGUAGES",
    "ALL_TEXTS",
    "PROSE",
    "SOURCE_CODE",
    "UNITS",
    "Length",
    "Lengths",
    "length_in",
    "lengths_of",
]

Groups: TypeAlias = "Sequence[Mapping[str, Any]]"

UNITS: Mapping[str, tuple[str, str]] = {
    "UTF-8 bytes": ("bytes", ""),
    "characters": ("characters", "distinct_characters"),
    "words": ("words", "distinct_words"),
}
"""Keys of each unit: of the number of units, and of the size of its vocabulary in a group."""

BYTES = 256


@dataclass(frozen=True, slots=True)
class Length:
    """The length of a group of texts; None if no text was encoded.

    ``lossy`` and ``not_encoded`` count texts; ``unknown`` counts tokens for lost text.
    """

    group: str
    texts: int
    tokens_per_100_characters: float | None
    bytes_per_token: float | None
    tokens_per_word: float | None
    lossy: int = 0
    not_encoded: int = 0
    unknown: int = 0

    @property
    def loses_text(self) -> bool:
        """Whether the length leaves out a part of the text."""
        return bool(self.lossy or self.not_encoded or self.unknown)


@dataclass(frozen=True, slots=True)
class Lengths:
    """The lengths of a target, by its spec, or of a unit, by its name."""

    name: str
    algorithm: str | None
    vocabulary: int | None
    groups: tuple[Length, ...]
    is_unit: bool = False

    def of(self, group: str) -> Length:
        """Return the length of a group; an unknown length if the group was not measured."""
        unknown = Length(group, 0, None, None, None)
        return next((length for length in self.groups if length.group == group), unknown)


def lengths_of(targets: Mapping[str, Mapping[str, Any]]) -> tuple[Lengths, ...]:
    """Return the lengths of the units, and of the targets that were measured, by vocabulary.

    Targets whose vocabulary has an unknown size come last.
    """
    measured = {spec: one["sequences"] for spec, one in targets.items() if one.get("sequences")}
    if not measured:
        return ()
    rows = [
        *_units(next(iter(measured.values()))["groups"]),
        *(
            Lengths(
                spec,
                one["algorithm"],
                one["n_vocab"],
                tuple(map(_of_target, one["groups"])),
            )
            for spec, one in measured.items()
        ),
    ]
    return tuple(sorted(rows, key=lambda row: (row.vocabulary is None, row.vocabulary or 0)))


def _units(groups: Groups) -> Iterator[Lengths]:
    whole = next((group for group in groups if group["group"] == ALL_TEXTS), None)
    if whole is None:
        return
    for name, (count, distinct) in UNITS.items():
        size = whole[distinct] if distinct else BYTES
        rows = (
            Length(group["group"], group["texts"], *_ratios(group[count], group))
            for group in groups
        )
        yield Lengths(name, None, size, tuple(rows), is_unit=True)


def length_in(measures: Mapping[str, Any], group: str) -> Length | None:
    """Return the length of a group of texts by the measures of a target; None without it."""
    rows = (measures.get("sequences") or {}).get("groups") or ()
    return next((_of_target(row) for row in rows if row["group"] == group), None)


def _of_target(group: Mapping[str, Any]) -> Length:
    encoded = group["encoded"]
    return Length(
        group["group"],
        group["texts"],
        *_ratios(group["tokens"], encoded),
        lossy=group["lossy"],
        not_encoded=group["texts"] - encoded["texts"],
        unknown=group["unknown"],
    )


def _ratios(tokens: int, of: Mapping[str, Any]) -> tuple[float | None, float | None, float | None]:
    """Return tokens per 100 characters, bytes per token, and tokens per word."""
    if not tokens or not of["characters"] or not of["words"]:
        return None, None, None
    return 100 * tokens / of["characters"], of["bytes"] / tokens, tokens / of["words"]


LOSSY = "lossy"
"""Value of a text that does not round-trip, whose cost is meaningless."""

Value: TypeAlias = float | str | None
Better: TypeAlias = Literal["lower", "higher", ""]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a comparison, with a value for each target.

    A value is None if it is unknown, and ends with "lossy" if a text does not round-trip.
    """

    group: str
    name: str
    unit: str
    values: tuple[Value, ...]
    better: Better = ""

    @property
    def best(self) -> frozenset[int]:
        """Indices of the best values; none if all are equal or neither direction is better."""
        numbers = {at: v for at, v in enumerate(self.values) if isinstance(v, float)}
        if not self.better or len(set(numbers.values())) < 2:
            return frozenset()
        best = (min if self.better == "lower" else max)(numbers.values())
        return frozenset(at for at, value in numbers.items() if value == best)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Specs of targets, rows with a value for each, lengths of targets and units, and notes."""

    specs: tuple[str, ...]
    embedding_width: int
    rows: tuple[Row, ...]
    lengths: tuple[Lengths, ...] = ()
    notes: tuple[str, ...] = ()


def format_value(value: Value) -> str:
    """Format a value: strings and counts in full, measurements with about three digits."""
    if value is None:
        return "unknown"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
