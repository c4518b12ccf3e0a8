"""Targets side by side: what each costs, and what it keeps whole, from what was measured of them.

A tokenizer is measured by the tokens that it needs for what says the same. A language's *fertility*
is counted in tokens a word of the English text that says the same, which does not depend on whether
the language writes spaces (Petrov et al. 2023, "Language Model Tokenizers Introduce Unfairness
Between Languages").
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = [
    "MEASURED",
    "SPOKEN",
    "Comparison",
    "Row",
    "comparison",
    "comparison_record",
    "told_value",
]

MEASURED = ("code", "languages", "numbers", "vocabulary")
"""Names of the measures that a comparison is made of."""

SPOKEN = (
    *("en", "zh", "hi", "es", "ar", "fr", "bn", "pt", "ru", "ur"),
    *("id", "de", "ja", "mr", "te", "tr", "ta", "vi", "ko", "sw"),
    *("it", "th", "pl", "uk", "my", "am", "he", "el"),
)
"""CLDR's codes of languages that many people speak, and of some that cost much."""

BYTES_OF_A_NUMBER = 2
"""A weight of bfloat16 or float16."""

Value: TypeAlias = float | str | None
Measures: TypeAlias = "Mapping[str, Any]"
Better: TypeAlias = Literal["lower", "higher", ""]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a comparison: a value a target, None where it could not be told."""

    group: str
    name: str
    unit: str
    values: tuple[Value, ...]
    better: Better = ""

    @property
    def best(self) -> frozenset[int]:
        """Places of the best values, none where all are the same or none is better."""
        numbers = {at: v for at, v in enumerate(self.values) if isinstance(v, float)}
        if not self.better or len(set(numbers.values())) < 2:
            return frozenset()
        best = (min if self.better == "lower" else max)(numbers.values())
        return frozenset(at for at, value in numbers.items() if value == best)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several targets and the rows in which they differ; ``width`` is that of an embedding."""

    targets: tuple[str, ...]
    width: int
    rows: tuple[Row, ...]


def comparison(targets: Mapping[str, Measures], width: int) -> Comparison:
    """Compare targets by what was measured of them; an embedding has ``width`` numbers a token."""
    measures = list(targets.values())
    return Comparison(tuple(targets), width, tuple(_rows(measures, width)))


def comparison_record(comparison: Comparison) -> dict[str, Any]:
    """Comparison as plain data: ``targets``, ``width``, and ``rows`` with a value a target."""
    return {**asdict(comparison), "targets": list(comparison.targets)}


def told_value(value: Value) -> str:
    """Say one value: a text as it is, a number with three digits that count."""
    if value is None:
        return "not told"
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"


def _rows(measures: Sequence[Measures], width: int) -> Iterator[Row]:
    def row(
        group: str, name: str, unit: str, value: Callable[[Measures], Value], better: Better
    ) -> Row:
        return Row(group, name, unit, tuple(map(value, measures)), better)

    yield row("vocabulary", "ids", "", _size, "")
    yield row(
        "vocabulary", f"embedding of width {width:,}", "MB", lambda m: _memory(m, width), "lower"
    )
    yield row("vocabulary", "special tokens", "", _special, "")
    yield row("bytes a token", "English", "", lambda m: _bytes(m, _english), "higher")
    yield row("bytes a token", "all languages", "", lambda m: _bytes(m, _every_language), "higher")
    yield row("bytes a token", "source code", "", lambda m: _bytes(m, _every_code), "higher")
    yield row("words kept whole", "English", "%", lambda m: _kept(m, _english), "higher")
    yield row(
        "words kept whole", "all languages", "%", lambda m: _kept(m, _every_language), "higher"
    )
    yield row("digits", "policy", "", lambda m: _of(m, "numbers", "policy"), "")
    for number in ("1234567", "3.14159", "2026-11-22"):
        yield row("digits", number, "", lambda m: _cut(m, number), "")  # noqa: B023
    yield from _languages(measures)
    yield from _codes(measures)


def _languages(measures: Sequence[Measures]) -> Iterator[Row]:
    """Fertility of languages that many speak, and of all of them."""
    known = [{row["code"]: row for row in measure.get("languages") or ()} for measure in measures]
    for code in SPOKEN:
        rows = [one.get(code) for one in known]
        name = next((row["name"] for row in rows if row), code)
        yield Row("fertility", name, "tokens a word", tuple(map(_fertility, rows)), "lower")
    every = [[f for row in one.values() if (f := _fertility(row)) is not None] for one in known]
    values = tuple(round(sum(some) / len(some), 3) if some else None for some in every)
    count = max(map(len, known), default=0)
    yield Row("fertility", f"mean of {count} languages", "tokens a word", values, "lower")


def _fertility(row: Measures | None) -> float | None:
    if not row or row["tokens"] is None or not row["english_words"]:
        return None
    return round(float(row["tokens"]) / float(row["english_words"]), 3)


def _codes(measures: Sequence[Measures]) -> Iterator[Row]:
    known = [{row["language"]: row for row in measure.get("code") or ()} for measure in measures]
    for name in dict.fromkeys(name for one in known for name in one):
        values = tuple(_ratio([one[name]]) if name in one else None for one in known)
        yield Row("code", name, "bytes a token", values, "higher")


def _ratio(rows: Sequence[Measures]) -> float | None:
    """Bytes a token of rows that have tokens."""
    some = [row for row in rows if row["tokens"]]
    tokens = sum(row["tokens"] for row in some)
    return round(sum(row["bytes"] for row in some) / tokens, 3) if tokens else None


def _bytes(measures: Measures, rows: Callable[[Measures], Sequence[Measures]]) -> float | None:
    return _ratio(rows(measures))


def _kept(measures: Measures, rows: Callable[[Measures], Sequence[Measures]]) -> float | None:
    some = rows(measures)
    words = sum(row["words"] for row in some)
    return round(100 * sum(row["kept"] for row in some) / words, 1) if words else None


def _english(measures: Measures) -> Sequence[Measures]:
    return [row for row in measures.get("languages") or () if row["code"] == "en"]


def _every_language(measures: Measures) -> Sequence[Measures]:
    return measures.get("languages") or ()


def _every_code(measures: Measures) -> Sequence[Measures]:
    return measures.get("code") or ()


def _of(measures: Measures, name: str, key: str) -> Any:
    return (measures.get(name) or {}).get(key)


def _size(measures: Measures) -> float | None:
    size = _of(measures, "vocabulary", "n_vocab")
    return None if size is None else float(size)


def _special(measures: Measures) -> float | None:
    special = _of(measures, "vocabulary", "special")
    return None if special is None else float(len(special))


def _memory(measures: Measures, width: int) -> float | None:
    size = _size(measures)
    return None if size is None else round(size * width * BYTES_OF_A_NUMBER / 1e6, 1)


def _cut(measures: Measures, number: str) -> str | None:
    """Tokens of a number, between bars."""
    rows = _of(measures, "numbers", "encodings") or ()
    row = next((row for row in rows if row["text"] == number), None)
    if row is None or row["ids"] is None:
        return None
    if row["bytes"] is None:
        return f"{len(row['ids'])} tokens"
    return "|".join(bytes.fromhex(one).decode("utf-8", "backslashreplace") for one in row["bytes"])
