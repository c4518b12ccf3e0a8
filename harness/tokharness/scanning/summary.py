"""The measure ``corpus`` of a report: what the sums and samples of a scan say, as plain data.

Tokens that the checks of the vocabulary report are joined with how often the corpus has them.
"""

from __future__ import annotations

import math
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from tokharness.checks import residue_token
from tokharness.checks.residue_token import TOKENS_PER_ENTRY, residues
from tokharness.diagnosis.token_content.texts import plain_texts
from tokharness.scanning.measuring import COSTS, name_of_script
from tokharness.scanning.record import COLUMNS, FAILING, PLACES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import TokenRow
    from tokharness.scanning.plan import Settings, Shard
    from tokharness.scanning.record import Record, Row
    from tokharness.scanning.scan import Corpus


MOST_FILES = 200
"""Files that have a row: the files with the most tokens."""

MOST_USED = 20
"""Token ids that are listed, of the most used ids and of the ids that are never used."""

Z = 1.96
"""Standard deviations of a confidence of 95 percent."""

NO_LANGUAGE = "(none)"
"""The row of the documents without a language, if others have one."""

LISTS = ("tokens per byte", "longest", "slowest", "more tokens", "fewer tokens")
"""Names of the samples of single documents."""

VOCABULARY_SIZE = "size of the vocabulary"
"""The sample with the number of ids that the target declares."""

NUMBER, LARGEST, LARGEST_LENGTH = int | float, 1 << 127, 64
"""The largest sum of a table, and bits of the largest number of tokens of a document."""

WIDTHS = {
    **dict.fromkeys(("file", "script", "language"), len(COSTS)),
    **dict.fromkeys(("hidden", "control", "near-miss", "context", COLUMNS), 2),
    **dict.fromkeys(("total", "length", "rows", "bad", "failing"), 1),
    "ratio": 6,
}
"""Integers of a row of each table."""

CRASHER = 4
"""Values of a row that says which call ended a process."""


def is_of_scan(response: Mapping[str, Any]) -> bool:
    """Whether the response to a shard, of the declared shape, has rows that a scan makes.

    It may be from a file that a stranger changed: what the report unpacks and divides is checked.
    """
    tables, samples, tokens = response["tables"], response["samples"], response["tokens"]
    rows = [(name, row) for name, table in tables.items() for row in table.values()]
    compared, differing = map(COSTS.index, ("compared", "differing"))
    return (
        len(tokens) % 2 == 0
        and all(-LARGEST < number < LARGEST for number in tokens[::2])
        and all(0 <= count < LARGEST for count in chain(tokens[1::2], *(row for _, row in rows)))
        and all(len(row) == WIDTHS.get(name) for name, row in rows)
        and all(row[differing] <= row[compared] for name, row in rows if name == "file")
        and all(bits in map(str, range(LARGEST_LENGTH)) for bits in tables.get("length", ()))
        and all(_is_sample(name, row) for name, rows in samples.items() for row in rows)
        and all(len(row) == CRASHER for row in response["crashers"])
        and 0 <= response["seconds"] < math.inf
    )


def _is_sample(name: str, row: Row) -> bool:
    """Whether a row of a sample has the types of this sample, and numbers that are finite."""
    kinds: tuple[Any, ...] = ()
    if name in LISTS:
        kinds = (NUMBER, str, int, int, int, int, str)
    elif name == VOCABULARY_SIZE:
        kinds = (int,)
    elif name.startswith(FAILING):
        kinds = (int, str, int, int, str)
    elif name.startswith(PLACES):
        kinds = (str, int, int)
    elif name.startswith(f"{COLUMNS} "):
        kinds = (NUMBER, str)
    return len(row) == len(kinds) and all(
        isinstance(one, kind) and (kind is str or -LARGEST < one < LARGEST)
        for one, kind in zip(row, kinds, strict=True)
    )


