"""Join what the checks of the vocabulary say of tokens with how often a corpus has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness.checks import residue_token
from tokharness.checks.residue_token import TOKENS_PER_ENTRY, residues
from tokharness.diagnosis.token_content.texts import plain_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import TokenRow

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
    that of the longer tokens they are inside of. A part of a corpus, not ``is_whole``, shows none.
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
