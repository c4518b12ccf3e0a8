"""Comparison of targets by their metrics: what text costs, and what is lost.

Tokenizers are compared by the tokens that they need for texts of the same meaning: for a language,
relative to English (:mod:`tokharness.results.language_costs`), and for all languages, per word of
the English texts (*fertility*), which does not depend on whether a language writes spaces.
"""

from __future__ import annotations

from dataclasses import asdict
from statistics import median
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.diagnosis.costs.lost_text import is_form
from tokharness.engine.measures.languages import BANDS, band_of
from tokharness.results.comparison.lengths import (
    ALL_LANGUAGES,
    LOSSY,
    PROSE,
    SOURCE_CODE,
    Better,
    Comparison,
    Length,
    Lengths,
    Row,
    Value,
    format_value,
    length_in,
    lengths_of,
)
from tokharness.results.language_costs import CAVEAT, costs_in_parallel_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

__all__ = [
    "COMMON_LANGUAGES",
    "MEASURES",
    "Comparison",
    "Length",
    "Lengths",
    "Row",
    "comparison",
    "comparison_record",
    "format_value",
]

MEASURES = ("code", "languages", "numbers", "prose", "sequences", "vocabulary")
"""Names of the measures that a comparison uses."""


def comparison(targets: Mapping[str, Mapping[str, Any]], embedding_width: int) -> Comparison:
    """Compare targets by their measures, given by spec."""
    measures = list(targets.values())
    rows = (*rows_of(measures, embedding_width), *parallel_rows(measures))
    notes = (*losses(targets), *notes_of(measures))
    return Comparison(tuple(targets), embedding_width, rows, lengths_of(targets), notes)