def corpus_record(
    record: Record,
    corpus: Corpus,
    settings: Settings,
    shards: Sequence[Shard],
    finished: int,
    *,
    has_reference: bool,
) -> dict[str, Any]:
    """Return what a scan measured, as plain data."""
    places = _Places(record, shards)
    files = _rows(record, "file")
    totals = {name: sum(row[name] for row in files) for name in COSTS}
    return {
        "names": list(corpus.names),
        "files": len(corpus.sources),
        "file_bytes": sum(source.size for source in corpus.sources),
        "shards": len(shards),
        "finished_shards": finished,
        "sample": settings.sample,
        "documents_in_files": record.value("total", "in files") or None,
        "empty": record.value("total", "empty"),
        "total": {**totals, "documents": record.value("total", "cases")},
        "encoded": record.value("total", "encoded"),
        "unchanged": record.value("total", "unchanged"),
        "by_file": sorted(files, key=lambda row: (-row["tokens"], row["name"]))[:MOST_FILES],
        "by_script": [
            {**row, "name": name_of_script(row["name"])} for row in _rows(record, "script")
        ],
        "by_language": _languages(record, totals),
        "tokens_per_byte": _ratio(record, "tokens by bytes", settings.sample),
        "comparison": _comparison(record, settings, totals) if has_reference else None,
        "vocabulary": _vocabulary(record),
        "token_classes": None,
        "lengths": [
            {"below": 1 << int(bits), "documents": count}
            for bits, (count,) in sorted(_table(record, "length"), key=lambda item: int(item[0]))
        ],
        "contexts": [_context(record, context) for context in settings.contexts],
        "hidden": _found(record, "hidden", places),
        "control": _found(record, "control", places),
        "near_misses": _found(record, "near-miss", places),
        "bad": [
            {"reason": reason, "count": count, "places": places.of("bad", reason)}
            for reason, (count,) in sorted(
                _table(record, "bad"), key=lambda item: (-item[1][0], item[0])
            )
        ],
        "failing": [
            {
                "code": code,
                "documents": count,
                "places": [
                    places.name(row[1:4])
                    for row in record.samples.get(f"failing {code}", ())[:MOST_USED]
                ],
            }
            for code, (count,) in sorted(_table(record, "failing"))
        ],
        "documents": [
            {
                "list": name,
                "place": places.name(row[1:4]),
                "tokens": row[4],
                "bytes": row[5],
                "value": _value(row),
                "text": row[6],
            }
            for name in LISTS
            for row in record.samples.get(name, ())
        ],
    }


def _value(row: Row) -> float:
    """Return tokens a byte, tokens, nanoseconds a byte, or tokens more or fewer than before."""
    return round(-float(row[0]), 4)


def _table(record: Record, name: str) -> list[tuple[str, list[int]]]:
    return list(record.tables.get(name, {}).items())


def _rows(record: Record, name: str) -> list[dict[str, Any]]:
    rows = [
        {"name": key, **dict(zip(COSTS, row, strict=True))} for key, row in _table(record, name)
    ]
    return sorted(rows, key=lambda row: (-row["bytes"], row["name"]))


