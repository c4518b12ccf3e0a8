"""The rows of a comparison: what is taken of the measures of each target, and put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.results.comparison.model import LOSSY, Better, Row, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

__all__ = ["SPOKEN", "rows_of"]

Measures: TypeAlias = "Mapping[str, Any]"

SPOKEN = (
    *("en", "zh", "hi", "es", "ar", "fr", "bn", "pt", "ru", "ur"),
    *("id", "de", "ja", "mr", "te", "tr", "ta", "vi", "ko", "sw"),
    *("it", "th", "pl", "uk", "my", "am", "he", "el"),
)
"""CLDR's codes of languages that many people speak, and of some that cost much."""

BYTES_OF_A_NUMBER = 2
"""A weight of bfloat16 or float16."""


def rows_of(measures: Sequence[Measures], width: int) -> Iterator[Row]:
    """Compare by what was measured of each target; an embedding has ``width`` numbers a token."""

    def row(group: str, name: str, unit: str, values: Iterable[Value], better: Better) -> Row:
        return Row(group, name, unit, tuple(values), better)

    memory = f"embedding of width {width:,}"
    prose = [one.get("prose") for one in measures]
    languages = [_by(one.get("languages"), "code") for one in measures]
    codes = [_by(one.get("code"), "language") for one in measures]
    yield row("vocabulary", "ids", "", map(_size, measures), "")
    yield row("vocabulary", memory, "MB", (_memory(m, width) for m in measures), "lower")
    yield row("vocabulary", "special tokens", "", map(_special, measures), "")
    group = "bytes a token"
    yield row(group, "English prose", "", (_told(one, _ratio) for one in prose), "higher")
    yield row(group, "all languages", "", _together(languages, _ratio), "higher")
    yield row(group, "source code", "", _together(codes, _ratio), "higher")
    group = "words kept whole"
    yield row(
        group, "English prose", "%", (_told(one, _single_token_share) for one in prose), "higher"
    )
    yield row(group, "all languages", "%", _together(languages, _single_token_share), "higher")
    yield row("digits", "policy", "", (_of(m, "numbers", "policy") for m in measures), "")
    for number in ("1234567", "3.14159", "2026-11-22"):
        yield row("digits", number, "", [_cut(m, number) for m in measures], "")
    for code in SPOKEN:
        rows = [one.get(code) for one in languages]
        name = next((one["name"] for one in rows if one), code)
        values = [_told(one, _fertility) for one in rows]
        yield row("fertility", name, "tokens a word", values, "lower")
    count = len(_common(languages))
    name = f"mean of {count} language{'' if count == 1 else 's'}"
    yield row("fertility", name, "tokens a word", _together(languages, _fertility), "lower")
    for name in dict.fromkeys(name for one in codes for name in one):
        values = [_told(one.get(name), _ratio) for one in codes]
        yield row("code", name, "bytes a token", values, "higher")
    every = [_texts(one) for one in measures]
    group = f"of {max(map(len, every), default=0)} texts"
    for name, fails in (("are not encoded", _is_not_encoded), ("do not come back", _is_lossy)):
        yield row(group, name, "", (sum(map(fails, rows)) if rows else None for rows in every), "")


def _texts(measures: Measures) -> Sequence[Measures]:
    prose = measures.get("prose")
    rows = [*(measures.get("languages") or ()), *(measures.get("code") or ())]
    return [*rows, prose] if prose else rows


def _is_not_encoded(row: Measures) -> bool:
    return row["tokens"] is None


def _is_lossy(row: Measures) -> bool:
    return row["tokens"] is not None and not row["lossless"]


def _by(rows: Sequence[Measures] | None, key: str) -> Mapping[str, Measures]:
    return {row[key]: row for row in rows or ()}


def _told(row: Measures | None, value: Callable[[Sequence[Measures]], float]) -> Value:
    """Tell a value of a text, if it was encoded, and comes back."""
    if not row or row["tokens"] is None:
        return None
    return value([row]) if _is_whole(row) else LOSSY


def _together(
    known: Sequence[Mapping[str, Measures]], value: Callable[[Sequence[Measures]], float]
) -> Iterator[Value]:
    """Tell a value of many texts, the same ones for all targets; of no target that lacks one."""
    common = _common(known)
    for one in known:
        rows = [one[key] for key in common if key in one]
        if common and len(rows) == len(common) and all(map(_is_whole, rows)):
            yield value(rows)
        else:
            yield LOSSY if any(row["tokens"] is not None for row in one.values()) else None


def _common(known: Sequence[Mapping[str, Measures]]) -> Sequence[str]:
    """Texts that come back from all targets but those that lose half of them, or more."""
    whole = [[key for key, row in one.items() if _is_whole(row)] for one in known]
    most = max(map(len, whole), default=0)
    counting = [set(keys) for keys in whole if 2 * len(keys) > most]
    return sorted(set.intersection(*counting)) if counting else ()


def _is_whole(row: Measures) -> bool:
    return bool(row["tokens"]) and bool(row["lossless"])


def _ratio(rows: Sequence[Measures]) -> float:
    """Bytes a token."""
    return float(sum(row["bytes"] for row in rows) / sum(row["tokens"] for row in rows))


def _single_token_share(rows: Sequence[Measures]) -> float:
    """Share of words that are one token, in percent."""
    return float(
        100 * sum(row["single_token_words"] for row in rows) / sum(row["words"] for row in rows)
    )


def _fertility(rows: Sequence[Measures]) -> float:
    """Mean of the tokens a word of the English text."""
    return float(sum(row["tokens"] / row["english_words"] for row in rows) / len(rows))


def _of(measures: Measures, name: str, key: str) -> Any:
    return (measures.get(name) or {}).get(key)


def _size(measures: Measures) -> int | None:
    size: int | None = _of(measures, "vocabulary", "n_vocab")
    return size


def _special(measures: Measures) -> int | None:
    special = _of(measures, "vocabulary", "special_tokens")
    return None if special is None else len(special)


def _memory(measures: Measures, width: int) -> float | None:
    size = _size(measures)
    return None if size is None else size * width * BYTES_OF_A_NUMBER / 1e6


def _cut(measures: Measures, number: str) -> str | None:
    """Tokens of a number, a space between two."""
    rows = _of(measures, "numbers", "encodings") or ()
    row = next((row for row in rows if row["text"] == number), None)
    if row is None or row["ids"] is None:
        return None
    if row["bytes"] is None:
        return f"{len(row['ids'])} tokens"
    return " ".join(bytes.fromhex(one).decode("utf-8", "backslashreplace") for one in row["bytes"])
