"""What a scan measured on a corpus, in lines that the formats for people share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.escaping import Shown, shorten
from tokharness.formats._wording import pluralize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.results.report import TargetReport

    Data = Mapping[str, Any]

MOST = 5
"""Rows of a kind that have a line; HTML and JSON have all of them."""

MOST_PLACES = 2
MAX_TEXT = 40

LISTS = {
    "tokens per byte": Shown("{:.2f} tokens per byte"),
    "longest": Shown("{:,.0f} tokens"),
    "slowest": Shown("{:,.0f} ns per byte"),
    "more tokens": Shown("{:,.0f} more tokens than the reference"),
    "fewer tokens": Shown("{:,.0f} fewer tokens than the reference"),
}
"""What a list of documents says of each of them."""


def corpus_of(target: TargetReport) -> Data | None:
    """Return what a scan measured; None for another run."""
    return (target.measures or {}).get("corpus")


def corpus_lines(corpus: Data, against: str | None) -> Iterator[tuple[Shown, Shown]]:
    """Yield a label and a line for each result of a scan that says something."""
    yield Shown("corpus"), size_line(corpus)
    yield from _cost_lines(corpus)
    if corpus["comparison"] is not None and against:
        yield from _change_lines(corpus["comparison"], against)
    for row in corpus["failing"]:
        yield Shown("fails"), failing_line(row)
    for name in LISTS:
        if rows := [row for row in corpus["documents"] if row["list"] == name]:
            yield Shown("most"), document_line(rows[0])
    yield Shown("ids"), vocabulary_line(corpus["vocabulary"])
    yield from _token_lines(corpus["token_classes"] or ())
    if over := [one for one in corpus["contexts"] if one["documents"]]:
        counts = (Shown("{:,} over {:,}").format(one["documents"], one["tokens"]) for one in over)
        yield Shown("long"), Shown("documents by tokens: {}").format(Shown(", ").join(counts))
    for label, key, what in (
        ("control", "control", Shown("the text of a special token")),
        ("near", "near_misses", Shown("a text that looks like a special token")),
        ("hidden", "hidden", Shown("a hidden character")),
    ):
        yield from _found_lines(Shown("{}").format(label), corpus[key], what)


def size_line(corpus: Data) -> Shown:
    """Return how much was scanned, and of how much."""
    total = corpus["total"]
    line = Shown("{} of {}, {}: {}").format(
        pluralize(total["documents"], "document"),
        pluralize(corpus["files"], "file"),
        _size(total["bytes"]),
        pluralize(total["tokens"], "token"),
    )
    if corpus["sample"] < 1 and corpus["documents_in_files"]:
        share = Shown("{:.3g}%").format(corpus["sample"] * 100)
        of = pluralize(corpus["documents_in_files"], "document")
        line = Shown("{}; a sample of {} of {}").format(line, share, of)
    if corpus["finished_shards"] < corpus["shards"]:
        parts = Shown("{:,} of {:,} parts").format(corpus["finished_shards"], corpus["shards"])
        line = Shown("{}; {} of the corpus").format(line, parts)
    if corpus["empty"]:
        line = Shown("{}; {} left out").format(line, pluralize(corpus["empty"], "empty document"))
    return line


def _size(size: int) -> Shown:
    for unit, length in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= length:
            return Shown("{:.1f} {}").format(size / length, unit)
    return pluralize(size, "byte")


def _cost_lines(corpus: Data) -> Iterator[tuple[Shown, Shown]]:
    if (cost := corpus["tokens_per_byte"]) is not None:
        line = Shown("{:.4g} tokens per byte{}, {:.3g} bytes per token").format(
            cost["value"], bounds(cost, 1.0), 1 / cost["value"] if cost["value"] else 0.0
        )
        yield Shown("cost"), line
    for label, key in (("script", "by_script"), ("lang", "by_language"), ("file", "by_file")):
        rows = corpus[key]
        if len(rows) < 2:
            continue
        for row in rows[:MOST]:
            yield Shown("{}").format(label), cost_line(row)
        if len(rows) > MOST:
            yield Shown("{}").format(label), Shown("and {:,} more").format(len(rows) - MOST)


def cost_line(row: Data) -> Shown:
    """Return what the documents of a file, script or language cost."""
    per = [
        Shown("{} per {}").format(_rate(row["tokens"] / row[name]), name.removesuffix("s"))
        for name in ("bytes", "characters", "words")
        if row[name]
    ]
    return Shown("{}: {}, {}: {}").format(
        row["name"],
        pluralize(row["documents"], "document"),
        pluralize(row["tokens"], "token"),
        Shown(", ").join(per),
    )


def _rate(value: float) -> Shown:
    return Shown("{:.3g}").format(value) if value < 1000 else Shown("{:,.0f}").format(value)


def bounds(value: Data, factor: float) -> Shown:
    """Return the bounds of an estimate in parentheses; nothing for an exact value."""
    if value["low"] == value["high"]:
        return Shown("")
    return Shown(" ({:.4g} to {:.4g} at 95%)").format(value["low"] * factor, value["high"] * factor)


def change_line(comparison: Data, against: str) -> Shown:
    """Return how many documents have different ids than the reference."""
    share = comparison["differing_share"]
    line = Shown("{:,} of {:,} compared documents have different ids than {}").format(
        comparison["differing"], comparison["compared"], against
    )
    if share is None or share["low"] == share["high"]:
        return line
    percent = (100 * share["low"], 100 * share["high"])
    return Shown("{}: {:.3g}% to {:.3g}% of all at 95%").format(line, *percent)


def _change_lines(comparison: Data, against: str) -> Iterator[tuple[Shown, Shown]]:
    if not comparison["compared"]:
        return
    yield Shown("change"), change_line(comparison, against)
    ratio = comparison["ratio"]
    if ratio is not None and comparison["differing"]:
        change = {key: 100 * (value - 1) for key, value in ratio.items()}
        line = Shown("{} instead of {:,}: {:+.3g}%{}").format(
            pluralize(comparison["tokens"], "token"),
            comparison["reference_tokens"],
            change["value"],
            bounds(change, 1.0),
        )
        yield Shown("change"), line


def failing_line(row: Data) -> Shown:
    """Return how many documents fail a check, and where some of them are."""
    places = [Shown("{}").format(place) for place in row["places"][:MOST]]
    more = Shown(", ...") if row["documents"] > len(places) else Shown("")
    return Shown("{}: {}, at {}{}").format(
        row["code"], pluralize(row["documents"], "document"), Shown(", ").join(places), more
    )


def document_line(row: Data) -> Shown:
    """Return what a document of a list is in it for, where it is, and how it begins."""
    value = LISTS[row["list"]].format(row["value"])
    text = shorten(row["text"], MAX_TEXT)
    return Shown('{} at {}: "{}"').format(value, row["place"], text)


def vocabulary_line(vocabulary: Data) -> Shown:
    """Return how many ids occur, once, and never."""
    used, once = vocabulary["used"], vocabulary["once"]
    if vocabulary["size"] is None:
        return Shown("{:,} ids occur, {:,} of them once").format(used, once)
    return Shown("{:,} of {:,} ids occur, {:,} of them once; {:,} never").format(
        used, vocabulary["size"], once, vocabulary["never_used"]
    )


def _token_lines(rows: Sequence[Data]) -> Iterator[tuple[Shown, Shown]]:
    """Yield a line for each class of tokens of which some occur, and one for the others."""
    label = Shown("tokens")
    for row in sorted(rows, key=lambda row: -row["occurrences"]):
        examples = [
            Shown("id {} ({}, {:,} times)").format(one["id"], token_text(one), one["count"])
            for one in row["examples"][:MOST_PLACES]
        ]
        such = Shown(", ").join(examples)
        if row["occurring"]:
            line = Shown("{}: {:,} of {:,} occur, {:,} times, such as {}").format(
                row["name"], row["occurring"], row["tokens"], row["occurrences"], such
            )
            yield label, line
        elif examples:
            line = Shown("{}: {:,} occur only inside longer tokens, such as {}")
            yield label, line.format(row["name"], row["tokens"], such)
    if never := [row for row in rows if not row["examples"]]:
        names = Shown(", ").join(
            Shown("{} ({:,})").format(row["name"], row["tokens"]) for row in never
        )
        yield label, Shown("none of these occurs: {}").format(names)


def token_text(example: Data) -> Shown:
    """Return the text of a token in quotes, or its bytes."""
    if example["text"] is None:
        return Shown("no text")
    if example["is_hex"]:
        return Shown("bytes {}").format(example["text"])
    return Shown('"{}"').format(shorten(example["text"], MAX_TEXT))


def _found_lines(label: Shown, rows: Sequence[Data], what: Shown) -> Iterator[tuple[Shown, Shown]]:
    for row in rows[:MOST]:
        yield label, Shown("{}: {}").format(what, found_line(row))
    if len(rows) > MOST:
        yield label, Shown("and {:,} more").format(len(rows) - MOST)


def found_line(row: Data) -> Shown:
    """Return how often a text occurs, and some places."""
    places = row["places"][:MOST_PLACES]
    return Shown("{}, {} in {}, such as {}").format(
        row["text"],
        pluralize(row["count"], "time"),
        pluralize(row["documents"], "document"),
        Shown(", ").join([Shown("{}").format(place) for place in places]),
    )