def _languages(record: Record, totals: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return the rows of the languages; documents without one are what is left."""
    rows = _rows(record, "language")
    left = {name: totals[name] - sum(row[name] for row in rows) for name in COSTS}
    return [*rows, {"name": NO_LANGUAGE, **left}] if rows and left["documents"] else rows


def _context(record: Record, context: int) -> dict[str, int]:
    return {
        "tokens": context,
        "documents": record.value("context", str(context)),
        "tokens_beyond": record.value("context", str(context), 1),
    }


def _vocabulary(record: Record) -> dict[str, Any]:
    """Return which ids occur, and how often the ids of each rank do (Zipf's curve)."""
    sizes = record.samples.get(VOCABULARY_SIZE, ())
    size = sizes[0][0] if sizes else None
    ranked = sorted(record.tokens.items(), key=lambda item: (-item[1], item[0]))
    used = len(ranked)
    ids = range(size or 0)
    unused = islice((number for number in ids if number not in record.tokens), MOST_USED)
    ranks = sorted({min(round(10 ** (step / 8)), used) for step in range(49)} - {0})
    return {
        "size": size,
        "used": used,
        "never_used": None if size is None else size - sum(map(ids.__contains__, record.tokens)),
        "once": sum(count == 1 for _, count in ranked),
        "curve": [[rank, ranked[rank - 1][1]] for rank in ranks],
        "most_used": [[number, count] for number, count in ranked[:MOST_USED]],
        "never_used_ids": list(unused),
    }


def _found(record: Record, name: str, places: _Places) -> list[dict[str, Any]]:
    table = sorted(_table(record, name), key=lambda item: (-item[1][0], item[0]))
    return [
        {"text": text, "count": count, "documents": documents, "places": places.of(name, text)}
        for text, (count, documents) in table
    ]


class _Places:
    """Names the places of documents, by the number of the line or row in the whole file."""

    def __init__(self, record: Record, shards: Sequence[Shard]) -> None:
        self._record = record
        counts = {key: row[0] for key, row in _table(record, "rows")}
        self._before: dict[tuple[str, int], int | None] = {}
        seen: dict[str, int | None] = {}
        for shard in shards:
            for part in shard.parts:
                name = part.source.name
                before = seen.get(name, 0)
                self._before[name, part.start] = before
                count = counts.get(f"{name}\n{part.start}")
                seen[name] = None if before is None or count is None else before + count

    def name(self, place: Row) -> str:
        """Return ``FILE:ROW``; after a part that was not scanned, the row is counted from there."""
        file, start, row = place
        before = self._before.get((file, start), 0) if start else 0
        if before is None:
            return f"{file}: row {row} from byte {start}"
        return f"{file}:{before + row}"

    def of(self, sample: str, what: str) -> list[str]:
        """Return some places of a character, a token or a reason."""
        rows = self._record.samples.get(f"{PLACES}{sample} {what}", [])
        return [self.name(row) for row in rows]


def _ratio(record: Record, name: str, share: float) -> dict[str, float] | None:
    """Return a ratio of sums with its bounds at 95 percent, from a sample of documents.

    The variance is the ratio estimator's (Cochran, Sampling Techniques, 1977, section 6.4).
    """
    row = record.tables.get("ratio", {}).get(name)
    if not row or not row[2]:
        return None
    count, ours, theirs, squares, products, squares_of_theirs = row
    ratio = ours / theirs
    spread = 0.0
    if count > 1:
        residual = max(squares - 2 * ratio * products + ratio * ratio * squares_of_theirs, 0.0)
        variance = (1 - share) * residual / (count * (count - 1)) / (theirs / count) ** 2
        spread = Z * math.sqrt(max(variance, 0.0))
    return {"value": ratio, "low": ratio - spread, "high": ratio + spread}


def _comparison(record: Record, settings: Settings, totals: Mapping[str, int]) -> dict[str, Any]:
    """Return how many documents and tokens differ, with bounds for the whole corpus."""
    compared, differing = totals["compared"], totals["differing"]
    share = settings.sample * settings.compared
    return {
        "share": share,
        "compared": compared,
        "differing": differing,
        "tokens": totals["tokens_of_compared"],
        "reference_tokens": totals["reference_tokens"],
        "ratio": _ratio(record, "tokens by reference tokens", share),
        "differing_share": _wilson(differing, compared, share),
    }


def _wilson(count: int, total: int, share: float) -> dict[str, float] | None:
    """Return a proportion with Wilson's bounds at 95 percent; of a whole corpus it is exact."""
    if not total:
        return None
    value = count / total
    if share >= 1:
        return {"value": value, "low": value, "high": value}
    square = Z * Z / total
    middle = (value + square / 2) / (1 + square)
    spread = Z * math.sqrt(value * (1 - value) / total + square / 4 / total) / (1 + square)
    return {"value": value, "low": max(middle - spread, 0.0), "high": min(middle + spread, 1.0)}


CHECKS = ("TOK401", "TOK404", "TOK408", "TOK409", "TOK410")
"""Checks that name tokens from the vocabulary alone: unreachable tokens, merge orphans, tokens with
hidden text, and others that a model may not have learned."""

RESIDUES = f"{residue_token.CODE} residue tokens"

MOST_EXAMPLES = 20


def token_classes(
    rows: Sequence[TokenRow], counts: Mapping[int, int], *, is_whole: bool
) -> list[dict[str, Any]]:
    """Return for each class of tokens how many occur, and how often, as plain data.

    ``rows`` are all tokens of the target and ``counts`` how often each occurs. Examples are ids
    with their texts and counts, the most frequent first. Residue tokens never occur: their count is
    the count of the longer tokens around them. A part of a corpus, not ``is_whole``, shows none.
    """
    contents = {row.id: row.content for row in rows}
    classes: dict[str, list[int]] = {}
    for row in rows:
        for label in row.classes:
            classes.setdefault(label, []).append(row.id)
    found = [_class(label, numbers, counts, contents) for label, numbers in sorted(classes.items())]
    return [*found, *(_residues(rows, counts) if is_whole else ())]


def _class(
    label: str, numbers: Sequence[int], counts: Mapping[int, int], contents: Mapping[int, Any]
) -> dict[str, Any]:
    used = sorted((n for n in numbers if counts.get(n)), key=lambda n: (-counts[n], n))
    return {
        "name": label,
        "tokens": len(numbers),
        "occurring": len(used),
        "occurrences": sum(counts[n] for n in used),
        "examples": [_example(n, contents[n], counts[n]) for n in used[:MOST_EXAMPLES]],
    }


def _example(number: int, content: str | bytes | None, count: int) -> dict[str, Any]:
    text = content.hex() if isinstance(content, bytes) else content
    return {"id": number, "text": text, "is_hex": isinstance(content, bytes), "count": count}


def _residues(rows: Sequence[TokenRow], counts: Mapping[int, int]) -> Iterator[dict[str, Any]]:
    """Yield the class of TOK411, if the corpus is large enough to judge the vocabulary."""
    has_bytes = any(row.bytes is not None for row in rows)
    ordinary = [row for row in rows if row.kind == "ordinary"]
    if has_bytes:
        texts = {row.id: row.bytes.decode("utf-8", "replace") for row in ordinary if row.bytes}
    else:
        texts = plain_texts({row.id: row.text for row in ordinary if row.text})
    texts = {number: text for number, text in texts.items() if text}
    if sum(counts.values()) < TOKENS_PER_ENTRY * len(texts):
        return
    if found := sorted(residues(texts, counts), key=lambda one: (-(one.times or 0), one.number)):
        yield {
            "name": RESIDUES,
            "tokens": len(found),
            "occurring": 0,
            "occurrences": 0,
            "examples": [
                _example(one.number, one.text, one.times or 0) for one in found[:MOST_EXAMPLES]
            ],
        }