def comparison_record(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as plain data; ``values`` of a row are in the order of ``specs``."""
    return {**asdict(comparison), "specs": list(comparison.specs)}


# The rows of a comparison on a parallel text of the user, and the notes on costs of languages.

Measures: TypeAlias = "Mapping[str, Any]"


def parallel_rows(measures: Sequence[Measures]) -> Iterator[Row]:
    """Yield the median, then a row for each language, the most expensive languages first."""
    parallel = [one.get("parallel") for one in measures]
    source = next((one["source"] for one in parallel if one), None)
    if source is None:
        return
    group, unit = f"cost of languages in {source}", "times English"
    yield _medians(group, unit, parallel)
    columns = [{row["code"]: row for row in one["languages"]} if one else {} for one in parallel]
    names = {code: row["name"] for column in columns for code, row in column.items()}
    for code in sorted(names, key=lambda code: (-_highest(columns, code), code)):
        values = tuple(_value(column.get(code)) for column in columns)
        yield Row(group, names[code], unit, values, "lower")


def _medians(group: str, unit: str, parallel: Sequence[Measures | None]) -> Row:
    """Return the median over languages that all targets encode, except targets that lose half."""
    costs = [costs_in_parallel_text(one) for one in parallel]
    times = [{cost.code: cost.times for cost in one.languages} if one else {} for one in costs]
    most = max(map(len, times))
    codes = [set(one) for one in times if 2 * len(one) > most]
    common = set.intersection(*codes) if codes else set()

    def value(measure: Measures | None, of_target: Mapping[str, float]) -> Value:
        if common and common <= of_target.keys():
            return median(of_target[code] for code in common)
        return LOSSY if measure else None

    values = map(value, parallel, times)
    name = f"median of {len(common)} language{'' if len(common) == 1 else 's'}"
    return Row(group, name, unit, tuple(values), "lower")


def _highest(columns: Sequence[Mapping[str, Measures]], code: str) -> float:
    return max((column[code]["premium"] or 0.0 for column in columns if code in column), default=0)


def _value(row: Measures | None) -> Value:
    """Return the premium; None if a text was not encoded, LOSSY if it was lost."""
    if row is None or row["tokens"] is None:
        return None
    if row["premium"] is None:
        return LOSSY
    premium = float(row["premium"])
    return premium if row["lossless"] else f"{premium:.2f} {LOSSY}"


def notes_of(measures: Sequence[Measures]) -> Iterator[str]:
    """Yield a sentence on the parallel text, and the caveat of costs by names."""
    if any(one.get("languages") for one in measures):
        yield CAVEAT
    parallel = next((one["parallel"] for one in measures if one.get("parallel")), None)
    if parallel is not None:
        codes = ", ".join(row["code"] for row in parallel["left_out"])
        left_out = f"; left out: {codes}" if codes else ""
        lines = f"{parallel['lines']:,} line{'' if parallel['lines'] == 1 else 's'}"
        languages = f"{len(parallel['languages'])} languages"
        yield f"Parallel text {parallel['source']}: {lines} in {languages}{left_out}."


# The losses of each compared target in prose and source code, in a sentence.


def losses(targets: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield a sentence for each target that loses some of these texts, by its spec."""
    for spec, measures in targets.items():
        texts = {PROSE: [measures.get("prose") or {}], SOURCE_CODE: measures.get("code") or ()}
        lost = {name: _kinds(rows) for name, rows in texts.items()}
        parts = [f"{', '.join(kinds)} of {name}" for name, kinds in lost.items() if kinds]
        if parts:
            yield f"{spec} loses {'; '.join(parts)}."


def _kinds(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what texts lose, each form once, and the longest list of characters.

    Old reports have no ``lost``.
    """
    kinds = list(dict.fromkeys(kind for row in rows for kind in row.get("lost") or ()))
    characters = [kind for kind in kinds if not is_form(kind)]
    return [*filter(is_form, kinds), *sorted(characters, key=len)[-1:]]


COMMON_LANGUAGES = (
    *("en", "zh", "hi", "es", "ar", "fr", "bn", "pt", "ru", "ur"),
    *("id", "de", "ja", "mr", "te", "tr", "ta", "vi", "ko", "sw"),
    *("it", "th", "pl", "uk", "my", "am", "he", "el"),
)
"""CLDR codes of widely spoken languages, and of some that take many tokens."""

BYTES_PER_WEIGHT = 2
"""Bytes of a weight in bfloat16 and float16."""


def rows_of(measures: Sequence[Measures], width: int) -> Iterator[Row]:
    """Yield the rows for the measures of each target and the width of an embedding."""

    def row(group: str, name: str, unit: str, values: Iterable[Value], better: Better) -> Row:
        return Row(group, name, unit, tuple(values), better)

    def of_prose(value: Callable[[Sequence[Measures]], float]) -> Iterator[Value]:
        return (_value_of(one.get("prose"), value) for one in measures)

    memory = f"embedding of width {width:,}"
    languages = [_by(one.get("languages"), "code") for one in measures]
    codes = [_by(one.get("code"), "language") for one in measures]
    yield row("vocabulary", "ids", "", map(_size, measures), "")
    yield row("vocabulary", memory, "MB", (_memory(m, width) for m in measures), "lower")
    yield row("vocabulary", "special tokens", "", map(_special, measures), "")
    group = "bytes per token"
    yield row(group, "English prose", "", of_prose(_bytes_per_token), "higher")
    yield row(group, "all languages", "", _combined(languages, _bytes_per_token), "higher")
    yield row(group, "source code", "", _combined(codes, _bytes_per_token), "higher")
    for name in _length_groups(measures):
        group = "tokens per 100 characters"
        yield row(group, name, "", (_tokens_per_100(one, name) for one in measures), "lower")
    group = "words that are one token"
    yield row(group, "English prose", "%", of_prose(_single_token_share), "higher")
    yield row(group, "all languages", "%", _combined(languages, _single_token_share), "higher")
    yield row("digits", "policy", "", (_of(m, "numbers", "policy") for m in measures), "")
    for number in ("1234567", "3.14159", "2026-11-22"):
        yield row("digits", number, "", [_split(m, number) for m in measures], "")
    for code in COMMON_LANGUAGES:
        rows = [one.get(code) for one in languages]
        name = next((one["name"] for one in rows if one), code)
        yield row("cost of languages", name, "times English", map(_band, rows), "")
    for band in BANDS:
        counts = (_in_band(one, band) for one in languages)
        yield row("languages by cost", band, "times English", counts, "")
    count = len(_common_texts(languages))
    name = f"mean of {count} language{'' if count == 1 else 's'}"
    yield row("fertility", name, "tokens per word", _combined(languages, _fertility), "lower")
    for name in dict.fromkeys(name for one in codes for name in one):
        values = [_value_of(one.get(name), _bytes_per_token) for one in codes]
        yield row("code", name, "bytes per token", values, "higher")
    texts = [_texts(one) for one in measures]
    group = f"failures in {max(map(len, texts), default=0)} texts"
    for name, fails in (("not encoded", _is_not_encoded), ("lossy", _is_lossy)):
        yield row(group, name, "", (sum(map(fails, rows)) if rows else None for rows in texts), "")


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


def _value_of(row: Measures | None, value: Callable[[Sequence[Measures]], float]) -> Value:
    """Return the value of a text: None if it was not encoded, LOSSY if characters are lost."""
    if not row or row["tokens"] is None:
        return None
    return value([row]) if _is_lossless(row) else _marked([row], value)


def _marked(rows: Sequence[Measures], value: Callable[[Sequence[Measures]], float]) -> str:
    """Return the value of texts with LOSSY, if only forms are lost; otherwise only LOSSY."""
    if all(map(_keeps_characters, rows)):
        return f"{format_value(value(rows))} {LOSSY}"
    return LOSSY


def _keeps_characters(row: Measures) -> bool:
    """Whether a text round-trips, or loses only forms, such as line breaks."""
    lost = row.get("lost")
    return _is_lossless(row) or bool(row["tokens"] and lost and all(map(is_form, lost)))


def _combined(
    targets: Sequence[Mapping[str, Measures]], value: Callable[[Sequence[Measures]], float]
) -> Iterator[Value]:
    """Yield a value of the common texts for each target; LOSSY or None if it fails on a text."""
    common = _common_texts(targets)
    for target in targets:
        rows = [target[key] for key in common if key in target]
        if common and len(rows) == len(common) and all(map(_is_lossless, rows)):
            yield value(rows)
        elif common and len(rows) == len(common) and all(map(_keeps_characters, rows)):
            yield _marked(rows, value)
        else:
            yield LOSSY if any(row["tokens"] is not None for row in target.values()) else None


def _common_texts(targets: Sequence[Mapping[str, Measures]]) -> Sequence[str]:
    """Return the texts that round-trip on every target, except targets that lose half of them."""
    lossless = [[key for key, row in one.items() if _is_lossless(row)] for one in targets]
    most = max(map(len, lossless), default=0)
    counting = [set(keys) for keys in lossless if 2 * len(keys) > most]
    return sorted(set.intersection(*counting)) if counting else ()


def _is_lossless(row: Measures) -> bool:
    return bool(row["tokens"]) and bool(row["lossless"])


def _bytes_per_token(rows: Sequence[Measures]) -> float:
    """Return bytes per token."""
    return float(sum(row["bytes"] for row in rows) / sum(row["tokens"] for row in rows))


def _single_token_share(rows: Sequence[Measures]) -> float:
    """Return the share of words that are one token, in percent."""
    return float(
        100 * sum(row["single_token_words"] for row in rows) / sum(row["words"] for row in rows)
    )


def _fertility(rows: Sequence[Measures]) -> float:
    """Return the mean number of tokens per word of the English text."""
    return float(sum(row["tokens"] / row["english_words"] for row in rows) / len(rows))


def _band(row: Measures | None) -> Value:
    """Return the band of a language: None if not encoded, LOSSY if many characters are lost."""
    if not row or row["tokens"] is None or not row["english_tokens"]:
        return None
    return band_of(row) or LOSSY


def _in_band(rows: Mapping[str, Measures], band: str) -> int | None:
    """Return the number of languages in a band; None if no language is in any band."""
    bands = [band_of(row) for row in rows.values()]
    return bands.count(band) if any(bands) else None


def _length_groups(measures: Sequence[Measures]) -> tuple[str, ...]:
    """Return the groups of texts whose lengths are shown: scripts of common languages only."""
    names = dict.fromkeys(
        row["group"] for one in measures for row in _of(one, "sequences", "groups") or ()
    )
    rows = {row["code"]: row for one in measures for row in one.get("languages") or ()}
    common = [rows[code] for code in COMMON_LANGUAGES if code in rows]
    scripts = {row["script"].replace("_", " ") for row in common}
    return tuple(name for name in names if name in scripts | {PROSE, SOURCE_CODE, ALL_LANGUAGES})


def _tokens_per_100(measures: Measures, group: str) -> Value:
    """Return the length of a group of texts: LOSSY if any text loses characters."""
    length = length_in(measures, group)
    if length is None or length.not_encoded:
        return None
    if not length.loses_text:
        return length.tokens_per_100_characters
    prose = measures.get("prose")
    texts = {PROSE: [prose] if prose else [], SOURCE_CODE: measures.get("code") or []}.get(group)
    if texts and all(map(_keeps_characters, texts)):
        return f"{format_value(length.tokens_per_100_characters)} {LOSSY}"
    return LOSSY


def _of(measures: Measures, name: str, key: str) -> Any:
    return (measures.get(name) or {}).get(key)


def _size(measures: Measures) -> int | None:
    size: int | None = _of(measures, "vocabulary", "n_vocab")
    return _of(measures, "sequences", "n_vocab") if size is None else size


def _special(measures: Measures) -> int | None:
    """Return the number of special tokens, also for a target that shows no token bytes."""
    special = _of(measures, "vocabulary", "special_tokens")
    number: int | None = _of(measures, "sequences", "special_tokens")
    return number if special is None else len(special)


def _memory(measures: Measures, width: int) -> float | None:
    size = _size(measures)
    return None if size is None else size * width * BYTES_PER_WEIGHT / 1e6


def _split(measures: Measures, number: str) -> str | None:
    """Return the tokens of a number, separated by spaces."""
    rows = _of(measures, "numbers", "encodings") or ()
    row = next((row for row in rows if row["text"] == number), None)
    if row is None or row["ids"] is None:
        return None
    if row["bytes"] is None:
        return f"{len(row['ids'])} tokens"
    return " ".join(bytes.fromhex(one).decode("utf-8", "backslashreplace") for one in row["bytes"])
